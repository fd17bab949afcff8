"""The manual page, written from the parsers: `make manual` puts it into docs/p2pfruit.1.

It is English, and `python -m p2pfruit.cli.manual` prints it. Commands and options come from the
command line itself; what no parser knows (files, variables, examples) stands here.
"""

import argparse
import re
from collections.abc import Iterator, Sequence

from p2pfruit import __version__, exits, language
from p2pfruit.cli.main import build_parser
from p2pfruit.home.location import VARIABLE

DESCRIPTION = (
    "Plays fruit card games in the terminal, with friends over TCP or against bots. There is no"
    " server: the deck is shuffled by everyone and seen by no one, every claim that a peer makes is"
    " proved, and every game is a file that anybody can check.",
    "Without a command and at a terminal, p2pfruit opens a menu. Data goes to standard output,"
    " everything else to standard error. Where the terminal cannot show the full screen, games are"
    " played in lines.",
)

FILES = (
    ("identity", "the secret key, made on first use; never hand it out"),
    ("name", "what you go by"),
    ("settings.toml", "the settings"),
    ("p2pfruit.db", "tables that go on, games that were played, and whom you met"),
    ("games/*.fruit", "the games that ended, each a file that can be verified"),
)

ENVIRONMENT = (
    (VARIABLE, "the home; without it the platform's usual place"),
    ("LC_ALL, LC_MESSAGES, LANG, LANGUAGE", "the language, unless --lang or a setting names one"),
    ("NO_COLOR", "no colours, if it is not empty"),
    ("TERM", "a terminal that cannot place the cursor (dumb) is played at in lines"),
    ("COLUMNS, LINES", "the size of the terminal, where it does not say it itself"),
    ("SHELL", "the shell that completion writes for, unless one is named"),
)

EXIT_STATUS = (
    (exits.FINE, "fine"),
    (exits.FAILED, "failed; the message says why"),
    (exits.USAGE, "the command line is wrong; the hint says what would be right"),
    (exits.NO_CONNECTION, "no connection: the host cannot be reached"),
    (exits.CHEATED, "a player cheated; the game file is the evidence"),
    (exits.ENDED_EARLY, "the table ended early: you left, or it stopped, or went on without you"),
    (exits.NOT_FINAL, "a game file is not final, or refused"),
    (exits.INTERRUPTED, "interrupted"),
)

EXAMPLES = (
    ("p2pfruit play", "plays against three bots."),
    (
        "p2pfruit host --seats 3 --bots greedy --public",
        "opens a table for one friend and a bot, and prints the invitation to send.",
    ),
    ("p2pfruit join INVITATION", "takes a seat at a friend's table."),
    ("p2pfruit resume", "goes on with the table that was interrupted last."),
    ("p2pfruit verify game.fruit", "checks a game and says what it proves."),
    ('eval "$(p2pfruit completion)"', "completes commands in this shell, if it is bash or zsh."),
)

_COMMON = ("help", "lang", "home")  # of every command, and said once


def page() -> str:
    spoken = language.current()
    language.use("en")
    try:
        return "\n".join(_page(build_parser())) + "\n"
    finally:
        language.use(spoken)


def _page(parser: argparse.ArgumentParser) -> Iterator[str]:
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
    yield from _list("FILES", FILES, "In the home, which p2pfruit paths names:")
    yield from _list("EXAMPLES", EXAMPLES)
    yield from (".SH SEE ALSO", _text("p2pfruit COMMAND --help, p2pfruit rules, p2pfruit paths"))


def _command(names: Sequence[str], parser: argparse.ArgumentParser) -> Iterator[str]:
    """One command, then those below it."""
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
    """What stands for the value; in brackets if it may be missing."""
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
    """Words that roff does not take for its own."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    escaped = escaped.replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    escaped = re.sub(r"[^\x00-\x7f]", lambda found: f"\\[u{ord(found[0]):04X}]", escaped)
    return "\\&" + escaped if escaped.startswith(".") else escaped


if __name__ == "__main__":
    print(page(), end="")
