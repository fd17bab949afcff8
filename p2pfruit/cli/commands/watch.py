"""p2pfruit watch: shows the table of an invitation, from its beginning."""

import argparse
import os

from p2pfruit.cli.commands.networking import check_proxy, read_addresses
from p2pfruit.cli.commands.seating import add_view_arguments, read_looks
from p2pfruit.home.settings import current
from p2pfruit.language import text as _
from p2pfruit.net import invitations
from p2pfruit.seat.node import Network
from p2pfruit.seat.plans import WatchPlan
from p2pfruit.ui import session
from p2pfruit.ui.session import check_record


def summary() -> str:
    return _("watch somebody's table")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "invitation",
        metavar=_("INVITATION"),
        help=_("the line that the host sent you; @FILE if it is in a file, - if on stdin"),
    )
    add_view_arguments(parser)
    parser.add_argument(
        "--proxy", metavar="URL", help=_("call through this proxy: socks5://host:port")
    )


def run(arguments: argparse.Namespace) -> int:
    text = invitations.read_argument(arguments.invitation)
    invitation = invitations.parse(text).to_watch()
    record = check_record(arguments.record)
    settings = current(arguments, os.environ)
    plan = WatchPlan(
        invitation=invitation,
        hosts=read_addresses(invitation.addresses),
        network=Network(proxy=check_proxy(arguments.proxy)),
    )
    return session.watch(plan, read_looks(arguments), settings, record)
