"""The program in this process: quicker than one of its own, and all that most tests need.

That a command works in a process of its own is shown once each, in test_bad_terminals.py.
"""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from p2pfruit.cli.main import main


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


class _Pipe(io.TextIOWrapper):
    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, encoding="utf-8")

    def text(self) -> str:
        self.flush()
        return self._bytes.getvalue().decode()


def run(*arguments: str, typed: str | bytes = "") -> Done:
    """Run a command without a terminal; `typed` is what stands at its stdin."""
    before, out, err = sys.stdin, _Pipe(), _Pipe()
    if isinstance(typed, str):
        sys.stdin = io.StringIO(typed)
    else:
        sys.stdin = io.TextIOWrapper(io.BytesIO(typed))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(list(arguments))
    except SystemExit as left:  # argparse ends a program by itself
        code = int(str(left.code))
    finally:
        sys.stdin = before
    return Done(code, out.text(), err.text())
