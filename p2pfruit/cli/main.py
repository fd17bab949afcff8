"""The command line. stdout is for data; all else goes to stderr, lower case, with a hint."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from p2pfruit import __version__, exits, language
from p2pfruit.exits import complain, say
from p2pfruit.home import settings_file
from p2pfruit.language import text as _

COMMANDS = (
    "play",
    "host",
    "join",
    "watch",
    "resume",
    "games",
    "rules",
    "learn",
    "arena",
    "verify",
    "show",
    "replay",
    "history",
    "id",
    "settings",
    "paths",
    "lan",
    "doctor",
    "completion",
)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in our own voice, and where to read more. No abbreviations: they would
    change their meaning with every option that is added. What every command has can be said before
    and after its name."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments, allow_abbrev=False)
        _add_language(self)
        _add_home(self)

    def error(self, message: str) -> NoReturn:
        raise exits.Refusal(
            message,
            hint=_("{command} --help lists what can be said").format(command=self.prog),
            code=exits.USAGE,
        )


def build_parser(arguments: Sequence[str] = ()) -> Parser:
    """Where the arguments name a command, no other is loaded: that takes longer than many a
    command."""
    parser = Parser(
        prog="p2pfruit",
        description=_("Fruit card games between peers: no server, and nobody to trust."),
    )
    parser.add_argument("--version", action="version", version=f"p2pfruit {__version__}")
    parser.set_defaults(home=None)
    commands = parser.add_subparsers(metavar=_("COMMAND"), parser_class=Parser)
    named = _first_word(arguments)
    for name in [named] if named in COMMANDS else COMMANDS:
        command = importlib.import_module(f"p2pfruit.cli.commands.{name}")
        summary = command.summary()
        subparser = commands.add_parser(name, help=summary, description=summary)
        command.configure(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _first_word(arguments: Sequence[str]) -> str:
    """The first argument that does not belong to what every command has; nothing if all do."""
    words = iter(arguments)
    for word in words:
        name, equals, _value = word.partition("=")
        if name not in ("--lang", "--home"):
            return word
        if not equals:
            next(words, "")
    return ""


def _add_language(parser: argparse.ArgumentParser) -> None:
    # language.wanted has read it already; here it is only checked and explained.
    parser.add_argument(
        "--lang",
        choices=language.LANGUAGES,
        default=argparse.SUPPRESS,
        help=_("the language to speak (the locale's)"),
    )


def _add_home(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--home",
        metavar=_("FOLDER"),
        default=argparse.SUPPRESS,
        help=_("where identity, tables and games are kept (P2PFRUIT_HOME, else the usual place)"),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    setting = settings_file.language_of(arguments, os.environ)
    language.use(language.wanted(arguments, os.environ, setting))
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # letters that we do not share are no reason to stop
            stream.reconfigure(errors="replace")
    try:
        return run(arguments)
    except exits.Refusal as refusal:
        complain(str(refusal), refusal.hint)
        return refusal.code
    except exits.Goodbye as goodbye:
        say(f"\n{goodbye}")
        return goodbye.code
    except KeyboardInterrupt:
        say("\n" + _("interrupted"))
        return exits.INTERRUPTED
    except OSError as error:
        _forget_output()
        if not isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
            complain(_("cannot write: {why}").format(why=error.strerror), None)
        return exits.FAILED


def run(arguments: Sequence[str]) -> int:
    """One command line, in the language that is spoken; whatever goes wrong is raised."""
    if not _first_word(arguments) and _at_terminal():
        return _open_menu(arguments)
    parser = build_parser(arguments)
    parsed = parser.parse_args(arguments)
    if not hasattr(parsed, "run"):
        parser.print_help()
        return exits.FINE
    code: int = parsed.run(parsed)
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _at_terminal() -> bool:
    from p2pfruit.ui.terminal import at_terminal

    return at_terminal()


def _open_menu(arguments: Sequence[str]) -> int:
    """Without a single command: none is loaded before somebody chooses it."""
    from p2pfruit.ui.menu.menu import run as run_menu

    parser = Parser(prog="p2pfruit")
    parser.set_defaults(home=None, lang=None)
    return run_menu(parser.parse_args(arguments), run)


def _forget_output() -> None:
    """What could not be written is not tried again when the interpreter ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
