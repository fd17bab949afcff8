"""The daemon of a router opens what it is asked for, in the bytes of the specifications."""

import pytest

from tests.netns.miniupnpd import Daemon
from tests.netns.nats import INTERNET, Firewall, Kind, Nats, Router
from tests.netns.programs import PORT, TRY, call, start_echo

pytestmark = pytest.mark.needs("namespaces", "nft", "miniupnpd")

TALK = "echo(call(), b'hello'); print('heard')"

OTHER_PORT = f"socket.create_connection((place[0], {PORT + 10}), 60)"

# Both ask for PORT over TCP and print what the answer begins with: version, operation, result.
# The caller's own address comes in through its socket.
_ASK = f"""
import ipaddress, struct
family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
router = socket.socket(family, socket.SOCK_DGRAM)
router.settimeout(5 if ANSWERS else 0.5)
router.connect((place[0], 5351))
mine = ipaddress.ip_address(router.getsockname()[0])
mapped = b"" if mine.version == 6 else bytes(10) + b"\\xff\\xff"
PCP = struct.pack("!BBxxL", 2, 1, 3600) + mapped + mine.packed + bytes(12)
PCP += struct.pack("!BxxxHH", 6, {PORT}, {PORT}) + mapped.ljust(16, b"\\0")
NAT_PMP = struct.pack("!BBxxHHL", 0, 2, {PORT}, {PORT}, 3600)
"""
_PRINT = """
try:
    version, operation, result = struct.unpack("!BBH", router.recv(1100)[:4])
except TimeoutError:
    print("silence")
else:
    print(version, operation, result)
"""


def ask(net: Nats, router: str, protocol: str, *, answers: bool = True) -> str:
    script = _ASK.replace("ANSWERS", str(answers)) + f"router.send({protocol})\n" + _PRINT
    return call(net, 1, router, script).strip()


@pytest.mark.parametrize(("protocol", "answer"), [("PCP", "2 129 0"), ("NAT_PMP", "0 130 0")])
def test_a_port_is_opened_until_the_power_is_cut(protocol: str, answer: str) -> None:
    home = Router(daemon=Daemon())
    with Nats(home, INTERNET) as net:
        start_echo(net, 1)
        assert call(net, 2, net.outside(1), TRY) == "TimeoutError\n"
        assert ask(net, net.lan(home), protocol) == answer
        assert net.opened(home) != []
        assert call(net, 2, net.outside(1), TALK) == "heard\n"
        net.stop_daemon(home)
        assert net.opened(home) == []
        assert call(net, 2, net.outside(1), TRY) == "TimeoutError\n"
        net.start_daemon(home)
        assert ask(net, net.lan(home), protocol) == answer


def test_the_firewall_of_ipv6_is_opened() -> None:
    home = Router(daemon=Daemon(), ipv6=Firewall.CLOSED)
    with Nats(home, INTERNET) as net:
        start_echo(net, 1, net.ipv6(1))
        assert call(net, 2, net.ipv6(1), TRY) == "TimeoutError\n"
        assert ask(net, net.lan6(home), "PCP") == "2 129 0"
        assert call(net, 2, net.ipv6(1), TALK) == "heard\n"


@pytest.mark.parametrize(
    ("daemon", "pcp", "nat_pmp"),
    [
        (Daemon(pcp=False), False, True),
        (Daemon(nat_pmp=False), True, False),
        (Daemon(upnp=False), True, True),
        (Daemon(pcp=False, nat_pmp=False), False, False),
    ],
)
def test_a_daemon_speaks_some_protocols_only(daemon: Daemon, pcp: bool, nat_pmp: bool) -> None:
    home = Router(daemon=daemon)
    with Nats(home) as net:
        for protocol, speaks in (("PCP", pcp), ("NAT_PMP", nat_pmp)):
            answer = ask(net, net.lan(home), protocol, answers=speaks)
            assert answer.endswith(" 0") is speaks


def test_a_daemon_with_an_address_of_a_carrier_opens_nothing() -> None:
    home = Router(daemon=Daemon(), behind=Router(kind=Kind.CARRIER))
    with Nats(home) as net:
        assert ask(net, net.lan(home), "PCP") == "2 129 8"
        assert ask(net, net.lan(home), "NAT_PMP") == "0 130 3"
        assert net.opened(home) == []


def test_a_daemon_opens_another_port_than_it_may_not() -> None:
    home = Router(daemon=Daemon(ports=(PORT + 10, PORT + 20)))
    with Nats(home, INTERNET) as net:
        start_echo(net, 1)
        assert ask(net, net.lan(home), "PCP") == "2 129 0"
        assert call(net, 2, net.outside(1), TALK.replace("call()", OTHER_PORT)) == "heard\n"


def test_a_daemon_behind_a_carrier_may_tell_another_address() -> None:
    home = Router(daemon=Daemon(says="11.9.9.9"), behind=Router(kind=Kind.CARRIER))
    with Nats(home) as net:
        assert ask(net, net.lan(home), "PCP") == "2 129 0"
