"""p2pfruit replay: shows a recorded game step by step, on the screen or as a web page."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path

if TYPE_CHECKING:
    from p2pfruit.home.settings import Settings
    from p2pfruit.replay.frames import Replay
    from p2pfruit.ui.screen.page import Stage

STDOUT = "-"


def examples() -> list[Example]:
    return [
        ("p2pfruit replay game.fruit", _("step through the game on the screen")),
        ("p2pfruit replay --html game.html game.fruit", _("write the game as a web page")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar=_("FILE"), help=_("a game file"))
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--html",
        metavar=_("PAGE"),
        help=_("write the game as a web page instead; - is stdout"),
    )
    how.add_argument(
        "--plain", action="store_true", help=_("line by line, with commands from stdin")
    )
    parser.add_argument(
        "--force", action="store_true", help=_("with --html: replace an existing file")
    )


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands.show import opened
    from p2pfruit.exits import say
    from p2pfruit.home import settings
    from p2pfruit.replay import verify
    from p2pfruit.ui.screen import fitness
    from p2pfruit.ui.terminal import at_terminal

    if arguments.force and arguments.html is None:
        hint = _("use --html PAGE --force")
        raise Refusal(_("--force needs --html"), hint=hint, code=USAGE)
    if arguments.html not in (None, STDOUT) and not arguments.force:
        _check_free(arguments.html)
    checked = opened(arguments.file, arguments.home)
    assert checked.table is not None
    if arguments.html is None and not arguments.plain and not at_terminal():
        from p2pfruit.replay import transcript

        verify.print_lines(transcript.story(checked.table, checked.report))
        return FINE
    from p2pfruit.replay.frames import Replay

    if arguments.html is not None:
        return _write_page(Replay(checked.table, checked.report), arguments)
    current = settings.current(arguments, os.environ)
    why = "" if arguments.plain else fitness.line_mode(current)
    if why is not None:
        if why:
            say(_("line mode: {why}").format(why=why))
        return _leaf(Replay(checked.table, checked.report))
    names = None
    if fitness.plain_glyphs(current):
        from p2pfruit.replay import verdict
        from p2pfruit.text.plain import plain_name

        names = [plain_name(name) for name in verdict.player_names(checked.report)]
    return _show(Replay(checked.table, checked.report, names), current)


def _leaf(replay: "Replay") -> int:
    from p2pfruit.games.about import about
    from p2pfruit.ui.lines.printing import print_lines
    from p2pfruit.ui.lines.replay import LineReplay

    LineReplay(replay, about(replay.table.game.name), print_lines, input).run()
    return FINE


def _show(replay: "Replay", current: "Settings") -> int:
    from p2pfruit.ui.screen import driver
    from p2pfruit.ui.screen.replay import ReplayPage

    async def on_stage(stage: "Stage") -> int:
        await ReplayPage(replay, motion=current.motion).shown_on(stage)
        return FINE

    return driver.run(on_stage, current)


# The page.


def _write_page(replay: "Replay", arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from p2pfruit.exits import say
    from p2pfruit.home.atomic_write import write_whole
    from p2pfruit.replay.html.page import page

    data = page(replay).encode()
    if arguments.html == STDOUT:
        sys.stdout.buffer.write(data)
        return FINE
    try:
        write_whole(Path(arguments.html), data, replace=arguments.force)
    except FileExistsError:
        raise _taken(arguments.html) from None
    say(_("the replay was written to {path}").format(path=shown_path(arguments.html)))
    return FINE


def _check_free(path: str) -> None:
    """Refuse an existing file before the proofs are checked, which takes a while."""
    if os.path.lexists(path):
        raise _taken(path)


def _taken(path: str) -> Refusal:
    message = _("{path} already exists").format(path=shown_path(path))
    return Refusal(message, hint=_("choose another file, or replace it with --force"))
