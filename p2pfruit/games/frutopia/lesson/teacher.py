"""What the teacher of Frutopia says before and after each decision.

A rule is told when the learner first stands where it holds: sliding, trading, placing, making. What
happened is told once a round, when the other has had a turn as well. Moves are proposed that lead
to something; what they lead to is found with the rules themselves.
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
from p2pfruit.games.frutopia.lesson import plan, round
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
        yield Passage(_("welcome"), self._welcome(view.state))
        yield Passage(_("the table"), self._table(view.state))
        yield Passage(_("what counts"), self._aim(view.state))

    def _welcome(self, state: Islands) -> Iterator[Remark]:
        name = self.narrator.name(OTHER)
        yield Remark(
            "welcome",
            _(
                "You and {name} have an **island** each. Harvest fruits on it, and spend them on "
                "ships and businesses: that is what brings points."
            ).format(name=name),
        )
        yield Remark(
            "joined",
            _(
                "You join late: {rounds} rounds were played for you. You have {mine} points, "
                "{name} has {theirs}."
            ).format(
                rounds=state.round - 1,
                mine=state.points(ME),
                name=name,
                theirs=state.points(OTHER),
            ),
        )
        yield Remark(
            "ready",
            _(
                "The table was arranged, and {name} plays by a script. All else is the real game: "
                "whatever you can choose is allowed, so try what you like."
            ).format(name=name),
        )

    def _table(self, state: Islands) -> Iterator[Remark]:
        ships = [name for at in SHORE if (name := state.islands[ME][at]) in self._ships]
        order = self._ships[ships[-1]].order
        yield Remark(
            "island",
            _(
                "Your island has the cells a1 to e5. One letter is a **collector**: {letter} for "
                "{fruit}. {order} is a **ship** that waits for {fruits}. Two letters are a "
                "**business**: {letters} for {token}."
            ).format(
                letter=words.initial(FRUITS[0]),
                fruit=words.fruit(FRUITS[0]),
                order=words.short(order),
                fruits=words.basket(order),
                letters=words.letters(self.game, DECK_CHAIRS),
                token=words.token(self.game, DECK_CHAIRS),
            ),
        )
        yield Remark(
            "stock",
            _("Your stock, in the line with your points: {fruits}.").format(
                fruits=words.basket(state.stocks[ME])
            ),
        )
        row = self.game.catalogue.rows[-1]
        yield Remark(
            "offer",
            _(
                "The other businesses lie there for both of you, in rows. The last row costs "
                "{fruits} and brings {points} for paying that."
            ).format(fruits=words.basket(row.cost), points=words.points(row.points)),
        )

    @property
    def _ships(self) -> dict[str, Ship]:
        return self.game.catalogue.ships

    def _aim(self, state: Islands) -> Iterator[Remark]:
        yield Remark(
            "aim",
            _(
                "Points come from ships, businesses and ice cream, and at the very end from shops. "
                "Fruits that are left then are worth nothing."
            ),
        )
        yield Remark(
            "clock",
            _(
                "The clock is the **permit marker**: {count} steps from the cross. Each business "
                "that somebody takes moves it one step. Once it is on the cross the round is "
                "played to its end, and the game is over."
            ).format(count=state.permit),
        )

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

    def _asked(self, title: str, state: Islands, *remarks: Remark) -> Passage:
        """The last passage: with what is proposed, or that the choice is free."""
        found = self._proposal(state)
        advice = Remark("try", found[1]) if found else Remark("free", _("Choose as you like."))
        return Passage(title, [*remarks, advice])

    def _before_slide(self, state: Islands) -> Iterator[Passage]:
        title = _("step 1: slide")
        if self.first("slide"):
            yield self._asked(title, state, self._slide())
            return
        if not self.first("lanes") and self.first("cart"):
            yield self._cart(state)
        farthest = max(plan.cells(state, slide) for slide in self._moves(state))
        text = plural(
            "A new turn. Your longest slide goes through {count} cell.",
            "A new turn. Your longest slide goes through {count} cells.",
            farthest,
        )
        yield self._asked(title, state, Remark("longest", text))

    def _slide(self) -> Remark:
        return Remark(
            "slide",
            _(
                "A turn begins with a **slide**: one of your tokens, straight on, over as many "
                "free cells as you like. A collector brings one fruit of its kind a cell."
            ),
        )

    def _before_trade(self, state: Islands) -> Iterator[Passage]:
        offers = any(move.verb == "take" for move in self._moves(state))
        title = _("step 2: spend")
        trade = [self._trade()] if self.first("trade") else []
        if offers and self.first("business"):
            yield Passage(_("businesses"), [*trade, *self._business()])
            trade = []
        fruits = words.basket(state.stocks[ME])
        stock = Remark("spend", _("To spend: {fruits}.").format(fruits=fruits))
        yield self._asked(title, state, *trade, stock)

    def _trade(self) -> Remark:
        return Remark(
            "trade",
            _(
                "Now you may deliver **one** ship, or take **one** business, or neither. A ship "
                "takes the fruits that it asks for, brings its points and leaves."
            ),
        )

    def _business(self) -> Iterator[Remark]:
        yield Remark(
            "business",
            _(
                "To take a **business**, pay what its row costs and mark the row's points. The "
                "permit marker moves one step, and the token goes on your island: without room "
                "for it you cannot take it."
            ),
        )
        yield Remark(
            "kinds",
            _(
                "Buildings bring points of their own as soon as they stand, shops when the game "
                "ends. Carts and mixed collectors slide in later turns, like collectors."
            ),
        )

    def _before_place(self, state: Islands) -> Iterator[Passage]:
        token = self.game.catalogue.tokens[state.token]
        size = len(token.shape)
        if size > 1:
            text = _(
                "In its shape ({shape}) it covers {count} free cells. You may **turn** it, but not "
                "mirror it. It never moves again."
            )
        elif token.mobile:
            text = _("It goes on a free cell, and **slides** in later turns.")
        else:
            text = _("It goes on a free cell, and never moves again.")
        rule = text.format(count=size, shape=words.shape(token))
        yield self._asked(_("a place for it"), state, Remark("place", rule))

    def _before_make(self, state: Islands) -> Iterator[Passage]:
        if self.first("cart"):
            yield self._cart(state)
        text = plural(
            "You may make {count} thing more, or stop.",
            "You may make {count} things more, or stop.",
            state.amount,
        )
        have = _("To spend: {fruits}.").format(fruits=words.basket(state.stocks[ME]))
        yield self._asked(_("what the cart makes"), state, Remark("make", f"{text} {have}"))

    def _cart(self, state: Islands) -> Passage:
        """Of the cart on the learner's island."""
        tokens = self.game.catalogue.tokens
        colours = [tokens[n].colour for n in state.islands[ME] if n in tokens and tokens[n].colour]
        colour = colours[0]
        return Passage(
            _("the ice-cream cart"),
            [
                Remark(
                    "cart",
                    _(
                        "Your **cart** ({letters}) slides, too, but it brings no fruit. For each "
                        "cell you may make one thing: ice of its colour ({colour}: {fruits}), for "
                        "the points on a marker, or a **milkshake** of 2 equal fruits, for 3 "
                        "points."
                    ).format(
                        letters=words.colour(colour)[:2].capitalize(),
                        colour=words.colour(colour),
                        fruits=words.basket(self.game.catalogue.recipes[colour]),
                    ),
                ),
                Remark(
                    "piles",
                    _(
                        "The line with the ice says how many markers each pile has left (×). "
                        "Whoever takes the last one of a pile moves the permit marker a step."
                    ),
                ),
            ],
        )

    def _before_pick(self, state: Islands) -> Iterator[Passage]:
        text = _(
            "A **mixed collector** brings either of its two fruits: one when you take it, later "
            "one a cell and one more."
        )
        yield self._asked(_("a mixed collector"), state, Remark("pick", text))

    # What is proposed.

    def suggested(self, view: View[Islands]) -> Move | None:
        found = self._proposal(view.state)
        return found[0] if found else None

    def _moves(self, state: Islands) -> list[Move]:
        return self.game.moves(state, ME, {})

    def _proposal(self, state: Islands) -> tuple[Move, str] | None:
        """A move, and why one might make it."""
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

    def _ride(self, state: Islands) -> tuple[Move, str] | None:
        """The cart, once there is a word about it."""
        slide = plan.best_ride(self.game, state) if "cart" in self._told else None
        if slide is None:
            return None
        name, cell = slide.words
        text = _("Try {token} to {cell} ({cells}): you can pay for ice.")
        return slide, text.format(
            token=words.token(self.game, name),
            cell=cell,
            cells=plural("{count} cell", "{count} cells", plan.cells(state, slide)),
        )

    def _harvest(self, state: Islands) -> tuple[Move, str] | None:
        """Ships come first; businesses once a second turn has begun."""
        kinds = ("ship", "take") if "lanes" not in self._told else ("take", "ship")
        for verb in kinds:
            found = plan.best_harvest(self.game, state, [verb])
            if found is not None:
                name, cell = found.slide.words
                text = _("Try {token} to {cell}: that brings {fruits}. Then you can pay: {what}.")
                return found.slide, text.format(
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

    def _spend(self, state: Islands) -> tuple[Move, str] | None:
        trade = plan.best_trade(self.game, state, ("ship", "take"))
        if trade is None:
            return None
        reason = self._reason_to_deliver if trade.verb == "ship" else self._reason_to_take
        return trade, reason(state, trade)

    def _reason_to_deliver(self, state: Islands, trade: Move) -> str:
        points = self._ships[state.islands[ME][CELL[trade.words[0]]]].points
        more = plan.worth(self.game, state, trade) - points
        text = (
            _("Try {ship}: {points} now, and {more} for your deck chairs when the game ends.")
            if more
            else _("Try {ship}: {points}.")
        )
        ship = self._called(trade)
        return text.format(ship=ship, points=words.points(points), more=more)

    def _reason_to_take(self, state: Islands, trade: Move) -> str:
        [name] = trade.words
        own = self.game.catalogue.tokens[name].points
        text = (
            _("Try {token}: {points} for the row, and {own} more as soon as it stands.")
            if own
            else _("Try {token}: {points} for the row.")
        )
        points = words.points(plan.row_points(self.game, state, name))
        return text.format(token=self._called(trade), points=points, own=own)

    def _least_in_the_way(self, state: Islands) -> tuple[Move, str]:
        place = plan.best_place(self.game, state, self._moves(state))
        text = _("Try {cells}: that leaves your tokens the most room to slide.")
        return place, text.format(cells=" ".join(place.words))

    def _product(self, state: Islands) -> tuple[Move, str] | None:
        ending = plan.ending_ice(self.game, state)
        if ending is not None:
            text = _(
                "Try {colour} ice for {points}, the last of its pile: with it you are ahead, and "
                "the permit marker reaches the cross."
            )
            return ending, self._ice(text, ending)
        dearest = plan.dearest_ice(self.game, state)
        if dearest is None:
            return None
        text = _("Try {colour} ice for {points}: nothing else brings more.")
        return dearest, self._ice(text, dearest)

    def _ice(self, text: str, ice: Move) -> str:
        colour, points = ice.words[0].split("-")
        return text.format(colour=words.colour(colour), points=words.points(int(points)))

    # What came of it.

    def after(self, happened: Happening[Islands]) -> Passage | None:
        self._round += happened.events
        before, state = happened.before.state, happened.after.state
        if before.active == ME and state.need.what == PLACE:
            return Passage(_("what happened"), self._took(before, state))
        if before.active == ME or state.active != ME:
            return None
        events, self._round = self._round, []
        return Passage(_("what happened"), round.told(self.narrator, events, state))

    def _took(self, before: Islands, state: Islands) -> Iterator[Remark]:
        text = _("You paid for it ({token}) and marked {points} for the row.")
        token = words.token(self.game, state.token)
        points = words.points(plan.row_points(self.game, before, state.token))
        yield Remark("took", text.format(token=token, points=points))
        if state.permit:
            yield round.marker(state)
        else:
            text = _("The permit marker is on the cross: this round is the last.")
            yield Remark("last_round", text)

    # The end.

    def points(self, happened: Happening[Islands]) -> Passage:
        return Passage(_("your points"), self._scored(happened.after.state))

    def _scored(self, state: Islands) -> Iterator[Remark]:
        total, shops = state.points(ME), state.scores[-1][ME]
        text = _("You have {total}: {marked} marked on the way, and {shops} for shops.")
        yield Remark("score", text.format(total=total, marked=total - shops, shops=shops))
        [chairs] = [points for shop, points in self.game.shops(state, ME) if shop == DECK_CHAIRS]
        text = _("Your beaches without ships: {count}. The deck chairs bring {points} for that.")
        count = chairs // BEACH_POINTS
        yield Remark("chairs", text.format(count=count, points=words.points(chairs)))
        text = _("Fruits that are left, {mine} here and {theirs} with {name}, bring nothing.")
        mine, theirs = [sum(state.stocks[seat]) for seat in (ME, OTHER)]
        name = self.narrator.name(OTHER)
        yield Remark("left", text.format(mine=mine, theirs=theirs, name=name))
        yield self._place(state)

    def _place(self, state: Islands) -> Remark:
        assert isinstance(state.need, Done)
        points, name = state.points(OTHER), self.narrator.name(OTHER)
        if state.need.places[ME] == 1:
            text = _("{name} has {points}: you have won. Well done!")
            return Remark("won", text.format(name=name, points=points))
        text = _("{name} has {points} and wins; a tie is won by whoever plays later in the round.")
        return Remark("lost", text.format(name=name, points=points))

    def farewell(self, view: View[Islands]) -> Passage:
        return Passage(_("what comes next"), self._farewell())

    def _farewell(self) -> Iterator[Remark]:
        yield Remark(
            "whole",
            _(
                "A whole game begins with twelve ships on each island and not a single fruit; you "
                "choose which of two bags your ships come from first. Other shops count carts and "
                "mixed collectors, or the stars of buildings."
            ),
        )
        yield Remark(
            "factory",
            _(
                "The variant with a juice factory (option factory=with) adds a third step: discs "
                "that advance for fruits."
            ),
        )
