"""The short form of an identity key, for people who compare two of them."""

from hashlib import sha256

DIGITS = 20
GROUP = 4


def fingerprint(key: bytes) -> str:
    """The first 80 bits of the key's SHA-256 as hexadecimal digits, in groups of four."""
    digits = sha256(key).hexdigest()[:DIGITS]
    return " ".join(digits[at : at + GROUP] for at in range(0, DIGITS, GROUP))
