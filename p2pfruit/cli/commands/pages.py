"""Writes what a command made as a web page: to a new file, or to stdout."""

import argparse
import os
import sys
from pathlib import Path

from p2pfruit.exits import USAGE, Refusal, say
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path

STDOUT = "-"


def check_page(arguments: argparse.Namespace) -> None:
    """Refuse an existing file before the page is made, which may take a while."""
    if arguments.force and arguments.html is None:
        hint = _("use --html PAGE --force")
        raise Refusal(_("--force needs --html"), hint=hint, code=USAGE)
    if arguments.html in (None, STDOUT) or arguments.force:
        return
    if os.path.lexists(arguments.html):
        raise _taken(arguments.html)


def write_page(page: str, arguments: argparse.Namespace, words: str) -> None:
    """Write the page. `words` say where it is, with a gap for the path."""
    from p2pfruit.home.atomic_write import write_whole

    data = page.encode()
    if arguments.html == STDOUT:
        sys.stdout.buffer.write(data)
        return
    try:
        write_whole(Path(arguments.html), data, replace=arguments.force)
    except FileExistsError:
        raise _taken(arguments.html) from None
    say(words.format(path=shown_path(arguments.html)))


def _taken(path: str) -> Refusal:
    message = _("{path} already exists").format(path=shown_path(path))
    return Refusal(message, hint=_("choose another file, or replace it with --force"))
