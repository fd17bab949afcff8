"""Whole games of Fruitoplay between separate processes, as the README has them."""

from pathlib import Path

import pytest

from tests.processes.hall import opened

NAMES = ("anna", "ben", "cleo", "dora", "emil", "fay")


SEATS = [2, *[pytest.param(seats, marks=pytest.mark.slow) for seats in (3, 4, 5, 6)]]


@pytest.mark.parametrize("seats", SEATS)
def test_processes_play_a_game_to_its_end(tmp_path: Path, seats: int) -> None:
    with opened(tmp_path, module="p2pfruit") as hall:
        file = tmp_path / "invitation"
        names = NAMES[:seats]
        host = hall.host("anna", "fruitoplay", seats, "--invite-file", str(file))
        host.tells("invitation")
        for name in names[1:]:
            hall.start(name, "join", f"@{file}", *hall.playing(name))
        assert [program.ends() for program in hall.programs] == [0] * seats
        hall.the_same(names)
        code, [report] = hall.verify("anna")
        assert (code, report["verdict"]) == (0, "final")
        assert not report["lost"]
        for program in hall.programs:
            kinds = [event["what"] for event in program.events()]  # every line is JSON
            assert {"lobby", "table", "linked", "said", "seats", "scores"} <= set(kinds)
            assert kinds[-1] == "done"
            assert program.errors == []
