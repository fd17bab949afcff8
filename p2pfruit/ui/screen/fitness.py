"""Finds out whether this terminal can show the full screen, and if not, why."""

import os
import sys
from collections.abc import Mapping
from shutil import get_terminal_size

from p2pfruit.exits import say
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.ui.screen.limits import COLUMNS_LEAST, LINES_LEAST
from p2pfruit.ui.terminal import at_terminal

# Terminals that cannot place the cursor.
_DUMB = ("", "dumb", "unknown", "emacs", "cons25")


def full_screen(settings: Settings) -> bool:
    """Return True if the full screen can be used; else say why, unless lines were asked for."""
    why = line_mode(settings)
    if why:
        say(_("line mode: {why}").format(why=why))
    return why is None


def line_mode(settings: Settings, environ: Mapping[str, str] = os.environ) -> str | None:
    """Return why lines are used instead of the full screen: "" if the player asked for them, None
    if the full screen is used."""
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
    """Return True if colours are shown; a setting for this program alone overrides NO_COLOR."""
    if settings.colour == "auto":
        return not environ.get("NO_COLOR")
    return settings.colour == "on"
