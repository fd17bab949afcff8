"""The parser of the command line: argparse with our own words, in the player's language.

argparse looks up each of its texts in the global `argparse._`, which is gettext. This module puts
its own lookup there: it knows the texts that our command line can meet, and returns every other
one as it is.
"""

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from p2pfruit import exits, language
from p2pfruit.language import text as _

NO_BREAK = "\u00a0"

Example = tuple[str, str]  # a command line, and what it does


class Parser(argparse.ArgumentParser):
    """Refuses a bad command line with a message and a hint, and ends its help with examples.

    Options cannot be abbreviated: an abbreviation would change its meaning with every option that
    is added. --lang and --home can stand before and after the name of a command.
    """

    def __init__(self, *, examples: Sequence[Example] = (), **arguments: Any) -> None:
        super().__init__(**arguments, allow_abbrev=False, formatter_class=_Formatter)
        self.examples = examples
        self.register("type", int, _whole_number)
        self.register("type", float, _number)
        self.set_defaults(parser=self)
        # language.wanted has read --lang already; here it is only checked and explained.
        self.add_argument(
            "--lang",
            choices=language.LANGUAGES,
            default=argparse.SUPPRESS,
            help=_("the language to use (default: the language of the locale)"),
        )
        self.add_argument(
            "--home",
            metavar=_("FOLDER"),
            default=argparse.SUPPRESS,
            help=_(
                "the folder of your identity, tables and games"
                " (default: P2PFRUIT_HOME, or the usual place)"
            ),
        )

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the parsed arguments; raise a Refusal if there is one too many."""
        parsed, unknown = self.parse_known_args(arguments)
        if unknown:
            reached: Parser = parsed.parser
            reached.refuse_unknown(unknown[0])
        return parsed

    def is_bare(self, parsed: argparse.Namespace) -> bool:
        """Return True if nothing was given but the command, and perhaps --lang and --home."""
        return all(
            getattr(parsed, action.dest, action.default) == action.default
            for action in self._actions
            if action.default is not argparse.SUPPRESS
        )

    def refuse_unknown(self, argument: str) -> NoReturn:
        if not argument.startswith("-"):
            self.refuse(_("unexpected argument {argument}").format(argument=_quoted(argument)))
        name = argument.partition("=")[0]
        known = [option for option in self._option_string_actions if option.startswith("--")]
        self.refuse(_("unknown option {option}").format(option=_quoted(name)), name, known)

    def refuse(self, message: str, typed: str = "", known: Sequence[str] = ()) -> NoReturn:
        """Raise a Refusal that suggests the nearest known word, or else the help page."""
        near = nearest(typed, known)
        if near is None:
            hint = _("run `{command} --help` for usage").format(command=self.prog)
        else:
            hint = _("did you mean {name}?").format(name=near)
        raise exits.Refusal(message, hint=hint, code=exits.USAGE)

    # What argparse calls.

    def error(self, message: str) -> NoReturn:
        self.refuse(message)

    def format_help(self) -> str:
        return super().format_help() + self.format_examples()

    def format_examples(self) -> str:
        lines = ["", _("examples:")]
        for command, explanation in self.examples:
            lines += [f"  {command}", f"      {explanation}"]
        return "\n".join([*lines, ""]) if self.examples else ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        if isinstance(action, argparse._SubParsersAction):
            message = _("unknown command {command}").format(command=_quoted(value))
        else:
            message = _("{option} must be one of {values}, not {value}").format(
                option="/".join(action.option_strings) or action.metavar or action.dest.upper(),
                values=", ".join(known),
                value=_quoted(value),
            )
        self.refuse(message, value, known)


class _Formatter(argparse.HelpFormatter):
    """Never begins a line with the punctuation that French puts after a space."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return [_loosened(line) for line in super()._split_lines(_bound(text), width)]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return _loosened(super()._fill_text(_bound(text), width, indent))


def _bound(text: str) -> str:
    return re.sub(r" (?=[:;?!])", NO_BREAK, text)


def _loosened(text: str) -> str:
    return text.replace(NO_BREAK, " ")


def heading(title: str) -> str:
    """Return a title to which argparse adds a colon, with the space that a language puts before."""
    return _("{title}:").format(title=title).removesuffix(":")


def nearest(typed: str, known: Sequence[str]) -> str | None:
    """Return the known word that was probably meant: one that begins so, or is spelled alike."""
    from difflib import get_close_matches

    bare = {word.strip("-"): word for word in known}
    typed = typed.strip("-")
    begun = [word for word in bare if typed and word.startswith(typed)]
    found = begun or get_close_matches(typed, bare, n=1)
    return bare[found[0]] if found else None


def _quoted(argument: str) -> str:
    from p2pfruit.text.safe import shortened

    return f"'{shortened(argument)}'"


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = _("{value} is not a whole number").format(value=_quoted(text))
        raise argparse.ArgumentTypeError(message) from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        message = _("{value} is not a number").format(value=_quoted(text))
        raise argparse.ArgumentTypeError(message) from None


# argparse's own texts.


def _in_our_words(message: str) -> str:
    ours = {
        "usage: ": _("usage: "),
        "positional arguments": heading(_("arguments")),
        "options": heading(_("options")),
        "show this help message and exit": _("show this help and exit"),
        "argument %(argument_name)s: %(message)s": _("%(argument_name)s: %(message)s"),
        "expected one argument": _("a value is missing"),
        "expected at most one argument": _("more than one value"),
        "expected at least one argument": _("a value is missing"),
        "the following arguments are required: %s": _("missing argument: %s"),
        "not allowed with argument %s": _("cannot be combined with %s"),
        "ignored explicit argument %r": _("takes no value, but got %r"),
    }
    return ours.get(message, message)


setattr(argparse, "_", _in_our_words)  # noqa: B010 - typeshed does not know this global
