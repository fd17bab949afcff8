"""The doors of a table: the ways to it, the invitation, the announcement, the porch."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import trio

from p2pfruit.net import invitations
from p2pfruit.net.addresses import readable
from p2pfruit.net.beacon import Announcement, announce
from p2pfruit.net.invitations import Invitation, worth_inviting
from p2pfruit.seat.node import Node
from p2pfruit.seat.porch import KnownAs, TablePorch
from protocol.link.keys import Access, key_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """How others learn of a table and reach it."""

    watch: bool = True  # spectators are invited, too
    invite_file: Path | None = None
    announce: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Return what it takes to open them again."""
        kept = {"watch": self.watch, "announce": self.announce}
        return tuple([word for word, wanted in kept.items() if wanted])

    @classmethod
    def of(cls, words: Sequence[str]) -> Self:
        return cls(watch="watch" in words, announce="announce" in words)


class OpenWays(Protocol):
    """Opens ways from outside until it is cancelled; it has started when they are known."""

    async def __call__(self, node: Node, *, task_status: trio.TaskStatus[None]) -> None: ...


async def open_doors(
    doors: Doors,
    node: Node,
    name: str,
    access: Access,
    known_as: KnownAs,
    ready: trio.Event,
    open_ways: OpenWays,
) -> None:
    """Invite others, and tell the local network of the table, until this is cancelled.

    That is done for the lobby of every game, and again when the table is reached elsewhere.
    `known_as` looks up the address book, for players who knock. `ready`: the node listens.
    """
    await ready.wait()
    inviter = _Inviter(doors, node, access.secret)
    porch = None
    if doors.announce and not node.whereabouts.hidden:  # a proxy may have been chosen since
        porch = TablePorch(key=node.key, secret=access.secret, known_as=known_as)
    async with trio.open_nursery() as nursery:
        await nursery.start(open_ways, node)
        nursery.start_soon(inviter.follow)
        if not node.open.is_set():  # a game goes on, and others may watch it
            inviter.invite()
        while True:
            await node.open.wait()
            begun = node.begun
            inviter.invite()
            if porch is not None:
                await _let_in(name, node, porch, access.psk)
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


class _Inviter:
    def __init__(self, doors: Doors, node: Node, secret: bytes) -> None:
        self._doors = doors
        self._node = node
        self._secret = secret
        self._last: Invitation | None = None

    def invite(self) -> None:
        """Show with which lines others can join, and watch."""
        self._last = invitation = self._invitation()
        text = invitations.format(invitation)
        if self._doors.invite_file is not None:
            invitations.write_file(self._doors.invite_file, text)
        watching = invitation.to_watch(self._node.key)
        to_watch = invitations.format(watching) if self._doors.watch else None
        self._node.observer.invited(text, to_watch, invitation.reach)

    async def follow(self) -> None:
        """Invite again whenever the table is reached elsewhere; never return."""
        while True:
            await self._node.whereabouts.changed()
            if self._last is not None and self._invitation() != self._last:
                self.invite()

    def _invitation(self) -> Invitation:
        worth = worth_inviting(readable(self._node.whereabouts.told))
        return Invitation(secret=self._secret, addresses=tuple(map(str, worth)))


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

    async def announcing() -> None:
        while not node.listening:  # the table was resumed where there is no network
            await node.whereabouts.changed()
        await announce(describe)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcing)
        await node.begun.wait()
        nursery.cancel_scope.cancel()
