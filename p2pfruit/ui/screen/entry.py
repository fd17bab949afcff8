"""A line of text that a person types.

The cursor stands between letters, and a letter takes its marks with it. A text that is wider than
its place is shown around the cursor, with a sign at each end where more follows. Only printable
letters get in; a text from the clipboard becomes one line. A text that is only proposed gives way
to the first letter typed, and stays if it is edited.
"""

import unicodedata

from p2pfruit import limits
from p2pfruit.text.safe import width
from p2pfruit.ui.screen.styled import Line, Span, cut

MORE = "…"


class Entry:
    def __init__(
        self, text: str = "", most: int = limits.TYPED_LENGTH_MOST, *, proposed: bool = False
    ) -> None:
        self.most = most
        self.text = ""
        self.at = 0
        self.proposed = False
        self.paste(text)
        self.proposed = proposed

    def press(self, key: str) -> bool:
        """Take a key; return True if it meant anything here."""
        if len(key) == 1 and key.isprintable():
            self._insert(key)
            return True
        action = _ACTIONS.get(key)
        if action is not None:
            self.proposed = False
            action(self)
        return action is not None

    def paste(self, text: str) -> None:
        self._insert("".join(" " if letter.isspace() else letter for letter in text.strip("\r\n")))

    def clear(self) -> None:
        self.text, self.at = "", 0

    def draw(self, columns: int) -> Line:
        """Draw the text as far as it fits."""
        first, text = self._window(columns)
        style = "cursor" if self.proposed else "input"
        return (Span(cut(MORE * (first > 0) + text, max(0, columns)), style),)

    def cursor(self, columns: int) -> int:
        """Return the column in which the cursor stands."""
        first, _text = self._window(columns)
        return max(0, min(columns - 1, (first > 0) + width(self.text[first : self.at])))

    def _window(self, columns: int) -> tuple[int, str]:
        """Return where the shown part begins, and the text from there on."""
        room = columns - 1 - (self.at < len(self.text))  # the cursor's own cell, and the sign
        first = 0
        while first < self.at and (first > 0) + width(self.text[first : self.at]) > room:
            first = self._after(first)
        return first, self.text[first:]

    def _insert(self, text: str) -> None:
        if self.proposed:
            self.proposed = False
            self.clear()
        kept = "".join(filter(str.isprintable, text))[: self.most - len(self.text)]
        self.text = self.text[: self.at] + kept + self.text[self.at :]
        self.at += len(kept)

    def _before(self, at: int) -> int:
        at = max(0, at - 1)
        while at > 0 and _is_mark(self.text[at]):
            at -= 1
        return at

    def _after(self, at: int) -> int:
        at = min(len(self.text), at + 1)
        while at < len(self.text) and _is_mark(self.text[at]):
            at += 1
        return at

    def _word(self) -> int:
        """Return where the word before the cursor begins."""
        before = self.text[: self.at].rstrip()
        return before.rfind(" ") + 1

    def _remove(self, first: int, last: int) -> None:
        self.text = self.text[:first] + self.text[last:]
        self.at = first

    # What the keys do.

    def left(self) -> None:
        self.at = self._before(self.at)

    def right(self) -> None:
        self.at = self._after(self.at)

    def home(self) -> None:
        self.at = 0

    def end(self) -> None:
        self.at = len(self.text)

    def rub_out(self) -> None:
        self._remove(self._before(self.at), self.at)

    def delete(self) -> None:
        self._remove(self.at, self._after(self.at))

    def delete_word(self) -> None:
        self._remove(self._word(), self.at)

    def delete_before(self) -> None:
        self._remove(0, self.at)

    def delete_after(self) -> None:
        self._remove(self.at, len(self.text))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


_ACTIONS = {
    "left": Entry.left,
    "right": Entry.right,
    "home": Entry.home,
    "c-a": Entry.home,
    "end": Entry.end,
    "c-e": Entry.end,
    "backspace": Entry.rub_out,
    "delete": Entry.delete,
    "c-w": Entry.delete_word,
    "c-u": Entry.delete_before,
    "c-k": Entry.delete_after,
}
