"""A person at a terminal plays Fruitoplay against bots."""

import re
import signal
from collections.abc import Iterator

import pytest

from tests.p2pfruit.cli.terminal import Terminal, terminal

QUICK = ("play", "--dealer", "--seed", "5", "--level", "greedy")


def play_on(table: Terminal) -> None:
    """Answers every question with its first choice until the program ends."""
    while not re.search(r"^(final ranking|classement final)$", table.transcript, re.MULTILINE):
        if "\n> " in table.transcript[table._answered :]:
            table.type("1\n")
        elif not table._read():
            break


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (120, 40)])
def test_a_whole_game_from_the_first_question_to_the_ranking(columns: int, lines: int) -> None:
    with terminal(*QUICK, columns=columns, lines=lines) as table:
        table.wait_for("which card do you play?")
        play_on(table)
        assert table.end() == 0
        assert all(f"=== round {number} of 3 ===" in table.transcript for number in (1, 2, 3))
        ranking = table.shown()[table.shown().index("final ranking") + 1 :][:4]
        assert [row.split()[0] for row in ranking] == ["1", "2", "3", "4"]
        assert sum("you" in row for row in ranking) == 1
        assert all(len(line) <= columns for line in table.transcript.splitlines())


def test_a_whole_game_in_french() -> None:
    with terminal(*QUICK, "--lang", "fr") as table:
        table.wait_for("quelle carte jouez-vous ?")
        play_on(table)
        assert table.end() == 0
        assert "classement final" in table.shown()
        assert sum("vous" in line for line in table.shown()[-6:]) == 1


def test_what_is_not_a_legal_answer_is_refused_with_what_would_be_legal() -> None:
    with terminal(*QUICK, columns=200) as table:
        for typed, refused in [
            ("nonsense", "a turn is one card of your hand (rule: card)"),
            ("0", "not understood: '0'"),
            ("7", "not understood: '7'"),
            ("fig 21", "fig 21 is not in your hand (rule: hand)"),
            ("plum 3", "plum 3 is not in your hand (rule: hand)"),
            ("play #79", "that card is not in your hand (rule: hand)"),
            ("play", "a turn is one card of your hand (rule: card)"),
            ("draw", "a turn is one card of your hand (rule: card)"),
            ("fig 11 banana 3", "a turn is one card of your hand (rule: card)"),
            ("000000000000000000001", "not understood: '000000000000000000001'"),
            ("\xff", "not understood: "),
        ]:
            table.answer(typed)
            table.wait_for(refused)
            table.wait_for("you can answer:  [1] ")
        table.answer("table")
        table.wait_for("turn 1 of 7")  # nothing was lost and nothing was played
        table.answer("1")
        table.wait_for("takes 5 cards")


def test_help_and_rules_are_a_word_away() -> None:
    with terminal(*QUICK) as table:
        table.answer("?")
        table.wait_for("leave the game")
        table.answer("rules")
        table.wait_for("# Fruitoplay")
        table.answer("")
        table.wait_for("[1] ")


def test_a_card_can_be_named() -> None:
    with terminal(*QUICK) as table:
        table.wait_for("\n> ")
        label = re.findall(r"\[2\] (\w+ \d+)", table.transcript)[0]
        table.type(f"{label}\n")
        table.wait_for("takes 5 cards")
        assert re.search(rf"you +{label}", table.transcript)


@pytest.mark.parametrize("keys", ["quit\n", "\x04"])
def test_leaving_ends_the_table_early(keys: str) -> None:
    with terminal(*QUICK) as table:
        table.wait_for("\n> ")
        table.type(keys)
        assert table.end() == 5
        assert table.transcript.endswith("\nyou left the game, nothing was kept\n")
        assert "error" not in table.transcript
        assert "Traceback" not in table.transcript


@pytest.fixture(params=["foreground", "background"])
def whence(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests that run in the background are started with this signal ignored."""
    before = signal.getsignal(signal.SIGINT)
    if request.param == "background":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("whence")
def test_control_c_interrupts() -> None:
    with terminal(*QUICK) as table:
        table.wait_for("\n> ")
        # A signal just before the program waits for a line is seen when that line comes.
        table.type("\x03")
        table.type("\n")
        assert table.end() == 130
        assert table.transcript.rstrip().endswith("\ninterrupted")
        assert "error" not in table.transcript
        assert "Traceback" not in table.transcript


def test_auto_lets_a_bot_play_for_me() -> None:
    with terminal(*QUICK, "--auto", "random") as table:
        assert table.end() == 0
        assert "final ranking" in table.shown()


def test_a_narrow_screen_and_a_poor_locale() -> None:
    poor = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TERM": "dumb"}
    with terminal(*QUICK, "--lang", "fr", columns=60, env=poor) as table:
        play_on(table)
        assert table.end() == 0
        assert "Traceback" not in table.transcript
