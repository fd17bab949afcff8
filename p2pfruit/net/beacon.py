"""Tables on the local network: hosts announce them, and other programs listen for announcements.

    [magic, version, key id, name, game, seats taken, seats, port, entrance]  in 512 bytes at most
    entrance   [id, host's key, offer id], or [] if invitations are the only way in

An announcement says only what any passer-by may know: the host's name and key, the game, how many
seats are taken, and the port. The key id tells the owner of an invitation that it fits. The secret
of the table is never in an announcement, and neither is the code, so hearing of a table is not
enough to enter it. Announcements are not signed. They only hint where to call, and the handshake
then shows who is there (protocol/link/codes.py).

Datagrams are broadcast over IPv4 every two seconds, only while the player asks for it. Listening
sends nothing.
"""

import contextlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import trio

from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, broadcast_addresses
from p2pfruit.text.safe import shown_names
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import KEY_SIZE
from protocol.errors import RemoteProtocolError
from protocol.limits import NAME_LENGTH_MOST, WORD_LENGTH_MOST
from protocol.link.entrance import ENTRANCE_ID_SIZE, OFFER_ID_SIZE, Entrance
from protocol.link.keys import KEY_ID_SIZE
from protocol.version import VERSION

MAGIC = b"p2pfruit table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """An announcement. The sender chose `name` and `game`: make them safe before printing them."""

    key_id: bytes
    name: str
    game: str
    taken: int
    seats: int
    port: int
    entrance: Entrance | None = None

    def encode(self) -> bytes:
        fields = (self.key_id, self.name, self.game, self.taken, self.seats, self.port)
        way = self.entrance
        entrance = () if way is None else (way.id, way.host, way.offer)
        return encode((MAGIC, VERSION, *fields, entrance))

    @classmethod
    def decode(cls, data: bytes) -> "Announcement":
        """Return the announcement of these bytes. Raises RemoteProtocolError, and nothing else."""
        match decode(data, limits.BEACON_SIZE_MOST):
            case (magic, version, *_rest) if magic != MAGIC or version != VERSION:
                raise RemoteProtocolError("announcement", "not an announcement that we know")
            case (_, _, bytes(key_id), str(name), str(game), taken, seats, port, tuple(way)) if (
                len(key_id) == KEY_ID_SIZE
                and len(name) <= NAME_LENGTH_MOST
                and 0 < len(game) <= WORD_LENGTH_MOST
                and _is_number(seats, 1 << 8)
                and _is_number(taken, seats + 1)
                and _is_number(port, 1 << 16)
                and port
            ):
                return cls(
                    key_id=key_id,
                    name=name,
                    game=game,
                    taken=taken,
                    seats=seats,
                    port=port,
                    entrance=_entrance(way),
                )
        raise RemoteProtocolError("announcement", "not an announcement")


def _entrance(way: tuple[Value, ...]) -> Entrance | None:
    match way:
        case ():
            return None
        case (bytes(id), bytes(host), bytes(offer)) if (
            len(id) == ENTRANCE_ID_SIZE and len(host) == KEY_SIZE and len(offer) == OFFER_ID_SIZE
        ):
            return Entrance(id=id, host=host, offer=offer)
    raise RemoteProtocolError("announcement", "not an entrance")


def _is_number(value: Value, below: int) -> TypeGuard[int]:
    return type(value) is int and value < below


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An announcement and the host that sent it, as far as a datagram can be believed."""

    announcement: Announcement
    host: str

    @property
    def address(self) -> Address:
        return Address(self.host, self.announcement.port)


async def announce(
    describe: Callable[[], Announcement], targets: Sequence[Address] | None = None
) -> None:
    """Announce what `describe` returns, until this is cancelled.

    Without targets, announcements go to all local networks that the machine is part of at that
    moment. Errors are ignored: the cable may be back the next time.
    """
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        while True:
            data = describe().encode()
            for target in targets if targets is not None else _everyone():
                with contextlib.suppress(OSError):
                    await datagrams.sendto(data, target)
            await trio.sleep(limits.BEACON_INTERVAL_S)


def _everyone() -> list[Address]:
    return [Address(host, limits.BEACON_PORT) for host in broadcast_addresses()]


async def listen(
    found: Callable[[Found], None],
    bind: Address | None = None,
    *,
    task_status: trio.TaskStatus[Address] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Call `found` with every announcement that is heard, until this is cancelled.

    Anything else that is heard is ignored. Raises Refusal if it cannot listen.
    """
    bind = bind or Address("", limits.BEACON_PORT)
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        # Several programs on one machine may listen: a broadcast reaches them all.
        datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            await datagrams.bind(bind)
        except OSError as error:
            raise _refusal(bind, error) from None
        task_status.started(Address(*datagrams.getsockname()))
        while True:
            # One byte more than allowed is enough to notice a datagram that is too long.
            data, (host, _port) = await datagrams.recvfrom(limits.BEACON_SIZE_MOST + 1)
            with contextlib.suppress(RemoteProtocolError):
                found(Found(announcement=Announcement.decode(data), host=host))


def _refusal(bind: Address, error: OSError) -> Refusal:
    return Refusal(
        _("cannot listen for tables on {address}: {why}").format(address=bind, why=error.strerror),
        hint=_("another program uses UDP port {port}; quit it first").format(port=bind.port),
    )


class Tables:
    """The tables that were heard of: the newest announcement of each, up to a limit."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, bytes], Found] = {}

    def add(self, found: Found) -> None:
        place = (found.host, found.announcement.key_id)
        of_host = sum(host == found.host for host, _key in self._found)
        room = len(self._found) < limits.TABLES_MOST and of_host < limits.TABLES_PER_HOST_MOST
        if room or place in self._found:
            self._found[place] = found

    def all(self) -> list[Found]:
        """Return the tables in the same order whenever they are the same."""
        return sorted(
            self._found.values(), key=lambda found: (found.announcement.name, found.address)
        )


async def heard(seconds: float, bind: Address | None = None) -> list[Found]:
    """Return the tables heard of in this time."""
    tables = Tables()
    with trio.move_on_after(seconds):
        await listen(tables.add, bind)
    return tables.all()


async def heard_at(address: Address, seconds: float, bind: Address | None = None) -> Found | None:
    """Return the next announcement of a table at this address, or None if there is none in this
    time. Announcements grow old: with every code they name another entrance."""
    newest: list[Found] = []
    with trio.move_on_after(seconds) as scope:

        def hear(found: Found) -> None:
            if found.address == address:
                newest.append(found)
                scope.cancel()

        await listen(hear, bind)
    return newest[0] if newest else None


def described(found: Found) -> str:
    """Return where a table is, who hosts it, what is played, and which invitation fits."""
    table = found.announcement
    name, game = shown_names([table.name])[0], shown_names([table.game])[0]
    seats = _("{taken} of {seats} seats taken").format(taken=table.taken, seats=table.seats)
    key = _("key {key}").format(key=table.key_id.hex())
    return f"{found.address}  {name}  {game}  {seats}  {key}"


def listed(tables: Sequence[Found]) -> list[str]:
    """Return a numbered line for each table."""
    return [f"{number}  {described(found)}" for number, found in enumerate(tables, 1)]
