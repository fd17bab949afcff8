"""p2pfruit play: a game against bots, or between bots where there is no terminal.

Every player, human or bot, is a separate peer: the game is as fair as one with strangers, and its
file proves it. With `--dealer`, a trusted dealer inside this program deals instead.
"""

import argparse
import os
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from p2pfruit import limits
from p2pfruit.cli.commands.arguments import add_front_arguments, add_game_arguments
from p2pfruit.cli.parser import Example
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.levels import EXPERT, TYPED, level_of
from protocol.limits import TIMES_S

if TYPE_CHECKING:
    from engine.game import Game

# Only bots wait for the player, and they have time.
PATIENCE = tuple(sorted((name, limits.LIMIT_S_MOST) for name in TIMES_S))


def examples() -> list[Example]:
    return [
        ("p2pfruit play", _("play Fruitoplay against three bots")),
        (
            "p2pfruit play --game frutopia --bots easy,hard",
            _("play Frutopia against an easy bot and a strong one"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--seats", type=int, metavar="N", help=_("number of players, including you (default: 4)")
    )
    parser.add_argument(
        "--level",
        type=level_of,
        choices=TYPED,
        default=EXPERT,
        metavar=_("LEVEL"),
        help=_("how well the bots play: easy, normal or hard (default: hard)"),
    )
    parser.add_argument(
        "--bots", metavar=_("LEVEL,…"), help=_("the level of each bot, instead of --seats")
    )
    add_front_arguments(parser)
    parser.add_argument(
        "--dealer",
        action="store_true",
        help=_("let this program deal the cards: faster, but without a game file"),
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help=_("with --dealer: the same seed deals the same cards")
    )


def run(arguments: argparse.Namespace) -> int:
    if _is_first_start(arguments):
        return _welcome(arguments)
    from p2pfruit.cli.commands.seating import chosen_decider, read_session
    from p2pfruit.cli.commands.shared import build_game, content_text
    from p2pfruit.net.addresses import Address
    from p2pfruit.seat.household import LOOPBACK
    from p2pfruit.seat.plans import HostPlan
    from p2pfruit.seat.whereabouts import Network
    from p2pfruit.ui import session
    from protocol.peer.offer import Offer

    game = build_game(arguments)
    levels = _levels(arguments, game)
    decider = chosen_decider(arguments, otherwise=arguments.level)
    if arguments.dealer:
        return _deal(arguments, game, levels, decider)
    if arguments.seed is not None:
        message = _("--seed needs --dealer: otherwise all players shuffle together")
        raise Refusal(message, hint=_("use --dealer --seed N"), code=USAGE)
    offer = Offer.of(game, len(levels) + 1, PATIENCE, content_text(arguments))
    network = Network(binds=(Address(LOOPBACK, 0),))
    plan = HostPlan(offer=offer, network=network, levels=tuple(levels))
    return session.play(plan, read_session(arguments, decider))


def _is_first_start(arguments: argparse.Namespace) -> bool:
    """Return True if a person sits here who has no name yet, and did not say what to play."""
    from p2pfruit.home.folder import Home
    from p2pfruit.ui.terminal import at_terminal

    new = not Home.find(arguments.home, os.environ).name_file.exists()
    return new and at_terminal() and bool(arguments.parser.is_bare(arguments))


def _welcome(arguments: argparse.Namespace) -> int:
    """Let the menu welcome the new player: it asks for a name and offers a lesson or a game."""
    from p2pfruit.cli.main import run as perform
    from p2pfruit.ui.menu import menu

    lang = getattr(arguments, "lang", None)
    return menu.run(argparse.Namespace(home=arguments.home, lang=lang), perform)


def _deal(arguments: argparse.Namespace, game: "Game[Any]", levels: list[str], decider: str) -> int:
    from p2pfruit.cli.commands.seating import read_looks
    from p2pfruit.home.settings import DEFAULTS, current
    from p2pfruit.ui import dealt

    if arguments.bot is not None or arguments.record is not None:
        message = _("--dealer cannot be combined with --bot or --record")
        raise Refusal(message, hint=_("leave --dealer out"), code=USAGE)
    seed = SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    settings = DEFAULTS if decider else current(arguments, os.environ)  # a bot has no wishes
    return dealt.play(game, levels, seed, decider, read_looks(arguments), settings)


def _levels(arguments: argparse.Namespace, game: "Game[Any]") -> list[str]:
    """Return the level of each bot."""
    from p2pfruit.cli.commands.shared import check_seats, read_levels

    if arguments.bots is None:
        seats = 4 if arguments.seats is None else arguments.seats
        check_seats(game, seats, hint=_("use --seats N"))
        return [arguments.level] * (seats - 1)
    if arguments.seats is not None:
        message = _("--bots cannot be combined with --seats")
        raise Refusal(message, hint=_("leave out one of them"), code=USAGE)
    levels = read_levels(arguments.bots)
    check_seats(game, len(levels) + 1, hint=_("--bots names one level for each of your opponents"))
    return levels
