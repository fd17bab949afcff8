"""Forms on the full screen: a row a field, an explanation of the one that is chosen, the keys.

Up and down choose a field, left and right another answer; text is typed into its row. Enter takes
the whole form, from wherever one is, if its check lets it. What the check says of a text is shown
while it is typed.
"""

from collections.abc import Callable, Sequence
from typing import Any

from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import padded, width
from p2pfruit.ui.forms import Change, Field, Filling, Form
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.entry import Entry
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Line, Size, Span, folded, line

_MARGIN = 2
_ROW = "row "  # the key of a click on a row: "row 3"
_VALUE_LEAST = 12  # columns for an answer, before labels are cut


class FormPage(Page):
    def __init__(self, form: Form, at: int = 0) -> None:
        super().__init__()
        self.begin(form)
        self.at = min(at, len(self.filling.fields) - 1)
        self.tried = False  # the player wanted to send it: then it says why not

    def begin(self, form: Form) -> None:
        self.filling = Filling(form)
        self.entries = {
            field.name: Entry(field.start, field.most, proposed=True)
            for field in form.fields
            if field.offered is None
        }

    @property
    def form(self) -> Form:
        return self.filling.form

    @property
    def field(self) -> Field:
        return self.filling.fields[self.at]

    @property
    def entry(self) -> Entry | None:
        """Return the line that is typed into, if the field is text."""
        return self.entries.get(self.field.name)

    # Drawing.

    def draw(self, size: Size) -> list[Line]:
        head = self._head(size.columns)
        foot = self._foot(size.columns)
        room = max(1, size.lines - len(head) - len(foot) - 1)
        rows = self._rows(size.columns)
        top = _top(self.at, len(rows), room)
        lines = [*head, *rows[top : top + room], *foot]
        lines = lines[: max(0, size.lines - 1)]
        lines += [()] * (size.lines - 1 - len(lines))
        return [*lines, key_bar(self.keys(), size.columns)][-size.lines :]

    def _head(self, columns: int) -> list[Line]:
        title = titled(self.form.title, columns)
        if not self.form.intro:
            return title
        return [*title, *_paragraph(self.form.intro, columns), ()]

    def _rows(self, columns: int) -> list[Line]:
        fields = self.filling.fields
        labels = self._label_columns(columns)
        return [
            line(
                Span(" ▶ " if at == self.at else "   ", "strong", f"{_ROW}{at}"),
                Span(
                    padded(field.label, labels) + "  ",
                    "strong" if at == self.at else "",
                    f"{_ROW}{at}",
                ),
                *self._answer(field, at, columns - labels - 5),
            )
            for at, field in enumerate(fields)
        ]

    def _label_columns(self, columns: int) -> int:
        widest = max(width(field.label) for field in self.filling.known)
        return max(0, min(widest, columns - 5 - _VALUE_LEAST))

    def _answer(self, field: Field, at: int, columns: int) -> Sequence[Span]:
        chosen = at == self.at
        if field.name in self.entries:
            return self._text(field, chosen, columns)
        said = self.filling.said(field)
        if field.is_switch:
            box = "[✓]" if self.filling.answers[field.name] else "[ ]"
            key = " " if chosen else f"{_ROW}{at}"
            return [Span(f"{box} {said}", "cursor" if chosen else "", key)]
        if not chosen:
            return [Span(f"  {said}", "", f"{_ROW}{at}")]
        return [Span("◀ ", "key", "left"), Span(said, "cursor"), Span(" ▶", "key", "right")]

    def _text(self, field: Field, chosen: bool, columns: int) -> Sequence[Span]:
        entry = self.entries[field.name]
        if not chosen:
            return [Span(entry.text)]
        drawn = entry.draw(columns)
        left = columns - sum(width(span.text) for span in drawn)
        return [*drawn, Span(" " * left, "input")]

    def _foot(self, columns: int) -> list[Line]:
        lines: list[Line] = [()]
        if about := self.filling.about(self.field):
            lines += [*_paragraph(about, columns, "dim"), ()]
        typed = self.entry is not None and bool(self.entry.text)
        if not (typed or self.tried):
            return lines
        note, refusal = self.filling.verdict()
        if refusal is not None:
            lines += _paragraph(f"✗ {refusal}", columns, "bad")
            return lines + (_paragraph(refusal.hint, columns) if refusal.hint else [])
        return lines + (_paragraph(f"✓ {note}", columns, "good") if note else [])

    def keys(self) -> list[tuple[str, str]]:
        several = [("↑↓", _("choose"))] if len(self.filling.fields) > 1 else []
        turns = [] if self.entry is not None else [("←→", _("change"))]
        return [
            *several,
            *turns,
            ("Enter", self.form.take),
            ("Esc", _("back")),
        ]

    def cursor(self, size: Size) -> tuple[int, int] | None:
        if self.entry is None:
            return None
        labels = self._label_columns(size.columns)
        before = labels + 5
        head = len(self._head(size.columns))
        room = max(1, size.lines - head - len(self._foot(size.columns)) - 1)
        row = head + self.at - _top(self.at, len(self.filling.fields), room)
        column = before + self.entry.cursor(size.columns - before)
        inside = column < size.columns and row < size.lines - 1
        return (column, row) if inside else None

    # Keys.

    def press(self, key: str) -> None:
        if key == "escape":
            self.leave_without()
        elif key == "enter":
            self.take()
        elif key in ("up", "backtab"):
            self.move(self.at - 1)
        elif key in ("down", "tab"):
            self.move(self.at + 1)
        elif key.startswith(_ROW):
            self.move(int(key.removeprefix(_ROW)))
        elif self.entry is not None:
            if self.entry.press(key):
                self.put(self.entry.text)
        else:
            self._turn(key)

    def paste(self, text: str) -> None:
        if self.entry is not None:
            self.entry.paste(text)
            self.put(self.entry.text)

    def _turn(self, key: str) -> None:
        if key in ("right", " "):
            self.put_next(1)
        elif key == "left":
            self.put_next(-1)
        elif key.isascii() and key.isdigit():
            self._pick(key)

    def _pick(self, digit: str) -> None:
        """Take the answer that is called so, else the one with this number."""
        offered = self.filling.offered(self.field)
        values = [value for value, words in offered if words == digit]
        if not values and 1 <= int(digit) <= len(offered):
            values = [offered[int(digit) - 1][0]]
        if values:
            self.put(values[0])

    def put_next(self, by: int) -> None:
        field = self.field
        self.filling.turn(field, by)
        self.changed(field)

    def put(self, answer: Any) -> None:
        field = self.field
        self.filling.put(field, answer)
        self.changed(field)

    def changed(self, field: Field) -> None:
        """Hear of every answer; the fields that follow may be others now."""

    def move(self, to: int) -> None:
        self.at = max(0, min(to, len(self.filling.fields) - 1))

    def take(self) -> None:
        _note, refusal = self.filling.verdict()
        self.tried = True
        if refusal is None:
            self.leave(dict(self.filling.answers))

    def leave_without(self) -> None:
        self.leave(None)


class AdjustPage(FormPage):
    """Every change takes effect at once; a text when its row is left. It is left with the row at
    which the front must be built anew, or with None."""

    def __init__(self, make: Callable[[], Form], change: Change, at: int = 0) -> None:
        super().__init__(make(), at)
        self._make = make
        self._change = change
        self._refused: Refusal | None = None

    def keys(self) -> list[tuple[str, str]]:
        shown = super().keys()
        return [key for key in shown if key[0] != "Enter"]

    def changed(self, field: Field) -> None:
        if field.name not in self.entries:
            self._keep(field)

    def move(self, to: int) -> None:
        if self._keep_text():
            super().move(to)

    def take(self) -> None:
        self.leave_without()

    def leave_without(self) -> None:
        if self._keep_text():
            self.leave(None)

    def _keep_text(self) -> bool:
        """Keep a text; return False if it is refused: then the player stays, and reads why."""
        field = self.field
        if self.entry is None or self.filling.answers[field.name] == field.start:
            return True
        self.tried = True
        if self.filling.verdict()[1] is not None:
            return False
        return self._keep(field)

    def _keep(self, field: Field) -> bool:
        try:
            anew = self._change(field, self.filling.answers[field.name])
            self.begin(self._make())
        except Refusal as refusal:
            self._refused = refusal
            return False
        self._refused, self.tried = None, False
        if anew:
            self.leave(self.at)
        return True

    def _foot(self, columns: int) -> list[Line]:
        lines = super()._foot(columns)
        if self._refused is None:
            return lines
        lines += _paragraph(f"✗ {self._refused}", columns, "bad")
        return lines + (_paragraph(self._refused.hint or "", columns))


def titled(title: str, columns: int) -> list[Line]:
    return [line(Span(f" {title}", "title")), line(Span("─" * columns, "dim"))]


def _top(at: int, count: int, room: int) -> int:
    """Return the first row to show, so that the chosen one is among them."""
    return max(0, min(at - room // 2, count - room))


def _paragraph(text: str, columns: int, style: str = "") -> list[Line]:
    margin = " " * _MARGIN
    return [(Span(margin), *spans) for spans in folded(text, max(1, columns - 2 * _MARGIN), style)]
