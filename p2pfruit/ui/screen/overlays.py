"""Pages that lie on the table for a while: the end of a round, the boards of all players, the menu,
and a yes or no."""

from collections.abc import Callable, Sequence

from p2pfruit.language import text as _
from p2pfruit.ui.screen import charts, drawing
from p2pfruit.ui.screen.bar import framed
from p2pfruit.ui.screen.boards import boards
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Line, Size, Span, folded, line


class _LaidPage(Page):
    """More about the table than fits on it. The table goes on behind it, and says so."""

    def __init__(self, model: TableModel) -> None:
        super().__init__()
        self._model = model
        self._top = 0

    def rows(self, columns: int, room: int) -> list[Line]:
        raise NotImplementedError

    def press(self, key: str) -> None:
        moves = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in moves:
            self._top = max(0, self._top + moves[key])
        elif key in ("enter", "escape", " ", "q"):
            self.leave()

    def draw(self, size: Size) -> list[Line]:
        room = max(0, size.lines - 2)
        rows = self.rows(size.columns, room)
        self._top = max(0, min(self._top, len(rows) - room))
        shown = rows[self._top : self._top + room]
        asked = self._model.inquiry is not None
        waits = _("the table waits for you") if asked else ""
        keys = [("Enter", _("back to the table"))]
        if len(rows) > room:
            keys.append(("↑↓", _("more")))
        gap: list[Line] = [()] * (room - len(shown))
        return framed([*shown, *gap, line(Span(waits, "strong"))], keys, size)


class ScoringPage(_LaidPage):
    """How the points of a round came about."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(model)
        assert model.reckoning is not None
        self._reckoning = model.reckoning

    def rows(self, columns: int, room: int) -> list[Line]:
        return charts.reckoning(self._reckoning, columns)


class BoardsPage(_LaidPage):
    """The boards of all players as they are now, and what the signs on them mean."""

    def rows(self, columns: int, room: int) -> list[Line]:
        scene = self._model.scene()
        if scene is None or not scene.boards:
            return [line(Span(_("no boards lie on this table"), "dim"))]
        legend = drawing.legend(scene.legend, columns)
        return [*boards(scene.boards, columns, room - len(legend)), (), *legend]

    def press(self, key: str) -> None:
        super().press("escape" if key == "f5" else key)


class ChoicePage(Page):
    """A few ways to go on, one below the other; its result is the number of one, or None."""

    def __init__(self, title: str, words: str, choices: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._words = words
        self._choices = choices
        self._picked = 0

    def press(self, key: str) -> None:
        count = len(self._choices)
        if key in ("up", "left", "backtab"):
            self._picked = (self._picked - 1) % count
        elif key in ("down", "right", "tab"):
            self._picked = (self._picked + 1) % count
        elif key == "enter":
            self.leave(self._picked)
        elif key in ("escape", "q"):
            self.leave(None)
        elif key.isdecimal() and 1 <= int(key) <= count:
            self.leave(int(key) - 1)

    def draw(self, size: Size) -> list[Line]:
        rows: list[Line] = [line(Span(self._title, "title")), ()]
        if self._words:
            rows += [*folded(self._words, size.columns), ()]
        for at, choice in enumerate(self._choices):
            picked = at == self._picked
            text = f" {'▶' if picked else ' '} [{at + 1}] {choice} "
            rows.append(line(Span(text, "cursor" if picked else "", str(at + 1))))
        keys = [("↑↓", _("choose")), ("Enter", _("select")), ("Esc", _("back"))]
        return framed(rows, keys, size)


class Deciding(Page):
    """A choice that acts: each choice has something to do, or nothing."""

    def __init__(self, page: ChoicePage, acts: Sequence[Callable[[], None] | None]) -> None:
        super().__init__()
        self._page = page
        self._acts = acts

    def draw(self, size: Size) -> list[Line]:
        return self._page.draw(size)

    def press(self, key: str) -> None:
        self._page.press(key)
        if self._page.left.is_set():
            self.leave()
            act = None if self._page.result is None else self._acts[self._page.result]
            if act is not None:
                act()


class LinesPage(Page):
    """Lines that may have grown since they were last drawn, such as the story or the links."""

    def __init__(self, title: str, lines: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._up = 0  # how far from the end

    def press(self, key: str) -> None:
        moves = {"up": 1, "down": -1, "pageup": 10, "pagedown": -10, " ": -10}
        if key in moves:
            self._up = max(0, self._up + moves[key])
        elif key == "home":
            self._up = len(self._lines())
        elif key == "end":
            self._up = 0
        elif key in ("escape", "enter", "q", "f2", "f3", "f6"):
            self.leave()

    def draw(self, size: Size) -> list[Line]:
        rows = [row for text in self._lines() for row in folded(text, size.columns, "", "    ")]
        room = max(0, size.lines - 2)
        self._up = max(0, min(self._up, len(rows) - room))
        last = len(rows) - self._up
        shown = rows[max(0, last - room) : last]
        keys = [("↑↓", _("scroll")), ("Esc", _("back"))]
        return framed([line(Span(self._title, "title")), *shown], keys, size)
