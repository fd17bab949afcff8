"""A line that dies without a word: every packet is lost, and no end is told.

How soon it is noticed is shown on a virtual clock, in tests/sim. Here real programs notice it over
real TCP, call again, and play on to one file, and nobody is asked about anybody.
"""

import os
from pathlib import Path

import pytest

from tests.netns.mesh import Mesh
from tests.netns.tables import Program, open_table
from tests.processes.program import GATE

pytestmark = pytest.mark.needs("namespaces")


def links(program: Program, player: int) -> list[bool]:
    """What it has said about its link to a player."""
    said = program.all("linked")
    return [one.fields["there"] for one in said if one.fields["player"] == player]


def own_number(program: Program) -> int:
    return int(program.wait_for("table").fields["me"])


@pytest.mark.parametrize("seats", [2, 3])
def test_a_cut_line_comes_back(seats: int, tmp_path: Path) -> None:
    """The last player thinks. The line between the first two dies, or the only one."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with Mesh(hosts=seats) as net:
        table = open_table(net, tmp_path, seats)
        for place in range(2, seats + 1):
            table.join(place, **({GATE: str(gate)} if place == seats else {}))
        host, guest = table.programs[:2]
        numbers = [own_number(program) for program in (host, guest)]
        host.wait_until(lambda one: links(one, numbers[1]) == [True])
        guest.wait_until(lambda one: links(one, numbers[0]) == [True])
        net.cut(1, 2)
        host.wait_until(lambda one: links(one, numbers[1]) == [True, False])
        if seats > 2:  # where the guest is the one who thinks, nothing is owed to it
            guest.wait_until(lambda one: links(one, numbers[0]) == [True, False])
        net.mend(1, 2)
        host.wait_until(lambda one: links(one, numbers[1])[:3] == [True, False, True])
        with open(gate, "wb"):
            pass
        assert [program.end() for program in table.programs] == [0] * seats
    assert len({program.file.read_bytes() for program in table.programs}) == 1
    for program in table.programs:
        assert program.all("question") == []
        assert program.wait_for("done").fields["verdict"] == "final"
