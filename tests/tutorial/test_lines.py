"""The lesson in lines: for any terminal, in a pipe, and read aloud."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest

from p2pfruit import language
from p2pfruit.tutorial import lines

LIMIT_S = 60


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    language.use("en")
    yield
    language.use("en")


def hear(answers: Sequence[str]) -> tuple[bool, str]:
    """Whether it went to its end, and all that was said."""
    left = iter(answers)
    heard: list[str] = []

    def ask(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return lines.run(heard.extend, ask), "\n".join(heard)


# Enter where it goes on; the proposed cards, then the first choice.
WHOLE = ["", "", "apple 13", "", "st 13", "", "1", "", "banana 11", "", "ap2", ""] + ["1", ""] * 4


def test_the_whole_lesson() -> None:
    done, heard = hear(WHOLE)
    assert done
    for part in (
        "--- choosing ---",
        "Try apple 13 x2: it is 1 away.",
        "A tie, 1 away: Bruno's strawberry 14, Chloe's strawberry 16. They are void.",
        "Good riddance: your banana 11 rotten is a worry of Bruno now.",
        "In your apple column of 11 lies a rotten card.",
        "You score 10 x 2 = 20.",
        "  p2pfruit play --level greedy: a whole game against bots that do not think far",
    ):
        assert part in heard
    assert "**" not in heard
    assert "×" not in heard  # what a terminal without UTF-8 cannot show


@pytest.mark.parametrize("word", ["quit", "q", "quitter"])
def test_it_can_be_left_where_it_pauses_and_where_it_asks(word: str) -> None:
    for answers in ([word], ["", "", word]):
        done, heard = hear(answers)
        assert not done
        assert heard.endswith("the lesson ends here; `p2pfruit learn` begins it again")


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
    assert "nobody sits at this terminal" in done.stderr
    assert "hint: --plain" in done.stderr
