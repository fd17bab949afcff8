"""p2pfruit games: what can be played, with which options, and whose numbers are on the cards."""

import argparse

from engine import registry
from p2pfruit.exits import FINE
from p2pfruit.games.about import about
from p2pfruit.language import text as _


def summary() -> str:
    return _("list the games, their options and their content")


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(_arguments: argparse.Namespace) -> int:
    for name in registry.names():
        for line in _describe(name):
            print(line)
    return FINE


def _describe(name: str) -> list[str]:
    entry = registry.find(name)
    content = entry.content()
    seats = entry.game.seats
    words = about(name)
    lines = [
        _("{name}: {least} to {most} players").format(name=name, least=seats[0], most=seats[-1]),
        f"  {words.summary()}",
    ]
    for option in entry.game.options:
        lines.append(f"  --option {option.name}=")
        for value in option.values:
            default = " " + _("(default)") if value == option.default else ""
            lines.append(f"      {value}{default}: {words.option(option.name, value)}")
    verified = _("as published") if content.verified else _("NOT as published")
    lines.append(
        "  " + _("content: {title}, {verified}").format(title=content.title, verified=verified)
    )
    if not content.verified:
        lines.append(f"    {words.content_note()}")
        lines.append("    " + _("--content FILE takes the cards of your own box"))
    return lines
