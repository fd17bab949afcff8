import socket
from functools import partial

import pytest
import trio

from p2pfruit.net import reachability
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import CannotDial
from p2pfruit.net.findings import Level
from tests.p2pfruit.net.igd import routed
from tests.p2pfruit.net.socks import proxied

OK, NOTE, PROBLEM = Level.OK, Level.NOTE, Level.PROBLEM


@pytest.mark.parametrize(
    ("host", "level", "says"),
    [
        ("8.8.8.8", OK, "global"),
        ("100.64.0.1", NOTE, "provider"),
        ("192.168.1.2", OK, "private"),
        ("fd00::2", OK, "private"),
        ("169.254.1.1", OK, "cable"),
        ("127.0.0.1", OK, "this computer itself"),
    ],
)
def test_each_address_is_explained(host: str, level: Level, says: str) -> None:
    (finding,) = reachability.addresses([host])
    assert finding.level is level
    assert finding.what.startswith(host)
    assert says in finding.what


@pytest.mark.parametrize(
    ("hosts", "found"),
    [
        (["127.0.0.1", "::1"], [("network", NOTE)]),
        ([], [("network", NOTE)]),
        (["192.168.1.2", "127.0.0.1"], [("nat", NOTE), ("ipv6", NOTE)]),
        (["100.64.0.1", "fd00::2"], [("nat", NOTE), ("ipv6", NOTE)]),
        (["192.168.1.2", "2a00::1"], [("nat", NOTE), ("ipv6", OK)]),
        (["127.0.0.1", "2a00::1"], [("nat", NOTE), ("ipv6", OK)]),
        (["8.8.8.8", "2a00::1"], [("nat", OK), ("ipv6", OK)]),
    ],
)
def test_the_world_outside(hosts: list[str], found: list[tuple[str, Level]]) -> None:
    findings = reachability.outside(hosts)
    assert [(finding.about, finding.level) for finding in findings] == found
    for finding in findings:
        assert (finding.hint is None) == (finding.level is OK)


async def test_a_free_port_can_be_listened_on_and_called() -> None:
    hosts = ["127.0.0.1", *(["::1"] if socket.has_ipv6 else [])]
    findings = await reachability.ports(hosts, 0)
    assert [finding.level for finding in findings] == [OK] * len(hosts)


async def test_a_port_in_use_is_a_problem() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        (finding,) = await reachability.ports(["127.0.0.1"], other.getsockname()[1])
    assert finding.level is PROBLEM
    assert "in use" in finding.what
    assert finding.hint == "use another port"


async def test_a_machine_that_cannot_call_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(address: Address, proxy: str | None) -> trio.SocketStream:
        raise CannotDial("a firewall")

    monkeypatch.setattr(reachability, "dial", refuse)
    (finding,) = await reachability.ports(["127.0.0.1"], 0)
    assert finding.level is PROBLEM
    assert "a firewall" in finding.what


async def test_a_proxy_that_answers() -> None:
    async with proxied({}) as proxy:
        finding = await reachability.proxy(f"socks5://127.0.0.1:{proxy.port}")
    assert finding.level is OK
    assert proxy.asked == []


async def hang_up(stream: trio.SocketStream) -> None:
    await stream.aclose()


async def test_what_answers_but_is_no_proxy() -> None:
    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, hang_up, 0, host="127.0.0.1"))
        where = Address(*listener.socket.getsockname())
        finding = await reachability.proxy(f"socks5://{where}")
        nursery.cancel_scope.cancel()
    assert finding.level is PROBLEM
    assert "not a SOCKS5 proxy" in finding.what
    gone = await reachability.proxy(f"socks5://{where}")
    assert (gone.level, gone.hint) == (PROBLEM, "check that it is running")
    assert (await reachability.proxy("http://127.0.0.1:1")).level is PROBLEM


@pytest.mark.parametrize(("external", "level"), [("8.8.8.8", OK), ("192.168.7.1", NOTE)])
async def test_a_router_is_asked_and_given_its_port_back(external: str, level: Level) -> None:
    pytest.importorskip("miniupnpc")
    with routed(external) as igd:
        finding = await reachability.router(4242, igd.description)
        assert igd.lent == {}
    assert finding.level is level
    assert external in finding.what


async def test_a_router_that_says_no() -> None:
    pytest.importorskip("miniupnpc")
    with routed(lends=False) as igd:
        finding = await reachability.router(4242, igd.description)
    assert finding.level is PROBLEM
    assert finding.hint
