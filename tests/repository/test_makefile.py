"""What `make` says where it cannot work. It is tried on an empty tree: nothing is installed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.repository.sources import ROOT

pytestmark = pytest.mark.needs("make")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def make(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`make`, free of the make that may have started these tests."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tree)}
    return subprocess.run(
        ["make", *arguments], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


def python(tree: Path, script: str) -> str:
    """The argument that makes this shell script the interpreter."""
    path = tree / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"PYTHON={path}"


def test_the_default_lists_the_targets(tree: Path) -> None:
    result = make(tree)
    assert result.returncode == 0
    listed = [line.split()[1] for line in result.stdout.splitlines()]
    assert " ".join(listed) == "help .venv play test lint test-long bench translations manual clean"


def test_no_python(tree: Path) -> None:
    result = make(tree, "PYTHON=no-such-python", "play")
    assert result.returncode == 2
    assert "error: no-such-python not found\nhint: install Python 3.11" in result.stderr


def test_old_python(tree: Path) -> None:
    old = python(tree, 'if [ "$1" = -V ]; then echo Python 3.9.2; else exit 1; fi')
    result = make(tree, old, "play")
    assert result.returncode == 2
    assert "error: p2pfruit needs Python 3.11 or newer; " in result.stderr
    assert " is Python 3.9.2\nhint: " in result.stderr


def test_python_without_venv(tree: Path) -> None:
    result = make(tree, python(tree, '[ "$1" != -m ]'), "test")
    assert result.returncode == 2
    assert "apt install python3-venv" in result.stderr


@pytest.fixture
def fake_python(tree: Path) -> str:
    """An interpreter whose virtual environment logs what pip is asked for."""
    installed = tree / "installed"
    installed.write_text(f'#!/bin/sh\necho "$@" >>"{tree}/log"\n[ ! -e "{tree}/offline" ]\n')
    installed.chmod(0o755)
    return python(
        tree,
        f'[ "$2" = venv ] || exit 0\necho "$@" >>"{tree}/log"\n'
        f'mkdir -p .venv/bin && cp -p "{installed}" .venv/bin/python',
    )


def log(tree: Path) -> list[str]:
    """What was done since the last look, shortened: venv, or what pip installed."""
    path = tree / "log"
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return ["venv" if " venv " in line else line.split()[-1] for line in lines]


def test_install_is_done_once(tree: Path, fake_python: str) -> None:
    assert make(tree, fake_python, ".venv").returncode == 0
    assert log(tree) == ["venv", "."]
    assert make(tree, fake_python, ".venv").returncode == 0
    assert log(tree) == []


def test_dev_install_includes_the_runtime(tree: Path, fake_python: str) -> None:
    make(tree, fake_python, ".venv/.dev", ".venv")
    assert log(tree) == ["venv", ".[dev]"]


def test_changed_pyproject_installs_again(tree: Path, fake_python: str) -> None:
    make(tree, fake_python, ".venv")
    log(tree)
    os.utime(tree / ".venv/.runtime", (0, 0))
    make(tree, fake_python, ".venv")
    assert log(tree) == ["."]


def test_failed_install_begins_anew(tree: Path, fake_python: str) -> None:
    (tree / "offline").touch()
    result = make(tree, fake_python, ".venv")
    assert result.returncode == 2
    assert "error: the install failed\nhint: " in result.stderr
    assert log(tree) == ["venv", "."]
    (tree / "offline").unlink()
    make(tree, fake_python, ".venv")
    assert log(tree) == ["venv", "."]


def test_moved_tree_begins_anew(tree: Path, fake_python: str) -> None:
    make(tree, fake_python, ".venv")
    log(tree)
    (tree / ".venv/.whole").write_text("/elsewhere\n")
    make(tree, fake_python, ".venv")
    assert log(tree) == ["venv", "."]


def test_vanished_python_begins_anew(tree: Path, fake_python: str) -> None:
    make(tree, fake_python, ".venv")
    log(tree)
    (tree / ".venv/bin/python").unlink()
    make(tree, fake_python, ".venv")
    assert log(tree) == ["venv", "."]
