"""Remarks on the end of the round: hands, rotten fruit, points, and what comes next."""

from collections.abc import Iterator

from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import Orchard
from engine.fruitoplay.scoring import points
from engine.views import View
from p2pfruit.games.course import ME, Happening, Remark
from p2pfruit.games.fruitoplay.lesson.text import say
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from p2pfruit.games.remarks import place


def last_draw(narrator: FruitoplayNarrator, view: View[Orchard]) -> Iterator[Remark]:
    yield say("last_draw")
    totals = narrator.best(view.state, ME, list(view.known.values()))
    yield say("as_it_is", product=product(totals))


def laid(narrator: FruitoplayNarrator, happened: Happening[Orchard]) -> Iterator[Remark]:
    drew = any(event.what == "draws" and event.seat == ME for event in happened.events)
    for event in happened.events:
        if event.what == "lays" and event.seat == ME:
            faces = [str(face) for face in event.data]
            if drew:
                yield say("last_card", card=narrator.card(faces[-1]))
            yield say("laid", cards=narrator.cards(faces))
    yield from _rotten(narrator, happened.after)


def _rotten(narrator: FruitoplayNarrator, view: View[Orchard]) -> Iterator[Remark]:
    """Say what becomes of my rotten fruit, unless a question about it follows."""
    cards = [narrator.game.cards[face] for face in view.state.won[ME]]
    fruits = [card.fruit for card in cards if card.worth == 0]
    if not fruits:
        yield say("no_rotten")
        return
    sheet = narrator.game.columns(view.state, ME)
    if sheet.matters():
        return
    victims = {options[0].fruit for options in sheet.victims}
    for fruit in fruits:
        name = narrator.fruit(fruit)
        if fruit in victims:
            yield say("rotten_settled", fruit=name)
        else:
            yield say("rotten_alone", fruit=name)


def rotten(narrator: FruitoplayNarrator, view: View[Orchard]) -> Iterator[Remark]:
    """Explain a question that is asked only if the answer changes the points."""
    sheet = narrator.game.columns(view.state, ME)
    for options in sheet.victims:
        fruit = narrator.fruit(options[0].fruit)
        total = sheet.totals[FRUITS.index(options[0].fruit)]
        if len(options) > 1:
            yield say("choose_victim", fruit=fruit, total=total)
        else:
            yield say("one_victim", fruit=fruit, total=total)
    yield say("victims")


def scored(narrator: FruitoplayNarrator, happened: Happening[Orchard]) -> Iterator[Remark]:
    totals = next(
        tuple(int(str(total)) for total in event.data[1:])
        for event in happened.events
        if event.what == "scores" and event.seat == ME
    )
    yield say("score", product=product(totals))
    yield from _one_more(narrator, totals)
    yield place(narrator, happened.after)


def _one_more(narrator: FruitoplayNarrator, totals: tuple[int, ...]) -> Iterator[Remark]:
    """Say how much one more fruit in the smallest column would have been worth."""
    smallest = min((total for total in totals if total), default=0)
    if not smallest:
        return
    at = totals.index(smallest)
    more = points((*totals[:at], smallest + 1, *totals[at + 1 :]))
    if more > points(totals):
        yield say("one_more", fruit=narrator.fruit(FRUITS[at]), points=more)


def farewell() -> Iterator[Remark]:
    yield say("rounds")


def product(totals: tuple[int, ...]) -> str:
    """Return the points with their calculation: 4 × 2 = 8."""
    counting = [total for total in totals if total]
    if not counting:
        return "0"
    return f"{max(counting)} × {min(counting)} = {points(totals)}"
