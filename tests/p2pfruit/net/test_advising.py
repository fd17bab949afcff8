"""From where a machine can be reached, why not, and with which command: case by case."""

from dataclasses import dataclass, field

import pytest

from p2pfruit.net.addresses import Address
from p2pfruit.net.advising import Situation, TorState, advice
from p2pfruit.net.findings import Finding, Level, Reached
from p2pfruit.net.probing import Outcome
from p2pfruit.net.router.answers import Answer, Attempt, Grant, How, Reason
from protocol.link.messages import LATER, OFF, REACHED, REFUSED, SILENT

YES, LIKELY, UNKNOWN, NO = Reached.YES, Reached.LIKELY, Reached.UNKNOWN, Reached.NO
RUNNING, INSTALLED, MISSING = TorState.RUNNING, TorState.INSTALLED, TorState.MISSING

INTERNET, TOR, RELAY = "--internet", "--tor", "--relay LINE"

LOOPBACK = ("127.0.0.1", "::1")
HOME = ("192.168.1.20", *LOOPBACK)
OPEN = ("11.0.0.20", *LOOPBACK)
CARRIER = ("100.64.0.9", *LOOPBACK)
SIXTH = "2a0f:3::9"

GRANTED = Answer(granted=(Grant(address=Address("11.0.0.7", 24977), how=How.PCP),))
GRANTED6 = Answer(granted=(Grant(address=Address(SIXTH, 24977), how=How.PCP),))
DOUBLE = Answer(granted=(Grant(address=Address("192.168.0.3", 24977), how=How.UPNP),))


def refused(reason: Reason, why: str, how: How = How.PCP, inside: str = HOME[0]) -> Attempt:
    return Attempt(how=how, inside=inside, reason=reason, why=why)


SILENT_ROUTER = Answer(tried=(refused(Reason.SILENT, "no answer"),))
BLUNT_ROUTER = Answer(
    tried=(
        refused(Reason.UNKNOWN, "does not speak it"),
        refused(Reason.REFUSED, "not authorised", How.NAT_PMP),
        refused(Reason.SILENT, "no answer", How.UPNP),
        refused(Reason.REFUSED, "of another address", inside=SIXTH),
    )
)
CARRIER_ROUTER = Answer(tried=(refused(Reason.NO_ADDRESS, "has no address"),))


def came(caller: str = "11.0.0.1", *, seen: str = "11.0.0.7", sixth: bool = False) -> Outcome:
    return Outcome(sixth=sixth, said=REACHED, arrived=True, caller=caller, seen=seen)


def lost(said: str, seen: str = "11.0.0.7", *, sixth: bool = False) -> Outcome:
    return Outcome(sixth=sixth, said=said, seen=seen)


@dataclass(frozen=True)
class Case:
    """`reached`: from the own network, by IPv4, by IPv6. `says`: words that name the cause."""

    name: str
    situation: Situation
    reached: tuple[Reached, Reached, Reached]
    command: str
    says: tuple[str, ...] = field(default=())


CASES = (
    Case(
        "an IPv4 address of the internet",
        Situation(hosts=OPEN),
        (NO, LIKELY, NO),
        INTERNET,
        ("nobody has tested it", "--probe"),
    ),
    Case(
        "the same, and a call has come",
        Situation(hosts=OPEN, outcomes=[came(seen="11.0.0.20")]),
        (NO, YES, NO),
        INTERNET,
        ("the program of a friend at 11.0.0.1 has called",),
    ),
    Case(
        "the same behind a firewall",
        Situation(hosts=OPEN, outcomes=[lost(SILENT, "11.0.0.20")]),
        (NO, NO, NO),
        RELAY,
        ("has called 11.0.0.20, and nothing has come through", "a router or a firewall blocks it"),
    ),
    Case(
        "a router that was not asked",
        Situation(hosts=HOME),
        (LIKELY, UNKNOWN, NO),
        INTERNET,
        ("--router asks it", "goes on with Tor"),
    ),
    Case(
        "a router that opens a port",
        Situation(hosts=HOME, router=GRANTED),
        (LIKELY, LIKELY, NO),
        INTERNET,
        ("the router says that anyone can call 11.0.0.7:24977",),
    ),
    Case(
        "a router that opens a port, and a call has come",
        Situation(hosts=HOME, router=GRANTED, outcomes=[came()]),
        (LIKELY, YES, NO),
        INTERNET,
    ),
    Case(
        "a router that says so, and it is not so",
        Situation(hosts=HOME, router=GRANTED, outcomes=[lost(SILENT)], tor=RUNNING),
        (LIKELY, NO, NO),
        TOR,
        ("the router says that it lets them in, so the firewall of this computer may block them",),
    ),
    Case(
        "a router that knows nothing of ports",
        Situation(hosts=HOME, router=SILENT_ROUTER, tor=INSTALLED),
        (LIKELY, NO, NO),
        TOR,
        ("it does not answer", "your friends need Tor, too"),
    ),
    Case(
        "a router that refuses, and no Tor",
        Situation(hosts=HOME, router=BLUNT_ROUTER),
        (LIKELY, NO, NO),
        RELAY,
        ("not authorised", "apt install tor", "`p2pfruit relay`"),
    ),
    Case(
        "a router that was not asked, and a call was refused",
        Situation(hosts=HOME, outcomes=[lost(REFUSED)]),
        (LIKELY, NO, NO),
        INTERNET,
        ("was refused", "--router asks the router"),
    ),
    Case(
        "a router that refuses, and a call was lost",
        Situation(hosts=HOME, router=BLUNT_ROUTER, outcomes=[lost(REFUSED)]),
        (LIKELY, NO, NO),
        RELAY,
        ("open the port there, if you can",),
    ),
    Case(
        "a second router",
        Situation(hosts=HOME, router=DOUBLE, tor=INSTALLED),
        (LIKELY, NO, NO),
        TOR,
        ("no setting of your router helps",),
    ),
    Case(
        "a carrier behind the router",
        Situation(hosts=HOME, router=CARRIER_ROUTER, tor=INSTALLED),
        (LIKELY, NO, NO),
        TOR,
        ("shares one address among many",),
    ),
    Case(
        "a carrier behind the router, and a call was lost",
        Situation(hosts=HOME, router=CARRIER_ROUTER, outcomes=[lost(SILENT)]),
        (LIKELY, NO, NO),
        RELAY,
        ("your provider shares that address among many customers",),
    ),
    Case(
        "an address of the carrier on the machine itself",
        Situation(hosts=CARRIER),
        (NO, NO, NO),
        RELAY,
        ("shares one address among many",),
    ),
    Case(
        "IPv6 that nobody has tested, behind a carrier",
        Situation(hosts=(*CARRIER, SIXTH), tor=INSTALLED),
        (NO, NO, UNKNOWN),
        INTERNET,
        ("most routers block calls to it", "--router asks the router to let them in"),
    ),
    Case(
        "IPv6 that the router was asked about in vain",
        Situation(hosts=(*HOME, SIXTH), router=SILENT_ROUTER),
        (LIKELY, NO, UNKNOWN),
        INTERNET,
        ("--probe INVITATION has a friend's program test it",),
    ),
    Case(
        "IPv6 that the router opens",
        Situation(hosts=(SIXTH, *LOOPBACK), router=GRANTED6),
        (NO, NO, LIKELY),
        INTERNET,
        (f"anyone can call [{SIXTH}]:24977", "your friends need IPv6, too"),
    ),
    Case(
        "IPv6, and a call has come",
        Situation(
            hosts=(*CARRIER, SIXTH), outcomes=[came("2a0f::1", seen=SIXTH, sixth=True)], tor=RUNNING
        ),
        (NO, NO, YES),
        INTERNET,
        ("by IPv6: yes", "your friends need IPv6, too"),
    ),
    Case(
        "IPv6 that is blocked",
        Situation(hosts=(SIXTH, "::1"), outcomes=[lost(SILENT, SIXTH, sixth=True)], tor=INSTALLED),
        (NO, NO, NO),
        INTERNET,
        (f"has called {SIXTH}, and nothing has come through", "this computer has no IPv4 address"),
    ),
    Case(
        "IPv6 that is blocked by a router that does not open it",
        Situation(
            hosts=(SIXTH, "::1"),
            router=SILENT_ROUTER,
            outcomes=[lost(SILENT, SIXTH, sixth=True)],
            tor=INSTALLED,
        ),
        (NO, NO, NO),
        TOR,
    ),
    Case(
        "a friend on the same network",
        Situation(hosts=HOME, outcomes=[came("192.168.1.30", seen="192.168.1.20")]),
        (YES, UNKNOWN, NO),
        INTERNET,
        ("from your own network: yes; the program of a friend at 192.168.1.30 has called",),
    ),
    Case(
        "a friend on the same network who lies about the address",
        Situation(hosts=HOME, outcomes=[came("192.168.1.30", seen="11.0.0.7")]),
        (YES, UNKNOWN, NO),
        INTERNET,
    ),
    Case(
        "a friend who says that it came through, and it has not",
        Situation(hosts=HOME, router=GRANTED, outcomes=[lost(REACHED)]),
        (LIKELY, NO, NO),
        RELAY,
    ),
    Case(
        "a friend who calls nobody",
        Situation(hosts=HOME, outcomes=[lost(OFF, "")]),
        (LIKELY, UNKNOWN, NO),
        INTERNET,
    ),
    Case(
        "a friend who is asked too often",
        Situation(hosts=HOME, outcomes=[lost(LATER)]),
        (LIKELY, UNKNOWN, NO),
        INTERNET,
    ),
    Case(
        "a friend who does not answer",
        Situation(hosts=HOME, outcomes=[lost("")]),
        (LIKELY, UNKNOWN, NO),
        INTERNET,
    ),
)


def about(findings: list[Finding], word: str) -> Finding:
    [found] = [one for one in findings if one.about == word]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_situation(case: Case) -> None:
    findings = advice(case.situation)
    assert [one.about for one in findings] == ["network", "ipv4", "ipv6", "tor", "command"]
    assert (
        tuple(about(findings, way).reached for way in ("network", "ipv4", "ipv6")) == case.reached
    )
    assert about(findings, "command").command == f"p2pfruit host {case.command}"
    told = "\n".join(f"{one.what} ({one.hint})" for one in findings)
    assert [words for words in case.says if words not in told] == []
    for one in findings:
        assert one.level is (Level.OK if one.reached in (None, YES, LIKELY) else Level.NOTE)


@pytest.mark.parametrize("hosts", [LOOPBACK, ("127.0.0.1",), ()])
def test_a_machine_without_a_network(hosts: tuple[str, ...]) -> None:
    network, command = advice(Situation(hosts=hosts, tor=RUNNING))
    assert (network.about, network.level, network.reached) == ("network", Level.NOTE, NO)
    assert command.command == "p2pfruit host"


@pytest.mark.parametrize(
    ("state", "reached", "says"),
    [
        (RUNNING, LIKELY, "Tor is running"),
        (INSTALLED, LIKELY, "Tor is installed"),
        (MISSING, NO, "brew install tor"),
    ],
)
def test_tor(state: TorState, reached: Reached, says: str) -> None:
    found = about(advice(Situation(hosts=HOME, tor=state)), "tor")
    assert found.reached is reached
    assert says in f"{found.what} {found.hint}"
