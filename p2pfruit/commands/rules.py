"""p2pfruit rules: the rules page of a game."""

import argparse

from p2pfruit.commands.shared import find_game
from p2pfruit.exits import FINE
from p2pfruit.games.about import about
from p2pfruit.language import text as _


def summary() -> str:
    return _("print the rules of a game")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", default="fruitoplay", metavar=_("GAME"))


def run(arguments: argparse.Namespace) -> int:
    find_game(arguments.game)
    print(about(arguments.game).rules(), end="")
    return FINE
