"""The branches of feeds that fork: which of them is read, and how far.

Of a feed that forks, only the branch is read that most players acted on. A player acted on a place
if it says so when it answers the fork; until then, if an entry of it has seen that place, whether
this entry can be read or not. No honest player acts on two branches, and none acts on more of a
feed than it has said, until all have said so much. So what liars sign later turns nothing.
"""

from protocol.feed.entries import Entry, Head, Seen
from protocol.table.agreement import NOBODY, Players
from protocol.table.phases import Phase
from protocol.table.record import Record


class Branches(Record):
    # Of the reading before: how far the authors of feeds that ended had acted, if any feed forked.
    _ends: dict[int, Seen]

    def _on_way(self, player: int, sequels: list[Entry]) -> list[Entry]:
        """Choose among the entries of a forked feed the one that most players acted on, if any."""
        way, feed = self._way(player), self.feeds.feeds[player]
        if way is None or way.seq < sequels[0].seq:
            return []
        chosen = feed.before(feed.by_id[way.id], sequels[0].seq)
        return [entry for entry in sequels if entry is chosen]

    def _last_words(self, sequels: list[Entry]) -> list[Entry]:
        """Choose the signature of a forker, or what it said instead: no player acts on that."""
        words = [entry for entry in sequels if entry.step <= self.play.step]
        if self.play.phase is not Phase.SIGNING or not words:
            return []
        return [min(words, key=lambda entry: entry.id)]

    def _way(self, forker: int) -> Head | None:
        """Return the end of the branch of a feed that most players acted on.

        If I have said how far I acted on it, I go by what others have said. Of players whom I have
        named in the running ballot, I go by what I have read.
        """
        spoken = not self._watching and (self._seat, forker) in self._fork_answers
        named = NOBODY if self._watching else self.ballots.named_by(self._seat)
        acts = self._held_acts(forker, unsaid=not spoken, as_read=named)
        return self.feeds.feeds[forker].followed(acts)

    def _held_acts(
        self, forker: int, *, unsaid: bool = True, as_read: Players = NOBODY
    ) -> list[Head]:
        """Return for each other player the last place of a feed that it acted on.

        This includes acts in entries that cannot be read yet. If the author has said how far it
        acted on the feed, that is the place. If it has not, such acts count only if `unsaid` is
        True. Of the players in `as_read`, only what was read counts.
        """
        acts: list[Head] = []
        for player in range(len(self.read)):
            if player == forker:
                continue
            held: tuple[Head | None, ...] = ()
            if player in self.ended or player in as_read:
                pass  # and was read to its end, or as far as it may be
            elif self.feeds.forks(player):
                held = self.feeds.acted_by_forker(player, forker) if unsaid else ()
            elif player in self._ends:
                held = (self._ends[player][forker],)
            else:
                held = self.feeds.acted_by(player, forker, unsaid=unsaid)
            known = [head for head in (*held, self._acted_on(player, forker)) if head is not None]
            acts += [max(known)] if known else []
        return acts

    def _acts(self, forker: int) -> list[Head]:
        """Return the places of a feed that other players acted on with what was read of them."""
        others = [player for player in range(len(self.read)) if player != forker]
        acts = [self._acted_on(player, forker) for player in others]
        return [act for act in acts if act is not None]
