"""Tables with liars, and what must be true of them whoever reads them, in whatever order.

A number decides everything: who lies and how, who speaks when, which entry reaches whom. Liars sign
whatever they like: forks at any place, votes, leaves and stops with any `seen`, huge steps, bad
bodies; or they say nothing, or nothing more, or come back. Honest players answer what they owe,
vote or wait, and in the end hear everything and stop what cannot go on. Then

- every honest player, every reader without a seat and every reader of an honest file come to one
  verdict, and all honest files are equal;
- no honest player is named as a cheat, at any time;
- no player who may sign has decided a step in another way than the verdict;
- the table has ended for every honest player.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from protocol.codec import Value
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import FORK, LEAVE, STOP, VOTE, Entry, Head
from protocol.feed.roster import DROP, Roster
from protocol.file import gamefile
from protocol.file.report import Report, Verdict, report
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.proving import Proof
from protocol.table.table import Table
from tests.protocol.tables import Setup

HUGE = 2**40


def believe(_proof: Proof) -> bool:
    """Proofs are not what is tested here."""
    return True


class Broken(AssertionError):
    """The law is broken."""


class Lies(NamedTuple):
    """What liars do, each with this chance a moment."""

    fork: float = 0.1
    vote: float = 0.1
    leave: float = 0.02
    stop: float = 0.02
    bad: float = 0.03
    huge: float = 0.02
    late: float = 0.5  # to say what is owed


class Hall:
    """A table of some players, the first of them liars."""

    def __init__(
        self, players: int, liars: int, number: int, *, lies: Lies | None = None, drop: int = 1
    ) -> None:
        self.rng = Random(number)
        self.number = number
        self.lies = Lies() if lies is None else lies
        cards = players <= 4 and number % 20 == 0  # which costs most
        game = self.rng.choice(("punnet", "brambles")) if cards else "pebbles"
        self.setup = Setup(game, players, number % 5)
        roster = self.setup.roster
        self.setup.roster = Roster.of(self.setup.game, roster.players, ((DROP, drop),))
        self.parties = [
            Party(identity, seed, self.setup.roster, self.setup.game, believe)
            for identity, seed in zip(self.setup.identities, self.setup.seeds, strict=True)
        ]
        seats = self.rng.sample(range(players), players)
        self.liars, self.honest = seats[:liars], seats[liars:]
        self.met: Counter[str] = Counter()

    # What is said.

    def play(self, moments: int) -> None:
        for _ in range(moments):
            speaker = self.rng.choice(self.parties)
            if speaker.me in self.liars:
                self._lie(speaker)
            elif self.rng.random() < 0.7:
                self._speak(speaker, hasty=0.05)
            for _ in range(self.rng.randrange(4)):
                self._gossip(*self.rng.sample(self.parties, 2))
            self._check_blame()

    def settle(self) -> None:
        """Everyone honest hears everything that any of them holds, and says what is left to say."""
        honest = [self.parties[player] for player in self.honest]
        for _ in range(400):
            news = [self._speak(party, hasty=0) for party in honest]
            news += [self._tell_all(a, b) for a in honest for b in honest if a is not b]
            self._check_blame()
            if not any(news):
                waiting = [party for party in honest if not self._done(party)]
                if not waiting:
                    return
                if not any(self._end_waiting(party) for party in waiting):
                    raise Broken("an honest player can neither go on nor stop")
        raise Broken("the table does not end")

    def _done(self, party: Party) -> bool:
        return party.table.over or party.me in party.table.ended or not party.can_sign

    def _speak(self, party: Party, hasty: float) -> bool:
        if party.answer():
            return True
        if party.asked:
            moves = party.view().moves()
            return bool(party.decide(self.rng.choice(moves)))
        if self.rng.random() < hasty and party.can_sign and not party.table.over:
            return self._end_waiting(party)
        return False

    def _end_waiting(self, party: Party) -> bool:
        """Vote, or wait, or stop, as a player may whose patience has ended."""
        table = party.table
        waiting = table.waiting_for
        if not party.can_sign or not waiting or party.me in waiting:
            return False
        votes, number = table.ballots.current, table.ballots.number
        if party.me not in votes and number < 3:
            if party.can_name(waiting):
                named = waiting if self.rng.random() < 0.9 else ()
                self.met["named" if named else "kept"] += 1
                return bool(party.vote(*named))
            if votes:
                return bool(party.vote())
        self.met["stopped"] += 1
        return bool(party.stop())

    def _gossip(self, a: Party, b: Party) -> bool:
        """One entry that a holds and b lacks goes over, of whatever feed."""
        fitting = [
            entry
            for mine, theirs in zip(a.table.feeds.feeds, b.table.feeds.feeds, strict=True)
            for entry in mine.by_id.values()
            if entry.id not in theirs.by_id and (not entry.prev or entry.prev in theirs.by_id)
        ]
        if not fitting:
            return False
        try:
            b.take(self.rng.choice(fitting).data)
        except RemoteProtocolError as refused:
            if refused.code != "branches":
                raise
            return False
        return True

    def _tell_all(self, a: Party, b: Party) -> bool:
        """Everything that a holds and b lacks goes over, in the order in which a heard it."""
        news = [e for p, e in a.table.feeds.log if e.id not in b.table.feeds.feeds[p].by_id]
        taken = []
        for entry in news:
            try:
                taken.append(b.take(entry.data))
            except RemoteProtocolError as refused:
                if refused.code not in ("branches", "gap"):
                    raise
        return bool(taken)

    # Lies in a certain order.

    def reach(self, step: int | None) -> None:
        """Play honestly up to a step, or up to the signatures."""
        while not all(self._is_at(party, step) for party in self.parties):
            for party in self.parties:
                if not self._is_at(party, step):
                    self._speak(party, hasty=0)
            for a in self.parties:
                for b in self.parties:
                    self._tell_all(a, b)

    def _is_at(self, party: Party, step: int | None) -> bool:
        play = party.table.play
        return play.phase is Phase.SIGNING if step is None else play.step >= step

    def act(self, act: str, liar: int) -> None:
        """Let a liar do one of these things, and some players hear of it."""
        party, honest = self.parties[liar], [self.parties[player] for player in self.honest]
        if act == "late":
            self._end_waiting(self.rng.choice(honest))
            self._speak(party, hasty=0)
        elif act != "silent":
            self._sign(party, act)
        for _ in range(self.rng.randrange(3 * len(self.parties))):
            self._gossip(*self.rng.sample(self.parties, 2))
        for other in honest:
            if self.rng.random() < 0.5:
                self._speak(other, hasty=0)
        self._check_blame()

    # Lies.

    def _lie(self, party: Party) -> None:
        rng, lies = self.rng, self.lies
        if rng.random() < lies.late:
            self._speak(party, hasty=0.1)
        for name, chance in lies._asdict().items():
            if name != "late" and rng.random() < chance:
                self.met[name] += 1
                self._sign(party, name)

    def _sign(self, party: Party, lie: str) -> None:
        rng, table = self.rng, party.table
        feed = table.feeds.feeds[party.me]
        held = list(feed.by_id.values())
        tips = [entry for entry in held if not feed.after.get(entry.id)]
        after = rng.choice([None, *held]) if lie == "fork" or not held else rng.choice(tips)
        step = table.play.step - rng.choice((0, 0, 0, 1, 2))
        kind, body = self._words(party, lie)
        entry = Entry.sign(
            party.identity,
            table=table.feeds.table,
            seq=0 if after is None else after.seq + 1,
            prev=b"" if after is None else after.id,
            seen=self._odd_seen(party),
            step=HUGE if lie == "huge" else max(0, step),
            kind=kind,
            body=body,
        )
        try:
            party.take(entry.data)
        except RemoteProtocolError as refused:
            if refused.code not in ("branches", "feed-full"):
                raise

    def _words(self, party: Party, lie: str) -> tuple[str, tuple[Value, ...]]:
        rng = self.rng
        players = range(len(self.parties))
        if lie in ("leave", "stop"):
            return (LEAVE if lie == "leave" else STOP), ()
        if lie == "bad":
            bad: list[tuple[str, tuple[Value, ...]]]
            bad = [("song", ()), (VOTE, (0,)), (FORK, ()), ("agree", (b"",))]
            return rng.choice(bad)
        if lie == "fork" and rng.random() < 0.5:
            return rng.choice([(LEAVE, ()), (STOP, ()), ("agree", (bytes(32),))])
        named = rng.choice([(), (rng.choice(players),), tuple(sorted(rng.sample(players, 2)))])
        return VOTE, (rng.choice((0, 0, 1)), named)

    def _odd_seen(self, party: Party) -> tuple[Head | None, ...]:
        """What a liar says that it has seen: mostly the truth, or less, or anything it holds."""
        table, rng = party.table, self.rng
        seen: list[Head | None] = []
        for player, head in enumerate(table.heads()):
            entries = list(table.feeds.feeds[player].by_id.values())
            if player == party.me:
                seen.append(None)
            elif entries and rng.random() < 0.2:
                seen.append(rng.choice([None, rng.choice(entries).head]))
            elif rng.random() < 0.02:
                seen.append(Head(rng.randrange(3), rng.randbytes(32)))
            else:
                seen.append(head)
        return tuple(seen)

    # The law.

    def check(self) -> None:
        honest = [self.parties[player] for player in self.honest]
        verdicts = {self._told(report(party.table)) for party in honest}
        if len(verdicts) != 1:
            raise Broken("honest players come to different verdicts", *verdicts)
        [verdict] = verdicts
        for _ in range(3):
            if self._told(report(self._watch(honest[0].table))) != verdict:
                raise Broken("another order, another verdict", verdict)
        files = {gamefile.write(party.table) for party in honest}
        if len(files) != 1:
            raise Broken("honest files differ")
        again = gamefile.read(files.pop(), prover=lambda proofs: [True] * len(proofs))
        if self._told(report(again)) != verdict:
            raise Broken("a file tells another verdict", verdict, self._told(report(again)))
        self._check_decisions(honest)
        self.met[f"verdict {report(honest[0].table).verdict}"] += 1

    def _told(self, found: Report) -> Report:
        """A file has no forks that no longer mattered."""
        return replace(found, late_forks=())

    def _watch(self, table: Table) -> Table:
        """A reader without a seat hears it all, in another order."""
        entries = [entry for feed in table.feeds.feeds for entry in feed.by_id.values()]
        reader = Table(self.setup.roster, self.setup.game, check=believe)
        held: set[bytes] = {b""}
        while entries:
            entry = self.rng.choice([entry for entry in entries if entry.prev in held])
            entries.remove(entry)
            held.add(entry.id)
            player = self.setup.roster.find(entry.author)
            assert player is not None
            reader.feeds.hold(player, entry)
            reader.go_on()
        return reader

    def _check_blame(self) -> None:
        for party in self.parties:
            for player, ending in party.table.ended.items():
                if player in self.honest and ending.why in (Why.BAD, Why.FORKED):
                    raise Broken("an honest player is named", party.me, player, ending)

    def _check_decisions(self, honest: list[Party]) -> None:
        reader = gamefile.without_seat(honest[0].table)
        for party in honest:
            table = party.table
            if party.me in reader.ended or reader.split is not None:
                continue
            if table.play.phase is reader.play.phase is Phase.OVER:
                # Why a forker has not signed may still turn; what the others signed may not.
                if table.play.digest() != reader.play.digest():
                    raise Broken("a player has signed another result", party.me)
                continue
            ended = {p: e.why for p, e in table.ended.items()}
            known = {p: reader.ended[p].why for p in ended if p in reader.ended}
            if ended != known and table.split is None:
                raise Broken("a player has decided otherwise", party.me, ended, known)


def run(players: int, liars: int, number: int, *, moments: int = 60, drop: int = 1) -> Counter[str]:
    hall = Hall(players, liars, number, drop=drop)
    try:
        hall.play(hall.rng.randrange(moments))
        hall.settle()
        hall.check()
    except Exception as error:
        error.add_note(f"run({players}, {liars}, {number}, moments={moments}, drop={drop})")
        raise
    return hall.met


ACTS = ("fork", "vote", "leave", "stop", "bad", "silent", "late")


def enact(players: int, acts: Sequence[str], step: int | None, number: int) -> None:
    """Let liars do these things one after the other, from a step on; None is that of signing."""
    hall = Hall(players, min(2, players - 2), number, drop=1 + number % 2)
    try:
        hall.reach(step)
        for turn, act in enumerate(acts):
            hall.act(act, hall.liars[turn % len(hall.liars)])
        hall.settle()
        hall.check()
    except Exception as error:
        error.add_note(f"enact({players}, {acts}, {step}, {number})")
        raise


def sweep(numbers: range) -> Counter[str]:
    """Run tables of 2 to 6 players with up to two liars."""
    met: Counter[str] = Counter()
    for number in numbers:
        players = 2 + number % 5
        met += run(players, min(players - 1, number % 3), number, drop=1 + number % 2)
    return met


__all__ = ["Broken", "Hall", "Phase", "Verdict", "run", "sweep"]
