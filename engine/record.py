"""The public state of a game: everything that all peers know, and nothing else.

It is equal on every peer, and its digest is what peers sign. Two rules keep it honest. A state is
never changed, only copied with `replace`. A face appears in it only when it lies open, except in
`piles` and `claims`: they list the deck, and faces that are not in a hand.

The digest does not depend on how a program lays out its states. It covers the fields that all games
share, and the values that the game calls public, each with its name. docs/rules.md lists them.
"""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from engine.codec import Plain, encode
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Need, Seat, Shuffle, Slot

__all__ = ["Claim", "S", "State", "digest", "plain", "replace"]


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

    public: ClassVar[tuple[str, ...]] = ()  # which fields of the game's own the digest covers

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
    _new, _set = object.__new__, object.__setattr__

    def replace(state, **changes):
        """Copy the state with these fields changed: a much faster dataclasses.replace."""
        copy = _new(type(state))
        _set(copy, "__dict__", state.__dict__ | changes)
        return copy


def plain(state: State) -> Plain:
    """Return the part of a state that peers sign, as numbers, texts, None and lists of these."""
    return (
        _plain_need(state.need),
        state.seated,
        state.hands,
        state.round,
        state.scores,
        state.made,
        state.piles,
        state.faces,
        tuple([(claim.rule, claim.slots, claim.faces) for claim in state.claims]),
        tuple([(name, getattr(state, name)) for name in state.public]),
    )


def _plain_need(need: Need) -> Plain:
    match need:
        case Shuffle():
            return "shuffle", need.what, need.piles
        case Deal():
            cards = [(slot, None if seat == EVERYONE else seat) for slot, seat in need.cards]
            return "deal", need.what, tuple(cards)
        case Choose():
            return "choose", need.what, need.seats, int(need.secret)
        case Lot():
            return "lot", need.what, need.below
    return "done", need.ended, need.places


def digest(state: State) -> bytes:
    """Return the 32 bytes that fix the public state. Peers sign them."""
    return hashlib.sha256(b"p2pfruit state 2\n" + encode(plain(state))).digest()
