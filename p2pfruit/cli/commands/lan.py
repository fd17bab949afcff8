"""p2pfruit lan: lists the tables announced on the local network. It sends nothing."""

import argparse
import json
import math
from typing import TYPE_CHECKING

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal, say
from p2pfruit.language import text as _
from p2pfruit.net import limits

if TYPE_CHECKING:
    from p2pfruit.net.beacon import Found


def examples() -> list[Example]:
    return [
        ("p2pfruit lan", _("list the tables on the local network")),
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

    from p2pfruit.net.beacon import described, heard

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
    for found in tables:
        print(as_json(found) if arguments.json else described(found))
    if tables:
        say(_("to join one, ask its host for an invitation"))
    else:
        say(_("no tables found; a host announces a table with --announce"))
    return FINE


def as_json(found: "Found") -> str:
    table = found.announcement
    return json.dumps(
        {
            "address": str(found.address),
            "name": table.name,
            "game": table.game,
            "taken": table.taken,
            "seats": table.seats,
            "key_id": table.key_id.hex(),
        }
    )
