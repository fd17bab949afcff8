"""One step at which players answer, vote, leave, answer forks and go on, in every order of events.

Some players owe an answer. Liars say what a script says, and a liar with two branches has forked.
All others are honest. Any entry may reach any player at any moment, or never, after those before it
in its feed. `Reading` says what a reader makes of the entries that it holds, by these rules:

Reading. Each feed is read in order; an entry is read when all that its author had seen was read. Of
a forked feed, the branch is read that most players acted on, as far as they did. A player acted on
what its entries have seen, held or read; but if it has answered the fork, on what it says there.

Ballots. A vote names the player who alone holds up the step, or none. Entries of the next step say
"none". A ballot drops a player if all others have named it or have gone, and two have named it. It
has failed if it can drop no player any more.

Forkers. A ballot about a player does not wait for a forker, but for the answers of all others to
the fork, even unread, and even beyond the place where a feed was cut. Then the forker has said what
its first vote says up to the highest place of the answers, and has left. It counts as a forker if
one of the others said so who was still in the step, or if all of them say so; also if it has left.

Ends. The feed of a dropped player ends at the highest place that the others have seen. If it holds
up to there what the player owed, the vote lapses. A player owes its answer, and its word about each
forker who owes and has not answered up to the place that counts in this ballot.

Seats. A player who has named another reads no more of that feed until the ballot is decided. Of the
unread entries there, votes and leaves count if a reader without a seat reads them, and nothing
else. A player who has answered a fork reads no more of the forked feed than others say they acted
on.

A player who holds two branches answers the fork before it says anything else, in whichever step it
is by then.

    forked_step_ballots.py   what is said, and how ballots are counted; rules that are wrong
    forked_step_reading.py   what a reader makes of what it holds
    explore                  all that can be said, each player holding any part of it

What must hold when all is said and heard: every honest player who still sits there has closed the
step as a reader without a seat does, or knows with it that the step is open; nobody has gone on
otherwise; and no honest player is found to have said something bad, at any time. If players acted
on two branches of a feed, the table is split, and nothing more is asked of it.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product

from tests.protocol.table.agreement_check import Flaw
from tests.protocol.table.forked_step_ballots import (
    ANSWER,
    FORK,
    LEAVE,
    ON,
    VOTE,
    Feeds,
    Place,
    Said,
    World,
)
from tests.protocol.table.forked_step_reading import BAD, FORKED, GONE, ReadAgain, Reading


def options(view: Reading) -> Iterator[Said]:
    """Yield everything that an honest player may say, who sees the table in this way."""
    me, world = view.seat, view.world
    assert me is not None
    mine = view.held[me][0]
    if view.read[me].length < len(mine) or me in view.ended or view.split:
        return
    # After the first entry of the next step, only acts on forked feeds matter.
    told = world.forkers if any(said.outcome for said in mine) else view.players
    seen = tuple([place if p in told and p != me else Place() for p, place in enumerate(view.read)])
    for forker in [f for f in view.rivals if (me, f) not in view.words][:1]:
        yield Said(FORK, seen, about=forker, outcome=view.outcome)
        if not world.rules.forks_can_wait:
            return
    if view.outcome:
        if not any(said.kind == ON for said in mine):
            yield Said(ON, seen, outcome=view.outcome)
        elif me in world.leaving:
            yield Said(LEAVE, seen, outcome=view.outcome)
        return
    if me in view.open_answers() and me not in world.silent:
        yield Said(ANSWER, seen)
    if me in world.leaving:
        yield Said(LEAVE, seen)
    waiting = view.waiting_for()
    if not waiting or me in waiting or me in view.ballots[-1] or view.number >= world.ballots:
        return
    if me in world.keeping:
        yield Said(VOTE, seen, view.number)
    voters = set(view.players) - waiting - view.ended.keys() - view.accused
    if len(waiting) == 1 and len(voters) > 1:
        yield Said(VOTE, seen, view.number, min(waiting))


@dataclass
class Report:
    world: World
    states: int = 0
    sometimes: Counter[str] = field(default_factory=Counter)
    readings: dict[tuple[int | None, Feeds], Reading] = field(default_factory=dict, repr=False)
    sayings: dict[tuple[int, Feeds], tuple[Said, ...]] = field(default_factory=dict, repr=False)

    def reading(self, held: Feeds, seat: int | None = None) -> Reading:
        key = seat, held
        if key not in self.readings:
            self.readings[key] = self._read(held, seat)
        return self.readings[key]

    def _read(self, held: Feeds, seat: int | None) -> Reading:
        """Read until every feed ends where it ended in the reading before."""
        public = None if seat is None else self.reading(held)
        found = self._read_once(held, seat, public, {})
        for _ in range(2 * self.world.players - 1):
            ends = {p: found.acted_by(p) for p in found.ended}
            if not found.rivals or ends == found.ends:
                break
            found = self._read_once(held, seat, public, ends)
        return found

    def _read_once(
        self,
        held: Feeds,
        seat: int | None,
        public: Reading | None,
        ends: dict[int, tuple[Place, ...]],
    ) -> Reading:
        cuts: dict[int, int] = {}
        while True:
            found = Reading(self.world, held, seat, public, ends, cuts)
            try:
                found.run()
            except ReadAgain:
                continue
            return found

    def says(self, seat: int, held: Feeds) -> tuple[Said, ...]:
        key = seat, held
        if key not in self.sayings:
            self.sayings[key] = tuple(options(self.reading(held, seat)))
        return self.sayings[key]

    # Every order of events.

    def after(self, feeds: Feeds) -> Iterator[Feeds]:
        for seat in self.world.honest:
            sayings = {said for held in _holdings(seat, feeds) for said in self.says(seat, held)}
            for said in sorted(sayings):
                mine = (*feeds[seat][0], said)
                yield self._renamed((*feeds[:seat], (mine,), *feeds[seat + 1 :]))

    def _renamed(self, feeds: Feeds) -> Feeds:
        """Return one of the states that differ only in who is who among players who are alike."""
        alike = self.world.alike
        return min(
            [_rename(feeds, dict(zip(alike, to, strict=True))) for to in permutations(alike)]
        )

    # What must hold.

    def check(self, feeds: Feeds) -> None:
        public = self.reading(feeds)
        honest = self.world.honest
        views = {p: self.reading(feeds, p) for p in honest}
        for view in [public, *views.values()]:
            if any(view.ended.get(p) in (BAD, FORKED) for p in honest):
                raise Flaw("an honest player is blamed", feeds, view.seat)
        if public.split:
            self.sometimes["split"] += 1
        elif not any(self.says(p, feeds) for p in honest):
            self._check_end(feeds, public, views)

    def _check_end(self, feeds: Feeds, public: Reading, views: dict[int, Reading]) -> None:
        self.sometimes["closed" if public.outcome else "open"] += 1
        self.sometimes.update(public.ended.values())
        for player, view in views.items():
            said = feeds[player][0]
            if public.ended.get(player) == GONE or (said and said[-1].kind == LEAVE):
                continue
            if {one.outcome for one in said} - {(), public.outcome}:
                raise Flaw("a player has closed the step otherwise", feeds, player)
            if any(one.ballot > public.number for one in said):
                raise Flaw("a ballot has failed for one player", feeds, player)
            if (view.outcome, view.ended) != (public.outcome, public.ended) or view.split:
                raise Flaw("a player is stuck", feeds, player)


def explore(world: World) -> Report:
    """Check everything that can be said in a world, in every order."""
    report = Report(world)
    start = world.start()
    known, waiting = {start}, deque([start])
    while waiting:
        feeds = waiting.popleft()
        report.states += 1
        report.check(feeds)
        for new in report.after(feeds):
            if new not in known:
                known.add(new)
                waiting.append(new)
    return report


def _holdings(seat: int, feeds: Feeds) -> Iterator[Feeds]:
    """Yield what a player can hold of these feeds: at least what it had seen."""
    mine = feeds[seat][0]
    forks = [said.about for said in mine if said.kind == FORK]
    least = [max([Place(), *[said.seen[p] for said in mine]]) for p in range(len(feeds))]
    parts = []
    for player, branches in enumerate(feeds):
        lows = [
            max(player in forks, least[player].length if least[player].branch == n else 0)
            for n in range(len(branches))
        ]
        prefixes = [
            [entries[:length] for length in range(low, len(entries) + 1)]
            for low, entries in zip(lows, branches, strict=True)
        ]
        parts.append([branches] if player == seat else list(product(*prefixes)))
    return product(*parts)


def _rename(feeds: Feeds, names: dict[int, int]) -> Feeds:
    """Return the feeds with each player in the place of another."""
    order = [names.get(player, player) for player in range(len(feeds))]
    back = {new: old for old, new in names.items()}
    return tuple(
        [
            tuple(
                [
                    tuple(
                        [
                            said._replace(
                                seen=tuple([said.seen[p] for p in order]),
                                about=back.get(said.about, said.about),
                                outcome=tuple([said.outcome[p] for p in order if said.outcome]),
                            )
                            for said in entries
                        ]
                    )
                    for entries in feeds[player]
                ]
            )
            for player in order
        ]
    )
