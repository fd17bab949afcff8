"""p2pfruit host: opens a table for other players and takes a seat at it."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from p2pfruit import limits
from p2pfruit.cli.commands.arguments import (
    add_front_arguments,
    add_game_arguments,
    add_network_arguments,
)
from p2pfruit.cli.parser import Example
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from protocol.limits import DUTY_S, RESERVE_S, TIMES_S, TURN_S, drop_most

if TYPE_CHECKING:
    from p2pfruit.seat.doors import Doors
    from p2pfruit.seat.plans import HostPlan


def examples() -> list[Example]:
    return [
        (
            "p2pfruit host --seats 2 --lan",
            _("play with one friend on the same network, who finds the table with `p2pfruit lan`"),
        ),
        (
            "p2pfruit host --seats 4 --bots easy,hard --internet",
            _("play with one friend and two bots over the internet"),
        ),
        (
            'p2pfruit host --seats 3 --series "best of 3" --games fruitoplay,pixies',
            _("play a series of two games in turn, with standings that anyone can verify"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--seats", type=int, metavar="N", help=_("number of players, including you (default: 4)")
    )
    _add_series(parser)
    parser.add_argument(
        "--bots",
        metavar=_("LEVEL,…"),
        help=_("add bots of these levels (easy, normal, hard); each takes a seat"),
    )
    add_front_arguments(parser)
    _add_limits(parser)
    _add_invitation(parser)
    _add_reach(parser)
    add_network_arguments(parser)


def _add_reach(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lan",
        action="store_true",
        help=_(
            "let players on the local network join: announce the table there, for `p2pfruit lan`,"
            " with a code that lets them in without an invitation"
        ),
    )
    parser.add_argument(
        "--internet",
        action="store_true",
        help=_("let players anywhere join: ask the router for a port, or else use Tor"),
    )
    parser.add_argument(
        "--tor",
        action="store_true",
        help=_("play over Tor: players anywhere can join, and nobody learns where you are"),
    )
    parser.add_argument(
        "--relay",
        metavar=_("LINE"),
        help=_("let players join through a friend's relay: the line that begins with RELAY-"),
    )
    parser.add_argument(
        "--public", action="store_true", help=_("listen on every address of this computer")
    )
    parser.add_argument(
        "--announce",
        action="store_true",
        help=_("announce the table on the local network, as --lan does"),
    )
    parser.add_argument(
        "--port",
        type=int,
        metavar="N",
        help=_("listen on this port; 0 means any (default: {port}, or any if it is taken)").format(
            port=limits.TABLE_PORT
        ),
    )


def _add_series(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--series",
        metavar=_("HOW"),
        help=_('play a series under a contract that all sign: "best of 3", or "5 games"'),
    )
    parser.add_argument(
        "--games",
        metavar=_("NAME,…"),
        help=_("the games of the series, in turn (default: the one of --game)"),
    )
    parser.add_argument(
        "--points",
        metavar="N,…",
        help=_("points for the first place, the second, and so on (default: 1 for a win)"),
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    for option, name, words in (
        (
            "--turn-limit",
            TURN_S,
            _("seconds for each decision of a player (default: {default})"),
        ),
        (
            "--duty-limit",
            DUTY_S,
            _("seconds for each step that programs do on their own (default: {default})"),
        ),
        (
            "--reserve",
            RESERVE_S,
            _("extra seconds for the whole game, beyond these limits (default: {default})"),
        ),
    ):
        default = TIMES_S[name]
        parser.add_argument(
            option, dest=name, type=int, metavar="S", default=default,
            help=words.format(default=default),
        )  # fmt: skip
    parser.add_argument(
        "--drop",
        type=int,
        metavar="N",
        default=1,
        help=_("let the others vote out up to N players who vanish together (default: 1)"),
    )
    parser.add_argument(
        "--no-chat", action="store_true", help=_("switch chat off for the whole table")
    )
    parser.add_argument("--no-spectators", action="store_true", help=_("allow no spectators"))


def _add_invitation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--invite-file", metavar=_("FILE"), help=_("also write the invitation to this file")
    )
    parser.add_argument("--qr", action="store_true", help=_("show the invitation as a QR code"))


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands.seating import read_session_with_others
    from p2pfruit.ui import session

    plan = _plan(arguments)
    return session.play(plan, read_session_with_others(arguments))


def _plan(arguments: argparse.Namespace) -> "HostPlan":
    from p2pfruit.cli.commands.networking import network_of_host
    from p2pfruit.cli.commands.series import read_series
    from p2pfruit.cli.commands.shared import build_game, check_seats, content_text, read_levels
    from p2pfruit.net.addresses import Kind
    from p2pfruit.seat.plans import HostPlan
    from protocol.peer.offer import Offer
    from protocol.peer.series_offer import SeriesOffer

    series = read_series(arguments)
    game = build_game(arguments)
    levels = read_levels(arguments.bots) if arguments.bots else []
    seats = 4 if arguments.seats is None else arguments.seats
    check_seats(game, seats, hint=_("use --seats N"))
    if len(levels) >= seats:
        message = _("{bots} bots and you need more than {seats} seats").format(
            bots=len(levels), seats=seats
        )
        raise Refusal(message, hint=_("add fewer bots, or use --seats N"), code=USAGE)
    offer = Offer.of(game, seats, _limits(arguments, seats), content_text(arguments))
    if series is not None:
        offer = replace(offer, series=SeriesOffer.first(series.plan(offer)))
    network, ways = network_of_host(arguments)
    if arguments.announce and all(bind.kind is Kind.LOOPBACK for bind in network.binds):
        message = _("--announce is useless here: the table can only be reached from this computer")
        raise Refusal(message, hint=_("use --lan instead"), code=USAGE)
    doors = _doors(arguments)
    return HostPlan(offer=offer, network=network, ways=ways, levels=tuple(levels), doors=doors)


def _doors(arguments: argparse.Namespace) -> "Doors":
    from p2pfruit.seat.doors import Doors

    return Doors(
        watch=not arguments.no_spectators,
        invite_file=Path(arguments.invite_file) if arguments.invite_file else None,
        announce=arguments.announce or arguments.lan,
    )


def _limits(arguments: argparse.Namespace, seats: int) -> tuple[tuple[str, int], ...]:
    from p2pfruit.seat.seat import SPECTATORS
    from protocol.feed.roster import DROP
    from protocol.peer.peer import CHATTING

    chosen = {name: getattr(arguments, name) for name in TIMES_S}
    for name, seconds in chosen.items():
        if not 1 <= seconds <= limits.LIMIT_S_MOST and not (name == RESERVE_S and not seconds):
            message = _("a time limit must be between 1 and {most} seconds, not {seconds}")
            message = message.format(most=limits.LIMIT_S_MOST, seconds=seconds)
            raise Refusal(message, code=USAGE)
    most = drop_most(seats)
    if not 1 <= arguments.drop <= most:
        message = _("--drop must be between 1 and {most} with {seats} players, not {drop}")
        raise Refusal(
            message.format(most=most, seats=seats, drop=arguments.drop),
            hint=_("more than half of all players must be left to vote"),
            code=USAGE,
        )
    chosen[DROP] = arguments.drop
    chosen[CHATTING] = int(not arguments.no_chat)
    chosen[SPECTATORS] = int(not arguments.no_spectators)
    return tuple(sorted(chosen.items()))
