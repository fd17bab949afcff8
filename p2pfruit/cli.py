"""The command line. stdout is for data; all else goes to stderr, lower case, with a hint."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from p2pfruit import __version__, exits, language
from p2pfruit.language import text as _

COMMANDS = ("play", "games", "rules", "arena")


class Parser(argparse.ArgumentParser):
    """Says what is wrong in our own voice, and where to read more."""

    def error(self, message: str) -> NoReturn:
        raise exits.Refusal(
            message,
            hint=_("{command} --help lists what can be said").format(command=self.prog),
            code=exits.USAGE,
        )


def build_parser() -> Parser:
    parser = Parser(
        prog="p2pfruit",
        description=_("Fruit card games between peers: no server, and nobody to trust."),
    )
    parser.add_argument("--version", action="version", version=f"p2pfruit {__version__}")
    _add_language(parser, default="en")
    commands = parser.add_subparsers(metavar=_("COMMAND"), parser_class=Parser)
    for name in COMMANDS:
        command = importlib.import_module(f"p2pfruit.commands.{name}")
        summary = command.summary()
        subparser = commands.add_parser(name, help=summary, description=summary)
        _add_language(subparser, default=argparse.SUPPRESS)
        command.configure(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _add_language(parser: argparse.ArgumentParser, default: str) -> None:
    # language.wanted has read it already; here it is only checked and explained.
    parser.add_argument(
        "--lang", choices=language.LANGUAGES, default=default, help=_("the language to speak")
    )


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    language.use(language.wanted(arguments, os.environ))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without our letters is no reason to stop
            stream.reconfigure(errors="replace")
    try:
        return _run(arguments)
    except exits.Refusal as refusal:
        _complain(str(refusal), refusal.hint)
        return refusal.code
    except KeyboardInterrupt:
        _complain(_("interrupted"), None)
        return exits.INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.FAILED


def _run(arguments: Sequence[str]) -> int:
    parser = build_parser()
    parsed = parser.parse_args(arguments)
    if not hasattr(parsed, "run"):
        parser.print_help()
        return exits.FINE
    code: int = parsed.run(parsed)
    sys.stdout.flush()
    return code


def _complain(message: str, hint: str | None) -> None:
    print(_("error: {message}").format(message=message), file=sys.stderr)
    if hint:
        print(_("hint: {hint}").format(hint=hint), file=sys.stderr)
