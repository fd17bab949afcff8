"""Points and scalars that are none, and bodies that are nothing, in every place where one goes."""

from collections.abc import Callable, Iterator

import pytest

from protocol.codec import Value
from protocol.crypto import group
from protocol.crypto.group import ORDER, POINT_BYTES, SCALAR_BYTES
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Entry
from protocol.table.events import Why
from protocol.table.party import Party
from tests.adversary.courses import KINDS, follow, games, kinds_of
from tests.adversary.hall import Body, Hall, due, forge, owed
from tests.quick import slow_but

FIELD = 2**256 - 2**32 - 977
G = group.encode_point(group.base(1))
ON = G[1:]
OFF = (5).to_bytes(32, "big")  # no point has this x

POINTS = {
    "zeros": bytes(33),
    "x is zero": b"\x02" + bytes(32),
    "x is the field's order": b"\x02" + FIELD.to_bytes(32, "big"),
    "x is too large by one field": b"\x02" + (FIELD + 1).to_bytes(32, "big"),
    "all ones": b"\xff" * 33,
    "off the curve": b"\x03" + OFF,
    "uncompressed prefix": b"\x04" + ON,
    "hybrid even": b"\x06" + ON,
    "hybrid odd": b"\x07" + ON,
    "x only": b"\x00" + ON,
}
SCALARS = {
    "zero": bytes(32),
    "the order": ORDER.to_bytes(32, "big"),
    "one more than the order": (ORDER + 1).to_bytes(32, "big"),
    "all ones": b"\xff" * 32,
}
LENGTHS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "one byte short": lambda data: data[:-1],
    "one byte long": lambda data: data + b"\x00",
    "a point more": lambda data: data + G,
    "twice": lambda data: data * 2,
}


def change(body: Body, path: tuple[int, ...], data: bytes) -> Body:
    at, *rest = path
    item: Value = data
    if rest:
        inner = body[at]
        assert isinstance(inner, tuple)
        item = change(inner, tuple(rest), data)
    return (*body[:at], item, *body[at + 1 :])


def look(body: Body, path: tuple[int, ...]) -> bytes:
    item: Value = body
    for at in path:
        assert isinstance(item, tuple)
        item = item[at]
    assert isinstance(item, bytes)
    return item


# Of each kind: where in the body bytes stand, and what they are made of.
PLACES: dict[str, dict[tuple[int, ...], str]] = {
    "seat": {(0,): "points", (1,): "scalars"},
    "lot": {(0,): "points", (1,): "scalars"},
    "shuffle": {(0, 0): "points", (0, 1): "shuffle proof"},
    "shares": {(0,): "points", (1,): "scalars"},
    "reveal": {(2,): "points", (3,): "scalars"},
    "move": {(1,): "points", (2,): "scalars"},
}


def spoiled(data: bytes, made_of: str, cards: int) -> Iterator[bytes]:
    """Every bad encoding, at the first place, the last, and one in between."""
    points, scalars = len(data) // POINT_BYTES, 0
    if made_of == "scalars":
        points, scalars = 0, len(data) // SCALAR_BYTES
    elif made_of == "shuffle proof":
        points, scalars = 2 * cards, 5 + 2 * cards
    for index in {0, points // 2, points - 1} if points else ():
        at = index * POINT_BYTES
        yield from (data[:at] + bad + data[at + POINT_BYTES :] for bad in POINTS.values())
    for index in {0, scalars // 2, scalars - 1} if scalars else ():
        at = points * POINT_BYTES + index * SCALAR_BYTES
        yield from (data[:at] + bad + data[at + SCALAR_BYTES :] for bad in SCALARS.values())
    yield from (longer(data) for longer in LENGTHS.values())


def refused(listener: Party, speaker: Party, kind: str, body: Body) -> str:
    """How a judge refuses an entry. Nobody else learns of it."""
    entry = Entry.decode(forge(speaker, kind, body))
    with pytest.raises(RemoteProtocolError) as error:
        listener.table.judge.judge(speaker.me, entry)
    return error.value.code


def speech(hall: Hall, kind: str) -> tuple[Party, Party, Body]:
    """Who comes to say this kind, who hears it, and what an honest player would say."""
    party = hall.before(kind)
    listener = next(
        one for one in hall.others(party) if one.table.play.step == party.table.play.step
    )
    if kind == "move":
        return party, listener, party._turn(hall.choose(party.view(), hall.rng))
    return party, listener, due(party)[1]


@pytest.mark.parametrize("kind", PLACES)
def test_03_points_and_scalars_that_are_none(kind: str) -> None:
    hall = Hall("brambles" if kind == "move" else "punnet", 3)
    party, listener, honest = speech(hall, kind)
    listener.table.judge.judge(party.me, Entry.decode(forge(party, kind, honest)))
    cards = len(party.table.play.decks[0].cards) if kind == "shuffle" else 0
    for path, made_of in PLACES[kind].items():
        for bad in spoiled(look(honest, path), made_of, cards):
            code = refused(listener, party, kind, change(honest, path, bad))
            assert code in ("point", "scalar", "length", "form"), (path, bad.hex())


def test_03_claims_with_scalars_that_are_none() -> None:
    hall = Hall("brambles", 3)

    def claiming(party: Party) -> bool:
        return owed(party) == "move" and any(party._claims(move) for move in party.view().moves())

    party = hall.run(claiming)
    assert party is not None
    move = next(move for move in party.view().moves() if party._claims(move))
    honest = party._turn(move)
    listener = hall.others(party)[0]
    listener.table.judge.judge(party.me, Entry.decode(forge(party, "move", honest)))
    for at, proof in enumerate(honest[3]):
        for bad in SCALARS.values():
            spoilt = proof[:32] + bad + proof[64:]
            assert refused(listener, party, "move", change(honest, (3, at), spoilt)) == "scalar"
        for longer in LENGTHS.values():
            spoilt = longer(proof)
            assert refused(listener, party, "move", change(honest, (3, at), spoilt)) == "length"
    more: tuple[Value, ...] = (*honest[3], honest[3][0])
    for claims in ((), more, (7,) * len(honest[3])):
        assert refused(listener, party, "move", (*honest[:3], claims)) == "claim"


NONSENSE: list[Body] = [
    (),
    (None,),
    (0,),
    (True,),
    ("",),
    (b"",),
    ((),),
    (b"", b""),
    (b"", b"", b""),
    ((), b"", b"", ()),
    (("play", (), ()), b"", b"", ()),
    (("play", (1, 1), ()), b"", b"", ()),
    (("play", (2**53 - 1,), ()), b"", b"", ()),
    (("play", (True,), ()), b"", b"", ()),
    (("", (), ()), b"", b"", ()),
    (("play", ("1",), (7,)), b"", b"", ()),
    (("play\x00", (), ()), bytes(32), b"", b"", ()),
    (("play", (), ()), bytes(32), b"", b"", ()),
    (("play", (), ()), bytes(31), b"", b"", ()),
    ((b"", b""), (b"", b"")),
    (b"\x00" * 4096,),
    (((((),),),),),
]


NONSENSE_CODES = ("form", "point", "length", "digest", "ready", "commitment", "illegal")


@pytest.mark.parametrize("game", slow_but(lambda game: game in ("tindahan", "pixies"), games()))
def test_35_nonsense_in_every_kind_of_answer(game: str) -> None:
    hall = follow(game)
    for kind in kinds_of(game):
        party = hall.before(kind)
        listener = next(
            one for one in hall.others(party) if one.table.play.step == party.table.play.step
        )
        for body in NONSENSE:
            code = refused(listener, party, kind, body)
            assert code in NONSENSE_CODES, body
            for other in set(KINDS) - {kind}:
                assert refused(listener, party, other, body) == "kind"


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", ["vote", "leave", "stop", "nothing", "Seat", "", "\x1b[2J"])
@pytest.mark.parametrize("body", [(None,)], ids=repr)
def test_35_nonsense_beside_the_steps(kind: str, body: Body) -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("shuffle")
    hall.tell(cheat, forge(cheat, kind, body))
    for party in hall.others(cheat):
        assert [loss.ending.why for loss in party.table.lost] == [Why.BAD]
    hall.silent.add(cheat.me)
    hall.run(lambda party: party.table.play.step > cheat.table.play.step + 1)
    hall.agreed(hall.others(cheat), [(cheat.me, Why.BAD, ANY_CODE[kind])])


ANY_CODE = {"vote": "form", "leave": "form", "stop": "form"} | dict.fromkeys(
    ["nothing", "Seat", "", "\x1b[2J"], "kind"
)


def nonsense_forks(hall: Hall, cheat: Party) -> dict[str, Body]:
    other = hall.others(cheat)[0]
    first, second = sorted(entry.id for entry in other.table.read[other.me][:2])
    one = hall.parties[1]
    of_one = sorted(entry.id for entry in one.table.read[1][:2])
    return {
        "no body": (),
        "nobody": (99, first, second),
        "oneself": (cheat.me, *sorted(e.id for e in cheat.table.read[cheat.me][:2])),
        "no fork": (other.me, first, second),
        "one entry": (other.me, first, first),
        "wrong order": (other.me, second, first),
        "no ids": (other.me, b"", b""),
        "a short id": (other.me, b"", second),
        "a long id": (other.me, first, second + b"\x00"),
        "a truth value": (True, *of_one),
        "text": (other.me, "a", "b"),
    }


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "what",
    [
        *["no body", "nobody", "oneself", "no fork", "one entry", "wrong order"],
        *["a truth value", "text"],
        *["no ids", "a short id", "a long id"],
    ],
)
def test_32_fork_that_is_none(what: str) -> None:
    """Accusing somebody without evidence ends one's own feed, and nobody else's."""
    hall = Hall("punnet", 3)
    cheat = hall.before("shuffle")
    hall.tell(cheat, forge(cheat, "fork", nonsense_forks(hall, cheat)[what]))
    hall.silent.add(cheat.me)
    hall.run(lambda party: party.table.play.step > cheat.table.play.step + 1)
    code = "form" if what in ("no body", "a truth value", "text") else "fork"
    hall.named((cheat, Why.BAD, code))


@pytest.mark.no_cover
@pytest.mark.parametrize("named", [True, False])
def test_25_a_vote_that_names_a_truth_value(named: bool) -> None:
    """True is not 1: a vote has one meaning or none."""
    hall = Hall("punnet", 4)
    absent = hall.parties[int(named)]
    hall.before("agree", player=absent.me)
    hall.silent.add(absent.me)
    hall.run()
    cheat = hall.others(absent)[0]
    hall.tell(cheat, forge(cheat, "vote", (0, (named,))))
    for party in hall.others(absent, cheat):
        assert [(loss.player, loss.ending.code) for loss in party.table.lost] == [
            (cheat.me, "form")
        ]
