"""Which games count, who an opponent is, and how a home of an earlier program is filled in."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from p2pfruit.home.folder import Home
from p2pfruit.home.results import summarize
from p2pfruit.home.store import PlayedTable, Store
from p2pfruit.stats import filling
from p2pfruit.stats.counting import count
from p2pfruit.stats.past import Kind, Opponent, Past, gather, past
from protocol.file.report import report
from tests.games import registered
from tests.p2pfruit.cli import gamefiles as made
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.stats import evenings

OLD = ("keys", "deciders", "verified")  # what summaries did not say before


@pytest.fixture(autouse=True)
def _games_of_tests() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return evenings.make_home(tmp_path / "home")


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with home.open_store(now=1) as store:
        yield store


# The classes of verdicts.


def seen_by(kind: made.Kind, name: str, **more: Any) -> Past | None:
    """The game as the statistics of this player see it."""
    found = report(made.table_of(kind))
    [me] = [player.key for player in found.roster.players if player.name == name]
    table = PlayedTable(
        id=bytes(32),
        roster=found.roster.encode(),
        started=1,
        ended=2,
        verdict=found.verdict,
        summary={**json.loads(json.dumps(summarize(found, me, verified=True))), **more},
        file="",
    )
    return past(table, me, {})


@pytest.mark.parametrize("kind", [made.final, made.withheld])
def test_finished(kind: made.Kind) -> None:
    game = seen_by(kind, "Bruno")
    assert game is not None
    assert game.finished
    assert game.place in (1, 2)


@pytest.mark.parametrize("kind", [made.stopped, made.left_alone, made.unfinished])
def test_broken_off_has_no_winner(kind: made.Kind) -> None:
    game = seen_by(kind, "Bruno")
    assert game is not None
    assert (game.finished, game.places, game.points) == (False, (), ())
    tally = count([game]).whole
    assert (tally.games, tally.broken_off, tally.wins, tally.streak) == (1, 1, 0, 0)
    assert tally.place is None


def test_contested() -> None:
    """The game is finished for those who contest it, and they have no place."""
    contests, others = seen_by(made.dropped, "Ada"), seen_by(made.dropped, "Bruno")
    assert contests is not None
    assert others is not None
    assert contests.finished
    assert contests.place is None
    assert others.place in (1, 2, 3)
    tally = count([contests]).whole
    assert (tally.finished, tally.without_place, tally.wins) == (1, 1, 0)
    [*faced] = count([contests]).opponents
    assert {(one.ahead, one.behind, one.equal) for one in faced} == {(0, 0, 0)}


def test_what_was_not_verified_does_not_count() -> None:
    assert seen_by(made.final, "Ada", verified=False) is None


@pytest.mark.parametrize("odd", [{"keys": None}, {"places": "?"}, {"seat": "x"}, {"scores": None}])
def test_a_summary_in_another_form_does_not_count(odd: dict[str, Any]) -> None:
    assert seen_by(made.final, "Ada", **odd) is None


# Opponents.


def test_bots_are_grouped_by_level(home: Home, store: Store) -> None:
    for number, levels in enumerate([("greedy", "expert"), ("expert", "expert")]):
        table = evenings.finished("pebbles", [evenings.ME, "Bruno", f"Chloe{number}"], number)
        by_name = dict(zip(["Bruno", f"Chloe{number}"], levels, strict=True)) | {evenings.ME: ""}
        names = summarize(report(table), b"")["names"]
        evenings.keep(home, store, table, number, deciders=[by_name[name] for name in names])
    greedy, expert = sorted(count(gather(home).games).opponents, key=lambda one: one.games)
    assert greedy.opponent == Opponent(Kind.BOT, level="greedy")
    assert expert.opponent == Opponent(Kind.BOT, level="expert")
    assert (greedy.games, expert.games) == (1, 2)
    assert expert.ahead + expert.behind + expert.equal == 3  # one game has two of them


def test_bots_of_others_and_people(home: Home, store: Store) -> None:
    table = evenings.finished("pebbles", [evenings.ME, "bot Bruno", "Chloe"], 1)
    names = summarize(report(table), b"")["names"]
    mine = [("" if name == evenings.ME else None) for name in names]
    evenings.keep(home, store, table, 1, deciders=mine)
    kinds = {one.opponent.kind for one in count(gather(home).games).opponents}
    assert kinds == {Kind.GUEST_BOT, Kind.PERSON}


def test_a_person_is_a_key_and_not_a_name(home: Home, store: Store) -> None:
    """Two keys with one name are two opponents, and have to be told apart."""
    evenings.meet(store, "Bruno", "Chloe")
    for number, name in enumerate(["Bruno", "Chloe"]):
        table = evenings.finished("pebbles", [evenings.ME, name], number)
        evenings.keep(home, store, table, number)
    store.meet(evenings.person("Chloe").key, "Bruno", 2)
    done = run("stats", "--home", str(home.path))
    assert "Bruno #0" in done.stdout
    assert "Bruno #1" in done.stdout
    refused = run("stats", "--with", "bruno", "--home", str(home.path))
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: several players are called 'bruno'\nhint: use a f")


def test_games_that_a_bot_played_for_the_player_stand_apart(home: Home, store: Store) -> None:
    for number, decider in enumerate(["", "expert", "outside"]):
        table = evenings.finished("pebbles", [evenings.ME, "Bruno"], number)
        names = summarize(report(table), b"")["names"]
        who = [decider if name == evenings.ME else None for name in names]
        evenings.keep(home, store, table, number, deciders=who)
    own, auto = [
        json.loads(run("stats", "--json", *more, "--home", str(home.path)).stdout)
        for more in ([], ["--auto"])
    ]
    assert (own["all"]["games"], auto["all"]["games"]) == (1, 2)
    assert "2 games that a bot or a program" in run("stats", "--home", str(home.path)).stdout


# A home of an earlier program.


def keep_old(home: Home, store: Store, number: int) -> Path:
    """Keep a game as an earlier program did."""
    table = evenings.finished("pebbles", [evenings.ME, "Bruno"], number)
    path = evenings.keep(home, store, table, number)
    [kept] = [one for one in store.history() if one.id == table.roster.table]
    before = {name: value for name, value in kept.summary.items() if name not in OLD}
    store.resummarize(kept.id, verdict=str(kept.verdict), summary=before)
    return path


def silent(_done: int, _count: int) -> None:
    pass


def test_older_games_are_filled_in_once(home: Home, store: Store) -> None:
    for number in range(3):
        keep_old(home, store, number)
    assert gather(home).games == []
    assert filling.fill(home, None, silent) == filling.Filled()
    assert len(gather(home).games) == 3
    written = [table.summary for table in store.history()]
    assert filling.fill(home, None, silent) == filling.Filled()
    assert [table.summary for table in store.history()] == written


def test_there_may_be_no_time(home: Home, store: Store) -> None:
    for number in range(3):
        keep_old(home, store, number)
    assert filling.fill(home, 0.0, silent) == filling.Filled(waiting=3)
    assert gather(home).games == []


def test_a_home_that_is_in_use_is_left_alone(home: Home, store: Store) -> None:
    keep_old(home, store, 1)
    with home.lock():
        assert filling.fill(home, None, silent) == filling.Filled(waiting=1)


def test_a_file_that_is_gone_or_damaged(home: Home, store: Store) -> None:
    gone, damaged, other, _good = [keep_old(home, store, number) for number in range(4)]
    gone.unlink()
    data = bytearray(damaged.read_bytes())
    data[-40] ^= 1
    damaged.write_bytes(data)
    other.write_bytes(_good.read_bytes())  # of another table
    assert filling.fill(home, None, silent) == filling.Filled(missing=1)
    found = gather(home)
    assert (len(found.games), found.unverified) == (1, 2)
    shown = run("stats", "--home", str(home.path)).stdout
    assert "1 older game has no file that can be verified here" in shown
    assert "2 games failed verification" in shown


def test_of_older_games_strangers_to_the_address_book_are_bots(home: Home, store: Store) -> None:
    keep_old(home, store, 1)
    filling.fill(home, None, silent)
    [one] = count(gather(home).games).opponents
    assert one.opponent == Opponent(Kind.BOT)
    evenings.meet(store, "Bruno")
    [one] = count(gather(home).games).opponents
    assert one.opponent.kind is Kind.PERSON
