"""Series files of games that were really played, and files that were tampered with."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from engine.needs import NO_PLACE
from protocol.codec import encode
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import InSeries
from protocol.file import gamefile
from protocol.file.gamefile import Refused, UnknownRules, without_seat
from protocol.file.report import Verdict, report
from protocol.series import seriesfile
from protocol.series.chain import follow
from protocol.series.contract import Effect
from protocol.series.played import How, Played
from protocol.series.seriesfile import MAGIC, SeriesFile
from protocol.table.table import Table
from tests.protocol.file import scenes
from tests.protocol.file.files import finished
from tests.protocol.series.evenings import (
    OUTSIDER,
    PEOPLE,
    contract_of,
    evening,
    first_leaves,
    played,
    shown,
)
from tests.protocol.tables import Room


def whole() -> SeriesFile:
    contract, files = evening()
    return SeriesFile(signed=contract, files=files)


def refusal(data: bytes) -> tuple[str, str]:
    with pytest.raises(Refused) as error:
        seriesfile.read(data)
    return error.value.stage, error.value.code


def test_an_evening() -> None:
    series = seriesfile.read(seriesfile.write(whole()))
    assert series == whole()
    contract = series.signed.contract
    course = follow(contract, [shown(data) for data in series.files])
    assert course.standings.over
    assert [one.how for one in course.games] == [How.FINAL] * 3
    games = {row.key: row.games for row in course.standings.rows}
    assert games == {PEOPLE[0].key: 2, PEOPLE[1].key: 3, PEOPLE[2].key: 3}
    assert OUTSIDER.key in course.games[2].places
    assert all(row.place != NO_PLACE for row in course.standings.rows)


def test_a_contract_without_games() -> None:
    bare = replace(whole(), files=())
    assert seriesfile.read(seriesfile.write(bare)) == bare


Tamper = Callable[[tuple[bytes, ...]], tuple[bytes, ...]]


def other_people() -> bytes:
    """A game of the same number, by others, who have a contract of their own."""
    contract = contract_of(4)
    return played(contract, InSeries(contract.id, 1, b""), PEOPLE, 5)


def replayed() -> bytes:
    """The first game once more, by the same people under the same contract."""
    contract, files = evening()
    place = gamefile.roster_of(files[0]).series
    assert place is not None
    return played(contract.contract, place, PEOPLE[:3], 8)


TAMPERED: dict[str, tuple[Tamper, str]] = {
    "dropped first": (lambda files: files[1:], "before"),
    "dropped in the middle": (lambda files: (files[0], files[2]), "before"),
    "swapped": (lambda files: (files[1], files[0], files[2]), "before"),
    "turned round": (lambda files: files[::-1], "before"),
    "twice": (lambda files: (files[0], *files), "before"),
    "of other people": (lambda files: (other_people(), *files[1:]), "contract"),
    "of no series": (lambda files: (*files[:2], finished().data), "contract"),
    "replayed": (lambda files: (replayed(), *files[1:]), "before"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampered_games_are_refused(name: str) -> None:
    tamper, code = TAMPERED[name]
    data = seriesfile.write(replace(whole(), files=tamper(whole().files)))
    assert refusal(data) == ("series", code)


def test_a_game_that_is_none() -> None:
    data = seriesfile.write(replace(whole(), files=(b"fig",)))
    assert refusal(data) == ("form", "file")


def test_a_shorter_file_of_a_game_is_another_file() -> None:
    contract, files = evening()
    table = gamefile.read(files[0])
    short = Table(table.roster, table.game)
    for feed in table.read:
        for entry in feed[:-1]:
            short.take(entry.data)
    data = gamefile.write(short)
    assert gamefile.read(data).roster == table.roster
    assert refusal(seriesfile.write(SeriesFile(signed=contract, files=(data, *files[1:])))) == (
        "series",
        "before",
    )


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (7, "file"),
        ((b"", (), (7,)), "file"),
        ((b"", (), ()), "codec"),
        ((whole, (), ()), "contract"),
        ((whole, (7, 7, 7), ()), "contract"),
    ],
)
def test_what_is_no_series_file(value: Any, code: str) -> None:
    if isinstance(value, tuple) and value[0] is whole:
        value = (whole().signed.contract.encode(), *value[1:])
    assert refusal(MAGIC + encode(value)) == ("form", code)


def test_another_first_line() -> None:
    assert refusal(b"p2pfruit series 3\n") == ("form", "version")
    assert refusal(b"p2pfruit game 2\n") == ("form", "file")


def test_a_signature_of_nobody() -> None:
    signatures = whole().signed.signatures
    contract = whole().signed.contract.encode()
    data = MAGIC + encode((contract, signatures[::-1], ()))
    assert refusal(data) == ("signature", "signature")


# What a file shows.


def test_a_game_that_one_left() -> None:
    contract = contract_of(2)
    data = played(contract, InSeries(contract.id, 1, b""), PEOPLE[:2], 0, first_leaves)
    game = shown(data)
    assert game.how is How.ABANDONED
    assert game.effect(contract) is Effect.COUNTS
    assert game.places[PEOPLE[1].key] == 1
    assert game.sat == {one.key for one in PEOPLE[:2]}


def in_series(room: Room, contract_id: bytes) -> Played:
    """What the table of a room would show if it stood in a series."""
    table = without_seat(room.parties[0].table)
    found = report(table)
    table.roster = replace(table.roster, series=InSeries(contract_id, 1, b""))
    return Played.of(table, b"\1" * 32, found)


@pytest.mark.parametrize(
    ("make", "how", "cheats"),
    [
        (scenes.split, How.STOPPED, {2}),
        (scenes.forked, How.FINAL, {2}),
        (scenes.given_up, How.UNFINISHED, set[int]()),
        (lambda: scenes.cheated(scenes.FalseShares), How.FINAL, {2}),
        (lambda: scenes.cheated(scenes.FalseEnd), How.FINAL, set[int]()),
    ],
    ids=["split", "forked", "given up", "false shares", "another digest"],
)
def test_what_a_table_shows(make: Callable[[], Room], how: How, cheats: set[int]) -> None:
    room = make()
    keys = [one.key for one in room.parties[0].table.roster.players]
    game = in_series(room, contract_of(2).id)
    assert game.how is how
    assert game.cheats == {keys[at] for at in cheats}


def test_results_that_not_all_signed() -> None:
    contract, files = evening()
    table = gamefile.read(files[0])
    found = report(table)
    for other, how in (
        (replace(found, dropped=(0,)), How.CONTESTED),
        (replace(found, verdict=Verdict.UNSIGNED), How.UNSIGNED),
    ):
        assert Played.of(table, b"\1" * 32, other).how is how
        assert Played.of(table, b"\1" * 32, other).effect(contract.contract) is Effect.COUNTS


def test_unknown_rules() -> None:
    contract, files = evening()
    table = gamefile.read(files[0])
    roster = replace(table.roster, game="chess")
    refused = UnknownRules(roster, table.feeds, RemoteProtocolError("game", "chess"))
    game = Played.unknown(refused, sha256(files[0]).digest())
    assert game.how is How.UNKNOWN
    assert game.sat == {one.key for one in PEOPLE[:3]}
    assert game.effect(contract.contract) is None
