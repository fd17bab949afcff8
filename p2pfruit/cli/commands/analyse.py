"""p2pfruit analyse: each decision of a player beside what the expert would have done."""

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal, say
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path

if TYPE_CHECKING:
    from p2pfruit.home.folder import Home
    from p2pfruit.home.store import PlayedTable
    from p2pfruit.replay.analysis import Analysis
    from p2pfruit.replay.frames import Replay


def examples() -> list[Example]:
    return [
        ("p2pfruit analyse", _("how the expert would have played your newest game")),
        ("p2pfruit analyse game.fruit --seat Bruno", _("the decisions of another player")),
        ("p2pfruit analyse --all", _("analyse all your games, for the statistics")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        metavar=_("FILE"),
        help=_(
            "a game file, or the beginning of a table's id from `p2pfruit history`"
            " (default: your newest game)"
        ),
    )
    parser.add_argument("--seat", metavar=_("NAME"), help=_("the player to analyse (default: you)"))
    parser.add_argument(
        "--everything",
        action="store_true",
        help=_("list also the decisions that differ by no more than noise"),
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help=_("analyse all games in your home that are not analysed yet; Ctrl-C stops it"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.cli.commands.show import opened
    from p2pfruit.home.folder import Home
    from p2pfruit.replay import verify
    from p2pfruit.replay.analyst import chosen
    from p2pfruit.replay.frames import Replay
    from p2pfruit.replay.judged import lines

    home = Home.find(arguments.home, os.environ)
    if arguments.all:
        return _analyse_all(arguments, home)
    path = find_file(home, arguments.file)
    checked = opened(path, arguments.home)
    assert checked.table is not None
    replay = Replay(checked.table, checked.report)
    found = chosen(replay, arguments.seat, home).analyse(show_progress)
    clear_progress()
    if arguments.json:
        print(json.dumps(_fields(path, replay, found)))
    else:
        told = lines(replay, found, everything=arguments.everything)
        verify.print_lines([f"{shown_path(path)}: {replay.title}", *told])
    return FINE


def find_file(home: "Home", named: str | None) -> str:
    """Return the path of a game: a file, or that of a table in the home, or the newest one."""
    if named is not None and (os.path.lexists(named) or named == "-"):
        return named
    played = _with_files(home)
    if named is None:
        if not played:
            message = _("there is no game to analyse in {home}").format(
                home=shown_path(str(home.path))
            )
            raise Refusal(message, hint=_("name a game file, or play a game first"))
        return played[0].file
    meant = [one for one in played if one.id.hex().startswith(named.lower())]
    if len(meant) != 1:
        message = _("{name} is neither a file nor the beginning of one table's id")
        raise Refusal(
            message.format(name=shown_path(named)),
            hint=_("`p2pfruit history` lists your games"),
            code=USAGE,
        )
    return meant[0].file


def _with_files(home: "Home") -> list["PlayedTable"]:
    store = home.look()
    if store is None:
        return []
    with store:
        played = store.history()
    return [one for one in played if one.ended is not None and one.file]


# Progress, on a terminal.


def show_progress(done: int, count: int) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        words = _("the expert thinks: decision {done} of {count}")
        line = words.format(done=done + 1, count=count)
        print(f"\r{line}\x1b[K\r", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


# All games.


def _analyse_all(arguments: argparse.Namespace, home: "Home") -> int:
    """Analyse what is not analysed yet, the newest game first, and say what was found."""
    from p2pfruit.home import verification
    from p2pfruit.replay.analyst import own
    from p2pfruit.replay.frames import Replay
    from p2pfruit.stats.counting import count
    from p2pfruit.stats.fields import analysed_fields
    from p2pfruit.stats.past import gather
    from p2pfruit.stats.words import analysed
    from protocol.file.gamefile import Refused
    from protocol.file.report import report

    if arguments.file is not None or arguments.seat is not None:
        hint = _("leave out one of them")
        raise Refusal(_("--all cannot be combined with a file or --seat"), hint=hint, code=USAGE)
    waiting = [one for one in _with_files(home) if "analysis" not in one.summary]
    for done, one in enumerate(waiting, 1):
        words = _("game {done} of {count}").format(done=done, count=len(waiting))
        if sys.stderr is not None and sys.stderr.isatty():
            say(words)
        try:
            table = verification.open_table(verification.load(one.file))
        except (OSError, Refused):
            continue
        analyst = own(Replay(table, report(table)), home)
        if analyst is not None:
            analyst.analyse(show_progress)
            clear_progress()
    found = count(gather(home).games).analysed
    if arguments.json:
        print(json.dumps(analysed_fields(found)))
    else:
        print(analysed(found) or _("no game was analysed"))
    return FINE


# For programs.


def _fields(path: str, replay: "Replay", found: "Analysis") -> dict[str, Any]:
    from p2pfruit.replay.judged import remarks

    return {
        "file": path,
        "table": replay.report.roster.table.hex(),
        "game": replay.report.roster.game,
        "seat": found.seat,
        "player": replay.report.seats[found.seat],
        "name": replay.report.roster.players[replay.report.seats[found.seat]].name,
        "decisions": len(found.judged),
        "left_out": found.left_out,
        "clear": len(found.clear),
        "lost": found.lost,
        "different": [
            {
                "number": one.judged.decision.number,
                "round": one.judged.decision.round,
                "frame": one.frame,
                "played": str(one.judged.decision.played),
                "choice": str(one.judged.choice),
                "points": one.judged.points,
                "error": one.judged.error,
                "clear": one.judged.clear,
                "cut": one.judged.cut,
                "text": one.text,
            }
            for one in remarks(replay, found)
        ],
    }
