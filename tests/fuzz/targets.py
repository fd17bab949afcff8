"""One function for each decoder: any bytes are accepted or refused, and nothing else happens."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from protocol import limits
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import SIGNATURE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import NOTHING, Entry
from protocol.feed.roster import Player, Roster
from protocol.file import gamefile
from protocol.file.gamefile import Refused
from protocol.file.report import report
from protocol.link.link import Link
from protocol.link.messages import (
    Accept,
    Begin,
    Bye,
    Carried,
    Heads,
    Join,
    Lobby,
    Message,
    Near,
    Noted,
    Ping,
    Playing,
    Pong,
    Present,
    Probe,
    Probed,
    Proposed,
    Relay,
    Say,
    Twin,
    encode_message,
    parse_message,
)
from protocol.link.notes import AT, CHAT, DONE, Note, Notes
from protocol.peer.lobby import Guest, Host
from protocol.peer.lobby import Refused as NoSeat
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer
from protocol.table.proving import Memory
from protocol.table.table import Table
from protocol.version import VERSION
from tests.fuzz.relays import relay, relayed
from tests.protocol.file.files import finished
from tests.protocol.link.links import (
    ALICE,
    BOB,
    LAST,
    MORE,
    Puppet,
    connect,
    dialler,
    held,
    responder,
)
from tests.protocol.peer.peers import STRANGER
from tests.protocol.tables import Setup

PLAYERS = 3
STOPS = (0, 1, 3, 6, 9, 12)  # moments of a game: the first entries reach most phases
KINDS = (
    *("seat", "lot", "shuffle", "agree", "shares", "commit", "ready", "reveal", "move"),
    *("leave", "stop", "vote", "fork", ""),
)


class Target(NamedTuple):
    run: Callable[[bytes], None]
    corpus: Callable[[], list[bytes]]  # good examples, for the fuzzer to begin with


def codec(data: bytes) -> None:
    try:
        value = decode(data, limits.ENTRY_SIZE_MOST)
    except RemoteProtocolError:
        return
    assert encode(value) == data


def entry(data: bytes) -> None:
    """The content alone: what the signature is makes no difference to the form."""
    data = bytes(SIGNATURE_SIZE) + data
    try:
        read = Entry.decode(data)
    except RemoteProtocolError:
        return
    content = (VERSION, read.table, read.author, read.seq, read.prev)
    again = encode((*content, read.seen, read.step, read.kind, read.body))
    assert read.data == data == data[:SIGNATURE_SIZE] + again


def roster(data: bytes) -> None:
    try:
        read = Roster.decode(data)
        assert read.encode() == data
        read.build()
    except RemoteProtocolError:
        return


def file(data: bytes) -> None:
    try:
        table = gamefile.read(data)
    except Refused:
        return
    report(table)
    assert gamefile.write(table) == data


def table(data: bytes) -> None:
    """Bytes that say which player says what, when; it is signed, and put where it belongs.

    moment, author, kind, step, who was seen: a byte each; then the body in the codec.
    """
    if len(data) < 5:
        return
    stop, author, kind, step, seen = data[:5]
    held = _table_at(STOPS[stop % len(STOPS)])
    lie = _signed(held, author % PLAYERS, KINDS[kind % len(KINDS)], step, seen, _body(data[5:]))
    before = held.play.digest()
    try:
        held.take(lie.data)
    except RemoteProtocolError:
        assert held.play.digest() == before
        return
    assert set(held.ended) <= {author % PLAYERS}
    again = gamefile.read(gamefile.write(held))
    assert again.play.digest() == held.play.digest()
    assert again.ended == held.ended


def handshake(data: bytes) -> None:
    """Bytes that say which end they reach and where they are cut; then what comes there.

    All secrets are fixed, so what was recorded of a whole link is understood.
    """
    if len(data) < 2:
        return
    whole, cut = _end(data[0]), _end(data[0])
    stream = data[2:]
    assert _heard(whole, [stream]) == _heard(cut, [stream[: data[1]], stream[data[1] :]])
    assert (whole.opened, whole.peer, whole.key) == (cut.opened, cut.peer, cut.key)
    assert whole.peer in (b"", BOB.key if data[0] % 2 else ALICE.key)
    assert whole.pending() == cut.pending()


def link(data: bytes) -> None:
    """Somebody who knows the key says this, piece by piece.

    Which end it talks to, and whether it names itself first: a byte each; then pieces, each after
    its length in two bytes.
    """
    if len(data) < 2:
        return
    end = Puppet(_end(data[0]), dialling=data[0] % 2 == 0)
    if data[1] % 2:
        end.meet()
    rest = data[2:]
    while rest:
        size = int.from_bytes(rest[:2], "big")
        piece, rest = rest[2 : 2 + size], rest[2 + size :]
        before = end.link.opened, end.link.peer
        heard = _heard(end.link, [end.seal(piece)])
        assert heard in ([], [piece[1:]], None)
        if heard is None:
            assert (end.link.opened, end.link.peer) == (False, before[1])
            return
        assert held(end.link) <= limits.FRAME_SIZE_MOST


def message(data: bytes) -> None:
    try:
        read = parse_message(data)
    except RemoteProtocolError:
        return
    assert encode_message(read) == data


def note(data: bytes) -> None:
    """The content alone, well signed by a player, or by nobody: the first byte says which."""
    setup = _setup()
    content = data[1:]
    signature = setup.identities[0].sign(b"p2pfruit note 2\n", content)
    signed = (signature if data[:1] == b"\1" else bytes(SIGNATURE_SIZE)) + content
    notes = Notes(setup.roster)
    try:
        taken = notes.accept(signed, 0)
    except RemoteProtocolError:
        assert notes.kept() == []
        return
    assert taken is not None
    assert data[:1] == b"\1"
    assert notes.kept() == [taken[1]]
    author, number, kind, body = taken[1][1:5]
    assert content == encode((VERSION, setup.roster.table, author, number, kind, body))


def peer(data: bytes) -> None:
    """Messages to a peer, each after its length in two bytes; the first says over which links.

    The fuzzer cannot sign, so but for one entry and one note that are in the corpus it can make
    nobody believe anything.
    """
    if not data:
        return
    runner = _peer()
    entries, notes = len(runner.table.feeds.log), len(runner.notes.kept())
    for at, said in enumerate(_split(data[1:])):
        try:
            runner.receive(data[0] >> at % 8 & 1, said, 0)
        except RemoteProtocolError:
            break
    for link in (0, 1):
        while (sent := runner.outgoing(link, 0)) is not None:
            parse_message(sent)
    assert len(runner.table.feeds.log) <= entries + 1
    assert len(runner.notes.kept()) <= notes + 1
    assert not runner.table.ended


def lobby(data: bytes) -> None:
    """Messages to a guest, or to a host from two guests: the first byte says to whom."""
    if not data:
        return
    host, guest = Host(_offer(), lambda: _players()[0]), Guest(lambda: _players()[1])
    for link in (0, 1):
        host.opened(link, _players()[1 + link].key, watching=False)
    for at, said in enumerate(_split(data[1:])):
        before = guest.offer, guest.roster, guest.begun, len(host.players), host.roster
        try:
            read = parse_message(said)
            if data[0] & 1:
                guest.receive(read)
            else:
                host.receive(data[0] >> (1 + at % 7) & 1, read, 0)
        except (RemoteProtocolError, NoSeat):
            after = guest.offer, guest.roster, guest.begun, len(host.players), host.roster
            assert after == before
            return
    assert guest.roster is None or _players()[1] in guest.roster.players
    assert len(host.players) <= _offer().seats


@cache
def _setup() -> Setup:
    return Setup("punnet", PLAYERS)


def _split(data: bytes) -> list[bytes]:
    parts = []
    while data:
        size = int.from_bytes(data[:2], "big")
        parts.append(data[2 : 2 + size])
        data = data[2 + size :]
    return parts


def _end(which: int) -> Link:
    return dialler() if which % 2 else responder()


def _heard(end: Link, parts: list[bytes]) -> list[bytes] | None:
    """The messages that come of it; None if it is refused."""
    heard = []
    for part in parts:
        try:
            heard += end.receive(part)
        except RemoteProtocolError:
            return None
    return heard


def _body(data: bytes) -> tuple[Value, ...]:
    try:
        value = decode(data, limits.ENTRY_SIZE_MOST // 2)
    except RemoteProtocolError:
        value = data
    return value if type(value) is tuple else (value,)


def _table_at(stop: int) -> Table:
    """What honest players proved is not checked again."""
    whole = finished("punnet", PLAYERS)
    held = Table(whole.setup.roster, whole.setup.game, check=_memory().check)
    for _, data in whole.room.said[:stop]:
        held.take(data)
    return held


@cache
def _memory() -> Memory:
    return Memory()


def _signed(
    held: Table, author: int, kind: str, step: int, seen: int, body: tuple[Value, ...]
) -> Entry:
    feed = held.feeds.feeds[author].by_id.values()
    before = max(feed, key=lambda one: one.seq, default=None)
    heads = [
        None if player == author or seen >> player & 1 else head
        for player, head in enumerate(held.heads())
    ]
    return Entry.sign(
        finished("punnet", PLAYERS).setup.identities[author],
        table=held.feeds.table,
        seq=0 if before is None else before.seq + 1,
        prev=NOTHING if before is None else before.id,
        seen=tuple(heads),
        step=max(held.play.step + step % 4 - 1, 0),
        kind=kind,
        body=body,
    )


# What to begin with.


def _entries() -> list[bytes]:
    """One of each kind."""
    said = [Entry.decode(data) for _, data in finished("punnet", PLAYERS).room.said]
    return [one.data for one in {one.kind: one for one in said}.values()]


def _contents() -> list[bytes]:
    return [data[SIGNATURE_SIZE:] for data in _entries()]


def _values() -> list[bytes]:
    numbers = tuple([2**bits - 1 for bits in range(0, 54, 4)])
    return [encode((None, True, False, "fig", b"\0", numbers, ())), encode(0), *_contents()[:2]]


def _rosters() -> list[bytes]:
    return [finished(game, 2).setup.roster.encode() for game in ("punnet", "fruitoplay")]


def _files() -> list[bytes]:
    setup = finished().setup
    return [finished().data, gamefile.write(Table(setup.roster, setup.game))]


def _lies() -> list[bytes]:
    """What was said next at each moment, and what can be said at any."""
    said = [Entry.decode(data) for _, data in finished("punnet", PLAYERS).room.said]
    order = [player.key for player in finished("punnet", PLAYERS).setup.roster.players]
    good = [
        bytes([at, order.index(said[stop].author), KINDS.index(said[stop].kind), 1, 0])
        + encode(said[stop].body)
        for at, stop in enumerate(STOPS)
    ]
    votes = [bytes([3, 0, KINDS.index("vote"), 1, 0]) + encode((0, one)) for one in (None, 1, 2)]
    fork = bytes([3, 0, KINDS.index("fork"), 1, 0]) + encode((1, bytes(32), said[0].id))
    return [*good, *votes, fork, bytes([3, 0, KINDS.index("leave"), 1, 0]) + encode(())]


def _handshakes() -> list[bytes]:
    one, other = dialler(), responder()
    hello, answer, identity = connect(one, other)
    there, back = one.send(b"fig"), other.send(b"plum")
    return [b"\0\x20" + hello + identity + there, b"\1\x40" + answer + back]


def _pieces() -> list[bytes]:
    sized = [
        len(piece).to_bytes(2, "big") + piece
        for piece in (LAST + b"fig", LAST, MORE + bytes(limits.FRAME_SIZE_MOST - 17))
    ]
    good = []
    for which in (0, 1):
        end = Puppet(_end(which), dialling=which == 0)
        named = end.introduction()
        good.append(bytes([which, 0]) + len(named).to_bytes(2, "big") + named + b"".join(sized))
        good.append(bytes([which, 1]) + b"".join(sized[:2]))
    return good


def _sized(*said: Message) -> bytes:
    encoded = [encode_message(one) for one in said]
    return b"".join([len(data).to_bytes(2, "big") + data for data in encoded])


def _messages() -> list[bytes]:
    """One of each kind."""
    table = _setup().roster.table
    [entry] = _setup().party(1).answer()
    said: list[Message] = [
        *(Ping(1), Pong(2), Twin(), Bye("enough"), Playing(b"roster"), Near((0, 2))),
        *(
            Heads(table, ((), (Entry.decode(entry).head,), ())),
            Carried(entry),
            Noted(_notes()[-1][1:]),
        ),
        *(Lobby(_offer().encode(), (Present(table, "fig"),)), Proposed(b"")),
        *(Join(table, table, "fig"), Accept(table, table), Begin(table)),
        *(Say("hello"), Relay(table, "hello")),
        *(Probe(24_977, bytes(16)), Probed("reached", "192.0.2.1")),
    ]
    return [encode_message(one) for one in said]


def _notes() -> list[bytes]:
    setup = _setup()
    bodies: list[tuple[str, Value]] = [
        *((CHAT, "hello"), (AT, ("192.0.2.1:4000", "[::1]:1")), (DONE, bytes(32)))
    ]
    signed = [
        Note.sign(setup.identities[0], setup.roster.table, number, kind, body).data
        for number, (kind, body) in enumerate(bodies)
    ]
    return [b"\1" + data[SIGNATURE_SIZE:] for data in signed] + [b"\0" + signed[0]]


def _peer() -> Peer:
    """A player who has sat down, with a link to another and one to a spectator."""
    party = _setup().party(0)
    runner = Peer(party.table, party, now_ms=0)
    runner.opened(0, _setup().identities[1].key, bytes(16), False, 0)
    runner.opened(1, STRANGER.key, bytes(16), True, 0)
    runner.look(0)
    runner.saved(len(runner.unsaved))
    return runner


def _conversations() -> list[bytes]:
    table, author = _setup().roster.table, _setup().identities[1]
    [entry] = _setup().party(1).answer()
    ends = ((), (Entry.decode(entry).head,), ())
    note = Note.sign(author, table, 1, AT, ("192.0.2.1:4000",))
    players = (Heads(table, ends), Near((0, 2)), Carried(entry), Noted(note.data), Pong(0), Twin())
    return [
        b"\0" + _sized(Ping(1), *players),
        b"\xff" + _sized(Heads(table, ((),) * PLAYERS), Ping(1), Bye("")),
        b"\x02" + _sized(Carried(entry), Playing(b""), Heads(table, ends)),
    ]


@cache
def _players() -> tuple[Player, ...]:
    return _setup().roster.players


def _offer() -> Offer:
    return Offer.of(_setup().game, PLAYERS)


def _lobbies() -> list[bytes]:
    here = tuple([Present(one.key, one.name) for one in _players()[:2]])
    offered, offer = Lobby(_offer().encode(), here), _offer().id
    changed = Lobby(replace(_offer(), number=1).encode(), here)
    roster = _offer().roster(list(_players()))
    one, other = _players()[1:]
    return [
        b"\1" + _sized(offered, Proposed(roster.encode()), Ping(1), Begin(roster.table), offered),
        b"\1" + _sized(offered, changed, Relay(one.key, "hello"), Bye("full")),
        b"\x04"
        + _sized(
            Join(offer, one.nonce, one.name),
            Join(offer, other.nonce, other.name),
            Say("hello"),
            Accept(offer, roster.table),
        ),
    ]


TARGETS = {
    "codec": Target(codec, _values),
    "entry": Target(entry, _contents),
    "roster": Target(roster, _rosters),
    "file": Target(file, _files),
    "table": Target(table, _lies),
    "handshake": Target(handshake, _handshakes),
    "link": Target(link, _pieces),
    "message": Target(message, _messages),
    "note": Target(note, _notes),
    "peer": Target(peer, _conversations),
    "lobby": Target(lobby, _lobbies),
    "relay": Target(relay, relayed),
}
