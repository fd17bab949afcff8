"""Whole games of real programs, over networks that are not what one would wish for."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from p2pfruit.net import invitations
from p2pfruit.net.beacon import Announcement
from p2pfruit.net.limits import BEACON_PORT
from p2pfruit.text.fingerprint import fingerprint
from protocol.file import gamefile
from protocol.file.report import report
from protocol.link.keys import key_id
from tests.games import registered
from tests.netns.hosts import Hosts
from tests.netns.mesh import Mesh
from tests.netns.programs import call
from tests.netns.star import Star
from tests.netns.tables import PROGRAM, ROOT, Program, open_table, play

pytestmark = pytest.mark.needs("namespaces")

GAMES = ["punnet", pytest.param("fruitoplay", marks=pytest.mark.slow)]


@pytest.mark.parametrize("game", GAMES)
def test_players_who_reach_only_the_host_are_relayed_by_it(game: str, tmp_path: Path) -> None:
    with Star(hosts=4) as net:
        hub, *leaves = play(net, tmp_path, 4, game)
    assert linked_to(hub) == {own_number(leaf) for leaf in leaves}
    for leaf in leaves:
        assert linked_to(leaf) == {own_number(hub)}


def test_the_rest_stops_if_it_cannot_reach_each_other(tmp_path: Path) -> None:
    """A leaf goes for good. The other leaf has only the hub's word for it, and stops; so does the
    hub, since it cannot vote alone."""
    impatient = ("--turn-limit", "5", "--duty-limit", "5", "--reserve", "0")
    with Star(hosts=3) as net:
        table = open_table(net, tmp_path, 3, options=impatient)
        leaf = table.join(2)
        victim = table.join(3, P2PFRUIT_TEST_CRASH="before:commit:2")
        assert victim.end() == -9
        rest = [table.programs[0], leaf]
        assert [program.end() for program in rest] == [5, 5]
    question = leaf.wait_for("question").fields
    assert (question["direct"], question["default"]) == (False, "stop")
    said = [program.wait_for("done").fields["verdict"] for program in rest]
    assert set(said) <= {"stopped", "unfinished"}  # the other might go on, for the first who stops
    with registered():
        files = [report(gamefile.read(program.file.read_bytes())) for program in rest]
    assert [found.verdict for found in files] == said
    assert all(found.stops for found in files)


def linked_to(program: Program) -> set[int]:
    return {said.fields["player"] for said in program.all("linked") if said.fields["there"]}


def own_number(program: Program) -> int:
    return int(program.wait_for("table").fields["me"])


@pytest.mark.parametrize(
    ("game", "players"), [("punnet", 3), pytest.param("fruitoplay", 4, marks=pytest.mark.slow)]
)
def test_a_game_far_away_over_bad_lines(game: str, players: int, tmp_path: Path) -> None:
    with bad_weather(players) as net:
        play(net, tmp_path, players, game)
        assert any(count.lost for count in net.counts().values())


def bad_weather(hosts: int) -> Mesh:
    return Mesh(hosts, delay_s=0.150, jitter_s=0.020, loss=0.05, flap=(2, 2.0, 10.0))


# Prints the first announcement that is heard.
HEAR = f"""
udp = socket.socket(type=socket.SOCK_DGRAM)
udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
udp.bind(("", {BEACON_PORT}))
udp.settimeout(60)
print(udp.recv(65536).hex())
"""


def test_a_table_is_heard_of_on_its_network_and_tells_no_secret(tmp_path: Path) -> None:
    with Star(hosts=2) as net:
        cable = "10.78.2.1"
        table = open_table(net, tmp_path, 2, bind=cable, options=["--announce"])
        told = table.programs[0].wait_for("invitation").fields
        invitation, to_watch = (invitations.parse(told[name]) for name in ("seat", "watch"))
        heard = bytes.fromhex(call(net, 2, cable, HEAR))
        listed = listen(net, 2)
        assert [program.end() for program in (table.join(2), *table.programs)] == [0, 0, 0]
    announcement = Announcement.decode(heard)
    assert announcement.entrance is not None
    access = invitation.access.of(announcement.entrance.host)
    watching = access.to_watch()
    assert to_watch.secret == watching.secret
    for secret in (access.secret, access.psk, watching.salt, watching.secret, watching.psk):
        pieces = [secret[at : at + 4] for at in range(len(secret) - 3)]
        assert not any(piece in heard for piece in pieces)
    assert announcement.key_id == key_id(access.psk)
    assert listed == [
        {
            "address": invitation.addresses[0],
            "name": announcement.name,
            "game": "punnet",
            "taken": 1,
            "seats": 2,
            "key_id": key_id(access.psk).hex(),
            "fingerprint": fingerprint(announcement.entrance.host),
            "code": True,
        }
    ]


def listen(net: Hosts, host: int) -> list[dict[str, Any]]:
    command = [*PROGRAM, "lan", "--seconds", "5", "--json"]
    program = net.popen(host, command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in program.communicate(timeout=60)[0].splitlines()]


class Loopback(Hosts):
    """All programs are on host 1, and call each other by its own IPv6 address."""

    def connect(self) -> None:
        pass

    def popen(self, host: int, arguments: Sequence[str], **options: Any) -> "subprocess.Popen[Any]":
        return super().popen(1, arguments, **options)

    def address(self, host: int) -> str:
        return "::1"


@pytest.mark.slow
def test_a_table_over_ipv6(tmp_path: Path) -> None:
    with Loopback(hosts=1) as net:
        programs = play(net, tmp_path, 3)
    for program in programs:
        assert len(linked_to(program)) == 2
        for said in program.all("listens"):
            assert all(address.startswith("[::1]:") for address in said.fields["addresses"])
