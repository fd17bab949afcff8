import socket
from functools import partial
from pathlib import Path

import pytest
import trio

from p2pfruit.net import probing, reachability
from p2pfruit.net.addresses import Address
from p2pfruit.net.advising import TorState
from p2pfruit.net.dialling import CannotDial
from p2pfruit.net.findings import Level
from p2pfruit.net.probing import Ear, Outcome
from p2pfruit.net.router.answers import Answer, Attempt, Grant, How, Reason
from tests.p2pfruit.net.socks import proxied
from tests.p2pfruit.net.wires import ACCESS

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


# The router.

INSIDE = "192.168.1.2"


def test_what_a_router_has_granted_and_said() -> None:
    answer = Answer(
        granted=(
            Grant(address=Address("8.8.8.8", 4242), how=How.PCP),
            Grant(address=Address("192.168.7.1", 4242), how=How.UPNP),
        ),
        tried=(
            Attempt(how=How.NAT_PMP, inside=INSIDE, reason=Reason.REFUSED, why="it\x1b says no"),
        ),
    )
    findings = reachability.router(answer)
    assert [(one.about, one.level) for one in findings] == [
        ("router", OK),
        ("router", NOTE),
        ("router", NOTE),
    ]
    assert findings[0].what == "the router opens 8.8.8.8:4242 (PCP)"
    assert findings[1].hint is not None
    assert findings[2].what.startswith(f"the router opens nothing for {INSIDE} by NAT-PMP: ")
    assert "\x1b" not in findings[2].what


def test_no_router() -> None:
    [finding] = reachability.router(Answer())
    assert (finding.level, finding.what) == (NOTE, "no router was found")


# A friend's program.


@pytest.mark.parametrize(
    ("outcome", "level", "says"),
    [
        (Outcome(sixth=False, said="reached", arrived=True, caller="8.8.8.8", seen="11.0.0.1"), OK,
         "IPv4: your friend's program has called 11.0.0.1:4242, and the call has arrived"),
        (Outcome(sixth=True, said="silent", seen="2a0f::1"), NOTE,
         "IPv6: your friend's program has called [2a0f::1]:4242, and nothing has answered"),
        (Outcome(sixth=False, said="refused", seen="11.0.0.1"), NOTE, "was refused"),
        (Outcome(sixth=False, said="reached", seen="11.0.0.1"), NOTE, "nothing has arrived here"),
        (Outcome(sixth=False, said="off"), NOTE, "calls nobody back"),
        (Outcome(sixth=False, said="later", seen="11.0.0.1"), NOTE, "too often"),
        (Outcome(sixth=False, said=""), NOTE, "does not answer the question"),
    ],
)  # fmt: skip
async def test_what_a_friend_has_said(
    outcome: Outcome, level: Level, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def asked(*_: object) -> list[Outcome]:
        return [outcome]

    monkeypatch.setattr(probing, "probe", asked)
    found = await reachability.probe(ACCESS, [Address("8.8.8.8", 1)], Ear(4242))
    assert found.outcomes == [outcome]
    [finding] = found.findings
    assert (finding.about, finding.level) == ("probe", level)
    assert says in finding.what


async def test_a_friend_who_cannot_be_reached() -> None:
    found = await reachability.probe(ACCESS, [Address("127.0.0.1", 1)], Ear(4242))
    assert found.outcomes == []
    [finding] = found.findings
    assert (finding.about, finding.level) == ("probe", PROBLEM)
    assert "refused" in finding.what


async def test_an_invitation_over_tor_asks_nobody() -> None:
    onion = Address("a" * 56 + ".onion", 1)
    found = await reachability.probe(ACCESS, [onion, Address("8.8.8.8", 1).behind()], Ear(4242))
    [finding] = found.findings
    assert finding.level is PROBLEM
    assert "Tor or a relay" in finding.what


# Tor.


async def test_whether_tor_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reachability, "SOCKS_PORTS", (Address("127.0.0.1", 1),))
    environ = {"PATH": str(tmp_path)}
    assert await reachability.tor(environ) is TorState.MISSING
    (tmp_path / "tor").write_text("#!/bin/sh\n")
    (tmp_path / "tor").chmod(0o755)
    assert await reachability.tor(environ) is TorState.INSTALLED

    async def answer(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"HTTP/1.0 501 Tor is not an HTTP Proxy\r\n")
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, answer, 0, host="127.0.0.1"))
        where = Address(*listener.socket.getsockname())
        monkeypatch.setattr(reachability, "SOCKS_PORTS", (where,))
        assert await reachability.tor(environ) is TorState.RUNNING
        nursery.cancel_scope.cancel()
