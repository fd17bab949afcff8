"""Arguments that several commands have: which game, by which options and content, which bots."""

import argparse
from pathlib import Path
from typing import Any

from engine import limits, registry
from engine.content import Content, parse_content
from engine.errors import BadContent, SetupError
from engine.game import Game
from p2pfruit.bots import check_level
from p2pfruit.exits import FAILED, USAGE, Refusal
from p2pfruit.language import text as _


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", default="fruitoplay", metavar=_("NAME"), help=_("which game (fruitoplay)")
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar=_("NAME=VALUE"),
        help=_("a reading of the rules, as `p2pfruit games` lists them; may be repeated"),
    )
    parser.add_argument(
        "--content",
        type=Path,
        metavar=_("FILE"),
        help=_("the cards of your own box, as TOML"),
    )


def build_game(arguments: argparse.Namespace) -> Game[Any]:
    """The game that was asked for, or a Refusal that says what can be asked for."""
    content = read_content_file(arguments.content) if arguments.content else None
    try:
        return registry.build(arguments.game, read_options(arguments.option), content)
    except BadContent as error:
        raise _bad_content(arguments.content, error) from None
    except SetupError as error:
        hint = _("p2pfruit games lists what there is")
        raise Refusal(str(error), hint=hint, code=USAGE) from None


def read_options(texts: list[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            hint = _("write --option {name}=VALUE").format(name=name)
            message = _("option {name} has no value").format(name=repr(name))
            raise Refusal(message, hint=hint, code=USAGE)
        if name in options:
            message = _("option {name} is given twice").format(name=repr(name))
            raise Refusal(message, hint=_("give each option once"), code=USAGE)
        options[name] = value
    return options


def read_content_file(path: Path) -> Content:
    try:
        with path.open("rb") as file:
            # One byte too many is enough for the parser to refuse the file.
            text = file.read(limits.CONTENT_BYTES_MOST + 1).decode()
    except OSError as error:
        message = _("cannot read {path}: {why}").format(path=path, why=error.strerror)
        raise Refusal(message, hint=_("name a content file that you can read")) from None
    except UnicodeDecodeError:
        message = _("{path} is not text in UTF-8").format(path=path)
        raise Refusal(message, hint=_("a content file is TOML, in UTF-8")) from None
    try:
        return parse_content(text)
    except BadContent as error:
        raise _bad_content(path, error) from None


def _bad_content(path: Path, error: BadContent) -> Refusal:
    hint = _("nothing was started; mend the file, or leave --content out")
    return Refusal(f"{path}: {error}", hint=hint, code=FAILED)


def read_levels(text: str) -> list[str]:
    """The levels of a comma-separated list of bots."""
    levels = [level.strip() for level in text.split(",")]
    for level in levels:
        check_level(level)
    return levels
