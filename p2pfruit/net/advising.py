"""Says from where this machine can be reached, why not, and which one command to host with.

All of it follows from what was found out before: the addresses of the machine, what the router has
granted if it was asked, what came of a call that a friend's program has made if it was asked, and
whether there is Tor. Nothing here asks anybody.

An arrived call proves that a way is open. It proves so for the internet only if it came from there:
a friend on the same network is not stopped by the router.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from p2pfruit.language import text as _
from p2pfruit.net.addresses import Address, Kind
from p2pfruit.net.findings import Finding, Level, Reached
from p2pfruit.net.probing import Outcome
from p2pfruit.net.router.answers import Answer, Attempt, Reason
from p2pfruit.text.safe import shortened
from protocol.link.messages import LATER, OFF, REFUSED


class TorState(Enum):
    RUNNING = "running"
    INSTALLED = "installed"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What was found out. `router` and `outcomes` are None if nobody was asked."""

    hosts: Sequence[str]
    router: Answer | None = None
    outcomes: Sequence[Outcome] | None = None
    tor: TorState = TorState.MISSING

    def kinds(self, *, sixth: bool) -> set[Kind]:
        return {Address(host, 0).kind for host in self.hosts if (":" in host) == sixth}

    @property
    def alone(self) -> bool:
        """Return True if this machine is on no network."""
        return all(Address(host, 0).kind is Kind.LOOPBACK for host in self.hosts)

    def outcome(self, *, sixth: bool) -> Outcome | None:
        """Return what came of a call from the internet; None if there was none.

        Where a call came from is seen here. Of one that has not arrived, the friend tells it.
        """
        for outcome in self.outcomes or ():
            far = outcome.caller if outcome.arrived else outcome.seen
            if outcome.sixth == sixth and _kind(far) is Kind.GLOBAL:
                return outcome
        return None

    def granted(self, *, sixth: bool) -> list[Address]:
        """Return the addresses of the internet that the router has opened."""
        found = () if self.router is None else self.router.reachable
        return [address for address in found if (":" in address.host) == sixth]


def _kind(host: str) -> Kind:
    return Address(host, 0).kind


def advice(situation: Situation) -> list[Finding]:
    """Return one finding for each way on which others might come, and the command to use."""
    if situation.alone:
        return [_alone(), _command(situation, Reached.NO, Reached.NO)]
    ipv4, ipv6 = _ipv4(situation), _ipv6(situation)
    assert ipv4.reached is not None
    assert ipv6.reached is not None
    return [
        _network(situation),
        ipv4,
        ipv6,
        _tor(situation.tor),
        _command(situation, ipv4.reached, ipv6.reached),
    ]


def _alone() -> Finding:
    what = _("there is no network: only programs on this computer can reach it")
    hint = _("connect to a network, or play on this computer")
    return Finding(Level.NOTE, "network", what, hint, reached=Reached.NO)


def _network(situation: Situation) -> Finding:
    """Say whether computers on the same network can call."""
    near = [host for host in situation.hosts if _kind(host) is Kind.PRIVATE]
    callers = [one.caller for one in situation.outcomes or () if one.arrived]
    proven = [host for host in callers if _kind(host) in (Kind.PRIVATE, Kind.LINK)]
    if proven:
        what = _("from your own network: yes; the program of a friend at {host} has called")
        return Finding(Level.OK, "network", what.format(host=proven[0]), reached=Reached.YES)
    if not near:
        what = _("from your own network: this computer has no address of a local network")
        return Finding(Level.NOTE, "network", what, reached=Reached.NO)
    what = _("from your own network: yes, at {host}, unless a firewall blocks it")
    return Finding(Level.OK, "network", what.format(host=near[0]), reached=Reached.LIKELY)


# The internet.


def _ipv4(situation: Situation) -> Finding:
    found = _called(situation, sixth=False)
    if found is not None:
        return found
    kinds = situation.kinds(sixth=False)
    router = situation.router
    if Kind.GLOBAL in kinds:
        what = _(
            "from the internet by IPv4: probably; the address of this computer is one of the"
            " internet, and nobody has tested it"
        )
        return _finding("ipv4", Reached.LIKELY, what, _test_it())
    if granted := situation.granted(sixth=False):
        what = _(
            "from the internet by IPv4: probably; the router says that anyone can call {address}"
        )
        return _finding("ipv4", Reached.LIKELY, what.format(address=granted[0]), _test_it())
    if kinds <= {Kind.LOOPBACK}:
        what = _("from the internet by IPv4: no; this computer has no IPv4 address")
        return _finding("ipv4", Reached.NO, what)
    if Kind.CARRIER in kinds or (router is not None and router.carrier):
        what = _(
            "from the internet by IPv4: no; your provider shares one address among many"
            " customers, or there is a second router, so no setting of your router helps"
        )
        return _finding("ipv4", Reached.NO, what)
    if router is None:
        what = _(
            "from the internet by IPv4: only if the router in between opens a port, and it has not"
            " been asked"
        )
        return _finding("ipv4", Reached.UNKNOWN, what, _("--router asks it"))
    what = _("from the internet by IPv4: no; the router gives no port: {why}")
    hint = _("turn on UPnP or PCP in the router, or forward the port there yourself")
    return _finding("ipv4", Reached.NO, what.format(why=_why_not(router, sixth=False)), hint)


def _ipv6(situation: Situation) -> Finding:
    found = _called(situation, sixth=True)
    if found is not None:
        return found
    if Kind.GLOBAL not in situation.kinds(sixth=True):
        what = _("from the internet by IPv6: no; this computer has no IPv6 address of the internet")
        return _finding("ipv6", Reached.NO, what)
    if granted := situation.granted(sixth=True):
        what = _(
            "from the internet by IPv6: probably; the router says that anyone can call {address}"
        )
        return _finding("ipv6", Reached.LIKELY, what.format(address=granted[0]), _test_it())
    what = _(
        "from the internet by IPv6: not known; there is an address of the internet, but most"
        " routers block calls to it"
    )
    if situation.router is not None:
        return _finding("ipv6", Reached.UNKNOWN, what, _test_it())
    return _finding("ipv6", Reached.UNKNOWN, what, _("--router asks the router to let them in"))


def _test_it() -> str:
    return _("--probe INVITATION has a friend's program test it")


def _called(situation: Situation, *, sixth: bool) -> Finding | None:
    """Judge by a call from the internet, if there was one."""
    outcome = situation.outcome(sixth=sixth)
    if outcome is None or (not outcome.arrived and outcome.said in ("", OFF, LATER)):
        return None
    about, way = ("ipv6", "IPv6") if sixth else ("ipv4", "IPv4")
    seen = outcome.seen
    if outcome.arrived:
        what = _("from the internet by {way}: yes; the program of a friend at {host} has called")
        return _finding(about, Reached.YES, what.format(way=way, host=outcome.caller))
    if outcome.said == REFUSED:
        what = _(
            "from the internet by {way}: no; a friend's program has called {seen}, and was refused"
        )
    else:
        what = _(
            "from the internet by {way}: no; a friend's program has called {seen}, and nothing has"
            " come through"
        )
    hint = _blocked_hint(situation, sixth=sixth)
    return _finding(about, Reached.NO, what.format(way=way, seen=seen), hint)


def _blocked_hint(situation: Situation, *, sixth: bool) -> str:
    """Say what stands in the way, as far as it can be known."""
    if not sixth and (
        Kind.CARRIER in situation.kinds(sixth=False)
        or (situation.router is not None and situation.router.carrier)
    ):
        return _("your provider shares that address among many customers: no setting helps")
    if situation.router is None:
        return _("a router or a firewall blocks it; --router asks the router to let calls in")
    if situation.granted(sixth=sixth):
        return _(
            "the router says that it lets them in, so the firewall of this computer may block them,"
            " or a second router"
        )
    return _("a router or a firewall blocks it: open the port there, if you can")


def _why_not(router: Answer, *, sixth: bool) -> str:
    """Say why a router gives no port; of several protocols, what says most."""
    order = (Reason.REFUSED, Reason.ODD, Reason.NO_ADDRESS, Reason.UNKNOWN)
    tried = [one for one in router.tried if (":" in one.inside) == sixth and one.reason in order]
    if not tried:
        return _("it does not answer")

    def worth(attempt: Attempt) -> int:
        return order.index(attempt.reason)

    return shortened(min(tried, key=worth).why)


def _finding(about: str, reached: Reached, what: str, hint: str | None = None) -> Finding:
    level = Level.OK if reached in (Reached.YES, Reached.LIKELY) else Level.NOTE
    return Finding(level, about, what, hint, reached=reached)


# Tor, and what to do.


def _tor(state: TorState) -> Finding:
    if state is TorState.MISSING:
        what = _("over Tor: no; Tor is not installed")
        return _finding("tor", Reached.NO, what, _install_tor())
    if state is TorState.RUNNING:
        what = _("over Tor: yes; Tor is running, and friends who have it can join from anywhere")
    else:
        what = _("over Tor: yes; Tor is installed, and friends who have it can join from anywhere")
    return _finding("tor", Reached.LIKELY, what)


def _install_tor() -> str:
    return _("install it with `apt install tor`, or on a Mac with `brew install tor`")


def _router_may_help(situation: Situation) -> bool:
    """Return True if the router was not asked, and could let calls in."""
    ipv4, ipv6 = situation.kinds(sixth=False), situation.kinds(sixth=True)
    behind = Kind.PRIVATE in ipv4 and Kind.CARRIER not in ipv4
    return situation.router is None and (behind or Kind.GLOBAL in ipv6)


def _command(situation: Situation, ipv4: Reached, ipv6: Reached) -> Finding:
    """Name the one command with which friends elsewhere can join."""
    open_ways = {ipv4, ipv6} & {Reached.YES, Reached.LIKELY}
    hint = None
    if situation.alone:
        command, what = "p2pfruit host", _("to play on this computer: {command}")
    elif open_ways:
        command, what = "p2pfruit host --internet", _("to host for friends elsewhere: {command}")
        if ipv4 is Reached.NO:
            hint = _("your friends need IPv6, too")
    elif Reached.UNKNOWN in (ipv4, ipv6) or _router_may_help(situation):
        command = "p2pfruit host --internet"
        what = _(
            "to host for friends elsewhere: {command}; it asks the router, and goes on with Tor if"
            " that does not help"
        )
    elif situation.tor is not TorState.MISSING:
        command, what = "p2pfruit host --tor", _("to host for friends elsewhere: {command}")
        hint = _("your friends need Tor, too")
    else:
        command = "p2pfruit host --relay LINE"
        what = _(
            "to host for friends elsewhere: {command}, with the line that `p2pfruit relay` prints"
            " on the computer of a friend who can be reached"
        )
        hint = _("or install Tor, and use `p2pfruit host --tor`")
    return Finding(Level.OK, "command", what.format(command=command), hint, command=command)
