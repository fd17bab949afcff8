"""Whether this terminal can show the full screen, and if not, why."""

import os
import sys
from collections.abc import Mapping
from shutil import get_terminal_size
from typing import TextIO

from p2pfruit.exits import say
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.ui.screen.limits import COLUMNS_LEAST, LINES_LEAST

# Terminals that cannot place the cursor.
_DUMB = ("", "dumb", "unknown", "emacs", "cons25")


def terminal(stream: TextIO | None) -> bool:
    """A stream that was closed before we started is None."""
    return stream is not None and stream.isatty()


def at_terminal() -> bool:
    """Somebody reads what we print, and types."""
    return terminal(sys.stdin) and terminal(sys.stdout)


def full_screen(settings: Settings) -> bool:
    """Whether the full screen can be used; if not, and it was not wished so, says why."""
    why = line_mode(settings)
    if why:
        say(_("line mode: {why}").format(why=why))
    return why is None


def line_mode(settings: Settings, environ: Mapping[str, str] = os.environ) -> str | None:
    """Why lines are used instead of the full screen; "" if they were wished for; None: they are
    not needed."""
    if settings.screen == "lines" or not at_terminal():
        return ""
    if environ.get("TERM", "") in _DUMB:
        return _("this terminal cannot place the cursor")
    columns, lines = get_terminal_size()
    if columns < COLUMNS_LEAST or lines < LINES_LEAST:
        return _("this terminal has {columns}x{lines}, the full screen needs {least}").format(
            columns=columns, lines=lines, least=f"{COLUMNS_LEAST}x{LINES_LEAST}"
        )
    if settings.screen != "full" and not speaks_unicode():
        return _("this terminal does not know UTF-8")
    return None


def speaks_unicode() -> bool:
    return "utf" in (getattr(sys.stdout, "encoding", "") or "").lower()


def plain_glyphs(settings: Settings) -> bool:
    if settings.glyphs == "auto":
        return not speaks_unicode()
    return settings.glyphs == "ascii"


def coloured(settings: Settings, environ: Mapping[str, str] = os.environ) -> bool:
    """NO_COLOR is the wish of the environment; a setting is a wish for this program alone."""
    if settings.colour == "auto":
        return not environ.get("NO_COLOR")
    return settings.colour == "on"
