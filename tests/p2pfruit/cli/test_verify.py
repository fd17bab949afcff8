"""p2pfruit verify on files of every class: what it says, and how it ends."""

import io
import json
import os
import re
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from p2pfruit import language, limits
from p2pfruit.home import verification
from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.replay import verify as verifying
from p2pfruit.text.fingerprint import fingerprint
from protocol.table.events import Ending, Lost, Why
from protocol.table.proving import Proof
from tests.p2pfruit.cli import gamefiles as made
from tests.p2pfruit.cli.conftest import GameFile
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.cli.terminal import terminal
from tests.p2pfruit.cli.test_without_a_terminal import shell


def verify(*paths: Path | str, lang: str = "en") -> tuple[int, list[str]]:
    done = run("verify", "--lang", lang, *map(str, paths))
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def verify_json(*paths: Path | str) -> tuple[int, list[dict[str, Any]]]:
    done = run("verify", "--json", *map(str, paths))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, [row for row in rows if "file" in row]


# What a file proves.


def test_a_final_file(game_file: GameFile) -> None:
    path = game_file(made.final)
    code, lines = verify(path)
    assert code == 0
    assert lines[0] == (
        f"{path}: final: the game ended, and everyone still seated signed the result"
    )
    assert lines.pop(1) == "  verified: every signature and every proof in this file holds"
    assert lines[1:5] == [
        "  game: fruitoplay for 2 players",
        "  options: ties (among contenders)",
        "  cards: as shipped",
        "  limits: 120 s for each choice, 20 s for what programs answer, 180 s in reserve",
    ]
    assert lines[5].startswith("  table: ")
    lines = lines[2:]
    assert lines[5].split() == ["name", "fingerprint", "player", "seat"]
    keys = [player.key for player in made.setup("Ada", "Bruno").roster.players]
    rows = sorted(line.rsplit(None, 2)[0].split(None, 1) for line in lines[6:8])
    assert rows == [["Ada", fingerprint(keys[0])], ["Bruno", fingerprint(keys[1])]]
    header, first, second = lines[9:]
    assert header.split() == ["result", "round", "1", "round", "2", "round", "3", "points", "place"]
    for place, row in (("1", first), ("2", second)):
        _name, *rounds, points, its = row.split()
        assert (len(rounds), sum(map(int, rounds)), its) == (3, int(points), place)


@cache
def check_once(path: Path) -> verifying.Checked:
    return verifying.check(str(path))


@pytest.mark.parametrize(
    ("rounds", "heads"),
    [(5, ["round 1", "round 5"]), (8, ["  1", "  8"]), (9, []), (20, [])],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_points_fit_however_many_rounds_there_were(
    rounds: int, heads: list[str], lang: str, game_file: GameFile
) -> None:
    """With names for short rounds, with numbers for some, and the sum alone for many."""
    language.use(lang)
    checked = copy(check_once(game_file(made.final)))
    scores = ((12, 30),) * rounds
    checked.__dict__["report"] = replace(checked.report, scores=scores)
    lines = verifying.as_lines(checked)[-3:]
    assert all(len(line) <= 80 for line in lines)
    for head in heads:
        assert head.replace("round", _("round {round}").partition(" ")[0]) in lines[0]
    assert [len(line.split()) for line in lines[1:]] == [3 + (rounds if heads else 0)] * 2
    assert {line.split()[-2] for line in lines[1:]} == {str(12 * rounds), str(30 * rounds)}
    assert json.loads(verifying.as_json(checked))["scores"] == [[12, 30]] * rounds


@pytest.mark.parametrize(
    ("kind", "code", "says"),
    [
        (made.unfinished, 6, r": unfinished at step \d+: waiting for .*Ada.* to play$"),
        (
            made.being_voted_on,
            6,
            r": unfinished at step \d+: waiting for Ada to play; being voted on: Ada$",
        ),
        (made.unsigned, 6, r": finished, not signed by Bruno$"),
        (made.withheld, 6, r": finished, not signed by Ada\n  verified: "),
        (
            made.stopped,
            6,
            r": stopped by Bruno: by what Bruno had seen, Ada owed a move\n"
            r"  by what Bruno had seen, Ada owed a move when Bruno stopped the table at step \d+$",
        ),
        (
            made.given_up,
            6,
            r": unfinished at step \d+: waiting for Ada to play; stopped by Bruno\n"
            r"  by what Bruno had seen, Ada owed a move when Bruno stopped the table at step \d+;"
            r" Chloe had voted to wait; Ada had not answered the ballot$",
        ),
        (
            made.contested,
            0,
            r": final, contested by Bruno: everyone still seated signed the result\n"
            r"  by what Bruno had seen, Ada owed a move when Bruno stopped the table at step \d+$",
        ),
        (
            made.dropped,
            0,
            r": final, contested by Ada, Dora: everyone still seated signed the result\n"
            r"  Ada was dropped by Bruno, Chloe, Emil at step \d+, together with Dora:"
            r" by what they had seen, Ada owed a move\n"
            r"  Dora was dropped by Bruno, Chloe, Emil at step \d+, together with Ada:"
            r" by what they had seen, Dora owed a move$",
        ),
        (made.split, 6, r": stopped: Ada signed two .*\n  Ada cheated .* entry \d+: .*\(split\)$"),
        (
            made.left_alone,
            6,
            r": too few left: .* without Ada\n  Ada left at step \d+$",
        ),
        (made.left, 0, r": final: .*\n  Ada left at step \d+$"),
        (made.left_losing, 0, r": final: .*\n  \w+ left at step \d+, while losing \d+ to \d+$"),
        (
            made.gone,
            0,
            r": final: .*\n  Bruno and Chloe voted Ada out at step \d+:"
            r" by what they had seen, Ada owed a move$",
        ),
        (
            made.bad,
            0,
            r": final: .*\n  Ada signs another state: cheating, or another program \(.*\)$",
        ),
        (made.forked, 0, r": final: .*\n  Ada cheated at step \d+, entry \d+: .*\(fork\)$"),
        (
            made.false_proof,
            6,
            r": too few left: .*\n  Ada cheated at step 1, entry 1: .*\(proof: .*\)$",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_class(kind: made.Kind, code: int, says: str, game_file: GameFile) -> None:
    found, lines = verify(game_file(kind))
    assert found == code
    assert re.search(says, "\n".join(lines), re.MULTILINE)


@pytest.mark.parametrize(("lang", "left"), [("en", "Ada left"), ("fr", "Ada a quitté")])
def test_who_is_gone_or_cheated_is_not_said_to_have_left(
    lang: str, left: str, game_file: GameFile
) -> None:
    language.use(lang)
    for kind in (made.gone, made.forged, made.forked, made.stopped):
        assert left not in "\n".join(verifying.as_lines(check_once(game_file(kind))))


def test_the_evidence_is_named(game_file: GameFile) -> None:
    kinds = (made.bad, made.forked, made.false_proof, made.forged)
    _code, found = verify_json(*map(game_file, kinds))
    losses = [loss for one in found for loss in one["lost"]]
    assert [(loss["player"], loss["why"], loss["code"]) for loss in losses] == [
        (0, "bad", "digest"),
        (0, "forked", "fork"),
        (0, "bad", "proof"),
        (0, "bad", "kind"),
    ]
    assert all(loss["cheated"] for loss in losses)
    listed = run("show", "--entries", str(game_file(made.forged))).stdout.splitlines()
    [row] = [line.split() for line in listed if "?" in line]
    assert row[:2] == ["0", str(losses[-1]["entry"])]


def test_a_false_accusation_is_not_told_as_a_fork(game_file: GameFile) -> None:
    table = verification.open_table(game_file(made.unfinished).read_bytes())
    lost = Lost(1, 7, Ending(Why.BAD, 5, "fork", "these entries are no fork"))
    assert verdict.loss(table, lost, ["Ada", "Bruno"]) == (
        "Bruno cheated at step 7, entry 5: accused a player without evidence"
        " (fork: these entries are no fork)"
    )


# Several files.


def test_several_files_are_compared(game_file: GameFile, tmp_path: Path) -> None:
    final, other, left = map(game_file, (made.final, made.unfinished, made.left))
    copy = tmp_path / "copy"
    copy.write_bytes(final.read_bytes())
    code, lines = verify(final, copy)
    assert (code, lines[-2:]) == (0, ["", f"byte-identical: {final}, {copy}"])
    code, lines = verify(final, copy, other, left)
    assert code == 6
    assert lines[-3:] == [
        f"byte-identical: {final}, {copy}",
        f"{other} is a part of {final}, which says more",
        f"different tables: {final}, {left}",
    ]
    assert sum(line.startswith(str(final.parent)) for line in lines[:-3]) == 3


def test_a_missing_file_does_not_hide_the_others(game_file: GameFile, tmp_path: Path) -> None:
    final = game_file(made.final)
    done = run("verify", "/nowhere/it.game", str(final), str(tmp_path))
    assert done.returncode == 1
    assert done.stdout.startswith(f"{final}: final: ")
    assert done.stderr == (
        "error: cannot read /nowhere/it.game: No such file or directory\n"
        "hint: choose a game file that you can read\n"
        f"error: cannot read {tmp_path}: Is a directory\n"
        "hint: choose a game file that you can read\n"
    )
    assert run("verify", "/nowhere", str(game_file(made.unfinished))).returncode == 6


def test_a_pipe_has_a_name_and_a_terminal_has_no_file(game_file: GameFile) -> None:
    piped = shell(f"verify - <{game_file(made.final)}")
    assert piped.stdout.startswith("standard input: final: ")
    with terminal("verify", "-") as table:
        assert table.end() == 2
        assert "error: there is no game file on standard input" in table.transcript
        assert "hint: send one there" in table.transcript


def test_no_file_is_wrong_usage() -> None:
    done = run("verify")
    assert (done.returncode, done.stdout) == (2, "")
    assert "hint: run `p2pfruit verify --help` for usage" in done.stderr


# JSON.


def test_json_has_a_line_for_each_file(game_file: GameFile) -> None:
    paths = [str(game_file(made.final)), "/nowhere", str(game_file(made.gone)), os.devnull]
    code, found = verify_json(*paths)
    assert code == 6
    assert [one["file"] for one in found] == paths
    assert [one["verdict"] for one in found] == ["final", "unreadable", "final", "refused"]
    final, _missing, gone, _refused = found
    assert [player["name"] for player in final["players"]] == ["Ada", "Bruno"]
    assert sorted(final["seats"]) == [0, 1]
    assert [len(row) for row in final["scores"]] == [2, 2, 2]
    assert sorted(final["places"]) == [1, 2]
    assert (final["game"], final["options"]) == ("fruitoplay", {"ties": "contending"})
    assert (final["lost"], final["owing"], final["owed"]) == ([], [], None)
    [loss] = gone["lost"]
    assert (loss["player"], loss["why"], loss["cheated"]) == (0, "gone", False)


def test_json_is_the_same_in_every_language(game_file: GameFile) -> None:
    paths = [str(game_file(kind)) for kind in (made.false_proof, made.unfinished)]
    english, french = (run("verify", "--json", "--lang", lang, *paths) for lang in ("en", "fr"))
    assert english.stdout == french.stdout


def test_json_of_what_is_unfinished_or_stopped(game_file: GameFile) -> None:
    _code, [unfinished, stopped, unsigned] = verify_json(
        *map(game_file, (made.unfinished, made.left_alone, made.unsigned))
    )
    assert unfinished["owed"] == "commit"
    assert 0 in unfinished["owing"]
    assert (stopped["stopped"], stopped["stopped_by"]) == ("too-few", [0])
    assert (unsigned["verdict"], unsigned["owing"]) == ("unsigned", [1])


def test_json_of_what_is_contested_or_voted_on(game_file: GameFile) -> None:
    _code, [given_up, contested, dropped, voting, withheld, losing] = verify_json(
        *map(
            game_file,
            (
                made.given_up,
                made.contested,
                made.dropped,
                made.being_voted_on,
                made.withheld,
                made.left_losing,
            ),
        )
    )
    [stop] = given_up["stops"]
    step = stop.pop("step")
    assert stop == {
        "player": 1,
        "owed": "commit",
        "owing": [0],
        "waited": [2],
        "silent": [0],
        "done": False,
    }
    assert (given_up["verdict"], given_up["owing"], given_up["step"]) == ("unfinished", [0], step)
    assert (contested["verdict"], contested["contested_by"]) == ("final", [1])
    assert contested["places"][contested["seats"].index(1)] is None
    assert (dropped["dropped"], dropped["contested_by"]) == ([0, 3], [0, 3])
    assert [loss["by"] for loss in dropped["lost"]] == [[1, 2, 4]] * 2
    assert sorted(place for place in dropped["places"] if place is not None) == [1, 2, 3]
    assert [dropped["places"][dropped["seats"].index(player)] for player in (0, 3)] == [None] * 2
    assert (voting["verdict"], voting["voting"]) == ("unfinished", [0])
    assert (withheld["verdict"], withheld["owing"]) == ("unsigned", [0])
    assert (withheld["stops"], withheld["lost"], withheld["contested_by"]) == ([], [], [])
    assert sorted(withheld["places"]) == [1, 2]
    [left] = losing["lost"]
    points = dict(zip(losing["seats"], left["points"], strict=True))
    assert points.pop(left["player"]) == min(left["points"]) < max(points.values())


def test_a_player_without_a_place_stands_below_the_others(game_file: GameFile) -> None:
    rows = [line.split() for line in verify(game_file(made.dropped))[1][-5:]]
    assert [row[-1] for row in rows] == ["1", "2", "3", "-", "-"]
    assert {row[0] for row in rows[3:]} == {"Ada", "Dora"}


# Language and terminal.


def test_french(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.gone), lang="fr")[1])
    assert "définitive : la partie est finie" in text
    assert "Ada a été exclu par Bruno et Chloe à l'étape " in text
    assert "absent" not in text
    assert "manche 3" in text
    done = run("verify", "--lang", "fr", "/nowhere")
    assert "choisissez un fichier de partie" in done.stderr


def test_at_a_terminal_nothing_is_cut(game_file: GameFile) -> None:
    with terminal("verify", str(game_file(made.false_proof))) as screen:
        assert screen.end() == 6
        lines = screen.transcript.replace("\x1b[K", "").splitlines()
        assert all(len(line) <= 80 for line in lines)
        assert "\x1b" not in "".join(lines)


def test_control_c_interrupts(game_file: GameFile) -> None:
    with terminal("verify", *[str(game_file(made.final))] * 99) as screen:
        screen.wait_for("place")
        screen.type("\x03")
        assert screen.end() == 130
        assert screen.transcript.endswith("\ninterrupted\n")
        assert "Traceback" not in screen.transcript


@pytest.mark.parametrize("closed", ["<&-", "2>&-"])
def test_a_closed_stream_is_no_terminal(closed: str, game_file: GameFile) -> None:
    done = shell(f"verify {game_file(made.final)} {closed}")
    assert done.returncode == 0
    assert done.stderr == ""


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_shown_where_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = [Proof(b"", lambda: True)] * 4
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    assert verification.check_proofs(proofs) == [True] * 4
    assert screen.getvalue() == ""
    monkeypatch.setattr(limits, "PROGRESS_AFTER_S", -1.0)
    assert verification.check_proofs(proofs) == [True] * 4
    assert f"[{'#' * 30}] 4/4" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_no_bar_where_nobody_looks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(limits, "PROGRESS_AFTER_S", -1.0)
    assert verification.check_proofs([Proof(b"", lambda: True)]) == [True]
    assert capsys.readouterr() == ("", "")


def test_the_first_false_proof_ends_the_check() -> None:
    proofs = [Proof(b"", lambda: True), Proof(b"", lambda: False), Proof(b"", lambda: True)]
    assert verification.check_proofs(proofs) == [True, False]
