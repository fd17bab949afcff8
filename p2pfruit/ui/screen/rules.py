"""Pages to read: rules, rules in short, and help.

They scroll, say where in the text one is, and find words. What was found is marked at the margin.
"""

from collections.abc import Callable, Sequence

from p2pfruit import limits as program_limits
from p2pfruit.games.about import about
from p2pfruit.language import text as _
from p2pfruit.text.safe import padded, width
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.entry import Entry
from p2pfruit.ui.screen.markdown import laid_out, prose
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Line, Size, Span, fitted, folded, line, spread, text_of


class ScrollPage(Page):
    """A text that may be longer than the screen: a title, as much as fits, and the keys."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self.top = 0  # the first line shown
        self.search: Entry | None = None  # what is being typed after /
        self.sought = ""
        self.found: int | None = None  # the line that was found
        self.note = ""
        self._size = Size(limits.COLUMNS_LEAST, limits.LINES_LEAST)  # when it was last drawn

    def body(self, columns: int) -> list[Line]:
        raise NotImplementedError

    def keys(self) -> list[tuple[str, str]]:
        scroll = [("↑↓", _("scroll"))] if self._long() else []
        return [*scroll, ("/", _("search")), ("Esc", _("back"))]

    # Drawing.

    def draw(self, size: Size) -> list[Line]:
        self._size = size
        lines = self._lines()
        room = self._room()
        self.top = self._within(self.top)
        shown = [
            fitted((Span("▶", "target") if at == self.found else Span(" "), *line), size.columns)
            for at, line in enumerate(lines[self.top : self.top + room], self.top)
        ]
        shown += [()] * (room - len(shown))
        place = (Span(self.note or self._place(), "dim"),)
        head = spread((Span(f" {self.title}", "title"),), place, size.columns)
        rule = (Span("─" * size.columns, "dim"),)
        return [fitted(head, size.columns), rule, *shown, self._foot(size.columns)][-size.lines :]

    def _foot(self, columns: int) -> Line:
        if self.search is not None:
            return (Span("/", "key"), *self.search.draw(max(0, columns - 1)))
        return key_bar(self.keys(), columns)

    def _long(self) -> bool:
        return len(self._lines()) > self._room()

    def _place(self) -> str:
        if not self._long():
            return ""
        count = len(self._lines())
        last = min(count, self.top + self._room())
        words = _("lines {first}-{last} of {count}")
        return words.format(first=self.top + 1, last=last, count=count) + " "

    def cursor(self, size: Size) -> tuple[int, int] | None:
        if self.search is None:
            return None
        return 1 + self.search.cursor(max(0, size.columns - 1)), size.lines - 1

    def _lines(self) -> list[Line]:
        return self.body(max(1, min(self._size.columns - 2, limits.READING_COLUMNS_MOST)))

    def _room(self) -> int:
        return max(0, self._size.lines - 3)  # a title, a rule, the keys

    def _within(self, top: int) -> int:
        return max(0, min(top, len(self._lines()) - self._room()))

    # Keys.

    def press(self, key: str) -> None:
        self.note = ""
        if self.search is not None:
            self._type(key)
        elif key in ("escape", "q", "f1"):
            self.leave()
        elif key == "/":
            self.search = Entry(most=program_limits.SHOWN_LENGTH_MOST)
        elif key in ("n", "N") and self.sought:
            self._find(back=key == "N", beyond=True)
        else:
            self._scroll(key)

    def _scroll(self, key: str) -> None:
        page = max(1, self._room() - 1)  # one line stays, to read on from
        steps = {
            "up": -1,
            "k": -1,
            "down": 1,
            "j": 1,
            "pageup": -page,
            "pagedown": page,
            " ": page,
            "home": -len(self._lines()),
            "end": len(self._lines()),
        }
        self.top = self._within(self.top + steps.get(key, 0))

    def _type(self, key: str) -> None:
        assert self.search is not None
        if key == "enter":
            self.sought, self.search = self.search.text.strip(), None
            self.found = None
            if self.sought:
                self._find(back=False, beyond=False)
        elif key == "escape":
            self.search = None
        else:
            self.search.press(key)

    def paste(self, text: str) -> None:
        if self.search is not None:
            self.search.paste(text)

    def _find(self, *, back: bool, beyond: bool) -> None:
        """Search from what is shown, or from what was found last, and round the end."""
        lines = text_of(self._lines()).casefold().split("\n")
        start = self.top if self.found is None else self.found + beyond * (-1 if back else 1)
        order = [(start + step * (-1 if back else 1)) % len(lines) for step in range(len(lines))]
        self.found = next((at for at in order if self.sought.casefold() in lines[at]), None)
        if self.found is None:
            self.note = _("not found: {text}").format(text=self.sought) + " "
        elif not self.top <= self.found < self.top + self._room():
            self.top = self._within(self.found - self._room() // 3)


class ReadingPage(ScrollPage):
    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self.text = text
        self._folded: dict[int, list[Line]] = {}

    def body(self, columns: int) -> list[Line]:
        if columns not in self._folded:
            self._folded = {columns: laid_out(self.text, columns)}
        return self._folded[columns]


class TextPage(ScrollPage):
    """Lines that are made for the width of the screen, such as tables."""

    def __init__(self, title: str, drawn: Callable[[int], Sequence[str]]) -> None:
        super().__init__(title)
        self._drawn = drawn

    def body(self, columns: int) -> list[Line]:
        return [
            row
            for text in self._drawn(columns)
            for row in (folded(text, columns) if width(text) > columns else [line(text)])
        ]


class ShortPage(ReadingPage):
    """The gist of something, from which one gets to all of it."""

    def __init__(self, title: str, text: str, full: Callable[[], Page]) -> None:
        super().__init__(title, text)
        self._full = full

    def keys(self) -> list[tuple[str, str]]:
        return [("Enter", _("all the rules")), *super().keys()]

    def press(self, key: str) -> None:
        if self.search is None and key in ("enter", "right"):
            self.stage.put(self._full())
        else:
            super().press(key)


class HelpPage(ScrollPage):
    """What the keys do: each as it is shown on screen, with words."""

    def __init__(self, keys: Sequence[tuple[str, str]], title: str = "") -> None:
        super().__init__(title or _("keys"))
        self._explained = tuple(keys)

    def body(self, columns: int) -> list[Line]:
        return listed(self._explained, columns)

    def press(self, key: str) -> None:
        if self.search is None and key in ("?", "enter"):
            self.leave()
        else:
            super().press(key)


def listed(pairs: Sequence[tuple[str, str]], most: int) -> list[Line]:
    """Draw keys or commands below each other, and beside each what it is for."""
    widest = max((width(name) for name, _words in pairs), default=0)
    lines: list[Line] = []
    for name, words in pairs:
        first, *rest = prose(words, most - widest - 2)
        lines.append((Span(padded(name, widest), "key"), Span("  "), *first))
        lines += [(Span(" " * (widest + 2)), *line) for line in rest]
    return lines


def rules_page(game: str) -> ReadingPage:
    """Make a page of all the rules of a game."""
    return ReadingPage(*_titled(about(game).rules(), game))


def short_page(game: str) -> ShortPage:
    """Make a page of the rules of a game on one screen, to be read while playing."""
    title, text = _titled(about(game).short(), game)
    return ShortPage(title, text, lambda: rules_page(game))


def _titled(text: str, otherwise: str) -> tuple[str, str]:
    """Return a page without its first heading, which is the title of the screen."""
    heading, _break, rest = text.partition("\n")
    return (heading[2:].strip(), rest) if heading.startswith("# ") else (otherwise, text)
