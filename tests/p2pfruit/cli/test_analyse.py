"""p2pfruit analyse: a file, a table of the home, or the newest game."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from p2pfruit.home.folder import Home
from p2pfruit.home.store import Store
from tests.games import registered
from tests.p2pfruit.cli.inside import Done, run
from tests.p2pfruit.stats import evenings


@pytest.fixture(scope="module", autouse=True)
def _games_of_tests() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Three games; the newest one is of Punnet."""
    home = evenings.make_home(tmp_path / "home")
    with home.open_store(now=1) as store:
        evenings.meet(store, "Bruno")
        for number, game in enumerate(["pebbles", "pebbles", "punnet"]):
            table = evenings.finished(game, [evenings.ME, "Bruno"], number)
            evenings.keep(home, store, table, 100 * (number + 1))
    return home


def analyse(home: Home, *arguments: str) -> Done:
    return run("analyse", *arguments, "--home", str(home.path))


def found(home: Home, *arguments: str) -> dict[str, Any]:
    done = analyse(home, "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    fields: dict[str, Any] = json.loads(done.stdout)
    return fields


def files(home: Home) -> list[tuple[str, str]]:
    """The id and the file of each game, the newest first."""
    store = home.look()
    assert store is not None
    with store:
        return [(table.id.hex(), table.file) for table in store.history()]


def test_the_newest_game(home: Home) -> None:
    newest = found(home)
    assert (newest["game"], newest["name"]) == ("punnet", evenings.ME)
    assert newest["table"] == files(home)[0][0]
    assert analyse(home).stdout.startswith(files(home)[0][1])


def test_by_file_and_by_table(home: Home) -> None:
    table, file = files(home)[1]
    assert found(home, file) == found(home, table[:12]) == found(home, table.upper()[:12])


def test_the_worst_come_first(home: Home) -> None:
    rows = found(home)["different"]
    order = [(not row["clear"], -row["points"]) for row in rows]
    assert order == sorted(order)
    assert all(row["clear"] == (row["points"] > row["error"]) for row in rows)


def test_another_player(home: Home) -> None:
    """By the name, from the file alone: this home knows nothing of Bruno's hand."""
    assert found(home, "--seat", "bruno")["name"] == "Bruno"
    refused = analyse(home, "--seat", "Zoe")
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: no player at this table is called 'Zoe'\nhint: the pl")


def test_without_a_seat(home: Home, tmp_path: Path) -> None:
    """A stranger's home says whom one can choose."""
    stranger = Home(tmp_path / "stranger")
    done = analyse(stranger, files(home)[0][1])
    assert done.returncode == 2
    assert done.stderr.startswith("error: you have no seat in this game\nhint: choose a player: ")
    assert found(stranger, files(home)[0][1], "--seat", "Bruno")["name"] == "Bruno"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.fruit"], "error: nowhere.fruit is neither a file nor the beginning of one"),
        (["--all", "--seat", "Ada"], "error: --all cannot be combined with a file or --seat"),
    ],
)
def test_bad_input(home: Home, arguments: list[str], words: str) -> None:
    done = analyse(home, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(words)
    assert "\nhint: " in done.stderr


def test_nothing_to_analyse(tmp_path: Path) -> None:
    done = analyse(Home(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert done.stderr.startswith("error: there is no game to analyse in ")


def test_an_analysis_is_kept_and_found_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    first = found(home)
    monkeypatch.setattr("p2pfruit.replay.analyst.analyse", None)  # nothing is made twice
    assert found(home) == first


def test_nothing_is_kept_while_the_home_is_in_use(home: Home) -> None:
    with home.lock():
        found(home)
    with Store(home.database) as store:
        assert all("analysis" not in table.summary for table in store.history())
        assert all(store.analysis(table.id) == {} for table in store.history())


def test_all_games_and_their_statistics(home: Home) -> None:
    whole = found(home, "--all")
    each = [found(home, file) for _id, file in files(home)]
    assert whole["games"] == 3
    for name in ("decisions", "clear"):
        assert whole[name] == sum(one[name] for one in each)
    assert whole["lost"] == pytest.approx(sum(one["lost"] for one in each))
    stats = json.loads(run("stats", "--json", "--home", str(home.path)).stdout)
    assert stats["analysed"] == whole
    assert analyse(home, "--all").stdout.startswith("3 games analysed: ")


def test_history_does_not_print_the_cards_of_a_hand(home: Home) -> None:
    found(home)
    for line in run("history", "--json", "--home", str(home.path)).stdout.splitlines():
        assert "hand" not in json.loads(line)["summary"]


def test_the_page_of_a_replay_has_it(home: Home) -> None:
    _table, file = files(home)[0]
    pages = [
        run("replay", file, "--html", "-", *more, "--home", str(home.path)).stdout
        for more in ([], ["--no-analysis"])
    ]
    assert ['"analysis":{' in page for page in pages] == [True, False]


def test_a_replay_in_lines_has_it(home: Home) -> None:
    _table, file = files(home)[0]
    done = run("replay", file, "--plain", "--home", str(home.path), typed="analysis\nq\n")
    assert f"decisions of {evenings.ME}; " in done.stdout
