"""The mesh with real hosts: what wire.py promises is what programs inside them meet."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.netns.hosts import ip
from tests.netns.mesh import Mesh
from tests.netns.programs import TRY, call, start_call, start_echo
from tests.netns.wire import Pair

pytestmark = pytest.mark.needs("namespaces")

ROUND_TRIP = """
stream = call()
began = time.monotonic()
echo(stream, b"hello")
print(time.monotonic() - began)
"""

# Numbered datagrams without end; prints those that come back.
DATAGRAMS = """
udp = socket.socket(type=socket.SOCK_DGRAM)
udp.settimeout(0.02)
number = 0
while True:
    number += 1
    udp.sendto(str(number).encode(), place)
    try:
        print(udp.recv(100).decode(), flush=True)
    except TimeoutError:
        pass
"""


@pytest.fixture(scope="module")
def calm() -> Iterator[Mesh]:
    with Mesh(hosts=3) as net:
        start_echo(net, 1)
        start_echo(net, 2)
        yield net


def test_a_round_trip_takes_twice_the_delay() -> None:
    with Mesh(hosts=2, delay_s=0.050, jitter_s=0.010) as net:
        start_echo(net, 1)
        assert float(call(net, 2, 1, ROUND_TRIP)) >= 0.100


def test_much_is_carried_whole_through_loss() -> None:
    with Mesh(hosts=2, delay_s=0.002, jitter_s=0.002, loss=0.05) as net:
        start_echo(net, 1)
        assert call(net, 2, 1, "echo(call(), bytes(100_000)); print('heard')") == "heard\n"
        there, back = net.counts()[Pair(2, 1)], net.counts()[Pair(1, 2)]
    assert min(there.bytes, back.bytes) > 100_000
    assert min(there.packets, back.packets) > 50
    assert there.lost + back.lost > 0


def test_a_link_that_flaps_comes_back() -> None:
    with Mesh(hosts=2, flap=(1, 0.1, 0.3)) as net:
        start_echo(net, 1)
        sender = start_call(net, 2, 1, DATAGRAMS)
        assert sender.stdout is not None
        while not any(count.lost for count in net.counts().values()):
            assert sender.stdout.readline()
        sent = net.counts()[Pair(2, 1)].packets
        while int(sender.stdout.readline()) <= sent:
            pass


def test_all_reach_all(calm: Mesh) -> None:
    assert float(call(calm, 1, 2, ROUND_TRIP)) > 0
    assert float(call(calm, 2, 1, ROUND_TRIP)) > 0


def test_a_pair_is_cut_and_mended(calm: Mesh) -> None:
    calm.cut(1, 3)
    before = calm.counts()[Pair(3, 1)].lost
    assert call(calm, 3, 1, TRY) == "TimeoutError\n"
    assert calm.counts()[Pair(3, 1)].lost > before
    assert float(call(calm, 3, 2, ROUND_TRIP)) > 0
    calm.mend(1, 3)
    assert float(call(calm, 3, 1, ROUND_TRIP)) > 0


def test_nothing_gets_out(calm: Mesh) -> None:
    assert call(calm, 1, "192.0.2.1", TRY) == "OSError\n"  # network unreachable
    assert call(calm, 1, "10.77.0.99", TRY) == "TimeoutError\n"  # nobody there


def test_all_is_deleted() -> None:
    with Mesh(hosts=1) as net:
        pass
    for command in (["ip", "netns", "list"], ["ip", "link", "show"]):
        listed = subprocess.run(command, capture_output=True, text=True, check=True)
        assert net.namespace(1) not in listed.stdout
        assert " p2pf" not in listed.stdout


def test_a_wire_that_cannot_be_laid_says_so(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    net = Mesh(hosts=1)
    connect = net.connect

    def misled() -> None:
        ip("netns", "delete", net.namespace(1))
        connect()

    monkeypatch.setattr(net, "connect", misled)
    with pytest.raises(OSError, match="the wire broke"):
        net.__enter__()
    assert net.namespace(1) in capfd.readouterr().err
