"""A SOCKS5 proxy on loopback that knows a few names, and remembers what it was asked."""

import ipaddress
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial

import trio

from p2pfruit.net.addresses import Address


class Socks:
    def __init__(
        self, names: Mapping[str, Address], secret: tuple[str, str] | None, reply: int | None
    ) -> None:
        self.port = 0
        self.asked: list[tuple[str, str, int]] = []
        self.names = names
        self._secret = secret
        self._reply = reply

    async def attend(self, stream: trio.SocketStream) -> None:
        async with stream:
            take = partial(_take, stream)
            _version, count = await take(2)
            methods = await take(count)
            if self._secret is None:
                await stream.send_all(b"\5\0")
            elif 2 not in methods:
                await stream.send_all(b"\5\xff")
                return
            elif not await self._authenticated(stream):
                return
            _version, _command, _reserved, kind = await take(4)
            host = await self._host(stream, kind)
            port = int.from_bytes(await take(2), "big")
            self.asked.append(({1: "IPv4", 3: "name", 4: "IPv6"}[kind], host, port))
            if self._reply is not None:
                await stream.send_all(bytes([5, self._reply, 0, 1]) + bytes(6))
                return
            far = await trio.open_tcp_stream(*self.names[host])
            async with far:
                await stream.send_all(b"\5\0\0\1" + bytes(6))
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_pump, stream, far)
                    await _pump(far, stream)
                    nursery.cancel_scope.cancel()

    async def _authenticated(self, stream: trio.SocketStream) -> bool:
        await stream.send_all(b"\5\2")
        words = []
        await _take(stream, 1)
        for _ in range(2):
            (length,) = await _take(stream, 1)
            words.append((await _take(stream, length)).decode())
        good = tuple(words) == self._secret
        await stream.send_all(bytes([1, not good]))
        return good

    async def _host(self, stream: trio.SocketStream, kind: int) -> str:
        if kind == 3:
            (length,) = await _take(stream, 1)
            return (await _take(stream, length)).decode()
        return str(ipaddress.ip_address(await _take(stream, 4 if kind == 1 else 16)))


async def _take(stream: trio.SocketStream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = await stream.receive_some(count - len(data))
        assert more
        data += more
    return data


async def _pump(source: trio.SocketStream, sink: trio.SocketStream) -> None:
    with suppress(trio.BrokenResourceError):  # one end has hung up in the middle
        async for data in source:
            await sink.send_all(data)


@asynccontextmanager
async def proxied(
    names: Mapping[str, Address],
    *,
    secret: tuple[str, str] | None = None,
    reply: int | None = None,
) -> AsyncIterator[Socks]:
    proxy = Socks(names, secret, reply)
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, proxy.attend, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        proxy.port = listener.socket.getsockname()[1]
        yield proxy
        nursery.cancel_scope.cancel()
