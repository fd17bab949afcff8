"""docs/json.md lists the events that the games really tell: every name, who, and how many data."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from math import inf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.moves import Event
from tests.repository.sources import ROOT

PAGE = (ROOT / "docs/json.md").read_text("utf-8")
EVERY_GAME = "Every game"
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| (.*?) ?\| .* \|$", re.MULTILINE)

# Told in one game of many.
RARE = {"sits_out", "empty", "pile_empty", "pile_short", "stuck", "standstill"}
SEEDS = (0, 1, 6)  # with these, all other events happen


class Row(NamedTuple):
    seat: str
    data: list[str]

    def fits(self, event: Event) -> bool:
        sure = [field for field in self.data if not field.startswith("[")]
        most = inf if any("…" in field for field in self.data) else len(self.data)
        return self.seats(event) and len(sure) <= len(event.data) <= most

    def seats(self, event: Event) -> bool:
        return "null" in self.seat or (event.seat is None) == (self.seat == "-")


@cache
def rows(title: str) -> dict[str, Row]:
    [section] = re.findall(rf"^### {title}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    return {
        what: Row(seat, [field for field in data.split(", ") if field])
        for what, seat, data in ROW.findall(section)
    }


def titled(game: str) -> dict[str, Row]:
    return rows(registry.SHIPPED[game])


# Names, as the rules have them.


def told_by(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(ast.Name("tell"), [what, *_]):
                yield from constants(what)


def constants(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(_, body, orelse):
            yield from constants(body)
            yield from constants(orelse)
        case _:
            raise AssertionError(f"no event is named by {ast.unparse(node)}")


@pytest.mark.parametrize("game", registry.SHIPPED)
def test_the_page_lists_every_event_of_a_game(game: str) -> None:
    paths = (ROOT / "engine" / game).glob("*.py")
    assert set(titled(game)) == {what for path in paths for what in told_by(path)}


def test_the_page_lists_what_every_game_tells() -> None:
    assert set(rows(EVERY_GAME)) == set(told_by(ROOT / "engine/game.py"))


# What is told with them, as it is played.


def played(game: str) -> Iterator[Event]:
    """As shipped with few; with other readings with many; and once left, first by one player."""
    kind = registry.find(game).game
    others = {option.name: option.values[-1] for option in kind.options}
    for seed in SEEDS:
        yield from finished(seated(game, {}, kind.seats[0], seed))
        yield from finished(seated(game, others, kind.seats[-1], seed))
    dealer = seated(game, {}, kind.seats[-1], 0)
    dealer.retire([0])
    dealer.retire(dealer.state.seated[1:])
    yield from finished(dealer)


def seated(game: str, chosen: dict[str, str], seats: int, seed: int) -> Dealer[Any]:
    built = registry.build(game, chosen)
    dealer = Dealer(built, built.start(seats), Random(seed))
    answer(dealer)
    return dealer


def finished(dealer: Dealer[Any]) -> list[Event]:
    while dealer.asked:
        answer(dealer)
    return dealer.events


def answer(dealer: Dealer[Any]) -> None:
    moves = [dealer.view(seat).moves() for seat in dealer.asked]
    dealer.answer([dealer.rng.choice(legal) for legal in moves])


@pytest.mark.parametrize("game", registry.SHIPPED)
def test_events_are_as_the_page_says(game: str) -> None:
    listed = {**rows(EVERY_GAME), **titled(game)}
    events = list(played(game))
    for event in events:
        assert listed[event.what].fits(event), event
    assert set(listed) - {event.what for event in events} <= RARE
    for what, row in listed.items():
        counts = {len(event.data) for event in events if event.what == what}
        if counts and any(field.startswith("[") for field in row.data):
            assert len(counts) > 1, what
