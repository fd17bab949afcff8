"""p2pfruit lan: the tables that announce themselves on the local network. It sends nothing."""

import argparse
import json
import math
from typing import TYPE_CHECKING

from p2pfruit.complaints import say
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_names

if TYPE_CHECKING:
    from p2pfruit.net.addresses import Address
    from p2pfruit.net.beacon import Found

SECONDS = 5.0  # two announcements, and a little


def summary() -> str:
    return _("list the tables that announce themselves on the local network")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        metavar=_("N"),
        help=_("how long to listen (5)"),
    )
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line and table"))


def run(arguments: argparse.Namespace) -> int:
    import trio

    from p2pfruit.net import limits

    seconds = arguments.seconds
    if not (math.isfinite(seconds) and 0 <= seconds <= limits.LAN_SECONDS_MOST):
        raise Refusal(
            _("nobody listens for {seconds} seconds").format(seconds=seconds),
            hint=_("give a number from 0 to {most}").format(most=int(limits.LAN_SECONDS_MOST)),
            code=USAGE,
        )
    say(_("listening for {seconds} s").format(seconds=f"{seconds:g}"))
    tables = trio.run(heard, seconds, None)
    for found in tables:
        print(as_json(found) if arguments.json else as_line(found))
    if tables:
        say(_("to join one, ask its host for an invitation"))
    else:
        say(_("no table was heard of; a host announces one with --announce"))
    return FINE


async def heard(seconds: float, bind: "Address | None") -> list["Found"]:
    """The tables heard of in this time."""
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
