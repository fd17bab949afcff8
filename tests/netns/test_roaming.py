"""Machines that move to another address in the middle of a game, and tables that follow them."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.netns.lan import Lan
from tests.netns.nats import INTERNET, Kind, Nat, Nats, Router
from tests.netns.shared_torland import SharedTorland
from tests.netns.tables import Opened, Program, open_table
from tests.processes.program import GATE

pytestmark = [pytest.mark.needs("namespaces"), pytest.mark.needs("nft")]


# On one network.


def move(net: Lan, host: int, address: str) -> None:
    """Give a host another address; it loses the one that it has."""
    net.ip(host, "address", "flush", "dev", "net0", "scope", "global")
    net.ip(host, "address", "add", f"{address}/24", "dev", "net0")
    net.ip(host, "route", "add", "default", "dev", "net0")


def links_to(program: Program, player: int) -> int:
    return sum(
        said.fields["there"] for said in program.all("linked") if said.fields["player"] == player
    )


def me(program: Program) -> int:
    return int(program.wait_for("table").fields["me"])


def has_called_again(program: Program, player: int) -> bool:
    return links_to(program, player) >= 2


def knows_where(program: Program, player: int) -> bool:
    """Return True if the program was told where a player listens: it can call from elsewhere."""
    return any(said.fields["player"] == player for said in program.all("listens"))


def hears_of(program: Program, player: int, host: str) -> bool:
    """Return True if the program was told that a player listens there now."""
    said = [one.fields for one in program.all("listens") if one.fields["player"] == player]
    return bool(said) and any(place.startswith(f"{host}:") for place in said[-1]["addresses"])


def finish(table: Opened, gate: Path) -> None:
    with gate.open("wb"):  # the program is there, and goes on
        pass
    for program in table.programs:
        assert program.end() == 0, program.story()
    assert len({program.file.read_bytes() for program in table.programs}) == 1


@pytest.mark.parametrize("roamer", [1, 2], ids=["host", "guest"])
def test_two_players_go_on_when_one_of_them_moves(roamer: int, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with Lan(hosts=2) as net:
        table = open_table(net, tmp_path, 2, reach=["--lan"], **{GATE: str(gate)})
        host, guest = table.programs[0], table.join(2)
        mover, other = (host, guest) if roamer == 1 else (guest, host)
        mine, theirs = me(mover), me(other)
        other.wait_until(lambda program: links_to(program, mine) == 1)
        mover.wait_until(lambda program: links_to(program, theirs) == 1)
        mover.wait_until(partial(knows_where, player=theirs))
        move(net, roamer, "10.79.0.91")
        mover.wait_until(partial(has_called_again, player=theirs))
        other.wait_until(lambda program: hears_of(program, mine, "10.79.0.91"))
        finish(table, gate)
    invitations = {said.fields["seat"] for said in host.all("invitation")}
    assert len(invitations) == (2 if roamer == 1 else 1)


def test_three_players_go_on_when_the_host_moves(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with Lan(hosts=3) as net:
        table = open_table(net, tmp_path, 3, reach=["--lan"], **{GATE: str(gate)})
        host, *guests = table.programs[0], table.join(2), table.join(3)
        mine = me(host)
        for guest in guests:
            guest.wait_until(lambda program: links_to(program, mine) == 1)
        for theirs in map(me, guests):
            host.wait_until(partial(knows_where, player=theirs))
        move(net, 1, "10.79.0.92")
        for theirs in map(me, guests):
            host.wait_until(partial(has_called_again, player=theirs))
        for guest in guests:
            guest.wait_until(lambda program: hears_of(program, mine, "10.79.0.92"))
        finish(table, gate)


# Over the internet: the way to the table stays the same.


def carrier_home() -> Router:
    carrier = Router(kind=Kind.CARRIER, ipv4=Nat.RANDOM)
    return Router(behind=carrier, ipv4=Nat.RANDOM)


def plays_on_from_another_home(
    net: Nats, folder: Path, reach: Sequence[str], home: Router, **environment: str
) -> None:
    """The host of two players moves to another home in the middle of the game."""
    gate = folder / "gate"
    os.mkfifo(gate)
    table = open_table(net, folder, 2, reach=reach, **{GATE: str(gate)}, **environment)
    host, guest = table.programs[0], table.join(2, **environment)
    mine, theirs = me(host), me(guest)
    host.wait_until(lambda program: links_to(program, theirs) == 1)
    net.move(1, home)
    guest.wait_until(partial(has_called_again, player=mine))
    finish(table, gate)
    assert len({said.fields["seat"] for said in host.all("invitation")}) == 1


@pytest.mark.slow
@pytest.mark.needs("tor")
def test_a_host_that_plays_over_tor_moves(tor_internet: SharedTorland, tmp_path: Path) -> None:
    other = carrier_home()
    with Nats(carrier_home(), carrier_home(), more=[other]) as net:
        tor_internet.plug(net.namespace_of(INTERNET))
        torrc = str(tor_internet.torrc())
        plays_on_from_another_home(net, tmp_path, ["--tor"], other, P2PFRUIT_TORRC=torrc)


def test_a_host_behind_a_relay_moves(tmp_path: Path) -> None:
    other = carrier_home()
    with Nats(carrier_home(), carrier_home(), INTERNET, more=[other]) as net:
        relay = Program(net, 3, tmp_path, ("relay", "--json"), {})
        line = relay.wait_for("relay").fields["line"]
        plays_on_from_another_home(net, tmp_path, ["--relay", line], other)
