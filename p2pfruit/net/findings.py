"""Findings of a check-up: each is fine, worth knowing, or a problem with a hint what to do."""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `about` is one word for programs; `what` and `hint` are for people."""

    level: Level
    about: str
    what: str
    hint: str | None = None
