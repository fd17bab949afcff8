"""Exit codes, the ways to leave with one of them, and what is said on stderr.

Messages are in lower case and have no full stop; a hint says what to do next. While the full screen
is up nobody could read them: they are kept, and said when it is gone.
"""

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from p2pfruit.language import text as _

FINE = 0
FAILED = 1
USAGE = 2
NO_CONNECTION = 3
CHEATED = 4
ENDED_EARLY = 5
NOT_FINAL = 6
CONTRADICTING = 7
OVER_BUDGET = 8
INTERRUPTED = 130

Result = TypeVar("Result")


class Goodbye(Exception):
    """The player leaves: this is no error, but not the end that was meant."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Refusal(Exception):
    """A message for the person at the keyboard; the program ends with this code.

    Lower case, no full stop; `hint` says what to do next.
    """

    def __init__(self, message: str, *, hint: str | None = None, code: int = FAILED) -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code


# What is said on stderr.


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
    """Keep what is said meanwhile, and say it at the end."""
    global _kept  # noqa: PLW0603 - there is one terminal
    lines: list[str] = []
    _kept = lines
    try:
        yield
    finally:
        _kept = None
        for line in lines:
            say(line)


# The way out of trio: an error comes out as itself, not wrapped in groups.


def run_trio(main: Callable[[], Awaitable[Result]]) -> Result:
    import trio

    return unwrapped(lambda: trio.run(main))


def unwrapped(act: Callable[[], Result]) -> Result:
    """Raise the error of a group that matters most.

    An error meant for the person at the keyboard comes before the rest. An OSError is output that
    could not be written.
    """
    try:
        return act()
    except BaseExceptionGroup as group:
        found = list(leaves(group))
        for kind in (KeyboardInterrupt, Refusal, Goodbye, OSError):
            for leaf in found:
                if isinstance(leaf, kind):
                    raise leaf from None
        raise


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Return the errors in a group of groups."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error
