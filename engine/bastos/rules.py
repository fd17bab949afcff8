"""Bastos, in the order in which a game runs.

After the set-up every player secretly lays one card aside, their Bastos. All of these are turned
up, and each raises the price of its fruit. Then tricks are played until the hands are empty. A
player who cannot follow may make the fruit of the card played trump, which lowers its price by two
steps. A player cannot win a trick with the fruit of their own Bastos, but may move a price by
playing it as the strongest card so far. At the end each card won counts the price of its fruit.
The game ends when every player has begun two rounds.

Seat i + 1 sits left of seat i. Slots of a round: hands first, seat by seat, then the card over.
Rulings are named B1 to B19 where they are decided. B3: no player has to play higher or to trump,
so nothing here asks for it. B4: where the rulebook says "no trick", we read "no trump played".
B19: a player may not look through their own tricks. Clients may offer that as a courtesy, but
every card played is public.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.bastos.cards import (
    PRICE_LEAST,
    PRICE_MOST,
    TRUMP_COSTS,
    clamped,
    deck,
    read_fruits,
)
from engine.bastos.trick import decided, leading
from engine.codec import Plain
from engine.content import Content, Option
from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Choice, Move, Tell, move
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Seat, Shuffle, Slot, ask
from engine.record import Claim, State, replace
from engine.tindahan.cards import FRUITS
from engine.tricks import around, play, playable, suit, unable

COUNTERCLOCKWISE, CLOCKWISE = "counterclockwise", "clockwise"
LOT, LAST = "lot", "last"
FROM_NOW, WHOLE_TRICK = "from-now", "whole-trick"

TRUMP = ("trump",)
KEEP = Move("keep")


@dataclass(frozen=True, kw_only=True)
class Market(State):
    public = (
        *("starter", "starts", "removed", "over", "bastos", "prices"),
        *("trump", "since", "turn", "leader", "trick", "won", "out"),
    )

    starter: Seat = 0  # who begins this round
    starts: tuple[int, ...] = ()  # by seat: finished rounds that it began
    removed: str = ""  # with three players: the fruit that stays in the box
    over: Face = ""  # with four players: the card that was left over
    bastos: tuple[Face, ...] = ()  # by seat
    prices: tuple[int, ...] = ()  # by fruit, in the order of the content
    trump: str = ""
    since: int = 0  # the place in the running trick from which on trump counts
    turn: int = 0  # the running trick, from 1
    leader: Seat = 0
    trick: tuple[Face, ...] = ()  # in the order played
    won: tuple[tuple[Face, ...], ...] = ()  # by seat
    out: tuple[Face, ...] = ()  # tricks without a winner

    @property
    def led(self) -> str | None:
        return suit(self.trick[0]) if self.trick else None


@lru_cache(maxsize=64)
def _in_turn(seated: tuple[Seat, ...], leader: Seat, clockwise: bool) -> tuple[Seat, ...]:
    first, *others = around(seated, leader)
    # B1: the trick goes round to the right, while the beginning of rounds goes to the left.
    return (first, *(others if clockwise else others[::-1]))


@lru_cache(maxsize=64)
def _changes(fruits: tuple[str, ...], prices: tuple[int, ...], removed: str) -> tuple[Move, ...]:
    """List the price changes. B10: one step of one fruit in play, within the table, or none."""
    table = sorted(zip(fruits, prices, strict=True))
    in_play = [(fruit, price) for fruit, price in table if fruit != removed]
    return (
        KEEP,
        *[move("lower", (), (fruit,)) for fruit, price in in_play if price > PRICE_LEAST],
        *[move("raise", (), (fruit,)) for fruit, price in in_play if price < PRICE_MOST],
    )


def _options(fruits: Sequence[str]) -> tuple[Option, ...]:
    return (
        # B1: the rulebook's direction may be a slip of its translator.
        Option("direction", (COUNTERCLOCKWISE, CLOCKWISE), COUNTERCLOCKWISE),
        # B17: any fruit may go, once for the whole game.
        Option("removed", (LOT, LAST, *fruits), LOT),
        # B7: which cards of the trick in which trump is declared are trump.
        Option("declared", (FROM_NOW, WHOLE_TRICK), FROM_NOW),
    )


class Bastos(Game[Market]):
    name = "bastos"
    version = 1
    seats = range(3, 5)
    state_type = Market
    vectors = "6a2ad1c0c56c519c1971088c0f629d49b20e9c71821b500076d4bad1c467b06b"
    options = _options(FRUITS)

    @classmethod
    def options_for(cls, content: Content) -> tuple[Option, ...]:
        return _options(read_fruits(content))

    rounds_each = 2  # how many rounds everyone begins

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        super().__init__(content, options)
        self.fruits = read_fruits(content)
        self.column = {fruit: at for at, fruit in enumerate(self.fruits)}
        self.clockwise = self.chosen["direction"] == CLOCKWISE
        self.whole_trick = self.chosen["declared"] == WHOLE_TRICK
        self._decks = {
            removed: Shuffle("deck", (deck([fruit for fruit in self.fruits if fruit != removed]),))
            for removed in ("", *self.fruits)
        }

    def hand_size(self, players: int) -> int:
        return 12 if players == 3 else 11

    def tricks(self, state: Market) -> int:
        """Return the number of tricks in a round: one card of each hand is laid aside."""
        return self.hand_size(len(state.seated)) - 1

    def rounds(self, state: Market) -> int:
        """Return the number of rounds in the whole game: every seated player begins two."""
        to_begin = sum(max(0, self.rounds_each - state.starts[seat]) for seat in state.seated)
        return max(state.round, len(state.scores) + to_begin)

    def in_play(self, state: Market) -> list[str]:
        return [fruit for fruit in self.fruits if fruit != state.removed]

    def price(self, state: Market, fruit: str) -> int:
        return state.prices[self.column[fruit]]

    def players(self, state: Market) -> tuple[Seat, ...]:
        """Return the seated players in the order in which they play to the trick."""
        return _in_turn(state.seated, state.leader, self.clockwise)

    # Set-up.

    def start(self, seats: int) -> Market:
        self.check_seats(seats)
        everyone = tuple(range(seats))
        need = self._decks[""]
        state = Market(need=need, seated=everyone, hands=((),) * seats, starts=(0,) * seats)
        return self._set_up(state)

    def ahead(self, state: Market) -> tuple[tuple[Face, ...], ...]:
        return state.piles if state.round < self.rounds(state) else ()

    def again(self, state: Market, tell: Tell) -> Market:
        tell("again", None, state.round)
        return self._set_up(state)

    def _set_up(self, state: Market) -> Market:
        # A round whose first player has left passes to the next seat.
        starter = around(state.seated, state.starter)[0]
        state = replace(
            self.clear(state),
            starter=starter,
            over="",
            bastos=("",) * len(state.hands),
            prices=(0,) * len(self.fruits),
            trump="",
            since=0,
            turn=0,
            leader=starter,  # B2: left of the dealer, who sits right of the starter
            trick=(),
            won=((),) * len(state.hands),
            out=(),
        )
        if len(state.seated) == 3 and not state.removed:
            removed = self.chosen["removed"]
            if removed == LOT:
                return replace(state, need=Lot("removed", (len(self.fruits),)))
            state = replace(state, removed=self.fruits[-1] if removed == LAST else removed)
        return replace(state, need=self._decks[state.removed])

    def after_removed(self, state: Market, lots: tuple[int, ...], tell: Tell) -> Market:
        removed = self.fruits[lots[0]]
        return replace(state, removed=removed, need=self._decks[removed])

    def after_deck(self, state: Market, piles: Sequence[range], tell: Tell) -> Market:
        tell("round", state.starter, state.round, self.rounds(state))
        if state.removed:
            tell("removed", None, state.removed)
        slots = iter(piles[0])
        size = self.hand_size(len(state.seated))
        cards = [(next(slots), seat) for seat in state.seated for _ in range(size)]
        cards += [(slot, EVERYONE) for slot in slots]
        return replace(state, need=Deal("hands", tuple(cards)))

    def after_hands(self, state: Market, faces: tuple[Face, ...], tell: Tell) -> Market:
        if faces:
            tell("over", None, *faces)
            state = replace(state, over=faces[0])
        # B16: chosen with the hand in sight, all at once.
        return replace(state, need=Choose("bastos", state.seated, secret=True))

    def after_bastos(self, state: Market, choices: list[Choice], tell: Tell) -> Market:
        bastos, prices = list(state.bastos), list(state.prices)
        for seat, _, faces in choices:
            tell("bastos", seat, *faces)
            bastos[seat] = faces[0]
            prices[self.column[suit(faces[0])]] += 1
        state = replace(state, bastos=tuple(bastos), prices=tuple(map(clamped, prices)))
        tell("prices", None, *self._price_list(state))
        return self._next_trick(state, tell)

    # A trick.

    def _next_trick(self, state: Market, tell: Tell) -> Market:
        turn = state.turn + 1
        tell("trick", state.leader, turn)
        return replace(state, need=ask("card", state.leader), turn=turn, trick=(), since=0)

    def after_card(self, state: Market, choices: list[Choice], tell: Tell) -> Market:
        [(seat, move, faces)] = choices
        face = faces[0]
        tell("plays", seat, face)
        if move.words == TRUMP:
            # B7: it counts at once, in this very trick. B6: the price stops at its limit.
            state = replace(state, trump=suit(face), since=self.trump_from(state))
            state = self._move_price(state, state.trump, -TRUMP_COSTS)
            tell("trump", seat, state.trump, self.price(state, state.trump))
        own = suit(face) == suit(state.bastos[seat])
        # B8: own fruit, and the strongest card so far.
        asked = own and leading(state.trick, face, state.trump, state.since)
        trick = (*state.trick, face)
        if asked:
            return replace(state, trick=trick, need=ask("price", seat))
        return self._go_on(state, trick, tell)

    def after_price(self, state: Market, choices: list[Choice], tell: Tell) -> Market:
        [(seat, move, _)] = choices
        if move == KEEP:
            tell("keeps", seat)
        else:
            step = 1 if move.verb == "raise" else -1
            [fruit] = move.words
            state = self._move_price(state, fruit, step)
            tell("price", seat, fruit, step, self.price(state, fruit))
        return self._go_on(state, state.trick, tell)

    def trump_from(self, state: Market) -> int:
        """Return the place in the trick from which on a trump that is declared now counts (B7)."""
        return 0 if self.whole_trick else len(state.trick)

    def _move_price(self, state: Market, fruit: str, by: int) -> Market:
        prices = list(state.prices)
        prices[self.column[fruit]] = clamped(prices[self.column[fruit]] + by)
        return replace(state, prices=tuple(prices))

    def _price_list(self, state: Market) -> list[Plain]:
        """Return each fruit in play, followed by its price."""
        prices = [(fruit, self.price(state, fruit)) for fruit in self.in_play(state)]
        return [word for pair in prices for word in pair]

    def _go_on(self, state: Market, trick: tuple[Face, ...], tell: Tell) -> Market:
        """Ask the next player, or give the trick to its winner."""
        players = self.players(state)
        if len(trick) < len(players):
            return replace(state, trick=trick, need=ask("card", players[len(trick)]))
        bastos = [state.bastos[seat] for seat in players]
        best, passed = decided(trick, bastos, state.trump, state.since)
        for at in passed:
            tell("passed_over", players[at], trick[at])
        if best is None:
            # B12: the cards count for no player. B13: who led it leads again.
            tell("nobody_wins", None, *trick)
            state = replace(state, trick=trick, out=state.out + trick)
        else:
            seat = players[best]
            trumped = suit(trick[best]) == state.trump and best >= state.since
            tell("wins", seat, "trump" if trumped else "able" if passed else "led", *trick)
            won = (*state.won[:seat], state.won[seat] + trick, *state.won[seat + 1 :])
            state = replace(state, trick=trick, won=won, leader=seat)
        if state.hands[state.leader]:
            return self._next_trick(state, tell)
        return self._score(state, tell)

    # The end of a round.

    def _score(self, state: Market, tell: Tell) -> Market:
        """Count the round. B14: only cards of won tricks. B15: final prices, also negative ones."""
        tell("final_prices", None, *self._price_list(state))
        row = [0] * len(state.hands)
        for seat in state.seated:
            counts = self.counts(state.won[seat])
            row[seat] = sum(n * price for n, price in zip(counts, state.prices, strict=True))
            tell("scores", seat, row[seat], *[counts[self.column[f]] for f in self.in_play(state)])
        starter = state.starter
        starts = tuple([begun + (seat == starter) for seat, begun in enumerate(state.starts)])
        state = replace(state, scores=(*state.scores, tuple(row)), starts=starts)
        if all(starts[seat] >= self.rounds_each for seat in state.seated):
            return self.finish(state)  # B18: equal totals share a place
        # B2: both the dealer and the starter move to the left.
        return self._set_up(replace(state, round=state.round + 1, starter=starter + 1))

    def counts(self, faces: Sequence[Face]) -> list[int]:
        """Count the cards of each fruit."""
        suits = [suit(face) for face in faces]
        return [suits.count(fruit) for fruit in self.fruits]

    # What a seat may do.

    def moves(self, state: Market, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        need = state.need
        if not isinstance(need, Choose) or seat not in need.seats:
            return []
        if need.what == "bastos":
            return [move("bastos", (slot,)) for slot in state.hands[seat]]
        if need.what == "price":
            return list(_changes(self.fruits, state.prices, state.removed))
        slots = playable(state.hands[seat], known, state.led)
        if state.trump or not state.trick:  # so no fruit can be declared
            return [play(slot) for slot in slots]
        moves = []
        for slot in slots:
            moves.append(play(slot))
            if self._no_trump(state, suit(known[slot])) is None:
                moves.append(move("play", (slot,), TRUMP))
        return moves

    def _no_trump(self, state: Market, fruit: str) -> str | None:
        """Return the reason why this fruit cannot be declared trump now, if there is one (B5)."""
        led = state.led
        if led is None:
            return "who leads cannot declare trump"
        if fruit == led:
            return f"{fruit} was led: only who cannot follow declares trump"
        if state.trump:
            return f"{state.trump} is trump for this round"
        if fruit in map(suit, state.bastos):
            return f"{fruit} is the fruit of a Bastos"
        return None

    def suit(self, face: Face) -> str:
        return suit(face)

    def claimed_most(self, _seats: int) -> int:
        return self.hand_size(3) - 2  # the Bastos and the card that is played are not in the hand

    def claims(
        self, state: Market, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        what = state.need.what
        if what == "price":
            if move not in (legal := _changes(self.fruits, state.prices, state.removed)):
                raise IllegalMove("price", f"{move} is not one of: {', '.join(map(str, legal))}")
            return ()
        if what == "bastos":
            if move.verb != "bastos" or len(move.cards) != 1 or move.words:
                raise IllegalMove("bastos", "your Bastos is one card of your hand: bastos #n")
            return ()
        if move.verb != "play" or len(move.cards) != 1 or (move.words and move.words != TRUMP):
            raise IllegalMove("card", "a turn is one card of your hand: play #n, or play #n trump")
        if move.words and (why := self._no_trump(state, suit(faces[0]))):
            raise IllegalMove("trump", why)
        return unable(state.hands[seat], move.cards[0], faces[0], state.led, state.piles[0])
