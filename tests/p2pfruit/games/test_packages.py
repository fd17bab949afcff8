"""Games of installed packages, at the command line: played, listed, and said to be broken."""

import json
from pathlib import Path

import pytest

from engine import registry
from p2pfruit import language
from p2pfruit.cli.commands import doctor
from p2pfruit.cli.main import main
from p2pfruit.exits import Refusal
from p2pfruit.games import parts
from p2pfruit.games.about import about
from p2pfruit.games.narrator import Narrator, narrator_for
from p2pfruit.home import settings
from p2pfruit.net.findings import Level
from p2pfruit.ui.menu import forms
from tests.games.packaged import RULES, installed, write_package

ABOUT = """
from p2pfruit.games.about import About


class ABOUT(About):
    def summary(self):
        return "figs \\x1b[2J in a package"
"""

NARRATOR = """
from p2pfruit.games.narrator import Narrator


class NARRATOR(Narrator):
    pass
"""

PLAY = ["play", "--dealer", "--level", "random", "--seed", "1"]


def test_it_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with installed(write_package(tmp_path)):
        assert main([*PLAY, "--game", "figs", "--seats", "2"]) == 0
    out, err = capsys.readouterr()
    assert (out.splitlines()[0], err) == ("figs, 2 players, seed 1", "")


def test_it_is_listed_with_its_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with installed(write_package(tmp_path, files={"about.py": ABOUT})):
        assert main(["games"]) == 0
    out, err = capsys.readouterr()
    assert "figs (p2pfruit-figs 1.2): 2 to 3 players" in out
    assert r"  figs \x1b[2J in a package" in out
    assert "\x1b" not in out
    assert err == ""


def test_a_broken_one_hides_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "raise RuntimeError('\\x1b[2J')"
    with installed(write_package(tmp_path, rules=rules, distribution="odd")):
        assert main(["games"]) == 0
        listed = capsys.readouterr()
        assert main([*PLAY, "--game", "bastos", "--seats", "3"]) == 0
        capsys.readouterr()
        assert main([*PLAY, "--game", "figs"]) == 1
        asked = capsys.readouterr()
    assert "frutopia: 2 to 4 players" in listed.out
    assert "figs" not in listed.out
    assert asked.out == ""
    assert (
        asked.err.splitlines()
        == listed.err.splitlines()
        == [
            "error: the game figs of the package odd 1.2 cannot be played: it cannot be imported:"
            r" RuntimeError: \x1b[2J",
            "hint: update or uninstall the package; the other games are not concerned",
        ]
    )


def test_the_doctor_looks_at_packages(tmp_path: Path) -> None:
    assert doctor.game_packages() == []
    one = write_package(tmp_path / "one")
    two = write_package(
        tmp_path / "two", distribution="plums", package="plums", points="plums = plums:Plums"
    )
    with installed(one, two):
        found, problem = doctor.game_packages()
    assert (found.level, found.what) == (
        Level.OK,
        "games of installed packages: figs (p2pfruit-figs 1.2)",
    )
    assert problem.level is Level.PROBLEM
    assert problem.what.startswith("the game plums of the package plums 1.2 cannot be played: ")


def test_parts_lie_in_the_package(tmp_path: Path) -> None:
    files = {"narrator.py": NARRATOR, "rules.en.md": "# Figs\n"}
    with installed(write_package(tmp_path, files=files)):
        narrator = narrator_for(registry.build("figs"), ["Ada", "Ben"])
        assert type(narrator).__module__ == "p2pfruit_figs.narrator"
        assert isinstance(narrator, Narrator)
        assert about("figs").rules() == about("figs").short() == "# Figs\n"
        language.use("fr")
        assert about("figs").rules() == "# Figs\n", "where there is no French page"
        assert parts.part("figs", "bots.heuristics", "HEURISTICS") is None
        assert parts.part("figs", "lesson.course", "COURSE") is None


def test_a_package_without_parts(tmp_path: Path) -> None:
    with installed(write_package(tmp_path)):
        assert type(narrator_for(registry.build("figs"), ["Ada", "Ben"])) is Narrator
        assert about("figs").rules() == "figs comes without a rules page\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "import no_such_module",
            "narrator: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("TELLER = 3", "narrator: AttributeError"),
        ("1 / 0", "narrator: ZeroDivisionError"),
    ],
)
def test_a_broken_part_names_its_package(text: str, why: str, tmp_path: Path) -> None:
    with installed(write_package(tmp_path, files={"narrator.py": text})):
        with pytest.raises(Refusal) as refusal:
            parts.part("figs", "narrator", "NARRATOR")
        assert str(refusal.value).startswith(
            f"the game figs of the package p2pfruit-figs 1.2 cannot be played: {why}"
        )
        assert refusal.value.hint


def test_a_broken_part_of_ours_is_not_hidden() -> None:
    with pytest.raises(AttributeError):
        parts.part("bastos", "narrator", "NO_SUCH_NAME")


def test_a_game_that_is_gone_can_stay_in_the_settings(tmp_path: Path) -> None:
    with installed(write_package(tmp_path / "figs")):
        current = settings.change(tmp_path, "game", "figs")
        [field, *_rest] = forms.play_form(current).fields
        assert field.start == "figs"
    assert settings.load(tmp_path) == current
    [field, *_rest] = forms.play_form(settings.load(tmp_path)).fields
    assert field.start == "fruitoplay"


def test_a_contest_names_the_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["arena", "--game", "figs", "--bots", "random,random", "--games", "2", "--jobs", "1"]
    with installed(write_package(tmp_path)):
        assert main([*line, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
    assert found["package"] == {"name": "p2pfruit-figs", "version": "1.2"}


def test_a_name_that_is_ours_stays_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = RULES.replace('"figs"', '"bastos"')
    with installed(write_package(tmp_path, rules=rules, points="bastos = p2pfruit_figs:Figs")):
        assert main(["games"]) == 0
        out, err = capsys.readouterr()
    assert "bastos: 3 to 4 players" in out
    assert "a game of this name is shipped with this program" in err
