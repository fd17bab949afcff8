"""Pebbles: no cards, so a whole table costs little. It is for tests of who says what, and when.

Each round, all players secretly hold up to three pebbles in a hand and show them together. Then the
player who held the fewest, the lowest seat of several, openly adds one to anyone's, or to none. A
lot says whether most or fewest pebbles win a point. One round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.content import Content, parse_content
from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Choice, Move, Tell
from engine.needs import Choose, Face, Lot, Seat, Slot
from engine.record import Claim, State, replace

MOST = 3


def content() -> Content:
    return parse_content('title = "pebbles"\nverified = true')


@dataclass(frozen=True, kw_only=True)
class Hands(State):
    public = ("held",)

    held: tuple[int, ...] = ()  # by seat


class Pebbles(Game[Hands]):
    name = "pebbles"
    version = 1
    seats = range(2, 9)
    state_type = Hands

    rounds = 1

    def start(self, seats: int) -> Hands:
        self.check_seats(seats)
        everyone = tuple(range(seats))
        return Hands(need=_hold(everyone), seated=everyone, hands=((),) * seats)

    def again(self, state: Hands, tell: Tell) -> Hands:
        tell("again", None, state.round)
        return replace(self.clear(state), need=_hold(state.seated), held=())

    def after_hold(self, state: Hands, choices: list[Choice], tell: Tell) -> Hands:
        held = [0] * len(state.hands)
        for seat, move, _ in choices:
            held[seat] = int(move.words[0])
            tell("holds", seat, held[seat])
        fewest = min(state.seated, key=lambda seat: (held[seat], seat))
        return replace(state, need=Choose("add", (fewest,), secret=False), held=tuple(held))

    def after_add(self, state: Hands, choices: list[Choice], tell: Tell) -> Hands:
        [(seat, move, _)] = choices
        tell("adds", seat, *move.words)
        held = [n + (str(at) in move.words) for at, n in enumerate(state.held)]
        return replace(state, need=Lot("wins", (2,)), held=tuple(held))

    def after_wins(self, state: Hands, lots: tuple[int, ...], tell: Tell) -> Hands:
        best = max if lots[0] else min
        won = best(state.held[seat] for seat in state.seated)
        points = [seat in state.seated and n == won for seat, n in enumerate(state.held)]
        state = replace(state, scores=(*state.scores, tuple(map(int, points))))
        tell("wins", None, won)
        if state.round == self.rounds:
            return self.finish(state)
        return replace(state, round=state.round + 1, need=_hold(state.seated), held=())

    def moves(self, state: Hands, seat: Seat, _known: Mapping[Slot, Face]) -> list[Move]:
        if not isinstance(state.need, Choose) or seat not in state.need.seats:
            return []
        if state.need.what == "hold":
            return [Move("hold", (), (str(n),)) for n in range(MOST + 1)]
        return [Move("add"), *[Move("add", (), (str(seat),)) for seat in state.seated]]

    def claims(
        self, state: Hands, seat: Seat, move: Move, _faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        if move not in self.moves(state, seat, {}):
            raise IllegalMove("pebbles", "hold 0 to 3, or add one to a player's")
        return ()


def _hold(seats: tuple[Seat, ...]) -> Choose:
    return Choose("hold", seats, secret=True)
