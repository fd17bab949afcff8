"""What leaves the machine of a player who hides behind Tor: read packet by packet."""

import ipaddress
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from p2pfruit.net import invitations
from p2pfruit.net.addresses import Address
from p2pfruit.net.addresses import Kind as AddressKind
from tests.netns.hosts import Hosts
from tests.netns.nats import INTERNET, Kind, Nat, Nats, Router
from tests.netns.shared_torland import NETWORK, SharedTorland
from tests.netns.tables import open_table

pytestmark = [pytest.mark.needs(need) for need in ("namespaces", "nft", "tor")]

# Prints every frame that goes out of this network interface, in hexadecimal.
READ = """
import socket, sys
reader = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
reader.bind(("net0", 0))
print("reading", flush=True)
while True:
    data, (_name, _protocol, kind, *_rest) = reader.recvfrom(65536)
    if kind == socket.PACKET_OUTGOING:
        print(data.hex(), flush=True)
"""


@dataclass(slots=True)
class Wiretap:
    frames: list[bytes] = field(default_factory=list)

    def packets(self) -> Iterator[tuple[str, str, bytes]]:
        """The protocol, the destination and the content of each packet of IP."""
        for frame in self.frames:
            kind, packet = struct.unpack_from("!H", frame, 12)[0], frame[14:]
            if kind == 0x0800:
                size = 4 * (packet[0] & 15)
                to = socket.inet_ntoa(packet[16:20])
                yield _NAMES.get(packet[9], str(packet[9])), to, packet[size:]
            elif kind == 0x86DD:
                to = socket.inet_ntop(socket.AF_INET6, packet[24:40])
                yield _NAMES.get(packet[6], str(packet[6])), to, packet[40:]


_NAMES = {1: "icmp", 6: "tcp", 17: "udp", 58: "icmpv6", 0: "icmpv6"}


@contextmanager
def tapped(net: Hosts, host: int) -> Iterator[Wiretap]:
    tap = Wiretap()
    process = net.popen(host, [sys.executable, "-c", READ], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "reading\n"
    lines = process.stdout

    def read() -> None:
        tap.frames.extend(bytes.fromhex(line) for line in lines)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield tap
    finally:
        process.terminate()
        reader.join()


def check(tap: Wiretap, net: Nats, host: int) -> None:
    """All goes to the Tor network over TCP, and no packet has an address of the machine in it."""
    relays = ipaddress.ip_network(NETWORK)
    packets = [packet for packet in tap.packets() if packet[0] != "icmpv6"]  # neighbours are found
    assert packets
    for protocol, to, content in packets:
        assert protocol == "tcp", f"{protocol} to {to}"
        assert ipaddress.ip_address(to) in relays, to
        for own in (net.address(host), net.outside(host)):
            assert own.encode() not in content


def test_nothing_that_leaves_a_hidden_player_tells_where_they_are(
    tor_internet: SharedTorland, tmp_path: Path
) -> None:
    """Also with a bot, which is a player of its own in the program of the host."""
    with Nats(home(), home()) as net:
        tor_internet.plug(net.namespace_of(INTERNET))
        torrc = {"P2PFRUIT_TORRC": str(tor_internet.torrc())}
        with tapped(net, 1) as host_tap, tapped(net, 2) as guest_tap:
            reach = ["--tor", "--bots", "easy"]
            table = open_table(net, tmp_path, 3, reach=reach, **torrc)
            host, guest = table.programs[0], table.join(2, **torrc)
            for program in (host, guest):
                assert program.end() == 0, program.story()
        for number, tap in ((1, host_tap), (2, guest_tap)):
            check(tap, net, number)
    invited = invitations.parse(host.wait_for("invitation").fields["seat"])
    told = [*invited.addresses]
    for program in (host, guest):
        told += [place for said in program.all("listens") for place in said.fields["addresses"]]
    assert told
    assert all(Address.parse(place).kind is AddressKind.ONION for place in told)


def home() -> Router:
    return Router(behind=Router(kind=Kind.CARRIER, ipv4=Nat.RANDOM))
