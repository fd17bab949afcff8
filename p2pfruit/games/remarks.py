"""Remarks that several lessons share; their words are in lesson.<language>.md beside this file."""

from typing import Any

from engine.needs import Done, Seat
from engine.views import View
from p2pfruit.games.course import ME, Remark
from p2pfruit.games.lesson_text import LessonText
from p2pfruit.games.narrator import Narrator
from p2pfruit.language import text as _

TEXT = LessonText("p2pfruit.games")
say = TEXT.say


def arranged() -> Remark:
    """Explain that cards and opponents were prepared."""
    return say("arranged")


def their_void(name: str, card: str, fruit: str) -> Remark:
    """Explain why another player did not follow."""
    return say("their_void", name=name, card=card, fruit=fruit)


def place(narrator: Narrator, view: View[Any]) -> Remark:
    """Compare the learner's points with the others', once a game of one round is over."""
    need = view.state.need
    assert isinstance(need, Done)
    scores = view.state.scores[-1]
    if need.places[ME] > 1:
        best = need.places.index(1)
        return say("behind", name=narrator.name(best), points=scores[best])
    return say("shared") if need.places.count(1) > 1 else say("ahead")


def whose(narrator: Narrator, seat: Seat, card: str) -> str:
    """Return a card with its owner, for use in a remark."""
    if seat == ME:
        return _("your {card}").format(card=card)
    return _("{name}'s {card}").format(name=narrator.name(seat), card=card)
