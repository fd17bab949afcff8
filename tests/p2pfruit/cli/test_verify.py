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
from protocol.file.gamefile import BOUNDS, MAGIC, Pace
from protocol.file.report import Verdict, report
from protocol.limits import FILE_SIZE_MOST
from protocol.table.events import Ending, Lost, Why
from protocol.table.party import Party
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
        (made.withheld, 6, r": finished, not signed by Ada\n  game: "),
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
        (made.left_losing, 0, r": final: .*\n  Bruno left at step \d+, while losing 6 to 8$"),
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
    assert (points.pop(1), max(points.values())) == (6, 8)


def test_a_player_without_a_place_stands_below_the_others(game_file: GameFile) -> None:
    rows = [line.split() for line in verify(game_file(made.dropped))[1][-5:]]
    assert [row[-1] for row in rows] == ["1", "2", "3", "-", "-"]
    assert {row[0] for row in rows[3:]} == {"Ada", "Dora"}


# The words for what no file of the tests shows.


def shown_as(kind: made.Kind, **changed: Any) -> str:
    found = report(made.table_of(kind))
    return verdict.headline(replace(found, **changed), verdict.player_names(found))


def test_two_who_stop_have_seen_the_same() -> None:
    first, second = report(made.table_of(made.both_stopped)).stops
    assert shown_as(made.both_stopped) == (
        "stopped by Bruno, Chloe: by what they had seen, Ada owed a move"
    )
    other = replace(second, owed=(0, 1), kind="")
    assert shown_as(made.both_stopped, stops=(first, other)) == (
        "stopped by Bruno, Chloe: by what they had seen, Ada, Bruno owed an answer"
    )


def test_a_result_can_be_contested_and_unsigned() -> None:
    assert shown_as(made.contested, verdict=Verdict.UNSIGNED, owing=(2,)) == (
        "finished, not signed by Chloe; contested by Bruno"
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("agree", "a signature"),
        ("reveal", "the reveal of a move"),
        ("shares", "shares of cards"),
        ("shuffle", "a shuffle"),
        ("lot", "an answer"),
    ],
)
def test_what_is_owed_has_a_name(kind: str, words: str) -> None:
    said = shown_as(made.unfinished, owed=kind, owing=(1,), step=7)
    assert said == f"unfinished at step 7: waiting for {words} from Bruno"


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ((17, 43, 20), "Ada left at step 22, while losing 17 to 43"),
        ((43, 17, 20), "Ada left at step 22, while leading 43 to 20"),
        ((20, 20, 3), "Ada left at step 22, while even at 20 to 20"),
        ((), "Ada left at step 22"),
    ],
)
def test_who_leaves_is_shown_with_the_points(
    points: tuple[int, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By player here; the table has them by seat."""
    table = made.table_of(made.left)
    by_seat = tuple(points[player] for player in table.play.seats) if points else ()
    monkeypatch.setattr(type(table), "points_at", lambda _table, _step: by_seat)
    assert verdict.loss(table, table.lost[0], ["Ada", "Bruno", "Chloe"]) == words


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (Party.leave, "Bruno left after signing the result"),
        (Party.stop, "Bruno signed, and did not wait any longer for the signature of Ada"),
    ],
)
def test_who_goes_after_signing_is_told_at_the_table_and_not_by_the_file(
    end: Callable[[Party], list[bytes]], words: str
) -> None:
    parties = made.played(made.setup("Ada", "Bruno"), made.SoreLoser)
    end(parties[1])
    table, names = parties[1].table, ["Ada", "Bruno"]
    assert [verdict.loss(table, lost, names) for lost in table.lost] == [words]
    assert verdict.losses(table, report(table), names) == []
    assert verdict.headline(report(table), names) == "finished, not signed by Ada"


def test_one_signature_of_three_does_not_settle_a_result(game_file: GameFile) -> None:
    """The two others could still drop the one who signed; so the file has no places yet."""
    _code, lines = verify(game_file(made.unsettled))
    assert re.search(
        r": unfinished at step \d+: waiting for a signature from Ada, Chloe$", lines[0]
    )
    assert lines[-4].split()[:2] == ["so", "far"]
    assert "final ranking" not in run("show", str(game_file(made.unsettled))).stdout


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
