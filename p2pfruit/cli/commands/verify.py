"""p2pfruit verify: checks game files and prints what they prove. It needs no network or secrets."""

import argparse

from p2pfruit import limits
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FAILED, FINE, NOT_FINAL, OVER_BUDGET, USAGE, Refusal, complain
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path


def summary() -> str:
    return _("check game files and print what they prove")


def examples() -> list[Example]:
    return [
        ("p2pfruit verify game.fruit", _("check a game file and print what it proves")),
        ("p2pfruit verify --json *.fruit", _("print one JSON object for each file")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar=_("FILE"), help=_("a game file"))
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
    from p2pfruit.replay import verify

    if arguments.budget < 1:
        hint = _("use --budget {seconds}").format(seconds=limits.VERIFY_BUDGET_S)
        raise Refusal(_("--budget must be at least one second"), hint=hint, code=USAGE)
    codes: set[int] = set()
    identities = []
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
        codes.add(checked.code)
        if checked.identity is not None:
            identities.append(checked.identity)
    if not arguments.json:
        verify.print_lines(verify.compared(identities))
    # A file that proves nothing weighs more than one that was not read, or not to its end.
    return next(code for code in (NOT_FINAL, OVER_BUDGET, FAILED, FINE) if code in codes)


def _complain_of(path: str, error: OSError) -> None:
    complain(
        _("cannot read {path}: {why}").format(path=shown_path(path), why=error.strerror),
        _("choose a game file that you can read"),
    )
