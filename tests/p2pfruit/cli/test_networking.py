"""What the command line says of the network: who hides, and where a guest listens."""

import socket

import pytest

from p2pfruit.cli.commands.networking import network_of_guest, network_of_host
from p2pfruit.cli.main import build_parser
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.net.addresses import Address

PROXY = "socks5://127.0.0.1:9"
RELAY = Address("127.0.0.1", 24979).behind()
ONION = Address("a" * 56 + ".onion", 24977)


@pytest.mark.parametrize("telling", ["--lan", "--internet", "--announce"])
@pytest.mark.parametrize("hiding", [["--tor"], ["--proxy", PROXY]])
def test_who_hides_tells_neither_the_network_nor_the_router(
    hiding: list[str], telling: str
) -> None:
    arguments = build_parser().parse_args(["host", *hiding, telling])
    with pytest.raises(Refusal, match=f"{hiding[0]} hides this computer.* {telling}") as refused:
        network_of_host(arguments)
    assert refused.value.code == USAGE


def test_a_host_behind_a_proxy_may_say_where_it_is_called() -> None:
    options = ["--proxy", PROXY, "--public", "--advertise", "table.example:1"]
    network, ways = network_of_host(build_parser().parse_args(["host", *options]))
    assert (network.hidden, ways.advertised) == (True, ("table.example:1",))


def test_the_line_of_a_relay_is_read_before_the_table_opens() -> None:
    with pytest.raises(Refusal) as refused:
        network_of_host(build_parser().parse_args(["host", "--relay", "RELAY-NONSENSE"]))
    assert refused.value.code == USAGE


@pytest.mark.parametrize(
    ("hosts", "by_tor"),
    [
        ([ONION], True),
        ([ONION.behind()], True),
        ([ONION, RELAY], False),
        ([], False),
    ],
)
def test_a_table_that_is_reached_over_tor_only_is_played_over_tor(
    hosts: list[Address], by_tor: bool
) -> None:
    network, ways = network_of_guest(build_parser().parse_args(["join", "FRUIT-1"]), hosts)
    assert (ways.tor, network.binds) == (by_tor, ())


def test_nothing_is_looked_up_to_find_where_a_guest_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name for a datagram socket is looked up, whatever it is."""
    called: list[str] = []

    class Probe(socket.socket):
        def connect(self, address: tuple[str, int]) -> None:  # type: ignore[override]
            called.append(address[0])
            super().connect(address)

    monkeypatch.setattr(socket, "socket", Probe)
    hosts = [RELAY, Address("table.example", 1), Address("127.0.0.1", 1)]
    network, _ways = network_of_guest(build_parser().parse_args(["join", "FRUIT-1"]), hosts)
    assert called == ["127.0.0.1"]
    assert network.binds == (Address("127.0.0.1", 0),)
