"""p2pfruit verify: what game files prove, with no seat, no network and no secrets."""

import argparse

from p2pfruit.exits import FAILED, FINE, NOT_FINAL, complain
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path


def summary() -> str:
    return _("check game files and say what they prove")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar=_("FILE"), help=_("a game file"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line and file"))


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.replay import verify

    codes: set[int] = set()
    identities = []
    printed = False
    for path in arguments.files:
        checked = verify.check(path)
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
    # A file that is no proof weighs more than one that could not be looked at.
    return next(code for code in (NOT_FINAL, FAILED, FINE) if code in codes)


def _complain_of(path: str, error: OSError) -> None:
    complain(
        _("cannot read {path}: {why}").format(path=shown_path(path), why=error.strerror),
        _("name a game file that you can read"),
    )
