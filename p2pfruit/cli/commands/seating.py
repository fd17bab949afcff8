"""Reads the arguments of commands that sit down at a table: who plays, and how it is shown.

Without a terminal no person is asked: then a bot or a program plays, or `--plain` says that lines
on stdin are the answers.
"""

import argparse
import os

from p2pfruit.bots.external import split_command
from p2pfruit.exits import USAGE, Refusal, complain
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


def read_session_with_others(arguments: argparse.Namespace) -> Session:
    """Read who plays at a table with other people, and ask a new player for a name."""
    session = read_session(arguments, chosen_decider(arguments))
    if not session.decider and at_terminal() and not session.home.name_file.exists():
        _ask_name(session.home)
    return session


def _ask_name(home: Home) -> None:
    """Ask until the name can be used. An empty line keeps the one that would be used anyhow."""
    usual = home.name()
    prompt = _("your name, as the others will see it; empty: {name}").format(name=usual)
    while True:
        try:
            home.set_name(input(f"{prompt} > ").strip() or usual)
            return
        except EOFError:
            raise KeyboardInterrupt from None
        except Refusal as refusal:
            complain(str(refusal), refusal.hint)


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
