"""p2pfruit completion: prints a script that completes p2pfruit's commands in a shell.

shtab writes the script from the parsers. This module adds what the parsers do not say: which
arguments are files, and which games, levels and options there are. Tables come and go, so the
script asks the program for them when it needs them.
"""

import argparse
import os
from collections.abc import Iterator

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE
from p2pfruit.language import text as _

SHELLS = ("bash", "zsh", "fish", "tcsh")

_ASK = "p2pfruit completion --tables"

_TABLES = {
    "bash": "_p2pfruit_tables",
    "zsh": "_p2pfruit_tables",
    "fish": f"({_ASK})",
    "tcsh": f"`{_ASK}`",
    "preamble": {
        "bash": f'_p2pfruit_tables() {{ compgen -W "$({_ASK} 2>/dev/null)" -- "$1"; }}',
        "zsh": f"_p2pfruit_tables() {{ compadd -- $({_ASK} 2>/dev/null) }}",
    },
}

# Bash ends a word at `=`, but we do not: --level=greedy, --option name=value. The script joins the
# words again, and does not repeat what stands before the last `=`.
_BASH_EQUALS = r"""
_p2pfruit() {
  local joined=() glue= word at
  for ((at = 0; at <= COMP_CWORD; at++)); do
    word=${COMP_WORDS[at]}
    if [[ $word == "=" && ${joined[${#joined[@]}-1]} == --* ]]; then
      joined+=("")
      glue=1
    elif [[ $word == "=" || -n $glue ]]; then
      joined[${#joined[@]}-1]+=$word
      glue=
      [[ $word == "=" ]] && glue=1
    else
      joined+=("$word")
    fi
  done
  local COMP_WORDS=("${joined[@]}") COMP_CWORD=$((${#joined[@]} - 1))
  _shtab_p2pfruit
  local before=${COMP_WORDS[COMP_CWORD]}
  if [[ $before == *=* && $COMP_WORDBREAKS == *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${before%=*}="}")
  fi
}
complete -o bashdefault -F _p2pfruit p2pfruit
"""


def examples() -> list[Example]:
    return [
        ('eval "$(p2pfruit completion bash)"', _("complete commands in this bash")),
        (
            "p2pfruit completion fish > ~/.config/fish/completions/p2pfruit.fish",
            _("complete commands in every fish"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell",
        nargs="?",
        choices=SHELLS,
        help=_("the shell that will read it (default: the one in $SHELL)"),
    )
    # Only the script itself uses this.
    parser.add_argument("--tables", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    if arguments.tables:
        _print_tables(arguments.home)
    else:
        print(script(arguments.shell or _own_shell()))
    return FINE


def _own_shell() -> str:
    """Return the shell that $SHELL names, or bash."""
    name = os.path.basename(os.environ.get("SHELL", ""))
    return name if name in SHELLS else SHELLS[0]


def _print_tables(home: str | None) -> None:
    """Print the tables that can be resumed, as `resume` takes them."""
    from p2pfruit.home.folder import Home
    from p2pfruit.home.played import ID_DIGITS

    store = Home.find(home, os.environ).look()
    if store is not None:
        with store:
            for table in store.unfinished():
                print(table.id.hex()[:ID_DIGITS])


def script(shell: str) -> str:
    import shtab

    from p2pfruit.cli.main import build_parser
    from p2pfruit.cli.overview import load_commands

    parser = build_parser()
    load_commands(parser)
    for action in _actions(parser):
        _explain(action)
    written: str = shtab.complete(parser, shell)
    return written + _BASH_EQUALS if shell == "bash" else written


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the actions of a parser and of its subcommands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action


def _explain(action: argparse.Action) -> None:
    """Tell shtab how to complete this action. The parser is not used for parsing."""
    from engine import registry
    from p2pfruit.home import settings
    from p2pfruit.levels import TYPED

    if action.metavar == _("FILE"):
        _complete(action, "file")
    elif action.metavar == _("FOLDER"):
        _complete(action, "directory")
    elif action.dest == "table":
        setattr(action, "complete", _TABLES)  # noqa: B010 - an attribute of shtab's
    elif action.dest == "game":
        action.choices = registry.names()
    elif action.dest == "option":
        action.choices = _options()
    elif action.dest == "bots":
        action.choices = TYPED
    elif action.dest == "key":
        action.choices = [key.name for key in settings.KEYS]
    if isinstance(action.metavar, str):  # a colon would end it in zsh
        action.metavar = action.metavar.replace(":", " ")


def _complete(action: argparse.Action, kind: str) -> None:
    import shtab

    setattr(action, "complete", shtab.CHOICE_FUNCTIONS[kind])  # noqa: B010 - an attribute of shtab's


def _options() -> list[str]:
    """Return every NAME=VALUE of every game."""
    from engine import registry

    options = [option for name in registry.names() for option in registry.find(name).game.options]
    return sorted({f"{option.name}={value}" for option in options for value in option.values})
