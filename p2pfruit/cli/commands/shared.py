"""Reads the arguments that several commands share: the game, its options and content, the bots."""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from engine import limits, registry
from engine.content import Content, Option, parse_content
from engine.errors import BadContent, BadPackage, UnknownGame
from engine.game import Game
from engine.packages import Entry
from p2pfruit.bots import check_level
from p2pfruit.exits import FAILED, USAGE, Refusal
from p2pfruit.games import parts
from p2pfruit.language import text as _
from p2pfruit.levels import level_of
from p2pfruit.text.safe import shown_path


def build_game(arguments: argparse.Namespace) -> Game[Any]:
    """Return the chosen game, or raise a Refusal that lists the choices."""
    find_game(arguments.game)
    options = read_options(arguments.option)
    content = None
    if arguments.content is not None:
        content = read_content_file(arguments.content)
    try:
        _check_options(arguments.game, registry.options(arguments.game, content), options)
        return registry.build(arguments.game, options, content)
    except BadContent as error:
        raise _bad_content(arguments.content, error) from None
    except BadPackage as fault:
        raise _bad_package(fault) from None


def find_game(name: str) -> Entry:
    try:
        return registry.find(name)
    except UnknownGame:
        message = _("there is no game {name}; the games are: {names}").format(
            name=repr(name), names=", ".join(registry.names())
        )
        hint = _("`p2pfruit games` lists the games and their options")
        near = get_close_matches(name, registry.names(), n=1)
        if near:
            hint = _("did you mean {name}?").format(name=near[0])
        raise Refusal(message, hint=hint, code=USAGE) from None
    except BadPackage as fault:
        raise _bad_package(fault) from None


def _bad_package(fault: BadPackage) -> Refusal:
    message, hint = parts.fault_words(fault)
    return Refusal(message, hint=hint, code=FAILED)


def check_seats(game: Game[Any], seats: int, hint: str) -> None:
    if seats not in game.seats:
        message = _("{game} is for {least} to {most} players, not {seats}").format(
            game=game.name, least=game.seats[0], most=game.seats[-1], seats=seats
        )
        raise Refusal(message, hint=hint, code=USAGE)


def _check_options(game: str, known: Sequence[Option], options: dict[str, str]) -> None:
    offered = {option.name: option.values for option in known}
    for name, value in options.items():
        if name not in offered:
            message = _("{game} has no option {name}; its options are: {names}").format(
                game=game, name=repr(name), names=", ".join(offered) or _("none")
            )
        elif value not in offered[name]:
            message = _("option {name} must be one of {values}, not {value}").format(
                name=name, value=repr(value), values=", ".join(offered[name])
            )
        else:
            continue
        hint = _("`p2pfruit games` lists the games and their options")
        raise Refusal(message, hint=hint, code=USAGE)


def read_options(texts: list[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            hint = _("write it as --option NAME=VALUE")
            message = _("option {name} has no value").format(name=repr(name))
            raise Refusal(message, hint=hint, code=USAGE)
        if name in options:
            message = _("option {name} is given twice").format(name=repr(name))
            raise Refusal(message, hint=_("give each option once"), code=USAGE)
        options[name] = value
    return options


def content_text(arguments: argparse.Namespace) -> str:
    """Return the content file as a roster has it: "" for the one that is shipped."""
    return "" if arguments.content is None else _read_text(arguments.content)


def read_content_file(path: str) -> Content:
    try:
        return parse_content(_read_text(path))
    except BadContent as error:
        raise _bad_content(path, error) from None


def _read_text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            # One byte too many is enough for the parser to refuse the file.
            return file.read(limits.CONTENT_BYTES_MOST + 1).decode("utf-8-sig")
    except OSError as error:
        message = _("cannot read {path}: {why}").format(path=shown_path(path), why=error.strerror)
        raise Refusal(message, hint=_("choose a content file that you can read")) from None
    except UnicodeDecodeError:
        message = _("{path} is not text in UTF-8").format(path=shown_path(path))
        raise Refusal(message, hint=_("a content file is TOML, in UTF-8")) from None


def _bad_content(path: str, error: BadContent) -> Refusal:
    hint = _("no game was started; fix the file, or leave out --content")
    return Refusal(f"{shown_path(path)}: {error}", hint=hint, code=FAILED)


def read_levels(text: str) -> list[str]:
    """Return the levels in a comma-separated list of bots."""
    levels = [level_of(level.strip()) for level in text.split(",")]
    for level in levels:
        check_level(level)
    return levels
