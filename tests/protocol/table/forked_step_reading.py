"""What a reader makes of the entries that it holds, by the rules of forked_step_model.py."""

from collections.abc import Mapping, Sequence

from tests.protocol.table.forked_step_ballots import (
    ANSWER,
    FORK,
    LEAVE,
    NONE,
    VOTE,
    Ballot,
    Branch,
    Dropped,
    Feeds,
    Forker,
    Outcome,
    Place,
    Said,
    Vote,
    World,
    count,
)

LEFT, BAD, GONE, FORKED = "left", "bad", "gone", "forked"


class ReadAgain(Exception):
    """A feed was read further than it counts."""


class Reading:
    """What a reader makes of the entries that it holds: a player, or (None) one without a seat.

    `ends` is how far players acted, in the reading before, whose feeds had ended. `cuts` is where
    feeds end that were read too far at first.
    """

    def __init__(
        self,
        world: World,
        held: Feeds,
        seat: int | None,
        public: "Reading | None",
        ends: Mapping[int, tuple[Place, ...]],
        cuts: dict[int, int],
    ) -> None:
        self.world, self.held, self.seat, self.public = world, held, seat, public
        self.ends, self.cuts = ends, cuts
        self.players = range(world.players)
        self.rivals = [p for p, branches in enumerate(held) if len(branches) > 1 and all(branches)]
        self.read = [Place()] * world.players
        self.ended: dict[int, str] = {}
        self.shown_by: dict[int, dict[int, int]] = {}  # the counts of entries that show an end
        self.ballots: list[dict[int, Vote]] = [{}]
        self.answers: dict[int, Place] = {}
        self.words: dict[tuple[int, int], int] = {}  # where a player answers a fork
        self.heard: set[tuple[int, int]] = set()  # what counted in ballots that are decided
        self.overheard: set[tuple[int, int]] = set()
        self.reaching: dict[int, int] = {}
        self.replaying = seat is not None
        self.outcome: Outcome = ()
        self.split = False

    @property
    def accused(self) -> set[int]:
        return {forker for _, forker in self.words}

    @property
    def number(self) -> int:
        return len(self.ballots) - 1

    @property
    def watching(self) -> bool:
        return self.seat is None or self.seat in self.ended

    @property
    def named(self) -> int:
        """The player whom the reader has named in the running ballot."""
        vote = None if self.seat is None else self.ballots[-1].get(self.seat)
        return NONE if vote is None or self.watching else vote.named

    def forked(self, player: int) -> bool:
        return player in self.rivals

    def chain(self, player: int, place: Place) -> Branch:
        return self.held[player][place.branch][: place.length]

    def last(self, player: int) -> Branch:
        return self.chain(player, self.read[player])[-1:]

    def has(self, player: int, place: Place) -> bool:
        return place.length <= len(self.held[player][place.branch])

    def run(self) -> None:
        while not self.outcome:
            if self._read_some() or self._decide() or self._close():
                continue
            if not self.replaying:
                break
            self.replaying = False
        self.split = self._is_split()

    # Which entry is read next.

    def _read_some(self) -> bool:
        progress = False
        for player in self.players:
            while self._read_next(player):
                progress = True
        return progress

    def _read_next(self, player: int) -> bool:
        count, branch = self.read[player]
        if player in self.ended or not any(len(entries) > count for entries in self.held[player]):
            return False
        if self._frozen(player) or self._beyond_me(player):
            return False
        if self.forked(player):
            way = self._way(player)
            if way.length <= count or (count and way.branch != branch):
                return False
            branch = way.branch
        elif not count:
            branch = next((n for n, entries in enumerate(self.held[player]) if entries), 0)
        more = self.held[player][branch][count : count + 1]
        if not more or not self._ready(player, count, more[0]):
            return False
        self._take(player, Place(count + 1, branch), more[0])
        return True

    def _frozen(self, player: int) -> bool:
        for ends in (self.cuts, self.reaching):
            if player in ends:
                return self.read[player].length >= ends[player]
        return player == self.named

    def _beyond_me(self, player: int) -> bool:
        if not self.replaying or self.seat is None or player == self.seat:
            return False
        mine = self.held[self.seat][0][self.read[self.seat].length :]
        return bool(mine) and self.read[player].length >= mine[0].seen[player].length

    def _ready(self, player: int, at: int, said: Said) -> bool:
        if said.outcome or (said.kind == VOTE and said.ballot > self.number):
            return False
        mine = self.ballots[-1].get(player)
        if (
            mine
            and mine.named != NONE
            and said.seen[mine.named].length > mine.seen[mine.named].length
        ):
            return False
        forker = said.about if said.kind == FORK else NONE
        for other, place in enumerate(said.seen):
            if other in (player, forker) or place.leads_to(self.read[other]):
                continue
            beside = said.kind != ANSWER and player != self.seat
            if not (beside and self._held_back(other) and self.public is not None):
                return False
            if not Place(at + 1, self.read[player].branch).leads_to(self.public.read[player]):
                return False
        return forker == NONE or (self.forked(forker) and self.has(forker, said.seen[forker]))

    def _held_back(self, player: int) -> bool:
        if self.watching or player in self.ended:
            return False
        return self.forked(player) or self._frozen(player)

    def _way(self, forker: int) -> Place:
        spoken = not self.watching and (self.seat, forker) in self.words
        acts = [self._act(p, forker, unsaid=not spoken) for p in self.players if p != forker]
        return _followed(acts)

    def _act(self, player: int, forker: int, *, unsaid: bool = True) -> Place:
        """Return how far a player acted on a forked feed, by what is held of its own."""
        held = Place()
        as_read = player == self.named and not self.world.rules.unread_acts_lead
        if player in self.ended or as_read or self.forked(player):
            pass
        elif player in self.ends:
            held = self.ends[player][forker]
        else:
            entries = next((entries for entries in self.held[player] if entries), ())
            said = self._fork_answer(player, forker)
            if said is not None:
                held = entries[said].seen[forker]
            elif unsaid:
                places = [one.seen[forker] for one in entries if self.has(forker, one.seen[forker])]
                held = max(places, default=Place())
        return max(held, self.acted_by(player)[forker])

    def acted_by(self, player: int) -> tuple[Place, ...]:
        """Return how far a player acted on each feed with what was read of its own."""
        last = self.last(player)
        seen = last[0].seen if last else (Place(),) * len(self.players)
        return tuple(
            [
                self.held[player][self.read[player].branch][self.words[player, other]].seen[other]
                if (player, other) in self.words
                else place
                for other, place in enumerate(seen)
            ]
        )

    def _fork_answer(self, player: int, forker: int) -> int | None:
        """Return where a player answers a fork, if all is held to which it refers."""
        for at, said in enumerate(self.held[player][0] if not self.forked(player) else ()):
            if said.kind == FORK and said.about == forker:
                known = self.forked(forker) and self.has(forker, said.seen[forker])
                return at if known else None
        return None

    # What an entry says.

    def _take(self, player: int, place: Place, said: Said) -> None:
        bad = said.kind == VOTE and not self._may_name(player, place, said)
        if bad:
            self.ended[player] = BAD
        elif said.kind == VOTE:
            self.ballots[said.ballot][player] = Vote(said.about, said.seen)
        elif said.kind == FORK:
            self.words[player, said.about] = place.length - 1
        elif said.kind == LEAVE:
            self.ended[player] = LEFT
        else:
            self.answers[player] = place
        self.read[player] = place

    def _may_name(self, player: int, place: Place, said: Said) -> bool:
        if said.about == NONE:
            return True
        seen = list(said.seen)
        seen[player] = Place(place.length - 1, place.branch)
        judge = self
        if not self.watching and not all(p.leads_to(self.read[o]) for o, p in enumerate(said.seen)):
            assert self.public is not None
            judge = self.public
        owing = judge.holding_up(player, seen)
        return said.about != player and owing <= {said.about} <= owing | set(self.world.owing)

    def holding_up(self, player: int, seen: Sequence[Place]) -> set[int]:
        """Return the players who hold up the step, for an author who has seen this much."""
        silent = {p for p in self.world.owing if not self._done(p, seen)}
        excused = {f for f in self.players if self._has_answered(player, f, seen)}
        mute = {
            p
            for p in self.players
            if p not in excused
            and not self._has_ended(p, seen)
            and any(not self._has_answered(p, f, seen) for f in silent & excused)
        }
        return (silent - excused) | mute

    def _done(self, player: int, seen: Sequence[Place]) -> bool:
        said = self.chain(player, seen[player])
        return self._has_ended(player, seen) or any(one.kind == ANSWER for one in said)

    def _has_ended(self, player: int, seen: Sequence[Place]) -> bool:
        if player in self.shown_by:
            return all(seen[p].length >= count for p, count in self.shown_by[player].items())
        return player in self.ended and self.read[player].length <= seen[player].length

    def _has_answered(self, player: int, forker: int, seen: Sequence[Place]) -> bool:
        return self.words.get((player, forker), seen[player].length) < seen[player].length

    # What is decided.

    def _decide(self) -> bool:
        forkers = sorted(self.accused - self.ended.keys())
        return self._decide_ballot() or any(map(self._decide_fork, forkers))

    def _decide_ballot(self) -> bool:
        if not self.ballots[-1] and not self.accused:
            return False
        result = count(self._ballot(), self.world.rules)
        if isinstance(result, Dropped):
            return not self._has_lapsed(result) and self._drop(result)
        if result is None or not self.ballots[-1]:
            return False
        self._next_ballot()
        return True

    def _next_ballot(self, dropped: int = NONE) -> None:
        self.heard |= {(player, at) for player, at in self.overheard if player != dropped}
        self.ballots.append({})

    def _ballot(self) -> Ballot:
        rules = self.world.rules
        self.overheard = set()
        votes = self._votes()
        by_others = [p for p, why in self.ended.items() if why in (GONE, FORKED)]
        not_forkers = [*self.ended] if rules.who_left_has_not_forked else by_others
        accused = sorted(self.accused - set(not_forkers))
        gone = {p: self.acted_by(p) for p in self.players if p in self.ended}
        named = self.named
        if named not in (NONE, *votes, *gone, *accused) and not rules.named_players_never_leave:
            assert self.public is not None
            if self.public.ended.get(named) in (LEFT, BAD):
                gone[named] = self.public.acted_by(named)
        forkers = {f: self._forker(f, [seen[f] for seen in gone.values()]) for f in accused}
        return Ballot(self.players, self.number, votes, gone, forkers)

    def _votes(self) -> dict[int, Vote]:
        """Return what players say in the running ballot, read or not."""
        votes = dict(self.ballots[-1])
        for player in self.players:
            if player in votes or player in self.ended or self.forked(player):
                continue
            found = self._says_unread(player)
            if found is None or not (player == self.named or found[1].named == NONE):
                continue
            at, vote = found
            if self.public is None or self.watching or self.public.has_counted(player, at):
                self.overheard.add((player, at))
                votes[player] = vote
        return votes

    def has_counted(self, player: int, at: int) -> bool:
        return at < self.read[player].length or (player, at) in self.heard

    def _says_unread(self, player: int) -> tuple[int, Vote] | None:
        entries = next((entries for entries in self.held[player] if entries), ())
        for at, said in enumerate(entries):
            if at < self.read[player].length:
                continue
            if said.outcome:
                return at, Vote(NONE, said.seen)
            if said.kind == VOTE and said.ballot >= self.number:
                return (at, Vote(said.about, said.seen)) if said.ballot == self.number else None
        return None

    def _forker(self, forker: int, departed: Sequence[Place]) -> Forker:
        rules = self.world.rules
        found = {p: at for (p, f), at in self.words.items() if f == forker}
        for player in self.players:
            at = None if player in found else self._fork_answer(player, forker)
            if at is not None and not rules.answers_must_be_read:
                found[player] = at
                self.overheard.add((player, at))
        said = {p: self.held[p][self.read[p].branch][at] for p, at in found.items()}
        answers = {p: one.seen[forker] for p, one in said.items()}
        acts = [self.acted_by(p)[forker] for p in self.players if p != forker]
        end = max([*answers.values(), *departed, *acts])
        late = frozenset([p for p, one in said.items() if one.outcome])
        return Forker(answers, late, self.chain(forker, end))

    def _has_lapsed(self, result: Dropped) -> bool:
        owing, named = self.world.owing, result.player
        if named in owing and not self._answered_within(named, result.cut):
            return False
        awaited = [f for f, end in result.ends.items() if not self._answered_within(f, end)]
        if self.world.rules.lapse_by_what_was_read:
            awaited = [f for f in self.open_answers() if f in self.accused and f != named]
        return all(
            self.words.get((named, f), result.cut) < result.cut for f in awaited if f in owing
        )

    def _answered_within(self, player: int, count: int) -> bool:
        return player in self.answers and self.answers[player].length <= count

    def _cut(self, player: int, count: int) -> None:
        if self.read[player].length > count:
            self.cuts[player] = count
            raise ReadAgain

    def _drop(self, result: Dropped) -> bool:
        player, cut = result.player, result.cut
        self._cut(player, cut)
        if self.read[player].length < cut:
            progress = self.reaching != {player: cut}
            self.reaching = {player: cut}
            return progress
        voters = [
            p
            for p, vote in self._ballot().votes.items()
            if vote.named == player and p not in result.ends
        ]
        self._next_ballot(player)
        self.shown_by[player] = self._shown_by({p: self._last_vote(p) for p in voters})
        self.ended[player] = GONE
        return True

    def _shown_by(self, counts: dict[int, int]) -> dict[int, int]:
        """Return the counts of entries that show what these do, and which feeds have ended."""
        for player in self.ended:
            shown = {player: self.read[player].length}
            if not self.world.rules.a_cut_shows_an_end:
                shown = self.shown_by.get(player, shown)
            for author, needed in shown.items():
                counts[author] = max(needed, counts.get(author, 0))
        return counts

    def _last_vote(self, player: int) -> int:
        said = self.chain(player, self.read[player])
        votes = [at for at, one in enumerate(said, 1) if one.kind == VOTE]
        return votes[-1] if votes else len(said)

    def _decide_fork(self, forker: int) -> bool:
        live = [p for p in self.players if p not in self.ended and p not in self.accused]
        if any((p, forker) not in self.words for p in live):
            return False
        end = max([self.acted_by(p)[forker].length for p in self.players if p != forker])
        if self.read[forker].length < end:
            return False
        self._cut(forker, end)
        words = {p: self.words[p, forker] + 1 for p in live}
        self.shown_by[forker] = self._shown_by(words)
        self.ended[forker] = FORKED
        return True

    def _is_split(self) -> bool:
        forks = [
            f for f in self.players if self.forked(f) and self.ended.get(f) not in (GONE, FORKED)
        ]
        return any(
            len({act.branch for p in self.players if p != f and (act := self._act(p, f)).length})
            > 1
            for f in forks
        )

    def open_answers(self) -> list[int]:
        return [p for p in self.world.owing if p not in self.answers and p not in self.ended]

    def _close(self) -> bool:
        if self.open_answers():
            return False
        owing = self.world.owing
        self.outcome = tuple(
            [
                (p in self.answers, self.answers.get(p, self.read[p])) if p in owing else ()
                for p in self.players
            ]
        )
        while any(map(self._read_later, self.players)):
            pass
        return True

    def _read_later(self, player: int) -> bool:
        """Read an entry by a player who has closed the step in this way, or has not closed it."""
        at, branch = self.read[player]
        if player in self.ended or self.forked(player):
            return False
        for said in self.held[player][branch][at : at + 1]:
            forker = said.about if said.kind == FORK else NONE
            seen = [(p, place) for p, place in enumerate(said.seen) if p not in (player, forker)]
            if (
                said.outcome not in ((), self.outcome)
                or said.kind == ANSWER
                or not all(place.leads_to(self.read[p]) for p, place in seen)
                or (forker != NONE and self._fork_answer(player, forker) != at)
            ):
                return False
            if forker != NONE:
                self.words[player, forker] = at
            if said.kind == LEAVE:
                self.ended[player] = LEFT
            self.read[player] = Place(at + 1, branch)
            return True
        return False

    def waiting_for(self) -> set[int]:
        """Return the players who hold up the step."""
        open_answers = set(self.open_answers())
        if not (forkers := self.accused & open_answers):
            return open_answers
        live = [p for p in self.players if p not in self.ended and p not in self.accused]
        silent = {p for p in live for f in forkers if (p, f) not in self.words}
        return (open_answers - forkers) | silent or open_answers


def _followed(acts: Sequence[Place]) -> Place:
    """Return the end of the branch on which most players acted; none if two have as many."""
    branches = [act.branch for act in acts if act.length]
    left, right = branches.count(0), branches.count(1)
    if left == right:
        return Place()
    return max([act for act in acts if act.length and act.branch == (left < right)])
