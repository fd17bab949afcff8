"""p2pfruit rules: the rules of a game, as pages on the full screen, or printed."""

import argparse
import os

from p2pfruit.cli.commands.shared import find_game
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE
from p2pfruit.games.about import about
from p2pfruit.home import settings
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.ui.screen import fitness
from p2pfruit.ui.terminal import at_terminal


def examples() -> list[Example]:
    return [
        ("p2pfruit rules pixies", _("show the rules of Pixies")),
        ("p2pfruit rules pixies --short", _("show the rules that fit on one screen")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", default="fruitoplay", metavar=_("GAME"))
    parser.add_argument(
        "--short", action="store_true", help=_("only the summary that fits on one screen")
    )
    parser.add_argument("--plain", action="store_true", help=_("print them, even at a terminal"))


def run(arguments: argparse.Namespace) -> int:
    find_game(arguments.game)
    if not arguments.plain and at_terminal():
        current = settings.current(arguments, os.environ)
        if fitness.line_mode(current) is None:
            return _on_screen(arguments, current)
    told = about(arguments.game)
    print(told.short() if arguments.short else told.rules(), end="")
    return FINE


def _on_screen(arguments: argparse.Namespace, current: Settings) -> int:
    from p2pfruit.ui.screen import driver
    from p2pfruit.ui.screen.page import Stage
    from p2pfruit.ui.screen.rules import rules_page, short_page

    async def show(stage: Stage) -> int:
        await stage.visit((short_page if arguments.short else rules_page)(arguments.game))
        return FINE

    return driver.run(show, current)
