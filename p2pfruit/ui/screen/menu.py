"""The start menu on the full screen: lists to pick from, notices, the tables of this network."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from p2pfruit import __version__
from p2pfruit.exits import Refusal
from p2pfruit.games.colours import Colour
from p2pfruit.language import text as _
from p2pfruit.text.safe import padded, shown_names, width
from p2pfruit.ui.forms import Answers, Change, Form, Item, Picking, greeting
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.forms import AdjustPage, FormPage, titled
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.styled import Line, Size, Span, beside, folded, line

if TYPE_CHECKING:
    from p2pfruit.net.beacon import Found

# The fruit on the table: a shape and its colour, row by row.
_FRUIT = {
    "◗": Colour.YELLOW,
    "▲": Colour.RED,
    "◆": Colour.BLUE,
    "●": Colour.GREEN,
}
_BOWL = ("     ◗ ▲ ●", "   ● ▲ ◆ ◗ ▲", "  └───────────┘")
_BOWL_COLUMNS = 20
_ART_LINES_LEAST = 18  # below this the list needs the room


class ListPage(Page):
    """One of several items: left with its number, or with None."""

    def __init__(self, picking: Picking) -> None:
        super().__init__()
        self.picking = picking
        self.at = max(0, min(picking.at, len(picking.items) - 1))

    @property
    def items(self) -> Sequence[Item]:
        return self.picking.items

    # Drawing.

    def draw(self, size: Size) -> list[Line]:
        head = self.head(size)
        foot = self.foot(size.columns)
        room = max(1, size.lines - len(head) - len(foot) - 1)
        top = max(0, min(self.at - room // 2, len(self.items) - room))
        rows = [self._row(at) for at in range(top, min(top + room, len(self.items)))]
        lines = [*head, *rows, *[()] * (room - len(rows)), *foot][: max(0, size.lines - 1)]
        lines += [()] * (size.lines - 1 - len(lines))
        return [*lines, key_bar(self.keys(), size.columns)][-size.lines :]

    def head(self, size: Size) -> list[Line]:
        return titled(self.picking.title, size.columns)

    def _row(self, at: int) -> Line:
        key = str(at + 1) if at < 9 else f"item {at}"
        number = Span(f" {key} " if at < 9 else "   ", "key", key)
        label = self.items[at].label
        if at == self.at:
            return line(Span("  ▶", "strong"), number, Span(f" {label} ", "cursor", key))
        return line("   ", number, Span(f" {label} ", "", key))

    def foot(self, columns: int) -> list[Line]:
        about = self.items[self.at].about if self.items else ""
        return [(), *((Span("   "), *spans) for spans in folded(about, max(1, columns - 6), "dim"))]

    def keys(self) -> list[tuple[str, str]]:
        leave = _("quit") if self.picking.top else _("back")
        return [
            ("↑↓", _("choose")),
            ("Enter", _("select")),
            ("Esc", leave),
            ("?", _("help")),
        ]

    # Keys.

    def press(self, key: str) -> None:
        last = len(self.items) - 1
        moves = {
            "up": self.at - 1 if self.at else last,
            "down": self.at + 1 if self.at < last else 0,
            "tab": self.at + 1 if self.at < last else 0,
            "backtab": self.at - 1 if self.at else last,
            "home": 0,
            "end": last,
            "pageup": max(0, self.at - 10),
            "pagedown": min(last, self.at + 10),
        }
        if key in ("escape", "q"):
            self.leave(None)
        elif key == "?":
            self._help()
        elif not self.items:
            return
        elif key in moves:
            self.at = moves[key]
        elif key == "enter":
            self.take(self.at)
        elif key.startswith("item "):
            self.take(int(key.removeprefix("item ")))
        elif key.isascii() and key.isdigit() and 1 <= int(key) <= len(self.items):
            self.take(int(key) - 1)

    def take(self, at: int) -> None:
        self.at = at
        self.leave(at)

    def _help(self) -> None:
        from p2pfruit.ui.screen.rules import HelpPage

        words = [
            ("↑ ↓", _("choose")),
            ("1 … 9", _("select the one with this number")),
            ("Enter", _("select the highlighted one")),
            ("Esc, q", _("go back")),
            ("Ctrl-C", _("leave p2pfruit")),
        ]
        self.stage.put(HelpPage(words, _("Keys of the menu")))


class TopPage(ListPage):
    """The first list: a bowl of fruit, and a greeting."""

    def head(self, size: Size) -> list[Line]:
        hello = greeting(self.picking.title)
        if size.lines < _ART_LINES_LEAST:
            return [line(Span(f" p2pfruit {__version__}", "title"), f"  {hello}"), ()]
        words: list[Line] = [
            line(Span(f"p2pfruit {__version__}", "title")),
            line(Span(_("shuffled by everyone, seen by no one, proved to all"), "dim")),
            line(hello),
        ]
        return [(), *beside([_coloured(row) for row in _BOWL], words, _BOWL_COLUMNS), ()]


def _coloured(row: str) -> Line:
    return tuple(Span(sign, f"suit-{_FRUIT[sign]}" if sign in _FRUIT else "dim") for sign in row)


class NoticePage(Page):
    """Something that must not be missed: any key goes on."""

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def draw(self, size: Size) -> list[Line]:
        columns = max(1, size.columns - 4)
        rows: list[Line] = [(), *folded(self._title, columns, "strong"), ()]
        for text in self._lines:
            rows += folded(text, columns)
        rows = [(Span("  "), *spans) for spans in rows][: max(0, size.lines - 1)]
        rows += [()] * (size.lines - 1 - len(rows))
        return [*rows, key_bar([("Enter", _("continue"))], size.columns)][-size.lines :]

    def press(self, key: str) -> None:
        if key in ("enter", "escape", " ", "q"):
            self.leave()

    def paste(self, text: str) -> None:
        pass


class LanPage(ListPage):
    """The tables that announce themselves, as they are heard of. A table that was not heard of for
    a while is gone; the chosen one stays chosen while others come and go. It is left with one."""

    def __init__(self) -> None:
        from p2pfruit.net.beacon import Tables

        super().__init__(Picking(title=_("Tables on this network"), items=()))
        self._recent, self._before = Tables(), Tables()
        self.found: list[Found] = []
        self.refused: Refusal | None = None

    def heard(self, found: "Found") -> None:
        self._recent.add(found)
        self._sort()

    def forget(self) -> None:
        """Forget the tables that were not heard of since the last call but one."""
        from p2pfruit.net.beacon import Tables

        self._recent, self._before = Tables(), self._recent
        self._sort()

    def _sort(self) -> None:
        chosen = self.found[self.at] if self.found else None
        tables = {_place(found): found for found in (*self._before.all(), *self._recent.all())}
        self.found = [tables[place] for place in sorted(tables)]
        places = [_place(found) for found in self.found]
        if chosen is not None and _place(chosen) in places:
            self.at = places.index(_place(chosen))
        self.at = max(0, min(self.at, len(places) - 1))
        self.picking = Picking(title=self.picking.title, items=tuple(self._items()))

    def _items(self) -> list[Item]:
        names = shown_names([found.announcement.name for found in self.found])
        columns = max(map(width, names), default=0)
        return [
            Item(label=f"{padded(name, columns)}  {_described(found)}", about=_enter_words())
            for name, found in zip(names, self.found, strict=True)
        ]

    def take(self, at: int) -> None:
        self.leave(self.found[at])

    def foot(self, columns: int) -> list[Line]:
        if self.refused is not None:
            words, style = f"✗ {self.refused}; {self.refused.hint}", "bad"
        elif not self.found:
            words, style = _("listening; a host announces a table with --announce"), "dim"
        else:
            return super().foot(columns)
        return [(), *((Span("   "), *spans) for spans in folded(words, max(1, columns - 6), style))]


def _place(found: "Found") -> tuple[str, bytes]:
    return found.host, found.announcement.key_id


def _described(found: "Found") -> str:
    table = found.announcement
    seats = _("{taken} of {seats} seats taken").format(taken=table.taken, seats=table.seats)
    return f"{shown_names([table.game])[0]}  {seats}  {found.address}"


def _enter_words() -> str:
    return _("Enter asks for the code that the screen of the host shows")


class ScreenAsker:
    """Puts questions as pages."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    async def pick(self, picking: Picking) -> int | None:
        page = TopPage(picking) if picking.top else ListPage(picking)
        picked: int | None = await self._stage.visit(page)
        return picked

    async def fill(self, form: Form) -> Answers | None:
        answers: Answers | None = await self._stage.visit(FormPage(form))
        return answers

    async def adjust(self, make: Callable[[], Form], change: Change, at: int) -> int | None:
        row: int | None = await self._stage.visit(AdjustPage(make, change, at))
        return row

    async def tell(self, title: str, lines: Sequence[str]) -> None:
        await self._stage.visit(NoticePage(title, lines))

    async def listen(self) -> "Found | None":
        import trio

        page = LanPage()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._hear, page)
            nursery.start_soon(self._forget, page)
            found: Found | None = await self._stage.visit(page)
            nursery.cancel_scope.cancel()
        return found

    async def _hear(self, page: LanPage) -> None:
        from p2pfruit.net.beacon import listen

        def heard(found: "Found") -> None:
            page.heard(found)
            self._stage.redraw()

        try:
            await listen(heard)
        except Refusal as refusal:
            page.refused = refusal
            self._stage.redraw()

    async def _forget(self, page: LanPage) -> None:
        import trio

        while True:
            await trio.sleep(limits.TABLE_GONE_S)
            page.forget()
            self._stage.redraw()
