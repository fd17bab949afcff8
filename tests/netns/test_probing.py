"""`doctor --probe`, where people are: a friend's program calls back, and what is said is so.

The friend is host 1, which stands in the open, and its program waits in the lobby or plays. Whoever
wants to know is host 2, or 3 where 2 plays.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.netns.hosts import run
from tests.netns.miniupnpd import Daemon
from tests.netns.nats import INTERNET, Firewall, Kind, Nat, Nats, Place, Router
from tests.netns.tables import LIMIT_S, ROOT, Opened, open_table
from tests.processes.program import GATE
from tests.quick import slow_but

pytestmark = [pytest.mark.needs("namespaces"), pytest.mark.needs("nft")]

PORT = 24977


def carrier_home(*, ipv6: Firewall | None = None, daemon: Daemon | None = None) -> Router:
    carrier = Router(kind=Kind.CARRIER, ipv4=Nat.RANDOM, ipv6=ipv6)
    return Router(behind=carrier, ipv6=ipv6, daemon=daemon)


def friend(net: Nats, folder: Path, *options: str) -> Opened:
    reach = ("--bind", f"{net.address(1)}:{PORT}", "--bind", f"[{net.ipv6(1)}]:{PORT}")
    return open_table(net, folder, 2, reach=reach, options=options)


def invitation(table: Opened, kind: str = "seat") -> str:
    return str(table.programs[0].wait_for("invitation").fields[kind])


def doctor(net: Nats, host: int, *arguments: str, folder: Path) -> dict[str, dict[str, Any]]:
    """What it finds, by the word that each finding is about. There is no Tor."""
    done = subprocess.run(
        net.command(host, [sys.executable, "-m", "p2pfruit", "doctor", "--json", *arguments]),
        cwd=ROOT,
        env={**os.environ, "P2PFRUIT_HOME": str(folder / "doctor"), "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert not done.stderr, done.stderr
    return {one["about"]: one for one in map(json.loads, done.stdout.splitlines())}


def reached(found: dict[str, dict[str, Any]]) -> tuple[str, str]:
    return found["ipv4"]["reached"], found["ipv6"]["reached"]


CASES: dict[str, tuple[Place, list[str], tuple[str, str]]] = {
    "in the open": (INTERNET, [], ("yes", "yes")),
    "a router that was not asked": (Router(), [], ("no", "no")),
    "a router that refuses callers": (Router(rejects=True), [], ("no", "no")),
    "a port that was forwarded": (Router(ports=(PORT,)), [], ("yes", "no")),
    "a router that gives a port": (Router(daemon=Daemon()), ["--router"], ("yes", "no")),
    "a router that gives none": (Router(), ["--router"], ("no", "no")),
    "a carrier": (carrier_home(), [], ("no", "no")),
    "a carrier that was asked": (carrier_home(daemon=Daemon()), ["--router"], ("no", "no")),
    "IPv6 in the open": (Router(ipv4=None, ipv6=Firewall.OPEN), [], ("no", "yes")),
    "IPv6 that is blocked": (Router(ipv4=None, ipv6=Firewall.CLOSED), [], ("no", "no")),
    "IPv6 that the router opens": (
        Router(ipv4=None, ipv6=Firewall.CLOSED, daemon=Daemon()),
        ["--router"],
        ("no", "yes"),
    ),
    "IPv6 behind a carrier": (carrier_home(ipv6=Firewall.OPEN), [], ("no", "yes")),
}
INTERNET_COMMAND, RELAY_COMMAND = "p2pfruit host --internet", "p2pfruit host --relay LINE"
IN_VAIN = ("a router that gives none", "a carrier that was asked")
QUICK = ("in the open", "a router that refuses callers", "IPv6 that is blocked")


@pytest.mark.needs("miniupnpd")
@pytest.mark.parametrize("case", slow_but(lambda case: case in QUICK, CASES))
def test_what_a_call_proves(case: str, tmp_path: Path) -> None:
    place, options, ways = CASES[case]
    with Nats(INTERNET, place) as net:
        text = invitation(friend(net, tmp_path))
        found = doctor(net, 2, "--probe", text, *options, folder=tmp_path)
        fourth = isinstance(place, Router) and place.ipv6 is None
        seen = net.outside(2) if fourth else net.ipv6(2)
    assert reached(found) == ways, found
    assert seen in found["probe"]["what"]  # the last one
    if found["tor"]["reached"] == "no":
        wanted = RELAY_COMMAND if case in IN_VAIN else INTERNET_COMMAND
        assert found["command"]["command"] == wanted


def test_a_firewall_of_the_computer_itself(tmp_path: Path) -> None:
    """It calls itself without trouble, so only a call from elsewhere shows it."""
    with Nats(INTERNET, INTERNET) as net:
        rules = (
            "table inet closed { chain input { type filter hook input priority 0;"
            ' iifname "net0" tcp flags & (syn | ack) == syn drop; }; }'
        )
        run(*net.command(2, ["nft", rules]))
        text = invitation(friend(net, tmp_path))
        found = doctor(net, 2, "--probe", text, folder=tmp_path)
    assert found["port"]["level"] == "ok"
    assert reached(found) == ("no", "no")
    assert "nothing has come through" in found["ipv4"]["what"]


@pytest.mark.parametrize("kind", ["seat", "watch"])
def test_at_a_running_table(kind: str, tmp_path: Path) -> None:
    """Whoever watches may ask, too, and the game goes on to its end."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with Nats(INTERNET, Router(), Router(ports=(PORT,))) as net:
        table = friend(net, tmp_path)
        table.join(2, **{GATE: str(gate)})
        table.programs[0].wait_for("table")
        found = doctor(net, 3, "--probe", invitation(table, kind), folder=tmp_path)
        with open(gate, "wb"):
            pass
        assert [program.end() for program in table.programs] == [0, 0]
    assert reached(found) == ("yes", "no")
    for program in table.programs:
        assert program.wait_for("done").fields["verdict"] == "final"


@pytest.mark.parametrize("place", [INTERNET, Router()], ids=["open", "router"])
def test_a_friend_who_calls_nobody(place: Place, tmp_path: Path) -> None:
    with Nats(INTERNET, place) as net:
        text = invitation(friend(net, tmp_path, "--no-probes"))
        found = doctor(net, 2, "--probe", text, folder=tmp_path)
    assert "calls nobody back" in found["probe"]["what"]
    assert found["ipv4"]["reached"] == ("likely" if place is INTERNET else "unknown")
