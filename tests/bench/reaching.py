"""How long it takes to open a table, to get in and to play, in each way through routers.

The networks are those of tests/netns/nats.py, and Tor is a private network on this machine, so all
lines are short: what remains is what programs, routers and Tor do. Two players, greedy bots, and
each row is a single game:

invitation_ms   from the command to the invitation
seat_ms         from the guest's command to its seat in the lobby
turn_ms         from one choice to the next, the median of the game
fails_ms        where the host cannot be called: from the guest's command until it says why
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from p2pfruit.exits import NO_CONNECTION
from tests.needs import CHECKS
from tests.netns.lan import Lan
from tests.netns.miniupnpd import Daemon
from tests.netns.nats import INTERNET, Firewall, Kind, Nat, Nats, Router
from tests.netns.shared_torland import Where, shared
from tests.netns.tables import Program, open_table

NEEDS = ("namespaces", "nft", "miniupnpd", "tor")
GAME = "punnet"


def measure(_runs: int) -> dict[str, Any]:
    missing = [why for need in NEEDS if (why := CHECKS[need]()) is not None]
    if missing:
        return {"none": {"why": missing[0]}}
    torland = shared(Where.INTERNET)
    torrc = {"P2PFRUIT_TORRC": str(torland.torrc())}

    def by_tor() -> Nats:
        net = Nats(_carrier(), _carrier())
        connect = net.connect

        def connected() -> None:
            connect()
            torland.plug(net.namespace_of(INTERNET))

        net.connect = connected  # type: ignore[method-assign]
        return net

    return {
        "one network": _row(lambda: Lan(hosts=2), ["--lan"]),
        "a port by PCP": _row(lambda: Nats(Router(daemon=Daemon()), Router()), ["--internet"]),
        "a port by UPnP": _row(_upnp, ["--internet"]),
        "a relay, carriers on both sides": _row(
            lambda: Nats(_carrier(), _carrier(), INTERNET), [], relayed=True
        ),
        "Tor, carriers on both sides": _row(by_tor, ["--tor"], torrc),
        "no port, so Tor": _row(by_tor, ["--internet"], torrc),
        "only this computer": _failure(lambda: Nats(Router(), Router()), ["--port", "0"]),
        "only this network": _failure(lambda: Nats(Router(), Router()), ["--public"]),
        "a router that blocks": _failure(_blocked, ["--public"]),
    }


def _carrier() -> Router:
    carrier = Router(kind=Kind.CARRIER, ipv4=Nat.RANDOM)
    return Router(behind=carrier, ipv4=Nat.RANDOM)


def _upnp() -> Nats:
    return Nats(Router(daemon=Daemon(pcp=False, nat_pmp=False)), Router())


def _row(
    net_of: Callable[[], Any],
    reach: Sequence[str],
    environment: Mapping[str, str] | None = None,
    *,
    relayed: bool = False,
) -> dict[str, int]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        net = stack.enter_context(net_of())
        if relayed:
            relay = Program(net, 3, folder, ("relay", "--json"), {})
            reach = ["--relay", relay.wait_for("relay").fields["line"]]
        table = open_table(net, folder, 2, GAME, reach=reach, **(environment or {}))
        host = table.programs[0]
        invited = host.wait_for("invitation")
        guest = table.join(2, **(environment or {}))
        assert [program.end() for program in (host, guest)] == [0, 0], host.story()
    return {
        "invitation_ms": round(1000 * (invited.at_s - host.began_s)),
        "seat_ms": round(1000 * (guest.wait_for("lobby").at_s - guest.began_s)),
        "turn_ms": round(1000 * median(guest.turns_s())),
    }


def _blocked() -> Nats:
    return Nats(*(Router(ipv4=None, ipv6=Firewall.CLOSED) for _home in range(2)))


def _failure(net_of: Callable[[], Any], reach: Sequence[str]) -> dict[str, int]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        net = stack.enter_context(net_of())
        guest = open_table(net, folder, 2, GAME, reach=reach).join(2)
        assert guest.end() == NO_CONNECTION, guest.story()
        return {"fails_ms": round(1000 * (monotonic() - guest.began_s))}
