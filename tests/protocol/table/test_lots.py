"""Fair numbers, and the seats drawn with them; and that a shuffle by all is one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.content import Content
from engine.game import Game
from engine.moves import Move, Tell
from engine.needs import EVERYONE, Deal, Face, Seat, Shuffle, Slot
from engine.record import Claim, State, replace
from protocol.crypto import group
from protocol.table import lots
from protocol.table.phases import Phase
from tests.protocol.table.chances import even
from tests.protocol.tables import Room, Setup, secret

TABLE = secret("table")
TOTAL = group.base(12345)

bounds = st.lists(st.integers(1, 2**62), max_size=12)


@given(bounds, st.integers(0, 2**20))
def test_numbers_lie_below_their_bounds(below: list[int], step: int) -> None:
    drawn = lots.numbers(TABLE, step, TOTAL, below)
    assert len(drawn) == len(below)
    assert all(0 <= number < bound for number, bound in zip(drawn, below, strict=True))
    assert drawn == lots.numbers(TABLE, step, TOTAL, below)


def test_everything_enters_the_lot() -> None:
    below = [2**62] * 3
    drawn = {
        lots.numbers(TABLE, 1, TOTAL, below),
        lots.numbers(secret("other table"), 1, TOTAL, below),
        lots.numbers(TABLE, 2, TOTAL, below),
        lots.numbers(TABLE, 1, group.base(12346), below),
    }
    assert len(drawn) == 4
    points = {lots.lot_point(table, step) for table in (TABLE, b"t" * 32) for step in (1, 2)}
    assert len(points) == 4


@given(bounds, bounds)
def test_a_longer_lot_begins_like_a_shorter(one: list[int], more: list[int]) -> None:
    short, long = (lots.numbers(TABLE, 1, TOTAL, below) for below in (one, one + more))
    assert long[: len(one)] == short


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 10, 52])
def test_numbers_are_even(bound: int) -> None:
    drawn = lots.numbers(TABLE, bound, TOTAL, [bound] * 10_000)
    counts = Counter(drawn)
    assert set(counts) == set(range(bound))
    assert even(counts.values())


def test_numbers_follow_each_other_evenly() -> None:
    drawn = lots.numbers(TABLE, 1, TOTAL, [5] * 10_000)
    pairs = Counter(zip(drawn[::2], drawn[1::2], strict=True))
    assert even([pairs[one, other] for one, other in product(range(5), range(5))])


def test_a_block_beyond_the_last_multiple_is_passed_over() -> None:
    """Blocks are below four quarters, the bound is three: the last would bring the first again."""
    quarter = 2**254
    drawn = lots.numbers(TABLE, 1, TOTAL, [3 * quarter] * 3_000)
    counts = Counter(number // quarter for number in drawn)
    assert set(counts) == {0, 1, 2}
    assert even(counts.values())


def all_draws(count: int) -> list[tuple[int, ...]]:
    return list(product(*[range(bound) for bound in range(count, 1, -1)]))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_draws_and_arrangements_are_one_to_one(count: int) -> None:
    found = [lots.arrangement(draws) for draws in all_draws(count)]
    assert sorted(found) == sorted(permutations(range(count)))


@pytest.mark.parametrize("count", [3, 4])
def test_arrangements_are_even(count: int) -> None:
    below = range(count, 1, -1)
    counts = Counter(
        lots.arrangement(lots.numbers(TABLE, step, TOTAL, below)) for step in range(5_000)
    )
    assert even([counts[order] for order in permutations(range(count))])


# What a shuffle by everybody comes to.


@dataclass(frozen=True, kw_only=True)
class Turned(State):
    shown: tuple[Face, ...] = ()


class Turnover(Game[Turned]):
    """Four cards are shuffled and turned up: over."""

    name = "turnover"
    version = 1
    seats = range(2, 3)
    state_type = Turned

    deck = ("apple", "banana", "fig", "strawberry")

    def start(self, seats: int) -> Turned:
        self.check_seats(seats)
        need = Shuffle("deck", (self.deck,))
        return Turned(need=need, seated=tuple(range(seats)), hands=((),) * seats)

    def after_deck(self, state: Turned, piles: Sequence[range], tell: Tell) -> Turned:
        return replace(state, need=Deal("cards", tuple((slot, EVERYONE) for slot in piles[0])))

    def after_cards(self, state: Turned, faces: tuple[Face, ...], tell: Tell) -> Turned:
        return self.finish(replace(state, shown=faces, scores=((0, 0),)))

    def moves(self, state: Turned, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        return []

    def claims(
        self, state: Turned, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        return ()


def turned_up(number: int) -> tuple[Face, ...]:
    """What four cards showed, shuffled at a table of two."""
    room = Room(Setup(Turnover(Content("turnover", True, "", {})), 2, number).parties(), number)
    room.run()
    [state] = {party.table.play.state for party in room.parties}
    assert {party.table.play.phase for party in room.parties} == {Phase.OVER}
    assert isinstance(state, Turned)
    return state.shown


def check_places(shown: Sequence[tuple[Face, ...]]) -> None:
    places = Counter((at, face) for order in shown for at, face in enumerate(order))
    # Sixteen counts, of which each row and each column is fixed: nine degrees of freedom, and a
    # bound for fifteen is too kind; so each face and each place is looked at by itself, too.
    assert even([places[at, face] for at in range(4) for face in Turnover.deck])
    for at in range(4):
        assert even([places[at, face] for face in Turnover.deck])
    for face in Turnover.deck:
        assert even([places[at, face] for at in range(4)])


@pytest.mark.no_cover
def test_each_face_lands_on_each_place_as_often() -> None:
    check_places([turned_up(number) for number in range(60)])


@pytest.mark.slow
def test_each_face_lands_on_each_place_as_often_in_many_tables() -> None:
    shown = [turned_up(number) for number in range(5_000)]
    check_places(shown)
    orders = Counter(shown)
    assert even([orders[order] for order in permutations(Turnover.deck)])
