"""What trick games share: following, what is claimed by not following, and the strongest card."""

import pytest

from engine import registry
from engine.moves import Move
from engine.record import Claim
from engine.tricks import FOLLOW, around, force, number, play, playable, suit, unable
from tests.engine.tindahan.rigging import tindahan

DECK = tuple(f"{fruit}-{n}" for fruit in ("banana", "mango", "passion-fruit") for n in (1, 2, 10))
KNOWN = {4: "mango-1", 2: "banana-10", 9: "banana-2", 7: "passion-fruit-1"}


def test_a_face_is_a_suit_and_a_number() -> None:
    assert [suit(face) for face in DECK[::3]] == ["banana", "mango", "passion-fruit"]
    assert [number(face) for face in DECK[:3]] == [1, 2, 10]


@pytest.mark.parametrize(
    ("led", "slots"),
    [(None, [2, 4, 7, 9]), ("banana", [2, 9]), ("mango", [4]), ("durian", [2, 4, 7, 9])],
)
def test_who_has_the_suit_plays_it(led: str | None, slots: list[int]) -> None:
    assert playable(KNOWN, KNOWN, led) == slots


def test_a_card_is_played_by_its_slot() -> None:
    assert play(9999) == Move("play", (9999,))


def test_who_does_not_follow_claims_that_the_rest_of_the_hand_could_not() -> None:
    hand = (4, 7, 2)
    claim = Claim(FOLLOW, (7, 2), ("mango-1", "mango-2", "mango-10"))
    assert unable(hand, 4, "passion-fruit-1", "mango", DECK) == (claim,)


def test_nothing_is_claimed_by_leading_by_following_or_with_the_last_card() -> None:
    assert unable((4, 7), 4, "mango-1", None, DECK) == ()
    assert unable((4, 7), 4, "mango-1", "mango", DECK) == ()
    assert unable((4,), 4, "mango-1", "banana", DECK) == ()


def test_trump_beats_what_was_led_and_that_beats_the_rest() -> None:
    def ranked(trump: str | None) -> list[str]:
        cards = ["mango-2", "mango-10", "banana-1", "passion-fruit-10"]
        return sorted(cards, key=lambda face: force(face, "mango", trump), reverse=True)

    assert ranked("banana")[:3] == ["banana-1", "mango-10", "mango-2"]
    assert ranked("mango")[:2] == ranked(None)[:2] == ["mango-10", "mango-2"]


def test_around_passes_over_an_empty_seat() -> None:
    game = tindahan()
    assert around(game.start(4).seated, 2) == (2, 3, 0, 1)
    assert around(game.retire(game.start(5), [2]).state.seated, 2) == (3, 4, 0, 1)


@pytest.mark.parametrize(
    ("name", "seats", "most"),
    # All cards of a hand but the one that is played, and in Bastos the Bastos.
    [("tindahan", 3, 9), ("tindahan", 5, 9), ("bastos", 3, 10), ("bastos", 4, 10)],
)
def test_of_how_many_cards_claims_are_proved(name: str, seats: int, most: int) -> None:
    """What is said here is checked against whole games by the conformance suite."""
    assert registry.build(name).claimed_most(seats) == most


@pytest.mark.parametrize("name", ["tindahan", "bastos"])
def test_a_claim_is_about_a_fruit(name: str) -> None:
    assert registry.build(name).suit("mango-7") == "mango"
