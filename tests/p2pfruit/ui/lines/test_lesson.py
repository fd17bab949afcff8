"""The lesson in lines: for any terminal, in a pipe, and read aloud."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2pfruit.cli import main
from p2pfruit.games.course import find_course
from p2pfruit.ui.lines import lesson
from tests.games import registered

LIMIT_S = 60


def hear(answers: Sequence[str]) -> tuple[bool, str]:
    """Whether it went to its end, and all that was said."""
    left = iter(answers)
    heard: list[str] = []

    def ask(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return lesson.run(find_course("fruitoplay"), heard.extend, ask), "\n".join(heard)


# Enter where it goes on; the proposed cards, then the first choice.
WHOLE = ["", "", "apple 13", "", "st 13", "", "1", "", "banana 11", "", "ap2", ""] + ["1", ""] * 4


def test_the_whole_lesson() -> None:
    done, heard = hear(WHOLE)
    assert done
    for part in (
        "--- choosing ---",
        "Try apple 13 x2: it is 1 away.",
        "A tie, 1 away: Bruno's strawberry 14, Chloe's strawberry 16. These cards are void.",
        "Good riddance: your banana 11 rotten is now Bruno's problem.",
        "Your apple column of 11 contains a rotten card.",
        "You score 10 x 2 = 20.",
        "  p2pfruit play --level greedy: a whole game against easier bots",
    ):
        assert part in heard
    assert "**" not in heard
    assert "×" not in heard  # what a terminal without UTF-8 cannot show


@pytest.mark.parametrize("word", ["quit", "q", "quitter"])
def test_it_can_be_left_where_it_pauses_and_where_it_asks(word: str) -> None:
    for answers in ([word], ["", "", word]):
        done, heard = hear(answers)
        assert not done
        assert heard.endswith("the lesson stops here; `p2pfruit learn` starts it again")


def test_what_can_be_typed_where_it_pauses() -> None:
    _done, heard = hear(["?", "rules", "", "", "nonsense"])
    assert "quit   leave the lesson" in heard
    assert "## Setting up a round" in heard
    assert "a turn is one card of your hand (rule: card)" in heard


def run(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "p2pfruit", "learn", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, "LANG": "en_US.UTF-8"},
    )


def test_in_a_pipe() -> None:
    done = run("--plain", typed="".join(f"{answer}\n" for answer in WHOLE))
    assert (done.returncode, done.stderr) == (0, "")
    assert "You score 10 x 2 = 20." in done.stdout
    assert "--- what comes next ---" in done.stdout


def test_in_a_pipe_it_must_be_wished_for() -> None:
    done = run(typed="")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no terminal to play from" in done.stderr
    assert "hint: use --plain" in done.stderr


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What is typed at a prompt, until nothing is."""
    monkeypatch.setenv("P2PFRUIT_HOME", str(tmp_path))
    answers: list[str] = []

    def read(_prompt: str) -> str:
        if not answers:
            raise EOFError
        return answers.pop(0)

    monkeypatch.setattr("builtins.input", read)
    return answers


def test_another_game(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["", "", "pineapple 10", "", "donkey mango", "rules"]
    assert main.main(["learn", "--game", "tindahan", "--plain", "--lang", "en"]) == 0
    told = capsys.readouterr().out
    for part in (
        "--- the donkey ---",
        "Try to move it to mango: then these cards of yours are trump: mango 7, mango 10.",
        "  you    donkey to mango: now trump; the next must play a card",
        "A trump beats every pineapple, however high: mango 1.",
        "# Tindahan",
    ):
        assert part in told
    assert "mango 3" not in told  # played before the lesson began
    assert told.endswith("`p2pfruit learn --game tindahan` starts it again\n")


def test_a_game_that_is_not_taught(capsys: pytest.CaptureFixture[str]) -> None:
    with registered():
        assert main.main(["learn", "--game", "punnet", "--lang", "en"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "there is no lesson for punnet" in err
    assert "hint: `p2pfruit rules punnet` shows its rules" in err


def test_a_game_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["learn", "--game", "tindehan", "--lang", "en"]) == 2
    assert "hint: did you mean tindahan?" in capsys.readouterr().err
