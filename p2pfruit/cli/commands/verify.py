"""p2pfruit verify: checks game and series files and prints what they prove.

It needs no network or secrets.
"""

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from p2pfruit import limits
from p2pfruit.cli.parser import Example
from p2pfruit.exits import (
    CONTRADICTING,
    FAILED,
    FINE,
    NOT_FINAL,
    OVER_BUDGET,
    USAGE,
    Refusal,
    complain,
)
from p2pfruit.language import text as _

if TYPE_CHECKING:
    from p2pfruit.replay.verify import Checked

# Files that contradict each other weigh more than a file that proves nothing, and such a file more
# than one that was not read, or not to its end.
PRECEDENCE = (CONTRADICTING, NOT_FINAL, OVER_BUDGET, FAILED, FINE)


def examples() -> list[Example]:
    return [
        ("p2pfruit verify game.fruit", _("check a game file and print what it proves")),
        ("p2pfruit verify mine.fruit theirs.fruit", _("read files of one table as one")),
        ("p2pfruit verify evening.series", _("check a series and print its standings")),
        ("p2pfruit verify --json *.fruit", _("print one JSON object for each file")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar=_("FILE"), help=_("a game file or series file; - is stdin")
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per file"))
    parser.add_argument(
        "--budget",
        type=int,
        metavar=_("SECONDS"),
        default=limits.VERIFY_BUDGET_S,
        help=_("processor time to spend on each file ({seconds})").format(
            seconds=limits.VERIFY_BUDGET_S
        ),
    )


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.home import others
    from p2pfruit.home.folder import Home
    from p2pfruit.home.verification import STDIN
    from p2pfruit.replay import series, together, verify

    if arguments.budget < 1:
        hint = _("use --budget {seconds}").format(seconds=limits.VERIFY_BUDGET_S)
        raise Refusal(_("--budget must be at least one second"), hint=hint, code=USAGE)
    if arguments.files.count(STDIN) > 1:
        hint = _("write the others to files")
        raise Refusal(_("standard input is one file, so - is used once"), hint=hint, code=USAGE)
    home = Home.find(arguments.home, os.environ)
    codes: set[int] = set()
    members, games, contracts = [], [], []
    show = _Shower(as_json=arguments.json)
    for path in arguments.files:
        opened = series.check(path, arguments.budget)
        contracts += [] if opened.signed is None else [opened.signed]
        for checked in opened.files:
            if not checked.inside:  # a game in a series is told with it
                show.file(checked)
                codes.add(checked.code)
            if checked.table is not None:
                others.notice(home, checked.table, checked.data)
            if (game := series.played(checked)) is not None:
                games.append((path, game))
            if (member := together.member(checked)) is not None:
                members.append(member)
    compared = together.compare(members, arguments.budget)
    judged = series.judge(contracts, games, compared)
    codes |= {one.code for one in compared} | {one.code for one in judged}
    if arguments.json:
        for line in [*map(together.as_json, compared), *map(series.as_json, judged)]:
            print(line, flush=True)
    else:
        verify.print_lines(together.as_lines(members, compared))
        for one in judged:
            show.lines(series.as_lines(one))
    return next(code for code in PRECEDENCE if code in codes)


class _Shower:
    """Prints the results of one file after the other."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._printed = False

    def file(self, checked: "Checked") -> None:
        from p2pfruit.replay import verify

        if checked.unreadable is not None:
            _complain_of(checked.path, checked.unreadable)
        if self._as_json:
            print(verify.as_json(checked), flush=True)
        elif checked.unreadable is None:
            self.lines(verify.as_lines(checked))

    def lines(self, lines: Sequence[str]) -> None:
        """Print lines, with an empty one before all but the first."""
        from p2pfruit.replay import verify

        verify.print_lines([*([""] if self._printed else []), *lines])
        self._printed = True


def _complain_of(path: str, error: OSError) -> None:
    from p2pfruit.home.verification import shown_file

    complain(
        _("cannot read {path}: {why}").format(path=shown_file(path), why=error.strerror),
        _("choose a game file that you can read"),
    )
