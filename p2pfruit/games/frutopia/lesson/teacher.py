"""The teacher of Frutopia.

A rule is explained when the learner first needs it: when sliding, trading, placing, making. What
happened is explained once a round, after the other player's turn. The teacher suggests moves that
lead to something, and finds out what they lead to with the rules themselves.
"""

from collections.abc import Iterator

from engine.frutopia import Frutopia
from engine.frutopia.baskets import FRUITS
from engine.frutopia.catalogue import DECK_CHAIRS, Ship
from engine.frutopia.island import CELL, SHORE
from engine.frutopia.state import GAIN, MAKE, PICK, PLACE, SLIDE, TRADE, Islands
from engine.moves import Event, Move
from engine.needs import Done, Seat
from engine.views import View
from p2pfruit.games.course import ME, Happening, Passage, Remark, Teacher
from p2pfruit.games.frutopia import words
from p2pfruit.games.frutopia.lesson import plan, recap
from p2pfruit.games.frutopia.lesson.text import say, title
from p2pfruit.games.frutopia.narrator import FrutopiaNarrator
from p2pfruit.games.narrator import Narrator
from p2pfruit.language import plural
from p2pfruit.language import text as _

OTHER: Seat = 1

BEACH_POINTS = 4  # of the deck chairs, for each beach without ships


class FrutopiaTeacher(Teacher[Islands]):
    narrator: FrutopiaNarrator
    game: Frutopia

    def __init__(self, narrator: Narrator) -> None:
        super().__init__(narrator)
        self._round: list[Event] = []  # what happened since the learner's turn began

    # The beginning.

    def opening(self, view: View[Islands]) -> Iterator[Passage]:
        yield Passage(title("welcome"), self._welcome(view.state))
        yield Passage(title("table"), self._table(view.state))
        yield Passage(title("counts"), self._aim(view.state))

    def _welcome(self, state: Islands) -> Iterator[Remark]:
        name = self.narrator.name(OTHER)
        yield say("welcome", name=name)
        yield say(
            "joined",
            rounds=state.round - 1,
            mine=state.points(ME),
            name=name,
            theirs=state.points(OTHER),
        )
        yield say("ready", name=name)

    def _table(self, state: Islands) -> Iterator[Remark]:
        ships = [name for at in SHORE if (name := state.islands[ME][at]) in self._ships]
        order = self._ships[ships[-1]].order
        yield say(
            "island",
            letter=words.initial(FRUITS[0]),
            fruit=words.fruit(FRUITS[0]),
            order=words.short(order),
            fruits=words.basket(order),
            letters=words.letters(self.game, DECK_CHAIRS),
            token=words.token(self.game, DECK_CHAIRS),
        )
        yield say("stock", fruits=words.basket(state.stocks[ME]))
        row = self.game.catalogue.rows[-1]
        yield say("offer", fruits=words.basket(row.cost), points=words.points(row.points))

    @property
    def _ships(self) -> dict[str, Ship]:
        return self.game.catalogue.ships

    def _aim(self, state: Islands) -> Iterator[Remark]:
        yield say("aim")
        yield say("clock", count=state.permit)

    # Before a decision.

    def before(self, view: View[Islands]) -> Iterator[Passage]:
        ask = {
            SLIDE: self._before_slide,
            TRADE: self._before_trade,
            PLACE: self._before_place,
            MAKE: self._before_make,
            PICK: self._before_pick,
            GAIN: self._before_pick,
        }
        yield from ask[view.state.need.what](view.state)

    def _asked(self, heading: str, state: Islands, *remarks: Remark) -> Passage:
        """Return the last passage, which ends with a suggestion or leaves the choice free."""
        found = self._proposal(state)
        return Passage(heading, [*remarks, found[1] if found else say("free")])

    def _before_slide(self, state: Islands) -> Iterator[Passage]:
        if self.first("slide"):
            yield self._asked(title("slide"), state, say("slide"))
            return
        if not self.first("lanes") and self.first("cart"):
            yield self._cart(state)
        farthest = max(plan.cells(state, slide) for slide in self._moves(state))
        yield self._asked(title("slide"), state, say("longest", cells=_cells(farthest)))

    def _before_trade(self, state: Islands) -> Iterator[Passage]:
        offers = any(move.verb == "take" for move in self._moves(state))
        trade = [say("trade")] if self.first("trade") else []
        if offers and self.first("business"):
            yield Passage(title("businesses"), [*trade, say("business"), say("kinds")])
            trade = []
        stock = say("spend", fruits=words.basket(state.stocks[ME]))
        yield self._asked(title("spend"), state, *trade, stock)

    def _before_place(self, state: Islands) -> Iterator[Passage]:
        token = self.game.catalogue.tokens[state.token]
        size = len(token.shape)
        if size > 1:
            rule = say("place.large", count=size, shape=words.shape(token))
        elif token.mobile:
            rule = say("place.mobile")
        else:
            rule = say("place.fixed")
        yield self._asked(title("place"), state, rule)

    def _before_make(self, state: Islands) -> Iterator[Passage]:
        if self.first("cart"):
            yield self._cart(state)
        rule = say("make", count=state.amount, fruits=words.basket(state.stocks[ME]))
        yield self._asked(title("make"), state, rule)

    def _cart(self, state: Islands) -> Passage:
        """Explain the cart on the learner's island."""
        tokens = self.game.catalogue.tokens
        colours = [tokens[n].colour for n in state.islands[ME] if n in tokens and tokens[n].colour]
        colour = colours[0]
        return Passage(
            title("cart"),
            [
                say(
                    "cart",
                    letters=words.colour(colour)[:2].capitalize(),
                    colour=words.colour(colour),
                    fruits=words.basket(self.game.catalogue.recipes[colour]),
                ),
                say("piles"),
            ],
        )

    def _before_pick(self, state: Islands) -> Iterator[Passage]:
        yield self._asked(title("pick"), state, say("pick"))

    # What is suggested.

    def suggested(self, view: View[Islands]) -> Move | None:
        found = self._proposal(view.state)
        return found[0] if found else None

    def _moves(self, state: Islands) -> list[Move]:
        return self.game.moves(state, ME, {})

    def _proposal(self, state: Islands) -> tuple[Move, Remark] | None:
        """Return a move, and the remark that suggests it with a reason."""
        match state.need.what:
            case "slide":
                return self._ride(state) or self._harvest(state)
            case "trade":
                return self._spend(state)
            case "place":
                return self._least_in_the_way(state)
            case "make":
                return self._product(state)
        return None

    def _ride(self, state: Islands) -> tuple[Move, Remark] | None:
        """Suggest a slide of the cart, once the cart is explained."""
        slide = plan.best_ride(self.game, state) if "cart" in self._told else None
        if slide is None:
            return None
        name, cell = slide.words
        cells = _cells(plan.cells(state, slide))
        return slide, say("try.ride", token=words.token(self.game, name), cell=cell, cells=cells)

    def _harvest(self, state: Islands) -> tuple[Move, Remark] | None:
        """Suggest a slide that pays for a ship; from the second turn on, for a business first."""
        kinds = ("ship", "take") if "lanes" not in self._told else ("take", "ship")
        for verb in kinds:
            found = plan.best_harvest(self.game, state, [verb])
            if found is not None:
                name, cell = found.slide.words
                return found.slide, say(
                    "try.harvest",
                    token=words.token(self.game, name),
                    cell=cell,
                    fruits=words.basket(found.brought),
                    what=self._called(found.trade),
                )
        return None

    def _called(self, trade: Move) -> str:
        [word] = trade.words
        if trade.verb == "ship":
            return _("ship {cell}").format(cell=word)
        return words.token(self.game, word)

    def _spend(self, state: Islands) -> tuple[Move, Remark] | None:
        trade = plan.best_trade(self.game, state, ("ship", "take"))
        if trade is None:
            return None
        reason = self._reason_to_deliver if trade.verb == "ship" else self._reason_to_take
        return trade, reason(state, trade)

    def _reason_to_deliver(self, state: Islands, trade: Move) -> Remark:
        points = self._ships[state.islands[ME][CELL[trade.words[0]]]].points
        more = plan.worth(self.game, state, trade) - points
        ship, told = self._called(trade), words.points(points)
        if more:
            return say("try.beach", ship=ship, points=told, more=more)
        return say("try.ship", ship=ship, points=told)

    def _reason_to_take(self, state: Islands, trade: Move) -> Remark:
        [name] = trade.words
        own = self.game.catalogue.tokens[name].points
        token = self._called(trade)
        points = words.points(plan.row_points(self.game, state, name))
        if own:
            return say("try.building", token=token, points=points, own=own)
        return say("try.business", token=token, points=points)

    def _least_in_the_way(self, state: Islands) -> tuple[Move, Remark]:
        place = plan.best_place(self.game, state, self._moves(state))
        return place, say("try.place", cells=" ".join(place.words))

    def _product(self, state: Islands) -> tuple[Move, Remark] | None:
        ending = plan.ending_ice(self.game, state)
        if ending is not None:
            colour, points = _ice(ending)
            return ending, say("try.end", colour=colour, points=points)
        dearest = plan.dearest_ice(self.game, state)
        if dearest is None:
            return None
        colour, points = _ice(dearest)
        return dearest, say("try.ice", colour=colour, points=points)

    # What came of it.

    def after(self, happened: Happening[Islands]) -> Passage | None:
        self._round += happened.events
        before, state = happened.before.state, happened.after.state
        if before.active == ME and state.need.what == PLACE:
            return Passage(title("happened"), self._took(before, state))
        if before.active == ME or state.active != ME:
            return None
        events, self._round = self._round, []
        return Passage(title("happened"), recap.told(self.narrator, events, state))

    def _took(self, before: Islands, state: Islands) -> Iterator[Remark]:
        token = words.token(self.game, state.token)
        points = words.points(plan.row_points(self.game, before, state.token))
        yield say("took", token=token, points=points)
        if state.permit:
            yield recap.marker(state)
        else:
            yield say("last_round")

    # The end.

    def points(self, happened: Happening[Islands]) -> Passage:
        return Passage(title("points"), self._scored(happened.after.state))

    def _scored(self, state: Islands) -> Iterator[Remark]:
        total, shops = state.points(ME), state.scores[-1][ME]
        yield say("score", total=total, marked=total - shops, shops=shops)
        [chairs] = [points for shop, points in self.game.shops(state, ME) if shop == DECK_CHAIRS]
        count = chairs // BEACH_POINTS
        yield say("chairs", count=count, points=words.points(chairs))
        mine, theirs = [sum(state.stocks[seat]) for seat in (ME, OTHER)]
        name = self.narrator.name(OTHER)
        yield say("left", mine=mine, theirs=theirs, name=name)
        yield self._place(state)

    def _place(self, state: Islands) -> Remark:
        assert isinstance(state.need, Done)
        points, name = state.points(OTHER), self.narrator.name(OTHER)
        if state.need.places[ME] == 1:
            return say("won", name=name, points=points)
        return say("lost", name=name, points=points)

    def farewell(self, view: View[Islands]) -> Passage:
        return Passage(title("next"), self._farewell())

    def _farewell(self) -> Iterator[Remark]:
        yield say("whole")
        yield say("factory")


def _cells(count: int) -> str:
    return plural("{count} cell", "{count} cells", count)


def _ice(ice: Move) -> tuple[str, str]:
    """Return the colour and the points of an ice, in words."""
    colour, points = ice.words[0].split("-")
    return words.colour(colour), words.points(int(points))
