"""p2pfruit show: prints a recorded game, move by move."""

import argparse
import os
from typing import TYPE_CHECKING

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FAILED, FINE, NOT_FINAL, Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path

if TYPE_CHECKING:
    from p2pfruit.replay.verify import Checked


def examples() -> list[Example]:
    return [
        ("p2pfruit show game.fruit", _("print the game move by move")),
        ("p2pfruit show --entries game.fruit", _("print every signed entry of the file")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar=_("FILE"), help=_("a game file"))
    parser.add_argument(
        "--entries",
        action="store_true",
        help=_("print one line per entry instead: player, number, step, kind, bytes, id"),
    )


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.replay import transcript, verify

    checked = opened(arguments.file, arguments.home)
    assert checked.table is not None
    tell = transcript.entries if arguments.entries else transcript.story
    verify.print_lines(tell(checked.table, checked.report))
    return FINE


def opened(path: str, home: str | None) -> "Checked":
    """Return the checked file, or raise a Refusal if it holds no table.

    It is kept if it says something else than a file of the home.
    """
    from p2pfruit.home import others
    from p2pfruit.home.folder import Home
    from p2pfruit.replay import unknown, verdict, verify
    from protocol.file.gamefile import OverBudget, UnknownRules

    checked = verify.check(path)
    if checked.unreadable is not None:
        why = checked.unreadable.strerror
        raise Refusal(
            _("cannot read {path}: {why}").format(path=shown_path(path), why=why),
            hint=_("choose a game file that you can read"),
            code=FAILED,
        )
    if isinstance(checked.refused, UnknownRules):
        raise Refusal(
            f"{shown_path(path)}: {unknown.headline(checked.refused)}"
            f" ({verdict.detail(checked.refused)})",
            hint=unknown.help_for(checked.refused),
            code=NOT_FINAL,
        )
    if isinstance(checked.refused, OverBudget):
        raise Refusal(
            f"{shown_path(path)}: {verdict.refusal(checked.refused)}"
            f" ({verdict.detail(checked.refused)})",
            hint=_("see how long it takes with `p2pfruit verify --budget SECONDS`"),
            code=checked.code,
        )
    if checked.refused is not None:
        raise Refusal(
            f"{shown_path(path)}: {verdict.refusal(checked.refused)}"
            f" ({verdict.detail(checked.refused)})",
            hint=_("ask another player of that table for their game file"),
            code=NOT_FINAL,
        )
    assert checked.table is not None
    others.notice(Home.find(home, os.environ), checked.table, checked.data)
    return checked
