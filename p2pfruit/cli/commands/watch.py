"""p2pfruit watch: watches another player's table, from the beginning of the game."""

import argparse
import os
from functools import partial
from pathlib import Path

import trio

from p2pfruit.cli.commands.networking import check_proxy, read_addresses
from p2pfruit.cli.parser import Example
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.home.ending import judge
from p2pfruit.home.settings import current
from p2pfruit.home.store import Known, Meeting
from p2pfruit.language import text as _
from p2pfruit.net import invitations
from p2pfruit.seat.node import Network, Node
from p2pfruit.ui.fronts import add_view_arguments, front_for
from p2pfruit.ui.sessions import check_record
from protocol.file import gamefile


def summary() -> str:
    return _("watch somebody's table")


def examples() -> list[Example]:
    return [
        ("p2pfruit watch WATCH-…", _("watch with the invitation that the host sent you")),
        ("p2pfruit watch WATCH-… --record game.fruit", _("keep the game file, too")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "invitation",
        metavar=_("INVITATION"),
        help=_("the invitation that the host sent you; @FILE reads it from a file, - from stdin"),
    )
    add_view_arguments(parser)
    parser.add_argument(
        "--proxy", metavar="URL", help=_("connect through this proxy: socks5://host:port")
    )


def run(arguments: argparse.Namespace) -> int:
    """Watch the table. A spectator needs no identity, and only the game file is kept."""
    text = invitations.read_argument(arguments.invitation)
    invitation = invitations.parse(text).to_watch()
    record = check_record(arguments.record)
    settings = current(arguments, os.environ)
    front = front_for(arguments, settings, b"", lambda _player: Meeting(known=Known.KNOWN), None)
    network = Network(proxy=check_proxy(arguments.proxy))

    async def watch() -> int:
        front.node = Node(None, invitation.psk, network, front.screen)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(front.read_keys)
            peer = await front.node.join(read_addresses(invitation.addresses), invitation.is_of)
            nursery.cancel_scope.cancel()
        data = gamefile.write(peer.table)
        if record:
            write_whole(Path(record), data, replace=True)
        path = Path(record) if record else None
        ended = await front.checking(partial(judge, data, path, peer))
        await front.ended(ended, peer)
        return ended.code

    return front.run(watch)
