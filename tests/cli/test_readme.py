"""The picture at the top of the README is what the program shows."""

import re
from pathlib import Path

from tests.cli.terminal import terminal

README = Path(__file__).parents[2] / "README.md"


def test_the_picture_is_a_real_game() -> None:
    picture = re.findall(r"^```\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)[
        0
    ]
    command, screen = picture.split("\n", 1)
    assert command.startswith("$ p2pfruit ")
    [typed] = re.findall(r"^> (.*)$", screen, re.MULTILINE)
    with terminal(*command.split()[2:]) as table:
        table.answer(typed)
        table.wait_for(" cards (")
        table.wait_for("\n> ")
        assert screen in table.transcript
