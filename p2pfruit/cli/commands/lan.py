"""p2pfruit lan: lists the tables announced on the local network. It sends nothing."""

import argparse
import json
import math
from typing import TYPE_CHECKING

from p2pfruit.cli.parser import Example
from p2pfruit.complaints import say
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_names

if TYPE_CHECKING:
    from p2pfruit.net.addresses import Address
    from p2pfruit.net.beacon import Found

SECONDS = 5.0  # two announcements, and a little


def summary() -> str:
    return _("list the tables announced on the local network")


def examples() -> list[Example]:
    return [
        ("p2pfruit lan", _("list the tables on the local network")),
        ("p2pfruit lan --seconds 20", _("listen for 20 seconds")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        metavar=_("N"),
        help=_("how long to listen (default: 5)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per table"))


def run(arguments: argparse.Namespace) -> int:
    import trio

    from p2pfruit.net import limits

    seconds = arguments.seconds
    if not (math.isfinite(seconds) and 0 <= seconds <= limits.LAN_SECONDS_MOST):
        raise Refusal(
            _("--seconds must be between 0 and {most}, not {seconds}").format(
                most=int(limits.LAN_SECONDS_MOST), seconds=seconds
            ),
            code=USAGE,
        )
    say(_("listening for {seconds} seconds").format(seconds=f"{seconds:g}"))
    tables = trio.run(heard, seconds, None)
    for found in tables:
        print(as_json(found) if arguments.json else as_line(found))
    if tables:
        say(_("to join one, ask its host for an invitation"))
    else:
        say(_("no tables found; a host announces a table with --announce"))
    return FINE


async def heard(seconds: float, bind: "Address | None") -> list["Found"]:
    """Return the tables that were announced within this time."""
    import trio

    from p2pfruit.net.beacon import Tables, listen

    tables = Tables()
    with trio.move_on_after(seconds):
        await listen(tables.add, bind)
    return tables.all()


def as_line(found: "Found") -> str:
    table = found.announcement
    name, game = shown_names([table.name])[0], shown_names([table.game])[0]
    seats = _("{taken} of {seats} seats taken").format(taken=table.taken, seats=table.seats)
    key = _("key {key}").format(key=table.key_id.hex())
    return f"{found.address}  {name}  {game}  {seats}  {key}"


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
