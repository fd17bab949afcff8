"""What happens at a table, for whoever watches it; the events of the game come from the engine."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engine.moves import Event


class Why(StrEnum):
    """Why a feed ended."""

    BAD = "bad"  # its last entry breaks a rule
    FORKED = "forked"  # it has two sequels, and all others know how far they acted on it
    LEFT = "left"
    STOPPED = "stopped"  # its author saw no way to go on
    GONE = "gone"  # all others voted that it is not there


class Ending(NamedTuple):
    why: Why
    seq: int | None  # of its last entry; None if it has none
    code: str = ""
    said: str = ""  # what was wrong, for people


class Said(NamedTuple):
    """Somebody's entry was read."""

    player: int
    kind: str
    step: int


class Lost(NamedTuple):
    """Somebody's feed has ended."""

    player: int
    step: int
    ending: Ending


# What happens to a peer at its table.


@dataclass(frozen=True, slots=True)
class Linked:
    player: int
    there: bool


@dataclass(frozen=True, slots=True)
class Chatted:
    player: int
    text: str


@dataclass(frozen=True, slots=True)
class Listens:
    """A player says where its peer can be reached."""

    player: int
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differs:
    """A player holds another game than this peer does, and both are over."""

    player: int


@dataclass(frozen=True, slots=True)
class Again:
    """What was read so far is void, and told again: a feed ended sooner than it seemed."""


Happened = Again | Linked | Chatted | Listens | Differs | Said | Lost | Event
