import errno
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from p2pfruit.net import dialling, limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import CannotDial, Dialler, Failure, Proxy, dial
from tests.p2pfruit.net.socks import proxied

Handler = Callable[[trio.SocketStream], Awaitable[None]]
ONION = "a" * 56 + ".onion"


async def echo(stream: trio.SocketStream) -> None:
    async with stream:
        async for data in stream:
            await stream.send_all(data)


@asynccontextmanager
async def serving(handler: Handler = echo, host: str = "127.0.0.1") -> AsyncIterator[Address]:
    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, handler, 0, host=host))
        yield Address(*listener.socket.getsockname()[:2])
        nursery.cancel_scope.cancel()


async def assert_echo(stream: trio.SocketStream) -> None:
    async with stream:
        assert stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await stream.send_all(b"fig")
        assert await stream.receive_some() == b"fig"


async def test_directly() -> None:
    async with serving() as address:
        await assert_echo(await dial(address, None))
        await assert_echo(await dial(Address("localhost", address.port), None))


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6")
async def test_ipv6() -> None:
    async with serving(host="::1") as address:
        await assert_echo(await dial(address, None))


async def test_nobody_there() -> None:
    async with serving() as address:
        pass
    with pytest.raises(CannotDial) as caught:
        await dial(address, None)
    assert caught.value.why == f"{address}: Connection refused"


def test_a_call_that_was_not_even_tried() -> None:
    failure, why = dialling._failure(OSError(errno.EMFILE, "x"))
    assert (failure, why) == (Failure.OTHER, os.strerror(errno.EMFILE))
    assert dialling._failure(OSError("no number")) == (Failure.OTHER, "no number")


async def test_a_name_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_such_name(*_arguments: object, **_more: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(trio.socket, "getaddrinfo", no_such_name)
    with pytest.raises(CannotDial, match="no such host"):
        await dial(Address("nowhere.invalid", 1), None)


async def test_a_call_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DIAL_S", 0)
    async with serving() as address:
        with pytest.raises(CannotDial, match="does not answer"):
            await dial(address, None)


@pytest.mark.parametrize("address", [Address("", 5), Address("127.0.0.1", 0)])
async def test_what_cannot_be_called(address: Address) -> None:
    with pytest.raises(CannotDial, match="cannot be called"):
        await dial(address, None)


async def test_an_onion_without_tor() -> None:
    with pytest.raises(CannotDial) as caught:
        await dial(Address(ONION, 5), None)
    assert "--proxy socks5://127.0.0.1:9050" in str(caught.value.hint)


async def test_an_onion_is_called_through_the_proxy_that_is_found_for_it() -> None:
    async def found() -> str:
        raise CannotDial("tor has not started")

    async with serving() as address:
        dialler = Dialler(onions=found)
        await assert_echo(await dialler.dial(address))
        with pytest.raises(CannotDial, match="tor has not started"):
            await dialler.dial(Address(ONION, 5))


async def test_a_relay_is_asked_for_the_table() -> None:
    asked = []

    async def cross(stream: trio.SocketStream, address: Address) -> None:
        asked.append(address)
        if len(asked) > 1:
            raise CannotDial("no table")

    async with serving() as address:
        relay = address.behind()
        dialler = Dialler(cross=cross)
        await assert_echo(await dialler.dial(relay))
        with pytest.raises(CannotDial, match="no table"):
            await dialler.dial(relay)
        assert asked == [relay, relay]
        with pytest.raises(CannotDial, match="leads to no table"):
            await dial(relay)


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
@pytest.mark.parametrize("name", ["table.example", ONION])
async def test_names_are_looked_up_by_the_proxy(
    scheme: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving() as address, proxied({name: address}) as proxy:
        await assert_echo(await dial(Address(name, 7), f"{scheme}://127.0.0.1:{proxy.port}"))
        assert proxy.asked == [("name", name, 7)]


async def test_addresses_through_a_proxy() -> None:
    async with serving() as address, proxied({"192.0.2.7": address, "2a00::7": address}) as proxy:
        url = f"socks5://127.0.0.1:{proxy.port}"
        await assert_echo(await dial(Address("192.0.2.7", 7), url))
        await assert_echo(await dial(Address("2a00::7", 8), url))
        assert proxy.asked == [("IPv4", "192.0.2.7", 7), ("IPv6", "2a00::7", 8)]


async def test_a_proxy_with_a_password() -> None:
    secret = ("me", "p@ss:/word")
    async with serving() as address, proxied({"table": address}, secret=secret) as proxy:
        where = f"127.0.0.1:{proxy.port}"
        stream = await dial(Address("table", 7), f"socks5://me:p%40ss%3A%2Fword@{where}")
        await assert_echo(stream)
        with pytest.raises(CannotDial, match="authentication failure"):
            await dial(Address("table", 7), f"socks5://me:wrong@{where}")
        with pytest.raises(CannotDial, match="no acceptable"):
            await dial(Address("table", 7), f"socks5://{where}")


async def test_a_proxy_that_does_not_get_there() -> None:
    async with proxied({}, reply=5) as proxy:
        with pytest.raises(CannotDial) as caught:
            await dial(Address("table", 7), f"socks5://127.0.0.1:{proxy.port}")
    assert caught.value.why.startswith("the proxy cannot reach table:7: ")
    assert "refused" in caught.value.why


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        *((code, f"{ONION}:7 does not answer through Tor") for code in (1, 3, 4, 6)),
        *((code, f"{ONION}:7 does not answer through Tor") for code in (0xF2, 0xF3, 0xF7)),
        (0xF0, f"Tor knows no table at {ONION}:7"),
    ],
)
async def test_an_onion_service_that_is_not_there(reply: int, why: str) -> None:
    async with proxied({}, reply=reply) as proxy:
        with pytest.raises(CannotDial) as caught:
            await dial(Address(ONION, 7), f"socks5://127.0.0.1:{proxy.port}")
    assert (caught.value.why, caught.value.failure) == (why, Failure.SILENT)


async def test_what_tor_takes_for_no_onion_address() -> None:
    async with proxied({}, reply=0xF6) as proxy:
        with pytest.raises(CannotDial, match="can be no onion address"):
            await dial(Address(ONION, 7), f"socks5://127.0.0.1:{proxy.port}")


@pytest.mark.parametrize("reply", [2, 5, 7, 0xF1, 0xF4])
async def test_what_a_proxy_says_of_an_onion_otherwise(reply: int) -> None:
    async with proxied({}, reply=reply) as proxy:
        with pytest.raises(CannotDial, match="the proxy cannot reach"):
            await dial(Address(ONION, 7), f"socks5://127.0.0.1:{proxy.port}")


async def test_a_proxy_that_is_not_there() -> None:
    async with serving() as address:
        pass
    with pytest.raises(CannotDial, match=r"socks5://127.0.0.1:\d+ cannot be reached") as caught:
        await dial(Address("table", 7), f"socks5://me:secret@{address}")
    assert "secret" not in caught.value.why
    assert caught.value.hint


async def hang_up(stream: trio.SocketStream) -> None:
    await stream.aclose()


async def talk_of_something_else(stream: trio.SocketStream) -> None:
    await stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")


async def reply_with_a_broken_name(stream: trio.SocketStream) -> None:
    await stream.receive_some()
    await stream.send_all(b"\5\0\5\0\0\3\2\xff\xff\0\0")
    await stream.receive_some()


@pytest.mark.parametrize("handler", [hang_up, talk_of_something_else, reply_with_a_broken_name])
async def test_something_that_is_no_proxy(handler: Handler) -> None:
    async with serving(handler) as address:
        with pytest.raises(CannotDial, match="the proxy cannot reach"):
            await dial(Address("table", 7), f"socks5://{address}")


async def test_a_call_through_a_proxy_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DIAL_PROXY_S", 0)
    async with serving() as address:
        with pytest.raises(CannotDial, match="does not answer through the proxy"):
            await dial(Address("table", 7), f"socks5://{address}")


async def test_onions_that_are_missed_are_told() -> None:
    missed = []

    async def miss() -> None:
        missed.append(True)

    async def way() -> str:
        return f"socks5://127.0.0.1:{proxy.port}"

    dialler = Dialler(onions=way, missed=miss, by_tor=True)
    async with serving() as address, proxied({ONION: address}) as proxy:
        await assert_echo(await dialler.dial(Address(ONION, 7)))
        assert not missed
    async with proxied({}, reply=4) as proxy:
        for host, times in (("b.example", 0), (ONION, 1)):
            with pytest.raises(CannotDial):
                await dialler.dial(Address(host, 7))
            assert len(missed) == times


async def test_a_call_to_an_onion_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DIAL_ONION_S", 0)
    async with serving() as address:
        with pytest.raises(CannotDial, match="does not answer through Tor"):
            await dial(Address(ONION, 7), f"socks5://{address}")


async def test_a_cable_of_this_machine_means_nothing_to_a_proxy() -> None:
    with pytest.raises(CannotDial, match="this computer only"):
        await dial(Address("fe80::1%eth0", 7), "socks5://127.0.0.1:9050")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:9050",
        "http://127.0.0.1:9050",
        "socks4://127.0.0.1:9050",
        "socks5://127.0.0.1",
        "socks5://:9050",
        "socks5://127.0.0.1:0",
        "socks5://127.0.0.1:9050/path",
        "socks5://[::1:9050",
        "socks5://me@127.0.0.1:9050",
        "socks5://:secret@127.0.0.1:9050",
        "sock5://me:secret@127.0.0.1:9050",
    ],
)
def test_what_is_no_proxy(url: str) -> None:
    with pytest.raises(CannotDial, match="is not a proxy URL") as caught:
        Proxy.parse(url)
    assert "socks5://" in str(caught.value.hint)
    assert "secret" not in caught.value.why


def test_a_proxy_is_shown_without_its_password() -> None:
    proxy = Proxy.parse("socks5://me:secret@[::1]:9050/")
    assert (proxy.username, proxy.password) == ("me", "secret")
    assert str(proxy) == "socks5://[::1]:9050"
