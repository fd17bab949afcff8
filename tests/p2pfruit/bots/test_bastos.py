"""What bots know of Bastos: the quick rules are the rules, and first sight is sensible."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import cast

import pytest

from engine.bastos import Bastos
from engine.bastos.rules import KEEP, TRUMP, Market
from engine.dealer import Dealer
from engine.moves import Move
from engine.record import replace
from p2pfruit.bots import make_bot
from p2pfruit.bots.arena import Contest, run, standings
from p2pfruit.games.bastos.bots.appraisal import Judge, bastos
from p2pfruit.games.bastos.bots.heuristics import FAVOUR, BastosHeuristics
from p2pfruit.games.bastos.bots.playout import NONE, NUMBER, Round, card_numbers, cards_in
from p2pfruit.games.bastos.bots.winning import Standing
from tests.engine.bastos.rigging import EVEN, SPLIT, Table, cards
from tests.engine.playing import GAMES
from tests.quick import slow_but

IDS = [
    "counterclockwise-lot-from-now",
    "clockwise-lot-from-now",
    "counterclockwise-lot-whole-trick",
]
VARIANTS = [cast(Bastos, GAMES[f"bastos-{options}"]) for options in IDS]
GAME = VARIANTS[0]
NUMBER_OF = card_numbers(GAME)

every_variant = pytest.mark.parametrize("game", VARIANTS, ids=IDS)
every_number = pytest.mark.parametrize("seats", GAME.seats)


def dealers(game: Bastos, seats: int, seed: str) -> Iterator[Dealer[Market]]:
    """A game at each of its choices. Greedy and random players reach different tables."""
    dealer = Dealer(game, game.start(seats), Random(f"{seed} cards"))
    levels = ("greedy", "random")
    bots = [make_bot(levels[seat % 2], game, Random(f"{seed} {seat}")) for seat in range(seats)]
    while asked := dealer.asked:
        yield dealer
        dealer.answer([bots[seat](dealer.view(seat)) for seat in asked])


# The quick rules.


def make(world: Round, dealer: Dealer[Market], move: Move) -> None:
    """The move of the one who is asked, done in the quick rules."""
    if move.verb == "play":
        card = NUMBER_OF[dealer._faces[move.cards[0]]]
        if world.play(card, move.words == TRUMP):
            return
    elif move != KEEP:
        world.move_price(GAME.column[move.words[0]], 1 if move.verb == "raise" else -1)
    if len(world.trick) == world.players:
        world.end_trick()


def check_same(world: Round, dealer: Dealer[Market]) -> None:
    state = dealer.state
    assert world.prices == list(state.prices)
    assert world.trump == (GAME.column[state.trump] if state.trump else NONE)
    if state.need.what == "card":
        assert world.seats[world.turn] == state.need.seats[0]  # type: ignore[union-attr]
    for seat, hand, won in zip(world.seats, world.hands, world.won, strict=True):
        held = sorted(NUMBER_OF[dealer._faces[slot]] for slot in state.hands[seat])
        assert cards_in(hand) == tuple(held)
        assert won == GAME.counts(state.won[seat])


@every_variant
@every_number
def test_the_quick_rules_are_the_rules(game: Bastos, seats: int) -> None:
    rng = Random(f"moves {seats}")
    dealer = Dealer(game, game.start(seats), Random(f"cards {seats}"))
    world = Round(game, dealer.state, dealer._faces)
    laid = [rng.choice(dealer.view(seat).moves()) for seat in dealer.asked]
    faces = [dealer._faces[move.cards[0]] for move in laid]
    world.lay_aside([NUMBER_OF[faces[seat]] for seat in world.seats])
    dealer.answer(laid)
    while dealer.state.scores == ():
        check_same(world, dealer)
        move = rng.choice(dealer.view(dealer.asked[0]).moves())
        make(world, dealer, move)
        dealer.answer([move])
    assert world.over
    by_seat = dict(zip(world.seats, world.points(), strict=True))
    assert tuple(by_seat[seat] for seat in range(seats)) == dealer.state.scores[0]


@every_variant
@every_number
def test_a_world_can_begin_at_any_choice(game: Bastos, seats: int) -> None:
    """From the middle of a trick the same follows as from its beginning."""
    for dealer in dealers(game, seats, "any choice"):
        if dealer.state.round > 2:
            break
        if dealer.state.need.what == "card":
            world = Round(game, dealer.state, dealer._faces)
            check_same(world, dealer)
            assert len(world.trick) == len(dealer.state.trick)


def test_a_card_thrown_away_before_trump_is_no_trump() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.play("b9")
    table.play("p7")
    early = Round(table.game, table.state, table.dealer._faces)
    early.play(NUMBER_OF["pineapple-1"], declares=True)
    assert early.seats[early.winner] == 1
    four = Table(("b1-9 m1-2", "m3-9 p1-4", "p5-9 d1-6", "d7-9 l1-8"))
    four.bastos("m1 m3 d1 d7")
    four.play("b9")
    four.play("l1")
    four.play("p5")
    four.play("p1", "trump")
    assert four.state.trump == "pineapple"
    assert four.asked == (1,)


# First sight.


@pytest.mark.parametrize(("price", "wins"), [(2, True), (-2, False)])
def test_the_last_to_play_takes_a_dear_trick_and_leaves_a_cheap_one(price: int, wins: bool) -> None:
    """The 5 holds the trick, for the 8 is of its player's Bastos."""
    table = Table(("b1-3 m1-2 m5 p1-3 d1-3", "b4-6 m3-4 m6 p4-6 d4-6", EVEN[2]))
    table.bastos("d1 d4 m7")
    table.play("m5")
    table.play("m8")
    table.say("keep")
    world = Round(table.game, table.state, table.dealer._faces)
    world.prices = [price] * 5
    card, _ = Judge(world).card()
    assert (card == NUMBER_OF["mango-6"]) == wins


def test_a_price_moves_where_it_brings_most() -> None:
    table = Table(EVEN)
    table.bastos("b1 b4 b7")
    table.trick("m1 m7 m4")
    world = Round(table.game, table.state, table.dealer._faces)
    ahead = Judge(world).price(world.seats.index(2))
    behind = Judge(world).price(world.seats.index(0))
    mango = GAME.column["mango"]
    assert (ahead, behind) == ((mango, 1), (mango, -1))
    world.won = [[0] * 5 for _ in world.won]
    assert Judge(world).price(0)[1] == 0


def test_the_bastos_is_low() -> None:
    strong = ("banana-8", "banana-9", "mango-8", "mango-9")
    hand = tuple(NUMBER_OF[face] for face in strong)
    weak = (NUMBER_OF["durian-1"], NUMBER_OF["durian-2"])
    assert bastos((*hand, *weak)) == weak[0]
    assert NUMBER[bastos(hand)] == 8


@every_number
def test_greedy_answers_every_question(seats: int) -> None:
    asked = set()
    heuristics = BastosHeuristics(GAME)
    for dealer in dealers(GAME, seats, "questions"):
        for seat in dealer.asked:
            view = dealer.view(seat)
            assert heuristics.greedy(view, Random(1)) in view.moves()
            asked.add(view.state.need.what)
    assert asked == {"bastos", "card", "price"}


def test_first_sight_does_not_look_at_other_hands() -> None:
    """The same answer, whatever the others are guessed to hold."""
    heuristics = BastosHeuristics(GAME)
    for dealer in islice(dealers(GAME, 4, "blind"), 0, None, 3):
        for seat in dealer.asked:
            view = dealer.view(seat)
            assert len({heuristics.greedy(view, Random(seed)) for seed in range(3)}) == 1


# In a world.


def test_compare_values_each_move_and_prefers_points() -> None:
    for dealer in dealers(GAME, 3, "compare"):
        view = dealer.view(dealer.asked[0])
        moves = view.moves()
        values = BastosHeuristics(GAME).compare(view, moves, dealer._faces, Random(1))
        assert len(values) == len(moves)
        assert all(0 <= value <= 1 + FAVOUR for value in values)
        if dealer.state.round == 2:
            break
    state = dealer.state
    standing = Standing(GAME, state, [0, 1, 2], 0)
    for known in (True, False):
        ahead, level, behind = [
            standing.chance(gained, known=known) for gained in ([5, 0, 0], [0, 0, 0], [0, 5, 5])
        ]
        assert ahead > level > behind


def test_a_sure_win_by_one_point_is_better_than_a_shared_one() -> None:
    """The very last word. Dearer mangoes would leave one of the others far behind, and let the
    other draw level."""
    table = Table(EVEN, direction="clockwise")
    table.bastos("b1 b4 b7")
    for short in ("b2", "b5"):
        table.play(short)
        table.say("keep")
    table.play("b8")
    table.dealer.state = replace(
        table.state,
        round=6,
        starts=(2, 2, 1),
        scores=((0, 0, 1),),
        won=((), cards("m5-9"), cards("m1-4")),
        hands=((), (), ()),
    )
    view = table.dealer.view(2)
    assert BastosHeuristics(table.game).greedy(view, Random(1)) == Move("raise", (), ("mango",))
    assert make_bot("expert", table.game, Random(1), 1)(view) == KEEP


# Strength.


def rates(levels: str, games: int, samples: int = 6, jobs: int = 1) -> list[float]:
    """The lower ends of the intervals, by entry."""
    contest = Contest(
        game=GAME.name,
        options=GAME.chosen,
        content=GAME.content,
        bots=tuple(levels.split(",")),
        games=games,
        seed=1,
        samples=samples,
    )
    return [row.low for row in standings(contest.bots, list(run(contest, jobs)))]


@pytest.mark.parametrize("others", slow_but(lambda others: others == 2, [2, 3]))
def test_greedy_beats_random(others: int) -> None:
    assert rates("greedy" + ",random" * others, 12)[0] > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("others", [2, 3])
def test_expert_beats_greedy(others: int) -> None:
    assert rates("expert" + ",greedy" * others, 60, jobs=2)[0] > 1 / (1 + others)
