"""Players who are killed and do not come back, or come back too late."""

import pytest

from tests.games.punnet import Punnet
from tests.processes.hall import KILLED, Hall
from tests.processes.program import AT_THE_GATE

# Short enough to wait for, long enough for an honest peer on a busy machine.
IMPATIENT = ("--turn-limit", "5", "--duty-limit", "5", "--reserve", "0")

NAMES = ("anna", "ben", "cleo", "dora", "emil", "fay")
MANY = [3, *[pytest.param(seats, marks=pytest.mark.slow) for seats in (4, 5, 6)]]


@pytest.mark.parametrize("seats", MANY)
def test_the_others_vote_and_play_the_round_again(hall: Hall, seats: int) -> None:
    game = "punnet" if seats in Punnet.seats else "fruitoplay"
    names = NAMES[:seats]
    host = hall.host("anna", game, seats, *IMPATIENT, meet="all")
    victim = hall.join("ben", host, crash="before:commit:2", meet="all")
    rest = [host, *[hall.join(name, host, meet="all") for name in names[2:]]]
    assert victim.ends() == KILLED
    assert [program.ends() for program in rest] == [0] * (seats - 1)
    hall.the_same([name for name in names if name != "ben"])
    code, [report] = hall.verify("anna")
    assert (code, report["verdict"]) == (0, "final")
    [lost] = report["lost"]
    assert (report["players"][lost["player"]]["name"], lost["why"]) == ("ben", "gone")


def test_one_of_two_stops_and_says_why(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 2, *IMPATIENT)
    victim = hall.join("ben", host, crash="before:commit:2")
    assert victim.ends() == KILLED
    assert host.ends() == 5
    question = host.tells("question")
    assert (question["can_go_on"], question["default"]) == (False, "stop")
    assert host.tells("done")["verdict"] == "stopped"
    code, [report] = hall.verify("anna")
    assert (code, report["verdict"], report["stopped"]) == (6, "stopped", "given-up")
    [player] = report["stopped_by"]
    assert report["players"][player]["name"] == "anna"
    [owing] = report["owing"]
    assert report["players"][owing]["name"] == "ben"
    assert report["owed"] in ("reveal", "shares", "commit")  # killed with all of them unsaved


def test_who_comes_back_too_late_looks_on(hall: Hall) -> None:
    """Nobody may be late for a choice; so the table waits at the gate until ben is back."""
    limits = ("--duty-limit", "5", "--reserve", "0")
    host = hall.host("anna", "punnet", 3, *limits, meet="all")
    victim = hall.join("ben", host, crash="before:reveal:1", meet="all")
    other = hall.join("cleo", host, gate=hall.gate(), meet="all")
    assert victim.ends() == KILLED
    host.tells("lost", why="gone")
    other.says(AT_THE_GATE)
    signed = hall.own("ben")
    late = hall.resume("ben")
    late.tells("lost", why="gone")
    assert hall.own("ben")[: len(signed)] == signed
    hall.open_gate()
    assert (host.ends(), other.ends(), late.ends()) == (0, 0, 5)
    hall.the_same(["anna", "cleo", "ben"])
