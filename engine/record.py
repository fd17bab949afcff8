"""The public state of a game: what every peer knows, and nothing else.

It is equal on every peer, byte for byte, and its digest is what peers sign. Two rules keep it
honest: a state is never changed, only copied with `replace`; and a face appears in it only once it
lies open, save in `piles` and `claims`, which say what is in the deck and what is not in a hand.
"""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from engine.codec import encode
from engine.needs import Face, Need, Seat, Slot

__all__ = ["Claim", "S", "State", "digest", "replace"]


@dataclass(frozen=True, slots=True)
class Claim:
    """None of these closed cards shows one of these faces; `rule` names what demands it."""

    rule: str
    slots: tuple[Slot, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, kw_only=True)
class State:
    """What every game has. A game adds fields of its own: ints, strings, None, tuples of these.

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
        """The first slot of the running round."""
        return self.made - len(self.faces)

    def total(self, seat: Seat) -> int:
        return sum(row[seat] for row in self.scores)


S = TypeVar("S", bound=State)

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(state, **changes):
        """A copy with these fields changed: dataclasses.replace at a fraction of its cost."""
        copy = object.__new__(type(state))
        object.__setattr__(copy, "__dict__", state.__dict__ | changes)
        return copy


def digest(state: State) -> bytes:
    """What peers sign: 32 bytes that fix the whole public state."""
    return hashlib.sha256(b"p2pfruit state 1\n" + encode(state)).digest()
