"""A caller asks a relay for the table that is registered there."""

import trio

from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import Cross
from p2pfruit.net.relay.exchanging import exchange
from protocol.crypto.identity import Identity
from protocol.relay.approach import Calling


def crossing(rendezvous: Identity) -> Cross:
    """Return what a dialler does at a relay. After it, the stream is that of the host."""

    async def cross(stream: trio.SocketStream, address: Address) -> None:
        await exchange(stream, address.relay or address, Calling(rendezvous))

    return cross
