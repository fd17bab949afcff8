"""p2pfruit watch: watches another player's table, from the beginning of the game."""

import argparse
import os

from p2pfruit.cli.commands.arguments import (
    add_invitation_argument,
    add_proxy_argument,
    add_tor_argument,
    add_view_arguments,
)
from p2pfruit.cli.parser import Example
from p2pfruit.language import text as _


def examples() -> list[Example]:
    return [
        ("p2pfruit watch WATCH-…", _("watch with the invitation that the host sent you")),
        ("p2pfruit watch WATCH-… --record game.fruit", _("keep the game file, too")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    add_invitation_argument(parser)
    add_view_arguments(parser)
    add_tor_argument(parser)
    add_proxy_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Watch the table. A spectator needs no identity, and only the game file is kept."""
    from p2pfruit.cli.commands.networking import read_addresses, read_invitation, ways_of_guest
    from p2pfruit.cli.commands.seating import read_looks
    from p2pfruit.home.folder import Home
    from p2pfruit.home.settings import current
    from p2pfruit.seat.plans import WatchPlan
    from p2pfruit.seat.whereabouts import Network
    from p2pfruit.ui import session

    invitation = read_invitation(arguments, watching=True)
    record = session.check_record(arguments.record)
    settings = current(arguments, os.environ)
    home = Home.find(arguments.home, os.environ)
    hosts = read_addresses(invitation.addresses)
    network = Network.of(ways_of_guest(arguments, hosts), ())
    plan = WatchPlan(invitation=invitation, hosts=hosts, network=network)
    return session.watch(plan, read_looks(arguments), settings, record, home)
