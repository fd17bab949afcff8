"""Whole games of real programs over networks that are not what one would wish for."""

from pathlib import Path

import pytest

from protocol.link import key_id, seat_key
from tests.netns.mesh import Mesh
from tests.netns.programs import start_script
from tests.netns.star import Star
from tests.netns.tables import Program, open_table, play

pytestmark = pytest.mark.needs("namespaces")


def linked_to(program: Program) -> set[int]:
    return {said.fields["player"] for said in program.all("linked") if said.fields["there"]}


def own_number(program: Program) -> int:
    return int(program.wait_for("table").fields["me"])


@pytest.mark.parametrize(
    "game", ["punnet", pytest.param("fruitoplay", marks=pytest.mark.slow)]
)
def test_who_reaches_nobody_but_the_host_is_relayed_by_it(game: str, tmp_path: Path) -> None:
    with Star(hosts=4) as net:
        hub, *leaves = play(net, tmp_path, 4, game)
    assert linked_to(hub) == {own_number(leaf) for leaf in leaves}
    for leaf in leaves:
        assert linked_to(leaf) == {own_number(hub)}
