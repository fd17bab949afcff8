"""p2pfruit resume: goes on with a table after a crash, a reboot, or Ctrl-C."""

import argparse
import os
from collections.abc import Sequence

import trio

from p2pfruit.cli.commands.networking import check_proxy
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.folder import Home
from p2pfruit.home.store import SavedSeat, SavedTable
from p2pfruit.language import text as _
from p2pfruit.seat import household
from p2pfruit.seat.node import Network, Node, readable
from p2pfruit.text.safe import shortened
from p2pfruit.ui import sessions
from p2pfruit.ui.fronts import add_front_arguments, chosen_decider
from p2pfruit.ui.lines.observer import Silent
from p2pfruit.ui.sessions import Session
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Roster
from protocol.link.link import seat_key
from protocol.peer.peer import Peer


def summary() -> str:
    return _("go on with a table that was interrupted")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table",
        nargs="?",
        metavar=_("TABLE"),
        help=_("the beginning of the table's id, as `p2pfruit history` shows it (the newest)"),
    )
    add_front_arguments(parser)
    parser.add_argument(
        "--proxy", metavar="URL", help=_("call through this proxy: socks5://host:port")
    )


def run(arguments: argparse.Namespace) -> int:
    home = Home.find(arguments.home, os.environ)
    saved = find_table(home, arguments.table)
    check_rules(saved)
    proxy = check_proxy(arguments.proxy)
    seat = own_seat(home, saved)
    decider = chosen_decider(arguments, otherwise=seat.decider or None)
    if not (arguments.auto or arguments.bot):
        decider = seat.decider or decider
    arguments.record = arguments.record or saved.record

    async def play(session: Session) -> Peer:
        return await _resume(session, saved, seat, proxy)

    return sessions.run(arguments, decider, play)


def find_table(home: Home, beginning: str | None) -> SavedTable:
    """The unfinished table that is meant; the newest, if nothing is said."""
    store = home.look()
    unfinished: Sequence[SavedTable] = ()
    if store is not None:
        with store:
            unfinished = store.unfinished()
    if not unfinished:
        message = _("there is no table to go on with")
        raise Refusal(message, hint=_("`p2pfruit history` lists what was played"))
    if beginning is None:
        return unfinished[0]
    meant = [table for table in unfinished if table.id.hex().startswith(beginning.lower())]
    if len(meant) != 1:
        known = ", ".join(table.id.hex()[:12] for table in unfinished)
        message = _("no table, or more than one, begins with {beginning}")
        raise Refusal(
            message.format(beginning=repr(beginning)),
            hint=_("there are: {tables}").format(tables=known),
            code=USAGE,
        )
    return meant[0]


def check_rules(saved: SavedTable) -> None:
    """Refuse a table whose game is not known here, or not by its rules."""
    try:
        Roster.decode(saved.roster).build()
    except RemoteProtocolError as error:
        raise Refusal(
            _("the rules of this table are not known here: {why}").format(why=shortened(error.why)),
            hint=_("install the package of its game again, in the version that was played"),
        ) from None


def own_seat(home: Home, saved: SavedTable) -> SavedSeat:
    """The seat of the home's own player."""
    me = home.known_identity()
    for seat in saved.seats:
        if seat.secret is None and me is not None and seat.key == me.key:
            return seat
    raise Refusal(
        _("this table was played with another identity"),
        hint=_("`p2pfruit id import` brings it back"),
    )


async def _resume(session: Session, saved: SavedTable, seat: SavedSeat, proxy: str | None) -> Peer:
    roster = Roster.decode(saved.roster)
    psk = seat_key(saved.secret)
    journal = session.journal(saved.secret)
    mine = session.node(psk, _network(saved, seat, proxy), journal)
    names = {player.key: player.name for player in roster.players}
    bots = [one for one in saved.seats if one.secret is not None]
    nodes = [
        Node(
            household.bot_chair(bot.decider, names[bot.key], bot.secret),
            psk,
            _network(saved, bot, None),
            Silent(),
            journal,
        )
        for bot in bots
    ]
    everybody = [mine, *nodes]
    session.mine.update(bot.key for bot in bots)
    for node in everybody:
        for key, address in saved.addresses:
            for one in readable([address]):
                node.place(key, one)

    def listens(node: Node) -> None:
        """The nodes of this process find each other wherever they listen now."""
        for other in everybody:
            for address in node.listening:
                other.place(node.key, address)

    async def others() -> None:
        async with trio.open_nursery() as nursery:
            for node, bot in zip(nodes, bots, strict=True):
                nursery.start_soon(node.resume, roster, bot.seed, lambda node=node: listens(node))

    return await household.run_with_bots(
        mine.resume(roster, seat.seed, lambda: listens(mine)), others, nodes
    )


def _network(saved: SavedTable, seat: SavedSeat, proxy: str | None) -> Network:
    """Where it listened before, so that others find it again."""
    binds = [address for key, address in saved.binds if key == seat.key]
    return Network(binds=tuple(readable(binds)), proxy=proxy, any_port=True)
