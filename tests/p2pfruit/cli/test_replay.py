"""p2pfruit replay, as a command: in a pipe, in lines, on the screen, and as a page."""

from pathlib import Path

import pytest

from protocol.file.gamefile import MAGIC
from tests.p2pfruit.cli import gamefiles as made
from tests.p2pfruit.cli.conftest import GameFile
from tests.p2pfruit.cli.inside import Done, run
from tests.p2pfruit.cli.terminal import terminal
from tests.p2pfruit.cli.test_without_a_terminal import run as run_program


def leaf(path: Path, typed: str, *arguments: str) -> Done:
    return run("replay", str(path), "--plain", *arguments, typed=typed)


def test_in_a_pipe_the_story_is_told(game_file: GameFile) -> None:
    path = str(game_file(made.unfinished))
    done = run_program("replay", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("show", path).stdout


def test_lines_on_stdin_leaf_through_it(game_file: GameFile) -> None:
    done = leaf(game_file(made.unfinished), "n\nlast\nhands\nq\nn\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("unfinished at step ")
    frames = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("--- frame")]
    assert frames == ["1", "2", "14", "14"]


def test_the_end_of_the_input_is_the_end(game_file: GameFile) -> None:
    assert leaf(game_file(made.unfinished), "").returncode == 0


def test_rules_and_french(game_file: GameFile) -> None:
    done = leaf(game_file(made.unfinished), "règles\nmanche 1\nfin\nq\n", "--lang", "fr")
    assert (done.returncode, done.stderr) == (0, "")
    assert "# Fruitoplay" in done.stdout
    assert "manche 1 sur 3" in done.stdout
    assert "rivière : cible " in done.stdout


def test_at_a_dumb_terminal(game_file: GameFile) -> None:
    with terminal("replay", str(game_file(made.unfinished))) as screen:
        screen.wait_for("line mode: this terminal cannot place the cursor")
        screen.answer("n")
        screen.wait_for("--- frame 2 of ")
        screen.answer("q")
        assert screen.end() == 0


def test_on_the_whole_screen(game_file: GameFile) -> None:
    with terminal(
        "replay", str(game_file(made.unfinished)), env={"TERM": "xterm-256color"}
    ) as screen:
        screen.wait_shown("frame 1 of 14")
        screen.type("4\r")
        screen.wait_shown("frame 4 of 14", "target")
        screen.type("?")
        screen.wait_shown("keys of a replay")
        screen.type("q")
        screen.wait_shown("frame 4 of 14", without="keys of a replay")
        screen.type("q")
        assert screen.end() == 0


@pytest.mark.parametrize(
    ("data", "how", "code"),
    [
        (b"hello", "", 6),
        (MAGIC, "--plain", 6),
        (b"", "--html", 6),
        (None, "", 1),
        (None, "--html", 1),
    ],
)
def test_a_bad_file_is_refused(data: bytes | None, how: str, code: int, tmp_path: Path) -> None:
    path, page = tmp_path / "bad", tmp_path / "page.html"
    if data is not None:
        path.write_bytes(data)
    words = {"": [], "--plain": [how], "--html": [how, str(page)]}[how]
    done = run("replay", str(path), *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("error: ")
    assert "\nhint: " in done.stderr
    assert not page.exists()


# The page.


def test_a_page_is_written_once(game_file: GameFile, tmp_path: Path) -> None:
    game, page = str(game_file(made.unfinished)), tmp_path / "page.html"
    done = run("replay", game, "--html", str(page))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"the replay was written to {page}\n"
    whole = page.read_bytes()
    assert whole.startswith(b"<!doctype html>\n")
    page.write_bytes(b"mine")
    done = run("replay", game, "--html", str(page))
    assert done.returncode == 1
    assert done.stderr == (
        f"error: {page} already exists\nhint: choose another file, or replace it with --force\n"
    )
    assert page.read_bytes() == b"mine"
    assert run("replay", game, "--html", str(page), "--force").returncode == 0
    assert page.read_bytes() == whole
    done = run("replay", game, "--html", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.encode() == whole


def test_a_place_that_cannot_be_written_to(game_file: GameFile, tmp_path: Path) -> None:
    page = tmp_path / "none" / "page.html"
    done = run("replay", str(game_file(made.unfinished)), "--html", str(page))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: cannot write {page}: ")


@pytest.mark.parametrize("words", [["--force"], ["--html", "x.html", "--plain"], []])
def test_usage(words: list[str]) -> None:
    done = run("replay", *(["file"] if words else []), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "\nhint: " in done.stderr
