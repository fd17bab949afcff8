"""My own feed, after a crash: what I have said and lost, I must not say again otherwise.

Whoever starts again waits until every other player has told what they hold of its feed, or one has
and the rest take too long; and until all of that is here. A player may tell what is not true: what
nobody shows within a while is not waited for, and each is listened to once.
"""

from collections.abc import Collection

from protocol import limits
from protocol.feed.entries import Head
from protocol.feed.feeds import Feeds


class OwnFeed:
    def __init__(self, feeds: Feeds, me: int, *, known: bool) -> None:
        self.known = known  # whether I hold all that I ever said; stays so
        self._feeds = feeds
        self.me = me
        self._told: set[int] = set()
        self._first_ms: int | None = None
        self._claims: dict[Head, int] = {}  # ends that others hold, and since when I know

    def told(self, player: int, ends: Collection[Head], now_ms: int) -> None:
        """A player holds these ends of my feed."""
        if self.known or player in self._told:
            return
        self._told.add(player)
        if self._first_ms is None:
            self._first_ms = now_ms
        for head in ends:
            self._claims.setdefault(head, now_ms)

    def look(self, others: Collection[int], now_ms: int) -> None:
        """`others`: the players whose word is waited for."""
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
