"""The walks of docs/design.md: read from the page, and walked by the program.

A walk is a heading "### Walk: …" and numbered steps. Each step begins with the file it passes
through, and names what is called there.
"""

import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from tests.repository.sources import ROOT

DESIGN = ROOT / "docs/design.md"
_WALK = re.compile(r"^### (Walk: [^\n]+)\n(.*?)(?=^#)", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^\d+\. `([^`]+)`(.*?)(?=^\d+\. |\Z)", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"`([A-Za-z_][\w.]*)`")


class Step(NamedTuple):
    file: str
    names: tuple[str, ...]  # functions, and methods as Class.method


def walks() -> dict[str, list[Step]]:
    """Return the steps of each walk by its title."""
    return {
        title: [Step(file, tuple(_NAME.findall(told))) for file, told in _STEP.findall(steps)]
        for title, steps in _WALK.findall(DESIGN.read_text("utf-8"))
    }


@contextmanager
def traced(steps: Sequence[Step]) -> Iterator[list[tuple[str, str]]]:
    """Collect the calls of what the steps name, in every thread, as (file, name)."""
    wanted = {
        (str(ROOT / step.file), name): (step.file, name) for step in steps for name in step.names
    }
    calls: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            code = frame.f_code
            found = wanted.get((code.co_filename, code.co_qualname))
            if found is not None:
                calls.append(found)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def first_missed(steps: Sequence[Step], calls: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the first name that is not called after all names before it; None if all are."""
    left = iter(calls)
    for step in steps:
        for name in step.names:
            if (step.file, name) not in left:
                return step.file, name
    return None
