"""The group: secp256k1, written additively. The only module that knows libsecp256k1.

The curve is y² = x³ + 7 over the integers mod p = 2²⁵⁶ − 2³² − 977, with the standard base point G.
Its order q is prime, so every point on it is a multiple of G and there are no small subgroups.

A point is 33 bytes: 02 (even y) or 03 (odd y), then x in 32 bytes, big-endian, below p. The
identity has no encoding. A scalar is 32 bytes, big-endian, from 1 to q − 1; in Python it is an int.
Nothing else is accepted. A calculation that ends in the identity raises Degenerate. Honest
calculations never do; to a verifier it means that the proof is false.

Hash to point: hash_to_point(label, *parts) is the point with an even y whose x is the first of

    SHA-256( "p2pfruit 2 point" ‖ L(label) ‖ n ‖ L(part 1) ‖ … ‖ L(part n) ‖ i ),   i = 0, 1, 2 …

that is the x of a point at all. L(s) is the length of s in four bytes, then s; the label is UTF-8;
n and i take four bytes; numbers are big-endian. The time it takes varies, so its inputs must be
public. No one knows a logarithm of such a point, to the base G or to another such point.

Hash to scalar: hash_to_scalar(label, *parts) is 1 + h mod (q − 1), with the number h =

    SHA-512( "p2pfruit 2 scalar" ‖ L(label) ‖ n ‖ L(part 1) ‖ … ‖ L(part n) )

Half-length scalars: the curve maps (x, y) to (βx, y), which is multiplication by LAMBDA. A scalar
a + b·LAMBDA with a and b of 64 bits carries 128 bits and costs two thirds of a multiplication,
because the library splits it back into its halves. Where 128 bits of challenge are enough, spread()
makes such a scalar from 16 bytes. Different bytes give different scalars, and none is zero.

Time: as far as Python can promise, the time of base() does not depend on its scalar. The time of
every other multiplication may. A long-lived secret scalar therefore goes through times_secret(),
and so does a scalar whose leaked bits would add up to one. times_secret() multiplies with two
numbers, each of which is random by itself.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256, sha512
from typing import Any

from btclib_libsecp256k1 import ffi, lib
from btclib_libsecp256k1.context import ctx as _context

from protocol.errors import RemoteProtocolError

ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
LAMBDA = 0x5363AD4CC05C30E0A5261C028812645A122E22EA20816678DF02967C1B23BD72

POINT_BYTES = 33
SCALAR_BYTES = 32
SPREAD_BYTES = 16

_POINT_DOMAIN = b"p2pfruit 2 point"
_SCALAR_DOMAIN = b"p2pfruit 2 scalar"

# _context is seeded by the library, which uses the seed to blind multiples of G.
_new = ffi.new
_copy = ffi.memmove
_STRUCT = ffi.typeof("secp256k1_pubkey *")
_POINTERS = ffi.typeof("secp256k1_pubkey *[]")
_BUFFER = ffi.typeof("unsigned char[33]")
_LENGTH = ffi.typeof("size_t *")
_STRUCT_BYTES = 64
_COMPRESSED = 0x102  # SECP256K1_EC_COMPRESSED, a macro that cffi does not see
_multiply_in_place = lib.secp256k1_ec_pubkey_tweak_mul


class Degenerate(Exception):
    """A sum or a multiple is the identity, or there is nothing to add."""


class Point:
    """A point other than the identity; its encoding is made once, when first asked for."""

    __slots__ = ("_encoding", "_struct")

    def __init__(self, struct: Any, encoding: bytes | None = None) -> None:
        self._struct = struct
        self._encoding = encoding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and encode_point(self) == encode_point(other)

    def __hash__(self) -> int:
        return hash(encode_point(self))

    def __repr__(self) -> str:
        return f"Point({encode_point(self).hex()})"


def encode_point(point: Point) -> bytes:
    if point._encoding is None:
        buffer, length = _new(_BUFFER), _new(_LENGTH, POINT_BYTES)
        lib.secp256k1_ec_pubkey_serialize(_context, buffer, length, point._struct, _COMPRESSED)
        point._encoding = bytes(ffi.buffer(buffer))
    return point._encoding


def encode_points(points: Iterable[Point]) -> bytes:
    return b"".join(map(encode_point, points))


def decode_point(data: bytes) -> Point:
    _exactly(data, POINT_BYTES)
    # The library would also accept 65 bytes, and points that begin with 06 or 07.
    if data[0] not in (2, 3):
        raise RemoteProtocolError("point", "a point begins with 02 or 03")
    struct = _new(_STRUCT)
    if not lib.secp256k1_ec_pubkey_parse(_context, struct, data, POINT_BYTES):
        raise RemoteProtocolError("point", "there is no such point on the curve")
    return Point(struct, data)


def decode_points(data: bytes, count: int) -> list[Point]:
    _exactly(data, count * POINT_BYTES)
    return [decode_point(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)]


def encode_scalar(scalar: int) -> bytes:
    return scalar.to_bytes(SCALAR_BYTES, "big")


def encode_scalars(scalars: Iterable[int]) -> bytes:
    return b"".join(map(encode_scalar, scalars))


def decode_scalar(data: bytes) -> int:
    _exactly(data, SCALAR_BYTES)
    scalar = int.from_bytes(data, "big")
    if not 0 < scalar < ORDER:
        raise RemoteProtocolError("scalar", "a scalar is above zero and below the group's order")
    return scalar


def decode_scalars(data: bytes, count: int) -> list[int]:
    _exactly(data, count * SCALAR_BYTES)
    return [decode_scalar(data[at : at + SCALAR_BYTES]) for at in range(0, len(data), SCALAR_BYTES)]


def _exactly(data: bytes, length: int) -> None:
    if len(data) != length:
        raise RemoteProtocolError("length", f"{len(data)} bytes instead of {length}")


def spread(data: bytes) -> int:
    """Return the half-length scalar that is made from these sixteen bytes."""
    low, high = int.from_bytes(data[:8], "big"), int.from_bytes(data[8:], "big")
    return (1 + low + high * LAMBDA) % ORDER


def base(scalar: int) -> Point:
    """Return scalar·G, in a time that does not depend on the scalar."""
    struct = _new(_STRUCT)
    secret = (scalar % ORDER).to_bytes(SCALAR_BYTES, "big")
    if not lib.secp256k1_ec_pubkey_create(_context, struct, secret):
        raise Degenerate
    return Point(struct)


def _multiply(point: Point, scalar: int) -> Any:
    """Call the library's multiplication, whose time depends on the scalar. No other code does."""
    struct = _new(_STRUCT)
    _copy(struct, point._struct, _STRUCT_BYTES)
    if not _multiply_in_place(_context, struct, (scalar % ORDER).to_bytes(SCALAR_BYTES, "big")):
        raise Degenerate
    return struct


def _add(structs: list[Any]) -> Point:
    if not structs:  # the library ends the whole process at an empty sum
        raise Degenerate
    struct = _new(_STRUCT)
    if not lib.secp256k1_ec_pubkey_combine(
        _context, struct, _new(_POINTERS, structs), len(structs)
    ):
        raise Degenerate
    return Point(struct)


def times(point: Point, scalar: int) -> Point:
    return Point(_multiply(point, scalar))


def times_secret(point: Point, secret: int, blind: int) -> Point:
    """Return secret·point, computed as (secret − blind)·point + blind·point.

    `blind` is drawn for this multiplication alone.
    """
    return _add([_multiply(point, secret - blind), _multiply(point, blind)])


def total(points: Iterable[Point]) -> Point:
    return _add([point._struct for point in points])


def combine(points: Sequence[Point], scalars: Sequence[int]) -> Point:
    """Return the sum of each point times its scalar."""
    pairs = zip(points, scalars, strict=True)
    return _add([_multiply(point, scalar) for point, scalar in pairs])


def negate(point: Point) -> Point:
    struct = _new(_STRUCT)
    _copy(struct, point._struct, _STRUCT_BYTES)
    lib.secp256k1_ec_pubkey_negate(_context, struct)
    return Point(struct)


def difference(minuend: Point, subtrahend: Point) -> Point:
    return _add([minuend._struct, negate(subtrahend)._struct])


def hash_to_point(label: str, *parts: bytes) -> Point:
    prefix = sha256(_POINT_DOMAIN + _item(label, parts))
    counter = 0
    while True:
        state = prefix.copy()
        state.update(counter.to_bytes(4, "big"))
        try:
            return decode_point(b"\x02" + state.digest())
        except RemoteProtocolError:
            counter += 1


def hash_to_scalar(label: str, *parts: bytes) -> int:
    wide = sha512(_SCALAR_DOMAIN + _item(label, parts)).digest()
    return 1 + int.from_bytes(wide, "big") % (ORDER - 1)


def _item(label: str, parts: Sequence[bytes]) -> bytes:
    return b"".join([_sized(label.encode()), len(parts).to_bytes(4, "big"), *map(_sized, parts)])


def _sized(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


@cache
def generators(count: int) -> tuple[Point, ...]:
    """Return the first `count` of an endless sequence of points without known logarithms."""
    return tuple(map(_generator, range(count)))


@cache
def _generator(index: int) -> Point:
    return hash_to_point("generator", index.to_bytes(4, "big"))
