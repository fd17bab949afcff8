"""Whole games of random play, followed by the auditor: every draw, trick, victim and score."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from engine.dealer import replay
from engine.fruitoplay.rules import Orchard
from engine.needs import Choose, Done
from engine.record import digest
from tests.engine.fruitoplay.audit import Watched, random_game
from tests.engine.fruitoplay.oracle import Scoring, scorings
from tests.engine.fruitoplay.rigging import fruitoplay

TABLES = list(product(range(2, 7), ("contending", "all")))


def check(seats: int, ties: str, count: int) -> None:
    rng = Random(f"{seats} {ties}")
    asked = 0
    events: Counter[str] = Counter()
    for _ in range(count):
        game = Watched(seats, ties)
        dealer = random_game(game, seats, rng)
        assert isinstance(dealer.state.need, Done)
        asked += game.auditor.asked_rotten
        events.update(event.what for event in dealer.events)
    assert asked > 0, "some victims were chosen"
    assert {"void", "cancels", "draws", "passes"} <= set(events)


@pytest.mark.parametrize(("seats", "ties"), TABLES)
def test_random_games_recompute(seats: int, ties: str) -> None:
    check(seats, ties, 20)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "ties"), TABLES)
def test_many_random_games_recompute(seats: int, ties: str) -> None:
    check(seats, ties, 600)


@pytest.mark.parametrize("seats", range(2, 7))
def test_victims_offered_are_those_that_exist(seats: int) -> None:
    """The moves offered lead to exactly the scores that some card-by-card choice leads to."""
    game = fruitoplay()
    asked = 0
    rng = Random(seats)
    for _ in range(20):
        dealer = random_game(game, seats, rng)
        state = game.start(seats)
        for outcome in dealer.outcomes:
            if isinstance(state.need, Choose) and state.need.what == "rotten":
                for seat in state.need.seats:
                    asked += 1
                    check_offer(state, seat)
            state = game.step(state, outcome).state
    assert asked > 0


def check_offer(state: Orchard, seat: int) -> None:
    game = fruitoplay()
    shared = None if state.collective is None else (state.collective, state.round - 1)
    ways = list(scorings(state.won[seat], shared))
    offered = set()
    for move in game.moves(state, seat, {}):
        words = dict(word.rsplit("-", 1) for word in move.words)
        fitting = [way for way in ways if fits(way, words)]
        assert fitting, f"{move} takes a card that is not there"
        [score] = {way.points for way in fitting}
        offered.add(score)
    assert offered == {way.points for way in ways}
    assert len(offered) > 1


def fits(way: Scoring, words: dict[str, str]) -> bool:
    return all(way.victims.get(fruit) == int(worth) for fruit, worth in words.items())


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_record_replays_to_the_same_state(seats: int) -> None:
    dealer = random_game(fruitoplay(), seats, Random(seats))
    state = replay(fruitoplay(), seats, dealer.outcomes)
    assert state == dealer.state
    assert digest(state) == digest(dealer.state)
