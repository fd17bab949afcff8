"""p2pfruit resume: continues a game after a crash, a reboot, or Ctrl-C.

A host that was interrupted between two games opens its lobby again, with the same invitation.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from p2pfruit.cli.commands.arguments import add_front_arguments, add_proxy_argument
from p2pfruit.cli.parser import Example
from p2pfruit.exits import USAGE, Refusal, say
from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened

if TYPE_CHECKING:
    from p2pfruit.home.folder import Home
    from p2pfruit.home.store import SavedSeat, SavedTable, Store
    from p2pfruit.home.ways import Ways
    from p2pfruit.seat.plans import HostPlan


def examples() -> list[Example]:
    return [
        ("p2pfruit resume", _("continue the game that was interrupted last")),
        ("p2pfruit resume 3f2a", _("continue the table whose id begins with 3f2a")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table",
        nargs="?",
        metavar=_("TABLE"),
        help=_(
            "the beginning of the table's id, from `p2pfruit history` (default: the newest table)"
        ),
    )
    add_front_arguments(parser)
    add_proxy_argument(parser)
    parser.add_argument(
        "--direct",
        action="store_true",
        help=_("connect directly at a table that was played over Tor or through a proxy"),
    )


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands.seating import chosen_decider, read_session
    from p2pfruit.home.folder import Home
    from p2pfruit.seat.plans import ResumePlan
    from p2pfruit.ui import session

    home = Home.find(arguments.home, os.environ)
    if arguments.table is None and (reopened := _open_again(home, arguments)) is not None:
        return session.play(reopened, read_session(arguments, chosen_decider(arguments)))
    saved = find_table(home, arguments.table)
    check_rules(saved)
    store = home.look()
    assert store is not None  # the table was found there
    with store:
        ways = _ways(store, saved.secret, arguments)
    seat = own_seat(home, saved)
    decider = chosen_decider(arguments, otherwise=seat.decider or None)
    if not (arguments.auto or arguments.bot):
        decider = seat.decider or decider
    plan = ResumePlan(saved=saved, seat=seat, ways=ways)
    return session.play(plan, read_session(arguments, decider, saved.record))


def _open_again(home: "Home", arguments: argparse.Namespace) -> "HostPlan | None":
    """Return the lobby of a host that was interrupted between two games, if there is one."""
    from p2pfruit.home import series
    from p2pfruit.net.addresses import readable
    from p2pfruit.seat.doors import Doors
    from p2pfruit.seat.plans import HostPlan
    from p2pfruit.seat.whereabouts import Network
    from p2pfruit.ui.evening import next_offer
    from protocol.feed.roster import Roster
    from protocol.peer.offer import Offer

    store = home.look()
    if store is None:
        return None
    with store:
        evening = store.evening()
        if evening is None or store.unfinished():
            return None
        offer = Offer.decode(evening.offer)
        last = store.last_roster(evening.secret)
        if last is not None:
            roster = Roster.decode(last)
            known = None if roster.series is None else series.load(store, roster.series.contract)
            offer = next_offer(roster, known)
        ways = _ways(store, evening.secret, arguments)
    return HostPlan(
        offer=offer,
        network=Network.of(ways, readable(evening.binds), resumes=True),
        ways=ways,
        levels=evening.levels,
        doors=Doors.of(evening.doors),
        salt=evening.salt if evening.host else None,
    )


def _ways(store: "Store", secret: bytes, arguments: argparse.Namespace) -> "Ways":
    """Return how the tables of this invitation are reached: as before, or as the player says."""
    from p2pfruit.cli.commands.networking import check_proxy

    ways, proxy = store.ways(secret), check_proxy(arguments.proxy)
    if arguments.direct and proxy is not None:
        message = _("--direct cannot be combined with --proxy")
        raise Refusal(message, hint=_("leave out one of them"), code=USAGE)
    if proxy is not None:
        return replace(ways, proxy=proxy, tor=False)
    if arguments.direct and (ways.tor or ways.proxy):
        say(_("from now on the other players can see the address of this computer"))
        return ways.direct()
    return replace(ways, roams=True)


def find_table(home: "Home", beginning: str | None) -> "SavedTable":
    """Return the unfinished table whose id begins so, or the newest one."""
    store = home.look()
    unfinished: Sequence[SavedTable] = ()
    if store is not None:
        with store:
            unfinished = store.unfinished()
    if not unfinished:
        message = _("there is no interrupted game to continue")
        raise Refusal(message, hint=_("`p2pfruit history` lists your games"))
    if beginning is None:
        return unfinished[0]
    meant = [table for table in unfinished if table.id.hex().startswith(beginning.lower())]
    if len(meant) != 1:
        known = ", ".join(table.id.hex()[:12] for table in unfinished)
        message = _("no table id, or more than one, begins with {beginning}")
        raise Refusal(
            message.format(beginning=repr(beginning)),
            hint=_("interrupted tables: {tables}").format(tables=known),
            code=USAGE,
        )
    return meant[0]


def check_rules(saved: "SavedTable") -> None:
    """Refuse a table whose game is not known here, or not by its rules."""
    from protocol.errors import RemoteProtocolError
    from protocol.feed.roster import Roster

    try:
        Roster.decode(saved.roster).build()
    except RemoteProtocolError as error:
        if error.code == "version":
            raise Refusal(
                _("this table was begun with another version of p2pfruit"),
                hint=_("begin a new table; `p2pfruit host` opens one"),
            ) from None
        raise Refusal(
            _("the rules of this table are not known here: {why}").format(why=shortened(error.why)),
            hint=_("install the package of its game again, in the version that was played"),
        ) from None


def own_seat(home: "Home", saved: "SavedTable") -> "SavedSeat":
    """Return the seat of the home's own player."""
    me = home.known_identity()
    for seat in saved.seats:
        if seat.secret is None and me is not None and seat.key == me.key:
            return seat
    raise Refusal(
        _("this table was played with another identity"),
        hint=_("`p2pfruit id import` restores an exported identity"),
    )
