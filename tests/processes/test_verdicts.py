"""What players are told, and what their files say, when others vanish or will not sign."""

from typing import Any

import pytest

from tests.processes.hall import KILLED, Hall, Program, invited
from tests.processes.test_absence import IMPATIENT


def named(report: dict[str, Any], players: list[int]) -> list[str]:
    return [report["players"][player]["name"] for player in players]


def placed(report: dict[str, Any]) -> dict[str, int | None]:
    names = named(report, report["seats"])
    return dict(zip(names, report["places"], strict=True))


def told(program: Program) -> str:
    return "\n".join(program.lines)


def test_a_loser_who_does_not_sign_is_named_and_not_the_winner(hall: Hall) -> None:
    hall.seed = "2"  # in which ben wins
    limits = ("--duty-limit", "5", "--reserve", "0")
    loser = hall.host("anna", "pebbles", 2, *limits, withhold="yes")
    record = ("--record", str(hall.record("ben")))
    winner = hall.start("ben", "join", invited(loser), "--auto", "greedy", "--plain", *record)
    assert winner.ends() == 5
    text = told(winner)
    assert "the game is over; the signature of anna has been missing for 5 s" in text
    assert "finished, not signed by anna\n" in text
    assert "ben signed, and did not wait any longer for the signature of anna\n" in text
    assert "verified: every signature and every proof in the game file was checked" in text
    assert text.count("every signature and every proof") == 1
    code, [report] = hall.verify("ben")
    assert (code, report["verdict"]) == (6, "unsigned")
    assert (named(report, report["owing"]), report["owed"]) == (["anna"], "agree")
    assert placed(report) == {"ben": 1, "anna": 2}
    assert (report["stopped"], report["contested_by"]) == (None, [])
    assert (report["stops"], report["lost"]) == ([], [])


def five(hall: Hall, *more: str) -> tuple[list[Program], list[Program]]:
    """Two of five are killed at the same choice; those who are left come first."""
    host = hall.host("anna", "pebbles", 5, *IMPATIENT, *more, meet="all")
    victims = [
        hall.join(name, host, crash="before:commit:1", meet="all") for name in ("ben", "cleo")
    ]
    rest = [host, *[hall.join(name, host, meet="all") for name in ("dora", "emil")]]
    assert [victim.ends() for victim in victims] == [KILLED, KILLED]
    return rest, victims


@pytest.mark.slow
def test_with_drop_2_the_others_vote_two_out_and_finish(hall: Hall) -> None:
    rest, _victims = five(hall, "--drop", "2")
    assert [program.ends() for program in rest] == [0, 0, 0]
    hall.the_same(["anna", "dora", "emil"])
    question = rest[0].tells("question")
    assert len(question["players"]) == 2
    assert (question["can_go_on"], question["default"]) == (True, "go on")
    code, [report] = hall.verify("anna")
    assert (code, report["verdict"]) == (0, "final")
    assert report["limits"]["drop"] == 2
    assert sorted(named(report, report["contested_by"])) == ["ben", "cleo"]
    assert report["dropped"] == report["contested_by"]
    for loss in report["lost"]:
        assert (loss["why"], sorted(named(report, loss["by"]))) == (
            "gone",
            ["anna", "dora", "emil"],
        )
    places = placed(report)
    assert (places.pop("ben"), places.pop("cleo")) == (None, None)
    assert min(place for place in places.values() if place is not None) == 1
    done = rest[0].tells("done")
    assert (done["verdict"], done["contested_by"]) == ("final", report["contested_by"])
    assert done["places"] == report["places"]


def test_without_it_the_table_stops_and_says_who_owed(hall: Hall) -> None:
    rest, _victims = five(hall)
    assert [program.ends() for program in rest] == [5, 5, 5]
    question = rest[0].tells("question")
    assert (question["can_go_on"], question["default"]) == (False, "stop")
    for name in ("anna", "dora", "emil"):
        code, [report] = hall.verify(name)
        assert (code, report["verdict"]) == (6, "unfinished")
        assert sorted(named(report, report["owing"])) == ["ben", "cleo"]
        assert name in [named(report, [stop["player"]])[0] for stop in report["stops"]]
        for stop in report["stops"]:
            assert sorted(named(report, stop["owing"])) == ["ben", "cleo"]
            assert (stop["owed"], stop["done"]) == ("commit", False)
    verify = hall.start("anna", "verify", str(hall.record("anna")))
    assert verify.ends() == 6
    lines = [line for line in verify.lines if "when anna stopped the table" in line]
    assert len(lines) == 1
    assert lines[0].strip().startswith("by what anna had seen, ")
    assert " owed a move " in lines[0]
