"""The shuffles of one player: those that it owes, and those that it makes ahead.

A shuffle with its proof is the longest work at a table. So it can be done in another thread, as
soon as it is known from which decks: while the player thinks about a choice that will carry it, or
while the proof of the shuffle before it is still being checked. Nothing of it is signed before the
table has come to exactly this shuffle: to these decks, under this key, in this step. Work that was
not begun elsewhere is done when it is needed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from protocol.codec import Value
from protocol.crypto.group import Point, encode_point
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import NOTHING, SHUFFLE
from protocol.table.judging import parse_shuffle
from protocol.table.table import Table

Body = tuple[Value, ...]
Work = Callable[[], None]


class _Task(NamedTuple):
    """A shuffle that is to be made: of these decks, for the players with this joint key.

    The transcripts tell the rest: the author, the step, whether it is owed or ahead.
    """

    transcripts: Sequence[Transcript]
    key: Point
    decks: Sequence[Deck]

    @property
    def name(self) -> bytes:
        """Return a hash of all that the shuffle depends on. With another name, it is another."""
        whole = sha256(encode_point(self.key))
        for transcript, deck in zip(self.transcripts, self.decks, strict=True):
            whole.update(transcript.digest() + sha256(deck.data).digest())
        return whole.digest()

    def make(self, source: SecretSource) -> Body:
        piles = []
        for transcript, deck in zip(self.transcripts, self.decks, strict=True):
            shuffled, proof = shuffle.shuffle(transcript.copy(), source, self.key, deck)
            piles.append((shuffled.data, proof))
        return tuple(piles)


class Shuffler:
    """Shuffles for one player. No player owes a shuffle ahead; without `ahead`, none is made."""

    def __init__(self, table: Table, me: int, source: SecretSource, *, ahead: bool) -> None:
        self._table = table
        self._me = me
        self._source = source
        self._ahead = ahead
        self._made: tuple[bytes, Body] = (NOTHING, ())  # the last one that another thread made
        self._under_way: set[bytes] = set()  # the names of those that other threads make
        self._trusted = NOTHING  # the entry for which `on_trust` was answered

    # What is signed.

    def owed(self) -> Body | None:
        """Return the shuffle that I owe; None while another thread makes it."""
        play = self._table.play
        transcripts = [play.shuffle_transcript(self._me, at) for at in range(len(play.decks))]
        return self._shuffled(_Task(transcripts, play.joint_key, play.decks))

    def hop(self) -> tuple[Body, ...]:
        """Return the hop that my answer to this step carries, if it may carry one.

        There is none while another thread makes it: no answer waits for a hop.
        """
        task = self._hop_task()
        body = None if task is None else self._shuffled(task)
        return () if body is None else (body,)

    # What can be done in another thread.

    def ahead(self) -> Work | None:
        """Return the work of making the hop that my answer to this step may carry, if any is left.

        It can be done while the player thinks.
        """
        task = self._hop_task()
        return None if task is None else self._work(task)

    def on_trust(self) -> Work | None:
        """Return the work of shuffling on top of a shuffle that is still being checked.

        It is there if I am to shuffle next, and is handed out once.
        """
        play = self._table.play
        if play.shuffles_next != self._me or self._me in self._table.ended:
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
                    return self._work(_Task(transcripts, play.joint_key, decks))
        return None

    # How it is done.

    def _hop_task(self) -> _Task | None:
        play = self._table.play
        hops = play.hops_so_far()
        if not self._ahead or play.hop_by(hops) != self._me:
            return None
        decks = play.hop_decks(hops)
        transcripts = [play.hop_transcript(self._me, hops, at) for at in range(len(decks))]
        return _Task(transcripts, play.joint_key, decks)

    def _shuffled(self, task: _Task) -> Body | None:
        name = task.name
        if name in self._under_way:
            return None
        made, body = self._made
        return body if made == name else task.make(self._source)

    def _work(self, task: _Task) -> Work | None:
        name = task.name
        if name in self._under_way or self._made[0] == name:
            return None
        self._under_way.add(name)

        def work() -> None:
            try:
                self._made = name, task.make(self._source)
            finally:
                self._under_way.discard(name)

        return work
