"""What moves are worth in points, compared with what trying out everything says."""

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import stdev
from typing import Any

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.moves import Move
from engine.views import View
from p2pfruit.bots import heuristics_for, limits
from p2pfruit.bots.advice import Advice, Difference, advise
from p2pfruit.bots.heuristics import PointHeuristics
from tests.games import registered
from tests.games.punnet import Punnet
from tests.p2pfruit.bots.expectation import expected


@pytest.fixture(scope="module", autouse=True)
def _games_of_tests() -> Iterator[None]:
    with registered():
        yield


def decisions(game: str, seats: int, seed: int) -> Iterator[tuple[View[Any], Move]]:
    """The choices of a game in which all play by chance, with what was chosen."""
    rules = registry.build(game)
    rng = Random(seed)
    dealer = Dealer(rules, rules.start(seats), rng)
    while dealer.asked:
        moves = {seat: rng.choice(dealer.view(seat).moves()) for seat in dealer.asked}
        for seat, move in moves.items():
            view = dealer.view(seat)
            if len(view.moves()) > 1:
                yield view, move
        dealer.answer([*moves.values()])


def check(view: View[Any], move: Move, seed: int) -> Difference | None:
    """Compare the advice with the truth; return the difference that it found."""
    advice = advise(view.game, view, Random(seed), move)
    if len(advice.moves) == 1:
        return None
    truth = [float(expected(view, one)) for one in advice.moves]
    for one, exact in zip(advice.moves, truth, strict=True):
        row = advice.weighed[advice.moves.index(one)]
        noise = 4 * stdev(row) / sqrt(len(row))
        assert advice.points(one) == pytest.approx(exact, abs=noise + 1e-9)
    found = advice.difference(move)
    more = truth[0] - truth[1]
    assert found.points == pytest.approx(more, abs=found.error * 4 / limits.ERRORS_SURE + 1e-9)
    if found.sure:
        assert more > 0  # nothing is called worse that is not
    if more > 2 * found.error + 1e-9:
        assert found.sure
    return found


def test_pebbles() -> None:
    """No cards: all that is unknown is what the others choose, and a lot."""
    found = [
        check(view, move, seed)
        for seed in range(12)
        for view, move in decisions("pebbles", 3, seed)
    ]
    assert len([one for one in found if one is not None]) > 12


def test_punnet_near_its_end() -> None:
    """Hidden hands and a closed pile, with rotten fruit at the end."""
    found = []
    for seed in range(6):
        for view, move in decisions("punnet", 2, seed):
            if view.state.turn >= Punnet.river_length - 1 or view.state.need.what == "rotten":
                found.append(check(view, move, seed))
    told = [one.sure for one in found if one is not None]
    assert {*told} == {True, False}  # both occur, and none was wrong


def test_the_same_seed_gives_the_same_advice() -> None:
    view, move = next(decisions("fruitoplay", 3, 1))
    assert advise(view.game, view, Random(1), move) == advise(view.game, view, Random(1), move)


def test_the_choice_is_the_experts_own() -> None:
    from p2pfruit.bots import make_bot

    for game in registry.SHIPPED:
        view, move = next(decisions(game, 3, 2))
        bot = make_bot("expert", view.game, Random(5))
        assert advise(view.game, view, Random(5), move).choice == bot(view)


def test_a_late_advice_says_so() -> None:
    view, move = next(decisions("fruitoplay", 3, 1))
    found = advise(view.game, view, Random(1), None, late=lambda: True)
    assert found.cut
    assert {len(row) for row in found.weighed} == {1}
    assert not advise(view.game, view, Random(1), move).cut


def test_what_is_equal_is_not_worse() -> None:
    moves = (Move("a"), Move("b"))
    same = Advice(moves, ((1.0, 5.0, 3.0), (1.0, 5.0, 3.0)), False).difference(moves[1])
    assert (same.points, same.error, same.sure) == (0.0, 0.0, False)
    noisy = Advice(moves, ((9.0, 0.0, 9.0), (0.0, 9.0, 0.0)), False).difference(moves[1])
    assert noisy.points == 3.0
    assert not noisy.sure


# The points of the shipped games are those of the engine.


@pytest.mark.parametrize(("game", "seats"), [("tindahan", 3), ("bastos", 4)])
def test_points_are_what_the_engine_counts(game: str, seats: int) -> None:
    """In the true world, with all playing on as greedy does to the end of the round."""
    rules = registry.build(game)
    heuristics = heuristics_for(rules)
    assert isinstance(heuristics, PointHeuristics)
    rng = Random(3)
    dealer = Dealer(rules, rules.start(seats), rng)
    compared = 0
    while dealer.asked and not dealer.state.scores:
        asked = dealer.asked
        choices = {seat: heuristics.greedy(dealer.view(seat), rng) for seat in asked}
        seat = asked[0]
        view = dealer.view(seat)
        for move in view.moves()[:3]:
            on = Dealer(rules, dealer.state, Random(0), dealer._faces)
            on.answer([*(choices | {seat: move}).values()])
            while not on.state.scores and on.asked:
                on.answer([heuristics.greedy(on.view(one), Random(0)) for one in on.asked])
            [told] = heuristics.points(view, [move], dealer._faces, Random(0))
            assert told == on.state.scores[0][seat]
            compared += 1
        dealer.answer([*choices.values()])
    assert compared > 20
