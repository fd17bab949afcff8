import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import p2pfruit
from tests.repository.sources import PACKAGES, ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME: list[str] = PROJECT["project"]["dependencies"]
DEV: list[str] = PROJECT["project"]["optional-dependencies"]["dev"]
BUILD: list[str] = PROJECT["build-system"]["requires"]

MANUAL = "docs/p2pfruit.1"

EXACT = {"mypy", "ruff"}  # their next version may find something new, and break an old commit


def operators(requirement: str) -> set[str]:
    return {part.operator for part in Requirement(requirement).specifier}


@pytest.mark.parametrize("requirement", [*BUILD, *RUNTIME, *DEV])
def test_version_has_an_upper_bound(requirement: str) -> None:
    assert operators(requirement) & {"<", "<=", "==", "~="}


def test_linters_are_exact() -> None:
    exact = {Requirement(text).name for text in DEV if operators(text) == {"=="}}
    assert exact == EXACT


def test_wheel_has_the_packages_with_their_data(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    no_caches = shutil.ignore_patterns("__pycache__")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tree / package, ignore=no_caches)
    (tree / MANUAL).parent.mkdir()
    for name in ("pyproject.toml", "LICENSE", "README.md", MANUAL):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tree / name)
    # One file of each kind, and a .gitignore that hides compiled translations.
    (tree / ".gitignore").write_text("*.mo\n")
    for name in ("engine/fig/set.toml", "p2pfruit/games/fig/rules.md", "p2pfruit/locale/fig.mo"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).touch()

    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path],
        cwd=tree,
        check=True,
        capture_output=True,
    )

    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name == f"p2pfruit-{p2pfruit.__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    shared = f"p2pfruit-{p2pfruit.__version__}.data/data/share/man/man1/p2pfruit.1"
    assert shared in names
    packed = {name for name in names if ".dist-info/" not in name} - {shared}
    present = {
        path.relative_to(tree).as_posix()
        for package in PACKAGES
        for path in (tree / package).rglob("*")
        if path.is_file()
    }
    assert packed == present
