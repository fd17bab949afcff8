"""What bots know of Fruitoplay: the quick rules are the rules, and first sight is sensible."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dealer import Dealer
from engine.fruitoplay import Fruitoplay, scoring
from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import DRAW, PASS, Orchard
from engine.fruitoplay.trick import resolve
from engine.moves import Outcome
from engine.needs import Choose, Face
from engine.record import replace
from engine.views import View
from p2pfruit.bots import make_bot
from p2pfruit.games.fruitoplay.bots.appraisal import CHANCE_LEAST, Appraisal
from p2pfruit.games.fruitoplay.bots.deck import NOBODY, collective_tally, points, unpack
from p2pfruit.games.fruitoplay.bots.heuristics import FruitoplayHeuristics
from p2pfruit.games.fruitoplay.bots.playout import Orchards
from p2pfruit.games.fruitoplay.bots.winning import Standing
from tests.engine.playing import GAMES

VARIANTS = [cast(Fruitoplay, GAMES[f"fruitoplay-{ties}"]) for ties in ("contending", "all")]
GAME = VARIANTS[0]
HEURISTICS = FruitoplayHeuristics(GAME)
DECK = HEURISTICS.deck
FACES = list(GAME.cards)

every_variant = pytest.mark.parametrize("game", VARIANTS, ids=["contending", "all"])
every_number = pytest.mark.parametrize("seats", GAME.seats)


def dealers(game: Fruitoplay, seats: int, seed: str) -> Iterator[Dealer[Orchard]]:
    """A game at each of its choices. Greedy and random players reach different tables."""
    dealer = Dealer(game, game.start(seats), Random(f"{seed} cards"))
    levels = ("greedy", "random")
    bots = [make_bot(levels[seat % 2], game, Random(f"{seed} {seat}")) for seat in range(seats)]
    while asked := dealer.asked:
        yield dealer
        dealer.answer([bots[seat](dealer.view(seat)) for seat in asked])


def world(dealer: Dealer[Orchard]) -> Orchards:
    game = cast(Fruitoplay, dealer.game)
    heuristics = FruitoplayHeuristics(game)
    return Orchards(game, heuristics.appraisal(dealer.state), dealer.state, dealer._faces)


def most_points(sheet: scoring.Columns) -> int:
    return max(scoring.points(sheet.after(victims)) for victims in sheet.cancelling())


# The quick rules.


@given(
    st.sets(st.sampled_from(FACES), max_size=30),
    st.none() | st.sampled_from(FRUITS),
    st.sampled_from([1, 2]),
)
def test_points_are_the_most_that_can_be_reached(
    faces: set[Face], collective: str | None, worth: int
) -> None:
    tally = sum(DECK.tally[DECK.number_of[face]] for face in faces)
    if collective is not None:
        tally += collective_tally(FRUITS.index(collective), worth)
    sheet = scoring.columns([GAME.cards[face] for face in sorted(faces)], collective, worth)
    assert points(tally) == most_points(sheet)


@every_variant
@given(
    faces=st.lists(st.sampled_from(FACES), min_size=3, max_size=7, unique=True),
    absent=st.booleans(),
)
def test_tricks_are_won_by_the_rules(game: Fruitoplay, faces: list[Face], absent: bool) -> None:
    target, *played = faces
    table = world(next(dealers(game, 2, "any")))
    cards = [DECK.number_of[face] for face in played]
    winner = resolve(
        game.cards[target], [game.cards[face] for face in played], game.chosen["ties"]
    ).winner
    expected = NOBODY if winner is None else winner
    assert table.trick(DECK.number_of[target], cards) == expected
    if absent:
        moved = expected if expected == NOBODY else expected + 1
        assert table.trick(DECK.number_of[target], [NOBODY, *cards]) == moved


@every_variant
@every_number
def test_turns_follow_the_rules(game: Fruitoplay, seats: int) -> None:
    """Each turn of some games, played by both: all but who drew which card is the same."""
    turns = 0
    for number in range(6):
        before: Orchards | None = None
        for dealer in dealers(game, seats, f"turns {number}"):
            if dealer.state.need.what not in ("card", "last_draw"):
                before = None
                continue
            now = world(dealer)
            if before is not None:
                last = dealer.outcomes[-1] if dealer.outcomes[-1].moves else dealer.outcomes[-2]
                faces = iter(last.faces)
                before.play(
                    [DECK.number_of[next(faces)] if hand else NOBODY for hand in before.hands]
                )
                assert before.winner == now.winner
                assert before.tallies == now.tallies
                assert list(map(len, before.hands)) == list(map(len, now.hands))
                assert cards_of(before) == cards_of(now)
                for hand, packed in zip(before.hands, before.columns, strict=True):
                    in_hand = [unpack(column)[1] for column in packed]
                    assert in_hand == [
                        sum(DECK.fruit[card] == fruit for card in hand) for fruit in range(4)
                    ]
                if dealer.state.need.what == "card":
                    assert before.turn == now.turn
                turns += 1
            before = now if dealer.state.need.what == "card" else None
    assert turns == 6 * GAME.rounds * GAME.river_length


def cards_of(table: Orchards) -> list[int]:
    """All closed cards, wherever they lie."""
    return sorted(chain(*table.hands, table.pile[table.drawn :], table.left_over))


@every_number
def test_rounds_are_scored_by_the_rules(seats: int) -> None:
    scored = 0
    for number in range(5):
        expected: list[int] | None = None
        dealer = Dealer(GAME, GAME.start(seats), Random(f"scores {number}"))
        while asked := dealer.asked:
            state = dealer.state
            if state.need.what == "last_draw":
                table = world(dealer)
                table.lay_down()
                expected = table.last_draw([False] * seats)
                dealer.answer([PASS] * len(asked))
            else:
                moves = [HEURISTICS.greedy(dealer.view(seat), Random(1)) for seat in asked]
                dealer.answer(moves)
            if expected is not None and len(dealer.state.scores) == len(state.scores) + 1:
                assert list(dealer.state.scores[-1]) == expected
                scored += 1
                expected = None
    assert scored == 5 * GAME.rounds


def test_the_last_draw_serves_from_the_left_while_there_are_cards() -> None:
    dealer = next(d for d in dealers(GAME, 6, "last") if d.state.need.what == "last_draw")
    table = world(dealer)
    table.winner = 3
    table.pile, table.left_over = table.pile[:1], table.pile[1:2]
    table.tallies = [0] * 6
    table.last_draw([True, True, True, False, False, True])
    assert [tally != 0 for tally in table.tallies] == [True, False, False, False, False, True]


def test_everybody_draws_a_card_of_their_own() -> None:
    """What one seat does changes nobody else's luck, unless it changes who wins."""
    table = world(next(dealers(GAME, 4, "own")))
    one, other = table.copy(), table.copy()
    cards = table.choices()
    one.play(cards)
    other.play([table.hands[0][0], *cards[1:]])
    same = [seat for seat in range(1, 4) if one.winner != seat != other.winner]
    assert same
    assert all(one.hands[seat] == other.hands[seat] for seat in same)
    assert table.turn == 1
    assert [len(hand) for hand in table.hands] == [6] * 4


def test_who_has_no_card_plays_none() -> None:
    """After six tricks won by one player, the others play the last without them."""
    table = world(next(d for d in dealers(GAME, 4, "none") if d.state.turn == 7))
    idle = table.columns[0] = DECK.columns([], [])
    table.hands[0] = []
    cards = table.choices()
    assert cards[0] == NOBODY
    before = table.tallies[0]
    table.play(cards)
    assert table.winner in (1, 2, 3, NOBODY)
    assert (table.columns[0], table.tallies[0]) == (idle, before)


@every_variant
@every_number
def test_a_playout_ends_with_the_points_or_what_to_expect(game: Fruitoplay, seats: int) -> None:
    for dealer in islice(dealers(game, seats, "ends"), 3):
        table = world(dealer)
        full, short = table.copy(), table.copy()
        ended = full.play_on(table.choices(), 7)
        assert full.left == 0
        assert all(isinstance(one, int) and 0 <= one <= 25 * 25 for one in ended)
        expected = short.play_on(table.choices(), 2)
        assert short.left == table.left - 2
        assert all(0 < one < 25 * 25 for one in expected)


# The choice of a card.


def by_promise(
    appraisal: Appraisal, hand: Sequence[int], now: Sequence[int], target: int, left: int
) -> dict[int, float]:
    """What Appraisal.choose works out, without its shortcuts."""
    full = list(now)
    fruit = DECK.fruit[target]
    full[fruit] += DECK.won[target]
    for at, more in enumerate(appraisal.spread):
        full[fruit - at] += more
    promises = {}
    for card in hand:
        lost, won = list(now), list(full)
        lost[DECK.fruit[card]] -= DECK.in_hand[card]
        won[DECK.fruit[card]] += DECK.won[card] - DECK.in_hand[card]
        chance = appraisal.chances(target)[card]
        promise = appraisal.promise(lost, left)
        if chance > CHANCE_LEAST:
            promise += chance * (appraisal.promise(won, left) - promise)
        promises[card] = promise
    return promises


@every_number
def test_the_card_with_the_best_promise_is_chosen(seats: int) -> None:
    for dealer in dealers(GAME, seats, "promise"):
        if dealer.state.need.what != "card":
            continue
        table = world(dealer)
        target = table.river[table.turn - 1]
        left = table.left - 1
        for hand, now, card in zip(table.hands, table.columns, table.choices(), strict=True):
            if hand:
                promises = by_promise(table.appraisal, hand, now, target, left)
                assert promises[card] == pytest.approx(max(promises.values()))


def test_a_closer_card_and_a_smaller_table_win_more() -> None:
    target = DECK.number_of["fig-10"]
    few, many = (Appraisal(DECK, players, 7).chances(target) for players in (2, 6))
    for chances in (few, many):
        for fruit in ("fig", "apple"):
            row = [chances[DECK.number_of[f"{fruit}-{number}"]] for number in range(11, 21)]
            assert row == sorted(row, reverse=True)
        assert chances[DECK.number_of["fig-20"]] > chances[DECK.number_of["apple-11"]]
    assert all(a >= b for a, b in zip(few, many, strict=True))


# First sight.


def holding(what: str, hand: Sequence[Face], won: Sequence[Face] = ()) -> View[Orchard]:
    """Seat 0 of two, at this choice, with these cards in the hand and these won."""
    dealer = Dealer(GAME, GAME.start(2), Random("cards"))
    state = dealer.state
    slots = tuple(range(len(hand)))
    river = tuple(face for face in FACES if face not in {*hand, *won})[:7]
    state = replace(
        state,
        need=Choose(what, (0,), secret=True),
        hands=(slots, state.hands[1]),
        faces=(None,) * 80,
        won=(tuple(won), ()),
        river=river,
        round=2,
        turn=0 if what == "collective" else 7,
    )
    return View(GAME, state, 0, dict(zip(slots, hand, strict=True)))


def test_one_column_is_not_gambled_with() -> None:
    view = holding("last_draw", ["fig-1", "fig-2", "fig-4", "fig-5", "fig-6"])
    assert HEURISTICS.greedy(view, Random(1)) == PASS


def test_four_columns_gain_by_any_card() -> None:
    won = [f"{fruit}-{number}" for fruit in FRUITS for number in (1, 2, 4)]
    assert HEURISTICS.greedy(holding("last_draw", [], won), Random(1)) == DRAW


def test_the_fruit_in_hand_is_collected() -> None:
    view = holding(
        "collective", ["fig-1", "fig-2", "fig-4", "fig-5", "fig-6", "apple-1", "apple-2"]
    )
    assert str(HEURISTICS.greedy(view, Random(1))) == "collect fig"


def test_the_odd_fruit_is_let_go() -> None:
    view = holding("card", ["fig-1", "fig-2", "fig-4", "fig-5", "fig-6", "fig-7", "apple-20"])
    assert view.state.target == "banana-1"
    assert view.known[HEURISTICS.greedy(view, Random(1)).cards[0]] == "apple-20"


@pytest.mark.parametrize("level", ["greedy", "expert"])
def test_rotten_fruit_is_cancelled_for_the_most_points(level: str) -> None:
    seen = 0
    for number in range(30):
        for dealer in dealers(GAME, 4, f"rotten {number}"):
            if dealer.state.need.what == "rotten":
                best = {
                    seat: most_points(GAME.columns(dealer.state, seat)) for seat in dealer.asked
                }
                bots = [make_bot(level, GAME, Random(1), 2) for _ in dealer.asked]
                moves = [
                    bot(dealer.view(seat)) for seat, bot in zip(dealer.asked, bots, strict=True)
                ]
                step = GAME.step(dealer.state, Outcome(tuple(moves)))
                assert all(step.state.scores[-1][seat] == most for seat, most in best.items())
                seen += 1
    assert seen > 5


# Worlds, and what they are worth.


def test_worlds_agree_with_the_view() -> None:
    for dealer in islice(dealers(GAME, 4, "worlds"), 0, None, 5):
        view = dealer.view(dealer.asked[0])
        worlds = [dict(world) for world in islice(HEURISTICS.worlds(view, Random(1)), 3)]
        assert worlds[0] != worlds[1] != worlds[2]
        for faces in worlds:
            assert sorted(faces.values()) == sorted(FACES)
            assert all(view.face(slot) in (None, face) for slot, face in faces.items())


def standing(scores: tuple[tuple[int, ...], ...], seat: int, number: int) -> Standing:
    state = replace(GAME.start(3), scores=scores, round=number)
    return Standing(GAME, state, seat)


@pytest.mark.parametrize(("number", "turns_left"), [(1, 0), (2, 0), (3, 2), (1, 6)])
def test_chances_sum_to_one_and_grow_with_points(number: int, turns_left: int) -> None:
    scores = ((30, 10, 20),)
    gained = [5, 40, 20]  # totals 35, 50, 40
    chances = [standing(scores, seat, number).chance(gained, turns_left) for seat in range(3)]
    assert sum(chances) == pytest.approx(1)
    assert chances[1] > chances[2] > chances[0]
    less = [standing(scores, seat, 3).chance(gained, 0, 1) for seat in range(3)]
    assert less[1] > chances[1]  # a lead means more, the less is to come


def test_the_end_is_certain() -> None:
    assert [standing(((10, 10, 0),), seat, 3).chance([5, 5, 9]) for seat in range(3)] == [
        0.5,
        0.5,
        0,
    ]
    # The last round breaks a tie.
    assert [standing(((10, 5, 0),), seat, 3).chance([5, 10, 9]) for seat in range(3)] == [0, 1, 0]


def test_a_hopeless_lead_is_still_a_number() -> None:
    assert standing(((10, 5000, 0),), 0, 3).chance([5, 10, 9], 0, 1) == pytest.approx(0)
