"""A small world of peers that agree on who is absent, explored in every order of events.

One step is open. Some seats owe an answer to it; every seat may vote, answer, leave. What a peer
knows is a prefix of each feed, and what it does follows from what it knows, by the rules of
`protocol.table.agreement`. Nothing is delivered by a clock: any entry may reach any peer at any
moment, or never, as long as the entries of each author come in order and nothing comes before
what its author had acted on.

    every_delivery   the state is all feeds, and how much of each every peer holds
    every_writing    the state is the feeds alone. A peer holds something only when it uses it, in
                     order to write; whatever was written can still reach it later

The second has far fewer states and the same writings (a test compares the two).
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, permutations, product, takewhile
from typing import NamedTuple, TypeVar

from protocol.table.agreement import Ballot, Complete, Failed, Vote, tally

T = TypeVar("T")

ANSWER, LEAVE, VOTE = "answer", "leave", "vote"

Tally = Callable[[Ballot], Complete | Failed | None]


class Said(NamedTuple):
    kind: str
    seen: tuple[int, ...]  # of each owing feed, how many entries its author had acted on
    ballot: int = 0
    named: tuple[int, ...] = ()  # without a name it keeps every seat


Feed = tuple[Said, ...]
Feeds = tuple[Feed, ...]
Fate = str | int  # the kind of the entry that ended the step for a seat, or the cut of the ballot
Gone = tuple[tuple[int, int], ...]  # the seats that a ballot dropped, with their cuts


class View(NamedTuple):
    """What one peer makes of what it holds."""

    ballot: int  # the first that has not failed
    frozen: tuple[int, ...]  # the seats it named in that ballot: it acts on nothing more of them
    acted: tuple[int, ...]
    decided: Gone
    fates: tuple[Fate | None, ...]  # how the step ended for each seat


@dataclass(frozen=True, kw_only=True)
class World:
    """Who sits there, what they may do, and by which rules."""

    players: int
    ballots: int
    owing: tuple[int, ...] = (0,)
    leaving: frozenset[int] = frozenset()
    talking: frozenset[int] = frozenset()  # the owing seats that also vote
    most: int = 1  # how many seats may be dropped together
    arbitrary: int = -1  # the seat that says whatever it likes, though to everybody the same
    unjudged: bool = False  # it may even name seats that by its own account owe nothing
    tally: Tally = tally
    freezing: bool = True
    overhearing: bool = False  # what the named seat says beside the step counts in spite of it
    catching_up: bool = False  # what others say counts only with all they had seen acted on
    foils: bool = True  # whether the answer of one of several named seats keeps them all
    lively: bool = True  # whether honest peers are expected never to get stuck
    views: dict[tuple[int, Feeds], View] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        told = [f"{self.players} players", f"{self.ballots} ballots", f"{self.tally.__name__}"]
        told += [f"{len(self.owing)} owe", f"{len(self.talking)} talk"]
        told += [f"{len(self.leaving)} leave", f"arbitrary {self.arbitrary}"]
        told += [
            word
            for word in ("unjudged", "freezing", "overhearing", "catching_up", "lively")
            if getattr(self, word)
        ]
        return ", ".join(told)

    @property
    def nothing(self) -> tuple[int, ...]:
        return (0,) * self.players

    def honest(self) -> list[int]:
        return [seat for seat in range(self.players) if seat != self.arbitrary]

    def alike(self) -> list[int]:
        return [seat for seat in self.honest() if seat not in self.owing]

    # What a peer knows and concludes.

    def view(self, seat: int, held: Feeds) -> View:
        key = seat, held
        if key not in self.views:
            self.views[key] = self._view(seat, held)
        return self.views[key]

    def _view(self, seat: int, held: Feeds) -> View:
        lengths = [len(feed) for feed in held]
        acted = [lengths[o] if o in self.owing else 0 for o in range(self.players)]
        ballot = 1
        frozen: tuple[int, ...] = ()
        decided: Gone = ()
        while ballot <= self.ballots:
            mine = next((s for s in held[seat] if s.ballot == ballot), None)
            named = mine.named if mine else ()
            heard = held
            if mine and self.freezing:
                for other in named:
                    heard = self._heard(seat, heard, other, mine.seen[other])
            result = self.count(ballot, heard)
            if isinstance(result, Complete) and not self.foiled(result, held):
                decided = tuple(sorted(result.cuts.items()))
                break
            if result is None:
                frozen = named
                break
            ballot += 1
        if self.freezing:
            for other in frozen:
                mine = next(s for s in held[seat] if s.ballot == ballot)
                acted[other] = mine.seen[other]
        for other, cut in decided:
            if closing(held[other]) >= cut:
                acted[other] = cut
        if held[seat] and held[seat][-1].kind == LEAVE:
            acted, decided = list(held[seat][-1].seen), ()
        acted[seat] = 0
        fates = [self._fate(seat, x, held, acted, decided) for x in range(self.players)]
        return View(ballot, frozen, tuple(acted), decided, tuple(fates))

    def foiled(self, result: Complete, held: Feeds) -> bool:
        """Return True if one of several named seats has answered within its cut."""
        cuts = result.cuts.items()
        return (
            self.foils and len(cuts) > 1 and any(closing(held[other]) < cut for other, cut in cuts)
        )

    def _heard(self, seat: int, held: Feeds, named: int, cut: int) -> Feeds:
        """What counts for somebody who named a seat at this cut."""
        if not self.overhearing:
            held = put(held, named, held[named][:cut])
        if not self.catching_up:
            return held
        return tuple(
            [
                feed
                if author == seat
                else tuple(takewhile(lambda said: said.seen[named] <= cut, feed))
                for author, feed in enumerate(held)
            ]
        )

    def _fate(
        self, seat: int, other: int, held: Feeds, acted: list[int], decided: Gone
    ) -> Fate | None:
        settled = closing(held[other])
        cuts = dict(decided)
        if other in cuts and settled >= cuts[other]:
            return cuts[other]
        if other in self.owing and settled < (len(held[other]) if other == seat else acted[other]):
            return held[other][settled].kind
        return None

    def count(self, ballot: int, held: Feeds) -> Complete | Failed | None:
        votes = {}
        for seat, feed in enumerate(held):
            for said in feed:
                if said.ballot == ballot:
                    votes[seat] = Vote(frozenset(said.named), said.seen)
        return self.tally(Ballot(range(self.players), votes, departed(held), most=self.most))

    # What a peer may do.

    def writings(self, seat: int, held: Feeds) -> Iterator[Said]:
        """Everything that an honest seat may write next, holding this."""
        mine = held[seat]
        view = self.view(seat, held)
        if (mine and mine[-1].kind == LEAVE) or view.decided:
            return
        if seat in self.owing and closing(mine) >= len(mine):
            yield Said(ANSWER, self.nothing)
        if seat in self.leaving:
            yield Said(LEAVE, view.acted)
        if seat in self.owing and seat not in self.talking:
            return
        ballot = 1 + sum(said.kind == VOTE for said in mine)
        if ballot > min(view.ballot, self.ballots):
            return
        yield Said(VOTE, view.acted, ballot)
        if ballot < view.ballot:
            return
        open_seats = tuple([x for x in self.owing if view.fates[x] is None])
        if 1 <= len(open_seats) <= self.most and seat not in open_seats:
            yield Said(VOTE, view.acted, ballot, open_seats)

    def mischief(self, feeds: Feeds) -> Iterator[Said]:
        """Everything that the arbitrary seat may write next."""
        mine = feeds[self.arbitrary]
        if mine and mine[-1].kind == LEAVE:
            return
        if self.arbitrary in self.owing and closing(mine) >= len(mine):
            yield Said(ANSWER, self.nothing)
        done = {said.ballot for said in mine}
        ranges = [
            range(len(feeds[o]) + 1 if o in self.owing and o != self.arbitrary else 1)
            for o in range(self.players)
        ]
        for seen in product(*ranges):
            yield Said(LEAVE, seen)
            for ballot in range(1, self.ballots + 1):
                if ballot not in done:
                    for named in ((), *self._nameable(feeds, seen)):
                        yield Said(VOTE, seen, ballot, named)

    def _nameable(self, feeds: Feeds, seen: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        """Whom the arbitrary seat can name without showing by what it has seen that it lies: an
        entry that shows it is bad and ends the feed, which is the same as leaving."""
        if self.unjudged:
            sizes = range(1, self.most + 1)
            return [named for size in sizes for named in combinations(range(self.players), size)]
        waiting = [
            x
            for x in self.owing
            if closing(feeds[x]) >= (len(feeds[x]) if x == self.arbitrary else seen[x])
        ]
        singles = [(x,) for x in self.owing if x != self.arbitrary and set(waiting) <= {x}]
        several = 1 < len(waiting) <= self.most and self.arbitrary not in waiting
        return [*singles, tuple(waiting)] if several else singles

    # Every order of events.

    def every_delivery(self) -> Iterator[tuple[Feeds, tuple[Feeds, ...]]]:
        """All states, each with what every peer holds of it."""
        empty: Feeds = ((),) * self.players
        start = (empty, (empty,) * self.players)
        known, waiting = {start}, deque([start])
        while waiting:
            state = waiting.popleft()
            yield state
            for after in self._after(*state):
                if after not in known:
                    known.add(after)
                    waiting.append(after)

    def _after(
        self, feeds: Feeds, holdings: tuple[Feeds, ...]
    ) -> Iterator[tuple[Feeds, tuple[Feeds, ...]]]:
        for seat, held in enumerate(holdings):
            if seat != self.arbitrary:
                for more in self.deliveries(seat, feeds, held):
                    yield feeds, put(holdings, seat, more)
                sayings = self.writings(seat, held)
            else:
                sayings = self.mischief(feeds)
            for said in sayings:
                mine = (*feeds[seat], said)
                yield put(feeds, seat, mine), put(holdings, seat, put(held, seat, mine))

    def deliveries(self, seat: int, feeds: Feeds, held: Feeds) -> Iterator[Feeds]:
        for author, feed in enumerate(feeds):
            had = len(held[author])
            if had < len(feed) and _within(feed[had], [len(f) for f in held], seat):
                yield put(held, author, feed[: had + 1])

    def every_writing(self) -> Iterator[Feeds]:
        """All states up to renaming seats that owe nothing."""
        alike = self.alike()
        start: Feeds = ((),) * self.players
        known, waiting = {start}, deque([start])
        while waiting:
            feeds = waiting.popleft()
            yield feeds
            for seat in range(self.players):
                if seat == self.arbitrary:
                    sayings = set(self.mischief(feeds))
                else:
                    sayings = self._any_writing(seat, feeds)
                for said in sorted(sayings):
                    after = renamed(put(feeds, seat, (*feeds[seat], said)), alike)
                    if after not in known:
                        known.add(after)
                        waiting.append(after)
        self.views.clear()

    def _any_writing(self, seat: int, feeds: Feeds) -> set[Said]:
        """What a seat may write next, whatever of these feeds it holds by now."""
        mine = feeds[seat]
        sayings: set[Said] = set()
        if mine and mine[-1].kind == LEAVE:
            return sayings
        voted = sum(said.kind == VOTE for said in mine)
        for held in self._holdings(seat, feeds, voted):
            if self.view(seat, held).ballot >= voted:
                sayings.update(self.writings(seat, held))
        return sayings

    def _holdings(self, seat: int, feeds: Feeds, voted: int) -> Iterator[Feeds]:
        """Enough of what a seat can hold to meet everything that can follow from it: any part of
        the feeds that owe, and of the others as much or as little as shows that ballots failed."""
        mine = feeds[seat]
        wild = [x for x in (*self.owing, self.arbitrary) if x not in (seat, -1)]
        least = [max((said.seen[x] for said in mine), default=0) for x in range(self.players)]
        for lengths in product(*[range(least[x], len(feeds[x]) + 1) for x in wild]):
            part = dict(zip(wild, lengths, strict=True))
            counts = [part.get(x, 0) for x in range(self.players)]
            if any(not _within(said, counts, seat) for x in wild for said in feeds[x][: counts[x]]):
                continue
            known = [
                feed[: part[x]]
                if x in part
                else feed
                if x == seat
                else tuple(takewhile(partial(_within, counts=counts, reader=seat), feed))
                for x, feed in enumerate(feeds)
            ]
            yield from {
                tuple(
                    [
                        feed if x in part or x == seat else _opening(feed, last, leaving)
                        for x, feed in enumerate(known)
                    ]
                )
                for last in range(voted - 1, voted + 2)
                for leaving in (False, True)
            }


def _opening(feed: Feed, ballot: int, leaving: bool) -> Feed:
    """A feed as far as it speaks of no later ballot, with or without that its author left."""
    for n, said in enumerate(feed):
        if said.ballot > ballot or (said.kind == LEAVE and not leaving):
            return feed[:n]
    return feed


def _within(said: Said, counts: Sequence[int], reader: int) -> bool:
    for author, seen in enumerate(said.seen):
        if seen > counts[author] and author != reader:
            return False
    return True


def departed(held: Feeds) -> dict[int, tuple[int, ...]]:
    return {
        seat: feed[-1].seen for seat, feed in enumerate(held) if feed and feed[-1].kind == LEAVE
    }


def closing(feed: Feed) -> int:
    """The place of the entry that was owed; leaving settles it too."""
    return next((n for n, said in enumerate(feed) if said.kind != VOTE), sys.maxsize)


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def renamed(feeds: Feeds, alike: list[int]) -> Feeds:
    """One of all the states that differ only in who is who among seats that are alike."""
    if not any(x in alike for feed in feeds for said in feed for x in said.named):
        ordered = iter(sorted(feeds[seat] for seat in alike))
        return tuple([next(ordered) if n in alike else feed for n, feed in enumerate(feeds)])
    return min(_rename(feeds, dict(zip(alike, new, strict=True))) for new in permutations(alike))


def _rename(feeds: Feeds, names: Mapping[int, int]) -> Feeds:
    """Nobody who is alike owes anything, so what was seen of them is never told."""
    renamed = list(feeds)
    for seat, feed in enumerate(feeds):
        renamed[names.get(seat, seat)] = tuple(
            [
                said._replace(named=tuple(sorted(names.get(x, x) for x in said.named)))
                for said in feed
            ]
        )
    return tuple(renamed)
