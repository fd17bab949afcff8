"""Tables of games as line mode shows them."""

from typing import Any

from engine.needs import Choose
from engine.views import View
from p2pfruit.games.narrator import Narrator
from p2pfruit.games.presenter import presenter_for
from p2pfruit.ui.lines.scene import scene_lines


def table_lines(narrator: Narrator, view: View[Any]) -> list[str]:
    """Return the table before the question, if one is asked of this seat."""
    presenter = presenter_for(narrator.game, narrator.names, narrator.me)
    need = view.state.need
    asked = isinstance(need, Choose) and view.seat in need.seats
    return scene_lines(presenter.asked(view), presenter.options(view) if asked else ())
