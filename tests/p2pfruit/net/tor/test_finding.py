"""The way to onion addresses: found, or started once, or missing."""

from contextlib import suppress
from pathlib import Path

import pytest
import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import CannotDial, Dialler, Failure, Proxy
from p2pfruit.net.tor import finding
from p2pfruit.net.tor.child import TORRC
from p2pfruit.net.tor.finding import is_tor, onions_found
from p2pfruit.net.tor.progress import Progress
from p2pfruit.net.tor.running import CONTROL
from tests.p2pfruit.net.socks import proxied
from tests.p2pfruit.net.test_dialling import assert_echo, echo, serving
from tests.p2pfruit.net.tor.scripted import HOST, install, listening, opened, unheard

ONION = Address(HOST, limits.ONION_PORT)
NOT_HTTP = b"HTTP/1.0 501 Tor is not an HTTP Proxy\r\nContent-Type: text/html\r\n\r\n"
NOWHERE = {"PATH": "/nonexistent"}


async def tors_socks(stream: trio.SocketStream) -> None:
    async with stream:
        await stream.receive_some()
        with suppress(trio.BrokenResourceError):  # who asks has read enough
            for at in range(0, len(NOT_HTTP), 7):
                await stream.send_all(NOT_HTTP[at : at + 7])


async def mute(stream: trio.SocketStream) -> None:
    async with stream:
        await stream.receive_some()
        await stream.receive_some()


async def test_what_is_tor(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(tors_socks) as address:
        assert await is_tor(address)
    assert not await is_tor(address)
    async with serving(echo) as address:
        assert not await is_tor(address)
    monkeypatch.setattr(limits, "TOR_GREETING_S", 0.05)
    async with serving(mute) as address, proxied({}) as proxy:
        assert not await is_tor(address)
        assert not await is_tor(Address("127.0.0.1", proxy.port))


async def test_a_socks_port_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(tors_socks) as address, serving(echo) as other:
        async with onions_found(tmp_path, unheard, NOWHERE, (other, address)) as onions:
            url = Proxy.parse(await onions())
            assert url.address == address
            assert url.username
            assert url.password
            assert await onions() == await onions()  # one table, one way
        async with onions_found(tmp_path, unheard, NOWHERE, (address,)) as onions:
            assert Proxy.parse(await onions()).username != url.username
        for variable in (TORRC, CONTROL):
            environ = NOWHERE | {variable: "/nonexistent"}
            async with onions_found(tmp_path, unheard, environ, (address,)) as onions:
                with pytest.raises(CannotDial):
                    await onions()
        monkeypatch.setattr(finding, "listener_owner", lambda _port: 54321)
        async with onions_found(tmp_path, unheard, NOWHERE, (address,)) as onions:
            with pytest.raises(CannotDial, match="not installed"):
                await onions()


async def test_a_control_port_that_is_there(tmp_path: Path) -> None:
    script = opened()
    async with listening(script) as control, serving() as far, proxied({HOST: far}) as proxy:
        script.answers["GETINFO net/listeners/socks"] = (
            f'250-net/listeners/socks="127.0.0.1:{proxy.port}"\r\n250 OK'
        )
        environ = {CONTROL: str(control)}
        async with onions_found(tmp_path, unheard, environ) as onions:
            dialler = Dialler(onions=onions)
            assert script.heard == []
            await assert_echo(await dialler.dial(far))
            assert script.heard == []  # nothing is looked for before an onion is called
            ways: list[str] = []

            async def find() -> None:
                ways.append(await onions())

            async with trio.open_nursery() as nursery:
                for _call in range(3):
                    nursery.start_soon(find)
            assert len(set(ways)) == 1
            assert script.heard.count("PROTOCOLINFO 1") == 1


async def test_it_ends_and_is_found_again(tmp_path: Path) -> None:
    script = opened()
    async with (
        listening(script) as control,
        onions_found(tmp_path, unheard, {CONTROL: str(control)}) as onions,
    ):
        first = await onions()
        await script.hang_up()
        while await onions() == first:  # the end has not been read yet
            await trio.lowlevel.checkpoint()
    assert script.heard.count("PROTOCOLINFO 1") == 2


async def test_nothing_there(tmp_path: Path) -> None:
    told: list[Progress] = []
    async with onions_found(tmp_path, told.append, NOWHERE, ()) as onions:
        for _call in range(2):
            with pytest.raises(CannotDial) as caught:
                await Dialler(onions=onions).dial(ONION)
            assert caught.value.why == "tor is not installed"
            assert "apt install tor" in str(caught.value.hint)
            assert caught.value.failure is Failure.WAY
    environ = install(tmp_path, "echo '[err] broken'")
    async with onions_found(tmp_path, told.append, environ, ()) as onions:
        with pytest.raises(CannotDial, match="tor does not work: broken"):
            await onions()
