"""The figures of `p2pfruit stats`, recomputed from the raw game files by other code.

The oracle knows neither summaries nor the store. It reads each file as `p2pfruit verify --json`
prints it, and counts by hand, one question at a time.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest

from p2pfruit.home.folder import Home
from p2pfruit.replay import verify
from tests.games import registered
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.stats import evenings

PEOPLE = ("Bruno", "Chloe", "Dora")
GAMES = 24


@pytest.fixture(scope="module", autouse=True)
def _games_of_tests() -> Iterator[None]:
    with registered():
        yield


@dataclass(frozen=True)
class Evening:
    home: Home
    files: list[Path]  # the oldest first


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    home = evenings.make_home(tmp_path_factory.mktemp("stats") / "home")
    rng = Random(1)
    files = []
    with home.open_store(now=1) as store:
        evenings.meet(store, *PEOPLE)
        for number in range(GAMES):
            others = rng.sample(PEOPLE, rng.randint(1, 3))
            make = evenings.finished
            if number % 6 == 5:
                make = evenings.broken_off if number % 12 == 5 else evenings.unsigned
            game = rng.choice(["pebbles", "punnet"]) if number < 6 else "pebbles"
            table = make(game, [evenings.ME, *others], number)
            ended = 2 * evenings.DAY_S * (number + 1)  # a day is another one elsewhere
            files.append(evenings.keep(home, store, table, ended))
    return Evening(home, files)


# The oracle.


@dataclass(frozen=True)
class Line:
    """One game, as its file tells it."""

    game: str
    over: bool
    mine: int  # the seat
    keys: list[str]  # by seat
    places: list[int | None]
    points: list[int]


def lines(files: list[Path]) -> list[Line]:
    return [told(json.loads(verify.as_json(verify.check(str(file))))) for file in files]


def told(file: dict[str, Any]) -> Line:
    keys = [file["players"][player]["key"] for player in file["seats"]]
    over = file["verdict"] in ("final", "unsigned")
    return Line(
        game=file["game"],
        over=over,
        mine=keys.index(evenings.person(evenings.ME).key.hex()) if keys else -1,
        keys=keys or [player["key"] for player in file["players"]],
        places=file["places"] if over else [],
        points=[sum(column) for column in zip(*file["scores"], strict=True)] if over else [],
    )


def my_places(games: list[Line]) -> list[int]:
    found = [game.places[game.mine] for game in games if game.over]
    return [place for place in found if place is not None]


def longest_run(places: list[int]) -> int:
    best = 0
    for start, end in product(range(len(places) + 1), repeat=2):
        if start < end and set(places[start:end]) == {1}:
            best = max(best, end - start)
    return best


def current_run(places: list[int]) -> int:
    length = 0
    for place in reversed(places):
        if (place == 1) != (places[-1] == 1):
            break
        length += 1
    return length if places and places[-1] == 1 else -length


def check_tally(tally: dict[str, Any], games: list[Line]) -> None:
    over = [game for game in games if game.over]
    places = my_places(games)
    assert tally["games"] == len(games)
    assert tally["finished"] == len(over)
    assert tally["broken_off"] == len([game for game in games if not game.over])
    assert tally["without_place"] == len(over) - len(places)
    assert tally["wins"] == len([place for place in places if place == 1])
    assert tally["shared"] == len(
        [game for game in over if game.places[game.mine] == 1 and game.places.count(1) > 1]
    )
    assert tally["by_chance"] == pytest.approx(sum(1 / len(game.keys) for game in over))
    for place in range(1, 5):
        assert tally["places"].get(str(place), 0) == places.count(place)
    assert tally["place"] == pytest.approx(fmean(places))
    assert tally["points"] == pytest.approx(fmean(game.points[game.mine] for game in over))
    assert tally["best"] == max(game.points[game.mine] for game in over)
    assert tally["longest"] == longest_run(places)
    assert tally["streak"] == current_run(places)


def check_opponent(row: dict[str, Any], games: list[Line]) -> None:
    key = row["key"]
    met = [game for game in games if key in game.keys]
    over = [game for game in met if game.over]
    pairs = [(game.places[game.mine], game.places[game.keys.index(key)]) for game in over]
    assert row["games"] == len(met)
    assert row["finished"] == len(over)
    assert row["wins"] == len([mine for mine, _theirs in pairs if mine == 1])
    assert row["their_wins"] == len([theirs for _mine, theirs in pairs if theirs == 1])
    assert row["ahead"] == len([1 for mine, theirs in pairs if mine and theirs and mine < theirs])
    assert row["behind"] == len([1 for mine, theirs in pairs if mine and theirs and mine > theirs])
    assert row["equal"] == len([1 for mine, theirs in pairs if mine and mine == theirs])


# The figures.


def stats(home: Home, *arguments: str) -> dict[str, Any]:
    done = run("stats", "--json", "--home", str(home.path), *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_all_games(evening: Evening) -> None:
    games = lines(evening.files)
    found = stats(evening.home)
    assert len([game for game in games if not game.over]) == GAMES // 12  # the oracle saw both
    check_tally(found["all"], games)
    assert set(found["by_game"]) == {"pebbles", "punnet"}
    for name, tally in found["by_game"].items():
        check_tally(tally, [game for game in games if game.game == name])
    assert {row["name"] for row in found["opponents"]} == set(PEOPLE)
    for row in found["opponents"]:
        check_opponent(row, games)
    assert [row["place"] for row in found["latest"]] == my_places(games)


def test_one_game(evening: Evening) -> None:
    games = [game for game in lines(evening.files) if game.game == "punnet"]
    check_tally(stats(evening.home, "--game", "punnet")["all"], games)


def test_since(evening: Evening) -> None:
    games = lines(evening.files)[9:]  # the tenth game ended on the 21st, the one before on the 19th
    check_tally(stats(evening.home, "--since", "1970-01-20")["all"], games)


def test_with_one_opponent(evening: Evening) -> None:
    key = evenings.person("Chloe").key.hex()
    games = [game for game in lines(evening.files) if key in game.keys]
    found = stats(evening.home, "--with", "chloe")
    check_tally(found["all"], games)
    assert found["opponents"][0]["key"] == key
    [row] = [row for row in found["opponents"] if row["key"] == key]
    assert stats(evening.home, "--with", row["fingerprint"])["all"] == found["all"]


def test_the_oracle_can_disagree(evening: Evening) -> None:
    """A figure that is off by one is noticed, in every field."""
    games = lines(evening.files)
    tally = stats(evening.home)["all"]
    for name, value in tally.items():
        wrong = {**value, "1": value.get("1", 0) + 1} if isinstance(value, dict) else value + 1
        with pytest.raises(AssertionError):
            check_tally({**tally, name: wrong}, games)
