"""The doors of a table: the port on the router, the invitation, the announcement, the porch."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from p2pfruit import limits
from p2pfruit.net import invitations
from p2pfruit.net.beacon import Announcement, announce
from p2pfruit.net.invitations import Invitation, host_hash
from p2pfruit.net.mapping import mapped_port
from p2pfruit.seat.node import Node
from p2pfruit.seat.observing import Observer
from p2pfruit.seat.porch import KnownAs, TablePorch
from protocol.link.link import key_id, seat_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """How others learn of a table and reach it."""

    watch: bool = True  # spectators are invited, too
    invite_file: Path | None = None
    upnp: bool = False
    announce: bool = False


async def open_doors(
    doors: Doors,
    node: Node,
    name: str,
    secret: bytes,
    observer: Observer,
    known_as: KnownAs,
) -> None:
    """Invite others, and tell the router and the local network, until this is cancelled.

    `known_as` looks up the address book, for players who knock.
    """
    await node.open.wait()
    async with _mapped(node, wanted=doors.upnp):
        _invite(doors, node, secret, observer)
        if doors.announce:
            assert node.gathering is not None
            node.porch = porch = TablePorch(
                key=node.key,
                offer=node.gathering.offer.id,
                secret=secret,
                host=observer,
                known_as=known_as,
            )
            try:
                await _announce(name, node, porch, seat_key(secret))
            finally:
                node.porch = None
                porch.close()
        await trio.sleep_forever()


@asynccontextmanager
async def _mapped(node: Node, *, wanted: bool) -> AsyncIterator[None]:
    if not wanted:
        yield
        return
    async with mapped_port(node.listening[0].port) as external:
        node.whereabouts.advertise(str(external))
        yield


def _invite(doors: Doors, node: Node, secret: bytes, observer: Observer) -> None:
    addresses = tuple(dict.fromkeys(node.whereabouts.told))[: limits.INVITATION_ADDRESSES_MOST]
    invitation = Invitation(secret=secret, host=host_hash(node.key), addresses=addresses)
    text = invitations.format(invitation)
    if doors.invite_file is not None:
        invitations.write_file(doors.invite_file, text)
    to_watch = invitations.format(invitation.to_watch()) if doors.watch else None
    observer.invited(text, to_watch, invitation.reach)


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
