"""Chat at a table, as one player hears it.

Lines are shown, never obeyed, and bounded in width and number. A muted player is heard by all
others and not here. The same line again at once is counted with the first, and lines beyond what a
person types are left out. Nothing is left out in silence: the program says how many lines of a
player were not shown.

Muting stays on this machine: the others do not learn of it, and it ends with the table.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2pfruit import limits
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text.lookalikes import looks
from p2pfruit.text.safe import bounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One line of chat; `text` can be printed."""

    player: int
    text: str
    at_ms: int
    times: int = 1


class Unclear(Exception):
    """A typed name fits no other player, or more than one; the message says so."""


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Talk:
    """The chat of one table. `wanted`: the player wants to see it. There are no players before
    `begin` or `meet`. `mark`: stands before every line."""

    def __init__(
        self, *, wanted: bool = True, clock: Callable[[], int] = _now_ms, mark: str = ""
    ) -> None:
        self.wanted = wanted
        self._mark = mark
        self.allowed = True  # whether this table talks at all
        self.names: Sequence[str] = ()
        self.me: int | None = None
        self.unread = 0
        self._clock = clock
        self._spoken: deque[Spoken] = deque(maxlen=limits.CHAT_LINES_KEPT)
        self._muted: set[int] = set()
        self._unshown: list[int] = []  # by player: lines that were left out
        self._times_ms: list[deque[int]] = []  # by player: when its last lines were said

    def begin(self, names: Sequence[str], *, me: int | None, allowed: bool) -> None:
        """`names` can be printed, as shown_names has them. `me` is None for a spectator."""
        self.names = names
        self.me = me
        self.allowed = allowed
        self._unshown = [0] * len(names)
        self._times_ms = [deque(maxlen=limits.CHAT_AT_ONCE_MOST) for _name in names]

    def meet(self, name: str) -> int:
        """Return the number of one more player; the name can be printed."""
        self.names = [*self.names, name]
        self._unshown.append(0)
        self._times_ms.append(deque(maxlen=limits.CHAT_AT_ONCE_MOST))
        return len(self.names) - 1

    @property
    def spoken(self) -> Sequence[Spoken]:
        """Return the last lines that were shown, the newest at the end."""
        return self._spoken

    @property
    def lines(self) -> list[str]:
        """Return the same lines in words."""
        return [self.told(said) + (f" (×{said.times})" * (said.times > 1)) for said in self._spoken]

    def seen(self) -> None:
        """Note that the player has looked at every line."""
        self.unread = 0

    # Hearing.

    def heard(self, player: int, text: str) -> Spoken | None:
        """Return a line of another player as it is to be shown; None if it is not, or not again."""
        if not (self.allowed and self.wanted):
            return None
        said = self._line(player, text)
        if player in self._muted:
            self._unshown[player] += 1
        elif self._is_repeated(said):
            last = self._spoken[-1]
            self._spoken[-1] = replace(last, times=last.times + 1)
        elif self._is_flood(said):
            self._unshown[player] += 1
        else:
            self.unread += 1
            self._spoken.append(said)
            return said
        return None

    def mine(self, text: str) -> None:
        """Put what I have said myself among the others' lines."""
        if self.me is not None:
            self._spoken.append(self._line(self.me, text))

    def _line(self, player: int, text: str) -> Spoken:
        shown = bounded(text, limits.CHAT_WIDTH_MOST)
        return Spoken(player=player, text=shown, at_ms=self._clock())

    def _is_repeated(self, said: Spoken) -> bool:
        if not self._spoken:
            return False
        last = self._spoken[-1]
        soon = said.at_ms - last.at_ms < limits.CHAT_REPEAT_MS
        return soon and (last.player, last.text) == (said.player, said.text)

    def _is_flood(self, said: Spoken) -> bool:
        times = self._times_ms[said.player]
        full = len(times) == limits.CHAT_AT_ONCE_MOST
        if full and said.at_ms - times[0] < limits.CHAT_AT_ONCE_MS:
            return True
        times.append(said.at_ms)
        return False

    # Muting.

    @property
    def muted(self) -> frozenset[int]:
        return frozenset(self._muted)

    def mute(self, player: int) -> None:
        if player != self.me:
            self._muted.add(player)

    def unmute(self, player: int) -> None:
        self._muted.discard(player)

    def unshown(self, player: int) -> int:
        """Return how many lines of a player were left out since this was last asked."""
        count, self._unshown[player] = self._unshown[player], 0
        return count

    def find(self, typed: str) -> int:
        """Return the player who is meant by a number, a name or its beginning; raise Unclear if
        that is not exactly one other player."""
        others = [player for player in range(len(self.names)) if player != self.me]
        number = typed.removeprefix("#")
        if number.isascii() and number.isdecimal():
            found = [player for player in others if str(player) == number]
        else:
            found = self._named(typed, others)
        if len(found) != 1:
            who = ", ".join(f"[{player}] {self.names[player]}" for player in others)
            raise Unclear(_("who is meant? the others are {names}").format(names=who))
        return found[0]

    def _named(self, typed: str, others: Sequence[int]) -> list[int]:
        seen = _unquoted(typed)
        named = {player: _unquoted(self.names[player]) for player in others}
        whole = [player for player in others if named[player] == seen]
        return whole or [player for player in others if seen and named[player].startswith(seen)]

    # In words, for the person who types.

    def told(self, said: Spoken) -> str:
        return f"{self._mark}<{self.names[said.player]}> {said.text}"

    def told_again(self, said: Spoken) -> list[str]:
        """Say that a line was repeated."""
        if said.times == 1:
            return []
        times = plural("{count} time", "{count} times", said.times)
        return [_("{name} said that {times}").format(name=self.names[said.player], times=times)]

    def told_unshown(self, player: int) -> list[str]:
        """Say that lines of a player were left out."""
        if not (count := self.unshown(player)):
            return []
        lines = plural("{count} line", "{count} lines", count)
        return [_("not shown: {lines} of {name}").format(lines=lines, name=self.names[player])]

    def mute_typed(self, typed: str) -> list[str]:
        """Answer `mute NAME`; without a name, list the muted players."""
        if not typed or not self.names:
            return self._told_muted()
        try:
            player = self.find(typed)
        except Unclear as unclear:
            return [str(unclear)]
        self.mute(player)
        words = _("{name} is muted: what they say is not shown here, and they do not know")
        return [words.format(name=self.names[player])]

    def unmute_typed(self, typed: str) -> list[str]:
        """Answer `unmute NAME`; the name may be missing where only one player is muted."""
        if not typed and len(self._muted) != 1:
            return self._told_muted()
        try:
            [player] = [self.find(typed)] if typed else self._muted
        except Unclear as unclear:
            return [str(unclear)]
        self.unmute(player)
        heard = _("{name} is heard again").format(name=self.names[player])
        return [heard, *self.told_unshown(player)]

    def _told_muted(self) -> list[str]:
        if not self.names:
            return [_("the table has not begun yet")]
        if not self._muted:
            return [_("no player is muted; mute NAME hides what a player says")]
        names = ", ".join(self.names[player] for player in sorted(self._muted))
        return [_("muted: {names}; unmute NAME ends it").format(names=names)]


def _unquoted(name: str) -> str:
    """Return a name as it looks to the person who types it."""
    return looks(name.replace('"', ""))
