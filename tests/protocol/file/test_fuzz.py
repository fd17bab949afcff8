"""Whatever somebody at the table signs: it is refused or taken, and harms nobody else.

Entries here are well signed and stand at the right place of their author's feed, or they would not
come far; what they say is arbitrary. An entry that is taken ends its author's feed as bad, or is
never read, or says something that its author may say.
"""

from contextlib import suppress
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import limits
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import SIGNATURE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import ID_SIZE, NOTHING, Entry, Head, Seen
from protocol.feed.feeds import Feeds
from protocol.feed.roster import Roster
from protocol.file import gamefile
from protocol.file.gamefile import MAGIC, Refused
from protocol.file.report import report
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.proving import Memory
from protocol.table.table import Table
from tests.protocol.file.files import Finished, finished, resigned
from tests.protocol.file.scenes import spectator
from tests.protocol.tables import Setup
from tests.protocol.test_codec import plain, tuples

COUNT = 3
GAMES = ("punnet", "brambles")
KINDS = ("seat", "lot", "shuffle", "agree", "shares", "commit", "ready", "reveal", "move")
BESIDE = ("leave", "stop", "vote", "fork")

values = plain | tuples(plain | tuples(plain))


# Values: a node of a tree is changed, or put elsewhere.


def nodes(value: Value, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    found = [path]
    if type(value) is tuple:
        for at, item in enumerate(value):
            found += nodes(item, (*path, at))
    return found


def put(value: Value, path: tuple[int, ...], new: Value) -> Value:
    if not path:
        return new
    assert type(value) is tuple
    at, *rest = path
    return (*value[:at], put(value[at], tuple(rest), new), *value[at + 1 :])


def get(value: Value, path: tuple[int, ...]) -> Value:
    for at in path:
        assert type(value) is tuple
        value = value[at]
    return value


@st.composite
def mutated(draw: st.DrawFn, value: Value) -> Value:
    for _ in range(draw(st.integers(1, 3))):
        places = nodes(value)
        path = draw(st.sampled_from(places))
        old = get(value, path)
        options: list[st.SearchStrategy[Value]] = [values, st.just(get(value, draw(_one(places))))]
        if type(old) is tuple and old:
            options.append(st.just(old[:-1]) | st.just((*old, old[-1])) | st.just(old[::-1]))
        if type(old) is bytes and old:
            at, pattern = draw(st.integers(0, len(old) - 1)), draw(st.integers(1, 255))
            options.append(st.just(old[:at] + bytes([old[at] ^ pattern]) + old[at + 1 :]))
            options.append(st.just(old[:at]) | st.just(old + old[:at]))
        if type(old) is int:
            options.append(st.sampled_from((0, 1, max(old - 1, 0), old + 1, limits.INTEGER_MOST)))
            options.append(st.booleans())
        value = put(value, path, draw(st.one_of(options)))
    return value


def _one(places: list[tuple[int, ...]]) -> st.SearchStrategy[tuple[int, ...]]:
    return st.sampled_from(places)


def packed(value: Value) -> bytes:
    """In msgpack, be it a value or not: too deep, too large."""
    return encode(value)


@given(st.data())
def test_a_roster_is_read_or_refused(data: st.DataObject) -> None:
    whole = decode(finished().setup.roster.encode(), limits.ROSTER_SIZE_MOST)
    changed = packed(data.draw(mutated(whole)))
    try:
        roster = Roster.decode(changed)
        assert roster.encode() == changed
        roster.build()
    except RemoteProtocolError:
        pass


@given(st.data())
def test_an_entry_is_read_or_refused(data: st.DataObject) -> None:
    whole = finished()
    _, said = data.draw(st.sampled_from(whole.room.said))
    content = decode(said[SIGNATURE_SIZE:], limits.ENTRY_SIZE_MOST)
    changed = said[:SIGNATURE_SIZE] + packed(data.draw(mutated(content)))
    feeds = Feeds(whole.setup.roster)
    try:
        assert Entry.decode(changed).data == changed
        feeds.accept(changed)
    except RemoteProtocolError:
        pass
    assert changed == said or not any(feed.by_id for feed in feeds.feeds)


@given(st.data())
def test_a_file_is_read_or_refused(data: st.DataObject) -> None:
    whole = decode(finished().data.removeprefix(MAGIC), limits.FILE_SIZE_MOST)
    changed = MAGIC + packed(data.draw(mutated(whole)))
    try:
        table = gamefile.read(changed)
    except Refused:
        return
    assert gamefile.write(table) == changed


# Entries.


@cache
def memory_of(_game: str) -> Memory:
    """What was proved in any moment of a game is not checked again."""
    return Memory()


class Moment(NamedTuple):
    """A game, as far as it had gone at some moment, and who says something else then."""

    game: str
    stop: int
    author: int

    @property
    def whole(self) -> Finished:
        return finished(self.game, COUNT)

    @property
    def said(self) -> list[bytes]:
        return [data for _, data in self.whole.room.said[: self.stop]]

    @property
    def next(self) -> Entry | None:
        """What the author said then."""
        for who, data in self.whole.room.said[self.stop :]:
            if who == self.author:
                return Entry.decode(data)
        return None

    def party(self, at: int) -> Party:
        """One of the others at that moment. What honest players proved is not checked again."""
        setup = self.whole.setup
        party = Party(
            setup.identities[at],
            setup.seeds[at],
            setup.roster,
            setup.game,
            check=memory_of(self.game).check,
        )
        for data in self.said:
            party.take(data)
        return party


@st.composite
def moments(draw: st.DrawFn) -> Moment:
    game = draw(st.sampled_from(GAMES))
    stop = draw(st.integers(0, len(finished(game, COUNT).room.said) - 1))
    return Moment(game, stop, draw(st.integers(0, COUNT - 1)))


@st.composite
def seens(draw: st.DrawFn, heads: list[list[Head]], honest: Seen | None, author: int) -> Seen:
    if honest is not None and draw(st.booleans()):
        return honest
    ids = st.binary(min_size=ID_SIZE, max_size=ID_SIZE)
    seen: list[Head | None] = []
    for player, known in enumerate(heads):
        last = st.just(known[-1]) if known else st.none()
        some = st.sampled_from(known) if known else st.none()
        unknown = st.builds(Head, st.integers(0, 50), ids)
        seen.append(None if player == author else draw(st.one_of(last, some, st.none(), unknown)))
    return tuple(seen)


@st.composite
def bodies(draw: st.DrawFn, kind: str, ids: list[bytes]) -> tuple[Value, ...]:
    numbers = st.integers(0, COUNT) | st.booleans()
    some = st.sampled_from([bytes(ID_SIZE), *ids]) | st.binary(max_size=ID_SIZE)
    if kind == "fork":
        forks: st.SearchStrategy[tuple[Value, ...]] = st.tuples(numbers, some, some)
        return draw(forks | st.lists(values, max_size=4).map(tuple))
    if kind == "vote":
        votes: st.SearchStrategy[tuple[Value, ...]] = st.tuples(numbers, numbers | st.none())
        return draw(votes | st.lists(values, max_size=3).map(tuple))
    return draw(st.lists(values, max_size=5).map(tuple))


@st.composite
def lies(draw: st.DrawFn, moment: Moment, party: Party) -> Entry:
    """Anything the author might say in place of what it said."""
    feed = party.table.feeds.feeds[moment.author]
    before = max(feed.by_id.values(), key=lambda entry: entry.seq, default=None)
    honest = moment.next
    kind = draw(st.sampled_from((*KINDS, *BESIDE, *BESIDE)) | st.text(max_size=6))
    step = party.table.play.step
    step = draw(st.sampled_from((step, step, max(step - 1, 0), step + 1)) | st.integers(0, 99))
    ids = [id for held in party.table.feeds.feeds for id in held.by_id]
    body = draw(bodies(kind, ids))
    if honest is not None and draw(st.booleans()):
        kind, step = honest.kind, honest.step
        changed = draw(mutated(honest.body))
        body = changed if type(changed) is tuple else (changed,)
    heads = [[entry.head for entry in held.by_id.values()] for held in party.table.feeds.feeds]
    return Entry.sign(
        moment.whole.setup.identities[moment.author],
        table=moment.whole.setup.roster.table,
        seq=0 if before is None else before.seq + 1,
        prev=NOTHING if before is None else before.id,
        seen=draw(seens(heads, None if honest is None else honest.seen, moment.author)),
        step=step,
        kind=kind,
        body=body,
    )


def check_unharmed(moment: Moment, party: Party, lie: Entry) -> None:
    table = party.table
    before = (table.play.digest(), table.heads())
    held = [dict(feed.by_id) for feed in table.feeds.feeds]
    try:
        party.take(lie.data)
    except RemoteProtocolError:
        assert (table.play.digest(), table.heads()) == before
        assert [feed.by_id for feed in table.feeds.feeds] == held
        return
    held[moment.author][lie.id] = lie
    assert [feed.by_id for feed in table.feeds.feeds] == held
    assert set(table.ended) <= {moment.author}
    if moment.author in table.ended:
        assert table.ended[moment.author].why in (Why.BAD, Why.LEFT, Why.STOPPED)
    if lie not in table.read[moment.author]:
        assert (table.play.digest(), table.heads()) == before
    party.view()
    party.answer()
    again = gamefile.read(gamefile.write(table), memory=memory_of(moment.game))
    assert report(again) == report(table)
    for _, data in moment.whole.room.said[moment.stop :]:
        try:
            party.take(data)
        except RemoteProtocolError:
            continue  # what the author went on to say does not follow the lie
    assert all(player in (moment.author, party.me) for player in table.ended)


@settings(max_examples=10)
@given(st.data())
def test_a_lie_harms_nobody_else(data: st.DataObject) -> None:
    moment = data.draw(moments())
    party = moment.party((moment.author + data.draw(st.integers(1, COUNT - 1))) % COUNT)
    lie = data.draw(lies(moment, party))
    check_unharmed(moment, party, lie)


def read_in(moment: Moment, order: list[bytes]) -> object:
    """What somebody without a seat comes to, whoever is to blame included. What is said after the
    signature under a settled result is not part of it."""
    setup = moment.whole.setup
    table = Table(setup.roster, setup.game, check=memory_of(moment.game).check)
    for data in order:
        with suppress(RemoteProtocolError):  # a lie may nest deeper than an entry
            table.take(data)
    return table.play.digest(), report(table), table.waiting_for, gamefile.write(table)


@settings(max_examples=10)
@given(st.data())
@pytest.mark.no_cover
def test_the_order_of_arrival_leaves_no_trace(data: st.DataObject) -> None:
    """Not of a lie either: it comes at once, or after all that the others went on to say."""
    moment = data.draw(moments())
    party = moment.party((moment.author + 1) % COUNT)
    lie = data.draw(lies(moment, party))
    others = [said for who, said in moment.whole.room.said if who != moment.author]
    authors = [said for who, said in moment.whole.room.said[: moment.stop] if who == moment.author]
    rest = [said for said in others if said not in moment.said]
    early = read_in(moment, [*moment.said, lie.data, *rest])
    assert read_in(moment, [*moment.said, *rest, lie.data]) == early
    assert read_in(moment, [*authors, lie.data, *others]) == early


@pytest.mark.slow
@settings(max_examples=2_000)
@given(st.data())
def test_many_lies_harm_nobody_else(data: st.DataObject) -> None:
    test_a_lie_harms_nobody_else.hypothesis.inner_test(data)  # type: ignore[attr-defined]


@pytest.mark.slow
@settings(max_examples=2_000)
@given(st.data())
def test_many_orders_of_arrival_leave_no_trace(data: st.DataObject) -> None:
    test_the_order_of_arrival_leaves_no_trace.hypothesis.inner_test(data)  # type: ignore[attr-defined]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        pytest.param("fork", (), id="a fork of nothing"),
        pytest.param("fork", (1,), id="a fork of nobody"),
        pytest.param("fork", (1, b"", b""), id="of no entries"),
        pytest.param("fork", (1, b"a", b"b"), id="of short ids"),
        pytest.param("fork", (True, b"a", b"b"), id="by one called true"),
        pytest.param("fork", (1, bytes(32), bytes(32)), id="of unknown entries"),
        pytest.param("fork", (99, bytes(32), bytes(32)), id="of an unknown player"),
        pytest.param("fork", (0, bytes(32), bytes(32)), id="of oneself"),
        pytest.param("vote", (), id="a vote without a ballot"),
        pytest.param("vote", (0,), id="a vote for nobody"),
        pytest.param("vote", (0, (0,)), id="against oneself"),
        pytest.param("vote", (0, (99,)), id="against an unknown player"),
        pytest.param("vote", (7, ()), id="a later ballot"),
        pytest.param("vote", (True, ()), id="the ballot called true"),
        pytest.param("vote", (0, (), None), id="a vote too long"),
        pytest.param("leave", (0,), id="leaving with a word"),
        pytest.param("stop", ((),), id="stopping with a list"),
        pytest.param("", (), id="nothing at all"),
        pytest.param("chat", ("hello",), id="an unknown kind"),
        pytest.param("move", (("play", (), ()), b"", b"", ()), id="a move out of turn"),
        pytest.param("seat", (b"", b""), id="sitting down again"),
    ],
)
@pytest.mark.parametrize("stop", [0, 7, 30])
def test_plain_lies(stop: int, kind: str, body: tuple[Value, ...]) -> None:
    moment = Moment("punnet", stop, 0)
    party = moment.party(2)
    feed = party.table.feeds.feeds[0]
    before = max(feed.by_id.values(), key=lambda entry: entry.seq, default=None)
    lie = Entry.sign(
        moment.whole.setup.identities[0],
        table=moment.whole.setup.roster.table,
        seq=0 if before is None else before.seq + 1,
        prev=NOTHING if before is None else before.id,
        seen=(None, *party.table.heads()[1:]),
        step=party.table.play.step,
        kind=kind,
        body=body,
    )
    check_unharmed(moment, party, lie)


def test_nobody_is_called_true() -> None:
    setup = Setup("punnet", 2)
    table = Table(setup.roster, setup.game)
    first, second = setup.parties()
    said = [*first.answer(), *second.answer()]
    first.take(said[1])
    said += first.answer()  # now the second owes a lot, and nobody else does
    for data in said:
        table.take(data)
    before = table.read[0][-1]
    lie = resigned(
        setup, before.data, seq=before.seq + 1, prev=before.id, kind="vote", body=(0, True)
    )
    table.take(lie.data)
    assert table.waiting_for == (1,)
    assert table.ended[0].why is Why.BAD


@pytest.mark.parametrize("kind", ["seat", "lot"])
def test_an_answer_that_is_not_owed_is_judged_alike_in_any_order(kind: str) -> None:
    """Somebody sits down twice, before it has seen that the others have."""
    setup = Setup("punnet", COUNT)
    first, second, third = [party.answer()[0] for party in setup.parties()]
    said = Entry.decode(first)
    twice = resigned(setup, first, seq=1, prev=said.id, kind=kind)
    early = spectator(setup, [first, twice.data, second, third])
    late = spectator(setup, [first, second, third, twice.data])
    assert early.ended == late.ended
    assert early.waiting_for == late.waiting_for


def test_a_false_vote_is_judged_alike_in_any_order() -> None:
    """Somebody has still to sit down, and another is named absent who has done so."""
    setup = Setup("punnet", COUNT)
    first, second, third = [party.answer()[0] for party in setup.parties()]
    seen = (Entry.decode(first).head, None, None)
    said = Entry.decode(third)
    vote = resigned(
        setup, third, seq=1, prev=said.id, seen=seen, kind="vote", body=(0, 0), step=said.step
    )
    early = spectator(setup, [first, third, vote.data, second])
    late = spectator(setup, [first, third, second, vote.data])
    assert early.ended == late.ended
    assert early.waiting_for == late.waiting_for
