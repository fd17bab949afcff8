"""p2pfruit lan: the tables that announce themselves on the local network. It sends nothing."""

import argparse
import json
import math
from typing import TYPE_CHECKING

from p2pfruit.exits import FINE, USAGE, Refusal, say
from p2pfruit.language import text as _
from p2pfruit.net import limits

if TYPE_CHECKING:
    from p2pfruit.net.beacon import Found


def summary() -> str:
    return _("list the tables that announce themselves on the local network")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=float,
        default=limits.LAN_SECONDS,
        metavar=_("N"),
        help=_("how long to listen (5)"),
    )
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line and table"))


def run(arguments: argparse.Namespace) -> int:
    import trio

    from p2pfruit.net.beacon import described, heard

    seconds = arguments.seconds
    if not (math.isfinite(seconds) and 0 <= seconds <= limits.LAN_SECONDS_MOST):
        raise Refusal(
            _("nobody listens for {seconds} seconds").format(seconds=seconds),
            hint=_("give a number from 0 to {most}").format(most=int(limits.LAN_SECONDS_MOST)),
            code=USAGE,
        )
    say(_("listening for {seconds} s").format(seconds=f"{seconds:g}"))
    tables = trio.run(heard, seconds)
    for found in tables:
        print(as_json(found) if arguments.json else described(found))
    if tables:
        say(_("to join one, ask its host for an invitation"))
    else:
        say(_("no table was heard of; a host announces one with --announce"))
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
