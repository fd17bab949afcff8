"""Who wins a trick, against the oracle that strikes out one tie after the other."""

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fruitoplay.trick import Trick, resolve
from tests.engine.fruitoplay.oracle import away, trick_winner
from tests.engine.fruitoplay.rigging import DECK, fruitoplay, number_of

TIES = ("contending", "all")
SMALL = [face for face in DECK if number_of(face) <= 6]
CARDS = fruitoplay().cards


def settle(target: str, played: Sequence[str], ties: str) -> Trick:
    return resolve(CARDS[target], [CARDS[face] for face in played], ties)


def check(target: str, played: Sequence[str], ties: str) -> None:
    trick = settle(target, played, ties)
    assert trick.winner == trick_winner(target, played, ties), (target, played, ties)
    check_void(target, played, ties, trick)


def check_void(target: str, played: Sequence[str], ties: str, trick: Trick) -> None:
    """Void are cards that share a distance with another; with no winner, all of them."""
    distances = [away(face, target) for face in played]
    shared = [at for at, distance in enumerate(distances) if distances.count(distance) > 1]
    assert list(trick.void) == sorted(set(trick.void))
    if ties == "all":
        assert list(trick.void) == shared
    else:
        assert set(trick.void) <= set(shared)
    assert trick.winner not in trick.void
    if trick.winner is None:
        assert len(trick.void) == len(played)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("size", [2, 3])
def test_every_small_trick(size: int, ties: str) -> None:
    for target in SMALL:
        others = [face for face in SMALL if face != target]
        for played in combinations(others, size):
            check(target, played, ties)


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
def test_every_small_trick_in_every_order(ties: str) -> None:
    for target in SMALL:
        others = [face for face in SMALL if face != target]
        for played in permutations(others, 3):
            check(target, played, ties)


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
def test_every_small_trick_of_four(ties: str) -> None:
    for target in SMALL:
        others = [face for face in SMALL if face != target]
        for played in combinations(others, 4):
            check(target, played, ties)


hands = st.lists(st.sampled_from(DECK), min_size=3, max_size=7, unique=True)


@given(faces=hands, ties=st.sampled_from(TIES))
def test_tricks_of_the_whole_deck(faces: list[str], ties: str) -> None:
    target, *played = faces
    check(target, played, ties)


@given(data=st.data(), number=st.integers(5, 16), ties=st.sampled_from(TIES))
def test_tricks_full_of_ties(data: st.DataObject, number: int, ties: str) -> None:
    """Numbers within four of the target's: nearly every trick has a tie."""
    near = [face for face in DECK if abs(number_of(face) - number) <= 4]
    targets = [face for face in near if number_of(face) == number]
    target = data.draw(st.sampled_from(targets))
    rest = st.sampled_from([face for face in near if face != target])
    check(target, data.draw(st.lists(rest, min_size=4, max_size=6, unique=True)), ties)


@given(faces=hands, ties=st.sampled_from(TIES), data=st.data())
def test_the_order_of_seats_does_not_matter(
    faces: list[str], ties: str, data: st.DataObject
) -> None:
    target, *played = faces
    trick = settle(target, played, ties)
    turned = data.draw(st.permutations(played))
    other = settle(target, turned, ties)
    assert [turned[at] for at in other.void] == sorted(
        (played[at] for at in trick.void), key=turned.index
    )
    assert trick.winner is None or other.winner is not None
    if trick.winner is not None and other.winner is not None:
        assert played[trick.winner] == turned[other.winner]


# How often the readings differ, as the rulings give it: in percent, for 2 to 6 players.

SAMPLES = 8000
READINGS = {2: 2.7, 3: 7.2, 4: 12.2, 5: 18.2, 6: 24.0}


def differences(players: int, samples: int) -> float:
    rng = Random(players)
    count = 0
    for _ in range(samples):
        target, *played = rng.sample(DECK, players + 1)
        count += settle(target, played, "contending").winner != settle(target, played, "all").winner
    return 100 * count / samples


@pytest.mark.parametrize("players", READINGS)
def test_how_often_the_two_readings_of_ties_differ(players: int) -> None:
    assert differences(players, SAMPLES) == pytest.approx(READINGS[players], abs=1.5)


@pytest.mark.slow
@pytest.mark.parametrize("players", READINGS)
def test_how_often_they_differ_to_a_third_of_a_percent(players: int) -> None:
    assert differences(players, 200_000) == pytest.approx(READINGS[players], abs=0.3)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_how_often_the_other_reading_of_f2_would_differ(players: int) -> None:
    """Some three to eight tricks in a thousand would stay unwon."""
    rng = Random(players)
    count = 0
    for _ in range(SAMPLES):
        target, *played = rng.sample(DECK, players + 1)
        count += trick_winner(target, played) != trick_winner(target, played, fall_back=False)
    assert 0.2 <= 100 * count / SAMPLES <= 1.0


def test_with_two_players_the_readings_of_f2_are_one() -> None:
    for target in SMALL:
        for played in combinations([face for face in SMALL if face != target], 2):
            assert trick_winner(target, played) == trick_winner(target, played, fall_back=False)
