"""Whether a person sits at this terminal."""

import sys
from typing import TextIO


def terminal(stream: TextIO | None) -> bool:
    """Return True if the stream is a terminal; one that was closed before we started is None."""
    return stream is not None and stream.isatty()


def at_terminal() -> bool:
    """Return True if a person reads what we print, and types."""
    return terminal(sys.stdin) and terminal(sys.stdout)
