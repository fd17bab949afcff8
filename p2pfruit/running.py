"""trio's way out: what went wrong inside comes out as itself, not wrapped in groups."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import TypeVar

import trio

from p2pfruit.exits import Goodbye, Refusal

Result = TypeVar("Result")


def run(main: Callable[[], Awaitable[Result]]) -> Result:
    """Runs it to its end."""
    return unwrapped(partial(trio.run, main))


def unwrapped(act: Callable[[], Result]) -> Result:
    """What is meant for the person at the keyboard comes before the rest; an OSError is output
    that nobody takes."""
    try:
        return act()
    except BaseExceptionGroup as group:
        leaves = list(_leaves(group))
        for kind in (KeyboardInterrupt, Refusal, Goodbye, OSError):
            for leaf in leaves:
                if isinstance(leaf, kind):
                    raise leaf from None
        raise


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
