"""One question to a router over UDP, sent again until there is an answer that counts.

The socket is connected, so only datagrams from the router's own address and port arrive. Whatever
else arrives is ignored, up to a number of datagrams.
"""

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.router.answers import NotGranted, Reason
from protocol.errors import RemoteProtocolError

T = TypeVar("T")


async def exchange(
    inside: str, router: Address, question: bytes, read: Callable[[bytes], T | None]
) -> T:
    """Return the answer that `read` makes of a datagram.

    `read` returns None, or raises RemoteProtocolError, if a datagram is not the answer. Raises
    NotGranted if none comes.
    """
    try:
        with await _connected(inside, router) as datagrams:
            return await _exchange(datagrams, question, read)
    except ConnectionError:  # a message of the network that nothing listens there
        raise NotGranted(Reason.UNKNOWN, _("the router does not speak it")) from None
    except OSError as error:
        why = _("cannot ask the router: {why}").format(why=error.strerror or error)
        raise NotGranted(Reason.SILENT, why) from None


async def tell(inside: str, router: Address, message: bytes) -> None:
    """Send a message once, and wait for nothing."""
    with suppress(OSError), await _connected(inside, router) as datagrams:
        await datagrams.send(message)


async def _connected(inside: str, router: Address) -> trio.socket.SocketType:
    [(family, _type, _protocol, _name, place), *_more] = await trio.socket.getaddrinfo(
        *router, type=socket.SOCK_DGRAM, flags=socket.AI_NUMERICHOST
    )
    datagrams = trio.socket.socket(family, socket.SOCK_DGRAM)
    try:
        # A router that is asked at its link-local address would else see one of ours.
        await datagrams.bind((inside, 0))
        await datagrams.connect(place)
    except BaseException:
        datagrams.close()
        raise
    return datagrams


async def _exchange(
    datagrams: trio.socket.SocketType, question: bytes, read: Callable[[bytes], T | None]
) -> T:
    ignored = 0
    for wait_s in limits.ROUTER_WAITS_S:
        await datagrams.send(question)
        with trio.move_on_after(wait_s):
            while ignored < limits.ROUTER_IGNORED_MOST:
                data = await datagrams.recv(limits.READ_SIZE_MOST)
                with suppress(RemoteProtocolError):
                    if (answer := read(data)) is not None:
                        return answer
                ignored += 1
            await trio.sleep_forever()
    raise NotGranted(Reason.SILENT, _("the router does not answer"))
