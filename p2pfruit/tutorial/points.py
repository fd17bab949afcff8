"""What the teacher says at the end of the round, and what comes next."""

from collections.abc import Iterator

from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import Orchard
from engine.fruitoplay.scoring import points
from engine.needs import Done
from engine.views import View
from p2pfruit.language import text as _
from p2pfruit.tutorial.table import ME, Happening
from p2pfruit.tutorial.teacher import Remark, Teacher, product


def last_draw(teacher: Teacher, view: View[Orchard]) -> Iterator[Remark]:
    yield Remark(
        "last_draw",
        _(
            "Whoever did not win the last turn may draw once more, without looking. The card may "
            "fill a column, open a small one, or be rotten."
        ),
    )
    totals = teacher.teller.best(view.state, ME, list(view.known.values()))
    yield Remark("as_it_is", _("As it is you score {product}.").format(product=product(totals)))


def laid(teacher: Teacher, happened: Happening) -> Iterator[Remark]:
    teller = teacher.teller
    drew = any(event.what == "draws" and event.seat == ME for event in happened.events)
    for event in happened.events:
        if event.what == "lays" and event.seat == ME:
            faces = [str(face) for face in event.data]
            if drew:
                yield Remark("last_card", _("You drew {card}.").format(card=teller.card(faces[-1])))
            text = _("Your hand joins your columns: {cards}.")
            yield Remark("laid", text.format(cards=teller.cards(faces)))
    yield from _rotten(teacher, happened.after)


def _rotten(teacher: Teacher, view: View[Orchard]) -> Iterator[Remark]:
    """How it stands with my rotten fruit; whoever is asked hears the rule then."""
    cards = [teacher.game.cards[face] for face in view.state.won[ME]]
    fruits = [card.fruit for card in cards if card.worth == 0]
    if not fruits:
        yield Remark("no_rotten", _("No rotten card lies in your columns: nothing is cancelled."))
        return
    sheet = teacher.game.columns(view.state, ME)
    if sheet.matters():
        return
    victims = {options[0].fruit for options in sheet.victims}
    for fruit in fruits:
        name = teacher.teller.fruit(fruit)
        if fruit in victims:
            text = _("Your rotten {fruit} is cancelled with another card of its column.")
            yield Remark("rotten_settled", text.format(fruit=name))
        else:
            text = _("Your rotten {fruit} lies alone: it only cancels itself.")
            yield Remark("rotten_alone", text.format(fruit=name))


def rotten(teacher: Teacher, view: View[Orchard]) -> Iterator[Remark]:
    """Asked only where the answer changes the points."""
    sheet = teacher.game.columns(view.state, ME)
    for options in sheet.victims:
        yield Remark(
            "choose_victim" if len(options) > 1 else "one_victim",
            _("In your {fruit} column of {total} lies a rotten card.").format(
                fruit=teacher.teller.fruit(options[0].fruit),
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


def scored(teacher: Teacher, happened: Happening) -> Iterator[Remark]:
    totals = next(
        tuple(int(str(total)) for total in event.data[1:])
        for event in happened.events
        if event.what == "scores" and event.seat == ME
    )
    yield Remark("score", _("You score {product}.").format(product=product(totals)))
    yield from _one_more(teacher, totals)
    yield from _place(teacher, happened.after)


def _one_more(teacher: Teacher, totals: tuple[int, ...]) -> Iterator[Remark]:
    """What one more fruit in the smallest column would have been worth."""
    smallest = min((total for total in totals if total), default=0)
    if not smallest:
        return
    at = totals.index(smallest)
    more = points((*totals[:at], smallest + 1, *totals[at + 1 :]))
    if more > points(totals):
        text = _("With one more {fruit} it would have been {points}: mind the smallest column.")
        yield Remark("one_more", text.format(fruit=teacher.teller.fruit(FRUITS[at]), points=more))


def _place(teacher: Teacher, view: View[Orchard]) -> Iterator[Remark]:
    need = view.state.need
    assert isinstance(need, Done)
    scores = view.state.scores[-1]
    if need.places[ME] > 1:
        best = need.places.index(1)
        text = _("{name} has more: {points}.")
        yield Remark("behind", text.format(name=teacher.teller.name(best), points=scores[best]))
    elif need.places.count(1) > 1:
        yield Remark("shared", _("Nobody has more, but you are not alone."))
    else:
        yield Remark("ahead", _("That is more than anybody else has. Well done!"))


def farewell() -> Iterator[Remark]:
    yield Remark(
        "rounds",
        _(
            "That was one round; a game has three. In the second and third, whoever has fewest "
            "points names a collective fruit that counts for everybody."
        ),
    )
    yield Remark("next", _("What you can do now:"))


def next_steps() -> list[tuple[str, str]]:
    """Commands, and what they are for."""
    return [
        ("p2pfruit play --level greedy", _("a whole game against bots that do not think far")),
        ("p2pfruit play", _("the same against the best bots")),
        ("p2pfruit host", _("a table for your friends")),
        ("p2pfruit rules", _("all the rules, and where they can be read in two ways")),
    ]
