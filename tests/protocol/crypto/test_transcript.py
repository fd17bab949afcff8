"""Every difference in what was absorbed makes another challenge."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.transcript import Context, Transcript
from tests.protocol.crypto.samples import CONTEXT, ELSEWHERE, transcript

items = st.lists(
    st.tuples(st.text(max_size=3), st.lists(st.binary(max_size=3), max_size=3)), max_size=3
)


def absorbed(rows: list[tuple[str, list[bytes]]]) -> Transcript:
    held = transcript()
    for label, parts in rows:
        held.absorb(label, *parts)
    return held


@given(items, items)
def test_digests_are_equal_only_if_everything_is(
    one: list[tuple[str, list[bytes]]], other: list[tuple[str, list[bytes]]]
) -> None:
    assert (absorbed(one).digest() == absorbed(other).digest()) == (one == other)


def test_nothing_runs_together() -> None:
    rows: list[list[tuple[str, list[bytes]]]] = [
        [("a", [b"bc"])],
        [("ab", [b"c"])],
        [("a", [b"b", b"c"])],
        [("a", [b"b"]), ("c", [])],
        [("a", [b"bc", b""])],
        [("a", []), ("bc", [])],
        [("", [b"abc"])],
    ]
    assert len({absorbed(row).digest() for row in rows}) == len(rows)


@pytest.mark.parametrize("context", ELSEWHERE)
def test_the_context_enters(context: Context) -> None:
    assert transcript(context).challenge("c") != transcript().challenge("c")


def test_the_name_enters() -> None:
    assert transcript(name="one").challenge("c") != transcript(name="two").challenge("c")


def test_the_same_row_brings_the_same_challenge() -> None:
    one, other = transcript(), transcript()
    assert one.challenge("c") == other.challenge("c")
    assert one.digest() == other.digest()


def test_a_challenge_enters_the_state() -> None:
    held = transcript()
    first, second = held.challenge("c"), held.challenge("c")
    assert first != second
    assert transcript().challenge("d") != first


def test_asking_for_one_kind_is_not_asking_for_another() -> None:
    assert transcript().challenges("c", 2) != transcript().challenges("c", 3)[:2]
    assert transcript().challenge("c") != transcript().challenges("c", 1)[0]


def test_looking_changes_nothing() -> None:
    held = transcript()
    assert held.digest() == held.digest()
    assert held.challenge("c") == transcript().challenge("c")


@given(st.binary(max_size=8))
def test_challenges_are_scalars(statement: bytes) -> None:
    held = transcript()
    held.absorb("statement", statement)
    drawn = [held.challenge("one"), *held.challenges("many", 20)]
    assert all(0 < scalar < group.ORDER for scalar in drawn)
    assert len(set(drawn)) == len(drawn)


def item(label: bytes, *parts: bytes) -> bytes:
    pieces = [label, *parts]
    sized = [len(piece).to_bytes(4, "big") + piece for piece in pieces]
    return sized[0] + len(parts).to_bytes(4, "big") + b"".join(sized[1:])


def test_it_is_as_described() -> None:
    held = Transcript("name", CONTEXT)
    held.absorb("label", b"one", b"")
    row = item(
        b"p2pfruit 2 transcript",
        b"name",
        (2).to_bytes(8, "big"),
        CONTEXT.table,
        CONTEXT.author,
        CONTEXT.step.to_bytes(8, "big"),
    )
    row += item(b"label", b"one", b"")
    assert held.digest() == hashlib.sha256(row).digest()
    row += item(b"c", (1).to_bytes(4, "big"))
    wide = hashlib.sha512(b"scalar" + hashlib.sha256(row).digest()).digest()
    assert held.challenge("c") == 1 + int.from_bytes(wide, "big") % (group.ORDER - 1)
    row += item(b"d", (2).to_bytes(4, "big"))
    stream = hashlib.shake_256(b"bits" + hashlib.sha256(row).digest()).digest(32)
    assert held.challenges("d", 2) == [group.spread(stream[:16]), group.spread(stream[16:])]
