"""What goes to stderr: lower case, no full stop, a hint where there is something to do.

While the full screen is up nothing can be read there: it is kept, and said afterwards.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from p2pfruit.language import text as _


def complain(message: str, hint: str | None = None) -> None:
    say(_("error: {message}").format(message=message))
    if hint:
        say(_("hint: {hint}").format(hint=hint))


_kept: list[str] | None = None


def say(line: str) -> None:
    if _kept is not None:
        _kept.append(line)
    elif sys.stderr is not None:  # closed before we started
        print(line, file=sys.stderr)


@contextmanager
def deferred_stderr() -> Iterator[None]:
    """What is said meanwhile is said at the end."""
    global _kept  # noqa: PLW0603 - there is one terminal
    lines: list[str] = []
    _kept = lines
    try:
        yield
    finally:
        _kept = None
        for line in lines:
            say(line)
