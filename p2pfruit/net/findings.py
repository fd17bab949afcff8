"""What a check-up finds: fine, worth knowing, or in the way, and then what to do about it."""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """`about` is one word for programs; `what` and `hint` are for people."""

    level: Level
    about: str
    what: str
    hint: str | None = None
