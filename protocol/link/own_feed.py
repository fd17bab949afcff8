"""My own feed after a crash: entries that I signed and lost, I must not sign again differently.

A peer that starts again waits until every other player has told what it holds of the peer's feed,
or until one has and the rest take too long. It also waits until all of these entries have arrived.
A player may lie about them. So the peer stops waiting for entries that no player shows within a
while, and believes each player only once.
"""

from collections.abc import Collection

from protocol import limits
from protocol.feed.entries import Head
from protocol.feed.feeds import Feeds


class OwnFeed:
    def __init__(self, feeds: Feeds, me: int, *, known: bool) -> None:
        self.known = known  # whether I hold all that I ever said; once True it stays True
        self._feeds = feeds
        self.me = me
        self._told: set[int] = set()
        self._first_ms: int | None = None
        self._claims: dict[Head, int] = {}  # ends that others hold, and since when I know of them

    def told(self, player: int, ends: Collection[Head], now_ms: int) -> None:
        """Note that a player claims to hold these ends of my feed."""
        if self.known or player in self._told:
            return
        self._told.add(player)
        if self._first_ms is None:
            self._first_ms = now_ms
        for head in ends:
            self._claims.setdefault(head, now_ms)

    def look(self, others: Collection[int], now_ms: int) -> None:
        """Find out whether my feed is known by now. `others` are the players to wait for."""
        if self.known:
            return
        self._claims = {
            head: since_ms
            for head, since_ms in self._claims.items()
            if not self._feeds.held(self.me, head) and now_ms - since_ms < limits.OWN_FEED_MS
        }
        self.known = not self._claims and self._heard(others, now_ms)

    def _heard(self, others: Collection[int], now_ms: int) -> bool:
        if self._told.issuperset(others):
            return True
        first_ms = self._first_ms
        return first_ms is not None and now_ms - first_ms >= limits.OWN_FEED_HEARD_MS
