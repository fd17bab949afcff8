"""The example package: built, installed, played over TCP, verified; then uninstalled."""

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes.hall import Hall, opened
from tests.repository.sources import ROOT

EXAMPLE = ROOT / "docs/examples/p2pfruit-figs"


class Environment:
    """A virtual environment with p2pfruit, and with the packages that a test installs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv")
        self.python = folder / "venv/bin/python"
        [site] = (folder / "venv").glob("lib/python*/site-packages")
        ours = (sysconfig.get_path("purelib"), str(ROOT))
        (site / "p2pfruit.pth").write_text("\n".join(ours), encoding="utf-8")

    def build(self, source: Path) -> Path:
        """Build a wheel with the hatchling that is installed: nothing is downloaded."""
        copy = shutil.copytree(source, self.folder / "source")
        wheels = self.folder / "wheels"
        check(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels, cwd=copy)
        [wheel] = wheels.glob("*.whl")
        return wheel

    def pip(self, *arguments: str | Path) -> None:
        check(sys.executable, "-m", "pip", "--python", self.python, *arguments, cwd=self.folder)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return run(self.python, "-m", *arguments, cwd=self.folder)


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def check(*command: str | Path, cwd: Path) -> None:
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    made = Environment(tmp_path)
    wheel = made.build(EXAMPLE)
    made.pip("install", "--quiet", "--no-deps", "--no-index", wheel)
    return made


@pytest.fixture
def hall(tmp_path: Path, environment: Environment) -> Iterator[Hall]:
    with opened(tmp_path, "p2pfruit", environment.python) as hall:
        yield hall


def test_a_package_from_its_source_to_the_verdict(hall: Hall, environment: Environment) -> None:
    played_over_tcp(hall)
    known(hall, environment)
    environment.pip("uninstall", "--quiet", "--yes", "p2pfruit-figs")
    unknown(hall, environment)


def played_over_tcp(hall: Hall) -> None:
    host = hall.host("anna", "figs", 2)
    guest = hall.join("ben", host)
    assert (host.ends(), guest.ends()) == (0, 0)
    assert host.errors == guest.errors == []
    hall.the_same(["anna", "ben"])


def known(hall: Hall, environment: Environment) -> None:
    listed = environment.run("p2pfruit", "games")
    assert "figs (p2pfruit-figs 1.0): 2 to 4 players" in listed.stdout
    record = hall.record("anna")
    done = environment.run("p2pfruit", "verify", "--json", record)
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"], report["game"]) == (0, "final", "figs")
    assert report["package"] == {"name": "p2pfruit-figs", "version": "1.0"}
    assert "points for" in environment.run("p2pfruit", "show", record).stdout
    page = environment.run("p2pfruit", "replay", "--html", "-", record)
    assert (page.returncode, page.stdout[:9].lower()) == (0, "<!doctype")
    arena = ("arena", "--game", "figs", "--bots", "greedy,random", "--games", "4", "--jobs", "2")
    assert environment.run("p2pfruit", *arena).returncode == 0


def unknown(hall: Hall, environment: Environment) -> None:
    record = hall.record("anna")
    told = environment.run("p2pfruit", "verify", record)
    assert told.returncode == 6
    assert "rules not known here: this program cannot play figs" in told.stdout
    assert "install the package that brings figs" in told.stdout
    done = environment.run("p2pfruit", "verify", "--json", record)
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"], report["code"]) == (6, "unknown-rules", "game")
    assert (report["game"], report["package"]) == ("figs", None)
    assert sum(report["entries"]) > 10
    for command in ("show", "replay"):
        refused = environment.run("p2pfruit", command, record)
        assert (refused.returncode, refused.stdout) == (6, "")
        assert "rules not known here" in refused.stderr
        assert "hint: install the package that brings figs" in refused.stderr
    played = environment.run("p2pfruit", "play", "--game", "figs")
    assert played.returncode == 2
    assert "there is no game 'figs'" in played.stderr


@pytest.mark.slow
def test_the_suite_passes_in_that_environment(environment: Environment) -> None:
    oracle = ("--oracle", "figs_oracle:ORACLE")
    suite = ("p2pfruit.conformance", "figs", "-p", "no:cacheprovider", "-q")
    done = run(environment.python, "-m", *suite, *oracle, cwd=environment.folder / "source")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped" not in done.stdout
    without = environment.run(*suite, "-k", "oracle")
    assert without.returncode == 0, without.stdout + without.stderr
    assert "no oracle: the points were not reckoned a second time" in without.stdout
