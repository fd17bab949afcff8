"""p2pfruit games: lists the games, their options and their authors."""

import argparse
from collections.abc import Iterator

from engine import registry
from engine.content import Content, Option
from p2pfruit import limits
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, complain
from p2pfruit.games import parts
from p2pfruit.games.about import About, about
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown


def examples() -> list[Example]:
    return [
        ("p2pfruit games", _("list the games")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(_arguments: argparse.Namespace) -> int:
    for name in registry.names():
        for line in _describe(name):
            print(shown(line))
    for fault in registry.faults():
        complain(*parts.fault_words(fault))
    return FINE


def _describe(name: str) -> list[str]:
    entry = registry.find(name)
    seats = entry.game.seats
    words = about(name)
    lines = [
        _("{name}: {least} to {most} players").format(
            name=parts.titled(name), least=seats[0], most=seats[-1]
        )
    ]
    lines += [f"  {told}" for told in (words.summary(), words.length(), words.credit()) if told]
    for option in entry.game.options:
        lines.append(f"  --option {option.name}=")
        lines += [f"      {told}" for told in _values(option, words)]
    return [*lines, *_content(entry.content(), words)]


def _values(option: Option, words: About) -> Iterator[str]:
    """Yield each value with its meaning; explain only the first of many similar ones."""
    others = [value for value in option.values if value != option.default]
    told = others if len(option.values) <= limits.VALUES_EXPLAINED_MOST else others[:1]
    meant = _("{value}: {meaning}")
    default = option.default + " " + _("(default)")
    yield meant.format(value=default, meaning=words.option(option.name, option.default))
    for value in told:
        yield meant.format(value=value, meaning=words.option(option.name, value))
    if len(told) < len(others):
        yield _("likewise: {values}").format(values=", ".join(others[len(told) :]))


def _content(content: Content, words: About) -> Iterator[str]:
    verified = _("as published") if content.verified else _("NOT as published")
    yield "  " + _("content: {title}, {verified}").format(title=content.title, verified=verified)
    if note := words.content_note():
        yield f"    {note}"
    if not content.verified:
        yield "    " + _("use --content FILE to play with the cards of your own box")
