"""The knowledge of one seat, and worlds that fit it. Bots and screens see only this."""

from collections.abc import Mapping, Sequence
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
    state = view.state
    world: dict[Slot, Face] = {}
    start = state.first
    for pile in state.piles:
        slots = range(start, start + len(pile))
        start += len(pile)
        left = list(pile)
        hidden = []
        for slot in slots:
            face = view.face(slot)
            if face is None:
                hidden.append(slot)
            else:
                world[slot] = face
                left.remove(face)
        rng.shuffle(left)
        world.update(zip(hidden, left, strict=True))
        if state.claims:
            _meet_claims(state, world, hidden)
    return world


def _meet_claims(state: S, world: dict[Slot, Face], hidden: Sequence[Slot]) -> None:
    """Spread the faces of the hidden slots anew, so that none breaks a claim.

    This is a bipartite matching. The slots with the most banned faces choose first. A slot that
    finds every face taken asks an owner to move on (an augmenting path). The true cards are a
    matching, so there is one.
    """
    banned: dict[Slot, set[Face]] = {slot: set() for slot in hidden}
    for claim in state.claims:
        for slot in claim.slots:
            if slot in banned:
                banned[slot].update(claim.faces)
    faces = [world[slot] for slot in hidden]
    owners: list[Slot | None] = [None] * len(faces)

    def settle(slot: Slot, tried: set[int]) -> bool:
        fitting = [at for at, face in enumerate(faces) if face not in banned[slot]]
        for at in sorted(fitting, key=lambda at: owners[at] is not None):
            if at in tried:
                continue
            tried.add(at)
            owner = owners[at]
            if owner is None or settle(owner, tried):
                owners[at] = slot
                return True
        return False

    for slot in sorted(hidden, key=lambda slot: -len(banned[slot])):
        settled = settle(slot, set())
        assert settled, "claims that were proved are true, so some world fits them"
    for face, owner in zip(faces, owners, strict=True):
        assert owner is not None
        world[owner] = face
