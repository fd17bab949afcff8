"""Bytes as text that people copy: 32 letters that cannot be mistaken for each other, with a check.

The alphabet is Crockford's: digits and capitals without I, L, O and U. Typed text is folded before
it is read: case, dashes, spaces, line breaks and quotes are ignored, O is read as 0, I and L as 1.

A text with a check, read as a number in base 32 after a leading 1, is a multiple of a prime. One
wrong letter changes that number by d·32^i, two swapped neighbours change it by 31·d·32^i, with
0 < |d| < 32. Neither is a multiple of a prime above 32, so both errors are always found; and so is
every change within fewer neighbouring letters than there are check letters. Any other error, such
as missing letters, is found unless the number is a multiple of the prime by chance: of 5 check
letters one in 33 million fits, of 2 one in 1,021.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

# The largest prime that this many check letters can hold.
_PRIMES = {2: 2**10 - 3, 5: 2**25 - 39}

_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_FOLDS = str.maketrans("abcdefghjkmnpqrstuvwxyzOoIiLl", "ABCDEFGHJKMNPQRSTUVWXYZ001111")
# Spaces, dashes, quotes, angle brackets, and invisible characters that mail and chat programs add.
_BETWEEN = re.compile(
    "[\\s\\-_\u2010-\u2015\u2212'\"`\u00b4\u2018-\u201f\u00ab\u00bb<>\u00ad\u200b-\u200f\u2060\ufeff]"
)


def fold(text: str) -> str:
    """Return typed text as this module would have written it; other characters stay as they are."""
    return _BETWEEN.sub("", text).translate(_FOLDS)


def stray(folded: str) -> str | None:
    """Return the first letter that is not in the alphabet, or None."""
    return next((letter for letter in folded if letter not in _VALUES), None)


def grouped(text: str, size: int) -> str:
    return "-".join(text[at : at + size] for at in range(0, len(text), size))


def spell(data: bytes) -> str:
    return spell_bits("".join(f"{byte:08b}" for byte in data))


def spell_bits(bits: str) -> str:
    """Spell bits, given as a text of 0 and 1. They are filled up with zeros to a whole letter."""
    full = bits + "0" * (-len(bits) % 5)
    return "".join(ALPHABET[int(full[at : at + 5], 2)] for at in range(0, len(full), 5))


def read_bits(text: str) -> str:
    return "".join(f"{_VALUES[letter]:05b}" for letter in text)


def with_check(text: str, count: int) -> str:
    check = -(_number(text) << 5 * count) % _PRIMES[count]
    return text + "".join(ALPHABET[check >> 5 * at & 31] for at in reversed(range(count)))


def fits(text: str, count: int) -> bool:
    """Return True if the check letters at the end of the text fit."""
    return len(text) > count and _number(text) % _PRIMES[count] == 0


def letters_from(folded: str, start: int) -> str:
    """Return the letters of the alphabet that stand in a row from `start` on."""
    return "".join(takewhile(_VALUES.__contains__, folded[start:]))


def fitting_lengths(text: str, count: int, least: int) -> Iterator[int]:
    """Yield each length, from `least` on, at which the letters so far end with check letters."""
    rest = 1
    for length, letter in enumerate(text, 1):
        rest = (rest << 5 | _VALUES[letter]) % _PRIMES[count]
        if length >= least and not rest:
            yield length


def _number(text: str) -> int:
    number = 1
    for letter in text:
        number = number << 5 | _VALUES[letter]
    return number
