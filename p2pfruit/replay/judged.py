"""The words of an analysis, for lines, screens and the page for a browser."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.replay.analysis import Analysis, Judged
from p2pfruit.replay.frames import Replay
from p2pfruit.text.figures import decimal
from p2pfruit.text.safe import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What is said of one decision, and the number of the frame that shows it."""

    judged: Judged
    frame: int
    text: str


def headline(found: Analysis, name: str) -> list[str]:
    """Return what is said first: how many decisions, and what the clear ones gave away."""
    lines = [
        plural(
            "{count} decision of {{name}}", "{count} decisions of {{name}}", len(found.judged)
        ).format(name=name)
        + _("; ")
        + _told_clear(found)
    ]
    noise = len(found.worst) - len(found.clear)
    if noise:
        lines.append(
            plural(
                "{count} other choice differs from the expert's by no more than noise",
                "{count} other choices differ from the expert's by no more than noise",
                noise,
            )
        )
    if found.left_out:
        lines.append(
            plural(
                "{count} choice is left out: not all cards of that hand are known here",
                "{count} choices are left out: not all cards of those hands are known here",
                found.left_out,
            )
        )
    return lines


def _told_clear(found: Analysis) -> str:
    if not found.clear:
        return _("none is clearly worse than the expert's")
    clear = plural(
        "{count} is clearly worse than the expert's",
        "{count} are clearly worse than the expert's",
        len(found.clear),
    )
    return _("{clear}: {points} points given away").format(clear=clear, points=decimal(found.lost))


def remarks(replay: Replay, found: Analysis) -> list[Remark]:
    """Return a remark for each decision that differs from the expert's, the worst first."""
    presenter = presenter_for(replay.table.game, replay.seated, found.seat)
    first: dict[int, int] = {}
    for frame in replay.frames():
        first.setdefault(frame.step, frame.number)
    last = len(replay.frames())
    return [
        Remark(
            judged=one,
            frame=first.get(one.decision.step, _after(first, one.decision.step, last)),
            text=_text(one, presenter),
        )
        for one in found.worst
    ]


def _after(first: dict[int, int], step: int, last: int) -> int:
    """Return the next frame, for a step that has none of its own."""
    return min((number for at, number in first.items() if at > step), default=last)


def _text(one: Judged, presenter: Presenter) -> str:
    options = presenter.options(one.decision.view)
    label = {option.move: shown(option.label) for option in options}
    if one.clear:
        words = _(
            "{played} was chosen; the expert would choose {choice}:"
            " {points} points more, give or take {error}"
        )
    else:
        words = _(
            "{played} was chosen, {choice} by the expert: no clear difference"
            " ({points} points, give or take {error})"
        )
    text = words.format(
        played=label.get(one.decision.played, str(one.decision.played)),
        choice=label.get(one.choice, str(one.choice)),
        points=decimal(one.points),
        error=decimal(one.error),
    )
    return text + " " + _("(cut short)") if one.cut else text


def lines(replay: Replay, found: Analysis, *, everything: bool = False) -> list[str]:
    """Return the analysis in lines; those within noise only if `everything` is wanted."""
    told = [one for one in remarks(replay, found) if everything or one.judged.clear]
    return [*headline(found, replay.seated[found.seat]), *_listed(told)]


def _listed(told: Sequence[Remark]) -> list[str]:
    where = _("round {round}, frame {frame}: {text}")
    rows = [
        where.format(round=one.judged.decision.round, frame=one.frame, text=one.text)
        for one in told
    ]
    return ["", *(f"  {row}" for row in rows)] if rows else []
