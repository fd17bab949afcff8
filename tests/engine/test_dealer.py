from random import Random
from typing import Any

import pytest

from engine.dealer import Dealer, play, replay
from engine.errors import BadOutcome, IllegalMove
from engine.moves import Event, Move
from engine.needs import Choose, Done
from engine.record import digest
from p2pfruit.conformance.playing import Table, at_random
from tests.engine.playing import GAMES
from tests.games.brambles import Brambles, Hedge, content, suit

PUNNET = GAMES["punnet-contending"]
BRAMBLES = Brambles(content())


def test_the_dealer_goes_on_until_somebody_is_asked() -> None:
    dealer = Dealer(PUNNET, PUNNET.start(3), Random(1))
    assert dealer.state.need == Choose("card", (0, 1, 2), secret=True)
    assert dealer.asked == dealer.waiting == (0, 1, 2)
    assert [event.what for event in dealer.take_events()] == ["round", "river", "target"]
    assert dealer.take_events() == []


def test_the_game_goes_on_with_the_last_decision() -> None:
    dealer = Dealer(PUNNET, PUNNET.start(3), Random(1))
    dealer.take_events()
    before = dealer.state
    for seat, waiting in [(2, (0, 1)), (0, (1,))]:
        dealer.decide(seat, dealer.view(seat).moves()[0])
        assert dealer.waiting == waiting
        assert dealer.asked == (0, 1, 2)
        assert dealer.state is before
        assert dealer.events == []
    dealer.decide(1, dealer.view(1).moves()[0])
    assert dealer.state.turn == 2
    assert dealer.waiting == (0, 1, 2)
    assert [event.what for event in dealer.events][:3] == ["plays", "plays", "plays"]


def test_a_seat_decides_once() -> None:
    dealer = Dealer(PUNNET, PUNNET.start(2), Random(1))
    one, two = dealer.view(0).moves()
    dealer.decide(0, one)
    for move in (one, two):
        with pytest.raises(IllegalMove, match="seat 0 has decided already") as refusal:
            dealer.decide(0, move)
        assert refusal.value.rule == "turn"
    dealer.decide(1, dealer.view(1).moves()[0])
    assert dealer.outcomes[-2].moves[0] == one


def test_a_seat_that_is_not_asked_cannot_decide() -> None:
    dealer = Dealer(BRAMBLES, BRAMBLES.start(3), Random(1))
    assert dealer.asked == (0,)
    with pytest.raises(IllegalMove, match="seat 1 is not asked"):
        dealer.decide(1, Move("play", (dealer.state.hands[1][0],)))


def test_an_answer_overrules_earlier_decisions() -> None:
    dealer = Dealer(PUNNET, PUNNET.start(2), Random(1))
    dealer.decide(0, dealer.view(0).moves()[0])
    answer = [dealer.view(seat).moves()[1] for seat in (0, 1)]
    dealer.answer(answer)
    assert dealer.outcomes[-2].moves == tuple(answer)
    assert dealer.waiting == dealer.asked == (0, 1)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_an_answer_is_of_all_who_are_asked(count: int) -> None:
    dealer = Dealer(PUNNET, PUNNET.start(2), Random(1))
    before = digest(dealer.state)
    with pytest.raises(BadOutcome, match="card is chosen by 2 seats"):
        dealer.answer([dealer.view(0).moves()[0]] * count)
    assert digest(dealer.state) == before


def test_nobody_answers_when_it_is_over() -> None:
    dealer = Dealer(PUNNET, PUNNET.start(2), Random(1))
    dealer.retire([1])
    assert dealer.asked == dealer.waiting == ()
    with pytest.raises(BadOutcome, match="the game is over"):
        dealer.answer([])


def off_suit(rule: str) -> tuple[Dealer[Hedge], int, Move]:
    """A table at which a seat has a card that this rule forbids: the first such that comes up."""
    for seed in range(50):
        rng = Random(seed)
        dealer = Dealer(BRAMBLES, BRAMBLES.start(3), rng)
        while asked := dealer.asked:
            view = dealer.view(asked[0])
            legal = view.moves()
            owed = dict(zip(view.state.owed, ("follow", "trump"), strict=False))
            others = [slot for slot in view.hand if Move("play", (slot,)) not in legal]
            if others and owed[suit(view.known[legal[0].cards[0]])] == rule:
                return dealer, asked[0], Move("play", (others[0],))
            dealer.answer([rng.choice(legal)])
    raise AssertionError(f"no hand that {rule} forbids anything")


@pytest.mark.parametrize("rule", ["follow", "trump"])
def test_claims_are_checked_by_looking(rule: str) -> None:
    dealer, seat, move = off_suit(rule)
    claims = BRAMBLES.check(dealer.state, seat, move, [dealer.view(seat).known[move.cards[0]]])
    assert rule in [claim.rule for claim in claims]
    before = digest(dealer.state)
    why = rf"the hand holds a card that must be played first \(rule: {rule}\)"
    with pytest.raises(IllegalMove, match=why):
        dealer.decide(seat, move)
    with pytest.raises(IllegalMove, match=why):
        dealer.answer([move])
    assert digest(dealer.state) == before
    assert dealer.waiting == (seat,)


def test_true_claims_are_kept_in_the_state() -> None:
    rules = set()
    for seed in range(5):
        rng = Random(seed)
        dealer = Dealer(BRAMBLES, BRAMBLES.start(4), rng)
        while asked := dealer.asked:
            rules |= {claim.rule for claim in dealer.state.claims}
            dealer.answer([rng.choice(dealer.view(asked[0]).moves())])
    assert rules == {"follow", "trump"}


def test_who_is_gone_is_not_waited_for() -> None:
    dealer = Dealer(PUNNET, PUNNET.start(3), Random(1))
    dealer.decide(0, dealer.view(0).moves()[0])
    dealer.take_events()
    dealer.retire([1])
    assert dealer.state.seated == (0, 2)
    assert dealer.waiting == dealer.asked == (0, 2), "the round began again: nothing is decided"
    assert dealer.events[:2] == [Event("left", 1), Event("again", None, (1,))]
    for seat in (0, 2):
        dealer.decide(seat, dealer.view(seat).moves()[0])
    assert dealer.state.turn == 2


def test_with_too_few_left_the_game_is_abandoned() -> None:
    dealer = Dealer(PUNNET, PUNNET.start(3), Random(1))
    dealer.retire([0, 1])
    assert dealer.state.need == Done("abandoned", (2, 2, 1))
    assert dealer.state.hands == ((), (), ())


def test_a_dealer_without_the_faces_lets_no_card_be_played() -> None:
    state = Dealer(BRAMBLES, BRAMBLES.start(2), Random(1)).state
    blind = Dealer(BRAMBLES, state, Random(1))
    with pytest.raises(BadOutcome, match="'' is not in the pile of card #0"):
        blind.decide(0, Move("play", (0,)))


def test_a_dealer_goes_on_in_the_middle_of_a_round() -> None:
    first = Dealer(BRAMBLES, BRAMBLES.start(2), Random(1))
    second = Dealer(BRAMBLES, first.state, Random(2), first.view(0).known)
    assert second.outcomes == []
    assert second.view(0) == first.view(0)
    second.answer([second.view(0).moves()[0]])
    assert second.asked == (1,)


@pytest.mark.parametrize("table", [Table(PUNNET, 4), Table(BRAMBLES, 3)], ids=str)
def test_play_is_a_whole_game_that_replays(table: Table) -> None:
    def game(seed: int) -> Dealer[Any]:
        return play(table.game, [at_random(Random(seed))] * table.seats, Random(seed))

    one, two = game(3), game(3)
    assert isinstance(one.state.need, Done)
    assert one.state == two.state
    assert one.outcomes == two.outcomes
    assert one.events == two.events
    assert one.state != game(4).state
    assert replay(table.game, table.seats, one.outcomes) == one.state


def test_a_generator_that_is_passed_in_is_the_only_chance() -> None:
    """Every card comes to every place: the shuffle is no mere rotation."""
    seen = {
        (slot, face)
        for seed in range(400)
        for dealer in [Dealer(BRAMBLES, BRAMBLES.start(4), Random(seed))]
        for seat in range(4)
        for slot, face in dealer.view(seat).known.items()
    }
    assert len(seen) == 16 * 15
