"""The commands in their groups, each with one line about it, and the help that lists them.

This is the only place that names the commands. It imports none of them: to list them takes a tenth
of the time that it takes to load them. A command is loaded when its own parser is used.
"""

import argparse
import importlib
from collections.abc import Sequence
from typing import Any

from p2pfruit.cli.parser import Parser, heading
from p2pfruit.language import text as _


def groups() -> list[tuple[str, dict[str, str]]]:
    """Return the title of each group, and its commands with their summaries, in this language."""
    return [
        (
            _("play"),
            {
                "play": _("play against bots; without a terminal, the bots play each other"),
                "resume": _("continue an interrupted game"),
                "learn": _("learn a game in five minutes"),
                "rules": _("show the rules of a game"),
                "games": _("list the games, their options and their content"),
            },
        ),
        (
            _("with friends"),
            {
                "host": _("host a table for your friends"),
                "join": _("join somebody's table"),
                "watch": _("watch somebody's table"),
                "lan": _("list the tables announced on the local network"),
                "relay": _("lend this computer's port to tables whose host cannot be reached"),
                "doctor": _("check whether others can reach this computer"),
            },
        ),
        (
            _("look back"),
            {
                "history": _("list the games you played, the newest first"),
                "stats": _("count your games, wins and places, by game and by opponent"),
                "analyse": _("compare your decisions with the expert's, the worst first"),
                "replay": _("replay a game step by step, forward and back"),
                "show": _("print a game move by move"),
                "verify": _("check game files and print what they prove"),
            },
        ),
        (
            _("yourself"),
            {
                "id": _("show your identity, change your name, list the players you have met"),
                "settings": _("show or change the settings"),
                "paths": _("print where your identity, tables and games are stored"),
            },
        ),
        (
            _("tools"),
            {
                "arena": _("let bots play each other and print how often each one wins"),
                "completion": _("print a script that completes commands in your shell"),
            },
        ),
    ]


COMMANDS = tuple(name for _title, commands in groups() for name in commands)


class Overview(Parser):
    """The parser of `p2pfruit` itself: its help lists the commands in groups."""

    def format_help(self) -> str:
        [commands] = [one for one in self._actions if isinstance(one, argparse._SubParsersAction)]
        listed = {command.dest: command for command in commands._get_subactions()}
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for title, names in groups():
            formatter.start_section(heading(title))
            formatter.add_arguments([listed[name] for name in names])
            formatter.end_section()
        formatter.start_section(heading(_("options")))
        formatter.add_arguments(self._get_optional_actions())
        formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help() + self.format_examples()


class CommandParser(Parser):
    """The parser of one command. It knows no options before it has loaded the command."""

    def __init__(self, *, command: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._command = command
        self._loaded = False

    def add_subparsers(self, **arguments: Any) -> Any:
        """The commands below a command are loaded with it."""
        return super().add_subparsers(**{"parser_class": Parser, **arguments})

    def load(self) -> None:
        if self._loaded:
            return
        command = importlib.import_module(f"p2pfruit.cli.commands.{self._command}")
        self.examples = command.examples()
        command.configure(self)
        self.set_defaults(run=command.run)
        self._loaded = True

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        self.load()
        return super().parse_known_args(args, namespace)


def add_commands(parser: Parser) -> None:
    commands = parser.add_subparsers(metavar=_("COMMAND"), parser_class=CommandParser)
    for _title, summaries in groups():
        for name, summary in summaries.items():
            commands.add_parser(name, help=summary, description=summary, command=name)


def load_commands(parser: Parser) -> None:
    """Load every command, for what is written from all parsers."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                command.load()
