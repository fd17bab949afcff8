"""What lies around every table on the screen, whoever runs it: help, rules, story, and the end of a
round."""

from collections.abc import Callable, Sequence

import trio

from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.screen.overlays import BoardsPage, LinesPage, ScoringPage
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.rules import HelpPage, short_page

Words = dict[str, Callable[[str], Sequence[str]]]
Pages = dict[str, Callable[[], Page]]


def pages_for(model: TableModel, more_help: Sequence[tuple[str, str]] = ()) -> Pages:
    """By the key that opens each."""
    return {
        "f1": lambda: short_page(model.game),
        "f2": lambda: LinesPage(_("what happened"), lambda: model.story),
        "f4": lambda: score_page(model),
        "f5": lambda: BoardsPage(model),
        "?": lambda: help_page(model.settings, more_help),
    }


def words_for(stage: Stage, pages: Pages) -> Words:
    """The words of the line mode that open a page here."""
    named = {
        "f1": ("rules", "regles", "règles", "short", "bref"),
        "f2": ("story", "recit", "récit"),
        "f3": ("who", "qui", "links", "liens"),
        "f4": ("score", "points"),
        "f5": ("boards", "plateaux"),
        "?": ("h", "help", "aide"),
        "escape": ("q", "quit", "quitter"),
    }

    def opening(key: str) -> Callable[[str], Sequence[str]]:
        def open_page(_rest: str) -> Sequence[str]:
            stage.put(pages[key]())
            return ()

        return open_page

    return {word: opening(key) for key, words in named.items() if key in pages for word in words}


def help_page(settings: Settings, more: Sequence[tuple[str, str]]) -> Page:
    number = (
        _("pick the card with this number")
        if settings.confirm
        else _("play the card with this number")
    )
    keys = [
        ("← → ↑ ↓", _("pick a card or an answer")),
        ("1 … 9", number),
        ("Enter", _("play what is picked; what was sent cannot be taken back")),
        (_("letters"), _("type a card by its name, as fig 11, or one of the words below")),
        ("F1", _("the rules in short")),
        ("F2", _("what happened so far")),
        ("F4", _("how the last round was scored")),
        ("F5", _("everybody's boards in full, and what the signs on them mean")),
        ("Esc", _("a menu: leave for now, or for good")),
        ("Ctrl-Z", _("put the program to sleep; fg wakes it up")),
    ]
    signs = [
        ("✓ …", _("has chosen; is being waited for")),
        ("● ○", _("linked to you; reached through others only")),
        ("★ ✗", _("wins; does not count, or is gone")),
        ("▒▒", _("a closed card")),
        ("☠ ×2 +1", _("rotten; counts twice; the collective fruit adds so much")),
    ]
    return HelpPage([*keys, *more, *signs], _("keys, words and signs at the table"))


def score_page(model: TableModel) -> Page:
    if model.reckoning is None:
        title = _("how the last round was scored")
        return LinesPage(title, lambda: [_("no round has ended so far")])
    return ScoringPage(model)


async def show_rounds(model: TableModel, stage: Stage) -> None:
    """Lays the end of each round on the table, when its last reveal was seen; never returns."""
    while True:
        await model.score_lines.wait()
        model.score_lines = trio.Event()
        if model.settings.motion:
            await trio.sleep(limits.CLOSED_S + 2 * limits.OPEN_S)
        stage.put(ScoringPage(model))
        model.moment = None  # of a round that is over
        model.laid.set()
        model.let_go()


async def rounds_seen(model: TableModel, stage: Stage) -> None:
    """Until nothing lies on the table that wants to be read first."""
    await model.laid.wait()
    for page in list(stage.pages):
        if isinstance(page, ScoringPage):
            await page.left.wait()
