"""Events at a table, for its observers. The events of the game itself come from the engine."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engine.moves import Event


class Why(StrEnum):
    """The reason why a feed ended."""

    BAD = "bad"  # its last entry breaks a rule
    FORKED = "forked"  # it forked, and all other players have said how far they acted on it
    LEFT = "left"
    STOPPED = "stopped"  # its author saw no way to go on
    GONE = "gone"  # all other players voted that its author is not there


class Ending(NamedTuple):
    why: Why
    seq: int | None  # of the feed's last entry; None if it has none
    code: str = ""
    said: str = ""  # what was wrong, for people
    by: tuple[int, ...] = ()  # the players who voted that the author is not there


class Stop(NamedTuple):
    """A player has stopped the table, because of these players who, as it had seen, owed."""

    player: int
    step: int
    seq: int
    about: tuple[int, ...]


class Said(NamedTuple):
    """An entry of this player was read."""

    player: int
    kind: str
    step: int


class Lost(NamedTuple):
    """The feed of this player has ended."""

    player: int
    step: int
    ending: Ending


class BallotEnded(NamedTuple):
    """A ballot about absent players has ended, and none of them was lost by it.

    `named` are the players whom votes in it named. They have `answered`, and the step is closed; or
    the players disagreed, and the ballot has failed.
    """

    step: int
    named: tuple[int, ...]
    answered: bool


# The following events concern a peer at its table.


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
    """A player has announced the addresses at which its peer can be reached."""

    player: int
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A player says that it is asked about these players, who are late; or, of none, that it waits.

    Clocks are local, so this is what that player's peer says, and nothing follows from it.
    """

    player: int
    step: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Wished:
    """A player who is still here after the game says what it wants."""

    player: int
    wish: str


@dataclass(frozen=True, slots=True)
class Differs:
    """The table is over for this peer and for a player, but they hold different game files."""

    player: int


@dataclass(frozen=True, slots=True)
class Again:
    """All earlier events are void, and are told again: a feed ended sooner than it seemed."""


OfTable = Said | Lost | BallotEnded | Event
Happened = Again | Linked | Chatted | Listens | Asked | Wished | Differs | OfTable
