"""What goes to stderr: lower case, no full stop, a hint where there is something to do."""

import sys

from p2pfruit.language import text as _


def complain(message: str, hint: str | None = None) -> None:
    say(_("error: {message}").format(message=message))
    if hint:
        say(_("hint: {hint}").format(hint=hint))


def say(line: str) -> None:
    if sys.stderr is not None:  # closed before we started
        print(line, file=sys.stderr)
