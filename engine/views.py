"""The knowledge of one seat, and worlds that fit it. Bots and screens see only this."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Generic, NamedTuple

from engine.game import Game
from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.record import S


class View(NamedTuple, Generic[S]):
    game: Game[S]
    state: S
    seat: Seat | None  # None: a spectator
    known: Mapping[Slot, Face]  # closed cards whose faces this seat has seen

    @property
    def hand(self) -> tuple[Slot, ...]:
        return () if self.seat is None else self.state.hands[self.seat]

    def moves(self) -> list[Move]:
        if self.seat is None:
            return []
        return self.game.moves(self.state, self.seat, self.known)

    def face(self, slot: Slot) -> Face | None:
        """Return the face of a card of the running round, if this seat knows it."""
        return self.known.get(slot) or self.state.faces[slot - self.state.first]


def guess(view: View[S], rng: Random) -> dict[Slot, Face]:
    """Guess a face for every slot of the round that fits the seat's knowledge, claims included."""
    return next(guesses(view, rng))


def guesses(view: View[S], rng: Random) -> Iterator[dict[Slot, Face]]:
    """Yield such guesses without end."""
    state = view.state
    known: dict[Slot, Face] = {}
    piles: list[tuple[list[Slot], list[Face]]] = []  # of each: hidden slots, and faces left to them
    start = state.first
    for pile in state.piles:
        hidden: list[Slot] = []
        left = list(pile)
        for slot in range(start, start + len(pile)):
            face = view.face(slot)
            if face is None:
                hidden.append(slot)
            else:
                known[slot] = face
                left.remove(face)
        piles.append((hidden, left))
        start += len(pile)
    banned = _banned(state)
    while True:
        world = known.copy()
        for hidden, left in piles:
            faces = left.copy()
            rng.shuffle(faces)
            world.update(_fitting(hidden, faces, banned))
        yield world


def _banned(state: S) -> dict[Slot, set[Face]]:
    """Return the faces that claims rule out, by slot."""
    banned: dict[Slot, set[Face]] = {}
    for claim in state.claims:
        for slot in claim.slots:
            banned.setdefault(slot, set()).update(claim.faces)
    return banned


def _fitting(
    hidden: Sequence[Slot], faces: Sequence[Face], banned: Mapping[Slot, Collection[Face]]
) -> Iterable[tuple[Slot, Face]]:
    """Give each hidden slot one of the faces, so that none breaks a claim.

    This is a bipartite matching. The slots with the most banned faces choose first. A slot that
    finds every face taken asks an owner to move on (an augmenting path). The true cards are a
    matching, so there is one.
    """
    if not banned:
        return zip(hidden, faces, strict=True)
    owners: list[Slot | None] = [None] * len(faces)

    def settle(slot: Slot, tried: set[int]) -> bool:
        unfit = banned.get(slot, ())
        for at, owner in enumerate(owners):
            if owner is None and faces[at] not in unfit:
                owners[at] = slot
                return True
        for at, owner in enumerate(owners):
            if owner is None or at in tried or faces[at] in unfit:
                continue
            tried.add(at)
            if settle(owner, tried):
                owners[at] = slot
                return True
        return False

    for slot in sorted(hidden, key=lambda slot: -len(banned.get(slot, ()))):
        settled = settle(slot, set())
        assert settled, "claims that were proved are true, so some world fits them"
    return [(owner, face) for owner, face in zip(owners, faces, strict=True) if owner is not None]
