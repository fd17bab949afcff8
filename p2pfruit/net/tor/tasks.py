"""Tasks in the background of a block."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def background() -> AsyncIterator[trio.Nursery]:
    """Provide a nursery whose tasks are cancelled when the block is left.

    An error of the block, or of one task, comes out as itself: callers wait for a Refusal.
    """
    error: BaseException
    try:
        async with trio.open_nursery() as nursery:
            yield nursery
            nursery.cancel_scope.cancel()
        return
    except BaseExceptionGroup as group:
        error = group
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    raise error
