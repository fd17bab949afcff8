"""p2pfruit join: takes a seat at another player's table."""

import argparse

from p2pfruit.cli.commands.arguments import add_front_arguments, add_network_arguments
from p2pfruit.cli.parser import Example
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _


def examples() -> list[Example]:
    return [
        ("p2pfruit join FRUIT-…", _("join with the invitation that the host sent you")),
        ("p2pfruit join @invitation.txt", _("read the invitation from a file")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "invitation",
        metavar=_("INVITATION"),
        help=_("the invitation that the host sent you; @FILE reads it from a file, - from stdin"),
    )
    add_front_arguments(parser)
    add_network_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands.networking import network_of_guest, read_addresses
    from p2pfruit.cli.commands.seating import chosen_decider, read_session
    from p2pfruit.net import invitations
    from p2pfruit.seat.plans import JoinPlan
    from p2pfruit.ui import session

    invitation = invitations.parse(invitations.read_argument(arguments.invitation))
    if invitation.watching:
        message = _("this invitation is for watching, not for playing")
        raise Refusal(message, hint=_("use it with `p2pfruit watch`"), code=USAGE)
    hosts = read_addresses(invitation.addresses)
    network = network_of_guest(arguments, hosts)
    plan = JoinPlan(invitation=invitation, hosts=hosts, network=network)
    return session.play(plan, read_session(arguments, chosen_decider(arguments)))
