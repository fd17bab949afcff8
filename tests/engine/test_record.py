import dataclasses
from dataclasses import FrozenInstanceError, dataclass
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codec import encode
from engine.needs import EVERYONE, Choose, Deal, Done, Lot, Need, Shuffle
from engine.record import Claim, State, digest, plain, replace


@dataclass(frozen=True, kw_only=True)
class Patch(State):
    public = ("ripe", "note")

    ripe: int = 0
    note: str | None = None
    remark: str = ""  # for ourselves


START = Patch(need=Lot("rain", (2,)), seated=(0, 1), hands=((), ()))


def test_but_copies_with_changes() -> None:
    after = replace(START, ripe=3, need=Done("finished", (1, 2)))
    assert after == dataclasses.replace(START, ripe=3, need=Done("finished", (1, 2)))
    assert type(after) is Patch
    assert START.ripe == 0
    assert replace(START) == START
    assert replace(START) is not START


def test_a_copy_is_frozen_too() -> None:
    with pytest.raises(FrozenInstanceError):
        replace(START, ripe=3).ripe = 4  # type: ignore[misc]


CHANGES: list[dict[str, Any]] = [
    {"need": Lot("rain", (3,))},
    {"need": Lot("sun", (2,))},
    {"need": Choose("rain", (0,), secret=True)},
    {"need": Choose("rain", (0,), secret=False)},
    {"need": Deal("rain", ((0, 1),))},
    {"need": Deal("rain", ((0, EVERYONE),))},
    {"need": Shuffle("rain", (("fig",),))},
    {"need": Done("finished", (1, 2))},
    {"seated": (0,)},
    {"hands": ((1,), ())},
    {"hands": ((), (1,))},
    {"round": 2},
    {"scores": ((1, 2),)},
    {"scores": ((2, 1),)},
    {"scores": ((1,), (2,))},
    {"made": 1},
    {"piles": (("fig",),)},
    {"faces": (None,)},
    {"faces": ("fig",)},
    {"claims": (Claim("follow", (1,), ("fig",)),)},
    {"ripe": 1},
    {"note": ""},
    {"note": "n"},
]


def test_the_digest_fixes_every_field() -> None:
    digests = [digest(START), *(digest(replace(START, **change)) for change in CHANGES)]
    assert {len(one) for one in digests} == {32}
    assert len(set(digests)) == len(digests)


@given(st.sampled_from(CHANGES), st.sampled_from(CHANGES))
def test_equal_states_have_equal_digests(one: dict[str, Any], two: dict[str, Any]) -> None:
    ahead, behind = replace(replace(START, **one), **two), replace(replace(START, **two), **one)
    assert (ahead == behind) == (digest(ahead) == digest(behind))


def test_the_digest_covers_public_values_and_no_layout() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Bed(State):
        public = ("ripe", "note")

        note: str | None = None
        ripe: int = 0

    assert digest(replace(START, remark="other")) == digest(START)
    assert digest(Bed(need=START.need, seated=(0, 1), hands=((), ()))) == digest(START)


def test_the_digest_is_frozen() -> None:
    """Peers of different versions sign the same bytes for the same state."""
    whole = b"ll3:lot4:rainli2eeeli0ei1eelleleei1elei0elelelell4:ripei0eel4:noteneee"
    assert digest(START) == sha256(b"p2pfruit state 2\n" + whole).digest()


@pytest.mark.parametrize(
    ("need", "written"),
    [
        (Shuffle("deck", (("a", "b"), ("c",))), b"l7:shuffle4:deckll1:a1:bel1:ceee"),
        (Deal("river", ((3, 1), (4, EVERYONE))), b"l4:deal5:riverlli3ei1eeli4eneee"),
        (Choose("card", (0, 2), secret=True), b"l6:choose4:cardli0ei2eei1ee"),
        (Choose("card", (1,), secret=False), b"l6:choose4:cardli1eei0ee"),
        (Lot("rain", (2, 5)), b"l3:lot4:rainli2ei5eee"),
        (Done("finished", (1, 2)), b"l4:done8:finishedli1ei2eee"),
    ],
)
def test_needs_as_they_are_signed(need: Need, written: bytes) -> None:
    assert encode(plain(replace(START, need=need)))[1:].startswith(written)


def test_claims_and_scores_as_they_are_signed() -> None:
    state = replace(START, claims=(Claim("follow", (1,), ("fig",)),), scores=((-2, 0),))
    written = encode(plain(state))
    assert b"ll6:followli1eel3:figeee" in written
    assert b"lli-2ei0eee" in written


def test_first_is_where_the_slots_of_the_round_begin() -> None:
    assert START.first == 0
    assert replace(START, made=10, faces=("fig", None, None)).first == 7


def test_total_adds_the_finished_rounds() -> None:
    state = replace(START, scores=((1, 20), (300, 4000)))
    assert [state.total(seat) for seat in (0, 1)] == [301, 4020]
    assert START.total(1) == 0
