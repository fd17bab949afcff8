"""Onion addresses of version 3, which are the public keys of onion services.

    host     base32(key | checksum | version) in lower case, then ".onion"
    key      32 bytes, an Ed25519 public key
    checksum the first 2 bytes of SHA3-256(".onion checksum" | key | version)
    version  one byte, 3

So 32 bytes say all of it. `pack` and `unpack` are a pair: each undoes the other, and both refuse
with BadOnion what is no such address. Names below an onion address (`www.….onion`) are refused too.
"""

import base64
from hashlib import sha3_256

KEY_SIZE = 32
_VERSION = b"\3"
_CHECKSUM_SIZE = 2
_SUFFIX = ".onion"
# 35 bytes are 56 letters exactly, so there is one spelling of each.
_LETTERS = 8 * (KEY_SIZE + _CHECKSUM_SIZE + len(_VERSION)) // 5
_ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz234567")


class BadOnion(ValueError):
    """This is no onion address of version 3."""


def unpack(key: bytes) -> str:
    """Return the host of the onion service with this key."""
    if len(key) != KEY_SIZE:
        raise BadOnion("a key of another size")
    return base64.b32encode(key + _checksum(key) + _VERSION).decode("ascii").lower() + _SUFFIX


def pack(host: str) -> bytes:
    """Return the key of the onion service at this host, if all of the address is right."""
    letters = host.removesuffix(_SUFFIX)
    if letters == host or len(letters) != _LETTERS or not _ALPHABET.issuperset(letters):
        raise BadOnion("not the form of an onion address")
    data = base64.b32decode(letters.upper())
    key, checksum, version = data[:KEY_SIZE], data[KEY_SIZE:-1], data[-1:]
    if version != _VERSION:
        raise BadOnion("an onion address of another version")
    if checksum != _checksum(key):
        raise BadOnion("a mistyped onion address")
    return key


def _checksum(key: bytes) -> bytes:
    return sha3_256(b".onion checksum" + key + _VERSION).digest()[:_CHECKSUM_SIZE]
