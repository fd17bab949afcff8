"""The lesson and the rules in a real terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2pfruit import language
from p2pfruit.games.course import find_course
from p2pfruit.ui.screen.lesson import LessonPage
from tests.p2pfruit.cli.terminal import Terminal, terminal


@pytest.fixture(autouse=True)
def english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("P2PFRUIT_HOME", str(tmp_path))
    language.use("en")
    yield
    language.use("en")


@contextmanager
def full_screen(*arguments: str) -> Iterator[Terminal]:
    with terminal(*arguments, env={"TERM": "xterm-256color"}) as screen:
        yield screen


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_the_whole_lesson_by_keys(code: str) -> None:
    """Enter, until it is over; the screen follows the lesson step by step."""
    language.use(code)
    page = LessonPage(find_course("fruitoplay"))
    with full_screen("learn", "--lang", code) as screen:
        while True:
            step = page.lesson.now
            remarks = [remark.text.replace("**", "") for remark in step.remarks]
            screen.wait_shown(f"┌─ {step.title} ─", *(text[:24] for text in remarks))
            screen.type("\r")
            if step.last:
                break
            page.press("enter")
        assert screen.end() == 0


def test_escape_asks_and_leaves() -> None:
    with full_screen("learn") as screen:
        screen.wait_shown("welcome")
        screen.type("\x1b")
        screen.wait_shown("Leave the lesson?")
        screen.type("\x1b")
        assert screen.end() == 0


def test_a_terminal_that_cannot_show_it_gets_lines() -> None:
    with terminal("learn") as screen:
        screen.wait_for("line mode: this terminal cannot place the cursor")
        screen.answer("quit")
        assert screen.end() == 0
        assert "the lesson stops here" in screen.transcript


def test_rules_are_leafed_through() -> None:
    with full_screen("rules") as screen:
        screen.wait_shown("Fruitoplay", "lines 1-21 of ")
        screen.type("q")
        assert screen.end() == 0


def test_rules_in_short() -> None:
    with full_screen("rules", "--short") as screen:
        screen.wait_shown("Fruitoplay in short")
        screen.type("\r")
        screen.wait_shown("lines 1-21 of ")
        screen.type("q")
        screen.wait_shown("Fruitoplay in short")
        screen.type("q")
        assert screen.end() == 0


def test_rules_can_be_printed_at_a_terminal() -> None:
    with full_screen("rules", "--plain") as screen:
        assert screen.end() == 0
        assert "## Setting up a round" in screen.transcript
