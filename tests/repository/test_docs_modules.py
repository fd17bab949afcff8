"""Files and modules that the docs name are there."""

import importlib
import re
from pathlib import Path

import pytest

from engine import registry
from tests.repository.sources import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

PATH = re.compile(r"(?<![\w/.:-])(?:engine|protocol|p2pfruit|tests|docs)/[\w/.<>*-]*[\w/>*]")
MODULE = re.compile(r"(?<![\w/.-])(?:engine|protocol|p2pfruit|tests)(?:\.[a-z_]\w*)+(?![\w/-])")

# Names that stand for the ones a reader chooses.
FREE = {"figs", "orchard"}


def exists(name: str) -> bool:
    """Return True if the path is there, with any game in the place of <game>.

    Tests may be named as they are seen from tests/, without their ending.
    """
    if FREE & set(re.split(r"[/._]", name)):
        return True
    if "/test_" in name and (ROOT / "tests" / f"{name}.py").is_file():
        return True
    names = [name.replace("<game>", game) for game in registry.SHIPPED]
    return any(list(ROOT.glob(re.sub(r"<\w+>", "*", each).rstrip("/"))) for each in names)


def can_be_imported(name: str) -> bool:
    """Return True if the dotted name is a module, or something in one."""
    module, _, attribute = name.rpartition(".")
    if FREE & set(name.split(".")):
        return True
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return bool(module) and hasattr(importlib.import_module(module), attribute)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_files_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [name for name in PATH.findall(text) if not exists(name)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_modules_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    names = {name for name in MODULE.findall(text) if not name.endswith((".toml", ".md", ".py"))}
    assert [name for name in sorted(names) if not can_be_imported(name)] == []
