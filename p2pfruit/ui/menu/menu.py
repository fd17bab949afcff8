"""The start menu: what `p2pfruit` without a command shows at a terminal.

The player's choice becomes a command line and runs as one. Then the menu comes back, until the
player quits. If the command refused something, the menu shows the reason first.
"""

import argparse
import gc
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from p2pfruit.exits import FINE, Goodbye, Refusal, complain, say
from p2pfruit.home import settings
from p2pfruit.home.folder import Home
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.ui.menu.entries import Line, Menu, as_notice
from p2pfruit.ui.screen import fitness

Perform = Callable[[Sequence[str]], int]


def run(arguments: argparse.Namespace, perform: Perform) -> int:
    """Show the menu until the player quits; `perform` runs a command line."""
    home = Home.find(arguments.home, os.environ)
    said = _said(arguments)
    menu = Menu(home, arguments.lang)
    why: str | None = ""
    going_on = True
    while going_on:
        before, why = why, fitness.line_mode(settings.load(home.path))
        if why and why != before:
            say(_("line mode: {why}").format(why=why))
        with _curtain(why):
            going_on = _until_it_differs(menu, why, perform, said)
    return FINE


def _said(arguments: argparse.Namespace) -> list[str]:
    """Return the options given to the menu, which every command in it gets, too."""
    home = [] if arguments.home is None else ["--home", arguments.home]
    return home + ([] if arguments.lang is None else ["--lang", arguments.lang])


def _curtain(why: str | None) -> AbstractContextManager[None]:
    if why is not None:
        return nullcontext()
    gc.disable()  # there is no garbage yet, and the search takes a tenth of the start-up time
    from p2pfruit.ui.screen.driver import curtain

    gc.enable()
    return curtain()


def _until_it_differs(menu: Menu, why: str | None, perform: Perform, said: Sequence[str]) -> bool:
    """Run the menu while the terminal and the settings need the same front.

    Return False when the player quits.
    """
    while True:
        if _differs(menu, why):
            return True
        current = settings.load(menu.home.path)
        line = menu.chosen or _choose(menu, current, in_lines=why is not None)
        menu.chosen = None
        if line is None:
            return False
        if line and _differs(menu, why):  # it runs in the front that fits now
            menu.chosen = line
        elif line:
            _perform(menu, [*line, *said], perform, in_lines=why is not None)


def _differs(menu: Menu, why: str | None) -> bool:
    return (fitness.line_mode(settings.load(menu.home.path)) is None) != (why is None)


def _choose(menu: Menu, current: Settings, *, in_lines: bool) -> Line:
    if in_lines:
        from p2pfruit import exits
        from p2pfruit.ui.lines.forms import LineAsker

        async def ask() -> Line:
            return await menu.choose(LineAsker())

        try:
            return exits.run_trio(ask)
        except EOFError:
            return None
    from p2pfruit.ui.screen.driver import run as run_on_stage
    from p2pfruit.ui.screen.menu import ScreenAsker, TopPage

    picking = menu.first()
    first = None if picking is None else TopPage(picking)
    return run_on_stage(lambda stage: menu.choose(ScreenAsker(stage)), current, first)


def _perform(menu: Menu, line: Sequence[str], perform: Perform, *, in_lines: bool) -> None:
    try:
        perform(line)
    except Refusal as refusal:
        if in_lines:
            complain(str(refusal), refusal.hint)
        else:
            menu.notice = as_notice(refusal)
    except Goodbye as goodbye:
        if in_lines:
            say(f"\n{goodbye}")
        else:
            menu.notice = str(goodbye), []
