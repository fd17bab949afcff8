"""What bots know of Tindahan: the quick rules are the rules, and first sight is sensible."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import cast

import pytest

from engine.dealer import Dealer
from engine.needs import Seat
from engine.record import replace
from engine.tindahan import Tindahan
from engine.tindahan.rules import Market
from p2pfruit.bots import make_bot
from p2pfruit.bots.arena import Contest, run, standings
from p2pfruit.games.tindahan.bots.appraisal import Appraisal
from p2pfruit.games.tindahan.bots.heuristics import LOOKED_AT, TindahanHeuristics, action_of
from p2pfruit.games.tindahan.bots.playout import DONKEY, VENDOR, Round
from p2pfruit.games.tindahan.bots.winning import Standing
from tests.engine.playing import GAMES
from tests.engine.tindahan.rigging import Table, tindahan
from tests.quick import slow_but

VARIANTS = {name: cast(Tindahan, game) for name, game in GAMES.items() if game.name == "tindahan"}
every_variant = pytest.mark.parametrize("game", VARIANTS.values(), ids=VARIANTS)
every_number = pytest.mark.parametrize("seats", Tindahan.seats)


def dealers(game: Tindahan, seats: int, seed: str) -> Iterator[Dealer[Market]]:
    """A game at each of its choices. Greedy and random players reach different tables."""
    dealer: Dealer[Market] = Dealer(game, game.start(seats), Random(f"{seed} cards"))
    levels = ("greedy", "random")
    bots = [make_bot(levels[seat % 2], game, Random(f"{seed} {seat}")) for seat in range(seats)]
    while asked := dealer.asked:
        yield dealer
        dealer.answer([bots[seat](dealer.view(seat)) for seat in asked])


def world(dealer: Dealer[Market]) -> Round:
    return Round(cast(Tindahan, dealer.game), dealer.state, dealer._faces)


def contents(table: Round) -> dict[str, object]:
    return dict(vars(table))


# The quick rules.


@every_variant
@every_number
def test_turns_follow_the_rules(game: Tindahan, seats: int) -> None:
    """Each turn of a game, played by both."""
    before: Round | None = None
    turns = rounds = 0
    dealer: Dealer[Market] = Dealer(game, game.start(seats), Random(f"turns {seats}"))
    rng = Random(seats)
    while asked := dealer.asked:
        now = world(dealer)
        if before is not None:
            assert contents(before) == contents(now)
        view = dealer.view(asked[0])
        assert now.mover == view.seat
        move = rng.choice(view.moves())
        going = now.play(action_of(view, move))
        dealer.answer([move])
        assert going == (len(dealer.state.scores) == rounds)
        if not going:
            assert now.points() == list(dealer.state.scores[-1])
            rounds += 1
        before = now if going else None
        turns += 1
    assert rounds == seats
    assert turns > 20 * seats


def test_after_somebody_left_places_stand_for_seats() -> None:
    table = Table(*[""] * 5)
    table.retire(1)
    world_now = Round(table.game, table.state, table.dealer._faces)
    assert world_now.players == 4
    assert [sum(mask.bit_count() for mask in hand) for hand in world_now.hands] == [10] * 4


def test_a_copy_is_played_alone() -> None:
    table = world(next(dealers(tindahan(), 4, "copy")))
    before = contents(table.copy())
    twin = table.copy()
    twin.play(DONKEY + 1)
    twin.play_on(Appraisal())
    assert contents(table) == before


# First sight.


def greedy(table: Table) -> str:
    """What first sight does, in the words of the table."""
    move = TindahanHeuristics(table.game).greedy(table.view(), Random(1))
    faces = [table.view().known[slot] for slot in move.cards]
    return " ".join([move.verb, *faces, *move.words])


def test_last_to_play_takes_a_trick_cheaply() -> None:
    table = Table("p5 p1", "p3 p2", "p6 p7 p10")
    table.do("p5", "p3")
    table.dealer.state = replace(table.state, tricks=(1, 1, 1))
    assert greedy(table) == "play pineapple-6"


def test_what_cannot_win_is_the_lowest_card() -> None:
    table = Table("p10", "p9 p8 p2", "p1")
    table.do("p10")
    table.dealer.state = replace(table.state, tricks=(1, 1, 1), placed=((0, 0, 9),) * 3)
    assert greedy(table) == "play pineapple-2"


def test_a_vendor_takes_a_majority_late_in_a_round() -> None:
    table = Table("p10", "p9 p8 p2", "p1")
    table.do("p10")
    dealt = table.state
    table.dealer.state = replace(
        dealt,
        tricks=(4, 4, 0),
        placed=((0, 0, 2), (0, 0, 2), (0, 0, 0)),
        hands=(dealt.hands[0][:1], dealt.hands[1], dealt.hands[2][:2]),
    )
    assert greedy(table) == "vendor"


@every_variant
@every_number
def test_first_sight_and_search_are_legal(game: Tindahan, seats: int) -> None:
    expert = make_bot("expert", game, Random(1), 1)
    for at, dealer in enumerate(dealers(game, seats, "legal")):
        [seat] = dealer.asked
        view = dealer.view(seat)
        known = {action_of(view, move) for move in view.moves()}
        table = Round(game, dealer.state, view.known)
        assert {action for _, action in Appraisal().promises(table)} <= known
        if at % 10 == 0:
            assert expert(view) in view.moves()


def test_first_sight_does_not_look_at_other_hands() -> None:
    appraisal = Appraisal()
    for dealer in islice(dealers(tindahan(), 4, "blind"), 0, None, 3):
        view = dealer.view(dealer.asked[0])
        blind = Round(tindahan(), dealer.state, view.known)
        assert appraisal.promises(blind) == appraisal.promises(world(dealer))


# Worlds, and what they are worth.


def test_worlds_agree_with_what_was_claimed() -> None:
    heuristics = TindahanHeuristics(tindahan())
    claimed = 0
    for dealer in islice(dealers(tindahan(), 4, "worlds"), 0, None, 4):
        view = dealer.view(dealer.asked[0])
        [faces] = islice(heuristics.worlds(view, Random(1)), 1)
        assert all(view.face(slot) in (None, face) for slot, face in faces.items())
        for claim in dealer.state.claims:
            assert {faces[slot] for slot in claim.slots}.isdisjoint(claim.faces)
            claimed += 1
    assert claimed


def test_only_what_promises_most_is_looked_at() -> None:
    heuristics = TindahanHeuristics(tindahan())
    dealer = next(dealers(tindahan(), 5, "most"))
    view = dealer.view(0)
    worth = heuristics.compare(view, view.moves(), dealer._faces, Random(1))
    assert len(worth) == 14
    assert sum(one > 0 for one in worth) == LOOKED_AT


def standing(scores: tuple[tuple[int, ...], ...], seat: Seat, number: int) -> Standing:
    game = tindahan()
    begun = tuple(range(number - 1))
    return Standing(game, replace(game.start(3), scores=scores, round=number, begun=begun), seat)


def test_chances_sum_to_one_and_a_lead_means_more_at_the_end() -> None:
    scores = ((30, 10, 20),)
    early = [standing(scores, seat, 2).chance([5, 40, 20], known=False) for seat in range(3)]
    late = [standing(scores, seat, 3).chance([5, 40, 20], known=False) for seat in range(3)]
    for chances in (early, late):
        assert sum(chances) == pytest.approx(1)
        assert chances[1] > chances[2] > chances[0]
    assert late[1] > early[1]
    behind = standing(((0, 5000, 0),), 0, 3)
    assert all(behind.chance([1, 1, 1], known=known) == pytest.approx(0) for known in (True, False))


def test_a_sure_win_by_one_point_is_better_than_a_shared_one() -> None:
    """The very last turn. Taking the trick beats everybody by a point; a vendor would bring more
    against three of them, and a draw with the fourth."""
    table = Table("b2", "b3", "b4", "b9", "b10")
    last = table.dealer.view(4).hand[0]
    table.do("b2", "b3", "b4", "b9")
    table.dealer.state = replace(
        table.state,
        round=5,
        begun=(0, 1, 2, 3),
        scores=((0, 6, 6, 6, 5),),
        tricks=(1, 1, 1, 1, 1),
        placed=((1, 0, 0, 0, 0), *[(0, 0, 0, 0, 0)] * 4),
        hands=((), (), (), (), (last,)),
    )
    move = make_bot("expert", table.game, Random(1), 1)(table.view())
    assert (move.verb, move.cards) == ("play", (last,))
    table.dealer.answer([move])
    assert [table.state.total(seat) for seat in range(5)] == [8, 8, 8, 8, 9]


# Strength.


def lowest_rate(levels: str, games: int, samples: int) -> float:
    """The lower end of the first entry's interval."""
    game = tindahan()
    contest = Contest(
        game=game.name,
        options=game.chosen,
        content=game.content,
        bots=tuple(levels.split(",")),
        games=games,
        seed=1,
        samples=samples,
    )
    return standings(contest.bots, list(run(contest, 1)))[0].low


@pytest.mark.parametrize("seats", slow_but(lambda seats: seats == 3, Tindahan.seats))
def test_greedy_beats_random(seats: int) -> None:
    assert lowest_rate("greedy" + ",random" * (seats - 1), 20, 1) > 0.6


@pytest.mark.slow
@every_number
def test_expert_beats_greedy(seats: int) -> None:
    assert lowest_rate("expert" + ",greedy" * (seats - 1), 60, 20) > 1 / seats


def test_a_vendor_and_the_donkey_have_numbers_apart_from_cards() -> None:
    assert 50 <= DONKEY < DONKEY + 5 <= VENDOR
