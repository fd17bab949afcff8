"""Frutopia, in the order in which a game runs.

In the set-up every player chooses a bag, then one lot arranges everything random: the businesses
on offer, the collectors on the ponds, the ships on the shores. Nothing is hidden afterwards.

In a round every player has one turn: slide a token and take its yield; deliver a ship, or take a
business and place it, or neither; with the juice factory, advance discs. When the permit marker
reaches the cross, the round is played to its end, or by an option one round more, and shops are
counted.

A turn is several choices of one seat, one after another. A step without a choice is done at once.
Seat i + 1 sits left of seat i, and the first seat that plays begins every round (R22).
"""

from collections.abc import Callable, Mapping, Sequence

from engine.content import Content, Option
from engine.frutopia.baskets import EMPTY, Basket, minus, only, plus
from engine.frutopia.catalogue import (
    CATERING,
    DECK_CHAIRS,
    LEMONADE,
    MILKSHAKE_FRUITS,
    MILKSHAKE_POINTS,
    MILKSHAKES,
    MIXED,
    SHOP,
    TOURIST_OFFICE,
    Token,
    read_catalogue,
)
from engine.frutopia.factory import START
from engine.frutopia.island import BEACHES, CELL, CELLS, FREE, distance
from engine.frutopia.legal import legal
from engine.frutopia.reading import FRUITS_MOST
from engine.frutopia.refusals import refusal
from engine.frutopia.setup import SetUp
from engine.frutopia.state import (
    ADVANCE,
    GAIN,
    MAKE,
    OVER,
    PASS,
    PICK,
    PLACE,
    SLIDE,
    STAY,
    STOP,
    TRADE,
    Islands,
    put,
)
from engine.game import Game
from engine.moves import Choice, Move, Tell
from engine.needs import Choose, Face, Need, Seat, Slot, ask
from engine.record import Claim, replace

TWO_BAGS, ONE_BAG = "two-bags", "one-bag"
WITHOUT, WITH = "without", "with"
NEVER = "never"
THIS_ROUND, ONE_MORE = "this-round", "one-more"

# So many rounds before the marker's standstill ends the game the players are told.
STANDSTILL_NEAR = 5

# After so many rounds without a choice nobody will have one again. All that can still change are
# stocks: who can slide harvests a fruit a round, always of one kind, and no price is higher.
CHOICELESS_MOST = FRUITS_MOST


class Frutopia(Game[Islands]):
    name = "frutopia"
    version = 1
    seats = range(2, 5)
    state_type = Islands
    vectors = "7be4fe26ddf9d72eeb7a2d6255435a8aefb825ee98fd84ba7fad3293250bd66b"
    options = (
        Option("factory", (WITHOUT, WITH), WITHOUT),
        Option("ships", (TWO_BAGS, ONE_BAG), TWO_BAGS),
        # Ours: the rulebook does not say what happens if no player wants to end the game (R24).
        Option("standstill", ("20", "10", NEVER), "20"),
        # Ours: a round more takes the advantage from the last seat, which alone knows how it ends.
        Option("ending", (THIS_ROUND, ONE_MORE), THIS_ROUND),
    )

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        super().__init__(content, options)
        self.catalogue = read_catalogue(content)
        self.with_factory = self.chosen["factory"] == WITH
        self.one_bag = self.chosen["ships"] == ONE_BAG
        self.set_up = SetUp(
            box=self.catalogue, with_factory=self.with_factory, one_bag=self.one_bag
        )
        standstill = self.chosen["standstill"]
        self.standstill = None if standstill == NEVER else int(standstill)
        self.one_more = self.chosen["ending"] == ONE_MORE
        self._none_advanced = ("", "") if self.with_factory else ()
        self._acts: dict[str, Callable[[Islands, Seat, Move, Tell], tuple[Islands, str]]] = {
            SLIDE: self._slide,
            PICK: self._pick,
            MAKE: self._make,
            TRADE: self._trade,
            PLACE: self._place,
            GAIN: self._gain,
            ADVANCE: self._advance,
        }

    # Set-up.

    def start(self, seats: int) -> Islands:
        self.check_seats(seats)
        everyone = tuple(range(seats))
        return Islands(
            need=self._first_need(everyone),
            seated=everyone,
            hands=((),) * seats,
            bags=("",) * seats,
        )

    def _first_need(self, seated: tuple[Seat, ...]) -> Need:
        """Ask which bag feeds the buoys; with one bag there is nothing to choose (R13)."""
        if self.one_bag:
            return self.set_up.lot(len(seated))
        return Choose("bag", seated, secret=False)

    def after_bag(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        bags = list(state.bags)
        for seat, move, _ in choices:
            bags[seat] = move.words[0]
            tell("bag", seat, move.words[0])
        return replace(state, bags=tuple(bags), need=self.set_up.lot(len(state.seated)))

    def after_set_up(self, state: Islands, lots: tuple[int, ...], tell: Tell) -> Islands:
        table = self.set_up.arrange(state, lots)
        start = self.catalogue.track[len(state.seated)]
        circles = self.catalogue.factory.places[START].circles
        both = tuple((circles[seat],) * 2 for seat in range(len(state.hands)))
        state = replace(
            state,
            islands=table.islands,
            stocks=(EMPTY,) * len(state.hands),
            market=table.market,
            ices=tuple([pile.markers for pile in self.catalogue.piles]),
            shakes=MILKSHAKES,
            permit=start,
            stood=start,
            gained=(0,) * len(state.hands),
            discs=both if self.with_factory else (),
            advanced=self._none_advanced,
            active=state.seated[0],
        )
        for number, row in enumerate(table.market, 1):
            tell("market", None, number, *row)
        tell("track", None, start)
        tell("round", None, 1)
        tell("turn", state.active)
        return self._run(state, SLIDE, tell)

    # A turn: from one question to the next.

    def _run(self, state: Islands, what: str, tell: Tell) -> Islands:
        """Run the steps of turns until there is something to choose, or nothing ever again."""
        begun = state.round
        while what != OVER:
            if state.round > begun + CHOICELESS_MOST:
                tell("standstill", None, state.quiet)
                break
            moves = legal(self.catalogue, state, state.active, what)
            if len(moves) > 1:
                return replace(state, need=ask(what, state.active))
            state, what = self._acts[what](state, state.active, moves[0], tell)
        return self._count_shops(state, tell)

    def _chosen_by(self, what: str, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        [(seat, move, _)] = choices
        state, what = self._acts[what](state, seat, move, tell)
        return self._run(state, what, tell)

    def after_slide(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        return self._chosen_by(SLIDE, state, choices, tell)

    def after_pick(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        return self._chosen_by(PICK, state, choices, tell)

    def after_make(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        return self._chosen_by(MAKE, state, choices, tell)

    def after_trade(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        return self._chosen_by(TRADE, state, choices, tell)

    def after_place(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        return self._chosen_by(PLACE, state, choices, tell)

    def after_gain(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        return self._chosen_by(GAIN, state, choices, tell)

    def after_advance(self, state: Islands, choices: list[Choice], tell: Tell) -> Islands:
        return self._chosen_by(ADVANCE, state, choices, tell)

    def business(self, name: str) -> Token | None:
        return self.catalogue.tokens.get(name)

    # Step 1: slide a token.

    def _slide(self, state: Islands, seat: Seat, move: Move, tell: Tell) -> tuple[Islands, str]:
        if move == STAY:
            tell("stuck", seat)
            return state, TRADE
        name, cell = move.words
        island = list(state.islands[seat])
        start, target = island.index(name), CELL[cell]
        far = distance(start, target)
        island[start], island[target] = FREE, name
        state = replace(state, islands=put(state.islands, seat, tuple(island)))
        tell("slides", seat, name, CELLS[start], cell, far)
        token = self.business(name)
        if token is None:
            tell("harvests", seat, name, far)
            return self._stocked(state, seat, only(name, far)), TRADE
        if token.kind == MIXED:
            return replace(state, token=name, amount=far + 1), PICK
        return replace(state, token=name, amount=far), MAKE

    def _pick(self, state: Islands, seat: Seat, move: Move, tell: Tell) -> tuple[Islands, str]:
        basket = EMPTY
        for word in move.words:
            fruit, count = word.split("-")
            basket = plus(basket, only(fruit, int(count)))
            tell("harvests", seat, fruit, int(count))
        return self._stocked(replace(state, token="", amount=0), seat, basket), TRADE

    def _gain(self, state: Islands, seat: Seat, move: Move, tell: Tell) -> tuple[Islands, str]:
        state, _ = self._pick(state, seat, move, tell)
        return state, ADVANCE

    def _make(self, state: Islands, seat: Seat, move: Move, tell: Tell) -> tuple[Islands, str]:
        """Make a product; taking the last marker of its pile moves the permit marker (R10)."""
        if move == STOP:
            return replace(state, token="", amount=0), TRADE
        [word] = move.words
        state = replace(state, amount=state.amount - 1)
        if move.verb == "shake":
            state = self._paid(state, seat, only(word, MILKSHAKE_FRUITS))
            state = replace(state, shakes=state.shakes - 1)
            tell("shakes", seat, word, MILKSHAKE_POINTS)
            state = self._marked(state, seat, MILKSHAKE_POINTS)
            left = state.shakes
        else:
            [at] = [at for at, pile in enumerate(self.catalogue.piles) if pile.name == word]
            pile = self.catalogue.piles[at]
            state = self._paid(state, seat, self.catalogue.recipes[pile.colour])
            left = state.ices[at] - 1
            state = replace(state, ices=put(state.ices, at, left))
            tell("ices", seat, word, pile.points)
            state = self._marked(state, seat, pile.points)
        return (state if left else self._permit(state, tell)), MAKE

    # Step 2: a ship, or a business, or neither.

    def _trade(self, state: Islands, seat: Seat, move: Move, tell: Tell) -> tuple[Islands, str]:
        if move == PASS:
            tell("passes", seat)
            return state, ADVANCE
        [word] = move.words
        if move.verb == "ship":
            return self._deliver(state, seat, CELL[word], tell), ADVANCE
        return self._take(state, seat, word, tell), PLACE

    def _deliver(self, state: Islands, seat: Seat, cell: int, tell: Tell) -> Islands:
        island = state.islands[seat]
        name = island[cell]
        ship = self.catalogue.ships[name]
        state = self._paid(state, seat, ship.order)
        state = replace(state, islands=put(state.islands, seat, put(island, cell, FREE)))
        tell("delivers", seat, CELLS[cell], name, ship.points)
        return self._marked(state, seat, ship.points)

    def _take(self, state: Islands, seat: Seat, name: str, tell: Tell) -> Islands:
        """Pay, mark the row's points, move the permit marker; placing comes after it (R6)."""
        [at] = [at for at, names in enumerate(state.market) if name in names]
        row, names = self.catalogue.rows[at], state.market[at]
        state = self._paid(state, seat, row.cost)
        tell("takes", seat, name, at + 1, row.points)
        state = self._permit(self._marked(state, seat, row.points), tell)
        names = put(names, names.index(name), FREE)
        return replace(state, market=put(state.market, at, names), token=name)

    def _place(self, state: Islands, seat: Seat, move: Move, tell: Tell) -> tuple[Islands, str]:
        name = state.token
        token = self.catalogue.tokens[name]
        island = list(state.islands[seat])
        for word in move.words:
            island[CELL[word]] = name
        state = replace(state, islands=put(state.islands, seat, tuple(island)))
        tell("places", seat, name, token.points, *move.words)
        state = self._marked(state, seat, token.points)
        if token.kind == MIXED:
            return replace(state, amount=1), GAIN
        return replace(state, token=""), ADVANCE

    # Step 3: the juice factory.

    def _advance(self, state: Islands, seat: Seat, move: Move, tell: Tell) -> tuple[Islands, str]:
        if move == STAY:
            return self._next_turn(replace(state, advanced=self._none_advanced), tell)
        factory = self.catalogue.factory
        start, target, *both = move.words
        discs, advanced = list(state.discs[seat]), list(state.advanced)
        moving = [at for at, disc in enumerate(discs) if disc == start and not advanced[at]]
        moving = moving if both else moving[:1]
        [arrow] = [
            arrow
            for arrow in factory.arrows[factory.place_of[start].name]
            if arrow.target == factory.place_of[target].name
        ]
        state = self._paid(state, seat, arrow.cost)
        entered = target not in discs  # a circle with the own other disc on it gives nothing (R17)
        points = factory.points[target] if entered else 0
        for at in moving:
            discs[at], advanced[at] = target, start
        state = replace(state, discs=put(state.discs, seat, tuple(discs)), advanced=tuple(advanced))
        tell("advances", seat, start, target, len(moving), points)
        state = self._marked(state, seat, points)
        if entered and factory.place_of[target].last:  # and for the second disc no step (R19)
            state = self._permit(state, tell)
        return state, ADVANCE

    # What steps share.

    def _stocked(self, state: Islands, seat: Seat, more: Basket) -> Islands:
        return replace(state, stocks=put(state.stocks, seat, plus(state.stocks[seat], more)))

    def _paid(self, state: Islands, seat: Seat, cost: Basket) -> Islands:
        return replace(state, stocks=put(state.stocks, seat, minus(state.stocks[seat], cost)))

    def _marked(self, state: Islands, seat: Seat, points: int) -> Islands:
        if not points:
            return state
        return replace(state, gained=put(state.gained, seat, state.gained[seat] + points))

    def _permit(self, state: Islands, tell: Tell) -> Islands:
        """Move the permit marker one step towards the cross, where it stays (R7)."""
        if not state.permit:
            return state
        left = state.permit - 1
        tell("permit" if left else "cross", None, left)
        return replace(state, permit=left)

    # The end of a turn, of a round, of the game.

    def _next_turn(self, state: Islands, tell: Tell) -> tuple[Islands, str]:
        later = [seat for seat in state.seated if seat > state.active]
        if later:
            tell("turn", later[0])
            return replace(state, active=later[0]), SLIDE
        return self._next_round(state, tell)

    def _next_round(self, state: Islands, tell: Tell) -> tuple[Islands, str]:
        """End a round: all players have had as many turns, so the game can end here (R7)."""
        still = state.permit == state.stood
        ended = not state.permit and (still or not self.one_more)
        quiet = state.quiet + 1 if still else 0
        tell("round_over", None, state.round, *state.gained)
        state = replace(
            state,
            scores=(*state.scores, state.gained),
            gained=(0,) * len(state.hands),
            quiet=quiet,
            stood=state.permit,
            active=state.seated[0],
        )
        if ended:
            return state, OVER
        if quiet == self.standstill:
            tell("standstill", None, quiet)
            return state, OVER
        tell("round", None, state.round + 1)
        if (left := self.rounds_to_standstill(state)) is not None:
            tell("still", None, quiet, left)
        tell("turn", state.active)
        return replace(state, round=state.round + 1), SLIDE

    def rounds_to_standstill(self, state: Islands) -> int | None:
        """Return in how many rounds the game ends if the marker stays where it is.

        This one counts. Return None if that is far away, or the marker has moved in this round.
        """
        if self.standstill is None or not state.permit or state.permit != state.stood:
            return None
        left = self.standstill - state.quiet
        return left if left <= STANDSTILL_NEAR else None

    def _count_shops(self, state: Islands, tell: Tell) -> Islands:
        """Add the last row of points, for shops alone. Remaining fruit is worth nothing (R23)."""
        row = [0] * len(state.hands)
        for seat in state.seated:
            for shop, points in self.shops(state, seat):
                tell("shop", seat, shop, points)
                row[seat] += points
            tell("scores", seat, row[seat], state.total(seat) + row[seat])
        return self.finish(replace(state, scores=(*state.scores, tuple(row))))

    def shops(self, state: Islands, seat: Seat) -> list[tuple[str, int]]:
        """List the shops of an island, each with its points if the game ended here."""
        tokens = self.catalogue.tokens
        island = state.islands[seat]
        found = sorted({name for name in island if name in tokens})
        return [
            (name, self._shop(name, state, seat, [tokens[each] for each in found]))
            for name in found
            if tokens[name].kind == SHOP
        ]

    def _shop(self, name: str, state: Islands, seat: Seat, tokens: Sequence[Token]) -> int:
        if name == DECK_CHAIRS:  # only ships count; a business on the shore does not (R14)
            ships, island = self.catalogue.ships, state.islands[seat]
            return 4 * sum(not any(island[cell] in ships for cell in beach) for beach in BEACHES)
        if name == CATERING:  # the five collectors of the beginning never count (R15)
            return 4 * sum(token.catering for token in tokens)
        if name == TOURIST_OFFICE:  # small buildings and large ones (R16)
            return sum(token.stars for token in tokens)
        assert name == LEMONADE
        places = self.catalogue.factory.place_of
        return sum(places[disc].bottle for disc in state.discs[seat])  # each disc counts (R20)

    def standing(self, state: Islands, seat: Seat) -> tuple[int, ...]:
        """Rank a seat by its points, then by its later turn, so that no place is shared (R8)."""
        return state.points(seat), seat

    # A player leaves.

    def again(self, state: Islands, tell: Tell) -> Islands:
        """Go on without the turns of players who left, since no card is closed (G3)."""
        if not state.islands:
            chosen = state.need.what == "set_up"
            need = self.set_up.lot(len(state.seated)) if chosen else self._first_need(state.seated)
            return replace(state, need=need)
        tell("goes_on")
        if state.active in state.seated:
            return state
        state = replace(state, token="", amount=0, advanced=self._none_advanced)
        return self._run(*self._next_turn(state, tell), tell)

    # What a seat may do.

    def moves(self, state: Islands, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        need = state.need
        if not isinstance(need, Choose) or seat not in need.seats:
            return []
        return list(legal(self.catalogue, state, seat, need.what))

    def claims(
        self, state: Islands, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        """Check the move. There are no hidden hands, so there is no claim."""
        what = state.need.what
        moves = legal(self.catalogue, state, seat, what)
        if move not in moves:
            raise refusal(self.catalogue, state, seat, what, move, moves)
        return ()
