"""p2pfruit replay: shows a recorded game step by step, on the screen or as a web page."""

import argparse
import os
from typing import TYPE_CHECKING

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE
from p2pfruit.language import text as _

if TYPE_CHECKING:
    from p2pfruit.home.settings import Settings
    from p2pfruit.replay.analysis import Analysis
    from p2pfruit.replay.analyst import Analyst
    from p2pfruit.replay.frames import Replay
    from p2pfruit.ui.screen.page import Stage


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
    parser.add_argument(
        "--seat", metavar=_("NAME"), help=_("whose decisions are analysed (default: yours)")
    )
    parser.add_argument(
        "--no-analysis", action="store_true", help=_("with --html: without an analysis, at once")
    )


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands.pages import check_page, write_page
    from p2pfruit.cli.commands.show import opened
    from p2pfruit.exits import say
    from p2pfruit.home import settings
    from p2pfruit.replay import verify
    from p2pfruit.ui.screen import fitness
    from p2pfruit.ui.terminal import at_terminal

    check_page(arguments)
    checked = opened(arguments.file, arguments.home)
    assert checked.table is not None
    if arguments.html is None and not arguments.plain and not at_terminal():
        from p2pfruit.replay import transcript

        verify.print_lines(transcript.story(checked.table, checked.report))
        return FINE
    from p2pfruit.replay.frames import Replay

    if arguments.html is not None:
        from p2pfruit.replay.html.page import page

        replay = Replay(checked.table, checked.report)
        found = _analysis(replay, arguments)
        write_page(page(replay, found), arguments, _("the replay was written to {path}"))
        return FINE
    current = settings.current(arguments, os.environ)
    why = "" if arguments.plain else fitness.line_mode(current)
    if why is not None:
        if why:
            say(_("line mode: {why}").format(why=why))
        return _leaf(Replay(checked.table, checked.report), arguments)
    names = None
    if fitness.plain_glyphs(current):
        from p2pfruit.replay import verdict
        from p2pfruit.text.plain import plain_name

        names = [plain_name(name) for name in verdict.player_names(checked.report)]
    return _show(Replay(checked.table, checked.report, names), current, arguments)


def _analyst(replay: "Replay", arguments: argparse.Namespace) -> "Analyst | None":
    """Return who analyses the decisions of a player; None if the home's own player has no seat."""
    from p2pfruit.home.folder import Home
    from p2pfruit.replay import analyst

    home = Home.find(arguments.home, os.environ)
    if arguments.seat is not None:
        return analyst.of_seat(replay, arguments.seat, home)
    return analyst.own(replay, home)


def _analysis(replay: "Replay", arguments: argparse.Namespace) -> "Analysis | None":
    from p2pfruit.cli.commands.analyse import clear_progress, show_progress

    if arguments.no_analysis or (found := _analyst(replay, arguments)) is None:
        return None
    analysis = found.analyse(show_progress)
    clear_progress()
    return analysis


def _leaf(replay: "Replay", arguments: argparse.Namespace) -> int:
    from p2pfruit.games.about import about
    from p2pfruit.ui.lines.printing import print_lines
    from p2pfruit.ui.lines.replay import LineReplay

    analyst = _analyst(replay, arguments)
    LineReplay(replay, about(replay.table.game.name), print_lines, input, analyst).run()
    return FINE


def _show(replay: "Replay", current: "Settings", arguments: argparse.Namespace) -> int:
    from p2pfruit.ui.screen import driver
    from p2pfruit.ui.screen.replay import ReplayPage

    analyst = _analyst(replay, arguments)

    async def on_stage(stage: "Stage") -> int:
        await ReplayPage(replay, motion=current.motion, analyst=analyst).shown_on(stage)
        return FINE

    return driver.run(on_stage, current)
