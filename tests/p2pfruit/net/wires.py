"""Two players who know the same secret, and wires between them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import trio
from trio.testing import memory_stream_pair

from p2pfruit.net import wire
from p2pfruit.net.wire import Wire
from protocol.crypto.identity import Identity
from protocol.link.keys import Access

HOST = Identity(bytes([1]) * 32)
GUEST = Identity(bytes([2]) * 32)

ACCESS = Access.hosting(HOST.key, bytes(range(16)))
WATCHING = ACCESS.to_watch()
KEY, WATCH_KEY = ACCESS.psk, WATCHING.psk
INVITED = Access(secret=ACCESS.secret)
OTHER = Access(secret=bytes([1]) * 16)
OTHER_KEY = OTHER.psk

HOST_INSTANCE, GUEST_INSTANCE = bytes([3]) * 16, bytes([4]) * 16

welcome = partial(
    wire.welcome,
    access=ACCESS,
    watched=True,
    identity=HOST,
    instance=HOST_INSTANCE,
)
call = partial(wire.call, key=KEY, identity=GUEST, instance=GUEST_INSTANCE)

Streams = tuple[trio.abc.HalfCloseableStream, trio.abc.HalfCloseableStream]


@dataclass
class Ends:
    host: Wire = field(init=False)
    guest: Wire = field(init=False)


async def ends(
    streams: Callable[[], Streams] = memory_stream_pair, *, key: bytes = KEY
) -> tuple[Wire, Wire]:
    """The host's wire and the guest's."""
    made = Ends()
    host_stream, guest_stream = streams()

    async def open_host() -> None:
        made.host = await welcome(host_stream, "guest")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_host)
        made.guest = await call(guest_stream, "host", key=key)
    return made.host, made.guest
