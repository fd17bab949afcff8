"""The links of one peer: who is at the other end, is it alive, and what waits to be sent.

- A link is alive while bytes arrive over it. Both ends send a ping from time to time. A link that
  is silent for too long is dropped, and one whose other end owes something sooner (patience.py).
- The queue of messages other than entries is bounded. A link that cannot keep up is dropped.
- Useless messages (heard before, out of order, too many) and messages that only ask for something
  are counted. Some of them are natural. A link that brings little else is dropped.
- Two links of one identity from two runs of its program mean one of two things. Either one link is
  dead and this was not noticed yet, or a player runs two programs at once. The latter must not
  happen, because both would sign. The new link waits until the old one has answered or is silent
  for too long. If the old one answers, the new one is told that it has a twin.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.link.messages import Message, Ping, Pong, Twin, encode_message
from protocol.link.patience import Patience, new_trips


class Drop(NamedTuple):
    """A link to be closed, with the reason. `dead`: nothing that is sent over it arrives."""

    link: int
    why: str
    dead: bool = False


class Neighbour:
    """The other end of one link. `player` is its number in the roster, None for a spectator."""

    def __init__(
        self, link: int, player: int | None, instance: bytes, now_ms: int, patience: Patience
    ) -> None:
        self.link = link
        self.player = player
        self.instance = instance
        self.patience = patience
        self.waiting: deque[bytes] = deque()
        self.doubts: int | None = None  # a live link with the same identity, from another run
        self.doubted_ms = now_ms
        self.doubted_by = 0  # the number of the ping that the older link has to answer
        self._useless = 0
        self._counted_ms = now_ms

    def queue(self, message: Message) -> bool:
        """Queue a message; return False if there was no room for it."""
        if len(self.waiting) == limits.WAITING_MOST:
            return False
        self.waiting.append(encode_message(message))
        return True

    def ask(self, now_ms: int) -> None:
        self.queue(Ping(self.patience.ask(now_ms)))

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
        self._trips: dict[int, deque[int]] = {}  # the latest round trips, by player
        self._pressed_ms: int | None = None  # since when something is awaited of the players

    def open(
        self, link: int, player: int | None, instance: bytes, now_ms: int, *, slow: bool = False
    ) -> Neighbour:
        """Add a new link. If it `doubts` an older one, it may not be used yet."""
        trips = None if player is None else self._trips.setdefault(player, new_trips())
        patience = Patience(now_ms, trips, slow=slow)
        self.by_link[link] = neighbour = Neighbour(link, player, instance, now_ms, patience)
        self._believe(neighbour, now_ms)
        return neighbour

    def _believe(self, new: Neighbour, now_ms: int) -> bool:
        """Return True if there is no link from another run of its program; else ping that one."""
        old = self._rival(new)
        if old is None:
            new.doubts = None
            return True
        new.doubts = old.link
        new.doubted_ms = now_ms
        old.ask(now_ms)
        new.doubted_by = old.patience.asked
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

    def round_trips_ms(self) -> dict[int, int | None]:
        """Return how long an answer takes, for each player at another end."""
        usable = self.usable()
        return {one.player: one.patience.round_trip_ms for one in usable if one.player is not None}

    def heard(self, link: int, at_ms: int) -> None:
        """Note when the last byte came over a link, if it is still there."""
        if link in self.by_link:
            self.by_link[link].patience.byte(at_ms)

    def take_drops(self) -> list[Drop]:
        drops, self.drops = self.drops, []
        return drops

    def drop(self, link: int, why: str, *, dead: bool = False) -> None:
        self.drops.append(Drop(link, why, dead))

    def tell(self, neighbour: Neighbour, message: Message) -> None:
        if not neighbour.queue(message):
            self.drop(neighbour.link, "cannot keep up")

    def answered(self, neighbour: Neighbour, pong: Pong, now_ms: int) -> bool:
        """Return True if this pong answers a ping.

        If that was sent when a new link came, the player at this link is still alive, so the new
        link comes from a twin.
        """
        if not neighbour.patience.answered(pong.number, now_ms):
            return False
        for twin in self.by_link.values():
            if twin.doubts == neighbour.link and pong.number >= twin.doubted_by:
                twin.queue(Twin())
                self.drop(twin.link, "a second program with this identity")
        return True

    def press(self, now_ms: int, *, owing: bool) -> None:
        """Note whether something is awaited of the players, which may come over any link."""
        if not owing:
            self._pressed_ms = None
        elif self._pressed_ms is None:
            self._pressed_ms = now_ms

    def tick(
        self, now_ms: int, awaited_ms: Callable[[int], int | None] = lambda _link: None
    ) -> list[Neighbour]:
        """Drop dead links, send pings, and return the neighbours for which it was time.

        The caller tells these again what it holds. `awaited_ms` says since when the other end of a
        link owes an answer to what was sent over it, if it does.
        """

        def pressed_ms(one: Neighbour) -> int | None:
            if one.player is None or one.doubts is not None:
                return None
            since = [self._pressed_ms, awaited_ms(one.link)]
            return min([at_ms for at_ms in since if at_ms is not None], default=None)

        for one in list(self.by_link.values()):
            if one.patience.dead(now_ms, pressed_ms(one)):
                self.drop(one.link, "silent", dead=True)
            elif one.doubts is not None:
                old = self.by_link[one.doubts]
                if now_ms - max(old.patience.heard_ms, one.doubted_ms) > limits.DOUBT_MS:
                    self.drop(old.link, "silent, and its player has come back", dead=True)
        due = [one for one in self.usable() if one.patience.due(now_ms)]
        for one in self.usable():
            if one in due or one.patience.wants_sign(now_ms, pressed_ms(one)):
                one.ask(now_ms)
        return due

    def anew(self, now_ms: int) -> None:
        """Begin anew with all links: nobody listened to them until now."""
        for one in self.by_link.values():
            one.patience.anew(now_ms)
            one.doubted_ms = now_ms
