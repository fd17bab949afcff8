"""The doors of a table: the port on the router, the invitation, the announcement."""

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
from p2pfruit.seat.node import Node, Observer
from protocol.link.link import key_id, seat_key
from protocol.peer.lobby import Offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """How others learn of a table and reach it."""

    watch: bool = True  # spectators are invited, too
    invite_file: Path | None = None
    upnp: bool = False
    announce: bool = False


async def open_doors(
    doors: Doors, node: Node, offer: Offer, name: str, secret: bytes, observer: Observer
) -> None:
    """Invite others, and tell the router and the local network, until this is cancelled."""
    await node.open.wait()
    async with _mapped(node, wanted=doors.upnp):
        _invite(doors, node, secret, observer)
        if doors.announce:
            await _announce(name, offer, node, seat_key(secret))
        await trio.sleep_forever()


@asynccontextmanager
async def _mapped(node: Node, *, wanted: bool) -> AsyncIterator[None]:
    if not wanted:
        yield
        return
    async with mapped_port(node.listening[0].port) as external:
        node.advertise(str(external))
        yield


def _invite(doors: Doors, node: Node, secret: bytes, observer: Observer) -> None:
    addresses = tuple(dict.fromkeys(node.reachable_at))[: limits.INVITATION_ADDRESSES_MOST]
    invitation = Invitation(secret=secret, host=host_hash(node.key), addresses=addresses)
    text = invitations.format(invitation)
    if doors.invite_file is not None:
        invitations.write_file(doors.invite_file, text)
    observer.invited(text, invitations.format(invitation.to_watch()) if doors.watch else None)


async def _announce(name: str, offer: Offer, node: Node, psk: bytes) -> None:
    """Announce the table until it begins."""

    def describe() -> Announcement:
        return Announcement(
            key_id=key_id(psk),
            name=name,
            game=offer.game,
            taken=len(node.people),
            seats=offer.seats,
            port=node.listening[0].port,
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(announce, describe)
        await node.begun.wait()
        nursery.cancel_scope.cancel()
