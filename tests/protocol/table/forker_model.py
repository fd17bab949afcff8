"""A ballot in which a player has forked, in every order of events.

Player 0 owes and is silent. Player 1 has forked: on each branch it says some things, and one of
them may be a vote. The others are honest. Each of them reads the forker's entries one by one, on
either branch; votes, naming player 0 or keeping it; says how far it acted on the forked feed once
it knows that there are two branches, and then acts on no more of it. What an honest player says
reaches the others at any time, in its order.

What must hold: honest players never come to different results, unless they have acted on different
branches; and when everything was said and heard, each of them has a result.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from protocol.table.agreement import Ballot, Complete, Failed, Forker, Players, Vote, tally
from tests.protocol.table.agreement_check import Flaw, Report
from tests.protocol.table.agreement_model import put

SILENT, FORKER = 0, 1

Branch = tuple[Players | None, ...]  # of each entry: the players whom it names, if it is a vote
Result = Complete | Failed | None
Rule = Callable[[Ballot], Result]


class Place(NamedTuple):
    """How far a player acted on the forked feed: so many entries of a branch."""

    branch: int = 0
    length: int = 0

    def agrees(self, other: "Place") -> bool:
        return self.branch == other.branch or 0 in (self.length, other.length)


class Said(NamedTuple):
    """What an honest player says: a vote, or how far it acted on the forked feed."""

    named: Players | None  # None answers the fork
    acted: Place


class Honest(NamedTuple):
    acted: Place = Place()
    said: tuple[Said, ...] = ()
    heard: tuple[int, ...] = ()  # how much of what each honest player said
    result: Players | None = None  # the players who are dropped, or none of them

    @property
    def voted(self) -> bool:
        return any(said.named is not None for said in self.said)

    @property
    def answered(self) -> bool:
        return any(said.named is None for said in self.said)


State = tuple[Honest, ...]


class World(NamedTuple):
    branches: tuple[Branch, Branch]
    honest: int = 2
    rule: Rule = tally
    forgetful: bool = False  # honest players say that they acted on less than they did

    @property
    def players(self) -> int:
        return self.honest + 2

    def start(self) -> State:
        return (Honest(heard=(0,) * self.honest),) * self.honest

    def after(self, state: State) -> Iterator[State]:
        for me, player in enumerate(state):
            for new in [*self._own(player), *self._hearings(state, me)]:
                changed = put(state, me, new)
                if new.result is None:
                    changed = put(changed, me, new._replace(result=self._result(changed, me)))
                yield changed

    def _own(self, player: Honest) -> Iterator[Honest]:
        acted, said = player.acted, player.said
        if not player.answered:
            for branch, entries in enumerate(self.branches):
                further = Place(branch, acted.length + 1)
                if acted.agrees(further) and further.length <= len(entries):
                    yield player._replace(acted=further)
            known = Place(acted.branch, 0) if self.forgetful else acted
            yield player._replace(said=(*said, Said(None, known)))
        if not player.voted:
            for named in (frozenset({SILENT}), frozenset[int]()):
                yield player._replace(said=(*said, Said(named, acted)))

    def _hearings(self, state: State, me: int) -> Iterator[Honest]:
        """The next word of another player, with what its author had seen, if I may act on that."""
        player = state[me]
        for other, speaker in enumerate(state):
            count = player.heard[other]
            if other == me or count == len(speaker.said):
                continue
            word = speaker.said[count]
            heard = player._replace(heard=put(player.heard, other, count + 1))
            if word.named is None or player.answered:
                yield heard
            elif player.acted.agrees(word.acted):
                yield heard._replace(
                    acted=max(player.acted, word.acted, key=lambda place: place.length)
                )

    def _result(self, state: State, me: int) -> Players | None:
        words = self._words(state, me)
        votes = {
            player + 2: Vote(word.named, [0] * self.players)
            for player, word in words
            if word.named is not None
        }
        answers = {player + 2: word.acted for player, word in words if word.named is None}
        if not answers:
            forker = self._votes(state[me].acted)
            votes |= {FORKER: forker[0][1]} if forker else {}
            return _dropped(self.rule(Ballot(range(self.players), votes, {})))
        acted = [*answers.values(), *[word.acted for _, word in words], state[me].acted]
        if any(not one.agrees(other) for one in acted for other in acted):
            return None  # the table is split
        end = max(acted, key=lambda place: place.length)
        seen = [[0] * self.players] * (end.length + 1)
        ends = {player: place.length for player, place in answers.items()}
        forkers = {FORKER: Forker(ends, self._votes(end), seen)}
        return _dropped(self.rule(Ballot(range(self.players), votes, {}, forkers)))

    def _words(self, state: State, me: int) -> list[tuple[int, Said]]:
        heard = put(state[me].heard, me, len(state[me].said))
        return [(p, word) for p, count in enumerate(heard) for word in state[p].said[:count]]

    def _votes(self, end: Place) -> list[tuple[int, Vote]]:
        said = self.branches[end.branch][: end.length]
        nothing = [0] * self.players
        return [(n, Vote(named, nothing)) for n, named in enumerate(said, 1) if named is not None]


def check_forker(world: World) -> Report:
    report = Report()
    start = world.start()
    known, waiting = {start}, deque([start])
    while waiting:
        state = waiting.popleft()
        report.states += 1
        after = list(world.after(state))
        _check(state, final=not after, met=report.sometimes)
        for new in after:
            if new not in known:
                known.add(new)
                waiting.append(new)
    return report


def _check(state: State, *, final: bool, met: Counter[str]) -> None:
    split = any(not one.acted.agrees(other.acted) for one in state for other in state)
    results = [player.result for player in state if player.result is not None]
    if split:
        met["split"] += final
    elif len(set(results)) > 1:
        raise Flaw("different results", state)
    elif final and len(results) < len(state):
        raise Flaw("no result", state)
    elif final:
        met["dropped" if results[0] else "kept"] += 1


def _dropped(result: Result) -> Players | None:
    if result is None:
        return None
    return result.named if isinstance(result, Complete) else frozenset()


# Rules that are wrong.


def only_those_who_have_not_forked(ballot: Ballot) -> Result:
    """A forker has no vote, for the reader who knows that it has forked."""
    left = {player: [0] * len(ballot.players) for player in ballot.forkers}
    return tally(ballot._replace(forkers={}, departed=left))


def everyone_is_asked(ballot: Ballot) -> Result:
    """The silent player is waited for, to say how far it acted on the forked feed."""
    asked = all(SILENT in forker.ends for forker in ballot.forkers.values())
    return tally(ballot) if asked else None


def every_vote_counts(ballot: Ballot) -> Result:
    """The votes of a forker count as they are known here, whatever others say about its feed."""
    known: Mapping[int, Vote] = {
        player: forker.votes[0][1] for player, forker in ballot.forkers.items() if forker.votes
    }
    return tally(ballot._replace(votes={**ballot.votes, **known}, forkers={}))
