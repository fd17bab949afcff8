"""Remarks on what happened in a round, once both players have had their turn."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.frutopia.catalogue import DECK_CHAIRS
from engine.frutopia.island import BEACHES, CELL, Island
from engine.frutopia.state import Islands
from engine.moves import Event
from p2pfruit.games.course import ME, Remark
from p2pfruit.games.frutopia import words
from p2pfruit.games.frutopia.lesson.text import say
from p2pfruit.games.frutopia.narrator import FrutopiaNarrator
from p2pfruit.language import plural

# The events that bring points.
GAINS = ("delivers", "takes", "ices", "shakes")


def told(narrator: FrutopiaNarrator, events: Sequence[Event], state: Islands) -> Iterator[Remark]:
    """Explain both turns, mine first; `state` is the one after them."""
    other = next(at for at, one in enumerate(events) if one.what == "turn" and one.seat != ME)
    yield from _mine(narrator, events[:other], state)
    yield from _theirs(narrator, events[other:], state)
    if any(event.what == "cross" for event in events):
        yield say("cross")


def _mine(narrator: FrutopiaNarrator, events: Sequence[Event], state: Islands) -> Iterator[Remark]:
    if not any(event.what in GAINS for event in events):
        yield say("kept")
    for event in events:
        if event.what == "delivers":
            yield from _delivered(narrator, event, state.islands[ME])
        if event.what == "places" and event.data[1]:
            yield _built(narrator, str(event.data[0]), int(str(event.data[1])))
    yield from _made(events)


def _delivered(narrator: FrutopiaNarrator, event: Event, island: Island) -> Iterator[Remark]:
    cell, _name, points = map(str, event.data)
    yield say("delivered", cell=cell, points=words.points(int(points)))
    [beach] = [beach for beach in BEACHES if CELL[cell] in beach]
    ships = narrator.game.catalogue.ships
    if DECK_CHAIRS in island and not any(island[at] in ships for at in beach):
        yield say("beach")


def _built(narrator: FrutopiaNarrator, name: str, points: int) -> Remark:
    token = words.token(narrator.game, name)
    return say("built", token=token, points=words.points(points))


def _made(events: Sequence[Event]) -> Iterator[Remark]:
    points = [int(str(event.data[1])) for event in events if event.what in ("ices", "shakes")]
    if points:
        yield say("made", points=sum(points))
    whats = [event.what for event in events]
    for first, second in pairwise(whats):
        if first in ("ices", "shakes") and second in ("permit", "cross"):
            yield say("emptied")


def _theirs(
    narrator: FrutopiaNarrator, events: Sequence[Event], state: Islands
) -> Iterator[Remark]:
    seat = next(event.seat for event in events if event.seat is not None)
    name = narrator.name(seat)
    for event in events:
        match event.what, event.data:
            case "takes", [token, *_more]:
                called = words.token(narrator.game, str(token))
                yield say("their_business", name=name, token=called)
                if state.permit:
                    yield marker(state)
            case "delivers", [_cell, _ship, points]:
                yield say("their_ship", name=name, points=words.points(int(str(points))))
            case "passes", _:
                yield say("their_pass", name=name)


def marker(state: Islands) -> Remark:
    return say("step", steps=plural("{count} step", "{count} steps", state.permit))
