"""Late players in words: whose time runs out, who is being asked about them, and what comes of it.

Clocks are local, and what others are asked is known from their notes alone (docs/protocol.md,
section 17). Notes may overtake the entries that lead to their step. So nothing is told when a note
arrives: what is known is looked at again and again, and each change is told once, in one sentence.
"""

from collections.abc import Collection, Sequence

from p2pfruit import limits
from p2pfruit.language import text as _
from protocol.link.notes import ASKED
from protocol.peer.peer import Peer

# How far the time of the player at this program has run out.
FINE, RESERVE, SOON, OVER = range(4)


class Lateness:
    """`names` are the players' names, as they are shown."""

    def __init__(self, peer: Peer, names: Sequence[str]) -> None:
        self._peer = peer
        self._names = names
        self._step = -1
        self._stage = FINE
        self._asked: dict[int, tuple[int, ...]] = {}  # who is asked about whom, as it was told
        self._late: set[int] = set()  # players about whom somebody was asked

    # What is told.

    def look(self, now_ms: int | None = None) -> list[str]:
        """Return a sentence for each thing that has changed since the last look.

        Without the time, that is only what others have done.
        """
        lines = [*self._returned(), *self._asking()]
        return lines if now_ms is None else [*lines, *self._own(now_ms)]

    def asked_about(self, players: Collection[int]) -> None:
        """Note that the player at this program is asked about these players."""
        self._late.update(players)

    def told(self, players: Collection[int]) -> None:
        """Note that what has become of these players was told already."""
        self._late.difference_update(players)

    def _returned(self) -> list[str]:
        """Tell that players have answered about whom others, or this player, were asked."""
        table = self._peer.table
        begun = table.play.step != self._step
        self._late.difference_update(table.ended)
        back = {p for p in self._late if begun or p not in table.waiting_for}
        self._late -= back
        if begun:
            self._step, self._stage = table.play.step, FINE
            self._asked.clear()
        words = _("{names} answered after all: the game goes on with them")
        lines = [words.format(names=self.joined(sorted(back - {self._peer.me})))]
        mine = [_("your answer is sent: it counts unless all others have voted by now")]
        return lines * bool(back - {self._peer.me}) + mine * (self._peer.me in back)

    def _asking(self) -> list[str]:
        """Tell who is newly asked about whom, and who has replied that it waits."""
        lines = []
        mine = []
        for player, about in self._said().items():
            before = self._asked.get(player, ())
            if about == before:
                continue
            self._asked[player] = about
            self._late.update(about)
            if not about:
                words = _("{name} waits a while longer for {names}")
                if before == (self._peer.me,):
                    words = _("{name} waits a while longer for you")
                names = self.joined(before)
                lines.append(words.format(name=self._names[player], names=names))
            elif self._peer.me in about:
                mine.append(player)
            else:
                words = _("{name} is being asked whether to wait for {names}")
                lines.append(words.format(name=self._names[player], names=self.joined(about)))
        return [*lines, *([self._asked_about_me(mine)] if mine else [])]

    def _said(self) -> dict[int, tuple[int, ...]]:
        """Return about whom each other player says that it is asked in the running step."""
        peer, found = self._peer, {}
        waiting = set(peer.table.waiting_for)
        for player in range(len(self._names)):
            note = peer.notes.latest(player, ASKED)
            if note is None or player == peer.me:
                continue
            step, about = note.question
            if step == peer.table.play.step and waiting.issuperset(about):
                found[player] = about
        return found

    def _askers(self) -> list[int]:
        """Return the players who say that they are asked about the player at this program."""
        return [player for player, about in self._said().items() if self._peer.me in about]

    def _asked_about_me(self, players: Sequence[int]) -> str:
        words = _("{name} is being asked whether to wait for you; your move still counts")
        if len(players) > 1:
            words = _("{names} are being asked whether to wait for you; your move still counts")
        names = self.joined(players)
        return words.format(name=names, names=names)

    def _own(self, now_ms: int) -> list[str]:
        """Tell the player at this program how its time runs out, once for each stage."""
        before, self._stage = self._stage, self.stage(now_ms)
        if self._stage <= before or self._askers():
            return []
        return {
            RESERVE: [_("your time for this move is used up: now your reserve is running")],
            SOON: [_("soon the others are asked whether to wait for you")],
            OVER: [_("your time is over: the others may be asked whether to wait for you")],
        }[self._stage]

    # What is shown all the time.

    def stage(self, now_ms: int) -> int:
        """Return how far the player's own time has run out; FINE if no choice of it is waited for.

        With little time in all, half of it is left when the player is warned.
        """
        peer = self._peer
        if peer.me is None or not peer.asked:
            return FINE
        left = peer.clocks.time_left(peer.me, now_ms)
        if left is None:
            return FINE
        all_ms = left.limit_ms + left.reserve_ms
        if all_ms <= 0:
            return OVER
        if all_ms <= min(
            limits.LAST_CALL_MS, (all_ms + peer.clocks.waited_ms(peer.me, now_ms)) // 2
        ):
            return SOON
        return RESERVE if left.limit_ms <= 0 else FINE

    def alarm(self, now_ms: int) -> str:
        """Return what the player has to know at once: that it is running out of time."""
        me = self._peer.me
        if me is None or me not in self._peer.table.waiting_for:
            return ""
        votes = self._peer.table.ballots.current
        voters = [player for player in sorted(votes) if me in votes[player].named]
        if voters:
            words = _("voted to go on without you: {names}; your move still counts until all have")
            return words.format(names=self.joined(voters))
        if askers := self._askers():
            return self._asked_about_me(askers)
        return {
            SOON: _("soon the others are asked whether to wait for you"),
            OVER: _("your time is over: the others may be asked whether to wait for you"),
        }.get(self.stage(now_ms), "")

    def joined(self, players: Sequence[int]) -> str:
        """Return the names of players as one says them; this player is you."""
        me = self._peer.me
        names = [_("you") if player == me else self._names[player] for player in players]
        if len(names) < 2:
            return "".join(names)
        return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])
