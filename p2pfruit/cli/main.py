"""The command line. stdout is for data; all else goes to stderr, lower case, with a hint."""

import os
import sys
from collections.abc import Sequence

from p2pfruit import __version__, exits, language
from p2pfruit.cli.overview import Overview, add_commands
from p2pfruit.cli.parser import Example, Parser
from p2pfruit.exits import complain, say
from p2pfruit.home import settings_file
from p2pfruit.language import text as _


def build_parser() -> Parser:
    parser = Overview(
        prog="p2pfruit",
        description=_("Fruit card games between peers: no server, and nobody to trust."),
        epilog=_(
            "Run `p2pfruit COMMAND --help` for the options of a command. Without a command,"
            " p2pfruit opens a menu."
        ),
        examples=examples(),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"p2pfruit {__version__}",
        help=_("show the version and exit"),
    )
    parser.set_defaults(home=None)
    add_commands(parser)
    return parser


def examples() -> list[Example]:
    return [
        ("p2pfruit learn", _("learn Fruitoplay in five minutes")),
        ("p2pfruit play --game pixies --seats 3", _("play Pixies against two bots")),
        (
            "p2pfruit host --seats 3 --bots normal --internet",
            _("host a table for one friend and a bot, and print the invitation to send"),
        ),
        ("p2pfruit join INVITATION", _("join a friend's table")),
        ("p2pfruit resume", _("continue the game that was interrupted last")),
        ("p2pfruit verify game.fruit", _("check a game file and print what it proves")),
    ]


def _first_word(arguments: Sequence[str]) -> str:
    """Return the first argument that is not --lang, --home or their value; "" if there is none."""
    words = iter(arguments)
    for word in words:
        name, equals, _value = word.partition("=")
        if name not in ("--lang", "--home"):
            return word
        if not equals:
            next(words, "")
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        setting = settings_file.language_of(arguments, os.environ)
        language.use(language.wanted(arguments, os.environ, setting))
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            # A letter that a stream cannot encode is no reason to stop.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
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
        if not isinstance(error, BrokenPipeError):  # the reader of our output has seen enough
            complain(_("cannot write: {why}").format(why=error.strerror), None)
        return exits.FAILED


def run(arguments: Sequence[str]) -> int:
    """Run one command line in the current language and return its exit code."""
    if not _first_word(arguments) and _at_terminal():
        return _open_menu(arguments)
    parser = build_parser()
    parsed = parser.parse(arguments)
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
    """Run the menu. It loads a command only when the player chooses it."""
    from p2pfruit.ui.menu.menu import run as run_menu

    parser = Parser(prog="p2pfruit")
    parser.set_defaults(home=None, lang=None)
    return run_menu(parser.parse_args(arguments), run)


def _forget_output() -> None:
    """Keep the interpreter from writing the rest of the output again when it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
