"""What liars can make a reader do grows with what they have signed, and not with its square.

Every call of a function is counted, Python's own included. A table twice as large may cost twice as
much, and a little more for the logarithms.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import pytest

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.feeds import Feeds
from protocol.file import gamefile
from protocol.file.gamefile import Refused
from protocol.table.table import Table
from tests.protocol.worst import BUILDS, Build, Worst

GAME = "punnet"
SIZES = (60, 120, 240)
SLACK = 1.3


def calls(act: Callable[[], object]) -> int:
    count = 0

    def note(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def read(worst: Worst) -> None:
    with suppress(Refused):
        gamefile.read(worst.file())


def take(worst: Worst) -> None:
    table = Table(worst.setup.roster, worst.setup.game, len(worst.feeds) - 1)
    for data in worst.entries():
        with suppress(RemoteProtocolError):
            table.take(data)


WAYS = {
    "file": read,
    "player": take,
}


@pytest.mark.no_cover
@pytest.mark.parametrize(("build", "way"), [(build, way) for way in WAYS for build in BUILDS])
def test_the_cost_grows_with_the_entries(build: Build, way: str) -> None:
    tables = [build(GAME, size) for size in SIZES]
    small, middle, large = [calls(partial(WAYS[way], table)) for table in tables]
    assert large - middle <= 2 * SLACK * (middle - small)


@pytest.mark.no_cover
@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.__name__)
def test_every_entry_has_its_place(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """The constructions reach the limits of a feed; nothing is turned away at the door."""
    worst = build(GAME, 150)
    feeds = Feeds(worst.setup.roster, every_branch=True)
    monkeypatch.setattr(limits, "FEED_ENTRIES_MOST", 150)
    for data in worst.entries():
        feeds.accept(data)
