"""Answers at one table, and the code for which each bad one ends its author's feed.

The first case is the table: `roster`, and `said`, the entries of all players in the order in which
they were said, from sitting down to a trick in which a player could not follow. In every other case
a reader holds the first `held` of these entries, and then `entries`. `expect` is the code of the
first check that fails (docs/protocol.md, section 6.11), or "good".
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from protocol.codec import Value
from protocol.crypto.group import ORDER
from protocol.feed.entries import Entry, Head
from protocol.feed.roster import Roster
from protocol.table.table import Table
from tests.protocol.file.files import resigned
from tests.protocol.tables import Room, Setup
from tests.vectors.cases import GOOD, Case

GAME, PLAYERS = "bastos", 3  # every kind of answer occurs in its first round
CODES = frozenset(
    {"seen", "twice", "not-owed", "kind", "form", "length", "point", "scalar", "proof"}
    | {"digest", "ready", "commitment", "illegal", "claim", "ahead"}
)

Body = tuple[Any, ...]


class Story(NamedTuple):
    setup: Setup
    said: list[bytes]

    def find(self, kind: str, fits: Callable[[Entry], bool] = lambda _: True) -> int:
        """Return the place of the first entry of this kind."""
        entries = enumerate(map(Entry.decode, self.said))
        return next(at for at, entry in entries if entry.kind == kind and fits(entry))

    def body(self, at: int) -> Body:
        return Entry.decode(self.said[at]).body

    def table(self, held: int) -> Table:
        table = Table(self.setup.roster, self.setup.game)
        for data in self.said[:held]:
            table.take(data)
        return table

    def with_body(self, at: int, *body: Value) -> bytes:
        return resigned(self.setup, self.said[at], body=body).data

    def say(self, held: int, player: int, kind: str, step: int | None = None) -> bytes:
        """Sign something that nobody asked for, after everything that is held."""
        table = self.table(held)
        heads = list(table.heads())
        mine, heads[player] = heads[player], None
        return Entry.sign(
            self.setup.identities[player],
            table=self.setup.roster.table,
            seq=0 if mine is None else mine.seq + 1,
            prev=b"" if mine is None else mine.id,
            seen=tuple(heads),
            step=table.play.step if step is None else step,
            kind=kind,
            body=(),
        ).data


@cache
def story() -> Story:
    setup = Setup(GAME, PLAYERS)
    room = Room(setup.parties())
    room.run(lambda: any(has_claim(data) for _, data in room.said))
    said = [data for _, data in room.said]
    end = next(at for at, data in enumerate(said) if has_claim(data))
    return Story(setup, said[: end + 1])


def has_claim(data: bytes) -> bool:
    entry = Entry.decode(data)
    return entry.kind == "move" and bool(entry.body[3])


def make() -> list[Case]:
    told = story()
    table: Case = {
        "name": "the table",
        "roster": told.setup.roster.encode().hex(),
        "said": [data.hex() for data in told.said],
        "expect": GOOD,
    }
    makers = (_order, _points, _shuffles, _hashes, _moves, _hops)
    return [table, *[_case(*case) for make in makers for case in make(told)]]


Made = tuple[str, int, bytes | list[bytes], str]


def _case(name: str, held: int, said: bytes | list[bytes], expect: str) -> Case:
    entries = [said] if isinstance(said, bytes) else said
    return {
        "name": name,
        "held": held,
        "entries": [entry.hex() for entry in entries],
        "expect": expect,
    }


def _order(told: Story) -> Iterator[Made]:
    yield "an answer as it was", 0, told.said[0], GOOD
    first = Entry.decode(told.said[0])
    by = told.setup.roster.find(first.author)
    assert by is not None
    other = (by + 1) % PLAYERS
    yield "answers a step twice", 1, told.say(1, by, "seat"), "twice"
    yield "answers a step twice, by another kind", 1, told.say(1, by, "lot"), "twice"
    shuffling = told.find("shuffle")
    table = told.table(shuffling)
    [owing] = table.waiting_for
    idle = next(player for player in range(PLAYERS) if player != owing)
    yield "answers an earlier step", shuffling, told.say(shuffling, idle, "lot", 0), "twice"
    yield "owes nothing", shuffling, told.say(shuffling, idle, "shuffle"), "not-owed"
    yield "owes nothing, another kind", shuffling, told.say(shuffling, idle, "move"), "not-owed"
    yield "another kind", shuffling, told.say(shuffling, owing, "move"), "kind"
    yield "an unknown kind", shuffling, told.say(shuffling, owing, "fig"), "kind"
    yield "another kind, empty", 0, told.say(0, other, "lot"), "kind"
    seats = [Entry.decode(data) for data in told.said if Entry.decode(data).kind == "seat"]
    [honest] = [one for one in seats if told.setup.roster.find(one.author) == other]
    seen: list[Head | None] = [None] * PLAYERS
    seen[by] = first.head
    knowing = resigned(told.setup, honest.data, seen=tuple(seen))
    less = resigned(told.setup, honest.data, seq=1, prev=knowing.id)
    yield "has seen less, and answers twice", 1, [knowing.data, less.data], "seen"


NO_POINT = b"\x02" + bytes(31) + b"\x05"
SCALARS = {"zero": bytes(32), "the order": ORDER.to_bytes(32, "big")}


def _points(told: Story) -> Iterator[Made]:
    for kind in ("seat", "lot", "shares"):
        at = told.find(kind)
        point, proof = told.body(at)

        def said(name: str, expect: str, *body: Value, held: int = at, kind: str = kind) -> Made:
            return f"{kind}: {name}", held, told.with_body(held, *body), expect

        yield said("no proof", "form", point)
        yield said("two fields too many", "form", point, proof, b"", b"")
        yield said("text for bytes", "form", "point", proof)
        yield said("a byte short", "length", point[:-1], proof)
        yield said("empty", "length", b"", b"")
        yield said("a first byte of 4", "point", b"\x04" + point[1:], proof)
        yield said("no point, and no proof", "point", NO_POINT + point[33:], b"")
        yield said("a proof a byte short", "length", point, proof[:-1])
        for name, scalar in SCALARS.items():
            yield said(f"a scalar that is {name}", "scalar", point, scalar + proof[32:])
        yield said("a false proof", "proof", point, proof[:-1] + bytes([proof[-1] ^ 1]))


def _shuffles(told: Story) -> Iterator[Made]:
    at = told.find("shuffle")
    [(deck, proof)] = told.body(at)
    points_end = len(deck)  # two points a card, as in the deck

    def said(name: str, expect: str, *body: Value) -> Made:
        return f"shuffle: {name}", at, told.with_body(at, *body), expect

    yield said("no pile", "form")
    yield said("a pile twice", "form", (b"", b""), (b"", b""))
    yield said("a pile without a proof", "form", (b"",))
    yield said("a card fewer, and no proof", "length", (deck[:-66], b""))
    yield said("a card more", "length", (deck + deck[:66], b""))
    yield said("half a card fewer", "length", (deck[:-33], b""))
    yield said("no point, and no proof", "point", (NO_POINT + deck[33:], b""))
    yield said("a proof of a card fewer", "length", (deck, proof[:-130]))
    bad = proof[:points_end] + bytes(32) + proof[points_end + 32 :]
    yield said("a scalar that is zero, and no point", "scalar", (deck, NO_POINT + bad[33:]))
    yield said("a proof's point that is none", "point", (deck, NO_POINT + proof[33:]))
    yield said("a false proof", "proof", (deck, proof[:-1] + bytes([proof[-1] ^ 1])))


def _hashes(told: Story) -> Iterator[Made]:
    for kind, wrong in (("agree", "digest"), ("commit", GOOD), ("ready", "ready")):
        at = told.find(kind, lambda entry: len(entry.body) == 1)
        [hashed] = told.body(at)
        for name, expect, body in (
            ("no hash", "form", ()),
            ("a hash a byte short", "form", (hashed[:-1],)),
            ("a number", "form", (7,)),
            ("another hash", wrong, (bytes(32),)),
        ):
            yield f"{kind}: {name}", at, told.with_body(at, *body), expect


def _moves(told: Story) -> Iterator[Made]:
    revealing = told.find("reveal")
    move, nonce, shares, proof, claims = told.body(revealing)
    verb, slots, words = move

    def reveal(name: str, expect: str, *body: Value) -> Made:
        return f"reveal: {name}", revealing, told.with_body(revealing, *body), expect

    yield reveal("without its nonce", "form", move, shares, proof, claims)
    yield reveal("a move of two fields", "form", (verb, slots), nonce, shares, proof, claims)
    yield reveal("a verb in capitals", "form", ("BASTOS", slots, words), nonce, b"", b"", ())
    yield reveal("another nonce", "commitment", move, bytes(32), shares, proof, claims)
    yield reveal("a short nonce", "commitment", move, nonce[:-1], shares, proof, claims)
    yield reveal("another move", "commitment", (verb, (), words), nonce, b"", b"", ())
    yield reveal("no shares", "length", move, nonce, b"", proof, claims)
    yield reveal("a false proof", "proof", move, nonce, shares, _flipped(proof), claims)
    yield reveal("a claim that nobody demands", "claim", move, nonce, shares, proof, (b"",))

    at = len(told.said) - 1
    move, shares, proof, claims, *_hop = told.body(at)
    [claim] = claims
    verb, slots, words = move
    state = told.table(at).play.state
    author = told.setup.roster.find(Entry.decode(told.said[at]).author)
    foreign = next(
        hand[0]
        for seat, hand in enumerate(state.hands)
        if hand and told.table(at).play.seats[seat] != author
    )

    def turn(name: str, expect: str, *body: Value) -> Made:
        return f"move: {name}", at, told.with_body(at, *body), expect

    yield turn("two fields too many", "form", move, shares, proof, (), (), ())
    yield turn("a hop, no shares", "length", move, b"", proof, (), ())
    yield turn("a word in capitals", "form", (verb, slots, ("FIG",)), shares, proof, ())
    yield turn("a slot that is true", "form", (verb, (True,), words), shares, proof, ())
    yield turn("a slot twice", "form", (verb, slots * 2, words), shares * 2, proof, ())
    yield turn("a foreign card, no shares", "illegal", (verb, (foreign,), words), b"", b"", ())
    yield turn("no shares", "length", move, b"", proof, ())
    yield turn("no point", "point", move, NO_POINT, b"", ())
    yield turn("a proof a byte long", "length", move, shares, proof + b"\0", ())
    yield turn("a false proof", "proof", move, shares, _flipped(proof), ())
    yield turn("no card, with a proof", "form", (verb, (), words), b"", proof, ())
    yield turn("no card", "illegal", (verb, (), words), b"", b"", ())
    yield turn("an unknown verb", "illegal", ("bastos", slots, words), shares, proof, ())
    yield turn("no claim", "claim", move, shares, proof, ())
    yield turn("a claim twice", "claim", move, shares, proof, (b"", b""))
    yield turn("a claim that is text", "claim", move, shares, proof, ("fig",))
    yield turn("a claim a byte short", "length", move, shares, proof, (claim[:-1],))
    zero = claim[:32] + bytes(32) + claim[64:]
    yield turn("a claim's scalar that is zero", "scalar", move, shares, proof, (zero,))
    yield turn("a false claim", "proof", move, shares, proof, (_flipped(claim),))


def _hops(told: Story) -> Iterator[Made]:
    at = told.find("commit", lambda entry: len(entry.body) == 2)
    hashed, hop = told.body(at)
    [(deck, proof)] = hop

    def said(name: str, expect: str, *body: Value) -> Made:
        return f"hop: {name}", at, told.with_body(at, *body), expect

    yield said("as it was", GOOD, hashed, hop)
    yield said("none", GOOD, hashed)
    yield said("a hash a byte short, and no hop", "form", hashed[:-1], b"")
    yield said("bytes", "form", hashed, deck)
    yield said("no pile", "form", hashed, ())
    yield said("a pile twice", "form", hashed, (*hop, *hop))
    yield said("a pile without a proof", "form", hashed, ((deck,),))
    yield said("a card fewer", "length", hashed, ((deck[:-66], proof),))
    yield said("no point, and no proof", "point", hashed, ((NO_POINT + deck[33:], b""),))
    yield said("a proof a byte short", "length", hashed, ((deck, proof[:-1]),))
    yield said("a false proof", "proof", hashed, ((deck, _flipped(proof)),))
    shuffled = told.body(told.find("shuffle"))
    yield said("the shuffle of another", "proof", hashed, shuffled)
    other = told.find("commit", lambda entry: len(entry.body) == 1)
    name, body = "hop: by another player", (*told.body(other), hop)
    yield name, other, told.with_body(other, *body), "ahead"
    name, body = "hop: by another player, and no list", (*told.body(other), b"")
    yield name, other, told.with_body(other, *body), "ahead"
    drawn = told.find("lot", lambda entry: entry.step > 1)
    name, body = "hop: in a lot of the game", (*told.body(drawn), hop)
    yield name, drawn, told.with_body(drawn, *body), "ahead"
    seated = told.find("lot")
    name, body = "hop: where nothing is shuffled yet", (*told.body(seated), hop)
    yield name, seated, told.with_body(seated, *body), "ahead"


def _flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def check(case: Case) -> str:
    told = story()
    if "said" in case:
        assert told.setup.roster == Roster.decode(bytes.fromhex(case["roster"]))
        table = told.table(len(case["said"]))
        return GOOD if not table.lost else table.lost[0].ending.code
    table = told.table(case["held"])
    assert not table.lost
    for data in case["entries"]:
        table.take(bytes.fromhex(data))
    return table.lost[0].ending.code if table.lost else GOOD
