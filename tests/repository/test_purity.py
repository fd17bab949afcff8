"""The rules and the table never touch the world: read from their sources.

The import contracts in pyproject.toml say who may import whom; what they cannot say is said here.
"""

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.repository.sources import ROOT, sources

WORLD = {
    *("asyncio", "concurrent", "dbm", "io", "multiprocessing", "os", "pathlib", "select"),
    *("selectors", "shelve", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess"),
    *("datetime", "secrets", "tempfile", "threading", "time"),
}
NOT_IN_ENGINE = WORLD
NOT_IN_PROTOCOL = WORLD | {"p2pfruit", "prompt_toolkit", "random", "sqlite3", "ssl", "trio"}


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name.partition(".")[0]) for name in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield node.lineno, module.partition(".")[0]


def not_stdlib(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for line, module in imports(tree):
        if module not in sys.stdlib_module_names | {"engine"}:
            yield line, f"imports {module}, which is not in the standard library"


def worldly_engine(tree: ast.AST) -> Iterator[tuple[int, str]]:
    yield from ((line, f"imports {name}") for line, name in imports(tree) if name in NOT_IN_ENGINE)


def worldly_protocol(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for line, name in imports(tree):
        if name in NOT_IN_PROTOCOL:
            yield line, f"imports {name}"


def own_randomness(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """A generator is passed in: of the module only the name of its type is of use."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="random", names=names):
                used = [name.name for name in names]
            case ast.Attribute(value=ast.Name(id="random"), attr=attr):
                used = [attr]
            case _:
                continue
        yield from ((node.lineno, f"uses random.{name}") for name in used if name != "Random")


def floats(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=float() | complex()):
                yield node.lineno, f"the float {node.value!r}"
            case ast.Call(func=ast.Name(id="float" | "complex" as name)):
                yield node.lineno, f"a call of {name}"
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield node.lineno, "true division"


RULES = {
    "engine": (not_stdlib, worldly_engine, own_randomness, floats),
    "protocol": (worldly_protocol, floats),
}


@pytest.mark.parametrize("package", RULES)
def test_package_is_pure(package: str) -> None:
    paths = sources(package)
    assert paths
    breaches = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in paths
        for rule in RULES[package]
        for line, what in rule(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert breaches == []


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("engine", "import trio"),
        ("engine", "from protocol import table"),
        ("engine", "import json, os.path"),
        ("engine", "def f():\n    from time import monotonic"),
        ("engine", "from random import Random, choice"),
        ("engine", "import random; random.random()"),
        ("engine", "half = 0.5"),
        ("engine", "half = whole / 2"),
        ("engine", "whole /= 2"),
        ("engine", "half = float(text)"),
        ("protocol", "import secrets"),
        ("protocol", "from p2pfruit.cli.main import main"),
        ("protocol", "import trio.lowlevel"),
    ],
)
def test_breach_is_found(package: str, source: str) -> None:
    assert any(list(rule(ast.parse(source))) for rule in RULES[package])


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("engine", "from . import time"),
        ("engine", "import engine.moves, tomllib, random\nrng: random.Random\nrng.random()"),
        ("engine", "from random import Random"),
        ("engine", "half = whole // 2"),
        ("engine", "isinstance(value, float)"),
        ("protocol", "import engine, msgpack, hashlib"),
    ],
)
def test_pure_source_is_left_alone(package: str, source: str) -> None:
    assert not any(list(rule(ast.parse(source))) for rule in RULES[package])
