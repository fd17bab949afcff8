"""p2pfruit rules: the rules page of a game."""

import argparse

from engine import registry
from engine.errors import UnknownGame
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.games.about import about
from p2pfruit.language import text as _


def summary() -> str:
    return _("print the rules of a game")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", default="fruitoplay", metavar=_("GAME"))


def run(arguments: argparse.Namespace) -> int:
    try:
        registry.find(arguments.game)
    except UnknownGame as error:
        raise Refusal(
            str(error), hint=_("p2pfruit games lists what there is"), code=USAGE
        ) from None
    print(about(arguments.game).rules(), end="")
    return FINE
