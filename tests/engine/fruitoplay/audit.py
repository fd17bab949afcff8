"""Follows a game by what everybody sees, and recomputes it with the oracle.

The auditor books needs and outcomes, never what the engine made of them; after every step its
book is compared with the public state.
"""

from collections.abc import Sequence
from random import Random

from engine.dealer import Dealer, play
from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.rules import Orchard
from engine.moves import Move, Outcome, Step
from engine.needs import EVERYONE, Choose, Deal, Done, Face, Lot, Seat, Shuffle, Slot
from engine.views import View
from tests.engine.fruitoplay.oracle import Scoring, ranking, scorings, trick_winner
from tests.engine.fruitoplay.rigging import content

PILE = {2: 59, 3: 52, 4: 49, 5: 43, 6: 37}  # cards in the draw pile after the set-up
HAND = {2: 7, 3: 7, 4: 6, 5: 6, 6: 6}


class Auditor:
    def __init__(self, seats: int, ties: str) -> None:
        self.seats = range(seats)
        self.ties = ties
        self.rows: list[list[int]] = []
        self.asked_rotten = 0
        self.new_round()

    def new_round(self) -> None:
        self.hands: list[list[Slot]] = [[] for _ in self.seats]
        self.heaps: list[list[Face]] = [[] for _ in self.seats]
        self.wins = [0 for _ in self.seats]
        self.out: list[Face] = []
        self.river: list[Face] = []
        self.turn = 1
        self.winner: Seat | None = None
        self.pile: list[Slot] = []
        self.served: list[Seat] = []
        self.collective: str | None = None

    @property
    def round(self) -> int:
        return len(self.rows) + 1

    def follow(self, state: Orchard, outcome: Outcome) -> None:
        """Books one step: the state that needed something, and what it got."""
        need = state.need
        match need:
            case Shuffle():
                self.new_round()
                [pile] = need.piles
                assert len(pile) == len(set(pile)) == 80
                self.pile = list(range(state.made, state.made + 80))
            case Deal("river"):
                self.set_up(need, outcome.faces)
            case Choose("collective"):
                assert not need.secret
                assert need.seats == tuple(self.trailing())
                assert len(need.seats) == 1
                [self.collective] = outcome.moves[0].words
            case Lot("collective_lot"):
                assert len(self.trailing()) > 1
                self.collective = ("banana", "strawberry", "fig", "apple")[outcome.lots[0]]
            case Choose("card"):
                self.trick(need, outcome)
            case Deal("draw"):
                self.draw(need)
            case Choose("last_draw"):
                assert need.secret
                assert need.seats == tuple(seat for seat in self.seats if seat != self.winner)
                wish = {
                    seat
                    for seat, move in zip(need.seats, outcome.moves, strict=True)
                    if move.verb == "draw"
                }
                wishing = [seat for seat in self.from_left() if seat in wish]
                self.served = wishing[: len(self.pile)]
            case Deal("lay"):
                self.lay(need, outcome.faces)
                if not self.asked():
                    self.score({})
            case Choose("rotten"):
                assert need.secret
                assert need.seats == tuple(self.asked())
                self.asked_rotten += len(need.seats)
                self.score(dict(zip(need.seats, outcome.moves, strict=True)))
            case _:
                raise AssertionError(f"Fruitoplay never needs {need}")

    def trailing(self) -> list[Seat]:
        totals = [sum(row[seat] for row in self.rows) for seat in self.seats]
        return [seat for seat in self.seats if totals[seat] == min(totals)]

    def from_left(self) -> list[Seat]:
        count = len(self.seats)
        first = 0 if self.winner is None else self.winner + 1
        return [seat % count for seat in range(first, first + count)]

    def set_up(self, need: Deal, faces: Sequence[Face]) -> None:
        for slot, seat in need.cards:
            assert slot == self.pile.pop(0)
            if seat != EVERYONE:
                self.hands[seat].append(slot)
        self.river = list(faces)
        assert len(self.river) == 7
        assert len(self.pile) == PILE[len(self.seats)]
        assert {len(hand) for hand in self.hands} == {HAND[len(self.seats)]}

    def trick(self, need: Choose, outcome: Outcome) -> None:
        assert need.secret
        for seat in self.seats:
            assert len(self.hands[seat]) == HAND[len(self.seats)] - self.wins[seat]
        assert need.seats == tuple(seat for seat in self.seats if self.hands[seat])
        assert len(need.seats) == len(self.seats) or (self.turn == 7 and len(self.seats) > 3)
        for seat, move in zip(need.seats, outcome.moves, strict=True):
            [slot] = move.cards
            self.hands[seat].remove(slot)
        target = self.river.pop()
        at = trick_winner(target, outcome.faces, self.ties)
        self.winner = None if at is None else need.seats[at]
        if self.winner is None:
            self.out += [*outcome.faces, target]
        else:
            self.heaps[self.winner] += [*outcome.faces, target]
            self.wins[self.winner] += 1

    def draw(self, need: Deal) -> None:
        expected = [seat for seat in self.from_left() if seat != self.winner]
        assert [seat for _, seat in need.cards] == expected
        for slot, seat in need.cards:
            assert slot == self.pile.pop(0)
            self.hands[seat].append(slot)
        self.turn += 1

    def lay(self, need: Deal, faces: Sequence[Face]) -> None:
        for seat in self.served:
            self.hands[seat].append(self.pile.pop(0))
        shown = {slot: face for (slot, _), face in zip(need.cards, faces, strict=True)}
        assert {seat for _, seat in need.cards} == {EVERYONE}
        assert sorted(shown) == sorted(slot for hand in self.hands for slot in hand)
        for seat in self.seats:
            self.heaps[seat] += [shown[slot] for slot in self.hands[seat]]
            self.hands[seat] = []

    def scorings(self, seat: Seat) -> list[Scoring]:
        shared = None if self.collective is None else (self.collective, self.round - 1)
        return list(scorings(self.heaps[seat], shared))

    def asked(self) -> list[Seat]:
        """The seats for which the choice of a victim changes the points."""
        return [seat for seat in self.seats if len({one.points for one in self.scorings(seat)}) > 1]

    def score(self, cancels: dict[Seat, Move]) -> None:
        row: list[int] = []
        for seat in self.seats:
            words = dict(
                word.rsplit("-", 1) for word in (cancels[seat].words if seat in cancels else ())
            )
            fitting = {
                one.points
                for one in self.scorings(seat)
                if all(one.victims.get(fruit) == int(worth) for fruit, worth in words.items())
            }
            assert len(fitting) == 1, "a victim that is not there, or not enough said"
            row += fitting
        self.rows.append(row)

    def compare(self, state: Orchard) -> None:
        assert [list(row) for row in state.scores] == self.rows
        if isinstance(state.need, Done):
            assert state.need == Done("finished", ranking(self.rows))
            assert len(self.rows) == 3
        elif isinstance(state.need, Choose):
            assert [list(hand) for hand in state.hands] == self.hands
            assert [sorted(heap) for heap in state.won] == [sorted(heap) for heap in self.heaps]
            assert sorted(state.out) == sorted(self.out)
            assert list(state.river[: len(self.river)]) == self.river
            assert list(range(state.pile, state.made)) == self.pile
            assert state.collective == self.collective
            self.compare_open_cards(state)

    def compare_open_cards(self, state: Orchard) -> None:
        """Open are the river and what was played or laid; eighty cards are somewhere."""
        shown = sorted(face for face in state.faces if face is not None)
        seen = [*self.river, *self.out, *(face for heap in self.heaps for face in heap)]
        assert shown == sorted(seen)
        assert len(seen) + sum(map(len, self.hands)) + len(self.pile) == 80


class Watched(Fruitoplay):
    """Fruitoplay for one table, with an auditor who looks at every step."""

    def __init__(self, seats: int, ties: str) -> None:
        super().__init__(content(), {"ties": ties})
        self.auditor = Auditor(seats, ties)

    def step(self, state: Orchard, outcome: Outcome) -> Step[Orchard]:
        self.auditor.follow(state, outcome)
        step = super().step(state, outcome)
        self.auditor.compare(step.state)
        return step


def random_game(game: Fruitoplay, seats: int, rng: Random) -> Dealer[Orchard]:
    def anything(view: View[Orchard]) -> Move:
        return rng.choice(view.moves())

    return play(game, [anything] * seats, rng)
