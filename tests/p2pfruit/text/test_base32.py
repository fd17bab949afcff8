"""Letters that people copy: both ways, and every slip found that the check promises to find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.text import base32

CHECKS = pytest.mark.parametrize("count", [2, 6])


@given(st.binary(max_size=60))
def test_what_is_spelled_is_read(data: bytes) -> None:
    text = base32.spell(data)
    assert base32.stray(text) is None
    assert base32.read(text) == data


@given(st.text(base32.ALPHABET, max_size=40))
def test_nothing_else_is_read(text: str) -> None:
    data = base32.read(text)
    assert data is None or base32.spell(data) == text


def test_known_values() -> None:
    assert base32.spell(b"") == ""
    assert base32.spell(bytes(1)) == "00"
    assert base32.spell(b"\xff") == "ZW"
    assert base32.read("ZZ") is None  # a bit too many
    assert base32.read("000") is None  # a letter too many


@CHECKS
@given(data=st.data())
def test_one_wrong_letter_and_two_swapped_are_always_found(count: int, data: st.DataObject) -> None:
    text = base32.with_check(data.draw(st.text(base32.ALPHABET, min_size=1)), count)
    assert base32.fits(text, count)
    for at, right in enumerate(text):
        for wrong in set(base32.ALPHABET) - {right}:
            assert not base32.fits(text[:at] + wrong + text[at + 1 :], count)
        pair = text[at : at + 2][::-1]
        swapped = text[:at] + pair + text[at + 2 :]
        assert base32.fits(swapped, count) == (swapped == text)


@CHECKS
def test_the_check_has_a_prime_below_its_room(count: int) -> None:
    prime = base32._PRIMES[count]
    assert all(prime % factor for factor in range(2, int(prime**0.5) + 1))
    assert 32 < prime <= 32**count


def test_zeros_at_the_beginning_count() -> None:
    text = base32.with_check("000ABC", 6)
    assert not base32.fits(text[1:], 6)
    assert not base32.fits("0" + text, 6)


@CHECKS
def test_a_check_of_nothing_is_none(count: int) -> None:
    assert not base32.fits(base32.with_check("", count), count)
    assert not base32.fits("", count)


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("ab-cd", "ABCD"),
        (" oO0 iI1 lL\n", "00011111"),
        ("“A–B\u200b”\u00a0'C'", "ABC"),
        ("<A_B>", "AB"),
        ("u", "U"),
        ("ß\u0131\u017f", "ß\u0131\u017f"),  # what upper() would make letters of ours
    ],
)
def test_fold(typed: str, means: str) -> None:
    assert base32.fold(typed) == means


def test_stray() -> None:
    assert base32.stray("ABU!") == "U"
    assert base32.stray("AB") is None
    assert base32.grouped("ABCDEFG", 3) == "ABC-DEF-G"
