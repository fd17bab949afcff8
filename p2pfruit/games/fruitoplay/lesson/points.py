"""What is said at the end of the round: hands, rotten fruit, points, and what comes next."""

from collections.abc import Iterator

from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import Orchard
from engine.fruitoplay.scoring import points
from engine.views import View
from p2pfruit.games.course import ME, Happening, Remark
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from p2pfruit.games.remarks import place
from p2pfruit.language import text as _


def last_draw(narrator: FruitoplayNarrator, view: View[Orchard]) -> Iterator[Remark]:
    yield Remark(
        "last_draw",
        _(
            "Whoever did not win the last turn may draw once more, without looking. The card may "
            "fill a column, open a small one, or be rotten."
        ),
    )
    totals = narrator.best(view.state, ME, list(view.known.values()))
    yield Remark("as_it_is", _("As it is you score {product}.").format(product=product(totals)))


def laid(narrator: FruitoplayNarrator, happened: Happening[Orchard]) -> Iterator[Remark]:
    drew = any(event.what == "draws" and event.seat == ME for event in happened.events)
    for event in happened.events:
        if event.what == "lays" and event.seat == ME:
            faces = [str(face) for face in event.data]
            if drew:
                yield Remark(
                    "last_card", _("You drew {card}.").format(card=narrator.card(faces[-1]))
                )
            text = _("Your hand joins your columns: {cards}.")
            yield Remark("laid", text.format(cards=narrator.cards(faces)))
    yield from _rotten(narrator, happened.after)


def _rotten(narrator: FruitoplayNarrator, view: View[Orchard]) -> Iterator[Remark]:
    """How it stands with my rotten fruit; whoever is asked hears the rule then."""
    cards = [narrator.game.cards[face] for face in view.state.won[ME]]
    fruits = [card.fruit for card in cards if card.worth == 0]
    if not fruits:
        yield Remark("no_rotten", _("No rotten card lies in your columns: nothing is cancelled."))
        return
    sheet = narrator.game.columns(view.state, ME)
    if sheet.matters():
        return
    victims = {options[0].fruit for options in sheet.victims}
    for fruit in fruits:
        name = narrator.fruit(fruit)
        if fruit in victims:
            text = _("Your rotten {fruit} is cancelled with another card of its column.")
            yield Remark("rotten_settled", text.format(fruit=name))
        else:
            text = _("Your rotten {fruit} lies alone: it only cancels itself.")
            yield Remark("rotten_alone", text.format(fruit=name))


def rotten(narrator: FruitoplayNarrator, view: View[Orchard]) -> Iterator[Remark]:
    """Asked only where the answer changes the points."""
    sheet = narrator.game.columns(view.state, ME)
    for options in sheet.victims:
        yield Remark(
            "choose_victim" if len(options) > 1 else "one_victim",
            _("In your {fruit} column of {total} lies a rotten card.").format(
                fruit=narrator.fruit(options[0].fruit),
                total=sheet.totals[FRUITS.index(options[0].fruit)],
            ),
        )
    yield Remark(
        "victims",
        _(
            "It is cancelled together with one card of its column; a double one is lost whole. "
            "You choose which, and here the choice changes your points."
        ),
    )


def scored(narrator: FruitoplayNarrator, happened: Happening[Orchard]) -> Iterator[Remark]:
    totals = next(
        tuple(int(str(total)) for total in event.data[1:])
        for event in happened.events
        if event.what == "scores" and event.seat == ME
    )
    yield Remark("score", _("You score {product}.").format(product=product(totals)))
    yield from _one_more(narrator, totals)
    yield place(narrator, happened.after)


def _one_more(narrator: FruitoplayNarrator, totals: tuple[int, ...]) -> Iterator[Remark]:
    """What one more fruit in the smallest column would have been worth."""
    smallest = min((total for total in totals if total), default=0)
    if not smallest:
        return
    at = totals.index(smallest)
    more = points((*totals[:at], smallest + 1, *totals[at + 1 :]))
    if more > points(totals):
        text = _("With one more {fruit} it would have been {points}: mind the smallest column.")
        yield Remark("one_more", text.format(fruit=narrator.fruit(FRUITS[at]), points=more))


def farewell() -> Iterator[Remark]:
    yield Remark(
        "rounds",
        _(
            "That was one round; a game has three. In the second and third, whoever has fewest "
            "points names a collective fruit that counts for everybody."
        ),
    )


def product(totals: tuple[int, ...]) -> str:
    """Points as they are made: 4 × 2 = 8."""
    counting = [total for total in totals if total]
    if not counting:
        return "0"
    return f"{max(counting)} × {min(counting)} = {points(totals)}"
