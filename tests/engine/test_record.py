import dataclasses
from dataclasses import FrozenInstanceError, dataclass
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.needs import Choose, Done, Lot
from engine.record import Claim, State, digest, replace


@dataclass(frozen=True, kw_only=True)
class Patch(State):
    ripe: int = 0
    note: str | None = None


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


def test_the_digest_names_the_type_of_state() -> None:
    assert digest(State(need=START.need, seated=(), hands=())) != digest(
        replace(START, seated=(), hands=())
    )


def test_the_digest_is_frozen() -> None:
    """Peers of different versions sign the same bytes for the same state."""
    whole = b"r5:Patchr3:Lot4:rainli2eeeli0ei1eelleleei1elei0elelelei0ene"
    assert digest(START) == sha256(b"p2pfruit state 2\n" + whole).digest()


def test_first_is_where_the_slots_of_the_round_begin() -> None:
    assert START.first == 0
    assert replace(START, made=10, faces=("fig", None, None)).first == 7


def test_total_adds_the_finished_rounds() -> None:
    state = replace(START, scores=((1, 20), (300, 4000)))
    assert [state.total(seat) for seat in (0, 1)] == [301, 4020]
    assert START.total(1) == 0
