"""The real library against a router on loopback. The search for routers, which is multicast to the
whole network, is the only part that a stub stands in for."""

import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit.exits import Refusal
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.router import upnp
from p2pfruit.net.router.answers import NotGranted, Reason
from p2pfruit.net.router.upnp import UpnpWay, mapped_port
from tests.p2pfruit.net.igd import Igd, routed


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
        self.adding = threading.Event()
        self.may_add = threading.Event()
        self.may_add.set()

    def discover(self) -> int:
        self.calls.append(("discover", self.discoverdelay))
        if self.silent is not None:
            self.silent.wait()
        return 1

    def selectigd(self) -> str:
        self.calls.append(("select",))
        return "http://192.168.1.1:5000/control"

    def addportmapping(self, *arguments: object) -> None:
        self.adding.set()
        self.may_add.wait()
        self.calls.append(("add", *arguments))

    def deleteportmapping(self, *arguments: object) -> None:
        self.calls.append(("delete", *arguments))

    def getspecificportmapping(self, *_arguments: object) -> None:
        return None

    def externalipaddress(self) -> str:
        return "8.8.8.8"


async def test_without_a_description_the_router_is_searched_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = Stub()
    monkeypatch.setattr(upnp, "_library", lambda: lambda: stub)
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
    monkeypatch.setattr(upnp, "_library", lambda: lambda: stub)

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


async def test_where_no_router_speaks_it_nothing_is_said_of_success(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The library raises the last error of the system, which was none."""

    class Nowhere(Stub):
        def discover(self) -> int:
            raise Exception("Success")

    monkeypatch.setattr(upnp, "_library", lambda: Nowhere)
    with pytest.raises(Refusal, match="no router here speaks UPnP"):
        async with mapped_port(4242):
            pass
    with pytest.raises(NotGranted, match="no router here speaks UPnP") as refused:
        await UpnpWay(4242, "192.168.1.1").find()
    assert refused.value.reason is Reason.UNKNOWN


class Searched:
    """The real library, which finds a router without a search."""

    def __init__(self, igd: Igd) -> None:
        self._description = igd.description
        self._library = pytest.importorskip("miniupnpc").UPnP()

    def discover(self) -> int:
        return 1

    def selectigd(self) -> object:
        return self._library.selectigd(self._description)

    def __getattr__(self, name: str) -> object:
        return getattr(self._library, name)


@asynccontextmanager
async def found(
    igd: Igd, monkeypatch: pytest.MonkeyPatch, router: str | None = "127.0.0.1"
) -> AsyncIterator[UpnpWay]:
    monkeypatch.setattr(upnp, "_library", lambda: lambda: Searched(igd))
    way = UpnpWay(4242, router)
    await way.find()
    yield way
    await way.unmap()
    assert igd.lent == {}


async def test_a_way_by_upnp(monkeypatch: pytest.MonkeyPatch) -> None:
    with routed() as igd:
        async with found(igd, monkeypatch) as way:
            for _renewal in range(2):
                lease = await way.map()
                assert lease.address == Address("8.8.8.8", 4242)
                assert igd.lent == {4242: limits.ROUTER_LIFETIME_S}


@pytest.mark.parametrize("tells", [True, False])
async def test_a_port_of_another_computer_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tells: bool
) -> None:
    with routed() as igd:
        igd.taken, igd.tells = {4242: "192.168.1.77"}, tells
        async with found(igd, monkeypatch) as way:
            port = (await way.map()).address.port
            assert port in limits.PORTS_FREE
            assert (await way.map()).address.port == port  # others know it by now
            assert list(igd.lent) == [port]


async def test_a_router_whose_ports_are_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with routed() as igd:
        igd.taken = dict.fromkeys(range(65536), "192.168.1.77")
        async with found(igd, monkeypatch) as way:
            with pytest.raises(NotGranted) as refused:
                await way.map()
            assert refused.value.reason is Reason.REFUSED
        # What is never opened is never closed: it is another computer's.
        assert "DeletePortMapping" not in igd.asked


@pytest.mark.parametrize(
    ("external", "reason"),
    [("", Reason.NO_ADDRESS), ("0.0.0.0", Reason.NO_ADDRESS), ("224.0.0.1", Reason.ODD)],
)
async def test_a_router_without_an_address_opens_nothing(
    monkeypatch: pytest.MonkeyPatch, external: str, reason: Reason
) -> None:
    with routed(external) as igd:
        async with found(igd, monkeypatch) as way:
            with pytest.raises(NotGranted) as refused:
                await way.map()
            assert refused.value.reason is reason
        assert "AddPortMapping" not in igd.asked


async def test_a_router_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with routed(lends=False) as igd:
        async with found(igd, monkeypatch) as way:
            with pytest.raises(NotGranted) as refused:
                await way.map()
            assert refused.value.reason is Reason.REFUSED
            assert refused.value.why != ""


@pytest.mark.parametrize("router", ["192.168.1.1", None])
async def test_another_machine_is_not_taken_for_the_router(
    monkeypatch: pytest.MonkeyPatch, router: str | None
) -> None:
    """127.0.0.1 answers: it is neither the router that is known, nor a host of a home."""
    with routed() as igd:
        with pytest.raises(NotGranted, match="another computer") as refused:
            async with found(igd, monkeypatch, router):
                pass
        assert refused.value.reason is Reason.ODD
        assert igd.asked == []


async def test_a_port_that_is_opened_too_late_is_closed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = Stub()
    monkeypatch.setattr(upnp, "_library", lambda: lambda: stub)
    way = UpnpWay(4242, "192.168.1.1")
    await way.find()
    stub.may_add.clear()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(way.map)
        await trio.to_thread.run_sync(stub.adding.wait)
        nursery.cancel_scope.cancel()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(way.unmap)
        await wait_all_tasks_blocked()
        stub.may_add.set()
    assert [call[0] for call in stub.calls[2:]] == ["add", "delete"]


async def test_a_way_that_was_not_found_gives_nothing_back() -> None:
    await UpnpWay(4242, None).unmap()
