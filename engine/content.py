"""The content of a game, read from TOML, and its options: a game is built from the two.

A content file has a title, a flag `verified` that says if its numbers were checked against the
published game, an optional note, and the game's own tables. Peers must agree on the tables. Title,
flag and note may differ.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from engine import limits
from engine.codec import Plain, encode
from engine.errors import BadContent, BadOption


@dataclass(frozen=True, slots=True)
class Content:
    title: str
    verified: bool
    note: str
    tables: Mapping[str, Any]

    def __post_init__(self) -> None:
        _plain(self.tables)

    @property
    def essence(self) -> Plain:
        """Return the tables in canonical order: this part of the content enters the rules id."""
        return _plain(self.tables)

    @property
    def digest(self) -> str:
        """Return the hash of the tables: decks with equal figures have the same, by any title."""
        return sha256(b"p2pfruit content 1\n" + encode(self.essence)).hexdigest()


def read_content(package: str, file: str) -> Content:
    """Read the content file that lies beside a game in its package."""
    return parse_content(files(package).joinpath(file).read_text(encoding="utf-8"))


def parse_content(text: str) -> Content:
    if len(text.encode()) > limits.CONTENT_BYTES_MOST:
        raise BadContent(f"a content file has at most {limits.CONTENT_BYTES_MOST} bytes")
    if any(len(line) > limits.CONTENT_LINE_MOST for line in text.split("\n")):
        raise BadContent(f"a line of a content file has at most {limits.CONTENT_LINE_MOST} letters")
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # RecursionError: too deep a list
        raise BadContent(f"not TOML: {error}") from None
    title, verified, note = (
        tables.pop("title", None),
        tables.pop("verified", None),
        tables.pop("note", ""),
    )
    if not isinstance(title, str) or not isinstance(verified, bool):
        raise BadContent('a content file begins with title = "…" and verified = true or false')
    if not isinstance(note, str):
        raise BadContent('the note of a content file is text: note = "…"')
    return Content(title, verified, note, tables)


def _plain(value: object, depth: int = limits.CONTENT_DEPTH_MOST) -> Plain:
    if depth == 0:
        raise BadContent(f"content is at most {limits.CONTENT_DEPTH_MOST} tables or lists deep")
    match value:
        case bool() | float():
            pass
        case int() if abs(value) > limits.CONTENT_NUMBER_MOST:
            raise BadContent(f"a number of a content file is at most {limits.CONTENT_NUMBER_MOST}")
        case int() | str():
            return value
        case list():
            return ("list", *(_plain(item, depth - 1) for item in value))
        case dict():
            return ("table", *((key, _plain(value[key], depth - 1)) for key in sorted(value)))
    raise BadContent(f"content is made of whole numbers and text, not {value!r}")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice between readings of the rules, the same for the whole table."""

    name: str
    values: tuple[str, ...]
    default: str


def choose_options(
    game: str, options: Sequence[Option], wanted: Mapping[str, str]
) -> dict[str, str]:
    """Return every option with the wanted value, or with its default."""
    offered = {option.name: option for option in options}
    for name, value in wanted.items():
        if name not in offered:
            names = ", ".join(offered) or "none"
            raise BadOption(f"{game} has no option {name!r}; it has: {names}")
        if value not in offered[name].values:
            values = ", ".join(offered[name].values)
            raise BadOption(f"option {name} cannot be {value!r}; it can be: {values}")
    return {name: wanted.get(name, option.default) for name, option in offered.items()}
