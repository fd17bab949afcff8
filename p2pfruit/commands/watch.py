"""p2pfruit watch: looks on at somebody's table, from its beginning."""

import argparse
from pathlib import Path

from p2pfruit import invitations, running
from p2pfruit.commands.networking import check_proxy, read_addresses
from p2pfruit.ending import judge
from p2pfruit.fronts import Front, add_view_arguments
from p2pfruit.language import text as _
from p2pfruit.node import Network, Node
from p2pfruit.sessions import check_record
from p2pfruit.store import Known, Meeting
from p2pfruit.writing import write_whole
from protocol import gamefile
from protocol.peer import Peer


def summary() -> str:
    return _("look on at somebody's table")


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
    """A spectator has no identity: one is made up, and nothing is kept but the file."""
    text = invitations.read_argument(arguments.invitation)
    invitation = invitations.parse(text).to_watch()
    record = check_record(arguments.record)
    front = Front(arguments, b"", lambda _player: Meeting(known=Known.KNOWN), None)
    network = Network(proxy=check_proxy(arguments.proxy))

    async def watch() -> Peer:
        front.node = Node(None, invitation.psk, network, front.screen)
        return await front.node.join(read_addresses(invitation.addresses), invitation.is_of)

    peer = running.run(watch)
    data = gamefile.write(peer.table)
    if record:
        write_whole(Path(record), data, replace=True)
    ended = judge(data, Path(record) if record else None, peer)
    front.ended(ended, peer)
    return ended.code
