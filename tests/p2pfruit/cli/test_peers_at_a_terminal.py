"""A person at a terminal plays on a real peer against bots on theirs."""

import os
import re
from pathlib import Path

import pytest

from p2pfruit.cli.main import main
from tests.p2pfruit.cli.terminal import Terminal, terminal

AFTERWARDS = ("what now?", "que faire ?")

QUICK = ("play", "--seats", "2", "--level", "greedy")


def play_on(table: Terminal, turns: int | None = None) -> None:
    """Answers questions with their first choice: so many, or until the game is over. Then it
    leaves."""
    while turns is None or turns > 0:
        new = table.transcript[table._answered :]
        if "\n> " in new:
            over = any(words in new for words in AFTERWARDS)
            table.type("quit\n" if over else "1\n")
            turns = None if turns is None else turns - 1
        elif not table._read():
            break


def home() -> Path:
    return Path(os.environ["P2PFRUIT_HOME"])


@pytest.mark.parametrize(
    ("language", "question", "verified"),
    [
        ("en", "which card do you play?", "verified: every signature"),
        pytest.param("fr", "quelle carte jouez-vous ?", "vérifié", marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_leaves_a_verified_file(
    language: str, question: str, verified: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with terminal(*QUICK, "--lang", language) as table:
        table.wait_for(question)
        play_on(table)
        assert table.end() == 0
        assert verified in table.transcript
        assert "Traceback" not in table.transcript
    [file] = (home() / "games").glob("*.fruit")
    assert main(["verify", str(file)]) == 0
    assert main(["history"]) == 0
    assert file.name in capsys.readouterr().out.replace("\n", "")


def test_leaving_ends_the_table_early_and_says_where_the_game_lies() -> None:
    with terminal(*QUICK) as table:
        table.wait_for("\n> ")
        table.type("quit\n")
        assert table.end() == 5
        assert re.search(r"left at step \d+", table.transcript)
        assert "the game is in" in table.transcript
        assert "Traceback" not in table.transcript


def test_control_c_keeps_the_table_and_resume_goes_on() -> None:
    with terminal(*QUICK) as table:
        play_on(table, turns=3)
        table.wait_for("\n> ")
        table.type("\x03")
        assert table.end() == 130
        assert "the table is kept; p2pfruit resume continues it" in table.transcript
        assert "Traceback" not in table.transcript
    with terminal("resume") as table:
        table.wait_for("which card do you play?")
        play_on(table)
        assert table.end() == 0
        assert "verified: every signature" in table.transcript


def test_pause_keeps_the_table_as_well() -> None:
    with terminal(*QUICK) as table:
        table.answer("pause")
        assert table.end() == 130
        assert "the table is kept; p2pfruit resume continues it" in table.transcript
        assert "Traceback" not in table.transcript
    with terminal("resume") as table:
        table.answer("?")
        table.wait_for("pause  leave for now")
        table.type("story\n")
        table.wait_for("=== round 1 of 3 ===")
        table.type("quit\n")
        assert table.end() == 5


def test_what_can_be_typed_at_any_time() -> None:
    with terminal(*QUICK, columns=120) as table:
        table.answer("who")
        table.wait_for(" ms there and back")
        table.wait_for("sealed choices: ")
        table.type("say hello\n")
        table.type("?\n")
        table.wait_for("say TEXT  say something to everyone")
        table.type("1\n")
        table.wait_for("turn 1 of 7, target")  # whoever takes the cards, if anybody does
