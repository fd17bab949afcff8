"""The links of one peer: who is at the other end, is it alive, and what waits to be sent.

- A link is alive while messages arrive over it. Both ends send a ping from time to time. A link
  that is silent for too long is dropped.
- The queue of messages other than entries is bounded. A link that cannot keep up is dropped.
- Useless messages (heard before, out of order, too many) and messages that only ask for something
  are counted. Some of them are natural. A link that brings little else is dropped.
- Two links of one identity from two runs of its program mean one of two things. Either one link is
  dead and this was not noticed yet, or a player runs two programs at once. The latter must not
  happen, because both would sign. The new link waits until the old one has answered or is silent
  for too long. If the old one answers, the new one is told that it has a twin.
"""

from collections import deque
from typing import NamedTuple

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.link.messages import Message, Ping, Pong, Twin, encode_message


class Drop(NamedTuple):
    """A link to be closed, with the reason."""

    link: int
    why: str


class Neighbour:
    """The other end of one link. `player` is its number in the roster, None for a spectator."""

    def __init__(self, link: int, player: int | None, instance: bytes, now_ms: int) -> None:
        self.link = link
        self.player = player
        self.instance = instance
        self.waiting: deque[bytes] = deque()
        self.round_trip_ms: int | None = None
        self.heard_ms = now_ms
        self.doubts: int | None = None  # a live link with the same identity, from another run
        self.doubted_ms = now_ms
        self._number = -1  # of the last ping
        self._asked_ms: int | None = None  # when that ping was sent; None once it is answered
        self._next_ms = now_ms
        self._useless = 0
        self._counted_ms = now_ms

    def queue(self, message: Message) -> bool:
        """Queue a message; return False if there was no room for it."""
        if len(self.waiting) == limits.WAITING_MOST:
            return False
        self.waiting.append(encode_message(message))
        return True

    def ask(self, now_ms: int) -> None:
        self._number += 1
        self._asked_ms = now_ms
        self._next_ms = now_ms + limits.KEEP_ALIVE_MS
        self.queue(Ping(self._number))

    def answered(self, pong: Pong, now_ms: int) -> bool:
        """Return True if this is the first answer to the last ping."""
        if self._asked_ms is None or self._number != pong.number:
            return False
        self.round_trip_ms = now_ms - self._asked_ms
        self._asked_ms = None
        return True

    def due(self, now_ms: int) -> bool:
        return now_ms >= self._next_ms

    def useless(self, now_ms: int) -> None:
        """Count a useless message. Raises RemoteProtocolError if there are too many."""
        forgiven = (now_ms - self._counted_ms) // limits.USELESS_EVERY_MS
        self._counted_ms += forgiven * limits.USELESS_EVERY_MS
        self._useless = max(0, self._useless - forgiven) + 1
        if self._useless > limits.USELESS_MOST:
            raise RemoteProtocolError("flood", "brings too many useless messages")


class Neighbours:
    def __init__(self) -> None:
        self.by_link: dict[int, Neighbour] = {}
        self.drops: list[Drop] = []

    def open(self, neighbour: Neighbour, now_ms: int) -> bool:
        """Add a new link; return True if it may be used at once."""
        self.by_link[neighbour.link] = neighbour
        return self._believe(neighbour, now_ms)

    def _believe(self, new: Neighbour, now_ms: int) -> bool:
        """Return True if there is no link from another run of its program; else ping that one."""
        old = self._rival(new)
        if old is None:
            new.doubts = None
            return True
        new.doubts = old.link
        new.doubted_ms = now_ms
        old.ask(now_ms)
        return False

    def _rival(self, new: Neighbour) -> Neighbour | None:
        if new.player is None:
            return None
        for old in self.by_link.values():
            if old.player == new.player and old.instance != new.instance and old.doubts is None:
                return old
        return None

    def close(self, link: int, now_ms: int) -> list[Neighbour]:
        """Remove a link; return the neighbours that may be used now."""
        del self.by_link[link]
        waiting = [one for one in self.by_link.values() if one.doubts == link]
        return [one for one in waiting if self._believe(one, now_ms)]

    def usable(self) -> list[Neighbour]:
        return [one for one in self.by_link.values() if one.doubts is None]

    def players(self) -> frozenset[int]:
        """Return the players at the other ends."""
        return frozenset(one.player for one in self.usable() if one.player is not None)

    def drop(self, link: int, why: str) -> None:
        self.drops.append(Drop(link, why))

    def tell(self, neighbour: Neighbour, message: Message) -> None:
        if not neighbour.queue(message):
            self.drop(neighbour.link, "cannot keep up")

    def answered(self, neighbour: Neighbour, pong: Pong, now_ms: int) -> bool:
        """Return True if this pong answers a ping.

        The player at this link is alive then, so a new link that waits for it comes from a twin.
        """
        if not neighbour.answered(pong, now_ms):
            return False
        for twin in self.by_link.values():
            if twin.doubts == neighbour.link:
                twin.queue(Twin())
                self.drop(twin.link, "a second program with this identity")
        return True

    def tick(self, now_ms: int) -> list[Neighbour]:
        """Drop dead links, send due pings, and return the neighbours that were sent one.

        The caller tells these again what it holds.
        """
        for one in list(self.by_link.values()):
            if now_ms - one.heard_ms > limits.DEAD_MS:
                self.drop(one.link, "silent")
            elif one.doubts is not None:
                old = self.by_link[one.doubts]
                if now_ms - max(old.heard_ms, one.doubted_ms) > limits.DOUBT_MS:
                    self.drop(old.link, "silent, and its player has come back")
        due = [one for one in self.usable() if one.due(now_ms)]
        for one in due:
            one.ask(now_ms)
        return due
