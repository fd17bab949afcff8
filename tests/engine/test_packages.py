"""Games of installed packages: found, loaded, and refused one by one where they are broken."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine import limits, packages, registry
from engine.content import parse_content
from engine.errors import BadContent, BadPackage, UnknownGame
from engine.fruitoplay import Fruitoplay
from tests.games.packaged import RULES, installed, shipped_content, write_package


def test_a_package_brings_a_game(tmp_path: Path) -> None:
    with installed(write_package(tmp_path)):
        assert registry.names() == (*registry.SHIPPED, "figs")
        assert registry.knows("figs")
        entry = registry.find("figs")
        assert entry is registry.find("figs")
        assert entry.origin == packages.Origin("p2pfruit-figs", "1.2", "p2pfruit_figs")
        assert str(entry.origin) == "p2pfruit-figs 1.2"
        assert registry.build("figs").rules_id == entry.game(entry.content()).rules_id
        assert registry.faults() == []
    assert not registry.knows("figs")
    with pytest.raises(UnknownGame):
        registry.find("figs")


def test_the_rules_id_does_not_depend_on_the_package(tmp_path: Path) -> None:
    ids = set()
    for version in ("1.2", "1.3"):
        with installed(write_package(tmp_path / version, version=version)):
            ids.add(registry.build("figs").rules_id)
    with installed(write_package(tmp_path / "x", distribution="another", rules=RULES)):
        ids.add(registry.build("figs").rules_id)
    assert len(ids) == 1


def test_a_package_is_imported_when_its_game_is_asked_for(tmp_path: Path) -> None:
    with installed(write_package(tmp_path)):
        assert registry.knows("figs")
        registry.build("fruitoplay")
        assert "p2pfruit_figs" not in sys.modules
        registry.find("figs")
        assert "p2pfruit_figs" in sys.modules


UNTOUCHED = """
import sys
from engine import registry
registry.build("fruitoplay")
assert registry.knows("bastos")
assert "importlib.metadata" not in sys.modules
"""


@pytest.mark.no_cover
def test_a_shipped_game_does_not_wait_for_packages() -> None:
    done = subprocess.run(
        [sys.executable, "-c", UNTOUCHED], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


BROKEN = {
    "an import": ("import no_such_module", "it cannot be imported: ModuleNotFoundError: No module"),
    "syntax": ("class", "it cannot be imported: SyntaxError"),
    "an exit": ("raise SystemExit(3)", "it cannot be imported: SystemExit: 3"),
    "no such class": ("", "it cannot be imported: AttributeError"),
    "no class": ("Figs = 3", "does not name a class that inherits from engine.game.Game"),
    "no game": ("class Figs: pass", "does not name a class that inherits from engine.game.Game"),
    "no name": (
        "from engine.game import Game\nclass Figs(Game): pass",
        "Figs.name is not set, or not of type str",
    ),
    "another name": (RULES.replace('"figs"', '"plums"'), "is called figs, but its game 'plums'"),
    "no version": (RULES.replace("version = 3", "version = '3'"), "not of type int"),
    "too many seats": (RULES.replace("(2, 4)", "(2, 10)"), "needs between 1 and 8 seats"),
    "no seats": (RULES.replace("(2, 4)", "(2, 2)"), "needs between 1 and 8 seats"),
    "odd seats": (RULES.replace("(2, 4)", "(2, 7, 2)"), "needs between 1 and 8 seats"),
    "no state": (RULES + "    state_type = int\n", "state_type is not a dataclass"),
    "no such public value": (
        RULES.replace(
            "class Figs", "class Basket(Orchard):\n    public = ('figs',)\n\n\nclass Figs"
        ).replace(
            "import Fruitoplay", "import Fruitoplay\nfrom engine.fruitoplay.rules import Orchard"
        )
        + "    state_type = Basket\n",
        "Basket.public names 'figs', which is not a field of it",
    ),
    "no vectors": (
        RULES + "    vectors = 'x'\n",
        "vectors is not the SHA-256 of its rules vectors",
    ),
    "no option": (RULES + "    options = ('x',)\n", "an option of figs has names and values"),
    "a loud option": (
        "from engine.content import Option\n"
        + RULES
        + "    options = (Option('x', ('\\x1b[2J',), '\\x1b[2J'),)\n",
        "an option of figs has names and values",
    ),
    "no default": (
        "from engine.content import Option\n" + RULES + "    options = (Option('x', ('y',), 'z'),)",
        "an option of figs has names and values",
    ),
    "a long option": (
        "from engine.content import Option\n"
        + RULES
        + f"    options = (Option({'x' * (limits.WORD_LENGTH_MOST + 1)!r}, ('y',), 'y'),)",
        "an option of figs has names and values",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_its_own_fault_alone(case: str, tmp_path: Path) -> None:
    rules, why = BROKEN[case]
    with installed(write_package(tmp_path, rules=rules)):
        check_fault(why)


def check_fault(why: str, name: str = "figs") -> None:
    with pytest.raises(BadPackage) as refusal:
        registry.find(name)
    assert why in refusal.value.why
    begin = f"the game {name!r} of the package p2pfruit-figs 1.2 cannot be played: "
    assert str(refusal.value).startswith(begin)
    assert registry.names() == tuple(registry.SHIPPED)
    assert [str(fault) for fault in registry.faults()] == [str(refusal.value)]
    assert isinstance(registry.build("fruitoplay"), Fruitoplay)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "its content figs.toml cannot be used: BadContent: a content file begins with"),
        ('title = "x"\nverified = true', "figs.toml cannot be used: BadContent: cards needs"),
    ],
)
def test_content_that_cannot_be_used(content: str, why: str, tmp_path: Path) -> None:
    with installed(write_package(tmp_path, content=content)):
        check_fault(why)


def test_a_package_without_its_content(tmp_path: Path) -> None:
    write_package(tmp_path).joinpath("p2pfruit_figs", "figs.toml").unlink()
    with installed(tmp_path):
        check_fault("its content figs.toml cannot be used: FileNotFoundError")


@pytest.mark.parametrize("name", ["Figs", "x" * 40, "../figs", "\x1b[2J"])
def test_a_name_that_is_none(name: str, tmp_path: Path) -> None:
    with installed(write_package(tmp_path, points=f"{name} = p2pfruit_figs:Figs")):
        check_fault("the name of a game has small letters", name)


def test_a_shipped_name_stays_ours(tmp_path: Path) -> None:
    rules = RULES.replace('"figs"', '"bastos"')
    points = "bastos = p2pfruit_figs:Figs"
    with installed(write_package(tmp_path, rules=rules, points=points)):
        assert registry.find("bastos").origin is None
        assert registry.names() == tuple(registry.SHIPPED)
        [fault] = registry.faults()
        assert fault.why == "a game of this name is shipped with this program"


def test_a_name_of_two_packages_belongs_to_neither(tmp_path: Path) -> None:
    one = write_package(tmp_path / "one")
    two = write_package(tmp_path / "two", distribution="other-figs", version="7")
    with installed(two, one):
        check_fault("other-figs 7 brings a game of the same name")


def test_a_package_that_is_twice_on_the_path_is_one(tmp_path: Path) -> None:
    one = write_package(tmp_path / "one", version="1")
    two = write_package(tmp_path / "two", version="2")
    with installed(one, two):  # the last is put in front
        assert str(registry.find("figs").origin) == "p2pfruit-figs 2"
        assert registry.faults() == []


def test_a_package_of_which_the_metadata_is_damaged_says_nothing(tmp_path: Path) -> None:
    one = write_package(tmp_path / "one")
    two = write_package(tmp_path / "two", distribution="damaged")
    [points] = two.glob("*.dist-info/entry_points.txt")
    points.write_bytes(b"[p2pfruit.games]\n\xff\xfe\n")
    with installed(one, two):
        assert registry.names() == (*registry.SHIPPED, "figs")
        assert registry.faults() == []


def test_a_package_without_a_name(tmp_path: Path) -> None:
    [metadata] = write_package(tmp_path).glob("*.dist-info/METADATA")
    metadata.write_text("Metadata-Version: 2.1\n", encoding="utf-8")
    with installed(tmp_path):
        assert str(registry.find("figs").origin) == "? ?"


def test_the_origin_of_a_game(tmp_path: Path) -> None:
    with installed(write_package(tmp_path)):
        assert registry.origin("figs") == packages.Origin("p2pfruit-figs", "1.2", "p2pfruit_figs")
        assert registry.origin("bastos") is registry.origin("chess") is None
    with installed(write_package(tmp_path / "broken", rules="")):
        assert registry.origin("figs") is None


FRAIL = (
    RULES
    + """
    def __init__(self, content, options=None):
        super().__init__(content, options)
        if content.title == "strange":
            raise KeyError("jars")
"""
)


def test_a_package_that_fails_on_the_content_of_a_stranger(tmp_path: Path) -> None:
    with installed(write_package(tmp_path, rules=FRAIL)):
        assert registry.build("figs").name == "figs"
        odd = replace(parse_content(shipped_content()), title="strange")
        with pytest.raises(BadPackage, match="cannot be played: KeyError: 'jars'"):
            registry.build("figs", content=odd)
        with pytest.raises(BadContent):
            registry.build("figs", content=replace(odd, tables={"x": 1}))
