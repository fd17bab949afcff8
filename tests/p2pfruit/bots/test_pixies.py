"""What bots know of Pixies: the quick rules are the rules, and first sight is sensible."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import cast

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.pixies import Pixies
from engine.pixies.areas import Area
from engine.pixies.rules import Meadow
from engine.pixies.scoring import reckon
from p2pfruit.bots import make_bot
from p2pfruit.bots.arena import Contest, run, standings
from p2pfruit.games.pixies.bots.grounds import Ground
from p2pfruit.games.pixies.bots.heuristics import PixiesHeuristics
from p2pfruit.games.pixies.bots.playout import Meadows
from p2pfruit.games.pixies.bots.winning import Standing
from tests.quick import slow_but

GAME = cast(Pixies, registry.build("pixies"))
HEURISTICS = PixiesHeuristics(GAME)
DECK = HEURISTICS.deck

every_number = pytest.mark.parametrize("seats", GAME.seats)


def dealers(seats: int, seed: str, levels: tuple[str, ...]) -> Iterator[Dealer[Meadow]]:
    """A game at each of its choices."""
    dealer = Dealer(GAME, GAME.start(seats), Random(f"{seed} cards"))
    bots = [
        make_bot(levels[seat % len(levels)], GAME, Random(f"{seed} {seat}"))
        for seat in range(seats)
    ]
    while asked := dealer.asked:
        yield dealer
        dealer.answer([bots[seat](dealer.view(seat)) for seat in asked])


def areas(ground: Ground) -> tuple[list[str | None], int]:
    return [None if card < 0 else DECK.face[card] for card in ground.up], ground.down


def same(ground: Ground, area: Area) -> bool:
    down = sum(1 << at for at, (_up, down) in enumerate(area) if down is not None)
    return areas(ground) == ([up for up, _down in area], down)


@every_number
def test_a_ground_counts_as_the_rules_do(seats: int) -> None:
    for dealer in dealers(seats, "points", ("greedy", "random")):
        state = dealer.state
        for area in state.areas:
            ground = Ground.of(DECK, area)
            assert same(ground, area)
            assert ground.points(state.round + 1) == reckon(area, GAME.cards, state.round).points


@every_number
def test_the_ways_of_a_card_are_the_moves_of_the_rules(seats: int) -> None:
    for dealer in dealers(seats, "ways", ("random",)):
        state = dealer.state
        if state.taken is None:
            continue
        [seat] = dealer.asked
        ways = Ground.of(DECK, state.areas[seat]).ways(DECK, DECK.number_of[state.taken])
        moves = dealer.view(seat).moves()
        assert sorted(HEURISTICS._way(state, move) for move in moves) == sorted(ways)


@every_number
def test_a_playout_is_what_greedy_players_come_to(seats: int) -> None:
    """From some choices of a game to the end of the round, in the true world."""
    for seed in range(6):
        game = dealers(seats, f"{seed}", ("greedy",))
        for dealer in islice(game, seed * 5, None, 17):
            state = dealer.state
            if state.taken is not None:
                continue
            world = Meadows(GAME, HEURISTICS.appraisal, state, dealer._faces)
            gained = world.play_on(1000)
            assert world.over
            while dealer.asked and dealer.state.round == state.round:
                next(game, None)
            assert list(gained) == [dealer.state.scores[state.round - 1][s] for s in range(seats)]
            break


def test_a_world_that_is_played_on_leaves_its_origin_alone() -> None:
    dealer = next(islice(dealers(3, "copy", ("greedy",)), 9, None))
    world = Meadows(GAME, HEURISTICS.appraisal, dealer.state, dealer._faces)
    before = [areas(ground) for ground in world.grounds]
    world.copy().play_on(20)
    assert [areas(ground) for ground in world.grounds] == before
    assert all(
        same(ground, area) for ground, area in zip(world.grounds, dealer.state.areas, strict=True)
    )


def test_worlds_agree_with_the_table() -> None:
    dealer = next(islice(dealers(4, "worlds", ("random",)), 12, None))
    state = dealer.state
    view = dealer.view(dealer.asked[0])
    for world in islice(HEURISTICS.worlds(view, Random(1)), 3):
        assert sorted(world.values()) == sorted(GAME.cards)
        for slot, face in enumerate(state.faces, state.first):
            assert face is None or world[slot] == face


@every_number
@pytest.mark.parametrize("level", ["greedy", "expert"])
def test_every_answer_is_legal_and_the_same_again(seats: int, level: str) -> None:
    for dealer in islice(dealers(seats, "legal", ("greedy", "random")), 0, None, 7):
        view = dealer.view(dealer.asked[0])
        answers = {make_bot(level, GAME, Random(4), samples=2)(view) for _ in range(2)}
        assert len(answers) == 1
        assert answers <= set(view.moves())


def test_more_points_are_a_better_chance() -> None:
    state = next(dealers(3, "chance", ("greedy",))).state
    standing = Standing(GAME, state, 1)
    chances = [standing.chance([40, mine, 40], 0) for mine in (0, 30, 40, 50, 2000)]
    assert chances == sorted(chances)
    assert chances[2] == pytest.approx(1 / 3)
    assert chances[-1] == pytest.approx(1)


def rates(levels: str, games: int, samples: int = 12) -> list[float]:
    contest = Contest(
        game="pixies",
        options={},
        content=GAME.content,
        bots=tuple(levels.split(",")),
        games=games,
        seed=1,
        samples=samples,
    )
    return [row.low for row in standings(contest.bots, list(run(contest, 1)))]


@pytest.mark.parametrize("others", slow_but(lambda others: others == 3, range(1, 5)))
def test_greedy_beats_random_at_once(others: int) -> None:
    assert rates("greedy" + ",random" * others, 20)[0] > 1 / (1 + others)


@pytest.mark.slow
def test_expert_beats_greedy() -> None:
    assert rates("expert,greedy,greedy,greedy", 150)[0] > 0.25
