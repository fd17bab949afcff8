"""What must always hold, looked at whenever something happens, and at the end.

1. Nobody honest is blamed; whoever was seen to cheat is.
2. Nobody honest publishes a share of a card of its own hand that it did not play, or of a card that
   the rules have not dealt.
3. Honest players have equal digests at equal steps, unless the table stopped with a split.
4. What was sent is saved; and nothing that was said is ever said differently.
5. Bytes from others raise RemoteProtocolError or nothing, and what is refused leaves no trace.
6. Every table ends: see World.run.
7. Whoever reads the file of a table finds what was found at it; all who finished have one file, and
   no two files of honest players contradict each other.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.moves import Move
from engine.needs import EVERYONE
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import MOVE, REVEAL, SHARES, Entry
from protocol.feed.feeds import Feeds
from protocol.file import gamefile
from protocol.file.report import Report, Stopped, Verdict, report
from protocol.file.union import Claim, find_forks, read_together
from protocol.link.messages import Carried, parse_message
from protocol.table.ballots import parse_vote
from protocol.table.events import Differs, Happened, Lost, Why
from protocol.table.phases import Phase
from protocol.table.table import Table

if TYPE_CHECKING:
    from tests.sim.line import Line
    from tests.sim.program import Program
    from tests.sim.world import World

BLAME = (Why.BAD, Why.FORKED)
SHARES_AT = {SHARES: 0, MOVE: 1, REVEAL: 2}  # where the shares stand in a body


class Checks:
    def __init__(self, world: "World") -> None:
        self._world = world
        self._excused: set[int] = set()  # who came back with an old disk, and nobody could help
        self._said: dict[tuple[int, int], bytes] = {}  # by player and number
        self._published: dict[int, set[bytes]] = {}  # shares, by player
        self._willed: set[bytes] = set()  # shares of cards that their holders decided to turn up
        self._sent: set[tuple[int, int, bytes]] = set()
        self._entries: dict[bytes, Entry | None] = {}
        self._trails: dict[Program, tuple[tuple[int, int], dict[int, bytes]]] = {}
        self._shares: dict[tuple[int, Point], bytes] = {}
        self._furthest: dict[int, int] = {}  # the last step that a player has come to
        self._late: set[Program] = set()
        self._files: dict[Table, tuple[int, bytes]] = {}  # see _file
        self._tables: dict[bytes, Table] = {}  # what was read of files

    def suspect(self, program: "Program") -> bool:
        return program.player in self._world.plan.suspects

    def honest(self, player: int | None) -> bool:
        return player not in self._world.plan.suspects and player not in self._excused

    # What is sent and heard.

    def sends(self, program: "Program", line: "Line", data: bytes) -> None:
        entry = self._entry(data)
        if entry is None or self.suspect(program):
            return
        assert entry.data in program.disk, "sent before it was saved"
        sending = id(line), line.side(program), entry.id
        if sending in self._sent:
            self._world.saw("resent after loss")
        self._sent.add(sending)
        if entry.author == program.key and program.player is not None:
            self._says(program.player, entry)

    def _says(self, player: int, entry: Entry) -> None:
        said = self._said.setdefault((player, entry.seq), entry.data)
        assert said == entry.data or not self.honest(player), "said differently"
        if entry.kind in SHARES_AT:
            shares = entry.body[SHARES_AT[entry.kind]]
            assert isinstance(shares, bytes)
            points = [shares[at : at + 33] for at in range(0, len(shares), 33)]
            self._published.setdefault(player, set()).update(points)

    def _entry(self, data: bytes) -> Entry | None:
        if data not in self._entries:
            message = parse_message(data)
            carried = isinstance(message, Carried)
            self._entries[data] = Entry.decode(message.entry) if carried else None  # type: ignore[union-attr]
        return self._entries[data]

    @contextmanager
    def hearing(self, program: "Program", data: bytes) -> Iterator[None]:
        table = program.table
        before = len(table.feeds.log), table.play.step, table.readings
        try:
            yield
        except RemoteProtocolError:
            assert (len(table.feeds.log), table.play.step, table.readings) == before
            raise
        held = len(table.feeds.log)
        if program.rolled_back and held > before[0]:
            new = table.feeds.log[before[0]][1]
            if new.author == program.key and data.endswith(new.data):
                self._world.saw("adopted own entry")

    def will_sign(self, program: "Program") -> None:
        """A program that came back believes to know all that it has said."""
        player = program.player
        assert player is not None
        others = set(range(len(program.table.roster.players))) - {player}
        asked = program.was_told or others <= program.table.ended.keys() or self.suspect(program)
        assert asked, "signs before anybody has told what it has said"
        held = {entry.data for entry in program.table.feeds.feeds[player].by_id.values()}
        said = {data for (author, _seq), data in self._said.items() if author == player}
        if not said <= held:  # nobody was there who knew it, or whoever was did not show it
            assert program.rolled_back, "what was sent is not on the disk"
            self._excused.add(player)
            self._world.saw("nobody knew what it had said")

    def found_twin(self, program: "Program") -> None:
        assert self.suspect(program), "a twin that is none"
        self._world.saw("twin stopped")

    # What happens at a table.

    def happened(self, program: "Program", events: Sequence[Happened]) -> None:
        if self.suspect(program):
            return
        for event in events:
            if isinstance(event, Lost):
                self._lost(program, event)
            elif isinstance(event, Differs):
                others = [one for one in self._world.programs if one.player == event.player]
                # Who finds the table split ends at once, with what it knew (docs/protocol.md, 17).
                split = any(one.table.split is not None for one in others)
                apart = split or self._kept_apart([program, *others])
                assert apart or not self.honest(event.player), "two honest players hold two games"
                self._world.saw("stories kept apart" if apart else "a rogue holds another game")

    def _kept_apart(self, programs: Sequence["Program"]) -> bool:
        """Whether these programs hold different entries of a feed that has forked, and not all of
        them can reach each other over programs that are not suspect."""
        suspects = self._world.plan.suspects
        near = {one.player for one in programs[:1]}
        for _ in self._world.plan.edges:
            ways = [edge for edge in self._world.plan.edges if not suspects & {*edge}]
            near |= {player for edge in ways if near & {*edge} for player in edge}
        if all(one.player in near for one in programs):
            return False
        rogues = [player for player, _ in self._world.plan.rogues]
        feeds = [[one.table.feeds.feeds[rogue] for one in programs] for rogue in rogues]
        return any(
            len({frozenset(feed.by_id) for feed in held}) > 1 and any(feed.forks for feed in held)
            for held in feeds
        )

    def _lost(self, program: "Program", loss: Lost) -> None:
        world, ending = self._world, loss.ending
        world.note(program, f"loses player {loss.player} at {loss.step}: {ending}")
        assert ending.why not in BLAME or not self.honest(loss.player), "blames the honest"
        world.saw(f"lost {ending.why}")
        if program.table.split is not None:
            world.saw("split")

    def decides(self, program: "Program", move: Move) -> None:
        assert program.player is not None
        cards = program.table.play.cards
        for slot in move.cards:
            self._willed.add(self._share(program, cards.pile(slot).card(slot).a))

    def looked(self, program: "Program") -> None:
        """After anything that may have changed a table."""
        table = program.table
        step = table.play.step
        reading = program.run, table.readings
        before, trail = self._trails.get(program, (reading, {}))
        if before != reading:
            if before[0] == program.run:
                self._world.saw("read again")
            trail = {}
        if program.player is not None and program.player not in table.ended and step not in trail:
            trail[step] = table.play.digest()
            if self.honest(program.player):
                self._check_secrecy(program)
        self._trails[program] = reading, trail
        mine = None if program.player is None else table.ended.get(program.player)
        if mine is not None and mine.why is Why.GONE and program not in self._late:
            self._late.add(program)
            self._world.saw("late returner watches")

    def _check_secrecy(self, program: "Program") -> None:
        play, me = program.table.play, program.player
        assert me is not None
        furthest = self._furthest.get(me, 0)
        self._furthest[me] = max(furthest, play.step)
        if not play.seats or play.step < furthest:  # an old disk, and everything to learn again
            return
        published = self._published.get(me, set()) - self._willed
        hand = play.state.hands[play.seat(me)]
        dealt = {slot for hand in play.state.hands for slot in hand}
        dealt |= {slot for slot, _ in play.deal}
        dealt |= {play.state.first + at for at, face in enumerate(play.state.faces) if face}
        turned = {slot for slot, to in play.deal if to == EVERYONE}
        for pile in play.cards.piles:
            for slot in pile.slots:
                if slot < play.state.first:
                    continue  # of a round that is over
                if self._share(program, pile.card(slot).a) in published:
                    assert slot in dealt, "a share of a card that was not dealt"
                    assert slot not in hand or slot in turned, "a share of its own closed card"

    def _share(self, program: "Program", base: Point) -> bytes:
        party = program.party
        assert party is not None
        if (party.me, base) not in self._shares:
            share = group.times(base, party._secret)
            self._shares[party.me, base] = group.encode_point(share)
        return self._shares[party.me, base]

    # The end.

    def ended(self, program: "Program") -> None:
        if not self.suspect(program):
            self._check_file(program.table)
            self._count(program)

    def _check_file(self, table: Table) -> None:
        again = self._reread(self._file(table))
        if _voted_alone(table) and list(map(len, again.read)) != list(map(len, table.read)):
            self._world.saw("file of a lonely voter")  # it has less than was said, but it holds
            return
        known = gamefile.without_seat(table).play
        assert again.play.digest() == known.digest(), "the file shows another state"
        here, there = report(table), report(again)
        assert len({loss.player for loss in here.lost}) == len(here.lost), "lost twice"
        assert _shown(here) == _shown(there), f"{_shown(there)} in the file of {_shown(here)}"
        # A fork that no longer mattered is not in the file.
        assert {loss.player for loss in here.cheats} <= _named(there), "the file names no cheat"
        assert _named(there) <= _named(here), "the file names another cheat"

    def _file(self, table: Table) -> bytes:
        """The file of a table, written once as long as no further entry is held."""
        held, data = self._files.get(table, (-1, b""))
        if held != len(table.feeds.log):
            data = gamefile.write(table)
            self._files[table] = len(table.feeds.log), data
        return data

    def _reread(self, data: bytes) -> Table:
        if data not in self._tables:
            self._tables[data] = gamefile.read(data, memory=self._world.memory)
        return self._tables[data]

    def _count(self, program: "Program") -> None:
        table, world = program.table, self._world
        found = report(table)
        world.saw(f"{program.over}: {found.verdict}")
        world.note(program, f"{found.verdict} {found.stopped or ''} {found.owing}")
        if table.play.phase is Phase.SIGNING:
            world.saw("signature missing")
        if found.late_forks:
            world.saw("late fork")
        gone = [loss.step for loss in table.lost if loss.ending.why is Why.GONE]
        for step, closed in enumerate(table.ballots.closed):
            if len(closed.votes) - 1 > gone.count(step):
                world.saw("vote failed")
            elif any(closed.votes.values()) and not gone.count(step):
                world.saw("vote lapsed")

    def at_the_end(self) -> None:
        ended = [one for one in self._world.programs if one.over and not self.suspect(one)]
        for program in ended:
            self._check_cheats_named(program)
        self._check_one_file(ended)
        self._check_union(ended)
        self._check_digests(ended)
        self._check_contradictions(ended)

    def _check_cheats_named(self, program: "Program") -> None:
        table = program.table
        found = report(table)
        named = _named(found)
        for player in range(len(table.roster.players)):
            if table.feeds.forks(player):
                self._world.saw("fork named")
                gone = player in table.ended
                assert player in named or gone or not table.over, "a fork without a name"

    def _check_one_file(self, ended: Sequence["Program"]) -> None:
        """Of all who saw the end and had a say in it, or only watched."""
        done = [one for one in ended if one.table.play.phase is Phase.OVER]
        files = {self._file(one.table) for one in done}
        assert len(files) <= 1 or self._kept_apart(done), "files differ"
        if len(done) > 1:
            self._world.saw("one file")

    def _check_union(self, ended: Sequence["Program"]) -> None:
        """What the honest have written, at whatever time they went, is true of all of it; unless a
        forker told them different histories (docs/protocol.md, 10.1). One who runs two programs can
        vote out somebody honest with one of them, whom the other has told something else."""
        honest = [one for one in ended if self.honest(one.player)]
        files = list(dict.fromkeys(self._file(one.table) for one in honest))
        if len(files) < 2:
            return
        held = [gamefile.hold(data) for data in files]
        union = read_together(held, memory=self._world.memory)
        said = Claim.of(union)
        forkers = [fork.player for fork in find_forks(held, union.feeds)]
        for table in map(self._reread, files):
            if not Claim.of(table).stands(said):
                voters = {
                    p for loss in table.lost for p in loss.ending.by if self.honest(loss.player)
                }
                assert voters & {*forkers}, "honest files contradict each other"
                self._world.saw("honest files kept apart by a forker")
        assert not any(map(self.honest, forkers)), "honest files show an honest forker"
        self._world.saw("files read together")

    def _check_contradictions(self, ended: Sequence["Program"]) -> None:
        """What each file says stays true when all that they hold is known. Only somebody who told
        two stories can make two files contradict each other, and is named by both together."""
        tables = [one.table for one in ended]
        if not tables or self._excused:
            return  # somebody honest has told two stories
        feeds = Feeds(tables[0].roster, every_branch=True)
        held = [(p, e) for table in tables for p, e in table.feeds.log]
        for player, entry in {e.id: (p, e) for p, e in sorted(held, key=_place)}.values():
            feeds.hold(player, entry)
        whole = Table(tables[0].roster, tables[0].game, None, self._world.memory.check, feeds)
        whole.go_on()
        found = report(whole)
        for table in tables:
            told = report(table)
            if not _agree(told, found):
                shown = f"{_shown(told)} contradicts {_shown(found)}"
                assert any(table.feeds.forks(p) != feeds.forks(p) for p in _named(found)), shown
                self._world.saw("two stories, two files")
        self._world.saw("files compared")

    def _check_digests(self, ended: Sequence["Program"]) -> None:
        """Of all who had a say to the end: whoever was voted out may not know it, and whoever
        came back with an old disk may have told a second story. Nobody signs what is there after
        the signatures: a rogue may have given one player its own, and left the table for another.
        """
        if any(one.table.split is not None for one in ended):
            return
        out = {p for one in ended for p, end in one.table.ended.items() if end.why is Why.GONE}
        agreed: dict[int, bytes] = {}
        for program in ended:
            play = program.table.play
            signed = play.step if play.phase is Phase.OVER else None
            for step, digest in self._trails[program][1].items():
                if step == signed and not all(map(self.honest, range(len(play.roster.players)))):
                    continue
                if program.player not in out and self.honest(program.player):
                    assert agreed.setdefault(step, digest) == digest, f"digests differ at {step}"


def _place(said: tuple[int, Entry]) -> int:
    return said[1].seq


def _agree(told: Report, found: Report) -> bool:
    """Return True if a verdict stands, by what is found when more is known."""
    match told.verdict:
        case Verdict.UNFINISHED:
            return True
        case Verdict.STOPPED:
            return found.verdict is Verdict.STOPPED and told.places in ((), found.places)
        case Verdict.UNSIGNED:
            if found.stopped is Stopped.GIVEN_UP and set(found.stopped_by) & set(told.owing):
                return True  # of two players one stopped, having seen less than the end
            return (
                found.verdict in (Verdict.UNSIGNED, Verdict.FINAL) and told.places == found.places
            )
    return found.verdict is Verdict.FINAL and told.places == found.places


def _shown(found: Report) -> tuple[object, ...]:
    return found.verdict, found.scores, found.places, found.stopped


def _named(found: Report) -> set[int]:
    return {loss.player for loss in found.cheats} | {*found.late_forks}


def _voted_alone(table: Table) -> bool:
    """I answered a second ballot because others had gone on, as I heard without reading it; whoever
    reads what I read cannot see why."""
    mine = [] if table.me is None else table.read[table.me]
    return not table.over and any(parse_vote(entry)[0] > 0 for entry in mine)
