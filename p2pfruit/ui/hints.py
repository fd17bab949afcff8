"""A hint: what the expert would choose, and what the choices are worth to it in points.

Hints are given in games against bots and in lessons, and never at a table with other people.
"""

import time
from random import Random
from typing import Any

from engine.moves import Move
from engine.record import digest
from engine.views import View
from p2pfruit.bots import limits
from p2pfruit.bots.advice import Advice, advise
from p2pfruit.games.presenter import Presenter
from p2pfruit.language import text as _
from p2pfruit.text.figures import decimal


def hint(presenter: Presenter, view: View[Any]) -> list[str]:
    """Return what the expert would choose at this view, and why. It thinks for a moment."""
    end = time.monotonic() + limits.ADVICE_LIMIT_S
    rng = Random(f"hint {digest(view.state).hex()}")
    advice = advise(view.game, view, rng, late=lambda: time.monotonic() >= end)
    labels = {option.move: option.label for option in presenter.options(view)}
    if not advice.weighed:
        return [_("there is only one choice: {label}").format(label=labels[advice.choice])]
    words = _("the expert would choose {label}, worth {points} points")
    said = [words.format(label=labels[advice.choice], points=_points(advice, advice.choice))]
    for told, moves in _sorted(advice).items():
        listed = ", ".join(f"{labels[move]} ({_points(advice, move)})" for move in moves)
        said += [told.format(labels=listed)] if moves else []
    return [_("; ").join(said)]


def _points(advice: Advice, move: Move) -> str:
    return decimal(advice.points(move))


def _sorted(advice: Advice) -> dict[str, list[Move]]:
    """Return the other moves, by what is to be said about them."""
    alike, less = _("about as good: {labels}"), _("less: {labels}")
    more = _("more points, but fewer victories: {labels}")
    found: dict[str, list[Move]] = {alike: [], less: [], more: []}
    for move in advice.moves[1:]:
        difference = advice.difference(move)
        if difference.sure:
            found[less].append(move)
        else:
            found[more if difference.points < -difference.error else alike].append(move)
    return found


def hint_help() -> list[str]:
    return [_("hint   what the expert would choose, and why")]


def no_hints() -> str:
    return _("there are no hints at a table with other people")
