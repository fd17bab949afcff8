"""A program that is stopped for a while and goes on, as when a laptop is closed."""

import signal

import pytest

from tests.processes.hall import Hall, Program

NAMES = ["anna", "ben", "cleo"]


def number(program: Program) -> int:
    return int(program.tells("table")["me"])


@pytest.mark.parametrize("closed", [0, 1], ids=["host", "guest"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_closed_laptop_is_missed_and_comes_back(hall: Hall, closed: int, seats: int) -> None:
    """The others notice that it is silent, and it notices that it was away."""
    names = NAMES[:seats]
    gates = ["", ""]
    gates[closed] = hall.gate()
    host = hall.host("anna", "punnet", seats, gate=gates[0])
    guests = [hall.join(name, host, gate=gates[1] if name == "ben" else "") for name in names[1:]]
    programs = [host, *guests]
    sleeper, *others = [programs[closed], *[one for one in programs if one != programs[closed]]]
    for other in others:
        other.tells("linked", player=number(sleeper), there=True)
    sleeper.says("at the gate")
    sleeper.process.send_signal(signal.SIGSTOP)
    for other in others:
        other.tells("linked", player=number(sleeper), there=False)
    sleeper.process.send_signal(signal.SIGCONT)
    for other in others:
        other.tells("linked", 2, player=number(sleeper), there=True)
    hall.open_gate()
    assert [program.ends() for program in programs] == [0] * seats
    hall.the_same(names)
    code, [report] = hall.verify("anna")
    assert (code, report["verdict"], report["lost"]) == (0, "final", [])
    for program in programs:
        assert program.events("question") == []
