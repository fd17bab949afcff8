"""Settings: one table for the file, the command and the page; nothing in the file is ignored."""

import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from p2pfruit import language, limits
from p2pfruit.cli.main import main
from p2pfruit.exits import Refusal
from p2pfruit.home import settings, settings_file
from p2pfruit.home.settings import DEFAULTS, KEYS, Settings
from p2pfruit.levels import WORDS
from p2pfruit.ui.screen import fitness


def every_settings() -> st.SearchStrategy[Settings]:
    values = {key.name: st.sampled_from(list(key.offered())) for key in KEYS}
    return st.fixed_dictionaries(values).map(lambda chosen: Settings(**chosen))  # type: ignore[arg-type]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("P2PFRUIT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def write(home: Path, text: str | bytes) -> Path:
    home.mkdir(exist_ok=True)
    path = home / settings_file.FILE
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# The table.


def test_every_setting_has_a_key_and_every_key_a_setting() -> None:
    assert [key.name for key in KEYS] == [field.name for field in fields(Settings)]
    for key in KEYS:
        assert key.default in key.offered()
        assert key.about()
        assert key.label()


def test_a_digit_alone_plays_nothing_unless_somebody_wants_it(home: Path) -> None:
    assert DEFAULTS.confirm is True
    assert "off: a digit plays at once" in settings.find("confirm").about()
    write(home, "confirm = false")
    assert settings.load(home).confirm is False


def test_what_the_menu_proposes_is_what_there_is() -> None:
    assert set(settings.find("game").offered()) == set(registry.names())
    assert tuple(settings.find("level").offered()) == tuple(WORDS)


@pytest.mark.parametrize(("word", "name"), WORDS.items())
def test_levels_are_understood_by_both_names(home: Path, word: str, name: str) -> None:
    assert settings.find("level").read(name) == settings.find("level").read(word) == word
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(f'level = "{name}"\n')
    assert settings.load(home).level == word


# The file.


def test_without_a_file_everything_is_as_in_the_beginning(home: Path) -> None:
    assert settings.load(home) == DEFAULTS
    assert not home.exists()


@given(chosen=every_settings())
def test_what_was_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, chosen: Settings
) -> None:
    home = tmp_path_factory.mktemp("home")
    settings.save(home, chosen)
    assert settings.load(home) == chosen


def test_the_file_explains_each_key_on_the_line_before_it(home: Path) -> None:
    settings.save(home, replace(DEFAULTS, bell=False))
    lines = (home / settings_file.FILE).read_text().splitlines()
    assert lines[lines.index("bell = false") - 1] == (
        "# ring the terminal bell when it is your turn (true, false)"
    )
    for key in KEYS:
        (at,) = (at for at, line in enumerate(lines) if line.startswith(f"{key.name} ="))
        assert lines[at - 1].startswith(f"# {key.about()}")


def test_a_file_may_say_only_some_of_it(home: Path) -> None:
    write(home, '\ufeffcolour = "off"\nseats = 3 # a comment\n')
    assert settings.load(home) == replace(DEFAULTS, colour="off", seats=3)


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        (
            'language = "fr"\nbell = maybe',
            "line 2 is not TOML",
            "restore all defaults with `p2pfruit settings --reset`",
        ),
        ('language = "fr', "line 1 is not TOML", "settings --reset`"),
        ("bell = true\nbell = true", "line 2 is not TOML", "settings --reset`"),
        (b'bell = true\ngame = "\xff"', "line 2 is not UTF-8 text", "settings --reset`"),
        ("#" * (limits.SETTINGS_SIZE_MOST + 1), "longer than 65536 bytes", "settings --reset`"),
        (
            'colours = "on"',
            "there is no setting 'colours'; did you mean colour?",
            "--reset colours`",
        ),
        ("x = 1", "there is no setting 'x'; the settings are: language, screen,", "--reset x`"),
        ("[bell]\nx = 1", "bell cannot be {'x': 1}; it can be: true, false", "--reset bell`"),
        (
            "bell = 1",
            "bell cannot be 1; it can be: true, false",
            "remove it with `p2pfruit settings --reset bell`",
        ),
        ("seats = true", "seats cannot be true; it can be: 2, 3,", "--reset seats`"),
        ("seats = 4.0", "seats cannot be 4.0; it can be: 2, 3,", "--reset seats`"),
        ('language = "de"', 'cannot be "de"; it can be: "auto", "en", "fr"', "--reset language`"),
        ('game = "a chess"', 'cannot be "a chess"; it can be: "fruitoplay"', "--reset game`"),
        ('"\\u001b[31m" = 1', r"there is no setting '\\x1b[31m'", "--reset"),
        ('game = "\\u001b[31m"', r'cannot be "\x1b[31m"', "--reset game`"),
    ],
)
def test_whatever_else_stands_there_is_refused_with_its_place(
    home: Path, text: str | bytes, says: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(home, text)
    before = path.read_bytes()
    with pytest.raises(Refusal) as refused:
        settings.load(home)
    assert str(refused.value).startswith(f"{path}: ")
    assert says in str(refused.value)
    assert hint in (refused.value.hint or "")
    # Nothing is written over it, and every command still starts.
    assert main(["settings", "bell", "off"]) == 1
    assert path.read_bytes() == before
    assert "\x1b" not in capsys.readouterr().err
    assert main(["games"]) == 0


def test_a_file_that_cannot_be_read_is_refused(home: Path) -> None:
    (home / settings_file.FILE).mkdir(parents=True)
    with pytest.raises(Refusal, match="cannot read"):
        settings.load(home)


@pytest.mark.parametrize("text", ["bell = maybe", b"\xff", "x = 1", 'language = "de"'])
def test_reset_mends_any_file(home: Path, text: str | bytes) -> None:
    write(home, text)
    assert main(["settings", "--reset"]) == 0
    assert settings.load(home) == DEFAULTS


def test_reset_of_one_key_keeps_the_others(home: Path) -> None:
    write(home, 'colour = "off"\nbell = 7\n')
    assert main(["settings", "--reset", "bell"]) == 0
    assert settings.load(home) == replace(DEFAULTS, colour="off")
    write(home, 'colour = "off"\nwind = 7\n')
    assert main(["settings", "--reset", "wind"]) == 0
    assert settings.load(home) == replace(DEFAULTS, colour="off")


# The command.


def test_all_are_listed_with_what_they_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" = ")[0] for line in lines] == [key.name for key in KEYS]
    assert lines[4] == (
        "motion = on            turn cards up step by step; off: all at once (on, off)"
    )


def test_one_is_shown_set_and_shown_again(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "mouse"]) == 0
    assert capsys.readouterr().out.startswith("mouse = off ")
    for word in ("on", "Yes", "true"):
        assert main(["settings", "mouse", word]) == 0
        assert settings.load(home).mouse is True
    assert main(["settings", "seats", "3"]) == 0
    assert main(["settings", "--json", "seats"]) == 0
    assert json.loads(capsys.readouterr().out) == {"seats": 3}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["bel"], ["no setting 'bel'", "hint: did you mean bell?"]),
        (["bel", "on"], ["no setting 'bel'", "hint: did you mean bell?"]),
        (
            ["bell", "loud"],
            ["bell cannot be 'loud'; it can be: on, off", "hint: run `p2pfruit sett"],
        ),
        (["seats", "99"], ["seats cannot be '99'; it can be: 2, 3", "hint:"]),
        (["colour", "\x1b[31m"], [r"cannot be '\\x1b[31m'", "hint:"]),
        (["--reset", "bel"], ["no setting 'bel'", "hint:"]),
        (["--reset", "bell", "on"], ["--reset takes no value", "hint:"]),
    ],
)
def test_what_cannot_be_set(
    home: Path, arguments: list[str], says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    for words in says:
        assert words in err
    assert not home.exists()


# What they mean.


def test_the_language_is_said_then_set_then_the_locales(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoken(*arguments: str) -> str:
        assert main(["games", *arguments]) == 0
        return language.current()

    assert spoken() == "en"
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert spoken() == "fr"
    write(home, 'language = "en"')
    assert spoken() == "en"
    assert spoken("--lang", "fr") == "fr"
    assert spoken("--home", str(home.parent / "other")) == "fr"
    assert spoken(f"--home={home.parent / 'other'}") == "fr"
    monkeypatch.setenv("LANG", "C")
    write(home, 'language = "fr"')
    assert spoken() == "fr"
    write(home, 'language = "de"')
    assert spoken() == "en"
    write(home, "language = ")
    assert spoken() == "en"


@pytest.mark.parametrize(
    ("colour", "environ", "coloured"),
    [
        ("auto", {}, True),
        ("auto", {"NO_COLOR": ""}, True),
        ("auto", {"NO_COLOR": "1"}, False),
        ("on", {"NO_COLOR": "1"}, True),
        ("off", {}, False),
    ],
)
def test_a_setting_is_louder_than_no_color(
    colour: str, environ: dict[str, str], coloured: bool
) -> None:
    assert fitness.coloured(replace(DEFAULTS, colour=colour), environ) is coloured


@given(data=st.binary(max_size=200))
def test_any_bytes_are_settings_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    home = tmp_path_factory.mktemp("home")
    write(home, data)
    try:
        found: dict[str, Any] = asdict(settings.load(home))
    except Refusal:
        return
    assert all(settings.find(name).allows(value) for name, value in found.items())
