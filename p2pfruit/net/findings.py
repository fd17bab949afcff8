"""Findings of a check-up: each is fine, worth knowing, or a problem with a hint what to do."""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


class Reached(Enum):
    """Whether others can call this machine on one way."""

    YES = "yes"  # a call has arrived
    LIKELY = "likely"  # nothing speaks against it, and nobody has tested it
    UNKNOWN = "unknown"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `about` is one word for programs; `what` and `hint` are for people.

    `reached` is set where the finding is about a way to this machine, `command` where it names one.
    """

    level: Level
    about: str
    what: str
    hint: str | None = None
    reached: Reached | None = None
    command: str | None = None
