"""The ways to the tables of a session from outside, while they are open."""

from collections.abc import Callable

import trio

from p2pfruit.home.ways import Ways
from p2pfruit.seat.node import Node


class OpenedWays:
    """`keep` saves ways that have changed."""

    def __init__(self, ways: Ways, keep: Callable[[Ways], None]) -> None:
        self._ways = ways
        self._keep = keep

    async def open(
        self, node: Node, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Open the ways to this node until this is cancelled; started when they are known."""
        self._keep(self._ways)
        task_status.started()
        await trio.sleep_forever()
