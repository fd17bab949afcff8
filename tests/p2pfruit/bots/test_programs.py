"""Programs from outside in the arena: they play like any bot, and their failures are named."""

import json
import os
import shlex
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from engine import registry
from p2pfruit.bots import limits
from p2pfruit.bots.arena import Contest, Failure, Result, by_seat, play_game, run
from p2pfruit.bots.external import ExternalBot
from p2pfruit.cli.commands import arena as command
from p2pfruit.cli.main import main
from tests.signals import heed_signals

LIMIT_S = 120
ROOT = Path(__file__).parents[3]
EXAMPLE = shlex.join([sys.executable, str(ROOT / "docs/examples/mybot.py")])


def program(tmp_path: Path, text: str) -> str:
    """A command that runs this text."""
    path = tmp_path / "bot.py"
    path.write_text(text, "utf-8")
    return shlex.join([sys.executable, str(path)])


def contest(*bots: str, game: str = "fruitoplay", games: int = 2, **options: str) -> Contest:
    built = registry.build(game, options)
    return Contest(
        game=game,
        options=built.chosen,
        content=built.content,
        bots=bots,
        games=games,
        seed=1,
        samples=2,
    )


# Plays the first move, and writes down what it hears.
FIRST = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["what"] == "choose":
        print(json.dumps({"number": message["number"], "choose": 0}), flush=True)
    else:
        print(message["what"], len(message.get("events", ())), file=sys.stderr, flush=True)
"""

CRASHES = """
import sys
sys.stdin.readline()
print("that was too much", file=sys.stderr)
sys.exit(3)
"""

CHEATS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["what"] in ("choose", "error"):
        print(json.dumps({"number": message["number"], "move": "play #999"}), flush=True)
"""

FLOODS = "while True: print('x' * 100_000, end='')"

SLEEPS = "import signal; signal.pause()"


def test_a_program_plays_like_any_bot() -> None:
    first, second = run(contest(EXAMPLE, "greedy", "random"), 1)
    assert first.points != second.points
    assert [first, second] == list(run(contest(EXAMPLE, "greedy", "random"), 2))


def test_the_example_may_play_itself_at_every_seat() -> None:
    [result] = run(contest(EXAMPLE, EXAMPLE, EXAMPLE, games=1), 1)
    assert sum(result.shares) == pytest.approx(1.0)


def test_a_program_hears_all_that_happens(tmp_path: Path) -> None:
    [result] = run(contest(program(tmp_path, FIRST), "random", games=1), 1)
    heard = [said.split() for entrant, said in result.remarks if entrant == 0]
    assert heard[0] == ["bot:", "game", "0"]
    assert [what for _, what, _ in heard[1:-1]] == ["events"] * (len(heard) - 2)
    assert heard[-1] == ["bot:", "done", "0"]
    assert sum(int(count) for _, _, count in heard) > 50


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CRASHES, "the bot ended with exit code 3"),
        (CHEATS, 'the second: not one of the 7 moves: {"number": 1, "move": "play #999"}'),
        (FLOODS, "the bot wrote a line of more than 16384 bytes"),
        (SLEEPS, "the bot did not answer within 0.2 s"),
    ],
    ids=["crashes", "cheats", "floods", "sleeps"],
)
def test_a_failure_names_the_program_and_what_it_did(
    text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if text == SLEEPS:
        impatient = partial(ExternalBot.run, timeout_s=0.2)
        monkeypatch.setattr(ExternalBot, "run", impatient)
    games = contest("greedy", program(tmp_path, text))
    failure = play_game(games, games.build(), 1)
    assert isinstance(failure, Failure)
    assert (failure.number, failure.entrant) == (1, 1)
    assert why in failure.why


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_arena_stops_at_a_failure_and_says_where(
    jobs: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bot = program(tmp_path, CRASHES)
    line = ["arena", "--bot", bot, "--bots", "greedy", "--games", "9", "--seed", "7"]
    assert main([*line, "--jobs", jobs]) == 1
    out, err = capfd.readouterr()
    assert out == "", "nothing was played"
    lines = err.splitlines()
    assert lines[0] == "game 1, player 1, bot: that was too much"
    assert lines[1].startswith("error: game 1, seed 7: player 1, ")
    assert lines[1].endswith("bot.py: the bot ended with exit code 3")
    assert lines[-1] == "hint: to play this game again, add --seed 7 --first 1 --games 1"


# Plays the first move until the second game of the contest, in which it sits at seat 1.
SECOND = FIRST.replace("message = json.loads(line)", "message = json.loads(line)\n    FAIL", 1)
SECOND = SECOND.replace("FAIL", 'if message.get("me") == 1: sys.exit(4)')


def test_what_was_played_before_a_failure_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["arena", "--bots", f"{program(tmp_path, SECOND)},random", "--games", "5", "--jobs", "1"]
    assert main([*line, "--json"]) == 1
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert (said["games"], said["played"]) == (5, 1)
    assert said["failed"]["game"] == 2
    assert said["failed"]["player"] == 0
    assert said["failed"]["why"] == "the bot ended with exit code 4"
    assert "error: game 2, seed 1: player 1, " in err
    assert main([*line, "--first", "2"]) == 1, "the same game, played alone"
    assert "error: game 2, seed 1: player 1, " in capsys.readouterr().err


def test_a_program_cannot_flood_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EXTERNAL_REMARKS_MOST", 5)
    bot = program(tmp_path, FIRST)
    assert main(["arena", "--bots", f"{bot},random", "--games", "2", "--jobs", "1"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "player 1: any more output is not shown"
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("expert, greedy", ["expert", "greedy"]),
        ("python mybot.py,expert", ["python mybot.py", "expert"]),
        ("'my bot' --moves 'a,b',random", ["'my bot' --moves 'a,b'", "random"]),
        ('x "it\'s, so",random', ['x "it\'s, so"', "random"]),
        ("", [""]),
    ],
)
def test_commas_in_quotation_marks_belong_to_the_command(text: str, bots: list[str]) -> None:
    assert command._split(text) == bots


def test_a_game_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHOICES_MOST", 10)
    games = contest("random", "random")
    failure = play_game(games, games.build(), 0)
    assert isinstance(failure, Failure)
    assert failure.entrant is None
    assert failure.why == "the game has not ended after 10 choices"


def test_wins_are_counted_by_seat() -> None:
    """Entrants move one seat further from game to game."""
    games = contest("random", "random", "random")
    results = [
        Result(shares=(1.0, 0.0, 0.0), places=(1, 2, 3), points=(9, 5, 2)),
        Result(shares=(0.0, 0.0, 1.0), places=(2, 3, 1), points=(4, 3, 8)),
    ]
    rows = by_seat(games, results)
    assert [row.bot for row in rows] == ["1", "2", "3"]
    assert [row.wins for row in rows] == [2.0, 0.0, 0.0]
    assert [row.points for row in rows] == [8.5, 4.5, 2.5]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.2, "1 s"),
        (59.6, "60 s"),
        (89.9, "90 s"),
        (91, "2 min"),
        (3600, "60 min"),
        (5400, "1 h 30 min"),
        (86400, "24 h 0 min"),
    ],
)
def test_the_time_left_is_told_roughly(seconds: float, told: str) -> None:
    assert command._rough(seconds) == told


def test_the_bar_tells_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 20.0, 200.0])
    bar = command._Bar(4, lambda: next(times))
    bar.draw(1)
    bar.draw(4)
    bar.end()
    first, last = capsys.readouterr().err.removeprefix("\r").removesuffix("\n").split("\r")
    assert first == f"[{'#' * 7:30}] 1/4  about 60 s left"
    assert last.rstrip() == f"[{'#' * 30}] 4/4"
    assert len(last) == len(first), "nothing of the longer line is left"


STUBBORN = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
held = os.open("PIPE", os.O_WRONLY)
os.write(held, b"playing.")
while True:
    signal.pause()
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_control_c_ends_programs_that_do_not_end_by_themselves(jobs: str, tmp_path: Path) -> None:
    """The pipe is closed when the last process that holds it has ended, programs included."""
    reading, writing = os.pipe()
    pipe = f"/proc/{os.getpid()}/fd/{writing}"
    bot = program(tmp_path, STUBBORN.replace("PIPE", pipe))
    line = ["arena", "--bots", f"{bot},random", "--jobs", jobs]
    start = f"import sys; from p2pfruit.cli.main import main; sys.exit(main({line!r}))"
    process = subprocess.Popen(
        [sys.executable, "-c", f"if __name__ == '__main__':\n    {start}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed_signals,  # noqa: PLW1509 - there are no threads
    )
    assert os.read(reading, 8) == b"playing."
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == 130
    os.close(writing)
    while os.read(reading, 100):  # of the other games; it ends when no program is left
        pass
    os.close(reading)
