"""Files and modules that the docs name are there; a walk of docs/design.md names each file once."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from tests.repository.sources import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
DESIGN = ROOT / "docs/design.md"

PATH = re.compile(r"(?<![\w/.:-])(?:engine|protocol|p2pfruit|tests|docs)/[\w/.<>*-]*[\w/>*]")
MODULE = re.compile(r"(?<![\w/.-])(?:engine|protocol|p2pfruit|tests)(?:\.[a-z_]\w*)+(?![\w/-])")

# Names that stand for the ones a reader chooses.
FREE = {"figs", "orchard"}


def exists(name: str) -> bool:
    """Return True if the path is there, with any game in the place of <game>."""
    if FREE & set(re.split(r"[/._]", name)):
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


# A walk: a heading, then numbered steps, each beginning with the file it passes through.
WALKS = re.compile(r"^### (Walk: .+)\n(.*?)(?=^#)", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\d+\. `([^`]+)`(.*?)(?=^\d+\. |\Z)", re.MULTILINE | re.DOTALL)


def walks() -> dict[str, list[tuple[str, str]]]:
    text = DESIGN.read_text("utf-8")
    return {title: STEP.findall(steps) for title, steps in WALKS.findall(text)}


def test_there_are_three_walks() -> None:
    assert [len(steps) > 4 for steps in walks().values()] == [True] * 3


@pytest.mark.parametrize("title", walks())
def test_a_walk_passes_through_each_file_once(title: str) -> None:
    files = [file for file, _ in walks()[title]]
    assert [file for file in files if not (ROOT / file).is_file()] == []
    assert len(set(files)) == len(files)


@pytest.mark.parametrize("title", walks())
def test_a_walk_names_what_is_in_the_file(title: str) -> None:
    for file, told in walks()[title]:
        if file.endswith(".py"):
            names = set(defined(ast.parse((ROOT / file).read_text("utf-8"))))
            called = set(re.findall(r"`([A-Za-z_][\w.]*)`", told))
            assert called <= names, file
            assert called, f"{file}: which function?"


def defined(tree: ast.AST, prefix: str = "") -> Iterator[str]:
    """Yield what a module defines: `name` or `Class.method`."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield prefix + name
            case ast.ClassDef(name=name):
                yield prefix + name
                yield from defined(node, f"{prefix}{name}.")
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield prefix + name
