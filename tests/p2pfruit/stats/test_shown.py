"""Statistics as people see them: in lines of any width, in ASCII, and as a web page."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from p2pfruit import language
from p2pfruit.home.folder import Home
from p2pfruit.stats.counting import count
from p2pfruit.stats.lines import lines
from p2pfruit.stats.page import page
from p2pfruit.stats.past import gather
from p2pfruit.text.safe import width
from tests.games import registered
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.replay.tables import HOSTILE
from tests.p2pfruit.stats import evenings


@pytest.fixture(autouse=True)
def _games_of_tests() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Games with people whose names are as bad as a roster lets through."""
    home = evenings.make_home(tmp_path / "home")
    with home.open_store(now=1) as store:
        evenings.meet(store, *HOSTILE)
        for number, name in enumerate(HOSTILE):
            table = evenings.finished("pebbles", [evenings.ME, name], number)
            evenings.keep(home, store, table, number)
    return home


@pytest.fixture(params=language.LANGUAGES)
def _spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    language.use(request.param)
    yield
    language.use("en")


@pytest.mark.usefixtures("_spoken")
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_lines_fit(home: Home, columns: int) -> None:
    gathered = gather(home)
    shown = lines(count(gathered.games), gathered.people, columns)
    names = 40  # a long name may push a row further
    assert max(map(width, shown)) <= max(columns, names + 40)
    assert all(text.isprintable() for text in shown)


def test_bars_are_as_long_as_places_are_many(home: Home) -> None:
    gathered = gather(home)
    found = count(gathered.games)
    shown = "\n".join(lines(found, gathered.people, 80))
    bars = {int(place): len(bar) for place, bar in re.findall(r"^  (\d) (█*) \d+$", shown, re.M)}
    assert set(bars) == set(range(1, max(found.whole.places) + 1))
    most = max(found.whole.places.values())
    longest = max(bars.values())
    for place, length in bars.items():
        assert length == round(found.whole.places.get(place, 0) * longest / most)


def test_ascii(home: Home) -> None:
    """`glyphs = ascii` draws the bars with other signs."""
    (home.path / "settings.toml").write_text('glyphs = "ascii"\n', "utf-8")
    out = run("stats", "--home", str(home.path)).stdout
    assert "#" * 20 in out
    assert out.isascii()


class Reader(HTMLParser):
    """Notes every element and attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.usefixtures("_spoken")
def test_the_page_is_text_and_nothing_acts(home: Home) -> None:
    gathered = gather(home)
    reader = Reader()
    html = page(count(gathered.games), gathered.people, "<b>Ada</b>")
    reader.feed(html)
    assert not reader.tags & {"script", "img", "b", "a", "link", "iframe", "form"}
    assert not {name for name in reader.attributes if name.startswith("on")} | (
        reader.attributes & {"style", "src", "href"}
    )
    assert "<b>Ada</b>" in reader.texts
    assert "default-src 'none'" in html
    assert "{{script}}" in html  # of a name: a gap is filled once


def test_the_page_is_written_once(home: Home, tmp_path: Path) -> None:
    target = tmp_path / "stats.html"
    arguments = ["stats", "--html", str(target), "--home", str(home.path)]
    assert run(*arguments).returncode == 0
    assert target.read_text("utf-8").startswith("<!doctype html>")
    refused = run(*arguments)
    assert (refused.returncode, "already exists" in refused.stderr) == (1, True)
    assert run(*arguments, "--force").returncode == 0
    assert run("stats", "--html", "-", "--home", str(home.path)).stdout.startswith("<!doctype")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--since", "yesterday"], "error: 'yesterday' is not a day\nhint: write it as 2026-01-31"),
        (["--with", "Zoe"], "error: no opponent in your games is called 'Zoe'\nhint: your opp"),
        (["--game", "pebble"], "error: there is no game 'pebble'"),
        (["--force"], "error: --force needs --html\nhint: use --html PAGE --force"),
    ],
)
def test_bad_input(home: Home, arguments: list[str], words: str) -> None:
    done = run("stats", *arguments, "--home", str(home.path))
    assert done.returncode == 2
    assert done.stderr.startswith(words)


def test_nothing_yet(tmp_path: Path) -> None:
    done = run("stats", "--home", str(tmp_path / "nowhere"))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("no games have been played from ")
    assert not (tmp_path / "nowhere").exists()
