"""The one byte form of everything that peers exchange: a canonical subset of msgpack.

A value is None, a bool, a whole number from 0 to 2**53 - 1, text, bytes, or a list of values, which
is read as a tuple. There are no maps, floats or extension types. The encoding of a value is the
shortest one. decode() accepts no other: the value that it returns encodes to the bytes it was
given.

A few bytes can announce a very long list, and every byte can open another list, which takes fifty
bytes of memory. So decode() looks at the bytes twice. First it goes from value to value and builds
none of them: it checks forms, depth and counts, and refuses. Only then msgpack builds the value.
"""

from typing import NamedTuple

import msgpack

from protocol import limits
from protocol.errors import RemoteProtocolError

Value = None | bool | int | str | bytes | tuple["Value", ...]


class Bounds(NamedTuple):
    """How much a value may contain."""

    values: int  # all values in it, itself included
    items: int = limits.ITEMS_MOST  # of each list
    depth: int = limits.DEPTH_MOST  # lists within lists


ORDINARY = Bounds(limits.VALUES_MOST)

# The whole size of a value by its first byte: small numbers, short texts, nil, false and true. A
# longer value, a list, or a byte that begins no value has 0 here.
_SIZES = bytes([*[1] * 0x80, *[0] * 0x20, *range(1, 33), 1, 0, 1, 1, *[0] * 60])

_SHORT_BYTES = 0xC4  # their length follows in one byte

_NUMBER, _STRING, _LIST = range(3)

# By the first byte of a longer value: what it is, how many bytes its number or its length has, and
# the smallest one that has no shorter form.
_LONG = {
    0xC5: (_STRING, 2, 2**8),
    0xC6: (_STRING, 4, 2**16),
    0xCC: (_NUMBER, 1, 2**7),
    0xCD: (_NUMBER, 2, 2**8),
    0xCE: (_NUMBER, 4, 2**16),
    0xCF: (_NUMBER, 8, 2**32),
    0xD9: (_STRING, 1, 32),
    0xDA: (_STRING, 2, 2**8),
    0xDB: (_STRING, 4, 2**16),
    0xDC: (_LIST, 2, 16),
    0xDD: (_LIST, 4, 2**16),
}


def encode(value: Value) -> bytes:
    data: bytes = msgpack.packb(value, use_bin_type=True)
    return data


def decode(data: bytes, size_most: int, bounds: Bounds = ORDINARY) -> Value:
    """Return the value of these bytes. Raises RemoteProtocolError, and nothing else."""
    if len(data) > size_most:
        raise RemoteProtocolError("size", f"{len(data)} bytes; at most {size_most} are allowed")
    try:
        end = _end(data, bounds)
    except IndexError:
        end = len(data) + 1
    if end != len(data):
        raise RemoteProtocolError("codec", "cut off, or more than one value")
    try:
        value: Value = msgpack.unpackb(data, use_list=False)
    except UnicodeDecodeError:
        raise RemoteProtocolError("codec", "a text that is not UTF-8") from None
    return value


def decode_again(data: bytes) -> tuple[Value, ...]:
    """Return the list of bytes that decode() has accepted, or that encode() has made."""
    value: tuple[Value, ...] = msgpack.unpackb(data, use_list=False)
    return value


def _end(data: bytes, bounds: Bounds) -> int:
    """Return where the first value ends, or raise if it is not allowed.

    The result lies beyond the data, or IndexError is raised, if the value is cut off.
    """
    at, values = 0, 1
    left = 1  # how many items of the innermost list are still to come
    outer: list[int] = []  # the same for the lists around it
    while left:
        left -= 1
        first = data[at]
        if size := _SIZES[first]:
            at += size
        elif first == _SHORT_BYTES:  # keys, ids, points and proofs
            at += 2 + data[at + 1]
        else:
            if first & 0xF0 == 0x90:
                kind, number = _LIST, first & 0x0F
                at += 1
            else:
                kind, number, at = _long(data, at)
            if kind is _STRING:
                at += number
            elif kind is _LIST:
                values += number
                outer.append(left)
                left = number
                if len(outer) > bounds.depth:
                    raise RemoteProtocolError("codec", f"more than {bounds.depth} lists deep")
                if number > bounds.items or values > bounds.values:
                    raise RemoteProtocolError("codec", "too long a list, or too many values")
        while not left and outer:
            left = outer.pop()
    return at


def _long(data: bytes, at: int) -> tuple[int, int, int]:
    """Return the kind of the value here, its number or length, and the place after that."""
    known = _LONG.get(data[at])
    if known is None:
        raise RemoteProtocolError("codec", "a type of value that is not allowed")
    kind, size, least = known
    after = at + 1 + size
    number = int.from_bytes(data[at + 1 : after], "big")
    if number < least:
        raise RemoteProtocolError("codec", "not the shortest encoding of its value")
    if kind is _NUMBER and number > limits.INTEGER_MOST:
        raise RemoteProtocolError("codec", f"a number outside 0 to {limits.INTEGER_MOST}")
    return kind, number, after
