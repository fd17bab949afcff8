"""One home, one program: locks, copies of a home, old copies, and names that belong to keys."""

import shutil
from hashlib import sha256

from protocol.feed.entries import COMMIT
from tests.processes.hall import KILLED, Hall, Program, invited
from tests.processes.program import AT_THE_GATE


def test_a_home_that_is_in_use_is_refused(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 2)
    second = hall.start("anna", "join", invited(host), "--auto", "greedy")
    assert second.ends() == 1
    second.says(f"is in use by another p2pfruit, process {host.process.pid}")
    second.says("hint: quit that one, or play as another player with --home FOLDER")


def wait_for_the_gate(program: Program, last: Program) -> None:
    """The table of three waits for the second choice of the last, and nothing is on the way."""
    last.says(AT_THE_GATE)
    program.tells("said", times=3 + 2, kind=COMMIT)


def test_a_copy_of_a_home_finds_its_twin_and_signs_nothing(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 3)
    twin = hall.join("ben", host)
    other = hall.join("cleo", host, gate=hall.gate())
    wait_for_the_gate(twin, other)
    shutil.copytree(hall.home("ben").path, hall.folder / "copy")
    signed = hall.own("copy")
    copy = hall.resume("copy")
    assert copy.ends() == 1
    copy.says("another program plays this table with your identity")
    copy.says("hint: ")
    assert hall.own("copy") == signed
    hall.open_gate()
    assert (host.ends(), twin.ends(), other.ends()) == (0, 0, 0)
    hall.the_same(["anna", "ben", "cleo"])
    assert hall.verify("anna")[1][0]["lost"] == []


def test_an_old_copy_of_a_home_hears_from_others_what_it_has_said(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 3)
    original = hall.join("ben", host, crash="sent:reveal:2")
    other = hall.join("cleo", host, gate=hall.gate())
    wait_for_the_gate(original, other)
    home = hall.home("ben").path
    shutil.copytree(home, hall.folder / "copy")
    hall.open_gate()
    assert original.ends() == KILLED
    said = hall.own("ben")
    assert len(hall.own("copy")) < len(said)
    home.rename(hall.folder / "lost")
    (hall.folder / "copy").rename(home)
    again = hall.resume("ben")
    assert (host.ends(), again.ends(), other.ends()) == (0, 0, 0)
    hall.the_same(["anna", "ben", "cleo"])
    table = hall.table("ben")
    [player] = [at for at, one in enumerate(table.roster.players) if one.name == "ben"]
    assert [entry.data for entry in table.read[player]][: len(said)] == said
    assert not table.feeds.forks(player)


def test_another_key_under_a_known_name_is_shouted_about(hall: Hall) -> None:
    home = hall.home("anna")
    with home.open_store(0) as store:
        store.meet(sha256(b"the ben that anna knows").digest(), "Ben", 0)
    host = hall.start(
        "anna", "host", "--game", "punnet", "--seats", "2", "--port", "0", "--auto", "greedy"
    )  # fmt: skip
    invitation = host.says("p2pfruit join ").split()[-1]
    guest = hall.start("ben", "join", invitation, "--auto", "greedy", "--json")
    host.says("WARNING: ben is NOT the ben you know")
    host.says("the one you know has ")
    assert (host.ends(), guest.ends()) == (0, 0)
