"""p2pfruit learn: a first round of a game, with explanations."""

import argparse
import os
from typing import Any

from p2pfruit.cli.commands.shared import find_game
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.games.course import FIRST_GAME, Course, find_course
from p2pfruit.home import settings
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.ui.screen import fitness
from p2pfruit.ui.terminal import at_terminal


def examples() -> list[Example]:
    return [
        ("p2pfruit learn", _("learn Fruitoplay in five minutes")),
        ("p2pfruit learn --game pixies", _("learn Pixies")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", default=FIRST_GAME, metavar=_("NAME"), help=_("the game (default: fruitoplay)")
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help=_("read your answers as lines from stdin, even from a pipe"),
    )


def run(arguments: argparse.Namespace) -> int:
    find_game(arguments.game)
    course = find_course(arguments.game)
    if not arguments.plain and not at_terminal():
        message = _("there is no terminal to play from")
        raise Refusal(message, hint=_("use --plain to answer with lines on stdin"), code=USAGE)
    current = settings.current(arguments, os.environ)
    if not arguments.plain and fitness.full_screen(current):
        return _on_screen(course, current)
    return _in_lines(course)


def _on_screen(course: Course[Any], current: Settings) -> int:
    from p2pfruit.ui.screen import driver
    from p2pfruit.ui.screen.lesson import LessonPage
    from p2pfruit.ui.screen.page import Stage

    async def teach(stage: Stage) -> int:
        await stage.visit(LessonPage(course))
        return FINE

    return driver.run(teach, current)


def _in_lines(course: Course[Any]) -> int:
    from p2pfruit.ui.lines import lesson
    from p2pfruit.ui.lines.printing import print_lines

    lesson.run(course, print_lines, input)
    return FINE
