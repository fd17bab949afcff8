"""The manual page, written from the parsers: `make manual` puts it into docs/p2pfruit.1.

It is always in English; `python -m p2pfruit.cli.manual` prints it. Commands, options and examples
come from the parsers; this module adds what they do not know: files, variables and exit codes.
"""

import argparse
import re
from collections.abc import Iterator, Sequence

from p2pfruit import __version__, exits, language
from p2pfruit.cli.main import build_parser
from p2pfruit.cli.overview import load_commands
from p2pfruit.cli.parser import Parser
from p2pfruit.home.location import VARIABLE

DESCRIPTION = (
    "Plays fruit card games in the terminal, with friends over TCP or against bots. There is no"
    " server: all players shuffle the deck together and nobody sees it, every player proves that"
    " their moves are legal, and every game becomes a file that anybody can verify.",
    "Without a command, at a terminal, p2pfruit opens a menu. Data goes to standard output,"
    " everything else to standard error. Where the terminal cannot show the full screen, games are"
    " played line by line.",
)

FILES = (
    ("identity", "your secret key, created on first use; never give it to anybody"),
    ("name", "the name that others see"),
    ("settings.toml", "the settings"),
    ("p2pfruit.db", "interrupted tables, games played, and players met"),
    ("games/*.fruit", "the games that ended, each a file that can be verified"),
)

ENVIRONMENT = (
    (VARIABLE, "the home folder (default: the usual place of the platform)"),
    ("LC_ALL, LC_MESSAGES, LANG, LANGUAGE", "the language, unless --lang or a setting names one"),
    ("NO_COLOR", "no colours, if it is not empty"),
    ("TERM", "if the terminal cannot place the cursor (dumb), games are played line by line"),
    ("COLUMNS, LINES", "the size of the terminal, if it does not report its own"),
    ("SHELL", "the shell that completion writes for, unless one is named"),
)

EXIT_STATUS = (
    (exits.FINE, "success"),
    (exits.FAILED, "failure; the message says why"),
    (exits.USAGE, "wrong command line; the hint says how to correct it"),
    (exits.NO_CONNECTION, "no connection: the host cannot be reached"),
    (exits.CHEATED, "a player cheated; the game file is the evidence"),
    (
        exits.ENDED_EARLY,
        "the game ended early: you left, it stopped, it continued without you, or a signature is"
        " missing",
    ),
    (exits.NOT_FINAL, "a game file is not final, or was refused"),
    (exits.CONTRADICTING, "game files of one table contradict each other"),
    (exits.OVER_BUDGET, "verify gave up on a file that takes too much processor time"),
    (exits.INTERRUPTED, "interrupted"),
)

_COMMON = ("help", "lang", "home")  # every command has them; they are listed once


def page() -> str:
    spoken = language.current()
    language.use("en")
    try:
        parser = build_parser()
        load_commands(parser)
        return "\n".join(_page(parser)) + "\n"
    finally:
        language.use(spoken)


def _page(parser: Parser) -> Iterator[str]:
    assert parser.description is not None
    about = parser.description[:1].lower() + parser.description[1:].rstrip(".")
    yield f'.TH P2PFRUIT 1 "" "p2pfruit {__version__}" "User Commands"'
    yield ".SH NAME"
    yield f"p2pfruit \\- {_text(about)}"
    yield ".SH SYNOPSIS"
    yield from _synopsis("p2pfruit", ["[OPTION…]", "COMMAND", "[ARGUMENT…]"])
    yield ".SH DESCRIPTION"
    for paragraph in DESCRIPTION:
        yield from (".PP", _text(paragraph))
    yield ".SH OPTIONS"
    yield from _options(parser, skipped=())
    yield ".SH COMMANDS"
    for name, command in _commands(parser):
        yield from _command([name], command)
    yield from _list("EXIT STATUS", [(str(code), words) for code, words in EXIT_STATUS])
    yield from _list("ENVIRONMENT", ENVIRONMENT)
    yield from _list("FILES", FILES, "In the home folder, which p2pfruit paths prints:")
    yield from _list("EXAMPLES", [(line, words + ".") for line, words in parser.examples])
    yield from (".SH SEE ALSO", _text("p2pfruit COMMAND --help, p2pfruit rules, p2pfruit paths"))


def _command(names: Sequence[str], parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the section of a command, then those of its subcommands."""
    assert parser.description is not None
    below = list(_commands(parser))
    yield f".SS {_text(' '.join(names))}"
    words = [_argument(action) for action in parser._get_positional_actions()]
    options = any(action.dest not in _COMMON for action in _seen_options(parser))
    yield from _synopsis(" ".join(["p2pfruit", *names]), [*["[OPTION…]"] * options, *words])
    yield from (".PP", _text(parser.description[:1].upper() + parser.description[1:] + "."))
    for action in parser._get_positional_actions():
        if action.help and not isinstance(action, argparse._SubParsersAction):
            yield from _item(_argument(action), _help(parser, action))
    yield from _options(parser, skipped=_COMMON)
    for name, command in below:
        yield from _command([*names, name], command)


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _options(parser: argparse.ArgumentParser, skipped: Sequence[str]) -> Iterator[str]:
    for action in _seen_options(parser):
        if action.dest not in skipped:
            words = ", ".join(action.option_strings)
            value = "" if action.nargs == 0 else " " + _argument(action)
            yield from _item(words + value, _help(parser, action))


def _seen_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    found = parser._get_optional_actions()
    return [action for action in found if action.help != argparse.SUPPRESS]


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _argument(action: argparse.Action) -> str:
    """Return the placeholder of a value, in brackets if the value is optional."""
    if action.metavar is None and action.choices is not None:
        name = "|".join(map(str, action.choices))
    else:
        name = str(action.metavar or action.dest.upper())
    many = "…" if action.nargs == "+" else ""
    optional = action.nargs == "?" or isinstance(action, argparse._SubParsersAction)
    return f"[{name}]" if optional else name + many


# Written in the man macros.


def _synopsis(command: str, arguments: Sequence[str]) -> Iterator[str]:
    yield f".B {_text(command)}"
    if arguments:
        yield _text(" ".join(arguments))


def _list(title: str, items: Sequence[tuple[str, str]], before: str = "") -> Iterator[str]:
    yield f".SH {title}"
    if before:
        yield _text(before)
    for term, words in items:
        yield from _item(term, words)


def _item(term: str, words: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(term)}" if " " not in term else f'.B "{_text(term)}"'
    yield _text(words)


def _text(words: str) -> str:
    """Return the words, escaped so that roff takes none of them for a command."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    escaped = escaped.replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    escaped = re.sub(r"[^\x00-\x7f]", lambda found: f"\\[u{ord(found[0]):04X}]", escaped)
    return "\\&" + escaped if escaped.startswith(".") else escaped


if __name__ == "__main__":
    print(page(), end="")
