"""A real daemon in a router is asked for a port, and calls from the internet arrive there."""

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from tests.netns.miniupnpd import Daemon
from tests.netns.nats import INTERNET, Firewall, Kind, Nats, Router
from tests.netns.programs import PORT, TRY, call, start_false_router

pytestmark = pytest.mark.needs("namespaces", "nft", "miniupnpd")

TALK = "echo(call(), b'hello'); print('heard')"
PCP, NAT_PMP, UPNP = Daemon(), Daemon(pcp=False), Daemon(pcp=False, nat_pmp=False)
MAPPED = "PCP MAP: added mapping"


class Asker:
    """The program of asker.py."""

    def __init__(self, net: Nats, *options: str, host: int = 1) -> None:
        command = [sys.executable, "-m", "tests.netns.asker", str(PORT), *options]
        pipe = subprocess.PIPE
        self.process = net.popen(host, command, stdin=pipe, stdout=pipe, text=True)
        self.answer = self.next()

    def next(self) -> dict[str, Any]:
        answer = json.loads(self._line())
        assert isinstance(answer, dict)
        return answer

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self._line() == "back\n"

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self._line() == "back\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return str(self.process.stdout.readline())


def heard(net: Nats, address: str) -> bool:
    """Host 2 calls there, and the program of host 1 answers."""
    return _called(net, address, TALK) == "heard\n"


def is_silent(net: Nats, address: str) -> bool:
    return _called(net, address, TRY) == "TimeoutError\n"


def _called(net: Nats, address: str, script: str) -> str:
    host, _colon, port = address.rpartition(":")
    return call(net, 2, host.strip("[]"), f"place = (place[0], {port})\n{script}")


def test_a_port_and_the_firewall_are_opened_by_pcp() -> None:
    home = Router(daemon=PCP, ipv6=Firewall.CLOSED)
    with Nats(home, INTERNET) as net:
        fourth, sixth = f"{net.outside(1)}:{PORT}", f"[{net.ipv6(1)}]:{PORT}"
        assert is_silent(net, fourth)
        assert is_silent(net, sixth)
        asker = Asker(net)
        assert asker.answer["granted"] == [f"pcp {fourth}", f"pcp {sixth}"]
        assert asker.answer["tried"] == []
        assert heard(net, fourth)
        assert heard(net, sixth)
        asker.end()
        assert net.opened(home) == []
        assert is_silent(net, fourth)
        assert is_silent(net, sixth)


@pytest.mark.parametrize(
    ("daemon", "how", "tried"),
    [(NAT_PMP, "nat-pmp", ["pcp silent"]), (UPNP, "upnp", ["pcp silent", "nat-pmp silent"])],
)
def test_a_port_is_opened_by_an_older_protocol(daemon: Daemon, how: str, tried: list[str]) -> None:
    if how == "upnp":
        pytest.importorskip("miniupnpc")
    home = Router(daemon=daemon)
    with Nats(home, INTERNET) as net:
        asker = Asker(net)
        address = f"{net.outside(1)}:{PORT}"
        assert asker.answer["granted"] == [f"{how} {address}"]
        assert asker.answer["tried"] == tried
        assert heard(net, address)
        asker.end()
        assert net.opened(home) == []


@pytest.mark.parametrize("daemon", [PCP, NAT_PMP, UPNP], ids=["pcp", "nat-pmp", "upnp"])
def test_a_port_is_given_back_when_the_program_is_told_to_end(daemon: Daemon) -> None:
    if daemon is UPNP:
        pytest.importorskip("miniupnpc")
    home = Router(daemon=daemon, ipv6=Firewall.CLOSED)
    with Nats(home) as net:
        asker = Asker(net)
        assert net.opened(home) != []
        asker.terminate()
        assert net.opened(home) == []


def test_another_port_is_granted() -> None:
    home = Router(daemon=Daemon(ports=(PORT + 10, PORT + 20)))
    with Nats(home, INTERNET) as net:
        asker = Asker(net)
        address = f"{net.outside(1)}:{PORT + 10}"
        assert asker.answer["granted"] == [f"pcp {address}"]
        assert heard(net, address)
        asker.end()
        assert net.opened(home) == []


def test_two_at_home_get_two_ports() -> None:
    """Both ask for the same one."""
    home = Router(daemon=PCP)
    with Nats(home, INTERNET, home) as net:
        one, other = Asker(net), Asker(net, host=3)
        addresses = [each.answer["granted"][0].split()[1] for each in (one, other)]
        assert len(set(addresses)) == 2
        assert all(heard(net, address) for address in addresses)
        one.end()
        assert is_silent(net, addresses[0])
        assert heard(net, addresses[1])
        other.end()
        assert net.opened(home) == []


def test_a_router_with_an_address_of_a_carrier() -> None:
    home = Router(daemon=PCP, behind=Router(kind=Kind.CARRIER))
    with Nats(home) as net:
        asker = Asker(net)
        assert asker.answer["granted"] == []
        assert asker.answer["carrier"]
        assert "nat-pmp no-address" in asker.answer["tried"]
        asker.end()


def test_a_telephone_in_the_network_of_a_carrier() -> None:
    with Nats(Router(kind=Kind.CARRIER)) as net:
        asker = Asker(net)
        assert asker.answer["granted"] == []
        assert asker.answer["carrier"]
        asker.end()


@pytest.mark.parametrize("rejects", [True, False])
def test_a_router_that_opens_no_ports(rejects: bool) -> None:
    home = Router(ipv6=Firewall.CLOSED)
    with Nats(home) as net:
        if not rejects:
            net.filter(home, "udp dport 5351 drop")
        asker = Asker(net)
        assert asker.answer["granted"] == []
        assert not asker.answer["carrier"]
        why = "unknown" if rejects else "silent"
        tried = asker.answer["tried"]
        assert [tried[0], tried[1], tried[-1]] == [f"pcp {why}", f"nat-pmp {why}", f"pcp {why}"]
        asker.end()


def test_a_router_that_refuses() -> None:
    pytest.importorskip("miniupnpc")
    home = Router(daemon=Daemon(pcp=False, nat_pmp=False, ports=None))
    with Nats(home) as net:
        asker = Asker(net)
        assert asker.answer["granted"] == []
        assert asker.answer["tried"][-1] == "upnp refused"
        assert asker.answer["why"][-1] == "Action not authorized"
        asker.end()


def test_a_port_is_renewed() -> None:
    home = Router(daemon=PCP)
    with Nats(home) as net:
        asker = Asker(net, "1")  # it wants a port for one second, and renews it after half of that
        net.daemon(home).wait_for(MAPPED, 3)
        asker.end()
        assert net.opened(home) == []


def test_a_router_that_loses_its_power_is_asked_again_at_once() -> None:
    home = Router(daemon=PCP, ipv6=Firewall.CLOSED)
    with Nats(home, INTERNET) as net:
        asker = Asker(net)
        fourth, sixth = (grant.split()[1] for grant in asker.answer["granted"])
        net.stop_daemon(home)
        assert is_silent(net, fourth)
        assert is_silent(net, sixth)
        net.start_daemon(home).wait_for(MAPPED, 2)
        assert heard(net, fourth)
        assert heard(net, sixth)
        asker.end()


def test_a_router_that_gets_another_address_says_so() -> None:
    home = Router(daemon=PCP)
    address = f"11.7.7.7:{PORT}"
    with Nats(home, INTERNET) as net:
        asker = Asker(net)
        net.renumber(home, "11.7.7.7")
        answer = asker.next()
        # Asked in the moment in which it has no address it refuses; a later protocol may succeed.
        while answer["granted"] == []:
            answer = asker.next()
        assert [grant.split()[1] for grant in answer["granted"]] == [address]
        assert heard(net, address)
        asker.end()
        assert net.opened(home) == []


def test_a_machine_that_is_carried_to_another_home_asks_there() -> None:
    here, there = Router(daemon=PCP), Router(daemon=NAT_PMP)
    with Nats(here, INTERNET, more=[there]) as net:
        asker = Asker(net)
        net.move(1, there)
        assert asker.next()["granted"] == []
        address = f"{net.outside(1)}:{PORT}"
        assert asker.next()["granted"] == [f"nat-pmp {address}"]
        assert heard(net, address)
        asker.end()
        assert net.opened(there) == []


def test_a_program_that_was_killed_gets_its_port_again() -> None:
    home = Router(daemon=PCP)
    with Nats(home) as net:
        asker = Asker(net)
        asker.kill()
        assert net.opened(home) != []
        again = Asker(net)
        assert again.answer == asker.answer
        again.end()
        assert net.opened(home) == []


def test_another_computer_at_home_does_not_answer_in_the_place_of_the_router() -> None:
    pytest.importorskip("miniupnpc")
    home = Router()
    with Nats(home, home) as net:
        start_false_router(net, 2)
        asker = Asker(net)
        assert asker.answer["granted"] == []
        assert "upnp odd" in asker.answer["tried"]
        asker.end()
