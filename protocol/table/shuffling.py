"""The shuffles of one player: those that it owes, and those that it makes ahead.

A shuffle with its proof is the longest work at a table. So it can be done in another thread, as
soon as it is known from which decks: while the player thinks about a choice that will carry it, or
while the proof of the shuffle before it is still being checked. Nothing of it is signed before the
table has come to exactly these decks. Work that was not begun elsewhere is done when it is needed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from protocol.codec import Value
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import NOTHING, SHUFFLE
from protocol.table.ahead import Hops
from protocol.table.judging import parse_shuffle
from protocol.table.table import Table

Body = tuple[Value, ...]
Work = Callable[[], None]


class Shuffler:
    """Shuffles for one player. No player owes a shuffle ahead; without `ahead`, none is made."""

    def __init__(self, table: Table, me: int, source: SecretSource, *, ahead: bool) -> None:
        self._table = table
        self._me = me
        self._source = source
        self._ahead = ahead
        # The last shuffle that was made: for which step and decks, and its body.
        self._made: tuple[Body, Body] = ((), ())
        self._under_way: Body = ()  # for which step and decks another thread makes one
        self._trusted = NOTHING  # the entry for which `on_trust` was answered

    # What is signed.

    def owed(self) -> Body | None:
        """Return the shuffle that I owe; None while another thread makes it."""
        play = self._table.play
        transcripts = [play.shuffle_transcript(self._me, at) for at in range(len(play.decks))]
        return self._shuffled(play.step, transcripts, play.decks)

    def hop(self) -> tuple[Body, ...]:
        """Return the hop that my answer to this step carries, if it may carry one."""
        hops = self._table.play.hops_so_far()
        if not self._may_hop(hops):
            return ()
        body = self._shuffled(*self._hop_from(hops))
        return () if body is None else (body,)

    # What can be done in another thread.

    def ahead(self) -> Work | None:
        """Return the work of making the hop that my answer to this step may carry, if any is left.

        It can be done while the player thinks.
        """
        hops = self._table.play.hops_so_far()
        return self._work(*self._hop_from(hops)) if self._may_hop(hops) else None

    def on_trust(self) -> Work | None:
        """Return the work of shuffling on top of a shuffle that is still being checked.

        It is there if I am to shuffle next, and is handed out once.
        """
        play = self._table.play
        if play.shuffles_next != self._me:
            return None
        [shuffler] = play.owing
        last = self._table.read[shuffler][-1].id
        for entry in self._table.feeds.feeds[shuffler].after.get(last, ())[:1]:
            if entry.id != self._trusted and entry.kind == SHUFFLE:
                self._trusted = entry.id
                with suppress(RemoteProtocolError):
                    decks, _ = parse_shuffle(play.decks, entry.body)
                    piles = range(len(decks))
                    transcripts = [play.shuffle_transcript(self._me, at, later=1) for at in piles]
                    return self._work(play.step + 1, transcripts, decks)
        return None

    # How it is done.

    def _may_hop(self, hops: Hops) -> bool:
        return self._ahead and self._table.play.hop_by(hops) == self._me

    def _hop_from(self, hops: Hops) -> tuple[int, list[Transcript], tuple[Deck, ...]]:
        play = self._table.play
        decks = play.hop_decks(hops)
        transcripts = [play.hop_transcript(self._me, hops, at) for at in range(len(decks))]
        return play.step, transcripts, decks

    def _shuffled(
        self, step: int, transcripts: Sequence[Transcript], decks: Sequence[Deck]
    ) -> Body | None:
        if self._under_way == _made_for(step, decks):
            return None
        if (work := self._work(step, transcripts, decks)) is not None:
            work()
        return self._made[1]

    def _work(
        self, step: int, transcripts: Sequence[Transcript], decks: Sequence[Deck]
    ) -> Work | None:
        key = self._table.play.joint_key
        made_for = self._under_way = _made_for(step, decks)
        if self._made[0] == made_for:
            self._under_way = ()
            return None

        def work() -> None:
            try:
                piles = []
                for transcript, deck in zip(transcripts, decks, strict=True):
                    shuffled, proof = shuffle.shuffle(transcript, self._source, key, deck)
                    piles.append((shuffled.data, proof))
                self._made = made_for, tuple(piles)
            finally:
                self._under_way = ()

        return work


def _made_for(step: int, decks: Sequence[Deck]) -> Body:
    return step, *[deck.data for deck in decks]
