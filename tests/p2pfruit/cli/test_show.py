"""p2pfruit show: a game told again, or listed entry by entry."""

import re
from pathlib import Path

import pytest

from protocol.file.gamefile import MAGIC
from tests.p2pfruit.cli import gamefiles as made
from tests.p2pfruit.cli.conftest import GameFile
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.cli.terminal import terminal


def show(*arguments: str | Path) -> list[str]:
    done = run("show", *map(str, arguments))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_whole_game(game_file: GameFile) -> None:
    lines = show(game_file(made.final))
    assert lines[0] == "fruitoplay, 2 players: Ada, Bruno"
    assert lines[1:3] == ["options: ties (among contenders)", "cards: as shipped"]
    assert lines[3].startswith("limits: 120 s for each choice")
    assert re.fullmatch("seats, drawn by lot: (Ada, Bruno|Bruno, Ada)", lines[4])
    assert [line for line in lines if line.startswith("===")] == [
        f"=== round {number} of 3 ===" for number in (1, 2, 3)
    ]
    assert sum(line.startswith("turn ") for line in lines) == 21
    assert lines[-5] == "final ranking"
    assert lines[-1].startswith("final: ")


def test_names_sit_where_the_lot_put_them(game_file: GameFile) -> None:
    """The ranking that is told is the result that verify prints."""
    path = game_file(made.final)
    told = [line.split()[1:3] for line in show(path)[-4:-2]]
    rows = [line.split() for line in run("verify", str(path)).stdout.splitlines()[-2:]]
    assert told == [[row[0], row[-2]] for row in rows]


def test_players_without_a_place_stand_below_the_ranking(game_file: GameFile) -> None:
    lines = show(game_file(made.dropped))
    at = lines.index("final ranking")
    rows = [line.split() for line in lines[at + 1 : at + 6]]
    assert [row[0] for row in rows] == ["1", "2", "3", "-", "-"]
    assert {row[1] for row in rows[3:]} == {"Ada", "Dora"}


def test_as_far_as_the_record_goes(game_file: GameFile) -> None:
    lines = show(game_file(made.unfinished))
    assert "=== round 1 of 3 ===" in lines
    assert "final ranking" not in lines
    assert lines[-1].startswith("unfinished at step ")


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (made.left, ["Ada left at step", "round 1 begins again without them"]),
        pytest.param(
            made.gone,
            ["Bruno votes to go on without Ada", "Bruno and Chloe voted Ada out at step"],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            made.forked,
            ["Bruno shows two entries by Ada with the same number", "Ada cheated at step"],
            marks=pytest.mark.slow,
        ),
        (made.left_alone, ["Ada left at step", "too few are left to go on", "too few left: "]),
        (made.stopped, ["Ada owed a move when Bruno stopped the table", "stopped by Bruno: "]),
        (
            made.split,
            ["Ada cheated at step 0, entry 0: ", "stopped: Ada signed two conflicting histories"],
        ),
        (made.false_proof, ["Ada cheated at step 1", "the game was abandoned"]),
    ],
)
def test_who_was_lost_is_told_once(kind: made.Kind, says: list[str], game_file: GameFile) -> None:
    text = "\n".join(show(game_file(kind)))
    for words in says:
        assert text.count(words) == 1
    assert text.count("Ada left") == (1 if "left" in kind.__name__ else 0)


def test_entries_are_listed(game_file: GameFile) -> None:
    lines = show("--entries", game_file(made.final))
    rows = [line.split() for line in lines]
    assert rows[0][1:4] == ["0", "0", "seat"]
    assert rows[-1][3] == "agree"
    assert all(len(row) == 7 for row in rows)
    assert sum(int(row[4]) for row in rows) < game_file(made.final).stat().st_size
    for player, name in (("0", "Ada"), ("1", "Bruno")):
        own = [row for row in rows if row[0] == player]
        assert [int(row[1]) for row in own] == list(range(len(own)))
        assert {row[6] for row in own} == {name}
        assert len({row[5] for row in own}) == len(own)
    steps = [int(row[2]) for row in rows]
    assert steps == sorted(steps)


def test_the_rival_of_an_entry_is_listed_too(game_file: GameFile) -> None:
    lines = show("--entries", game_file(made.forked))
    rivals = [line for line in lines if line.endswith("(unread)")]
    assert "leave" in [rival.split()[3] for rival in rivals]
    assert all(rival.endswith("Ada  (unread)") for rival in rivals)


def test_french(game_file: GameFile) -> None:
    lines = show("--lang", "fr", game_file(made.left))
    assert lines[0] == "fruitoplay, 3 joueurs : Ada, Bruno, Chloe"
    assert "classement final" in lines
    assert lines[-1].startswith("définitive : ")


def test_at_a_terminal_nothing_is_cut(game_file: GameFile) -> None:
    with terminal("show", str(game_file(made.forged))) as screen:
        assert screen.end() == 0
        shown = screen.transcript.replace("\x1b[K", "")
        words = [line.split() for line in shown.splitlines() if len(line) > 80]
        assert all(len(line) == 1 for line in words)  # a word is never broken: it can be copied


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"hello", "not a game file"), (MAGIC, "form: "), (b"", "not a game file")],
)
def test_a_bad_file_is_refused(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_bytes(data)
    done = run("show", str(path))
    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr.startswith(f"error: {path}: refused: ")
    assert says in done.stderr
    assert "\nhint: " in done.stderr


def test_a_missing_file(tmp_path: Path) -> None:
    done = run("show", str(tmp_path / "none"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "No such file" in done.stderr
    assert "\nhint: " in done.stderr
