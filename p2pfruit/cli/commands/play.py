"""p2pfruit play: a game against bots, or between bots where no person sits at a terminal.

Every player, you included, is a peer of their own: the game is as fair as one with strangers, and
its file shows it. `--dealer` plays on the trusted dealer inside this program instead.
"""

import argparse
import os
from random import SystemRandom
from typing import Any

from engine.game import Game
from p2pfruit import limits
from p2pfruit.cli.commands.seating import (
    add_front_arguments,
    chosen_decider,
    read_looks,
    read_session,
)
from p2pfruit.cli.commands.shared import (
    add_game_arguments,
    build_game,
    check_seats,
    content_text,
    read_levels,
)
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.settings import DEFAULTS, current
from p2pfruit.language import text as _
from p2pfruit.levels import LEVELS
from p2pfruit.net.addresses import Address
from p2pfruit.seat.household import LOOPBACK
from p2pfruit.seat.node import Network
from p2pfruit.seat.plans import HostPlan
from p2pfruit.ui import dealt, session
from protocol.peer import clocks
from protocol.peer.lobby import Offer

# Nobody waits for you but bots: they have all the time there is.
PATIENCE = tuple(sorted((name, limits.LIMIT_S_MOST) for name in clocks.DEFAULTS))


def summary() -> str:
    return _("play against bots; without a terminal the bots play among themselves")


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument("--seats", type=int, metavar="N", help=_("how many play, you included (4)"))
    parser.add_argument(
        "--level", choices=LEVELS, default="expert", help=_("how well all bots play (expert)")
    )
    parser.add_argument(
        "--bots", metavar="LEVEL,…", help=_("the level of each bot, instead of --seats")
    )
    add_front_arguments(parser)
    parser.add_argument(
        "--dealer",
        action="store_true",
        help=_("let this program deal the cards: quicker, and there is no game file"),
    )
    parser.add_argument(
        "--seed", type=int, help=_("with --dealer: the same seed deals the same cards again")
    )


def run(arguments: argparse.Namespace) -> int:
    game = build_game(arguments)
    levels = _levels(arguments, game)
    decider = chosen_decider(arguments, otherwise=arguments.level)
    if arguments.dealer:
        return _deal(arguments, game, levels, decider)
    if arguments.seed is not None:
        message = _("peers shuffle together: no seed decides what they deal")
        raise Refusal(message, hint=_("--dealer --seed N deals the same cards again"), code=USAGE)
    offer = Offer.of(game, len(levels) + 1, PATIENCE, content_text(arguments))
    network = Network(binds=(Address(LOOPBACK, 0),))
    plan = HostPlan(offer=offer, network=network, levels=tuple(levels))
    return session.play(plan, read_session(arguments, decider))


def _deal(arguments: argparse.Namespace, game: Game[Any], levels: list[str], decider: str) -> int:
    if arguments.bot is not None or arguments.record is not None:
        message = _("--dealer cannot be combined with --bot or --record")
        raise Refusal(message, hint=_("leave --dealer out"), code=USAGE)
    seed = SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    settings = DEFAULTS if decider else current(arguments, os.environ)  # a bot has no wishes
    return dealt.play(game, levels, seed, decider, read_looks(arguments), settings)


def _levels(arguments: argparse.Namespace, game: Game[Any]) -> list[str]:
    """The level of each bot beside me."""
    if arguments.bots is None:
        seats = 4 if arguments.seats is None else arguments.seats
        check_seats(game, seats, hint=_("use --seats N"))
        return [arguments.level] * (seats - 1)
    if arguments.seats is not None:
        message = _("--bots and --seats both say how many play")
        raise Refusal(message, hint=_("leave one of them out"), code=USAGE)
    levels = read_levels(arguments.bots)
    check_seats(game, len(levels) + 1, hint=_("name one bot less than there are players"))
    return levels
