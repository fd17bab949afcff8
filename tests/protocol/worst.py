"""Tables that liars make as costly as the limits allow.

Three players, or as many as there are seats, play a game. Then the liars add as many entries as a
feed may have, in the way that a reader finds hardest. What each of them costs is measured by
tests/bench/worst.py; how the cost grows is checked by tests/protocol/file/test_worst.py, which
counts and does not measure.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest

from engine import registry
from protocol.codec import Value, encode
from protocol.feed.entries import FORK, ID_SIZE, MOVE, NOTHING, VOTE, Entry, Head, Seen
from protocol.file.gamefile import MAGIC
from tests.protocol.tables import Room, Setup, secret

COUNT = 3
FORKER, LIAR, HONEST = range(COUNT)
NOTHING_SEEN: Seen = (None,) * COUNT
FAR = 10**6  # a step that no table reaches


@dataclass
class Worst:
    """Everything that was said at a table: the feeds, and the rivals of the forker's entries."""

    setup: Setup
    feeds: list[list[Entry]]
    rivals: list[Entry] = field(default_factory=list)  # in an order in which they can be held

    def __post_init__(self) -> None:
        self.played = max(map(len, self.feeds))

    def file(self) -> bytes:
        feeds = tuple([tuple([entry.data for entry in feed]) for feed in self.feeds])
        rivals = sorted(self.rivals, key=lambda entry: (entry.author, entry.seq, entry.id))
        roster = self.setup.roster.encode()
        return MAGIC + encode((roster, feeds, tuple([entry.data for entry in rivals])))

    def entries(self) -> Iterator[bytes]:
        """Yield all entries as they might arrive at a player: first the game, then all in turn."""
        yield from [entry.data for feed in self.feeds for entry in feed[: self.played]]
        rest = [feed[self.played :] for feed in [*self.feeds[1:], self.feeds[FORKER]]]
        for row in zip_longest(*rest, self.rivals):
            yield from [entry.data for entry in row if entry is not None]

    def sign(
        self,
        by: int,
        before: Entry | None,
        seen: Seen = NOTHING_SEEN,
        *,
        step: int = 0,
        kind: str = MOVE,
        body: tuple[Value, ...] = (),
    ) -> Entry:
        return Entry.sign(
            self.setup.identities[by],
            table=self.setup.roster.table,
            seq=0 if before is None else before.seq + 1,
            prev=NOTHING if before is None else before.id,
            seen=seen,
            step=step,
            kind=kind,
            body=body,
        )

    def fork(self, by: int, at: int = 0) -> None:
        """Sign another entry in this place of a feed."""
        entry = self.feeds[by][at]
        before = self.feeds[by][at - 1] if at else None
        self.rivals.append(self.sign(by, before, entry.seen, step=entry.step, body=(b"rival",)))

    def add(self, by: int, seen: Seen = NOTHING_SEEN, **said: object) -> Entry:
        feed = self.feeds[by]
        entry = self.sign(by, feed[-1] if feed else None, seen, **said)  # type: ignore[arg-type]
        feed.append(entry)
        return entry


def about_forker(head: Head | None) -> Seen:
    return tuple([head if player == FORKER else None for player in range(COUNT)])


@cache
def _played(game: str, count: int) -> tuple[Setup, tuple[tuple[Entry, ...], ...]]:
    setup = Setup(game, count)
    room = Room(setup.parties())
    room.run()
    return setup, tuple([tuple(feed) for feed in room.parties[0].table.read])


def played(game: str, count: int = COUNT) -> Worst:
    """A game that all have almost finished."""
    setup, feeds = _played(game, count)
    return Worst(setup, [list(feed[: 9 * len(feed) // 10]) for feed in feeds])


# The constructions. `most` is how many entries a feed may have.


def places(game: str, most: int) -> Worst:
    """The forker signs one rival, and the liar has seen every place of the feed in turn."""
    table = played(game)
    table.fork(FORKER)
    while len(table.feeds[FORKER]) < most - 1:
        table.add(FORKER, step=FAR)
    for entry in table.feeds[FORKER]:
        if len(table.feeds[LIAR]) < most:
            table.add(LIAR, about_forker(entry.head), step=FAR)
    return table


def comb(game: str, most: int) -> Worst:
    """The forker signs a rival at every place, and the liar has seen every place and rival."""
    table = played(game)
    while len(table.feeds[FORKER]) < most // 2:
        table.add(FORKER, step=FAR)
    for at in range(len(table.feeds[FORKER])):
        table.fork(FORKER, at)
    for entry in [*table.rivals, *table.feeds[FORKER]]:
        if len(table.feeds[LIAR]) < most:
            table.add(LIAR, about_forker(entry.head), step=FAR)
    return table


def ladder(game: str, most: int) -> Worst:
    """The forker goes on from every rival, so that each branch leaves the one before it."""
    table = played(game)
    last: Entry | None = table.feeds[FORKER][0]
    room = most - max(map(len, table.feeds))
    for at in range(room // 2):
        side = table.sign(FORKER, last, step=FAR, body=(at, 0))
        last = table.sign(FORKER, last, step=FAR, body=(at, 1))
        table.rivals += [side, last]
    for entry in table.rivals:
        table.add(LIAR, about_forker(entry.head), step=FAR)
    return table


def leaves(game: str, most: int) -> Worst:
    """The forker signs its first entry thousands of times, and the liar has seen each of them."""
    table = played(game)
    first = table.feeds[FORKER][0]
    for at in range(most - max(map(len, table.feeds))):
        table.rivals.append(table.sign(FORKER, None, first.seen, body=(at,)))
    for rival in table.rivals:
        table.add(LIAR, about_forker(rival.head), step=FAR)
    return table


def unknown(game: str, most: int) -> Worst:
    """Both liars have seen nothing but entries that do not exist."""
    table = played(game)
    for by in (FORKER, LIAR):
        while (at := len(table.feeds[by])) < most:
            heads = [Head(at, secret("unknown", by, at, p)[:ID_SIZE]) for p in range(COUNT)]
            seen = tuple([None if p == by else head for p, head in enumerate(heads)])
            table.add(by, seen, step=FAR)
    return table


def accusations(game: str, most: int) -> Worst:
    """The liar names a fork in every entry, and the evidence for it never comes, or comes last."""
    table = played(game)
    first = table.feeds[FORKER][0]
    table.fork(FORKER)
    [rival] = table.rivals
    while (at := len(table.feeds[LIAR])) < most:
        ids = sorted([rival.id, secret("missing", at)[:ID_SIZE]])
        table.add(LIAR, about_forker(first.head), step=FAR, kind=FORK, body=(FORKER, *ids))
    return table


def votes(game: str, most: int) -> Worst:
    """Both liars vote about every step that is closed, in every ballot."""
    table = played(game)
    last = max(entry.step for feed in table.feeds for entry in feed)
    heads = [feed[-1].head for feed in table.feeds]
    for by in (FORKER, LIAR):
        seen = tuple([None if p == by else head for p, head in enumerate(heads)])
        ballots = [(step, number) for step in range(last) for number in range(16)]
        for step, number in ballots[: most - len(table.feeds[by])]:
            table.add(by, seen, step=step, kind=VOTE, body=(number, None))
    return table


def crowd(game: str, most: int) -> Worst:
    """All players but one fork, and each has seen every place of every other feed in turn."""
    count = registry.build(game).seats[-1]
    table = played(game, count)
    liars = range(count - 1)
    for by in liars:
        table.fork(by)
    while any(len(table.feeds[by]) < most - 1 for by in liars):
        heads = [feed[-1].head for feed in table.feeds]
        for by in liars:
            if len(table.feeds[by]) < most - 1:
                seen = tuple([None if p == by else head for p, head in enumerate(heads)])
                table.add(by, seen, step=FAR)
    return table


def full_bodies(game: str, most: int) -> Worst:
    """Both liars fill their feeds with as many values as an entry may have."""
    table = played(game)
    body: tuple[Value, ...] = tuple([tuple([(b"ab",)] * 25) for _ in range(4)])
    for by in (FORKER, LIAR):
        while len(table.feeds[by]) < most:
            table.add(by, step=FAR, body=body)
    return table


Build = Callable[[str, int], Worst]
BUILDS: Sequence[Build] = (
    places,
    comb,
    ladder,
    leaves,
    unknown,
    accusations,
    votes,
    crowd,
    full_bodies,
)
