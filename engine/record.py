"""The public state of a game: everything that all peers know, and nothing else.

It is equal on every peer, byte for byte, and its digest is what peers sign. Two rules keep it
honest. A state is never changed, only copied with `replace`. A face appears in it only when it lies
open, except in `piles` and `claims`: they list the deck, and faces that are not in a hand.
"""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from engine.codec import encode
from engine.needs import Face, Need, Seat, Slot

__all__ = ["Claim", "S", "State", "digest", "replace"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that none of these closed cards shows one of these faces; `rule` demands it."""

    rule: str
    slots: tuple[Slot, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, kw_only=True)
class State:
    """The fields of every game. A game adds its own: ints, strings, None, tuples of these.

    Slots are numbered through the whole table; the piles of the running round hold the last
    len(faces) of them, and slot s shows faces[s - first].
    """

    need: Need
    seated: tuple[Seat, ...]  # who still plays
    hands: tuple[tuple[Slot, ...], ...]  # by seat: dealt to it and still closed
    round: int = 1
    scores: tuple[tuple[int, ...], ...] = ()  # a row per finished round, by seat
    made: int = 0  # slots numbered so far
    piles: tuple[tuple[Face, ...], ...] = ()  # what was shuffled this round, in slot order
    faces: tuple[Face | None, ...] = ()  # this round's slots: what lies open
    claims: tuple[Claim, ...] = ()  # proved this round

    @property
    def first(self) -> Slot:
        """Return the first slot of the running round."""
        return self.made - len(self.faces)

    def total(self, seat: Seat) -> int:
        return sum(row[seat] for row in self.scores)


S = TypeVar("S", bound=State)

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(state, **changes):
        """Copy the state with these fields changed: a much faster dataclasses.replace."""
        copy = object.__new__(type(state))
        object.__setattr__(copy, "__dict__", state.__dict__ | changes)
        return copy


def digest(state: State) -> bytes:
    """Return the 32 bytes that fix the whole public state. Peers sign them."""
    return hashlib.sha256(b"p2pfruit state 2\n" + encode(state)).digest()
