"""What the base of every game does, seen with a game that does nothing itself."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine import registry
from engine.codec import encode
from engine.content import Content
from engine.errors import BadOutcome, BadRecord, BadSeats, IllegalMove
from engine.game import Game
from engine.moves import Choice, Event, Move, Outcome, Step, Tell
from engine.needs import EVERYONE, Choose, Deal, Done, Face, Lot, Need, Seat, Shuffle, Slot, ask
from engine.record import Claim, State, replace
from engine.registry import SHIPPED
from tests.games.brambles import Brambles
from tests.games.brambles import content as brambles

NOTHING = Content("nothing", True, "", {})
OVER = Done("finished", (1, 1, 1))


class Barrow(Game[State]):
    """Tells what each answer was. Who turns up cards claims to keep no fig."""

    name = "barrow"
    version = 1
    seats = range(2, 4)
    state_type = State

    def again(self, state: State, tell: Tell) -> State:
        tell("again")
        return replace(self.clear(state), need=Shuffle("piles", (("fig",),)))

    def moves(self, state: State, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        return [Move("push")]

    def claims(
        self, state: State, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        if move.verb == "stay":
            raise IllegalMove("push", "a barrow is pushed")
        return (Claim("fig", state.hands[seat], ("fig",)),) if move.cards else ()

    def after_piles(self, state: State, piles: Sequence[range], tell: Tell) -> State:
        tell("piles", None, *((slots.start, slots.stop) for slots in piles))
        return replace(state, need=OVER)

    def after_cards(self, state: State, faces: tuple[Face, ...], tell: Tell) -> State:
        tell("cards", None, *faces)
        return replace(state, need=OVER)

    def after_push(self, state: State, choices: list[Choice], tell: Tell) -> State:
        for seat, move, faces in choices:
            tell("push", seat, str(move), *faces)
        return replace(state, need=OVER)

    def after_lots(self, state: State, lots: tuple[int, ...], tell: Tell) -> State:
        tell("lots", None, *lots)
        return replace(state, need=OVER)


BARROW = Barrow(NOTHING)


def table(need: Need, **fields: Any) -> State:
    return replace(State(need=need, seated=(0, 1, 2), hands=((), (), ())), **fields)


def dealt(need: Need) -> State:
    """Two piles from slot 100 on; some cards in hands, and the last one open."""
    return table(
        need,
        made=108,
        piles=(("fig", "fig", "plum", "pear", "lime"), ("jar", "fig", "cup")),
        faces=(None,) * 7 + ("cup",),
        hands=((100, 101), (102,), (103, 105)),
    )


# Each need moves the cards.


def test_a_shuffle_numbers_slots_on() -> None:
    need = Shuffle("piles", (("fig", "pear"), ("jar",)))
    step = BARROW.step(table(need, made=7), Outcome())
    assert step.events == (Event("piles", None, ((7, 9), (9, 10))),)
    assert step.state == table(OVER, made=10, piles=need.piles, faces=(None,) * 3)


def test_a_second_shuffle_adds_to_the_round() -> None:
    state = dealt(Shuffle("piles", (("nut", "nut"),)))
    step = BARROW.step(state, Outcome())
    assert step.state.piles == (*state.piles, ("nut", "nut"))
    assert step.state.faces == (*state.faces, None, None)
    assert (step.state.first, step.state.made) == (100, 110)
    assert step.events == (Event("piles", None, ((108, 110),)),)


def test_a_deal_fills_hands_and_turns_up() -> None:
    need = Deal("cards", ((104, 0), (106, EVERYONE), (102, EVERYONE)))
    step = BARROW.step(dealt(need), Outcome(faces=("jar", "fig")))
    assert step.state.hands == ((100, 101, 104), (), (103, 105))
    assert step.state.faces == (None, None, "fig", None, None, None, "jar", "cup")
    assert step.events == (Event("cards", None, ("jar", "fig")),)


def test_a_deal_to_hands_alone_shows_nothing() -> None:
    state = dealt(Deal("cards", ((104, 1), (106, 1))))
    step = BARROW.step(state, Outcome())
    assert step.state.hands == ((100, 101), (102, 104, 106), (103, 105))
    assert step.state.faces == state.faces


def test_a_choice_turns_up_the_cards_of_all_moves() -> None:
    need = Choose("push", (2, 0), secret=True)
    moves = (Move("push", (105, 103)), Move("push", (101,), ("far",)))
    step = BARROW.step(dealt(need), Outcome(moves, ("jar", "lime", "fig")))
    assert step.state.hands == ((100,), (102,), ())
    assert step.state.faces == (None, "fig", None, "lime", None, "jar", None, "cup")
    assert step.events == (
        Event("push", 2, ("push #105 #103", "jar", "lime")),
        Event("push", 0, ("push #101 far", "fig")),
    )
    claims = (Claim("fig", (103, 105), ("fig",)), Claim("fig", (100, 101), ("fig",)))
    assert step.claims == claims
    assert step.state.claims == claims


def test_claims_add_up_within_a_round() -> None:
    before = Claim("fig", (103,), ("plum",))
    state = replace(dealt(Choose("push", (1,), secret=False)), claims=(before,))
    step = BARROW.step(state, Outcome((Move("push", (102,)),), ("fig",)))
    assert step.claims == (Claim("fig", (102,), ("fig",)),)
    assert step.state.claims == (before, *step.claims)


@pytest.mark.parametrize(
    ("before", "left"),
    [
        ((Claim("fig", (100,), ("fig", "plum")),), (101,)),
        ((Claim("other rule", (100,), ("fig",)),), (101,)),
        ((Claim("fig", (101,), ("fig",)), Claim("fig", (100,), ("fig",))), ()),
        # Neither what is no face of the claim, nor a part of its faces.
        ((Claim("fig", (100,), ("plum",)), Claim("fig", (101,), ())), (100, 101)),
    ],
)
def test_a_claim_says_only_what_is_new(before: tuple[Claim, ...], left: tuple[Slot, ...]) -> None:
    state = replace(dealt(Choose("push", (0,), secret=False)), claims=before)
    move = Move("push", (101,))
    claims = (Claim("fig", left, ("fig",)),) if left else ()
    assert BARROW.check(state, 0, move, ("fig",)) == claims
    assert BARROW.step(state, Outcome((move,), ("fig",))).state.claims == before + claims


def test_two_earlier_claims_do_not_add_up() -> None:
    """Each shows a part of the faces: together they would do, but one must do alone."""

    class Both(Barrow):
        def claims(
            self, state: State, seat: Seat, move: Move, faces: Sequence[Face]
        ) -> tuple[Claim, ...]:
            return (Claim("fig", state.hands[seat], ("fig", "plum")),)

    before = (Claim("fig", (100,), ("fig",)), Claim("fig", (100,), ("plum",)))
    state = replace(dealt(Choose("push", (0,), secret=False)), claims=before)
    [claim] = Both(NOTHING).check(state, 0, Move("push", (101,)), ("fig",))
    assert claim.slots == (100, 101)


def test_a_game_that_says_nothing_of_claims_proves_none_and_each_face_is_a_suit() -> None:
    assert BARROW.claimed_most(3) == 0
    assert BARROW.suit("fig") == "fig"


def test_a_choice_without_cards_moves_none() -> None:
    state = dealt(Choose("push", (1, 2), secret=False))
    step = BARROW.step(state, Outcome((Move("push"), Move("push"))))
    assert step.state == replace(state, need=OVER)
    assert step.claims == ()


def test_lots_are_handed_on() -> None:
    step = BARROW.step(table(Lot("lots", (3, 1, 6))), Outcome(lots=(2, 0, 5)))
    assert step.events == (Event("lots", None, (2, 0, 5)),)


# What does not fit.

CHOICE = Choose("push", (2, 0), secret=True)
PUSHES = (Move("push", (105,)), Move("push", (100, 101)))


@pytest.mark.parametrize(
    ("need", "outcome", "why"),
    [
        (
            Shuffle("piles", (("fig",),)),
            Outcome(faces=("fig",)),
            "a shuffle has no visible outcome",
        ),
        (
            Deal("cards", ((104, 0), (106, EVERYONE))),
            Outcome(faces=("jar", "fig")),
            "1 cards are turned up, not 2",
        ),
        (
            Deal("cards", ((104, 0), (106, EVERYONE))),
            Outcome(faces=("jar",), lots=(1,)),
            "cards turns up 1 cards and nothing else",
        ),
        (
            Deal("cards", ((104, EVERYONE),)),
            Outcome(faces=("jar",)),
            "'jar' is not in the pile of card #104",
        ),
        (
            Deal("cards", ((106, EVERYONE),)),
            Outcome(faces=("cup",)),
            "'cup' is not among the closed cards of its pile",
        ),
        (
            Deal("cards", ((100, EVERYONE), (101, EVERYONE), (104, EVERYONE))),
            Outcome(faces=("fig", "fig", "fig")),
            "'fig' is not among the closed cards of its pile",
        ),
        (
            Deal("cards", ((107, EVERYONE),)),
            Outcome(faces=("cup",)),
            "card #107 lies open already",
        ),
        (CHOICE, Outcome(PUSHES[:1], ("jar",)), "push is chosen by 2 seats and nothing else"),
        (CHOICE, Outcome(PUSHES, lots=(1,)), "push is chosen by 2 seats and nothing else"),
        (CHOICE, Outcome(PUSHES, ("jar", "fig")), "3 cards are turned up, not 2"),
        (CHOICE, Outcome(PUSHES, ()), "3 cards are turned up, not 0"),
        (
            CHOICE,
            Outcome(PUSHES, ("jar", "fig", "fig", "fig")),
            "3 cards are turned up, not 4",
        ),
        (
            CHOICE,
            Outcome(PUSHES, ("jar", "plum", "plum")),
            "'plum' is not among the closed cards of its pile",
        ),
        (CHOICE, Outcome(PUSHES, ("jar", "fig", "jar")), "'jar' is not in the pile of card #101"),
        (Lot("lots", (3, 2)), Outcome(lots=(1,)), "lots draws 2 numbers and nothing else"),
        (
            Lot("lots", (3,)),
            Outcome(faces=("fig",), lots=(1,)),
            "lots draws 1 numbers and nothing else",
        ),
        (Lot("lots", (3,)), Outcome(lots=(3,)), "3 is not a number from 0 to 2"),
        (Lot("lots", (3,)), Outcome(lots=(-1,)), "-1 is not a number from 0 to 2"),
        (Lot("lots", (3,)), Outcome(lots=(True,)), "True is not a number from 0 to 2"),
        (OVER, Outcome(), "the game is over and needs nothing"),
    ],
)
def test_an_outcome_that_does_not_fit(need: Need, outcome: Outcome, why: str) -> None:
    with pytest.raises(BadOutcome) as refusal:
        BARROW.step(dealt(need), outcome)
    assert str(refusal.value) == why


@pytest.mark.parametrize(
    ("seat", "text", "rule", "why"),
    [
        (1, "push", "turn", "seat 1 is not asked to choose now (rule: turn)"),
        (7, "push", "turn", "seat 7 is not asked to choose now (rule: turn)"),
        (0, "push #102", "hand", "card #102 is not in seat 0's hand: #100 #101 (rule: hand)"),
        (0, "push #104", "hand", "card #104 is not in seat 0's hand: #100 #101 (rule: hand)"),
        (2, "push #105 #107", "hand", "card #107 is not in seat 2's hand: #103 #105 (rule: hand)"),
        (0, "stay", "push", "a barrow is pushed (rule: push)"),
    ],
)
def test_a_move_that_all_can_see_is_illegal(seat: Seat, text: str, rule: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        BARROW.check(dealt(CHOICE), seat, Move.parse(text), [])
    assert refusal.value.rule == rule
    assert str(refusal.value) == why


def test_an_empty_hand_has_no_card() -> None:
    state = replace(dealt(CHOICE), hands=((), (), ()))
    with pytest.raises(IllegalMove, match="card #100 is not in seat 0's hand: no card"):
        BARROW.check(state, 0, Move("push", (100,)), ["fig"])


@pytest.mark.parametrize(
    "need", [Shuffle("piles", (("fig",),)), Deal("cards", ()), Lot("lots", (2,)), OVER]
)
def test_nobody_moves_where_nobody_is_asked(need: Need) -> None:
    with pytest.raises(IllegalMove, match="seat 0 is not asked"):
        BARROW.check(dealt(need), 0, Move("push"), [])


# Seats and places.


@pytest.mark.parametrize("name", SHIPPED)
def test_who_is_not_asked_has_no_move(name: str) -> None:
    game = registry.build(name)
    seats = game.seats[0]
    assert game.moves(game.start(seats), seats, {}) == []


@pytest.mark.parametrize("seats", [-1, 0, 1, 4, 99])
def test_too_few_or_too_many(seats: int) -> None:
    with pytest.raises(BadSeats) as refusal:
        BARROW.check_seats(seats)
    assert str(refusal.value) == f"barrow is for 2 to 3 players, not {seats}"


@pytest.mark.parametrize("seats", [2, 3])
def test_as_many_as_can_play(seats: int) -> None:
    BARROW.check_seats(seats)


@pytest.mark.parametrize(
    ("seated", "scores", "places"),
    [
        ((0, 1, 2), (), (1, 1, 1)),
        ((0, 1, 2), ((5, 7, 6),), (3, 1, 2)),
        ((0, 1, 2), ((5, 7, 6), (2, 0, 0)), (1, 1, 3)),
        ((0, 1, 2), ((5, 5, 7),), (2, 2, 1)),
        ((0, 2), ((5, 99, 7),), (2, 3, 1)),
        ((1,), ((5, 0, 7),), (3, 1, 2)),
        ((), ((5, 0, 5),), (1, 3, 1)),
    ],
)
def test_places(
    seated: tuple[Seat, ...], scores: tuple[tuple[int, ...], ...], places: tuple[int, ...]
) -> None:
    state = table(OVER, seated=seated, scores=scores)
    assert BARROW.places(state) == places
    assert BARROW.finish(state).need == Done("finished", places)


def test_a_tie_is_broken_among_those_who_stayed() -> None:
    class Tiebreaker(Barrow):
        def standing(self, state: State, seat: Seat) -> tuple[int, ...]:
            return state.total(seat), state.scores[-1][seat]

    scores = ((4, 3, 2, 1), (1, 2, 3, 4))
    state = replace(table(OVER), hands=((),) * 4, scores=scores)
    assert Tiebreaker(NOTHING).places(replace(state, seated=(0, 1, 2, 3))) == (4, 3, 2, 1)
    assert Tiebreaker(NOTHING).places(replace(state, seated=(0, 1))) == (2, 1, 3, 3)


# Leaving.


def test_a_round_begins_again_for_those_who_stay() -> None:
    state = replace(dealt(CHOICE), scores=((1, 2, 3),), claims=(Claim("fig", (100,), ("fig",)),))
    step = BARROW.retire(state, [1])
    assert step.events == (Event("left", 1), Event("again"))
    assert step.claims == ()
    assert step.state == table(
        Shuffle("piles", (("fig",),)), seated=(0, 2), scores=((1, 2, 3),), made=108
    )


def test_with_too_few_left_it_is_over() -> None:
    state = replace(dealt(CHOICE), scores=((1, 2, 3),))
    step = BARROW.retire(state, [2, 1])
    assert step.events == (Event("left", 1), Event("left", 2), Event("abandoned"))
    assert step.state == table(
        Done("abandoned", (1, 3, 2)), seated=(0,), scores=((1, 2, 3),), made=108
    )


def test_leaving_a_game_that_is_over_changes_nothing() -> None:
    step = BARROW.retire(dealt(OVER), [0, 1, 2])
    assert step.state == dealt(OVER)
    assert step.events == ()


@pytest.mark.parametrize("gone", [[], [1], [7, -1]])
def test_nothing_happens_if_nobody_seated_leaves(gone: list[Seat]) -> None:
    state = replace(dealt(CHOICE), seated=(0, 2))
    assert BARROW.retire(state, gone) == Step(state, ())


# The rest.


def test_a_game_without_rules_says_so() -> None:
    class Bare(Game[State]):
        name = "bare"
        version = 1
        seats = range(2, 3)
        state_type = State

    bare = Bare(NOTHING)
    state = table(CHOICE)
    with pytest.raises(NotImplementedError):
        bare.start(2)
    with pytest.raises(NotImplementedError):
        bare.moves(state, 2, {})
    with pytest.raises(NotImplementedError):
        bare.check(state, 2, Move("push"), [])
    with pytest.raises(NotImplementedError):
        bare.retire(state, [2])


def test_a_game_reads_its_own_states_alone() -> None:
    hedge = Brambles(brambles()).start(2)
    assert Brambles(brambles()).load(encode(hedge)) == hedge
    with pytest.raises(BadRecord, match="no record is called 'Hedge'"):
        BARROW.load(encode(hedge))


def test_a_question_to_one_seat_is_in_the_open() -> None:
    assert ask("anything", 3) == Choose("anything", (3,), secret=False)
