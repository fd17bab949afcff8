"""p2pfruit relay: lends an open port to tables whose host cannot be reached."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal, run_trio, say
from p2pfruit.language import text as _
from p2pfruit.net import limits
from protocol import limits as protocol_limits

if TYPE_CHECKING:
    from p2pfruit.net.addresses import Address
    from p2pfruit.net.relay.line import RelayLine
    from p2pfruit.net.relay.server import Relay
    from protocol.relay.switchboard import Quota

_MEGABYTE = 1 << 20


def examples() -> list[Example]:
    return [
        ("p2pfruit relay", _("lend this computer's port to friends, and print the line for them")),
        (
            "p2pfruit relay --advertise relay.example.org:24979 --qr",
            _("the same under a name, with a QR code"),
        ),
        (
            "p2pfruit relay --tables 4 --megabytes 500",
            _("for four tables at once, and 500 MB a day in all"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=int,
        default=limits.RELAY_PORT,
        metavar=_("N"),
        help=_("listen on this port; 0 means any (default: {port})").format(port=limits.RELAY_PORT),
    )
    parser.add_argument(
        "--bind",
        action="append",
        default=[],
        metavar=_("ADDRESS"),
        help=_("listen on this address of this computer only; may be repeated (default: all)"),
    )
    parser.add_argument(
        "--advertise",
        action="append",
        default=[],
        metavar=_("ADDRESS:PORT"),
        help=_("put this address into the line, such as your router's; may be repeated"),
    )
    parser.add_argument(
        "--tables",
        type=int,
        default=protocol_limits.RELAY_TABLES_MOST,
        metavar=_("N"),
        help=_("serve so many tables at once at most (default: {default})").format(
            default=protocol_limits.RELAY_TABLES_MOST
        ),
    )
    parser.add_argument(
        "--megabytes",
        type=int,
        default=protocol_limits.RELAY_BYTES_MOST // _MEGABYTE,
        metavar=_("N"),
        help=_("carry so many megabytes a day at most (default: {default})").format(
            default=protocol_limits.RELAY_BYTES_MOST // _MEGABYTE
        ),
    )
    parser.add_argument(
        "--new-line",
        action="store_true",
        help=_("make a new line: whoever has the old one can register no more tables"),
    )
    parser.add_argument("--qr", action="store_true", help=_("show the line as a QR code"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per event"))


def run(arguments: argparse.Namespace) -> int:
    import trio

    from p2pfruit.cli.commands.networking import read_addresses
    from p2pfruit.home.folder import Home
    from p2pfruit.net.addresses import Address, callable_at
    from p2pfruit.net.relay.line import RelayLine, worth_telling
    from p2pfruit.net.relay.server import Relay

    _check(arguments)
    advertised = read_addresses(arguments.advertise, limits.RELAY_PORT)
    _check_advertised(advertised)
    binds = read_addresses(arguments.bind, arguments.port) or (Address("", arguments.port),)
    secret = Home.find(arguments.home, os.environ).relay_secret(new=arguments.new_line)
    show: _Lines = _JsonLines() if arguments.json else _Lines(qr=arguments.qr)

    async def serve() -> None:
        relay = show.relay = Relay(secret, _quota(arguments), show)
        async with trio.open_nursery() as nursery:
            listening = await nursery.start(relay.serve, binds)
            addresses = worth_telling([*advertised, *callable_at(listening)])
            show.begun(RelayLine(secret=secret, addresses=addresses), listening)

    try:
        run_trio(serve)
    except KeyboardInterrupt:  # the usual way to end it
        show.over()
    return FINE


def _check(arguments: argparse.Namespace) -> None:
    if not 0 <= arguments.port < 1 << 16:
        message = _("--port must be between 0 and 65535, not {port}")
        raise Refusal(message.format(port=arguments.port), code=USAGE)
    for option in ("tables", "megabytes"):
        if getattr(arguments, option) < 1:
            message = _("--{option} must be at least 1").format(option=option)
            raise Refusal(message, code=USAGE)


def _check_advertised(addresses: Sequence["Address"]) -> None:
    if len(addresses) > limits.RELAY_ADDRESSES_MOST:
        message = _("a line has at most {most} addresses").format(most=limits.RELAY_ADDRESSES_MOST)
        raise Refusal(message, hint=_("use --advertise less often"), code=USAGE)
    for address in addresses:
        called = address.host and address.port and "%" not in address.host
        if not called or address.relay is not None:
            message = _("{address} cannot be called from elsewhere").format(address=address)
            hint = _("use an address that other computers can call, such as your router's")
            raise Refusal(message, hint=hint, code=USAGE)


def _quota(arguments: argparse.Namespace) -> "Quota":
    from protocol.relay.switchboard import Quota

    most = arguments.megabytes * _MEGABYTE
    table_most = min(most, protocol_limits.RELAY_TABLE_BYTES_MOST)
    return Quota(tables=arguments.tables, bytes=most, table_bytes=table_most)


def _amount(count: int) -> str:
    from p2pfruit.text.figures import decimal

    return _("{megabytes} MB").format(megabytes=decimal(count / _MEGABYTE))


class _Lines:
    """Shows a relay to its owner: the line on stdout, what happens on stderr.

    The same about a table is told once in a while, however often its host registers.
    """

    def __init__(self, *, qr: bool = False) -> None:
        self.relay: Relay | None = None
        self._qr = qr
        self._told: dict[tuple[bytes, str], float] = {}  # when, by table and what was told

    def begun(self, line: "RelayLine", listening: Sequence["Address"]) -> None:
        from p2pfruit.net.addresses import Reach
        from p2pfruit.net.qr import qr_lines
        from p2pfruit.net.reachability import reach_words

        say(_("hosts use this line: `p2pfruit host --relay LINE`"))
        print(line, flush=True)
        if self._qr:
            colour, encoding = sys.stdout.isatty(), sys.stdout.encoding
            for row in qr_lines(str(line), encoding=encoding, colour=colour):
                print(row, flush=True)
        say(_("listening on {addresses}").format(addresses=", ".join(map(str, listening))))
        say(reach_words(line.reach))
        if line.reach is not Reach.ANYWHERE:
            hint = _(
                "forward port {port} in the router, and use --advertise with its public address"
            )
            say(_("hint: {hint}").format(hint=hint.format(port=listening[0].port)))
        say(_("Ctrl-C ends the relay, and with it the connections of its tables"))

    def registered(self, table: bytes, address: str) -> None:
        if self._is_news(table, "registered"):
            text = _("table {table} has registered from {address}")
            say(text.format(table=_short(table), address=address))

    def left(self, table: bytes, address: str, code: str, carried_bytes: int) -> None:
        if code and self._is_news(table, code):  # a host that hung up may come again soon
            text = _("table {table} is out: {why}; {amount} today")
            amount = _amount(carried_bytes)
            say(text.format(table=_short(table), why=_why(code), amount=amount))

    def refused(self, address: str, why: str) -> None:
        who = address or _("others")
        say(_("refused: {who}: {why}").format(who=who, why=why))

    def over(self) -> None:
        if self.relay is not None:
            amount = _amount(self.relay.board.carried_bytes)
            say("\n" + _("carried {amount}").format(amount=amount))

    def _is_news(self, table: bytes, what: str) -> bool:
        now_s = time.monotonic()
        old = self._told.get((table, what))
        if old is not None and now_s - old < limits.REFUSALS_WINDOW_S:
            return False
        if len(self._told) >= protocol_limits.RELAY_COUNTED_MOST:
            self._told.clear()
        self._told[table, what] = now_s
        return True


class _JsonLines(_Lines):
    """The same as objects, one a line on stdout."""

    def begun(self, line: "RelayLine", listening: Sequence["Address"]) -> None:
        addresses = list(map(str, listening))
        self._print("relay", line=str(line), listening=addresses, reach=line.reach.value)

    def registered(self, table: bytes, address: str) -> None:
        self._print("registered", table=table.hex(), address=address)

    def left(self, table: bytes, address: str, code: str, carried_bytes: int) -> None:
        about = {"table": table.hex(), "address": address, "code": code or None}
        self._print("left", **about, bytes=carried_bytes)

    def refused(self, address: str, why: str) -> None:
        self._print("refused", address=address, why=why)

    def over(self) -> None:
        if self.relay is not None:
            self._print("done", bytes=self.relay.board.carried_bytes)

    def _print(self, what: str, **about: object) -> None:
        print(json.dumps({"what": what, **about}), flush=True)


def _short(table: bytes) -> str:
    return table.hex()[:8]


def _why(code: str) -> str:
    from protocol.relay import frames

    words = {
        frames.REPLACED: _("its host has come back"),
        frames.SILENT: _("its host is silent"),
        frames.BYTES: _("no more bytes today"),
        frames.TIME: _("a day is over"),
        frames.FLOOD: _("its host floods"),
    }
    return words.get(code, code)
