"""The one byte form of everything the rules record: states, needs, moves, outcomes.

Bencode's integers, strings and lists (here tuples), and beyond them n (None), t and f (true and
false) and r (a record: its name, then its fields in the order of their declaration). There is one
way to write a value, and decode accepts nothing else.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from engine import limits
from engine.errors import BadMoveText, BadRecord

Plain = int | str | None | tuple["Plain", ...]

_TOKEN = re.compile(rb"i(0|-?[1-9][0-9]{0,17})e|(0|[1-9][0-9]{0,5}):|([lrentf])")
_END = object()


def encode(value: object) -> bytes:
    parts: list[bytes] = []
    _encode(value, parts)
    return b"".join(parts)


def _encode(value: Any, parts: list[bytes]) -> None:
    kind = type(value)
    if kind is int:
        if abs(value) >= 10**18:
            raise TypeError(f"a record cannot hold {value!r}: 18 digits are the most")
        parts.append(b"i%de" % value)
    elif kind is str:
        text = value.encode()
        parts.append(b"%d:%b" % (len(text), text))
    elif kind is tuple:
        parts.append(b"l")
        for item in value:
            _encode(item, parts)
        parts.append(b"e")
    elif value is None:
        parts.append(b"n")
    elif kind is bool:
        parts.append(b"t" if value else b"f")
    elif is_dataclass(kind):
        parts.append(b"r")
        _encode(kind.__name__, parts)
        for field in fields(kind):
            _encode(getattr(value, field.name), parts)
        parts.append(b"e")
    else:
        raise TypeError(f"a record cannot hold {value!r}")


def decode(data: bytes, records: Mapping[str, type]) -> Any:
    """Return the value that encodes to exactly these bytes; it may contain these `records`."""
    reader = _Reader(data, records)
    value = reader.value(limits.RECORD_DEPTH_MOST)
    if value is _END or reader.at != len(data):
        raise BadRecord(f"the record does not end where its bytes end, at byte {reader.at}")
    return value


class _Reader:
    def __init__(self, data: bytes, records: Mapping[str, type]) -> None:
        self.data = data
        self.at = 0
        self.records = records

    def value(self, depth: int) -> Any:
        token = _TOKEN.match(self.data, self.at)
        if token is None or depth == 0:
            raise BadRecord(f"not a record, at byte {self.at}")
        self.at = token.end()
        number, length, mark = token.groups()
        if number is not None:
            return int(number)
        if length is not None:
            return self.text(int(length))
        if mark == b"l":
            return tuple(self.items(depth - 1))
        if mark == b"r":
            return self.record(*self.items(depth - 1))
        return {b"n": None, b"t": True, b"f": False, b"e": _END}[mark]

    def text(self, length: int) -> str:
        raw = self.data[self.at : self.at + length]
        self.at += length
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise BadRecord(f"not UTF-8, before byte {self.at}") from None

    def items(self, depth: int) -> Iterator[Any]:
        while (item := self.value(depth)) is not _END:
            yield item

    def record(self, name: object = None, *values: Any) -> Any:
        kind = self.records.get(name) if isinstance(name, str) else None
        if kind is None:
            raise BadRecord(f"no record is called {name!r}, before byte {self.at}")
        names = [field.name for field in fields(kind)]
        if len(names) != len(values):
            raise BadRecord(f"a {name} has {len(names)} fields, before byte {self.at}")
        try:
            return kind(**dict(zip(names, values, strict=True)))
        except BadMoveText as error:
            raise BadRecord(f"{error}, before byte {self.at}") from None
