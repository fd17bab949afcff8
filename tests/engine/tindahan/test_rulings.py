"""T1 to T9 and T15 to T19: vendors, the donkey, following, and how rounds follow each other."""

from random import Random

import pytest

from engine.errors import IllegalMove
from engine.moves import Event, Move, Outcome
from engine.needs import Choose, Done
from engine.record import Claim, replace
from engine.tindahan.rules import VENDORS, Market
from tests.engine.tindahan.rigging import Table, cards, only, tindahan

# Seat 0 has no mango, seat 1 no banana, seat 2 a bit of all.
HANDS = (
    "b1 b2 b3 b4 b5 b6 b7 b8 p1 p2",
    "m1 m2 m3 m4 m5 m6 m7 m8 p3 p4",
    "b9 b10 m9 m10 p5 p6 p7 p8 p9 p10",
)


def refused(table: Table, text: str) -> str:
    before = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.do(text)
    assert table.state == before
    return refusal.value.rule


# T1: vendors.


def test_t1_a_vendor_goes_to_the_stall_led_and_no_card_leaves_the_hand() -> None:
    table = Table(*HANDS)
    events = table.do("p1", "vendor")
    assert events == [Event("plays", 0, ("pineapple-1",)), Event("vendor", 1, ("pineapple",))]
    assert table.state.placed == ((0, 0, 0), (0, 0, 1), (0, 0, 0))
    assert [len(hand) for hand in table.state.hands] == [9, 10, 10]
    assert table.state.vendors_left(1) == VENDORS - 1
    assert table.state.trick == ((0, "pineapple-1"),)


def test_t1_read_literally_a_card_is_spent_and_its_fruit_gives_the_stall() -> None:
    table = Table(*HANDS, vendors="spend-card")
    events = table.do("p1", "vendor m3")
    assert events[-1] == Event("vendor", 1, ("mango", "mango-3"))
    assert table.state.placed[1] == (0, 1, 0)
    assert [len(hand) for hand in table.state.hands] == [9, 9, 10]
    assert "mango-3" in table.state.faces, "it lies open"
    assert table.state.claims == (), "following is waived, though seat 1 holds pineapples"


def test_t1_a_spent_card_is_not_in_the_trick() -> None:
    table = Table("p5", "b10", "p3", vendors="spend-card")
    events = table.do("p5", "vendor b10", "p3")
    [takes] = only(events, "takes")
    assert takes == Event("takes", 0, ("pineapple-5", "pineapple", "banana", 2))


def test_t1_a_spent_card_may_be_the_last_one() -> None:
    """Seat 1 holds a single card; the round ends with the trick in which it is spent."""
    table = Table(*HANDS, vendors="spend-card")
    table.do("p1")
    last = table.slot("mango-1")
    dealt = table.state
    state = replace(dealt, hands=(dealt.hands[0], (last,), dealt.hands[2]))
    spent = table.game.step(state, Outcome((Move("vendor", (last,)),), ("mango-1",))).state
    assert (spent.round, spent.hands[1]) == (1, ())
    slot = dealt.hands[2][4]
    step = table.game.step(spent, Outcome((Move("play", (slot,)),), ("pineapple-5",)))
    assert [event.what for event in step.events] == ["plays", "takes", *["scores"] * 3]
    assert step.state.scores == ((5, 5, 2 - 9),), "seat 0 has neither vendor nor trick (T14)"


# T2: no vendor left.


@pytest.mark.parametrize("vendors", ["led-stall", "spend-card"])
def test_t2_without_a_vendor_one_plays_a_card(vendors: str) -> None:
    table = Table(*HANDS, vendors=vendors)
    table.do("p1")
    full = replace(table.state, placed=((0, 0, 0), (4, 5, 0), (0, 0, 0)))
    moves = table.game.moves(full, 1, table.view().known)
    assert {move.verb for move in moves} == {"play"}
    spent = table.view().hand[:1] if vendors == "spend-card" else ()
    faces = [table.view().known[slot] for slot in spent]
    with pytest.raises(IllegalMove) as refusal:
        table.game.check(full, 1, Move("vendor", spent), faces)
    assert refusal.value.rule == "vendors"


# T3 to T5: the donkey.


def test_t3_the_donkey_goes_to_another_stall_in_play() -> None:
    table = Table(*HANDS)
    assert [text for text in table.offered() if text.startswith("donkey")] == [
        "donkey mango",
        "donkey pineapple",
    ]
    assert refused(table, "donkey banana") == "donkey"
    assert refused(table, "donkey durian") == "donkey", "not in play with three"


def test_t4_the_next_must_play_and_leads_with_any_card() -> None:
    table = Table(*HANDS)
    events = table.do("donkey mango")
    assert events == [Event("donkey", 0, ("banana", "mango"))]
    assert [len(hand) for hand in table.state.hands] == [10, 10, 10]
    assert len(table.offered()) == 10, "any card, and nothing else"
    assert refused(table, "vendor") == "must-play"
    assert refused(table, "donkey pineapple") == "donkey"


def test_t4_the_third_follows_that_card_or_sends_a_vendor_to_its_stall() -> None:
    table = Table(*HANDS)
    table.do("donkey mango", "p3")
    assert table.offered() == ["p10", "p5", "p6", "p7", "p8", "p9", "vendor"]
    events = table.do("vendor")
    assert events[0] == Event("vendor", 2, ("pineapple",))
    assert only(events, "takes") == [Event("takes", 1, ("pineapple-3", "pineapple", "mango", 1))]
    assert table.mover == 1, "who moved the donkey has no part in the trick"


def test_t5_the_new_trump_counts_at_once() -> None:
    table = Table("b10 b9", "p5", "m1 m2 m3 m4 m5 m6 m7 m8 m9 m10")
    events = table.do("donkey mango", "p5", "m1")
    assert only(events, "takes")[0].seat == 2
    assert table.state.donkey == "mango"


# T6: following.


def test_t6_who_plays_a_card_follows_if_able() -> None:
    table = Table(*HANDS)
    table.do("p1")
    assert table.offered() == ["p3", "p4", "vendor"]
    with pytest.raises(IllegalMove):
        table.do("m1")


def test_t6_a_vendor_may_be_sent_by_one_who_could_follow_and_by_one_who_could_not() -> None:
    table = Table("p1", "p2", "b1 b2 b3 b4 b5 b6 b7 b8 b9 b10")
    table.do("p1")
    assert "vendor" in table.offered()
    table.do("p2")
    assert "vendor" in table.offered()


def test_t6_who_has_none_plays_anything_and_proves_it() -> None:
    table = Table("p1", "b1 b2 b3 b4 b5 m1 m2 m3 m4 m5", "p2 p3")
    table.do("p1")
    assert len(table.offered()) == 11, "never obliged to trump"
    hand = table.view().hand
    played = table.slot("mango-1")
    table.do("m1")
    kept = tuple(slot for slot in hand if slot != played)
    pineapples = tuple(f"pineapple-{number}" for number in range(1, 11))
    assert table.state.claims == (Claim("follow", kept, pineapples),)


def test_t6_the_last_card_proves_nothing() -> None:
    game = tindahan()
    state = Table("p1", "b1", "p2").state
    last = state.hands[1][0]
    state = replace(
        state,
        need=Choose("turn", (1,), secret=False),
        turn=1,
        trick=((0, "pineapple-1"),),
        hands=((), (last,), ()),
    )
    assert game.check(state, 1, Move("play", (last,)), ["banana-1"]) == ()


@pytest.mark.parametrize(
    ("turns", "winner"),
    [
        (("p5", "p3", "p9"), 2),  # the highest of the fruit led
        (("p5", "m9", "p4"), 0),  # another fruit never wins
        (("p5", "b1", "p9"), 1),  # any trump does
        (("b5", "b9", "b3"), 1),  # trump led
        (("p5", "b2", "b1"), 1),  # the highest trump
    ],
)
def test_the_strongest_card_takes_the_trick_and_leads(turns: tuple[str, ...], winner: int) -> None:
    spare = iter(cards("d1 d2 d3 d4 d5 d6 d7 d8 d9 d10 m1 m2 m3 m4 m5 m6 m7 m8 l1 l2 l3 l4 l5 l6"))
    others = [f"{face[0]}{face.rpartition('-')[2]}" for face in spare]
    hands = [" ".join([turn, *others[at * 8 : at * 8 + 8]]) for at, turn in enumerate(turns)]
    table = Table(*hands, "l7 l8 l9 l10", "p1 p2")
    table.do(*turns, "vendor", "vendor")
    assert table.mover == winner
    assert table.state.tricks[winner] == 1


# T7: the end of a round.


def test_t7_the_round_ends_after_the_trick_in_which_a_hand_became_empty() -> None:
    table = Table("p1 p2 p3 p4 p5 p6 p7 p8 p9 p10", "m1 m2", "b1 b2")
    # Seat 0 leads pineapples to the end, the others send their vendors, then must play.
    for number in range(10, 1, -1):
        table.do(f"p{number}", "vendor", "vendor")
        assert table.state.round == 1
    table.do("p1")
    assert table.state.round == 1, "the hand is empty, the trick is not over"
    assert not table.state.hands[0]
    assert only(table.do("m1"), "scores") == []
    events = table.do("b1")
    assert len(only(events, "scores")) == 3
    assert table.state.round == 2


def test_a_whole_round_is_counted() -> None:
    """Ten tricks of two points; nine vendors each on one stall; nine and ten cards left."""
    table = Table("p1 p2 p3 p4 p5 p6 p7 p8 p9 p10", "m1 m2", "b1 b2")
    for number in range(10, 1, -1):
        table.do(f"p{number}", "vendor", "vendor")
    table.do("p1", "m1", "m3")
    assert table.state.scores == ((20, 3 - 9, 3 - 9),)


# T8 and T9: between rounds.


@pytest.mark.parametrize(("option", "stands"), [("bananas", "banana"), ("stays", "mango")])
def test_t8_the_donkey_begins_on_the_bananas_or_stays(option: str, stands: str) -> None:
    table = _with_donkey_on_mangoes(option)
    assert table.state.round == 2
    assert table.state.donkey == stands


def _with_donkey_on_mangoes(option: str) -> Table:
    table = Table(*HANDS, donkey=option)
    table.do("donkey mango", "p3", "p9")
    while table.state.round == 1:
        table.dealer.answer([next(m for m in table.view().moves() if m.verb == "play")])
    return table


def test_t8_a_stall_that_is_gone_leaves_the_donkey_on_the_bananas() -> None:
    game = tindahan(donkey="stays")
    state = replace(game.start(4), donkey="durian", donkey_first="durian")
    again = game.retire(state, [3]).state
    assert (again.fruits, again.donkey) == (("banana", "mango", "pineapple"), "banana")


def test_t9_vendors_return() -> None:
    table = Table(*HANDS)
    table.do("p1", "vendor", "vendor")
    table.play_on(Random(1))
    assert table.state.round == 2
    assert [table.state.vendors_left(seat) for seat in range(3)] == [VENDORS] * 3


def test_t10_the_bonus_is_where_the_donkey_stands_at_the_end() -> None:
    table = Table(*HANDS)
    table.do("p1", "vendor", "p9")
    plain = table.game.sheets(table.state)[1].stalls
    moved = table.game.sheets(replace(table.state, donkey="pineapple"))[1].stalls
    assert (plain, moved) == ((0, 0, 5), (0, 0, 6))


# T15, T17, G1: who is first, and which way it goes.


def test_t15_the_next_round_is_begun_by_the_seat_to_the_left() -> None:
    table = Table(*HANDS)
    first = []
    for _ in range(3):
        first.append((table.state.first_player, table.mover))
        table.play_on(Random(5))
    assert first == [(0, 0), (1, 1), (2, 2)]
    assert isinstance(table.state.need, Done)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_as_many_rounds_as_players(seats: int) -> None:
    table = Table(*[""] * seats)
    for _ in range(seats):
        assert table.dealer.asked
        table.play_on(Random(seats))
    assert len(table.state.scores) == seats
    assert not table.dealer.asked


def test_t17_play_goes_to_the_left_g1() -> None:
    table = Table(*[""] * 4)
    order: list[int] = []
    while table.state.round == 1 and len(order) < 4:
        order.append(table.mover)
        table.dealer.answer([table.view().moves()[-1]])
    assert order == [0, 1, 2, 3]


# T18 and T19.


def test_t18_equal_totals_share_the_victory() -> None:
    game = tindahan()
    state = replace(game.start(3), scores=((5, 7, 3), (7, 5, 3)))
    assert game.places(state) == (1, 1, 3)


def test_t19_the_number_of_tricks_and_all_vendors_are_public() -> None:
    """What was played stays in the record of open faces: to forget it is courtesy (G4)."""
    table = Table(*HANDS)
    table.do("p1", "vendor", "p9")
    spectator: Market = table.dealer.view(None).state
    assert spectator.tricks == (0, 0, 1)
    assert spectator.placed[1] == (0, 0, 1)
    assert {"pineapple-1", "pineapple-9"} <= set(spectator.faces)
