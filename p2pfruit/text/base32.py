"""Bytes that people copy: 32 letters that cannot be mistaken for each other, with a check.

The alphabet is Crockford's: digits and capitals without I, L, O and U. What somebody typed is
folded before it is read: case, dashes, spaces, line breaks and quotes mean nothing, O is 0, I and L
are 1.

A text with a check, read as a number in base 32 after a leading 1, is a multiple of a prime. One
wrong letter changes that number by d·32^i, two swapped neighbours by 31·d·32^i, with 0 < |d| < 32:
never a multiple of a prime above 32, so both are always found. Anything else, a cut too, is found
unless chance meets the prime.
"""

import re

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

# The largest prime that so many check letters can hold.
_PRIMES = {2: 2**10 - 3, 6: 2**30 - 35}

_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_FOLDS = str.maketrans("abcdefghjkmnpqrstuvwxyzOoIiLl", "ABCDEFGHJKMNPQRSTUVWXYZ001111")
# Spaces, dashes, quotes, angle brackets, and what mail and chat programs put in unseen.
_BETWEEN = re.compile(
    "[\\s\\-_\u2010-\u2015\u2212'\"`\u00b4\u2018-\u201f\u00ab\u00bb<>\u00ad\u200b-\u200f\u2060\ufeff]"
)


def fold(text: str) -> str:
    """What was typed, as it would have been written; letters of no alphabet stay as they are."""
    return _BETWEEN.sub("", text).translate(_FOLDS)


def stray(folded: str) -> str | None:
    """The first letter that does not belong here."""
    return next((letter for letter in folded if letter not in _VALUES), None)


def grouped(text: str, size: int) -> str:
    return "-".join(text[at : at + size] for at in range(0, len(text), size))


def spell(data: bytes) -> str:
    count = (8 * len(data) + 4) // 5
    number = int.from_bytes(data) << (5 * count - 8 * len(data))
    return "".join(ALPHABET[number >> 5 * at & 31] for at in reversed(range(count)))


def read(text: str) -> bytes | None:
    """The bytes that are spelled like this; None if no bytes are."""
    size = 5 * len(text) // 8
    number = _number(text) - (1 << 5 * len(text))
    data = (number >> (5 * len(text) - 8 * size)).to_bytes(size)
    return data if spell(data) == text else None


def with_check(text: str, count: int) -> str:
    check = -(_number(text) << 5 * count) % _PRIMES[count]
    return text + "".join(ALPHABET[check >> 5 * at & 31] for at in reversed(range(count)))


def fits(text: str, count: int) -> bool:
    """Whether the check letters at its end fit."""
    return len(text) > count and _number(text) % _PRIMES[count] == 0


def _number(text: str) -> int:
    number = 1
    for letter in text:
        number = number << 5 | _VALUES[letter]
    return number
