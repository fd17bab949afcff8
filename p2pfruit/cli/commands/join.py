"""p2pfruit join: takes a seat at another player's table."""

import argparse

from p2pfruit.cli.commands.arguments import (
    add_front_arguments,
    add_invitation_argument,
    add_network_arguments,
    add_tor_argument,
)
from p2pfruit.cli.parser import Example
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _


def examples() -> list[Example]:
    return [
        ("p2pfruit join FRUIT-…", _("join with the invitation that the host sent you")),
        ("p2pfruit join", _("be asked for the invitation, and paste the host's whole message")),
        ("p2pfruit join @invitation.txt", _("read the invitation from a file")),
        (
            "p2pfruit join --lan Ada --code 4821",
            _("join a table on the same network with the code on Ada's screen"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    add_invitation_argument(parser)
    parser.add_argument(
        "--lan",
        nargs="?",
        const="",
        metavar=_("TABLE"),
        help=_(
            "join a table announced on the local network: the name of its host, its number in"
            " `p2pfruit lan`, or its address"
        ),
    )
    parser.add_argument(
        "--code",
        metavar=_("DIGITS"),
        help=_("the code that the host's screen shows; without it, a host who knows you is asked"),
    )
    add_front_arguments(parser)
    add_tor_argument(parser)
    add_network_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.lan is not None or arguments.code is not None:
        from p2pfruit.cli.commands.entering import join_announced

        return join_announced(arguments)
    from p2pfruit.cli.commands.networking import (
        network_of_guest,
        read_addresses,
        read_invitation,
    )
    from p2pfruit.cli.commands.seating import read_session_with_others
    from p2pfruit.seat.plans import JoinPlan
    from p2pfruit.ui import session

    invitation = read_invitation(arguments, watching=False)
    if invitation.watching:
        message = _("this invitation is for watching, not for playing")
        raise Refusal(message, hint=_("use it with `p2pfruit watch`"), code=USAGE)
    hosts = read_addresses(invitation.addresses)
    network, ways = network_of_guest(arguments, hosts)
    plan = JoinPlan(invitation=invitation, hosts=hosts, network=network, ways=ways)
    return session.play(plan, read_session_with_others(arguments))
