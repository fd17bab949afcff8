"""games and rules: what can be read before playing."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from engine import registry
from p2pfruit import language
from p2pfruit.cli.main import main
from p2pfruit.games.about import About, about


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = language.current()
    yield
    language.use(before)


def test_games_says_whose_numbers_are_on_the_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "fruitoplay: 2 to 6 players" in out
    assert "contending (default): only cards that contend" in out
    assert "content: even spread, NOT as published" in out
    assert "these are ours" in out
    assert "--content FILE" in out


def told_of(name: str, lang: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What `p2pfruit games` says of this game: its line, and those below it."""
    assert main(["games", "--lang", lang]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(name))
    rest = list(takewhile(lambda line: line.startswith(" "), lines[start + 1 :]))
    return [lines[start], *(line.strip() for line in rest)]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("fruitoplay", ["2 to 6 players", "3 rounds, about 20 minutes", "Luc Rémond", "ours"]),
        ("tindahan", ["3 to 5 players", "about 45 minutes", "Peer Sylvester", "as published"]),
        ("bastos", ["3 to 4 players", "6 or 8 rounds", "Bambus Spieleverlag", "2009"]),
        ("pixies", ["2 to 5 players", "20 to 30 minutes", "Goupy", "content: the published deck"]),
        ("frutopia", ["2 to 4 players", "Gigamic", "NOT as published", "no solo mode"]),
    ],
)
def test_games_says_what_each_is_and_whose(
    name: str, says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    told = "\n".join(told_of(name, "en", capsys))
    for words in [*says, "ours"]:
        assert words in told


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", registry.SHIPPED)
def test_games_names_every_option_and_value(
    name: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = told_of(name, lang, capsys)
    for option in registry.find(name).game.options:
        start = told.index(f"--option {option.name}=")
        for value in option.values:
            assert any(value in line for line in told[start + 1 :]), value


def test_many_values_that_are_alike_are_explained_once(capsys: pytest.CaptureFixture[str]) -> None:
    told = told_of("tindahan", "en", capsys)
    assert (
        told.count(
            "durian-lanzones: without durian with four players, and without lanzones with three"
        )
        == 1
    )
    [others] = [line for line in told if line.startswith("likewise: durian-mango, ")]
    assert len(others.split(", ")) == 11


@pytest.mark.parametrize(
    ("game", "good", "bad"),
    [
        ("bastos", "removed=passion", "removed=durian"),
        ("tindahan", "out=passion-orange", "out=durian-mango"),
    ],
)
def test_options_name_the_fruits_of_the_content(
    game: str, good: str, bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    box = tmp_path / "french.toml"
    fruits = ["banana", "mango", "pineapple", "passion", "orange"]
    box.write_text(f'title = "french"\nverified = false\nfruits = {fruits}'.replace("'", '"'))
    line = ["arena", "--game", game, "--bots", "random,random,random", "--games", "1", "--jobs"]
    assert main([*line, "1", "--content", str(box), "--option", good]) == 0
    assert f"{good}" in capsys.readouterr().out
    assert main([*line, "1", "--content", str(box), "--option", bad]) == 2
    err = capsys.readouterr().err
    name, _, value = bad.partition("=")
    assert err.startswith(f"error: option {name} must be one of l")
    assert f", not '{value}'" in err
    assert "passion" in err
    assert main([*line, "1", "--option", good]) == 2, "not with the shipped box"


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", registry.SHIPPED)
def test_every_game_says_all_of_itself(name: str, lang: str) -> None:
    language.use(lang)
    words, plain = about(name), About(name)
    assert words.summary() != plain.summary()
    assert words.length()
    assert words.credit()
    assert words.content_note()
    for option in registry.find(name).game.options:
        called = [words.called(word) for word in (option.name, *option.values)]
        assert all(called)
        assert len(set(called[1:])) == len(option.values)


ONE_GAME = """
import sys
from p2pfruit.cli.main import main
assert main(["rules", sys.argv[1], "--short", "--plain"]) == 0
loaded = {module.split(".")[1] for module in sys.modules if module.startswith("engine.")}
from engine import registry
assert loaded & set(registry.names()) <= {sys.argv[1]}, loaded
"""


def test_a_command_for_one_game_does_not_load_the_others() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ONE_GAME, "pixies"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_games_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--lang=fr"]) == 0
    assert "ceux-ci sont les nôtres" in capsys.readouterr().out


@pytest.mark.parametrize(("lang", "says"), [("en", "are ours"), ("fr", "sont les nôtres")])
def test_the_rules_page_says_so_too(
    lang: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "fruitoplay", "--lang", lang]) == 0
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "title"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "## Les cartes"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "## The cards"),
        ({"LANG": "de_DE.UTF-8"}, "## The cards"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:fr:en"}, "## Les cartes"),
        ({"LANG": "frp"}, "## The cards"),
        ({"LANG": "C", "LANGUAGE": "fr"}, "## The cards"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR"}, "## The cards"),
        ({}, "## The cards"),
    ],
)
def test_the_locale_chooses_the_language(
    environment: dict[str, str],
    title: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(["rules"]) == 0
    assert title in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert done.value.code == 0
    assert capsys.readouterr().out.startswith("p2pfruit 0.")
