"""What is said of a round of Frutopia's lesson, when the other has had a turn as well."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.frutopia.catalogue import DECK_CHAIRS
from engine.frutopia.island import BEACHES, CELL, Island
from engine.frutopia.state import Islands
from engine.moves import Event
from p2pfruit.games.course import ME, Remark
from p2pfruit.games.frutopia import words
from p2pfruit.games.frutopia.narrator import FrutopiaNarrator
from p2pfruit.language import plural
from p2pfruit.language import text as _

# What brings points.
GAINS = ("delivers", "takes", "ices", "shakes")


def told(narrator: FrutopiaNarrator, events: Sequence[Event], state: Islands) -> Iterator[Remark]:
    """Both turns, mine first; `state` is how they ended."""
    other = next(at for at, one in enumerate(events) if one.what == "turn" and one.seat != ME)
    yield from _mine(narrator, events[:other], state)
    yield from _theirs(narrator, events[other:], state)
    if any(event.what == "cross" for event in events):
        text = _("The permit marker reached the cross, so this round was the last.")
        yield Remark("cross", text)


def _mine(narrator: FrutopiaNarrator, events: Sequence[Event], state: Islands) -> Iterator[Remark]:
    if not any(event.what in GAINS for event in events):
        text = _(
            "You spent nothing in this turn. Fruits only count once they are spent: on ships, on "
            "businesses, on ice."
        )
        yield Remark("kept", text)
    for event in events:
        if event.what == "delivers":
            yield from _delivered(narrator, event, state.islands[ME])
        if event.what == "places" and event.data[1]:
            yield _built(narrator, str(event.data[0]), int(str(event.data[1])))
    yield from _made(events)


def _delivered(narrator: FrutopiaNarrator, event: Event, island: Island) -> Iterator[Remark]:
    cell, _name, points = map(str, event.data)
    text = _(
        "Your ship at {cell} brought {points} and left. Its cell is free: tokens slide over it, "
        "and businesses can stand on it."
    )
    yield Remark("delivered", text.format(cell=cell, points=words.points(int(points))))
    [beach] = [beach for beach in BEACHES if CELL[cell] in beach]
    ships = narrator.game.catalogue.ships
    if DECK_CHAIRS in island and not any(island[at] in ships for at in beach):
        text = _(
            "It was the last one on its **beach**. Your **deck chairs**, a shop, bring 4 points "
            "for each beach without ships when the game ends."
        )
        yield Remark("beach", text)


def _built(narrator: FrutopiaNarrator, name: str, points: int) -> Remark:
    text = _("It stands ({token}): {points} at once. A building never moves again.")
    token = words.token(narrator.game, name)
    return Remark("built", text.format(token=token, points=words.points(points)))


def _made(events: Sequence[Event]) -> Iterator[Remark]:
    points = [int(str(event.data[1])) for event in events if event.what in ("ices", "shakes")]
    if points:
        text = _("Your cart made points: {points} in this turn.")
        yield Remark("made", text.format(points=sum(points)))
    whats = [event.what for event in events]
    for first, second in pairwise(whats):
        if first in ("ices", "shakes") and second in ("permit", "cross"):
            text = _("You took the last marker of a pile, so the permit marker moved.")
            yield Remark("emptied", text)


def _theirs(
    narrator: FrutopiaNarrator, events: Sequence[Event], state: Islands
) -> Iterator[Remark]:
    seat = next(event.seat for event in events if event.seat is not None)
    name = narrator.name(seat)
    for event in events:
        match event.what, event.data:
            case "takes", [token, *_more]:
                text = _("{name} has taken a business: {token}.")
                told = text.format(name=name, token=words.token(narrator.game, str(token)))
                yield Remark("their_business", told)
                if state.permit:
                    yield marker(state)
            case "delivers", [_cell, _ship, points]:
                text = _("{name} has delivered a ship: {points}.")
                told = text.format(name=name, points=words.points(int(str(points))))
                yield Remark("their_ship", told)
            case "passes", _:
                yield Remark("their_pass", _("{name} has kept all fruits.").format(name=name))


def marker(state: Islands) -> Remark:
    text = plural(
        "The permit marker has moved and is {count} step from the cross now.",
        "The permit marker has moved and is {count} steps from the cross now.",
        state.permit,
    )
    return Remark("step", text)
