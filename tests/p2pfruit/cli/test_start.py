"""What a start loads: no more than was asked for.

How long a start takes `python -m tests.bench --only start` tells. Each program here is an
interpreter of its own, which prints the modules that it has loaded.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import p2pfruit.cli.commands
from p2pfruit.cli.overview import COMMANDS

# Each takes longer to load than all that `--help` needs.
HEAVY = {
    "asyncio",
    "btclib_libsecp256k1",
    "cryptography",
    "msgpack",
    "prompt_toolkit",
    "sqlite3",
    "ssl",
    "trio",
}
# These hold what several commands share.
NO_COMMANDS = {"arguments", "entering", "networking", "pages", "seating", "series", "shared"}

LOADED = """
import contextlib, io, json, sys
from p2pfruit.cli.main import main
with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.suppress(SystemExit):
    main(sys.argv[1:])
assert said.getvalue()
print(json.dumps(sorted(sys.modules)))
"""


def loaded(arguments: Sequence[str]) -> set[str]:
    command = [sys.executable, "-c", LOADED, *arguments]
    return set(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def commands_among(modules: set[str]) -> set[str]:
    return {name for name in COMMANDS if f"p2pfruit.cli.commands.{name}" in modules}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["--help", "--lang", "fr"]])
def test_a_list_of_the_commands_loads_none_of_them(arguments: list[str]) -> None:
    modules = loaded(arguments)
    assert not modules & (HEAVY | {"engine", "protocol", "dataclasses", "shtab"})
    assert not commands_among(modules)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_loads_only_that_command(command: str) -> None:
    modules = loaded([command, "--help"])
    assert not modules & HEAVY
    assert commands_among(modules) == {command}


def test_the_menu_is_drawn_before_trio_is_loaded() -> None:
    """The modules that draw it: tests of the driver show that trio begins after the first page."""
    names = ("p2pfruit.ui.menu.menu", "p2pfruit.ui.screen.driver", "p2pfruit.ui.screen.menu")
    code = f"import json, sys, {', '.join(names)}; print(json.dumps(sorted(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE)
    modules = set(json.loads(printed.stdout))
    assert not modules & (HEAVY - {"asyncio", "prompt_toolkit", "ssl"})
    assert not modules & {"engine.registry", "p2pfruit.home.store"}


INTERRUPTED = """
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)
from p2pfruit.__main__ import main
sys.argv[1:] = [sys.argv[1], "games"]
main()
"""


@pytest.mark.parametrize("module", ["p2pfruit.cli.main", "p2pfruit.exits", "p2pfruit.cli.parser"])
def test_control_c_while_the_program_is_loaded_is_no_traceback(module: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, module]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_every_command_is_listed() -> None:
    folder = Path(p2pfruit.cli.commands.__file__).parent
    modules = {path.stem for path in folder.glob("[a-z]*.py")}
    assert modules - NO_COMMANDS == set(COMMANDS)
