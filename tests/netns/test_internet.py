"""Real programs over the internet, behind the routers that people have: one command each.

What works is played to the end. What cannot work fails soon, at the guest, with the hint that names
the cause.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pfruit.exits import INTERRUPTED, NO_CONNECTION
from tests.netns.miniupnpd import Daemon
from tests.netns.nats import INTERNET, Firewall, Kind, Nat, Nats, Router
from tests.netns.shared_torland import SharedTorland
from tests.netns.tables import Opened, Program, open_table
from tests.quick import slow_but

pytestmark = [pytest.mark.needs("namespaces"), pytest.mark.needs("nft")]

PORT = 24977


def carrier_home() -> Router:
    """A home that shares its address with others, and whose ports nobody can foretell."""
    carrier = Router(kind=Kind.CARRIER, ipv4=Nat.RANDOM)
    return Router(behind=carrier, ipv4=Nat.RANDOM)


@pytest.fixture
def no_tor(tmp_path: Path) -> dict[str, str]:
    """A machine on which tor is not installed."""
    programs, tool = tmp_path / "bin", shutil.which("ip")
    assert tool is not None
    programs.mkdir()
    (programs / "ip").symlink_to(tool)
    return {"PATH": str(programs)}


def finish(table: Opened) -> None:
    for program in table.programs:
        assert program.end() == 0, program.story()
    assert len({program.file.read_bytes() for program in table.programs}) == 1


def fails(guest: Program) -> str:
    """The guest gives up; return what it says."""
    assert guest.end() == NO_CONNECTION, guest.story()
    story = guest.story()
    assert "the host cannot be reached" in story
    return story


def states(program: Program, way: str) -> list[str]:
    """What the host has heard of a way, in order."""
    return [said.fields["state"] for said in program.all("way") if said.fields["way"] == way]


def reach(program: Program) -> str:
    return str(program.wait_for("invitation").fields["reach"])


# What cannot work.


@pytest.mark.parametrize(
    ("options", "where", "hint"),
    [
        ([], "machine", "only works on the host's own computer"),
        (["--public"], "network", "only works on the host's own network"),
        (
            ["--public", "--advertise", "{outside}:24977"],
            "anywhere",
            "a firewall or a router in front of the host blocks it",
        ),
    ],
)
@pytest.mark.parametrize("silent", slow_but(lambda silent: silent, [True, False]))
def test_a_host_behind_a_router_that_was_not_asked(
    options: list[str], where: str, hint: str, silent: bool, tmp_path: Path
) -> None:
    with Nats(Router(rejects=not silent), Router()) as net:
        options = [option.format(outside=net.outside(1)) for option in options]
        table = open_table(net, tmp_path, 2, reach=options or ["--port", "0"])
        assert reach(table.programs[0]) == where
        story = fails(table.join(2))
    refused = not silent and where == "anywhere"
    assert ("whether the host's router forwards the port" if refused else hint) in story


def test_a_router_that_gives_no_port_where_there_is_no_tor(
    no_tor: dict[str, str], tmp_path: Path
) -> None:
    with Nats(Router(), Router()) as net:
        table = open_table(net, tmp_path, 2, reach=["--internet"], **no_tor)
        host = table.programs[0]
        assert reach(host) == "network"
        assert states(host, "router")[-1] == states(host, "tor")[-1] == "failed"
        told = [said.fields["hint"] or "" for said in host.all("way")]
        assert any("apt install tor" in hint for hint in told)
        assert "only works on the host's own network" in fails(table.join(2))


def test_a_firewall_of_ipv6_that_cannot_be_opened(no_tor: dict[str, str], tmp_path: Path) -> None:
    here = Router(ipv4=None, ipv6=Firewall.CLOSED)
    there = Router(ipv4=None, ipv6=Firewall.CLOSED)
    with Nats(here, there) as net:
        table = open_table(net, tmp_path, 2, reach=["--internet"], **no_tor)
        assert "a firewall or a router in front of the host blocks it" in fails(table.join(2))


def test_an_address_that_this_computer_has_no_way_to(tmp_path: Path) -> None:
    with Nats(Router(ipv4=None, ipv6=Firewall.OPEN), Router()) as net:
        table = open_table(net, tmp_path, 2, reach=["--public"])
        assert "this computer has no IPv6" in fails(table.join(2))


# What works.


def test_a_port_that_was_forwarded_by_hand(tmp_path: Path) -> None:
    with Nats(Router(ports=(PORT,)), Router()) as net:
        options = ["--public", "--advertise", f"{net.outside(1)}:{PORT}"]
        table = open_table(net, tmp_path, 2, reach=options)
        table.join(2)
        finish(table)


@pytest.mark.parametrize(
    "daemon",
    slow_but(
        lambda daemon: daemon.pcp or not daemon.nat_pmp,
        [Daemon(), Daemon(pcp=False), Daemon(pcp=False, nat_pmp=False)],
    ),
    ids=lambda daemon: " ".join(
        name for name in ("pcp", "nat_pmp", "upnp") if getattr(daemon, name)
    ),
)
def test_a_router_that_gives_a_port(daemon: Daemon, tmp_path: Path) -> None:
    router = Router(daemon=daemon)
    with Nats(router, Router()) as net:
        table = open_table(net, tmp_path, 2, reach=["--internet"])
        host = table.programs[0]
        assert reach(host) == "anywhere"
        assert (states(host, "router")[-1], states(host, "tor")) == ("open", [])
        assert net.opened(router)
        table.join(2)
        finish(table)
        assert net.opened(router) == []


def test_control_c_gives_the_port_back(tmp_path: Path) -> None:
    router = Router(daemon=Daemon())
    with Nats(router, Router()) as net:
        [host] = open_table(net, tmp_path, 2, reach=["--internet"]).programs
        host.wait_for("invitation")
        assert net.opened(router)
        host.interrupt()
        assert host.end() == INTERRUPTED, host.story()
        assert net.opened(router) == []


def test_a_firewall_of_ipv6_that_opens_on_request(tmp_path: Path) -> None:
    here = Router(ipv4=None, ipv6=Firewall.CLOSED, daemon=Daemon())
    there = Router(ipv4=None, ipv6=Firewall.CLOSED)
    with Nats(here, there) as net:
        table = open_table(net, tmp_path, 2, reach=["--internet"])
        assert states(table.programs[0], "tor") == []
        table.join(2)
        finish(table)


def test_guests_behind_carriers_at_a_host_in_the_open(tmp_path: Path) -> None:
    with Nats(INTERNET, carrier_home(), carrier_home()) as net:
        table = open_table(net, tmp_path, 3, reach=["--internet"])
        assert reach(table.programs[0]) == "anywhere"
        table.join(2)
        table.join(3)
        finish(table)


# Carriers on both sides.


@pytest.fixture
def carriers(tor_internet: SharedTorland) -> Iterator[tuple[Nats, dict[str, str]]]:
    """Two homes behind carriers, from which the Tor network can be called; a host in the open."""
    with Nats(carrier_home(), carrier_home(), INTERNET) as net:
        tor_internet.plug(net.namespace_of(INTERNET))
        yield net, {"P2PFRUIT_TORRC": str(tor_internet.torrc())}


@pytest.mark.needs("tor")
def test_carriers_on_both_sides_over_tor(
    carriers: tuple[Nats, dict[str, str]], tmp_path: Path
) -> None:
    net, torrc = carriers
    table = open_table(net, tmp_path, 2, reach=["--tor"], **torrc)
    host, guest = table.programs[0], table.join(2, **torrc)
    finish(table)
    for program in (host, guest):
        for said in program.all("listens"):
            assert all(".onion:" in address for address in said.fields["addresses"])
    assert states(host, "tor")[-1] == "open"


@pytest.mark.needs("tor")
def test_tor_takes_over_where_the_router_cannot_help(
    carriers: tuple[Nats, dict[str, str]], tmp_path: Path
) -> None:
    net, torrc = carriers
    table = open_table(net, tmp_path, 2, reach=["--internet"], **torrc)
    assert reach(table.programs[0]) == "anywhere"
    table.join(2, **torrc)
    finish(table)
    assert states(table.programs[0], "router")[-1] == "failed"


def test_carriers_on_both_sides_by_a_relay(tmp_path: Path) -> None:
    with Nats(carrier_home(), carrier_home(), INTERNET) as net:
        relay = Program(net, 3, tmp_path, ("relay", "--json"), {})
        line = relay.wait_for("relay").fields["line"]
        table = open_table(net, tmp_path, 2, reach=["--relay", line])
        assert reach(table.programs[0]) == "anywhere"
        table.join(2)
        finish(table)
