"""Imports go one way: a folder never imports one above it, and no modules import each other.

All imports count: those at the top of a module, those inside functions, which are there to start
fast and not to hide a cycle, and those for type checkers alone. import-linter holds the order of
the folders as well; see pyproject.toml.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.repository.sources import ROOT, sources

# From below to above; what stands together in a row may import each other.
ORDER = {
    "protocol": (
        ("codec", "errors", "limits", "version"),
        *(("crypto",), ("feed",), ("table",), ("file",), ("series",), ("link",), ("peer", "relay")),
    ),
    "p2pfruit": (
        ("exits", "language", "levels", "limits"),
        *(("text",), ("home",), ("net",), ("games",), ("bots",), ("conformance",), ("seat",)),
        *(("replay",), ("stats",), ("lessons",), ("ui",), ("cli",), ("__main__",)),
    ),
    "p2pfruit.ui": (
        (
            *("afterwards", "chat", "commands", "forms", "hints", "history", "lateness", "lobby"),
            *("lobby_commands", "lobby_form", "observer", "table_fields", "terminal", "wording"),
        ),
        ("lines",),
        ("screen",),
        ("dealt", "evening", "fronts", "session"),
        ("menu",),
    ),
}

Graph = Mapping[str, set[str]]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, modules: Sequence[str] | Mapping[str, object]) -> Iterator[str]:
    """Yield the modules among these that a source imports, wherever it does so."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports name the whole way to a module"
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                if inside in modules:
                    yield inside
                elif node.module in modules:
                    yield str(node.module)


@cache
def graph_of(package: str) -> Graph:
    files = {module_name(path): path for path in sources(package)}
    return {name: {*imported(path.read_text("utf-8"), files)} for name, path in files.items()}


def cycle_in(graph: Graph) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def against(graph: Graph, package: str, order: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the imports from below to above within a package."""
    ranks = {f"{package}.{name}": rank for rank, names in enumerate(order) for name in names}
    depth = package.count(".") + 2

    def rank(module: str) -> int | None:
        if module == package or not module.startswith(f"{package}."):
            return None
        return ranks[".".join(module.split(".")[:depth])]

    return [
        (module, other)
        for module, others in sorted(graph.items())
        for other in sorted(others)
        if (low := rank(module)) is not None and (high := rank(other)) is not None and low < high
    ]


@pytest.mark.parametrize("package", ["engine", "protocol", "p2pfruit"])
def test_no_modules_import_each_other(package: str) -> None:
    assert cycle_in(graph_of(package)) == []


@pytest.mark.parametrize("package", ORDER)
def test_no_folder_imports_one_above_it(package: str) -> None:
    assert against(graph_of(package.partition(".")[0]), package, ORDER[package]) == []


def test_only_the_command_line_opens_the_menu() -> None:
    graph = graph_of("p2pfruit")
    openers = {
        module
        for module, others in graph.items()
        if any(other.startswith("p2pfruit.ui.menu") for other in others)
    }
    assert {module for module in openers if not module.startswith("p2pfruit.ui.menu")} == {
        "p2pfruit.cli.main",
        "p2pfruit.cli.commands.play",  # on the first start
    }


# The test itself.

LAZY = "def f():\n    import a.b\n"
TYPED = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import b\n"


@pytest.mark.parametrize("source", [LAZY, TYPED, "from a.b import thing", "import a.b as c"])
def test_every_import_is_found(source: str) -> None:
    assert list(imported(source, ["a", "a.b"])) == ["a.b"]


def test_a_cycle_and_a_wrong_way_are_found() -> None:
    graph = {"p.low.a": {"p.high"}, "p.high": {"p.low.b"}, "p.low.b": {"p.low.a"}, "p": {"p.high"}}
    assert {*cycle_in(graph)} == {"p.low.a", "p.high", "p.low.b"}
    assert against(graph, "p", [["low"], ["high"]]) == [("p.low.a", "p.high")]
