"""p2pfruit verify: checks game files and prints what they prove. It needs no network or secrets."""

import argparse
import os

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
from p2pfruit.text.safe import shown_path

# Files that contradict each other weigh more than a file that proves nothing, and such a file more
# than one that was not read, or not to its end.
PRECEDENCE = (CONTRADICTING, NOT_FINAL, OVER_BUDGET, FAILED, FINE)


def examples() -> list[Example]:
    return [
        ("p2pfruit verify game.fruit", _("check a game file and print what it proves")),
        ("p2pfruit verify mine.fruit theirs.fruit", _("read files of one table as one")),
        ("p2pfruit verify --json *.fruit", _("print one JSON object for each file")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar=_("FILE"), help=_("a game file; - is stdin"))
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
    from p2pfruit.replay import together, verify

    if arguments.budget < 1:
        hint = _("use --budget {seconds}").format(seconds=limits.VERIFY_BUDGET_S)
        raise Refusal(_("--budget must be at least one second"), hint=hint, code=USAGE)
    if arguments.files.count(STDIN) > 1:
        hint = _("write the others to files")
        raise Refusal(_("standard input is one file, so - is used once"), hint=hint, code=USAGE)
    home = Home.find(arguments.home, os.environ)
    codes: set[int] = set()
    members = []
    printed = False
    for path in arguments.files:
        checked = verify.check(path, arguments.budget)
        if checked.unreadable is not None:
            _complain_of(path, checked.unreadable)
        if arguments.json:
            print(verify.as_json(checked), flush=True)
        elif checked.unreadable is None:
            verify.print_lines([*([""] if printed else []), *verify.as_lines(checked)])
            printed = True
        if checked.table is not None:
            others.notice(home, checked.table, checked.data)
        codes.add(checked.code)
        if (member := together.member(checked)) is not None:
            members.append(member)
    found = together.compare(members, arguments.budget)
    codes |= {one.code for one in found}
    if arguments.json:
        for one in found:
            print(together.as_json(one), flush=True)
    else:
        verify.print_lines(together.as_lines(members, found))
    return next(code for code in PRECEDENCE if code in codes)


def _complain_of(path: str, error: OSError) -> None:
    complain(
        _("cannot read {path}: {why}").format(path=shown_path(path), why=error.strerror),
        _("choose a game file that you can read"),
    )
