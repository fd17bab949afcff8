"""Packages that bring a game, installed for the time of a test as files on the path."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine import packages

RULES = """
from engine.fruitoplay import Fruitoplay


class Figs(Fruitoplay):
    name = "figs"
    version = 3
    seats = range(2, 4)
    rounds = 1
"""


def shipped_content() -> str:
    path = Path(sys.modules["engine"].__path__[0], "fruitoplay", "fruitoplay.toml")
    return path.read_text(encoding="utf-8")


def write_package(
    folder: Path,
    *,
    distribution: str = "p2pfruit-figs",
    version: str = "1.2",
    package: str = "p2pfruit_figs",
    points: str = "figs = p2pfruit_figs:Figs",
    rules: str = RULES,
    content: str | None = None,
    files: Mapping[str, str] | None = None,
) -> Path:
    """Write what pip would install: a package, and the folder that describes it."""
    code = folder / package
    code.mkdir(parents=True, exist_ok=True)
    (code / "__init__.py").write_text(rules, encoding="utf-8")
    text = shipped_content() if content is None else content
    (code / "figs.toml").write_text(text, encoding="utf-8")
    for name, said in (files or {}).items():
        (code / name).write_text(said, encoding="utf-8")
    about = folder / f"{distribution.replace('-', '_')}-1.dist-info"
    about.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    (about / "METADATA").write_text(metadata, encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[{packages.GROUP}]\n{points}\n", encoding="utf-8")
    return folder


@contextmanager
def installed(*folders: Path) -> Iterator[None]:
    """Put these folders on the path; afterwards nothing of their packages is left."""
    with pytest.MonkeyPatch.context() as patch:
        before = set(sys.modules)
        for folder in folders:
            patch.syspath_prepend(folder)
        forget()
        try:
            yield
        finally:
            for name in set(sys.modules) - before:
                file = getattr(sys.modules[name], "__file__", None) or ""
                if any(file.startswith(str(folder)) for folder in folders):
                    del sys.modules[name]
    forget()


def forget() -> None:
    """Look at the installed packages again."""
    packages.offers.cache_clear()
    packages.load.cache_clear()
