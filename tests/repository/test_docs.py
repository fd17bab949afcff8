"""What the documentation lists is what the program knows."""

import argparse
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from p2pfruit import language
from p2pfruit.cli.main import build_parser
from p2pfruit.cli.overview import COMMANDS, load_commands
from p2pfruit.games.about import about
from p2pfruit.home import settings
from p2pfruit.home.settings import Key, written
from p2pfruit.text.plain import plain
from p2pfruit.ui.commands import talk_help
from p2pfruit.ui.history import history_help
from p2pfruit.ui.lines.player import leaving_help
from p2pfruit.ui.screen.styled import Size, text_of
from p2pfruit.ui.screen.tableside import help_page
from tests.repository.sources import ROOT

PLAY = ROOT / "docs/play.md"
PLAY_PAGES = {"en": PLAY, "fr": ROOT / "docs/play.fr.md"}
SETTINGS = re.compile(r"(?<=<!-- settings -->\n).*?(?=<!-- /settings -->)", re.DOTALL)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = language.current()
    language.use("en")
    yield
    language.use(before)


@pytest.mark.parametrize("code", PLAY_PAGES)
def test_the_settings_are_those_of_the_program(code: str) -> None:
    language.use(code)
    path = PLAY_PAGES[code]
    page = path.read_text("utf-8")
    true = SETTINGS.sub(_table(), page)
    if os.environ.get("GOLDEN") == "write":
        path.write_text(true, encoding="utf-8")
        page = true
    assert page == true, "GOLDEN=write writes the table anew"


def _table() -> str:
    heads = {"en": "| key | values | at first | |", "fr": "| clé | valeurs | au début | |"}
    rows = [heads[language.current()], "|---|---|---|---|", *map(_row, settings.KEYS)]
    return "\n".join(rows) + "\n"


def _row(key: Key) -> str:
    return f"| `{key.name}` | {key.values()} | {written(key.default)} | {key.about()} |"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_told_of(command: str) -> None:
    assert re.search(rf"`(p2pfruit )?{command}\b", PLAY.read_text("utf-8"))


@pytest.mark.parametrize(
    ("command", "page"), [("play", "play.md"), ("host", "friends.md"), ("join", "friends.md")]
)
def test_every_option_is_told_of(command: str, page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8") + PLAY.read_text("utf-8")
    told = set(re.findall(r"--[a-z-]+", text))
    assert _options(command) - {"--help"} <= told


def _options(command: str) -> set[str]:
    parser = build_parser()
    load_commands(parser)
    [commands] = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    found = [
        option for action in commands.choices[command]._actions for option in action.option_strings
    ]
    return {option for option in found if option.startswith("--")}


@pytest.mark.parametrize("code", PLAY_PAGES)
def test_every_word_is_told_of(code: str) -> None:
    language.use(code)
    page = PLAY_PAGES[code].read_text("utf-8")
    for line in [*talk_help(), *history_help(), *leaving_help(kept=True)]:
        for word in line.split("  ")[0].split(","):
            assert f"`{word.strip()}`" in page, line


@pytest.mark.parametrize("code", PLAY_PAGES)
def test_every_key_of_the_table_is_told_of(code: str) -> None:
    language.use(code)
    page = PLAY_PAGES[code].read_text("utf-8")
    shown = text_of(help_page(settings.DEFAULTS, ()).draw(Size(80, 60)))
    keys = re.findall(r"^ (F\d+|Ctrl-\w) ", shown, re.MULTILINE)
    assert "F1" in keys
    for key in keys:
        assert f"| {key} |" in page


def test_signs_are_written_in_ascii_as_the_page_says() -> None:
    rows = re.findall(r"^\| (`.*`) \| (`.*`) \| ", PLAY.read_text("utf-8"), re.MULTILINE)
    signs = [(sign, plainly) for sign, plainly in rows if not sign.isascii()]
    assert len(signs) >= 5
    for sign, plainly in signs:
        assert plain(sign) == plainly


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_every_game_has_its_pages(code: str) -> None:
    index = (ROOT / "docs" / ("games.md" if code == "en" else f"games.{code}.md")).read_text(
        "utf-8"
    )
    language.use(code)
    for name in registry.names():
        for page in ("rules", "short"):
            path = f"p2pfruit/games/{name}/{page}.{code}.md"
            assert f"(../{path})" in index
            shown = about(name).rules() if page == "rules" else about(name).short()
            assert (ROOT / path).read_text("utf-8") == shown


# Pages in French say what the English ones do.

FRENCH = sorted((ROOT / "docs").glob("*.fr.md"))
FENCED = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
PICTURED = re.compile(r"<!-- picture: \w+ -->\n```\n.*?^```", re.MULTILINE | re.DOTALL)


def both(french: Path) -> Iterator[str]:
    for path in (french.with_name(french.name.replace(".fr.md", ".md")), french):
        yield PICTURED.sub("", path.read_text("utf-8"))


def commands(page: str) -> list[str]:
    """Those that stand in blocks, without comments; words in capitals are to be replaced."""
    lines = [line for block in FENCED.findall(page) for line in block.splitlines()]
    return [re.sub(r"[A-Z]{2,}", "X", re.sub(r"\s+#.*", "", line)) for line in lines]


def links(page: str) -> list[str]:
    """Where they lead, whatever the language."""
    return sorted(re.sub(r"\.(en|fr)\.md", ".md", to) for to in re.findall(r"\]\(([^)]+)\)", page))


def test_there_are_french_pages() -> None:
    names = {path.name for path in FRENCH}
    assert {"friends.fr.md", "games.fr.md", "play.fr.md", "tutorial.fr.md"} <= names


@pytest.mark.parametrize("french", FRENCH, ids=lambda path: path.name)
def test_a_french_page_has_what_the_english_one_has(french: Path) -> None:
    one, other = both(french)
    for what in (r"^#+ ", r"^\|", r"^- "):
        assert len(re.findall(what, one, re.MULTILINE)) == len(
            re.findall(what, other, re.MULTILINE)
        ), what
    assert commands(one) == commands(other)
    assert links(one) == links(other)
    for what in (r"`(p2pfruit [a-z]+)", r"(--[a-z-]+)"):
        assert set(re.findall(what, one)) <= set(re.findall(what, other))


@pytest.mark.parametrize("french", FRENCH, ids=lambda path: path.name)
def test_a_french_page_leads_to_french_pages(french: Path) -> None:
    _english, page = both(french)
    for to in re.findall(r"\]\((?!\w+://)([^)#]+)", page.split("\n\n", 2)[2]):
        assert not (french.parent / to).with_suffix(".fr.md").exists(), to
