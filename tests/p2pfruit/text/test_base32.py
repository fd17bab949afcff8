"""Letters that people copy: both ways, and every slip found that the check promises to find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.text import base32

CHECKS = pytest.mark.parametrize("count", [2, 5])


@given(st.binary(max_size=60))
def test_what_is_spelled_is_read(data: bytes) -> None:
    text = base32.spell(data)
    assert base32.stray(text) is None
    bits = base32.read_bits(text)
    assert int(bits or "0", 2) == int.from_bytes(data) << len(bits) - 8 * len(data)


@given(st.text("01", max_size=200))
def test_bits_are_filled_up_to_whole_letters(bits: str) -> None:
    read = base32.read_bits(base32.spell_bits(bits))
    assert read.startswith(bits)
    assert len(read) % 5 == 0
    assert set(read[len(bits) :]) <= {"0"}
    assert len(read) - len(bits) < 5


@given(st.text(base32.ALPHABET, max_size=40))
def test_letters_are_spelled_as_they_were_read(text: str) -> None:
    assert base32.spell_bits(base32.read_bits(text)) == text


def test_known_values() -> None:
    assert base32.spell(b"") == ""
    assert base32.spell(bytes(1)) == "00"
    assert base32.spell(b"\xff") == "ZW"
    assert base32.spell_bits("") == ""
    assert base32.spell_bits("1") == "G"
    assert base32.spell_bits("00100" + "11111" + "1") == "4ZG"
    assert base32.read_bits("4ZG") == "001001111110000"


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
    text = base32.with_check("000ABC", 5)
    assert not base32.fits(text[1:], 5)
    assert not base32.fits("0" + text, 5)


@CHECKS
@given(data=st.data())
def test_a_change_of_few_neighbours_is_always_found(count: int, data: st.DataObject) -> None:
    letters = st.text(base32.ALPHABET, min_size=count, max_size=40)
    text = base32.with_check(data.draw(letters), count)
    at = data.draw(st.integers(0, len(text) - (count - 1)))
    other = data.draw(st.text(base32.ALPHABET, min_size=count - 1, max_size=count - 1))
    changed = text[:at] + other + text[at + count - 1 :]
    assert base32.fits(changed, count) == (changed == text)


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
