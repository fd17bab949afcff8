"""Spectators: they see all that is public, from the beginning, and take no seat."""

from tests.processes.hall import Hall, invited
from tests.processes.program import AT_THE_GATE

# A host that does not answer is given up soon.
SOON = "p2pfruit.net.limits.CALL_FIRST_S=2"


def test_they_see_the_game_from_the_lobby_and_from_the_middle(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 2)
    early = hall.watch("early", host)
    early.tells("lobby")
    guest = hall.join("ben", host, gate=hall.gate())
    guest.says(AT_THE_GATE)
    late = hall.watch("late", host)
    late.tells("plays")
    hall.open_gate()
    everybody = [host, guest, early, late]
    assert [program.ends() for program in everybody] == [0, 0, 0, 0]
    hall.the_same(["anna", "ben", "early", "late"])
    seen = [event for event in host.events() if "seat" in event and "data" in event]
    for program in everybody:
        assert [e for e in program.events() if "seat" in e and "data" in e] == seen
    assert early.tells("table")["me"] is None


def test_a_table_may_be_played_in_private(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 2, "--no-spectators")
    assert host.tells("invitation")["watch"] is None
    watcher = hall.start("early", "watch", invited(host), limits=SOON)
    assert watcher.ends() == 3
    watcher.says("the host cannot be reached")
