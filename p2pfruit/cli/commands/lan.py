"""p2pfruit lan: lists the tables announced on the local network, which sends nothing.

At a terminal the player may then choose one of them and join it.
"""

import argparse
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal, say
from p2pfruit.language import text as _
from p2pfruit.net import limits

if TYPE_CHECKING:
    from p2pfruit.net.beacon import Found


def examples() -> list[Example]:
    return [
        ("p2pfruit lan", _("list the tables on the local network, and join one with its code")),
        ("p2pfruit lan --seconds 20", _("listen for 20 seconds")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=float,
        default=limits.LAN_SECONDS,
        metavar=_("N"),
        help=_("how long to listen (default: 5)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per table"))


def run(arguments: argparse.Namespace) -> int:
    import trio

    from p2pfruit.net.beacon import heard, listed
    from p2pfruit.ui.terminal import at_terminal

    seconds = arguments.seconds
    if not (math.isfinite(seconds) and 0 <= seconds <= limits.LAN_SECONDS_MOST):
        raise Refusal(
            _("--seconds must be between 0 and {most}, not {seconds}").format(
                most=int(limits.LAN_SECONDS_MOST), seconds=seconds
            ),
            code=USAGE,
        )
    say(_("listening for {seconds} seconds").format(seconds=f"{seconds:g}"))
    tables = trio.run(heard, seconds)
    for line in map(as_json, tables) if arguments.json else listed(tables):
        print(line)
    if not tables:
        say(_("no tables found; a host announces a table with --announce"))
    elif arguments.json or not at_terminal():
        say(_("join one with `p2pfruit join --lan NUMBER`"))
    elif (found := _chosen(tables)) is not None:
        return _join(found, arguments)
    return FINE


def _chosen(tables: Sequence["Found"]) -> "Found | None":
    """Ask for one of the tables; return None if the player wants none."""
    while answer := input(_("number of the table to join; empty: none") + " > ").strip():
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(tables):
            return tables[int(answer) - 1]
    return None


def _join(found: "Found", arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands import join
    from p2pfruit.cli.parser import Parser

    parser = Parser(prog="p2pfruit join")
    join.configure(parser)
    parser.set_defaults(home=arguments.home)
    return join.run(parser.parse_args(["--lan", str(found.address)]))


def as_json(found: "Found") -> str:
    from p2pfruit.text.fingerprint import fingerprint

    table = found.announcement
    return json.dumps(
        {
            "address": str(found.address),
            "name": table.name,
            "game": table.game,
            "taken": table.taken,
            "seats": table.seats,
            "key_id": table.key_id.hex(),
            "fingerprint": None if table.entrance is None else fingerprint(table.entrance.host),
            "code": table.entrance is not None,
        }
    )
