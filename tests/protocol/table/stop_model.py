"""A small world of players who answer one step, stop it, or go on, in every order of events.

Everybody owes an answer. A player who waits for others may stop the table at any moment; a player
who holds all answers, or the stops that excuse them, goes on to the next step. Any entry may reach
any player at any moment, or never. A liar may say at any moment that it has seen any part of what
there is.

    verdict    what a reader of these feeds concludes of the step, by protocol.table.agreement
    every      all that can be written, each with all that each honest player may hold of it

Honest players may stop without having heard of each other. What must hold all the same: whoever
went on with another honest player is never told afterwards that the step ended otherwise; and when
all is known, an honest player who stopped the only other one finds in the verdict what it knew.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from protocol.table.agreement import stopped

ANSWER, STOP, ON = "answer", "stop", "on"


class Said(NamedTuple):
    kind: str
    seen: tuple[int, ...]  # of each feed, how many entries its author had acted on


Feed = tuple[Said, ...]
Feeds = tuple[Feed, ...]
Rule = Callable[
    [
        Collection[int],
        Mapping[int, Sequence[int]],
        Mapping[int, int],
        Callable[[int, int], Collection[int]],
    ],
    tuple[int, int] | None,
]


class Verdict(NamedTuple):
    """How the step ended: the feeds that closed it, or the only player left, with its cut."""

    answers: tuple[bool, ...] | None = None  # who answered, if the step is closed
    over: tuple[int, int] | None = None


class Flaw(Exception):
    """The rule has failed."""


@dataclass(frozen=True)
class World:
    players: int
    liar: int = -1
    rule: Rule = stopped

    def __str__(self) -> str:
        return f"{self.players} players, liar {self.liar}, {self.rule.__name__}"

    def honest(self) -> list[int]:
        return [player for player in range(self.players) if player != self.liar]

    # What a reader concludes.

    def verdict(self, feeds: Feeds) -> Verdict:
        stops = {p: _stop(feed) for p, feed in enumerate(feeds)}
        owed = {x for p, s in stops.items() if s is not None for x in self._about(p, feeds, s)}
        there = [p for p in range(self.players) if stops[p] is None]
        answered = {p: 1 for p, feed in enumerate(feeds) if feed and feed[0].kind == ANSWER}
        nothing = (0,) * self.players
        over = self.rule(
            owed,
            {p: feed[-1].seen if feed else nothing for p, feed in enumerate(feeds)},
            answered,
            lambda last, _cut: [p for p in there if p != last],
        )
        if over is not None:
            return Verdict(over=over)
        if all(p in answered or stops[p] is not None for p in range(self.players)):
            return Verdict(answers=tuple(p in answered for p in range(self.players)))
        return Verdict()

    def _about(self, author: int, feeds: Feeds, stop: Said) -> list[int]:
        owing = [p for p in range(self.players) if self._owed(p, author, feeds, stop)]
        return [] if author in owing else owing

    def _owed(self, player: int, author: int, feeds: Feeds, stop: Said) -> bool:
        known = feeds[player][: len(feeds[author]) - 1 if player == author else stop.seen[player]]
        return not any(said.kind in (ANSWER, STOP) for said in known)

    # What players do.

    def writings(self, player: int, held: Feeds) -> Iterator[Said]:
        mine = held[player]
        if mine and mine[-1].kind in (STOP, ON):
            return
        seen = tuple([0 if p == player else len(feed) for p, feed in enumerate(held)])
        if not mine:
            yield Said(ANSWER, seen)
            return
        found = self.verdict(held)
        if found.over is not None:
            return
        if found.answers is not None:
            yield Said(ON, seen)
        else:
            yield Said(STOP, seen)

    def lies(self, feeds: Feeds) -> Iterator[Said]:
        mine = feeds[self.liar]
        if mine and mine[-1].kind == STOP:
            return
        ranges = [range(1 if p == self.liar else len(f) + 1) for p, f in enumerate(feeds)]
        for seen in product(*ranges):
            if all(_covers(seen, said.seen) for said in mine):
                yield Said(STOP, seen)
                if not mine:
                    yield Said(ANSWER, seen)

    def every(self) -> Iterator[tuple[Feeds, tuple[Feeds, ...]]]:
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
        for player, held in enumerate(holdings):
            if player != self.liar:
                for author, feed in enumerate(feeds):
                    more = feed[: len(held[author]) + 1]
                    if more != held[author] and _within(more[-1], held, player):
                        yield feeds, _put(holdings, player, _put(held, author, more))
            sayings = self.lies(feeds) if player == self.liar else self.writings(player, held)
            for said in sayings:
                mine = (*feeds[player], said)
                yield _put(feeds, player, mine), _put(holdings, player, _put(held, player, mine))


def check(world: World) -> dict[str, int]:
    """Look at every state; return how often which things happened."""
    met: dict[str, int] = {}
    for feeds, holdings in world.every():
        found = world.verdict(feeds)
        on = [p for p in world.honest() if feeds[p] and feeds[p][-1].kind == ON]
        stops = [p for p in world.honest() if feeds[p] and feeds[p][-1].kind == STOP]
        word = "over" if found.over else "open" if found.answers is None else "closed"
        met[word] = met.get(word, 0) + 1
        closings = {world.verdict(holdings[p]).answers for p in on}
        if len(closings) > 1:
            raise Flaw("closed in two ways", feeds, closings)
        if len(on) > 1 and found.answers not in closings:
            raise Flaw("turned for players who went on together", feeds, found)
        if len(on) == 1 and found.answers not in closings and found.over is None:
            raise Flaw("turned into nothing", feeds, found)
        if found.over is not None and found.over[0] not in [*on, world.liar] and on:
            raise Flaw("over for players who went on", feeds, found)
        _check_stoppers(world, feeds, holdings, stops, found)
    return met


def _check_stoppers(
    world: World, feeds: Feeds, holdings: Sequence[Feeds], stops: list[int], found: Verdict
) -> None:
    """If all honest players but one have stopped, what they knew stays what is said."""
    for player in stops:
        knew = world.verdict(holdings[player])
        if knew.over is not None and found.over is None:
            raise Flaw("a stop is taken back", feeds, knew, found)


def _stop(feed: Feed) -> Said | None:
    return feed[-1] if feed and feed[-1].kind == STOP else None


def _covers(seen: Sequence[int], before: Sequence[int]) -> bool:
    return all(new >= old for new, old in zip(seen, before, strict=True))


def _within(said: Said, held: Feeds, reader: int) -> bool:
    return all(
        n <= len(feed) or player == reader
        for player, (n, feed) in enumerate(zip(said.seen, held, strict=True))
    )


def _put(values: tuple, place: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:place], value, *values[place + 1 :])
