"""A table in one process where somebody cheats.

What is said reaches everybody at once, except through walls. A cheat knows its own secrets and
every entry; it signs whatever it likes with `forge`. The honest are never touched: they take
entries, answer and decide, as in any program.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from engine.game import Game
from engine.moves import Move
from engine.views import View
from protocol.codec import Value
from protocol.crypto.secrets import SecretSource
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import NOTHING, Entry, Seen
from protocol.file.gamefile import read, write
from protocol.file.report import Report, Verdict, report
from protocol.table.events import Lost, Why
from protocol.table.party import Party
from protocol.table.phases import PHASES, Phase
from protocol.table.proving import Memory, Proof
from protocol.table.shuffling import Shuffler
from tests.protocol.tables import Setup

Body = tuple[Value, ...]
Chooser = Callable[[View[Any], Random], Move]
BLAME = (Why.BAD, Why.FORKED)


def any_move(view: View[Any], rng: Random) -> Move:
    return rng.choice(view.moves())


class Hall:
    """`shared`: a proof is checked by the first who needs it, and the others believe it. Whoever
    reads a file checks everything again. Without `ahead`, all shuffle when a round begins."""

    def __init__(
        self,
        game: str | Game[Any],
        count: int,
        number: int = 0,
        choose: Chooser = any_move,
        shared: bool = True,
        setup: Setup | None = None,
        ahead: bool = True,
    ) -> None:
        self.ahead = ahead
        self.setup = setup or Setup(game, count, number)
        self.memory = Memory() if shared else None
        self.parties = [self.party(at) for at in range(count)]
        self.choose = choose
        self.rng = Random(number)
        self.said: list[tuple[Party, bytes]] = []  # in the order it was said
        self.kinds: Counter[str] = Counter()  # how many of each kind were said
        self.silent: set[int] = set()  # players who neither speak nor listen
        self.passive: set[int] = set()  # players who listen, and speak only by `tell`
        self.walls: set[tuple[int, int]] = set()  # (speaker, listener): what does not arrive

    def party(self, at: int) -> Party:
        setup, check = self.setup, None if self.memory is None else self._check
        who = setup.identities[at], setup.seeds[at]
        return Party(*who, setup.roster, setup.game, check, ahead=self.ahead)

    def _check(self, proof: Proof) -> bool:
        """By the memory of now: a hall that follows another takes over what was proved there."""
        assert self.memory is not None
        return self.memory.check(proof)

    def known_to_readers(self) -> Memory | None:
        """What whoever reads a file need not check."""
        return None

    # Talking.

    def tell(self, speaker: Party, *said: bytes, to: Sequence[Party] | None = None) -> None:
        """Sends entries, signed by anybody, to those named or to all who can hear."""
        for data in said:
            self.said.append((speaker, data))
            self.kinds[Entry.decode(data).kind] += 1
            for party in self.parties:
                if to is None:
                    heard = party.me not in self.silent and (speaker.me, party.me) not in self.walls
                else:
                    heard = party in to
                if party is not speaker and heard:
                    party.take(data)

    def act(self, party: Party) -> bool:
        said = party.answer()
        if not said and party.asked:
            said = party.decide(self.choose(party.view(), self.rng))
        self.tell(party, *said)
        return bool(said)

    def run(self, until: Callable[[Party], bool] = lambda _: False) -> Party | None:
        """Until nobody has anything to say, or this holds for one who is about to speak."""
        while True:
            acted = False
            for party in self.parties:
                if party.me in self.silent:
                    continue
                if until(party):
                    return party
                if party.me in self.passive:
                    continue
                acted |= self.act(party)
            if not acted:
                return None

    def before(self, kind: str, nth: int = 1, player: int | None = None) -> Party:
        """The party that is about to say an entry of this kind, the nth that anybody says."""

        def about_to(party: Party) -> bool:
            return (
                owed(party) == kind and player in (None, party.me) and self.kinds[kind] >= nth - 1
            )

        party = self.run(about_to)
        assert party is not None, f"nobody comes to say {kind!r}"
        return party

    def heal(self) -> None:
        """No walls any more: whatever one of the honest holds reaches all, until all is said."""
        self.walls = set()
        while True:
            listening = [party for party in self.parties if party.me not in self.silent]
            told = [hear(party, data) for party in listening for data in self._held(listening)]
            self.run()
            if not any(told):
                return

    def _held(self, parties: Sequence[Party]) -> list[bytes]:
        feeds = [feed for party in parties for feed in party.table.feeds.feeds]
        entries = {entry.id: entry for feed in feeds for entry in feed.by_id.values()}
        return [entry.data for entry in sorted(entries.values(), key=lambda entry: entry.seq)]

    def twin(self, party: Party) -> Party:
        """A second head of one player, that has heard what the first one has."""
        second = self.party(party.me)
        for data in self._held([party]):
            second.take(data)
        return second

    def others(self, *cheats: Party | int) -> list[Party]:
        players = [cheat if isinstance(cheat, int) else cheat.me for cheat in cheats]
        return [party for party in self.parties if party.me not in players]

    # What must come of it.

    def named(self, *cheats: tuple[Party, Why, str]) -> Report:
        """All honest players name these and nobody else, and so does the file that each writes."""
        expected = sorted((cheat.me, why, code) for cheat, why, code in cheats)
        honest = self.others(*[cheat for cheat, _, _ in cheats])
        for party in honest:
            assert blamed(party.table.lost) == expected
        return self.agreed(honest, expected)

    def agreed(
        self,
        honest: Sequence[Party],
        expected: Sequence[tuple[int, Why, str]] = (),
        believing: bool = False,
    ) -> Report:
        """These players write one file, and whoever reads it finds what they found.

        Where two stories have split the table each writes its own, with the evidence.
        `believing`: nobody cheats, so proofs that were checked at the table are not checked again.
        """
        memory = self.memory if believing else self.known_to_readers()
        files = {write(party.table) for party in honest}
        assert len(files) == 1 or all(party.table.split is not None for party in honest)
        tables = [read(file, memory=memory) for file in files]
        for table in tables:
            assert blamed(report(table).cheats) == list(expected)
        if len(tables) == 1:
            digests = {party.table.play.digest() for party in honest}
            assert digests == {tables[0].play.digest()}
        return report(tables[0])

    def out(self, cheat: Party, code: str, to_the_end: bool = False) -> Report:
        """The others name the cheat and begin the round again without it; two of them at least."""
        self.silent.add(cheat.me)

        def begun_again(party: Party) -> bool:
            play = party.table.play
            return play.phase is Phase.AGREEING and cheat.me not in play.seated

        self.run((lambda _: False) if to_the_end else begun_again)
        found = self.named((cheat, Why.BAD, code))
        if to_the_end or found.verdict is not Verdict.UNFINISHED:
            self.ends(found, lost=1)
        else:
            assert len(self.parties) > self.setup.game.seats[0]
        return found

    def ends(self, found: Report, lost: int) -> None:
        """Those who are left play on to the end, if the game can be played by so few."""
        if len(self.parties) - lost >= self.setup.game.seats[0]:
            assert found.verdict is Verdict.FINAL
        else:
            assert found.verdict is Verdict.STOPPED


def hear(party: Party, data: bytes) -> bool:
    """Takes what a peer passes on; of a feed with very many branches not everything is held."""
    try:
        return party.take(data)
    except RemoteProtocolError as error:
        if error.code not in ("branches", "gap"):
            raise
        return False


def blamed(losses: Sequence[Lost]) -> list[tuple[int, Why, str]]:
    return sorted(
        (loss.player, loss.ending.why, loss.ending.code)
        for loss in losses
        if loss.ending.why in BLAME
    )


def owed(party: Party) -> str | None:
    """The kind of entry that this party is about to say."""
    table = party.table
    if not (party.can_sign and table.owes(party.me)):
        return None
    return PHASES[table.play.phase].kind


def said_in(data: bytes) -> Any:
    """The body of an entry, to be taken apart."""
    return Entry.decode(data).body


def said(hall: Hall, kind: str, *, by: Party | None = None) -> list[Any]:
    """The bodies of all entries of a kind so far."""
    entries = [Entry.decode(data) for _, data in hall.said]
    return [
        entry.body
        for entry in entries
        if entry.kind == kind and (by is None or entry.author == by.identity.key)
    ]


def forge(
    party: Party,
    kind: str,
    body: Body,
    *,
    seq: int | None = None,
    prev: bytes | None = None,
    seen: Seen | None = None,
    step: int | None = None,
    table: bytes | None = None,
) -> bytes:
    """An entry of this player that says whatever is wanted; by default, in its proper place."""
    read_so_far = party.table.read[party.me]
    heads = list(party.table.heads())
    heads[party.me] = None
    return Entry.sign(
        party.identity,
        table=party.table.feeds.table if table is None else table,
        seq=len(read_so_far) if seq is None else seq,
        prev=(read_so_far[-1].id if read_so_far else NOTHING) if prev is None else prev,
        seen=tuple(heads) if seen is None else seen,
        step=party.table.play.step if step is None else step,
        kind=kind,
        body=body,
    ).data


def draw_from(party: Party, source: SecretSource) -> None:
    """Let a player draw its secrets from here."""
    party._source = source
    party.shuffler = Shuffler(party.table, party.me, source, ahead=party.shuffler._ahead)


def due(party: Party) -> tuple[str, Any]:
    """What an honest player would say here."""
    said = party._due()
    assert said is not None
    return said


@contextmanager
def nothing_changes(*parties: Party) -> Iterator[None]:
    """At the door: RemoteProtocolError, and the tables are as they were."""
    before = [(write(party.table), party.table.play.digest()) for party in parties]
    yield
    assert [(write(party.table), party.table.play.digest()) for party in parties] == before


def refused_at_the_door(party: Party, data: bytes) -> str:
    with nothing_changes(party):
        try:
            party.take(data)
        except RemoteProtocolError as error:
            return error.code
    raise AssertionError("it was taken")
