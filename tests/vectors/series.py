"""Series of two members and of three: whole ones, and such in which somebody tampered."""

from hashlib import sha256
from typing import Any

from engine import registry
from protocol.codec import encode
from protocol.feed.roster import InSeries, Roster
from protocol.file.gamefile import Refused
from protocol.series import seriesfile
from protocol.series.chain import STAGE, follow
from protocol.series.contract import Contract, Kind, SeriesGame
from protocol.series.played import Played
from protocol.series.seriesfile import MAGIC, SeriesFile
from tests.protocol.series.evenings import (
    OUTSIDER,
    PEOPLE,
    contract_of,
    first_leaves,
    plan_of,
    played,
    player,
    shown,
    signed,
    to_the_end,
)
from tests.vectors.cases import FORM, GOOD, SIGNATURE, Case


def make() -> list[Case]:
    trio, pair = _contract(3), _contract(2)
    files = _line(pair, 3, leaving=True)
    best = _contract(2, kind=Kind.BEST, points=(1,))
    short = _line(best, 2, leaving=True)
    anew, numbered, after = (
        _next(best, files, number, 7, leaving=True)
        for files, number in (((), 1), (short[:1], 1), (short, 3))
    )
    return [
        _shown("a contract and no game", trio, ()),
        _shown("three games, the last with somebody outside", trio, _line(trio, 3)),
        _shown("one of three games", pair, files[:1]),
        _shown("best of three, decided after two", best, short),
        _case("a game dropped", pair, (files[0], files[2]), STAGE),
        _case("the first game dropped", pair, files[1:], STAGE),
        _case("two games in the other order", pair, (files[1], files[0], files[2]), STAGE),
        _case("a game twice", pair, (files[0], *files), STAGE),
        _case("a game of another series", pair, (short[0], *files[1:]), STAGE),
        _case("a game that was played anew", best, (anew, short[1]), STAGE),
        _case("a number again that has a result", best, (short[0], numbered), STAGE),
        _case("a game after the end", best, (*short, after), STAGE),
        *_spoilt(pair),
    ]


def _contract(members: int, **plan: Any) -> Contract:
    game = registry.build("frutopia", {"standstill": "10"})
    terms = SeriesGame.of(Roster.of(game, (player(PEOPLE[0]),)))
    return contract_of(members, plan_of(games=(terms,), **plan))


def _line(contract: Contract, count: int, *, leaving: bool = False) -> tuple[bytes, ...]:
    files: list[bytes] = []
    for number in range(1, count + 1):
        files.append(_next(contract, files, number, number - 1, leaving=leaving))
    return tuple(files)


def _next(contract: Contract, files: Any, number: int, nth: int, *, leaving: bool = False) -> bytes:
    """A game after these files. In the third one somebody sits who is no member."""
    before = sha256(files[-1]).digest() if files else b""
    members = PEOPLE[: len(contract.members)]
    people = [*members[1:], OUTSIDER] if number == 3 and len(members) == 3 else members
    series = InSeries(contract.id, number, before)
    return played(contract, series, people, nth, first_leaves if leaving else to_the_end)


def _spoilt(contract: Contract) -> list[Case]:
    whole = signed(contract)
    data, signatures = contract.encode(), whole.signatures
    values = {
        "signatures in another order": ((data, signatures[::-1], ()), SIGNATURE),
        "a signature less": ((data, signatures[1:], ()), FORM),
        "a contract that is none": ((b"\x90", signatures, ()), FORM),
        "a file that is none": ((data, signatures, (b"fig",)), FORM),
        "a field more": ((data, signatures, (), ()), FORM),
    }
    first = seriesfile.write(SeriesFile(signed=whole, files=()))
    another = first.replace(b"series 2\n", b"series 3\n")
    return [
        {"name": "another version", "series": another.hex(), "expect": FORM},
        {"name": "a game file", "series": b"p2pfruit game 2\n".hex(), "expect": FORM},
        *[
            {"name": name, "series": (MAGIC + encode(value)).hex(), "expect": expect}
            for name, (value, expect) in values.items()
        ],
    ]


def _data(contract: Contract, files: tuple[bytes, ...]) -> bytes:
    return seriesfile.write(SeriesFile(signed=signed(contract), files=files))


def _case(name: str, contract: Contract, files: tuple[bytes, ...], expect: str) -> Case:
    return {"name": name, "series": _data(contract, files).hex(), "expect": expect}


def _shown(name: str, contract: Contract, files: tuple[bytes, ...]) -> Case:
    data = _data(contract, files)
    return _case(name, contract, files, GOOD) | {"id": contract.id.hex(), "standings": _read(data)}


def _read(data: bytes) -> Case:
    series = seriesfile.read(data)
    contract = series.signed.contract
    course = follow(contract, [shown(one) for one in series.files])
    return {
        "games": [_game(contract, one) for one in course.games],
        "members": [
            [row.key.hex(), row.place, row.points, row.wins, row.games]
            for row in course.standings.rows
        ],
        "over": course.standings.over,
    }


def _game(contract: Contract, game: Played) -> list[Any]:
    return [game.series.number, game.digest.hex(), game.how.value, game.effect(contract)]


def check(case: Case) -> str:
    try:
        found = _read(bytes.fromhex(case["series"]))
    except Refused as error:
        return error.stage
    assert found == case["standings"]
    assert seriesfile.read(bytes.fromhex(case["series"])).signed.contract.id.hex() == case["id"]
    return GOOD
