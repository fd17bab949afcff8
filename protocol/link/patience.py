"""How long one end of a link waits for the other, and when it asks whether the other is there.

A link is pressed while its other end owes something (the peer knows what). Then silence is noticed
in seconds: the end that waits asks soon and again, and gives up after a short time. This time grows
with the round trips that were measured, and with links that were given up before, so that a slow
line is not given up again and again. A link through Tor or a relay always has the long time.

Bytes count for silence, and whole messages for asking: the other end may be busy sending one long
message for many seconds. It may be as long without a word from an end that only listens to that
message. So an end to which a part of one has come asks, too.
"""

from collections import deque

from protocol import limits


class Patience:
    """`trips`: the latest round trips with this player, over all links. `slow`: a long way."""

    def __init__(self, now_ms: int, trips: deque[int] | None = None, *, slow: bool = False) -> None:
        self.heard_ms = now_ms  # when the last byte came
        self.round_trip_ms: int | None = None
        self._trips: deque[int] = new_trips() if trips is None else trips
        self._slow = slow
        self._message_ms = now_ms  # when the last whole message came
        self._number = -1  # of the last ping
        self._asked: deque[tuple[int, int]] = deque(maxlen=limits.PINGS_REMEMBERED)
        self._asked_ms = now_ms  # when the last ping was sent
        self._next_ms = now_ms + limits.KEEP_ALIVE_MS

    def byte(self, at_ms: int) -> None:
        """Note when the last byte came."""
        self.heard_ms = max(self.heard_ms, at_ms)

    def message(self, now_ms: int) -> None:
        """Note that a whole message has come."""
        self.heard_ms = self._message_ms = now_ms

    def anew(self, now_ms: int) -> None:
        """Begin anew: this end did not listen until now."""
        self.message(now_ms)
        self._asked.clear()

    # Asking.

    def ask(self, now_ms: int) -> int:
        """Return the number of a ping that is sent now."""
        self._number += 1
        self._asked.append((self._number, now_ms))
        self._asked_ms = now_ms
        return self._number

    @property
    def asked(self) -> int:
        """Return the number of the last ping."""
        return self._number

    def answered(self, number: int, now_ms: int) -> bool:
        """Return True if this is the first answer to a ping, and to none before another answer."""
        while self._asked and self._asked[0][0] <= number <= self._number:
            asked, asked_ms = self._asked.popleft()
            if asked == number:
                self.round_trip_ms = now_ms - asked_ms
                self._trips.append(self.round_trip_ms)
                return True
        return False

    def due(self, now_ms: int) -> bool:
        """Return True if it is time for the ping that is sent in any case, and expect the next."""
        if now_ms < self._next_ms:
            return False
        self._next_ms = now_ms + limits.KEEP_ALIVE_MS
        return True

    def wants_sign(self, now_ms: int, pressed_ms: int | None) -> bool:
        """Return True if a ping is to be sent because no message has come for a while.

        `pressed_ms`: since when this link is pressed, if it is.
        """
        arriving = self.heard_ms > self._message_ms
        if not arriving and (pressed_ms is None or self._slow):
            return False
        return now_ms - max(self._message_ms, self._asked_ms) >= limits.QUIET_MS

    # Giving up.

    def dead(self, now_ms: int, pressed_ms: int | None) -> bool:
        """Return True if this link has been silent for too long. The caller gives it up then."""
        if now_ms - self.heard_ms > limits.DEAD_MS:
            return True
        if pressed_ms is None or self._slow:
            return False
        since_ms = max(self.heard_ms, pressed_ms)
        lost = [asked_ms for _number, asked_ms in self._asked if asked_ms >= since_ms]
        in_vain = bool(lost) and now_ms - lost[0] >= limits.ANSWER_MS
        if not in_vain or now_ms - since_ms < self.most_ms:
            return False
        self._trips.append(self.most_ms)  # the next link of the same player has more time
        return True

    @property
    def most_ms(self) -> int:
        """Return the longest silence of a pressed link."""
        longest = max(self._trips, default=0)
        patient = limits.PATIENCE_ROUND_TRIPS * longest
        return min(limits.DEAD_MS, max(limits.PRESSED_DEAD_MS, patient))


def new_trips() -> deque[int]:
    return deque(maxlen=limits.ROUND_TRIPS_KEPT)
