"""Programs of players: one that plays, and some that do not."""

import sys
from pathlib import Path

import pytest

from tests.processes.hall import Hall, invited

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "mybot.py"

CRASHES = "import sys; sys.stdin.readline(); sys.exit('out of ideas')"
TALKS_NONSENSE = "import sys; [print('banana', flush=True) for line in sys.stdin]"


def test_the_example_of_the_manual_plays(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 2)
    bot = f"{sys.executable} {EXAMPLE}"
    record = str(hall.record("ben"))
    guest = hall.start("ben", "join", invited(host), "--bot", bot, "--json", "--record", record)
    assert (host.ends(), guest.ends()) == (0, 0)
    hall.the_same(["anna", "ben"])


@pytest.mark.parametrize(
    ("script", "why"),
    [(CRASHES, "the bot ended with exit code 1"), (TALKS_NONSENSE, "the bot gave two bad answers")],
    ids=["crashes", "nonsense"],
)
def test_who_cannot_play_leaves_the_table(hall: Hall, script: str, why: str) -> None:
    """Nobody waits for it: the limits of this table are minutes."""
    path = hall.folder / "bot.py"
    path.write_text(script)
    host = hall.host("anna", "punnet", 3)
    other = hall.join("cleo", host)
    record = str(hall.record("ben"))
    guest = hall.start(
        "ben", "join", invited(host), "--bot", f"{sys.executable} {path}", "--record", record
    )
    assert guest.ends() == 1
    guest.says(f"error: {why}")
    guest.says("hint: ")
    assert (host.ends(), other.ends()) == (0, 0)
    host.tells("lost", why="left")
    hall.the_same(["anna", "cleo"])
    assert hall.record("ben").exists()
    again = hall.resume("ben")
    assert again.ends() == 1
    again.says("there is no interrupted game to continue")
