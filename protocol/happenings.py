"""What happens at a table, for whoever watches it; the events of the game come from the engine."""

from enum import StrEnum
from typing import NamedTuple


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
