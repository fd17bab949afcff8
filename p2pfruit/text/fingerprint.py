"""Identity keys as people compare them.

The fingerprint is the first 80 bits of the key's SHA-256. It is written as 16 letters (base32.py)
and 2 check letters, in three groups of six: `CC6WTA-B6RGSP-D48JXC`. The only short form is the
first group. It tells players apart on a screen but proves nothing, since an attacker can find
another key with the same 30 bits. Only the whole fingerprint shows that a key is the right one.
"""

from hashlib import sha256

from p2pfruit.text import base32

SIZE = 10
CHECK = 2
GROUP = 6
LENGTH = 18


def fingerprint(key: bytes) -> str:
    return base32.grouped(_plain(key), GROUP)


def short(key: bytes) -> str:
    return _plain(key)[:GROUP]


def matches(text: str, key: bytes) -> bool:
    """Return True if this is the key's whole fingerprint, however it was typed."""
    return base32.fold(text) == _plain(key)


def well_typed(text: str) -> bool:
    """Return True if this can be a fingerprint; if not, a letter is wrong or missing."""
    folded = base32.fold(text)
    return len(folded) == LENGTH and base32.stray(folded) is None and base32.fits(folded, CHECK)


def _plain(key: bytes) -> str:
    return base32.with_check(base32.spell(sha256(key).digest()[:SIZE]), CHECK)
