"""The scripts by which shells complete what is typed, tried in the shells themselves."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2pfruit.cli import main, overview
from p2pfruit.cli.commands import completion
from p2pfruit.home.folder import Home
from p2pfruit.home.store import SavedSeat, SavedTable, Store
from p2pfruit.levels import TYPED

LIMIT_S = 60

pytestmark = pytest.mark.needs("bash")

# Bash calls the function with the words as it has split them, and takes the answers from COMPREPLY.
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_p2pfruit
printf '%s\\n' "${COMPREPLY[@]}"
"""

CHECK = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "-n"], "tcsh": ["tcsh"]}


@pytest.fixture(scope="module", name="scripts")
def write_scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the script for each shell, named after it."""
    folder = tmp_path_factory.mktemp("scripts")
    for shell in completion.SHELLS:
        (folder / shell).write_text(completion.script(shell), encoding="utf-8")
    return folder


def completed(scripts: Path, *words: str, cwd: Path | None = None) -> set[str]:
    """What bash offers for the last of the words."""
    done = subprocess.run(
        ["bash", "-c", ASK, "bash", str(scripts / "bash"), "p2pfruit", *words],
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT_S,
        check=True,
        cwd=cwd,
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "shell", [pytest.param(shell, marks=pytest.mark.needs(shell)) for shell in completion.SHELLS]
)
def test_each_shell_reads_its_script(shell: str, scripts: Path) -> None:
    done = subprocess.run(
        [*CHECK[shell], str(scripts / shell)],
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT_S,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_commands_and_their_options(scripts: Path) -> None:
    assert completed(scripts, "") >= set(overview.COMMANDS)
    assert completed(scripts, "ho") == {"host"}
    assert completed(scripts, "host", "--no-") == {"--no-chat", "--no-spectators", "--no-probes"}
    assert completed(scripts, "id", "b") == {"book"}
    assert completed(scripts, "completion", "") == set(completion.SHELLS)
    assert "--tables" not in completed(scripts, "completion", "--")


@pytest.mark.parametrize("option", ["--level", "--auto", "--bots"])
def test_levels(option: str, scripts: Path) -> None:
    assert completed(scripts, "play", option, "") == set(TYPED)
    assert completed(scripts, "play", option, "=") == set(TYPED)
    assert completed(scripts, "play", option, "=", "gr") == {"greedy"}


def test_games_and_their_rules(scripts: Path) -> None:
    assert completed(scripts, "rules", "fruito") == {"fruitoplay"}
    assert completed(scripts, "play", "--game", "fruito") == {"fruitoplay"}
    assert completed(scripts, "play", "--option", "ti") == {"ties=all", "ties=contending"}
    # Bash writes what comes after the last `=`.
    assert completed(scripts, "play", "--option", "ties", "=") == {"all", "contending"}
    assert completed(scripts, "play", "--option", "ties", "=", "co") == {"contending"}
    assert completed(scripts, "play", "--option", "=", "ties", "=", "co") == {"contending"}


@pytest.mark.parametrize(
    "words",
    [
        ("verify",),
        ("verify", "other.fruit"),
        ("show",),
        ("play", "--record"),
        ("play", "--content"),
        ("id", "import"),
        ("host", "--invite-file"),
    ],
)
def test_files(words: Sequence[str], scripts: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.fruit").touch()
    (tmp_path / "folder").mkdir()
    assert completed(scripts, *words, "mi", cwd=tmp_path) == {"mine.fruit"}


def test_folders(scripts: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.fruit").touch()
    (tmp_path / "mine").mkdir()
    assert completed(scripts, "--home", "mi", cwd=tmp_path) == {"mine"}


def test_tables_that_can_be_resumed(
    scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path / "home")
    home.make()
    seat = SavedSeat(key=bytes(32), seed=bytes(32))
    with Store(home.database) as store:
        for number in (1, 2):
            table = SavedTable(
                id=bytes([number]) * 32, roster=b"", secret=bytes(16), seats=(seat,), started=number
            )
            store.begin(table)
    program = tmp_path / "p2pfruit"  # as it would be found on PATH
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m p2pfruit "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("P2PFRUIT_HOME", str(home.path))
    assert completed(scripts, "resume", "") == {"01" * 6, "02" * 6}
    assert completed(scripts, "resume", "02") == {"02" * 6}


def test_nobody_has_played_yet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    assert main.main(["completion", "--tables", "--home", str(nowhere)]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    assert not nowhere.exists()


@pytest.mark.parametrize(
    ("named", "shell"), [("/usr/bin/zsh", "zsh"), ("/bin/dash", "bash"), ("", "bash")]
)
def test_the_own_shell_is_meant(
    named: str, shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", named)
    assert main.main(["completion"]) == 0
    assert capsys.readouterr().out.rstrip() == completion.script(shell).rstrip()


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["completion", "cmd.exe"]) == 2
    assert "hint:" in capsys.readouterr().err


def test_the_script_speaks_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["completion", "fish", "--lang", "fr"]) == 0
    assert "jouer contre des robots" in capsys.readouterr().out
