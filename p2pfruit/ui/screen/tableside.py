"""A table on the full screen, and what lies around it: help, rules, story, points, the ranking.

A source fills its TableModel: the peers, or the dealer.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

import trio

from p2pfruit.exits import Goodbye
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.final import FinalPage
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.screen.overlays import BoardsPage, LinesPage, ScoringPage
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.rules import HelpPage, short_page
from p2pfruit.ui.screen.table import TablePage

Result = TypeVar("Result")
Words = dict[str, Callable[[str], Sequence[str]]]
Pages = dict[str, Callable[[], Page]]


class Source(Protocol):
    """Plays a table and fills its model. The rest is what this source has beside others: pages by
    the key that opens each, words that can be typed, and help about both."""

    @property
    def model(self) -> TableModel: ...

    def pages(self) -> Pages: ...

    def words(self) -> Words: ...

    def help(self) -> Sequence[tuple[str, str]]: ...


class TableSide:
    """Runs the page of a table on a stage."""

    def __init__(self, source: Source, stage: Stage) -> None:
        self._source = source
        self._stage = stage
        self._goodbye: Goodbye | None = None
        self._left = trio.Event()

    async def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        """Run a table to its end, or until the player leaves early."""
        model, stage = self._source.model, self._stage
        model.changed, model.ring = stage.redraw, stage.ring
        async with trio.open_nursery() as nursery:
            nursery.start_soon(model.turn_up)
            nursery.start_soon(model.give_hints)
            nursery.start_soon(show_rounds, model, stage)
            nursery.start_soon(self._leave_early)
            result = await main()
            nursery.cancel_scope.cancel()
        return result

    def lay(self) -> None:
        """Put the table on the stage, in the place of all that was there."""
        source, stage = self._source, self._stage
        pages = {**pages_for(source.model, source.help()), **source.pages()}
        stage.clear()
        stage.put(TablePage(source.model, {**source.words(), **words_for(stage, pages)}, pages))

    def leave(self, goodbye: Goodbye) -> None:
        """End the run before the game is over."""
        self._goodbye = goodbye
        self._left.set()

    async def _leave_early(self) -> None:
        await self._left.wait()
        assert self._goodbye is not None
        raise self._goodbye

    async def finish(
        self, page: FinalPage, left: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Show the ranking, once the points of the last round were read, until it is left."""
        await rounds_seen(self._source.model, self._stage)
        self._stage.clear()
        self._stage.put(page)
        await (page.left.wait if left is None else left)()


def pages_for(model: TableModel, more_help: Sequence[tuple[str, str]] = ()) -> Pages:
    """Return the pages that every table has, by the key that opens each."""
    return {
        "f1": lambda: short_page(model.game),
        "f2": lambda: LinesPage(_("what happened"), lambda: model.story),
        "f4": lambda: score_page(model),
        "f5": lambda: BoardsPage(model),
        "f6": lambda: hint_page(model),
        "?": lambda: help_page(model.settings, more_help),
    }


def words_for(stage: Stage, pages: Pages) -> Words:
    """Return the words of the line mode that open a page here."""
    named = {
        "f1": ("rules", "regles", "règles", "short", "bref"),
        "f2": ("story", "recit", "récit"),
        "f3": ("who", "qui", "links", "liens", "invite", "inviter"),
        "f4": ("score", "points"),
        "f5": ("boards", "plateaux"),
        "f6": ("hint", "conseil"),
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
        ("F5", _("all boards in full, and what the symbols on them mean")),
        ("F6", _("a hint, if the table has no other people: what the expert would choose")),
        ("Esc", _("a menu: leave for now, or for good")),
        ("Ctrl-Z", _("suspend the program; fg brings it back")),
    ]
    signs = [
        ("✓ …", _("has chosen; is being waited for")),
        ("● ○", _("connected to you; reached through others only")),
        ("★ ✗", _("wins; does not count, or is gone")),
        ("▒▒", _("a closed card")),
        ("☠ ×2 +1", _("rotten; counts twice; the collective fruit adds so much")),
    ]
    return HelpPage([*keys, *more, *signs], _("keys, words and symbols at the table"))


def score_page(model: TableModel) -> Page:
    if model.reckoning is None:
        title = _("how the last round was scored")
        return LinesPage(title, lambda: [_("no round has ended so far")])
    return ScoringPage(model)


def hint_page(model: TableModel) -> Page:
    model.want_hint()
    return LinesPage(_("hint"), lambda: model.hint)


async def show_rounds(model: TableModel, stage: Stage) -> None:
    """Lay the end of each round on the table, when its last reveal was seen; never return."""
    while True:
        await model.round_ended.wait()
        model.round_ended = trio.Event()
        if model.settings.motion:
            await trio.sleep(limits.CLOSED_S + 2 * limits.OPEN_S)
        stage.put(ScoringPage(model))
        model.moment = None  # of a round that is over
        model.laid.set()
        model.let_go()


async def rounds_seen(model: TableModel, stage: Stage) -> None:
    """Wait until nothing lies on the table that wants to be read first."""
    await model.laid.wait()
    for page in list(stage.pages):
        if isinstance(page, ScoringPage):
            await page.left.wait()
