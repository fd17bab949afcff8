"""What people hear of the ways to a table: which are being opened, are open, or are lost."""

from dataclasses import dataclass
from enum import Enum


class WayState(Enum):
    OPENING = "opening"
    OPEN = "open"
    FAILED = "failed"  # it could not be opened, or is lost; it may be tried again


@dataclass(frozen=True, slots=True, kw_only=True)
class WayNews:
    """`way` is router, tor or relay. `what` and `hint` are for people."""

    way: str
    state: WayState
    what: str
    hint: str | None = None
    address: str = ""  # at which the table can be called
    percent: int | None = None  # how far, where that is known
