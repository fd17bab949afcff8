"""Clocks: how long the table has been waiting for each player.

A clock runs only while its player owes something, including cryptographic duties. Each answer has a
limit: a long one for a choice that a person makes, a short one for what a peer does by itself. The
time that an answer takes beyond its limit comes out of the player's reserve, which lasts for the
whole game. When limit and reserve are used up, the others are asked what to do. If they wait, they
are asked again after each further limit, or sooner if one of them calls for a vote.

Times are whole milliseconds of the caller's clock, and never leave this peer: no entry contains
one, and no two peers need to agree on them.
"""

from typing import NamedTuple

from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Limits
from protocol.limits import DUTY_S, RESERVE_S, TIMES_S, TURN_S
from protocol.table.phases import Phase
from protocol.table.table import Table

CHOICES = (Phase.COMMITTING, Phase.MOVING)


def check_limits(limits: Limits) -> None:
    """Raise RemoteProtocolError if a table leaves its players no time to answer."""
    said = TIMES_S | dict(limits)
    if said[TURN_S] < 1 or said[DUTY_S] < 1:
        raise RemoteProtocolError("limits", "the table leaves no time to answer")


class _Running(NamedTuple):
    since_ms: int
    limit_ms: int


class TimeLeft(NamedTuple):
    """The time that a player has left: for this answer, and in reserve."""

    limit_ms: int
    reserve_ms: int


class Clocks:
    def __init__(self, table: Table) -> None:
        self._table = table
        said = TIMES_S | dict(table.roster.limits)
        self._turn_ms = 1000 * said[TURN_S]
        self._duty_ms = 1000 * said[DUTY_S]
        self._reserves = [1000 * said[RESERVE_S] for _ in table.roster.players]
        self.longest_ms = self._turn_ms + self._duty_ms + 1000 * said[RESERVE_S]  # for one answer
        self._running: dict[int, _Running] = {}
        self._patience: dict[int, int] = {}  # how much longer this player agreed to wait, by player
        self._step = -1

    def look(self, now_ms: int) -> None:
        """Start and stop clocks, according to the players for whom the table waits now."""
        table = self._table
        waiting = table.waiting_for
        if table.play.step != self._step:
            self._step = table.play.step
            self._stop(list(self._running), now_ms)
        self._stop([player for player in self._running if player not in waiting], now_ms)
        limit_ms = self._turn_ms if table.play.phase in CHOICES else self._duty_ms
        for player in waiting:
            self._running.setdefault(player, _Running(now_ms, limit_ms))

    def _stop(self, players: list[int], now_ms: int) -> None:
        for player in players:
            since_ms, limit_ms = self._running.pop(player)
            over_ms = max(0, now_ms - since_ms - limit_ms)
            self._reserves[player] = max(0, self._reserves[player] - over_ms)
            self._patience.pop(player, None)

    def waited_ms(self, player: int, now_ms: int) -> int:
        """Return how long the table has waited for this player; 0 if it owes nothing."""
        running = self._running.get(player)
        return 0 if running is None else now_ms - running.since_ms

    def time_left(self, player: int, now_ms: int) -> TimeLeft | None:
        """Return a player's limit and reserve, without what others have added to wait.

        It is None while this player owes nothing.
        """
        running = self._running.get(player)
        if running is None:
            return None
        limit_ms = running.since_ms + running.limit_ms - now_ms
        reserve_ms = self._reserves[player] + min(0, limit_ms)
        return TimeLeft(max(0, limit_ms), max(0, reserve_ms))

    def left_ms(self, player: int, now_ms: int) -> int | None:
        """Return the time until the others are asked; None while this player owes nothing."""
        running = self._running.get(player)
        if running is None:
            return None
        allowed = running.limit_ms + self._reserves[player] + self._patience.get(player, 0)
        return running.since_ms + allowed - now_ms

    def late(self, now_ms: int) -> tuple[int, ...]:
        """Return the players whose time is over."""
        left = {player: self.left_ms(player, now_ms) for player in self._running}
        return tuple(sorted(player for player, ms in left.items() if ms is not None and ms <= 0))

    def wait(self, now_ms: int, least_ms: int = 0) -> None:
        """Give every late player another limit from now on, or `least_ms` if that is more."""
        for player in self.late(now_ms):
            left_ms = self.left_ms(player, now_ms)
            assert left_ms is not None
            more = max(self._running[player].limit_ms, least_ms) - left_ms
            self._patience[player] = self._patience.get(player, 0) + more

    def slept(self, me: int | None, slept_ms: int, now_ms: int) -> None:
        """Begin anew with late players, because nobody listened to them for a while.

        Only my own clock has run on meanwhile, as it has for the others.
        """
        self.wait(now_ms)
        if me is not None and me in self._running:
            since_ms, limit_ms = self._running[me]
            self._running[me] = _Running(since_ms - slept_ms, limit_ms)

    def hurry(self) -> None:
        """Take back the extra time that was given to late players."""
        self._patience.clear()

    def next_ms(self, now_ms: int) -> int | None:
        """Return the time until the next player's time is over; None if no clock runs."""
        left = [ms for p in self._running if (ms := self.left_ms(p, now_ms)) is not None]
        return max(0, min(left)) if left else None
