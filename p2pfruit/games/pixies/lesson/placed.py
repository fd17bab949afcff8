"""Remarks on a card that was placed, on the end of the round and on its points."""

from collections.abc import Iterator

from engine.moves import Event
from engine.needs import Choose, Done, Seat
from engine.pixies import Pixies
from engine.pixies.areas import Area, is_full
from engine.pixies.rules import Meadow
from engine.pixies.scoring import Sheet, reckon
from engine.views import View
from p2pfruit.games.course import ME, Happening, Remark
from p2pfruit.games.pixies.lesson.text import say
from p2pfruit.games.pixies.narrator import PixiesNarrator
from p2pfruit.games.remarks import place

BRUNO: Seat = 1

ROUND = 1  # the only one


def sheet_of(game: Pixies, area: Area) -> Sheet:
    return reckon(area, game.cards, ROUND)


def is_ending(state: Meadow) -> bool:
    """Return True if the round is over, or ends once both have taken equally many cards."""
    return any(map(is_full, state.areas))


# A card of mine.


def left_for_me(narrator: PixiesNarrator, event: Event, before: View[Meadow]) -> Iterator[Remark]:
    need = before.state.need
    assert isinstance(need, Choose)
    if ME not in need.seats:
        yield say("left_for_me", card=narrator.card(str(event.data[0])))


def lies(narrator: PixiesNarrator, event: Event, *, whole: bool) -> Remark:
    """`whole`: with what that means."""
    face, number, _how = event.data
    card = narrator.card(str(face))
    return (
        say("up", card=card, number=number) if whole else say("up.again", card=card, number=number)
    )


def covers(narrator: PixiesNarrator, event: Event) -> Remark:
    face, number, _how = event.data
    return say("over", card=narrator.card(str(face)), number=number)


def kept(narrator: PixiesNarrator, event: Event) -> Remark:
    stays, other, number = event.data
    return say(
        "kept", kept=narrator.card(str(stays)), other=narrator.card(str(other)), number=number
    )


def laid(narrator: PixiesNarrator, event: Event, state: Meadow) -> Remark:
    face, number = event.data
    card = narrator.card(str(face))
    if is_ending(state):
        return say("laid.late", card=card, number=number)
    return say("laid", card=card, number=number)


def zone(narrator: PixiesNarrator, sheet: Sheet, *, whole: bool) -> Remark:
    """`whole`: with what a zone is."""
    assert sheet.colour is not None
    count, colour, worth = len(sheet.zone), narrator.colour(sheet.colour), sheet.worth
    points = count * worth
    if whole:
        return say("zone", count=count, colour=colour, worth=worth, points=points)
    return say("zone.again", count=count, colour=colour, worth=worth, points=points)


def special(narrator: PixiesNarrator, before: Sheet, after: Sheet) -> Iterator[Remark]:
    """Yield a remark on each special card that brings more than before."""
    had = dict(before.stars)
    for colour, spirals in dict(after.stars).items():
        if spirals > had.get(colour, 0):
            yield say("spirals", colour=narrator.colour(colour), spirals=spirals)


# The end of the round.


def ended(narrator: PixiesNarrator, happened: Happening[Meadow]) -> Iterator[Remark]:
    """Yield a remark if a player has just filled nine places, or the round is over."""
    state = happened.after.state
    full = [narrator.name(seat) for seat in state.seated if is_full(state.areas[seat])]
    others = [narrator.name(seat) for seat in state.seated if not is_full(state.areas[seat])]
    if isinstance(state.need, Done):
        yield say("full", names=", ".join(full), count=_cards(state.areas[ME]))
    elif any(event.what == "full" for event in happened.events):
        yield say("nearly", name=full[0], other=others[0])


def _cards(area: Area) -> int:
    return sum(card is not None for both in area for card in both)


def scored(narrator: PixiesNarrator, view: View[Meadow]) -> Iterator[Remark]:
    area = view.state.areas[ME]
    sheet = sheet_of(narrator.game, area)
    yield say(
        "score",
        points=sheet.points,
        validated=sum(sheet.validated),
        symbols=f"{sheet.spirals - sheet.crosses:+}",
        zone=len(sheet.zone) * sheet.worth,
    )
    waiting = [up for up, down in area if up is not None and down is None]
    if waiting:
        yield say("waiting", cards=narrator.cards(waiting))
    yield say("worth")
    yield place(narrator, view)


def farewell() -> Iterator[Remark]:
    yield say("rounds")
    yield say("more")
