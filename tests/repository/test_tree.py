"""The folders: few modules at the top, each room says what lives in it, tests mirror the rooms."""

from pathlib import Path

import pytest

from tests.repository.sources import PACKAGES, ROOT

TOP_LEVEL_MOST = 8


def rooms(package: str) -> list[Path]:
    """Return the folders with modules, from the package itself down."""
    return sorted({path.parent for path in (ROOT / package).rglob("*.py")})


def test_the_top_level_of_the_program_is_small() -> None:
    modules = [path.name for path in (ROOT / "p2pfruit").glob("*.py")]
    assert len(modules) <= TOP_LEVEL_MOST, modules


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_says_what_lives_in_it(package: str) -> None:
    silent = [
        str(room.relative_to(ROOT))
        for room in rooms(package)
        if not (room / "__init__.py").read_text("utf-8").startswith('"""')
    ]
    assert silent == []


@pytest.mark.parametrize("package", ["protocol", "p2pfruit"])
def test_the_tests_mirror_the_rooms(package: str) -> None:
    top = [room for room in rooms(package) if room.parent == ROOT / package]
    assert top
    missing = [
        room.name
        for room in top
        if not list((ROOT / "tests" / package / room.name).glob("**/test_*.py"))
        and room.name != "conformance"  # it is tests itself; tests/conformance runs it
    ]
    assert missing == []


def test_no_folder_of_tests_is_left_without_tests() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    inits = {path.parent for path in (ROOT / "tests").rglob("__init__.py")} - {ROOT / "tests"}
    used = {parent for folder in folders for parent in (folder, *folder.parents)}
    assert {str(path.relative_to(ROOT)) for path in inits - used} <= {
        "tests/bench",  # figures, no tests
        "tests/games",  # two small games that tests play
        "tests/adversary/attacks",  # what its tests try
        "tests/p2pfruit/lessons/claims",  # what its tests recount
    }
