"""The routers do what they are named for, and nothing gets out."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.netns.miniupnpd import Daemon
from tests.netns.nats import INTERNET, Firewall, Kind, Nat, Nats, Place, Router
from tests.netns.programs import PORT, TRY, call, start_echo, start_mirror

pytestmark = pytest.mark.needs("namespaces", "nft")

TALK = "echo(call(), b'hello'); print('heard')"
HEARD, SILENCE = "heard\n", "TimeoutError\n"

# From where one port of ours is seen to call: what the mirror says.
SEEN = """
stream = socket.create_connection(place, 60, ("", 5555))
print(stream.recv(100).decode())
stream.recv(1)  # the mirror hangs up first, so that the port is free at once
"""

home = Router()
flat = Router(ipv6=Firewall.CLOSED, ports=(PORT,))
rude = Router(rejects=True, ipv6=Firewall.OPEN)
random = Router(ipv4=Nat.RANDOM)
carrier = Router(kind=Kind.CARRIER, ipv4=Nat.RANDOM)
inner_home = Router(behind=carrier)
other = Router(behind=carrier)
sixth = Router(ipv4=None, ipv6=Firewall.CLOSED)

HOSTS: dict[str, Place] = {
    "near": home,
    "beside": home,
    "flat": flat,
    "rude": rude,
    "random": random,
    "inner": inner_home,
    "other": other,
    "phone": carrier,
    "sixth": sixth,
    "far": INTERNET,
    "further": INTERNET,
}
NUMBER = {name: number for number, name in enumerate(HOSTS, 1)}


@pytest.fixture(scope="module")
def net() -> Iterator[Nats]:
    with Nats(*HOSTS.values()) as net:
        for name in ("beside", "flat", "rude", "inner", "phone"):
            start_echo(net, NUMBER[name])
        for name in ("flat", "rude", "sixth"):
            start_echo(net, NUMBER[name], net.ipv6(NUMBER[name]))
        for name in ("far", "further"):
            start_mirror(net, NUMBER[name])
            start_echo(net, NUMBER[name], net.ipv6(NUMBER[name]))
        yield net


def test_homes_in_one_network_are_neighbours(net: Nats) -> None:
    assert call(net, NUMBER["near"], NUMBER["beside"], TALK) == HEARD


@pytest.mark.parametrize("name", ["near", "flat", "random", "inner", "phone"])
def test_the_internet_sees_the_router(net: Nats, name: str) -> None:
    seen = call(net, NUMBER[name], NUMBER["far"], SEEN)
    assert seen.rpartition(":")[0] == net.outside(NUMBER[name]) != net.address(NUMBER[name])


def test_two_homes_of_a_carrier_share_one_address(net: Nats) -> None:
    inner, other, phone, near = (
        net.outside(NUMBER[name]) for name in ("inner", "other", "phone", "near")
    )
    assert inner == other == phone != near
    assert net.wan(inner_home).startswith("100.")


@pytest.mark.parametrize(("name", "kept"), [("near", True), ("random", False), ("inner", False)])
def test_a_router_keeps_ports_or_draws_them(net: Nats, name: str, kept: bool) -> None:
    seen = [call(net, NUMBER[name], NUMBER[far], SEEN).strip() for far in ("far", "further")]
    ports = {text.rpartition(":")[2] for text in seen}
    assert (ports == {"5555"}) is kept
    assert len(ports) == (1 if kept else 2)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("near", SILENCE),
        ("rude", "ConnectionRefusedError\n"),
        ("inner", SILENCE),
        ("flat", HEARD),
    ],
)
def test_calls_from_outside_end_at_the_router(net: Nats, name: str, answer: str) -> None:
    script = TALK if answer == HEARD else TRY
    assert call(net, NUMBER["far"], net.outside(NUMBER[name]), script) == answer


def test_customers_of_a_carrier_cannot_call_each_other(net: Nats) -> None:
    phone = net.address(NUMBER["phone"])
    assert call(net, NUMBER["inner"], phone, TRY) in (SILENCE, "OSError\n")


def test_private_addresses_are_not_routed(net: Nats) -> None:
    assert call(net, NUMBER["far"], net.address(NUMBER["rude"]), TRY) in (SILENCE, "OSError\n")


@pytest.mark.parametrize(
    ("name", "answer"), [("rude", HEARD), ("flat", SILENCE), ("sixth", SILENCE), ("further", HEARD)]
)
def test_a_firewall_of_ipv6_is_open_or_closed(net: Nats, name: str, answer: str) -> None:
    script = TALK if answer == HEARD else TRY
    assert call(net, NUMBER["far"], net.ipv6(NUMBER[name]), script) == answer


@pytest.mark.parametrize("name", ["flat", "rude", "sixth"])
def test_calls_over_ipv6_get_out(net: Nats, name: str) -> None:
    assert call(net, NUMBER[name], net.ipv6(NUMBER["far"]), TALK) == HEARD


def test_no_host_has_a_way_out_of_this_machine(net: Nats) -> None:
    for name in ("near", "far"):
        assert call(net, NUMBER[name], "192.0.2.1", TRY) in (SILENCE, "OSError\n")


def test_a_host_moves_to_another_network() -> None:
    with Nats(home, INTERNET, more=[carrier]) as net:
        start_mirror(net, 2)
        assert call(net, 1, 2, SEEN).rpartition(":")[0] == net.outside(1) == net.wan(home)
        net.move(1, carrier)
        assert call(net, 1, 2, SEEN).rpartition(":")[0] == net.outside(1) == net.wan(carrier)
        net.unplug(1)
        assert call(net, 1, 2, TRY) == "OSError\n"


def test_a_router_gets_another_address() -> None:
    with Nats(home, INTERNET) as net:
        start_mirror(net, 2)
        net.renumber(home, "11.7.7.7")
        assert call(net, 1, 2, SEEN).rpartition(":")[0] == net.outside(1) == "11.7.7.7"


@pytest.mark.needs("miniupnpd")
def test_all_is_deleted_also_after_a_failure() -> None:
    def fail() -> None:
        with Nats(opening) as net:
            names.extend(net.namespace(number) for number in (1, 2, 3))
            raise KeyError("a test failed")

    opening = Router(daemon=Daemon())
    names: list[str] = []
    with pytest.raises(KeyError):
        fail()
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    assert not [name for name in names if name in listed.stdout]
