"""What is said alike in several lessons."""

from typing import Any

from engine.needs import Done
from engine.views import View
from p2pfruit.games.course import ME, Remark
from p2pfruit.games.narrator import Narrator
from p2pfruit.language import text as _


def arranged() -> Remark:
    return Remark(
        "arranged",
        _(
            "The cards of this round were laid ready and the others play by a script. All "
            "else is the real game: every card you can play is allowed, so try what you like."
        ),
    )


def their_void(name: str, card: str, fruit: str) -> Remark:
    """Somebody else did not follow."""
    text = _(
        "{name} played {card} where {fruit} was led: allowed to somebody who has no {fruit}. At a "
        "table with others that is **proved** at once, without showing a card."
    )
    return Remark("their_void", text.format(name=name, card=card, fruit=fruit))


def place(narrator: Narrator, view: View[Any]) -> Remark:
    """How I stand, once the game is over after its only round."""
    need = view.state.need
    assert isinstance(need, Done)
    scores = view.state.scores[-1]
    if need.places[ME] > 1:
        best = need.places.index(1)
        text = _("{name} has more: {points}.")
        return Remark("behind", text.format(name=narrator.name(best), points=scores[best]))
    if need.places.count(1) > 1:
        return Remark("shared", _("Nobody has more, but you are not alone."))
    return Remark("ahead", _("That is more than anybody else has. Well done!"))
