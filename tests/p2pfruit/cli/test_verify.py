"""p2pfruit verify on files of every class: what it says, and how it ends."""

import io
import json
import os
import re
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from p2pfruit import language, limits
from p2pfruit.home import verification
from p2pfruit.home.verification import budget
from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.replay import verify as verifying
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.safe import shown_names
from protocol.codec import decode, encode
from protocol.file.gamefile import BOUNDS, MAGIC, Pace, Proof
from protocol.limits import FILE_SIZE_MOST
from protocol.table.events import Ending, Lost, Why
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
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


# What a file proves.


def test_a_final_file(game_file: GameFile) -> None:
    path = game_file(made.final)
    code, lines = verify(path)
    assert code == 0
    assert lines[0] == (
        f"{path}: final: the game ended, and everyone still seated signed the result"
    )
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
        (made.unsigned, 6, r": complete, but not signed by Bruno$"),
        (
            made.stopped,
            6,
            r": stopped: too few .* without Ada\n  Ada gave up at step \d+$",
        ),
        (made.given_up, 6, r": stopped: Ada gave up\n  Ada gave up at step \d+$"),
        (made.split, 6, r": stopped: Ada signed two .*\n  Ada cheated .* entry \d+: .*\(split\)$"),
        (made.left_alone, 6, r": stopped: too few .* without Ada\n  Ada left at step \d+$"),
        (made.left, 0, r": final: .*\n  Ada left at step \d+$"),
        (made.gone, 0, r": final: .*\n  Ada was absent at step \d+: all others voted so$"),
        (
            made.bad,
            0,
            r": final: .*\n  Ada signs another state: cheating, or another program \(.*\)$",
        ),
        (made.forked, 0, r": final: .*\n  Ada cheated at step \d+, entry \d+: .*\(fork\)$"),
        (made.false_proof, 6, r": stopped: .*\n  Ada cheated at step 1, entry 1: .*\(proof: .*\)$"),
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
        f"same table, but different files: {final}, {other}",
        f"different tables: {final}, {left}",
    ]
    assert sum(line.startswith(str(final.parent)) for line in lines) == 3


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


def test_no_file_is_wrong_usage() -> None:
    done = run("verify")
    assert (done.returncode, done.stdout) == (2, "")
    assert "hint: run `p2pfruit verify --help` for usage" in done.stderr


# Refused.


def cut(data: bytes) -> bytes:
    return data[:-1]


def flipped(data: bytes) -> bytes:
    """A bit of what the last entry says."""
    return data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]


def without_an_entry(data: bytes) -> bytes:
    roster, feeds, rivals = parts(data)
    return MAGIC + encode((roster, (feeds[0][:3] + feeds[0][4:], *feeds[1:]), rivals))


def with_half_a_feed(data: bytes) -> bytes:
    """Whole chains and good signatures, but one player answers what was never said."""
    roster, feeds, rivals = parts(data)
    return MAGIC + encode((roster, (feeds[0][:5], *feeds[1:]), rivals))


def parts(data: bytes) -> Any:
    return decode(data[len(MAGIC) :], FILE_SIZE_MOST, BOUNDS)


def with_a_film(_data: bytes) -> bytes:
    return MAGIC + bytes(FILE_SIZE_MOST + 1)


@pytest.mark.parametrize(
    ("spoil", "stage"),
    [
        (cut, "form"),
        (flipped, "signature"),
        (without_an_entry, "chain"),
        (with_half_a_feed, "reading"),
        (with_a_film, "form"),
        (lambda data: data + b"\0", "form"),
        (lambda data: data[: len(MAGIC)], "form"),
        (lambda data: data[:0], "form"),
        (lambda data: b"\x1b[31m" + data, "form"),
    ],
    ids=["cut", "flipped", "gap", "half", "huge", "longer", "magic", "empty", "other"],
)
def test_a_file_that_does_not_hold_together_is_refused(
    spoil: Callable[[bytes], bytes], stage: str, game_file: GameFile, tmp_path: Path
) -> None:
    path = tmp_path / "spoiled"
    path.write_bytes(spoil(game_file(made.unfinished).read_bytes()))
    code, lines = verify(path)
    assert code == 6
    assert lines[0].startswith(f"{path}: refused: ")
    assert lines[1].startswith(f"  {stage}: ")
    assert len(lines) == 2
    code, [found] = verify_json(path)
    assert (code, found["verdict"], found["stage"]) == (6, "refused", stage)
    assert found.keys() == {"file", "verdict", "stage", "code", "why"}


def test_a_device_without_an_end_is_not_read_to_its_end() -> None:
    code, lines = verify("/dev/zero")
    assert code == 6
    assert lines[0].startswith("/dev/zero: refused")


# Files that take too long.


def spent_after(pieces: int, _seconds: float) -> Pace:
    """A budget that is used up after so many pieces of work, however long they take."""
    clock = iter([0, *[0] * pieces, 1])
    return budget(1, lambda: next(clock))


@pytest.mark.parametrize(
    ("pieces", "stage", "words"),
    [
        (3, "signature", r"3 of (\d+) entries have a good form, place and signature"),
        (-2, "proof", r"\d+ of (\d+) proofs were checked"),
    ],
)
def test_a_file_that_takes_too_long_is_given_up(
    pieces: int, stage: str, words: str, game_file: GameFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game_file(made.final)
    if pieces < 0:
        pieces += pieces_of(path.read_bytes())
    with monkeypatch.context() as patched:
        patched.setattr(verification, "budget", partial(spent_after, pieces))
        code, lines = verify(path)
        assert code == 8
        assert lines[0].startswith(f"{path}: given up: this file takes more processor time")
        assert re.fullmatch(words, lines[1].strip())
        code, [found] = verify_json(path)
        assert (code, found["verdict"], found["stage"]) == (8, "over-budget", stage)
        assert found["done"] < found["count"]
        shown = run("show", str(path))
        assert shown.returncode == 8
        assert "hint: see how long it takes with `p2pfruit verify --budget SECONDS`" in shown.stderr
    assert verify(path)[0] == 0


def pieces_of(data: bytes) -> int:
    count = 0

    def pace(_stage: str, _done: int, _count: int) -> None:
        nonlocal count
        count += 1

    verification.open_table(data, pace=pace)
    return count


def test_the_budget_is_a_time() -> None:
    done = run("verify", "--budget", "0", "game.fruit")
    assert done.returncode == 2
    assert "error: --budget must be at least one second" in done.stderr


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


# What players call themselves.


def test_names_are_shown_and_not_obeyed(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.odd_names))[1])
    assert '"Bob, Ann: left"' in text
    assert r'"\u3164\u3164"' in text
    assert "\u3164" not in text


@pytest.mark.parametrize(
    ("name", "as_shown"),
    [
        ("Zoë O'Neil-2", "Zoë O'Neil-2"),
        ("李小龍", "李小龍"),
        ("\x1b[31mred", r'"\x1b[31mred"'),
        ("a\u202eb", r'"a\u202eb"'),
        ("a\u0301\u0301\u0301", '"a\u0301\u0301\\u0301"'),
        ("\u0301", r'"\u0301"'),
        ("Ann ", '"Ann "'),
        ("Ann  left", '"Ann  left"'),
        ('a"b', r'"a\"b"'),
        ("", '""'),
    ],
)
def test_a_name_says_nothing_to_the_terminal(name: str, as_shown: str) -> None:
    assert shown_names([name]) == [as_shown]


def test_players_of_one_name_are_told_apart(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.same_names))[1])
    assert "\n  Ann #0  " in text
    assert "\n  ann #1  " in text


def test_what_a_cheat_said_is_shown_and_not_obeyed(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.forged))[1])
    assert r"(kind: '\x1b[2Jxxx" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) < 2 * limits.SHOWN_LENGTH_MOST
    entries = run("show", "--entries", str(game_file(made.forged))).stdout
    assert "\x1b" not in entries
    assert "xxx" not in entries


# Language and terminal.


def test_french(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.gone), lang="fr")[1])
    assert "définitive : la partie est finie" in text
    assert "Ada était absent à l'étape " in text
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
