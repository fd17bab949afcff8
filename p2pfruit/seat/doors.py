"""The doors of a table: the port on the router, the invitation, the announcement, the porch."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import trio

from p2pfruit import limits
from p2pfruit.net import invitations
from p2pfruit.net.beacon import Announcement, announce
from p2pfruit.net.invitations import Invitation, host_hash
from p2pfruit.net.mapping import mapped_port
from p2pfruit.seat.node import Node
from p2pfruit.seat.porch import KnownAs, TablePorch
from protocol.link.link import key_id, seat_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """How others learn of a table and reach it."""

    watch: bool = True  # spectators are invited, too
    invite_file: Path | None = None
    upnp: bool = False
    announce: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Return what it takes to open them again."""
        kept = {"watch": self.watch, "upnp": self.upnp, "announce": self.announce}
        return tuple([word for word, wanted in kept.items() if wanted])

    @classmethod
    def of(cls, words: Sequence[str]) -> Self:
        return cls(watch="watch" in words, upnp="upnp" in words, announce="announce" in words)


async def open_doors(
    doors: Doors,
    node: Node,
    name: str,
    secret: bytes,
    known_as: KnownAs,
    ready: trio.Event,
) -> None:
    """Invite others, and tell the router and the local network, until this is cancelled.

    That is done for the lobby of every game. `known_as` looks up the address book, for players who
    knock. `ready`: the node listens.
    """
    await ready.wait()
    porch = TablePorch(key=node.key, secret=secret, known_as=known_as) if doors.announce else None
    async with _mapped(node, wanted=doors.upnp):
        if not node.open.is_set():  # a game goes on, and others may watch it
            _invite(doors, node, secret)
        while True:
            await node.open.wait()
            begun = node.begun
            _invite(doors, node, secret)
            doors = replace(doors, invite_file=None)  # it is written once
            if porch is not None:
                await _let_in(name, node, porch, seat_key(secret))
            await begun.wait()


async def _let_in(name: str, node: Node, porch: TablePorch, psk: bytes) -> None:
    """Let players in without an invitation until the game begins."""
    assert node.gathering is not None
    porch.open(node.gathering.offer.id, node.observer)
    node.porch = porch
    try:
        await _announce(name, node, porch, psk)
    finally:
        node.porch = None
        porch.close()


@asynccontextmanager
async def _mapped(node: Node, *, wanted: bool) -> AsyncIterator[None]:
    if not wanted:
        yield
        return
    async with mapped_port(node.listening[0].port) as external:
        node.advertise(str(external))
        yield


def _invite(doors: Doors, node: Node, secret: bytes) -> None:
    addresses = tuple(dict.fromkeys(node.reachable_at))[: limits.INVITATION_ADDRESSES_MOST]
    invitation = Invitation(secret=secret, host=host_hash(node.key), addresses=addresses)
    text = invitations.format(invitation)
    if doors.invite_file is not None:
        invitations.write_file(doors.invite_file, text)
    to_watch = invitations.format(invitation.to_watch()) if doors.watch else None
    node.observer.invited(text, to_watch, invitation.reach)


async def _announce(name: str, node: Node, porch: TablePorch, psk: bytes) -> None:
    """Announce the table until it begins."""

    def describe() -> Announcement:
        assert node.gathering is not None
        offer = node.gathering.offer
        return Announcement(
            key_id=key_id(psk),
            name=name,
            game=offer.game,
            taken=len(node.gathering.people),
            seats=offer.seats,
            port=node.listening[0].port,
            entrance=porch.entrance,
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(announce, describe)
        await node.begun.wait()
        nursery.cancel_scope.cancel()
