"""Joins a table announced on the local network: with its code, or as a friend who knocks."""

import argparse
from typing import TYPE_CHECKING

import trio

from p2pfruit.cli.commands.networking import network_of_guest
from p2pfruit.cli.commands.seating import read_session_with_others
from p2pfruit.exits import USAGE, Refusal, complain, say
from p2pfruit.home.folder import Home
from p2pfruit.language import text as _
from p2pfruit.net import beacon
from p2pfruit.net.addresses import Address
from p2pfruit.net.beacon import Found
from p2pfruit.net.codes import read_code
from p2pfruit.net.limits import LAN_SECONDS
from p2pfruit.seat.entering import CodeRefused, entrance_of
from p2pfruit.seat.plans import EnterPlan
from p2pfruit.text.safe import shortened, shown_names
from p2pfruit.ui import session
from p2pfruit.ui.lines.printing import print_lines
from p2pfruit.ui.terminal import at_terminal

if TYPE_CHECKING:
    from p2pfruit.ui.session import Session


def join_announced(arguments: argparse.Namespace) -> int:
    if arguments.invitation:
        message = _("--lan and --code cannot be combined with an invitation")
        raise Refusal(message, hint=_("leave out one of them"), code=USAGE)
    for option in ("proxy", "tor"):
        if getattr(arguments, option):
            message = _("--lan cannot be combined with --{option}").format(option=option)
            hint = _("use an invitation to hide where you are")
            raise Refusal(message, hint=hint, code=USAGE)
    code = None if arguments.code is None else read_code(arguments.code)
    player = read_session_with_others(arguments)
    found = _find(arguments.lan or "")
    if code is None and not _knows_host(player.home, found):
        return _join_asking(found, arguments, player)
    return _join(found, code, arguments, player)


def _join(found: Found, code: str | None, arguments: argparse.Namespace, player: "Session") -> int:
    network, ways = network_of_guest(arguments, (found.address,))
    return session.play(EnterPlan(found=found, code=code, network=network, ways=ways), player)


def _join_asking(found: Found, arguments: argparse.Namespace, player: "Session") -> int:
    """Ask for the code until it is right, or the player gives up."""
    entrance_of(found)
    name = shown_names([found.announcement.name])[0]
    if arguments.json or not at_terminal():
        message = _("you need the code of this table: its host is not in your address book")
        raise Refusal(message, hint=_("the host's screen shows it; use --code"), code=USAGE)
    while True:
        code = _ask_code(name)
        # While the code was typed, another player may have come in, or the host changed something.
        now = trio.run(beacon.heard_at, found.address, LAN_SECONDS)
        if now is None:
            raise _gone(name)
        try:
            return _join(now, code, arguments, player)
        except CodeRefused as refusal:
            complain(str(refusal), refusal.hint)


def _ask_code(name: str) -> str:
    while True:
        prompt = _("the code on the screen of {name}; empty: give up").format(name=name)
        typed = input(f"{prompt} > ").strip()
        if not typed:
            raise Refusal(_("no code was typed"), hint=_("`p2pfruit lan` lists the tables again"))
        try:
            return read_code(typed)
        except Refusal as refusal:
            complain(str(refusal), refusal.hint)


def _knows_host(home: Home, found: Found) -> bool:
    """Return True if the host's key has a name in the player's own address book.

    That is of use only because the host must prove its key: anyone can announce any name and key.
    """
    entrance = found.announcement.entrance
    return entrance is not None and home.knows(entrance.host)


def _find(which: str) -> Found:
    """Find a table by its address, or by its host's name or its number in the list."""
    if ":" in which:
        address = Address.parse(which)
        found = trio.run(beacon.heard_at, address, LAN_SECONDS)
        if found is None:
            raise _gone(str(address))
        return found
    say(_("listening for {seconds} seconds").format(seconds=f"{LAN_SECONDS:g}"))
    tables = trio.run(beacon.heard, LAN_SECONDS)
    if not tables:
        raise Refusal(
            _("no table is announced on this network"),
            hint=_("a host announces a table with `p2pfruit host --announce`"),
        )
    return _picked(which, tables)


def _picked(which: str, tables: list[Found]) -> Found:
    if which.isascii() and which.isdigit():
        fitting = [one for number, one in enumerate(tables, 1) if number == int(which)]
    else:
        fitting = [one for one in tables if which.casefold() in ("", _folded(one))]
    if len(fitting) == 1:
        return fitting[0]
    print_lines(beacon.listed(tables))
    if not fitting:
        message = _("there is no table {which} on this network").format(which=shortened(which))
        raise Refusal(message, hint=_("use a name or a number of the list"), code=USAGE)
    message = _("several tables are announced on this network")
    raise Refusal(message, hint=_("name one: --lan NUMBER or --lan ADDRESS:PORT"), code=USAGE)


def _folded(found: Found) -> str:
    return found.announcement.name.casefold()


def _gone(which: str) -> Refusal:
    return Refusal(
        _("the table of {which} is no longer announced").format(which=which),
        hint=_("it may have begun; `p2pfruit lan` lists the tables"),
    )
