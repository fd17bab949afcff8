"""What the teacher of Pixies says of a card that was placed, of the end of the round and of its
points."""

from collections.abc import Iterator

from engine.moves import Event
from engine.needs import Choose, Done, Seat
from engine.pixies import Pixies
from engine.pixies.areas import Area, is_full
from engine.pixies.rules import Meadow
from engine.pixies.scoring import Sheet, reckon
from engine.views import View
from p2pfruit.games.course import ME, Happening, Remark
from p2pfruit.games.pixies.narrator import PixiesNarrator
from p2pfruit.games.remarks import place
from p2pfruit.language import text as _

BRUNO: Seat = 1

ROUND = 1  # the only one


def sheet_of(game: Pixies, area: Area) -> Sheet:
    return reckon(area, game.cards, ROUND)


def is_ending(state: Meadow) -> bool:
    """Whether the round ends once both have taken equally many cards, or is over."""
    return any(map(is_full, state.areas))


# A card of mine.


def left_for_me(narrator: PixiesNarrator, event: Event, before: View[Meadow]) -> Iterator[Remark]:
    need = before.state.need
    assert isinstance(need, Choose)
    if ME not in need.seats:
        text = _("The last card of the turn was left for you: {card}.")
        yield Remark("left_for_me", text.format(card=narrator.card(str(event.data[0]))))


def lies(narrator: PixiesNarrator, event: Event, *, whole: bool) -> Remark:
    """`whole`: with what that means."""
    face, number, _how = event.data
    if whole:
        text = _(
            "Face up on place {number}: {card}. Its colour and symbols count from now on, its "
            "number only once it is validated."
        )
    else:
        text = _("Face up on place {number}, not validated yet: {card}.")
    return Remark("up", text.format(card=narrator.card(str(face)), number=number))


def covers(narrator: PixiesNarrator, event: Event) -> Remark:
    face, number, _how = event.data
    text = _(
        "On place {number} it covers the card that lay face down: {card} is validated at once and "
        "brings {number}."
    )
    return Remark("over", text.format(card=narrator.card(str(face)), number=number))


def kept(narrator: PixiesNarrator, event: Event) -> Remark:
    stays, other, number = event.data
    text = _(
        "Validated: {kept}. It brings {number}. Beneath it lies {other}; nothing more can come to "
        "place {number}."
    )
    names = {"kept": narrator.card(str(stays)), "other": narrator.card(str(other))}
    return Remark("kept", text.format(number=number, **names))


def laid(narrator: PixiesNarrator, event: Event, state: Meadow) -> Remark:
    face, number = event.data
    if is_ending(state):
        text = _("Face down on place {number}: {card}. It counts nothing.")
    else:
        text = _(
            "Face down on place {number}: {card}. It counts nothing itself, but the next {number} "
            "that comes to you is validated at once."
        )
    return Remark("laid", text.format(card=narrator.card(str(face)), number=number))


def zone(narrator: PixiesNarrator, sheet: Sheet, *, whole: bool) -> Remark:
    """`whole`: with what a zone is."""
    assert sheet.colour is not None
    if whole:
        text = _(
            "A zone: {count} cards of one colour ({colour}) that touch **along their sides**. Only "
            "your largest counts, {worth} points a card in this round: {count} x {worth} = "
            "{points}."
        )
    else:
        text = _("Your largest zone: {count} cards ({colour}), {count} x {worth} = {points}.")
    count = len(sheet.zone)
    return Remark(
        "zone",
        text.format(
            count=count,
            colour=narrator.colour(sheet.colour),
            worth=sheet.worth,
            points=count * sheet.worth,
        ),
    )


def special(narrator: PixiesNarrator, before: Sheet, after: Sheet) -> Iterator[Remark]:
    """Of special cards that bring more than before."""
    had = dict(before.stars)
    for colour, spirals in dict(after.stars).items():
        if spirals > had.get(colour, 0):
            text = _("Spirals that your special card brings now ({colour}): {spirals}.")
            told = text.format(colour=narrator.colour(colour), spirals=spirals)
            yield Remark("spirals", told)


# The end of the round.


def ended(narrator: PixiesNarrator, happened: Happening[Meadow]) -> Iterator[Remark]:
    """Where somebody has just filled nine places, or the round is over."""
    state = happened.after.state
    full = [narrator.name(seat) for seat in state.seated if is_full(state.areas[seat])]
    others = [narrator.name(seat) for seat in state.seated if not is_full(state.areas[seat])]
    if isinstance(state.need, Done):
        text = _(
            "All nine places are filled: {names}. Both of you have taken {count} cards, equally "
            "many: so the round is over."
        )
        told = text.format(names=", ".join(full), count=_cards(state.areas[ME]))
        yield Remark("full", told)
    elif any(event.what == "full" for event in happened.events):
        text = _(
            "All nine places are filled: {name}. One more card for {other}, so that both have had "
            "equally many; then the round is over."
        )
        yield Remark("nearly", text.format(name=full[0], other=others[0]))


def _cards(area: Area) -> int:
    return sum(card is not None for both in area for card in both)


def scored(narrator: PixiesNarrator, view: View[Meadow]) -> Iterator[Remark]:
    area = view.state.areas[ME]
    sheet = sheet_of(narrator.game, area)
    yield Remark(
        "score",
        _(
            "You score {points}: {validated} for validated cards, {symbols} for symbols, {zone} "
            "for your largest zone."
        ).format(
            points=sheet.points,
            validated=sum(sheet.validated),
            symbols=f"{sheet.spirals - sheet.crosses:+}",
            zone=len(sheet.zone) * sheet.worth,
        ),
    )
    waiting = [up for up, down in area if up is not None and down is None]
    if waiting:
        text = _("Face up but not validated, so without their number: {cards}.")
        yield Remark("waiting", text.format(cards=narrator.cards(waiting)))
    yield Remark(
        "worth",
        _("A card of the zone brings 2 points in round 1, 3 in round 2 and 4 in round 3."),
    )
    yield place(narrator, view)


def farewell() -> Iterator[Remark]:
    yield Remark(
        "rounds",
        _(
            "That was one round. A game has three, and their points are added. For each all cards "
            "are shuffled anew, and whoever played last begins."
        ),
    )
    yield Remark(
        "more",
        _(
            "With three to five players as many cards are turned up as there are players, and "
            "everybody takes one. The round ends with the turn in which somebody fills nine places."
        ),
    )
