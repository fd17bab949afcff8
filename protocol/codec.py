"""The one byte form of everything that peers exchange: a canonical subset of msgpack.

A value is None, a bool, a whole number from 0 to 2**53 - 1, text, bytes, or a list of values, which
is read as a tuple. There are no maps, floats or extension types. The encoding of a value is the
shortest one. decode() accepts no other: the value that it returns encodes to the bytes it was
given.
"""

from typing import Any

import msgpack

from protocol import limits
from protocol.errors import RemoteProtocolError

Value = None | bool | int | str | bytes | tuple["Value", ...]


def encode(value: Value) -> bytes:
    data: bytes = msgpack.packb(value, use_bin_type=True)
    return data


def decode(data: bytes, size_most: int, items_most: int = limits.ITEMS_MOST) -> Value:
    """Return the value of these bytes. Raises RemoteProtocolError, and nothing else.

    `items_most` bounds each list before its items are read, because a few bytes can announce a very
    long list.
    """
    if len(data) > size_most:
        raise RemoteProtocolError("size", f"{len(data)} bytes; at most {size_most} are allowed")
    try:
        value = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            strict_map_key=True,
            max_array_len=items_most,
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException):
        raise RemoteProtocolError("codec", "not a value in msgpack") from None
    _check(value, limits.DEPTH_MOST)
    if encode(value) != data:
        raise RemoteProtocolError("codec", "not the shortest encoding of its value")
    checked: Value = value
    return checked


def _check(value: Any, depth: int) -> None:
    kind = type(value)
    if kind is tuple:
        if depth == 0:
            raise RemoteProtocolError("codec", f"more than {limits.DEPTH_MOST} lists deep")
        for item in value:
            _check(item, depth - 1)
    elif kind is int:
        if not 0 <= value <= limits.INTEGER_MOST:
            raise RemoteProtocolError("codec", f"a number outside 0 to {limits.INTEGER_MOST}")
    elif not (kind is bytes or kind is str or kind is bool or value is None):
        raise RemoteProtocolError("codec", f"a value of type {kind.__name__}")
