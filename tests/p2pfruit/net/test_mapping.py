"""The real library against a router on loopback. The search for routers, which is multicast to the
whole network, is the only part that a stub stands in for."""

import sys
import threading

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit.exits import Refusal
from p2pfruit.net import limits, mapping
from p2pfruit.net.addresses import Address
from p2pfruit.net.mapping import mapped_port
from tests.p2pfruit.net.igd import routed


@pytest.fixture
def library() -> None:
    pytest.importorskip("miniupnpc")


async def test_a_port_is_lent_and_given_back(library: None) -> None:
    with routed() as igd:
        async with mapped_port(4242, igd.description) as external:
            assert external == Address("8.8.8.8", 4242)
            assert igd.lent == {4242: limits.UPNP_LEASE_S}
        assert igd.lent == {}


async def test_a_port_is_given_back_when_all_is_cancelled(library: None) -> None:
    with routed() as igd:
        with trio.CancelScope() as scope:
            async with mapped_port(4242, igd.description):
                scope.cancel()
                await trio.lowlevel.checkpoint()
        assert igd.lent == {}


async def test_a_router_that_lends_for_ever_only(library: None) -> None:
    with routed(leases=False) as igd:
        async with mapped_port(4242, igd.description):
            assert igd.lent == {4242: 0}
        assert igd.lent == {}


async def test_a_router_that_says_no(library: None) -> None:
    with (
        routed(lends=False) as igd,
        pytest.raises(Refusal, match="the router did not open a port") as refused,
    ):
        async with mapped_port(4242, igd.description):
            pass
    assert "UPnP" in str(refused.value.hint)


async def test_a_router_that_does_not_know_its_address(library: None) -> None:
    with routed("") as igd:
        with pytest.raises(Refusal, match="the router did not open a port"):
            async with mapped_port(4242, igd.description):
                pass
        assert igd.lent == {}


async def test_a_router_that_forgot_the_port_by_itself(library: None) -> None:
    with routed() as igd:
        async with mapped_port(4242, igd.description):
            igd.lent.clear()
        assert igd.asked[-1] == "DeletePortMapping"


async def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniupnpc", None)
    with pytest.raises(Refusal, match="miniupnpc") as refused:
        async with mapped_port(4242):
            pass
    assert f"{sys.executable} -m pip install miniupnpc" in str(refused.value.hint)


class Stub:
    """In the place of the library, where it would search the network."""

    discoverdelay = 0
    lanaddr = "192.168.1.2"

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.silent: threading.Event | None = None

    def discover(self) -> int:
        self.calls.append(("discover", self.discoverdelay))
        if self.silent is not None:
            self.silent.wait()
        return 1

    def selectigd(self) -> None:
        self.calls.append(("select",))

    def addportmapping(self, *arguments: object) -> None:
        self.calls.append(("add", *arguments))

    def deleteportmapping(self, *arguments: object) -> None:
        self.calls.append(("delete", *arguments))

    def externalipaddress(self) -> str:
        return "8.8.8.8"


async def test_without_a_description_the_router_is_searched_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = Stub()
    monkeypatch.setattr(mapping, "_library", lambda: lambda: stub)
    async with mapped_port(4242) as external:
        assert external == Address("8.8.8.8", 4242)
    assert stub.calls == [
        ("discover", limits.UPNP_SEARCH_MS),
        ("select",),
        ("add", 4242, "TCP", "192.168.1.2", 4242, "p2pfruit", "", limits.UPNP_LEASE_S),
        ("delete", 4242, "TCP"),
    ]


async def test_a_router_that_does_not_answer(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = Stub()
    stub.silent = threading.Event()
    monkeypatch.setattr(mapping, "_library", lambda: lambda: stub)

    async def lose_patience() -> None:
        await wait_all_tasks_blocked()
        mock_clock.jump(limits.UPNP_S)

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lose_patience)
            with pytest.raises(Refusal, match="does not answer"):
                async with mapped_port(4242):
                    pass
    finally:
        stub.silent.set()
