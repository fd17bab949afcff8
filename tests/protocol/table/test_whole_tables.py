"""Whole games between parties that exchange nothing but entries, in any order, some twice."""

from collections.abc import Callable

import pytest

from engine import registry
from engine.dealer import replay
from engine.moves import Outcome
from engine.needs import Done
from engine.record import digest
from protocol.feed.entries import Entry
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.play import Play
from protocol.table.table import Table
from tests.protocol.tables import Room, Setup
from tests.quick import slow_but


def check_finished(parties: list[Party]) -> bytes:
    """All ended alike, and wrote the same file, which verifies as final."""
    assert {party.table.play.phase for party in parties} == {Phase.OVER}
    assert len({party.table.play.digest() for party in parties}) == 1
    files = {gamefile.write(party.table) for party in parties}
    assert len(files) == 1
    [data] = files
    table = gamefile.read(data)
    assert report(table).verdict is Verdict.FINAL
    assert table.play.digest() == parties[0].table.play.digest()
    assert table.lost == []
    return data


@pytest.mark.parametrize("players", slow_but(lambda players: players == 2, range(2, 7)))
def test_fruitoplay_ends_alike_for_everyone(players: int) -> None:
    room = Room(Setup("fruitoplay", players, players).parties(), players)
    room.run()
    check_finished(room.parties)
    assert len(room.parties[0].table.play.state.scores) == 3


# Each game with one number of players, so that both are at work in both kinds of games.
SMALL = slow_but(
    lambda game, players: (game, players) in (("punnet", 4), ("brambles", 3)),
    [(game, players) for game in ("punnet", "brambles") for players in (2, 3, 4)],
)


@pytest.mark.parametrize(("game", "players"), SMALL)
def test_small_games_end_alike_in_any_order(game: str, players: int) -> None:
    room = Room(Setup(game, players).parties(), 1)
    room.run()
    check_finished(room.parties)


OTHERS = [
    (game, players)
    for game in registry.names()
    if game != "fruitoplay"
    for players in registry.find(game).game.seats
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), OTHERS)
def test_other_games_end_alike_in_any_order(game: str, players: int) -> None:
    room = Room(Setup(game, players, players).parties(), players)
    room.run()
    check_finished(room.parties)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(100))
def test_many_orders(number: int) -> None:
    game = ("punnet", "brambles")[number % 2]
    room = Room(Setup(game, 2 + number % 3, number).parties(), number)
    room.run()
    check_finished(room.parties)


@pytest.mark.parametrize("turned", slow_but(lambda turned: turned is reversed, [list, reversed]))
def test_one_feed_after_the_other(turned: Callable[[list[list[bytes]]], list[list[bytes]]]) -> None:
    """The most lopsided order there is: a whole feed, then the next."""
    setup = Setup("punnet", 3)
    room = Room(setup.parties())
    room.run()
    feeds = [[data for who, data in room.said if who == at] for at in range(3)]
    table = Table(setup.roster, setup.game)
    for feed in turned(feeds):
        for data in feed:
            assert table.take(data)
            assert not table.take(data)
    assert table.play.digest() == room.parties[0].table.play.digest()
    assert gamefile.write(table) == gamefile.write(room.parties[0].table)


def test_the_dealer_comes_to_the_same_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the table hands to the rules, handed to them again without a table."""
    outcomes: list[Outcome] = []
    advance = Play._advance

    def record(play: Play, outcome: Outcome) -> None:
        outcomes.append(outcome)
        advance(play, outcome)

    setup = Setup("brambles", 3)
    room = Room(setup.parties())
    room.run()
    table = gamefile.without_seat(room.parties[0].table)
    monkeypatch.setattr(Play, "_advance", record)
    Table(setup.roster, setup.game, feeds=table.feeds).go_on()
    state = replay(setup.game, 3, outcomes)
    assert isinstance(state.need, Done)
    assert digest(state) == digest(table.play.state)


@pytest.mark.parametrize("game", slow_but(lambda game: game == "punnet", ["punnet", "brambles"]))
def test_restarted_party_says_the_same_bytes(game: str) -> None:
    """At every entry: a party made anew from its feed and seed goes on as it would have."""
    setup = Setup(game, 2)
    room = Room(setup.parties())
    room.run()
    compared = 0
    for stop in range(len(room.said)):
        who, data = room.said[stop]
        entry = Entry.decode(data)
        if who != 0 or entry.kind in ("commit", "move"):
            continue
        party = setup.party(0)
        for _, earlier in sorted(room.said[:stop], key=lambda pair: pair[0] != 0):
            party.take(earlier)
        known = {held for feed in party.table.feeds.feeds for held in feed.by_id}
        if any(head is not None and head.id not in known for head in entry.seen):
            continue  # an entry before it in the list had not arrived
        if party.table.heads()[1] == entry.seen[1]:
            assert party.answer()[0] == data
            compared += 1
    assert compared > 5


def test_turn_costs_four_messages() -> None:
    """A turn at three or more: commit, ready, reveal, and the shares of what is drawn."""
    setup = Setup("fruitoplay", 3)
    room = Room(setup.parties())
    room.run(until=lambda: room.parties[0].table.play.state.scores != ())
    kinds: dict[int, str] = {}
    for _, data in room.said:
        entry = Entry.decode(data)
        kinds[entry.step] = entry.kind
    steps = [kinds[step] for step in sorted(kinds)]
    first = steps.index("commit")
    assert steps[first : first + 8] == ["commit", "ready", "reveal", "shares"] * 2
