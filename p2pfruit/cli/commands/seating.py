"""Reads the arguments of commands that sit down at a table: who plays, and how it is shown.

Without a terminal no person is asked: then a bot or a program plays, or `--plain` says that lines
on stdin are the answers.
"""

import argparse
import os

from p2pfruit.bots.external import split_command
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.folder import Home
from p2pfruit.language import text as _
from p2pfruit.seat.players import OUTSIDE
from p2pfruit.ui.fronts import Looks
from p2pfruit.ui.session import Session, check_record
from p2pfruit.ui.terminal import at_terminal


def read_looks(arguments: argparse.Namespace) -> Looks:
    return Looks(
        json=arguments.json,
        plain=getattr(arguments, "plain", False),
        verbose=arguments.verbose,
        qr=getattr(arguments, "qr", False),
    )


def read_session(arguments: argparse.Namespace, decider: str, record: str | None = None) -> Session:
    """`record`: where the copy of the game file goes if the command line does not say it."""
    return Session(
        home=Home.find(arguments.home, os.environ),
        decider=decider,
        looks=read_looks(arguments),
        record=check_record(arguments.record or record),
    )


def chosen_decider(arguments: argparse.Namespace, *, otherwise: str | None = None) -> str:
    """Return who plays, as the command line says; `otherwise`: if it says nothing and no person
    sits at a terminal."""
    if arguments.auto and arguments.bot:
        message = _("--auto cannot be combined with --bot")
        raise Refusal(message, hint=_("leave out one of them"), code=USAGE)
    if arguments.auto:
        return str(arguments.auto)
    if arguments.bot is not None:
        split_command(arguments.bot)
        return OUTSIDE + str(arguments.bot)
    if not arguments.json and (arguments.plain or at_terminal()):
        return ""
    if otherwise is not None:
        return otherwise
    raise Refusal(
        _("there is no terminal to play from"),
        hint=_("choose who plays: --auto LEVEL, --bot COMMAND, or --plain for lines on stdin"),
        code=USAGE,
    )
