"""p2pfruit stats: games, wins, places, averages and streaks, over what is in the home."""

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from p2pfruit import limits
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, say
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_names, shown_path

if TYPE_CHECKING:
    from p2pfruit.home.folder import Home
    from p2pfruit.home.settings import Settings
    from p2pfruit.stats.choosing import Wanted
    from p2pfruit.stats.counting import Statistics
    from p2pfruit.stats.filling import Filled
    from p2pfruit.stats.past import Gathered


def examples() -> list[Example]:
    return [
        ("p2pfruit stats", _("show how your games went")),
        ("p2pfruit stats --game pixies --with Bruno", _("only games of Pixies with Bruno")),
        ("p2pfruit stats --html stats.html", _("write them as a web page")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", metavar=_("GAME"), help=_("only this game"))
    parser.add_argument(
        "--since",
        metavar=_("DAY"),
        help=_("only games that ended on this day or later: 2026-01-31"),
    )
    parser.add_argument(
        "--with",
        dest="opponent",
        metavar=_("NAME"),
        help=_("only games with this opponent: a name, or a fingerprint"),
    )
    parser.add_argument(
        "--auto",
        action="store_true",
        help=_("the games that a bot or a program played for you, instead of your own"),
    )
    parser.add_argument(
        "--fill",
        action="store_true",
        help=_("verify all older games that were not counted yet, however long it takes"),
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help=_("print one JSON object"))
    how.add_argument(
        "--html", metavar=_("PAGE"), help=_("write them as a web page instead; - is stdout")
    )
    parser.add_argument(
        "--force", action="store_true", help=_("with --html: replace an existing file")
    )


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands.pages import check_page, write_page
    from p2pfruit.home.folder import Home
    from p2pfruit.stats.choosing import choose
    from p2pfruit.stats.counting import count
    from p2pfruit.stats.filling import fill
    from p2pfruit.stats.past import gather

    check_page(arguments)
    wanted = _wanted(arguments)
    home = Home.find(arguments.home, os.environ)
    left = fill(home, None if arguments.fill else limits.STATS_FILL_S, _progress)
    gathered = gather(home)
    found = count(choose(gathered.games, wanted, gathered.people))
    if arguments.json:
        print(json.dumps({**_asked(arguments), **_told(found, gathered, left)}))
        return FINE
    if arguments.html is not None:
        from p2pfruit.stats.page import page

        title = _("the games of {name}").format(name=shown_names([home.name()])[0])
        html = page(found, gathered.people, title)
        write_page(html, arguments, _("the statistics were written to {path}"))
        return FINE
    notes = _notes(gathered, left, wanted)
    if found.whole.games:
        _show(found, gathered, notes, arguments)
    else:
        _say_nothing(home, gathered, notes)
    return FINE


def _wanted(arguments: argparse.Namespace) -> "Wanted":
    from p2pfruit.cli.commands.shared import find_game
    from p2pfruit.stats.choosing import Wanted, read_day

    if arguments.game is not None:
        find_game(arguments.game)
    return Wanted(
        game=arguments.game,
        since=None if arguments.since is None else read_day(arguments.since),
        opponent=arguments.opponent,
        automatic=arguments.auto,
    )


def _progress(done: int, count: int) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        words = _("verifying older games: {done} of {count}").format(done=done, count=count)
        print(f"\r{words}\x1b[K\r", end="", file=sys.stderr, flush=True)


def _notes(gathered: "Gathered", left: "Filled", wanted: "Wanted") -> list[str]:
    """Return what is not counted, and why."""
    notes = []
    automatic = sum(bool(game.decider) for game in gathered.games)
    if automatic and not wanted.automatic:
        words = plural(
            "{count} game that a bot or a program played for you is not counted: see --auto",
            "{count} games that a bot or a program played for you are not counted: see --auto",
            automatic,
        )
        notes.append(words)
    if left.waiting:
        words = plural(
            "{count} older game is not verified yet, so it is not counted: use --fill",
            "{count} older games are not verified yet, so they are not counted: use --fill",
            left.waiting,
        )
        notes.append(words)
    if left.missing:
        words = plural(
            "{count} older game has no file that can be verified here, so it is not counted",
            "{count} older games have no file that can be verified here, so they are not counted",
            left.missing,
        )
        notes.append(words)
    if gathered.unverified:
        words = plural(
            "{count} game failed verification, so it is not counted",
            "{count} games failed verification, so they are not counted",
            gathered.unverified,
        )
        notes.append(words)
    return notes


# For people.


def _show(
    found: "Statistics", gathered: "Gathered", notes: list[str], arguments: argparse.Namespace
) -> None:
    """Print the statistics; in the menu they are a page on the full screen."""
    from shutil import get_terminal_size

    from p2pfruit.home import settings
    from p2pfruit.stats.lines import lines
    from p2pfruit.text.plain import plain
    from p2pfruit.ui.screen import fitness
    from p2pfruit.ui.terminal import terminal

    current = settings.current(arguments, os.environ)

    def drawn(columns: int) -> list[str]:
        return lines(found, gathered.people, columns) + (["", *notes] if notes else [])

    if _in_menu():
        _on_screen(drawn, current)
        return
    columns = get_terminal_size().columns if terminal(sys.stdout) else limits.TABLE_COLUMNS_MOST
    for text in drawn(max(columns, limits.COLUMNS_LEAST)):
        print(plain(text) if fitness.plain_glyphs(current) else text)


def _in_menu() -> bool:
    """Return True if the menu holds the full screen, so that nothing is to be printed."""
    driver = sys.modules.get("p2pfruit.ui.screen.driver")
    return driver is not None and driver.held()


def _on_screen(drawn: Any, current: "Settings") -> None:
    from p2pfruit.ui.screen import driver
    from p2pfruit.ui.screen.page import Stage
    from p2pfruit.ui.screen.rules import TextPage

    async def show(stage: Stage) -> int:
        await stage.visit(TextPage(_("Statistics"), drawn))
        return FINE

    driver.run(show, current)


def _say_nothing(home: "Home", gathered: "Gathered", notes: list[str]) -> None:
    if gathered.games:
        words = [_("none of your games fits")]
    else:
        path = shown_path(str(home.path))
        words = [_("no games have been played from {home} yet").format(home=path)]
    if _in_menu():
        from p2pfruit.exits import Refusal

        raise Refusal(words[0], hint="; ".join(notes) or None)
    for line in [*words, *notes]:
        say(line)


# For programs.


def _asked(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "game": arguments.game,
        "since": arguments.since,
        "with": arguments.opponent,
        "auto": arguments.auto,
    }


def _told(found: "Statistics", gathered: "Gathered", left: "Filled") -> dict[str, Any]:
    from p2pfruit.stats.fields import fields

    not_counted = {
        "waiting": left.waiting,
        "missing": left.missing,
        "unverified": gathered.unverified,
    }
    return {**fields(found, gathered.people), "not_counted": not_counted}
