"""The keys that can be pressed, in the last line of every page."""

from collections.abc import Sequence

from p2pfruit.language import text as _
from p2pfruit.ui.screen.styled import Line, Size, Span, columns, filled

# Names on the screen and the keys that a click on them presses; others are their own name.
_PRESSED = {
    "Enter": "enter",
    "Esc": "escape",
    "Tab": "tab",
    "Space": " ",
    "Home": "home",
    "End": "end",
}


def _called(key: str) -> str:
    """Return the name of a key on the keyboards of the player's language."""
    names = {
        "Enter": _("Enter"),
        "Esc": _("Esc"),
        "Space": _("Space"),
        "Home": _("Home"),
        "End": _("End"),
    }
    return names.get(key, key)


def key_bar(keys: Sequence[tuple[str, str]], most: int) -> Line:
    """Draw the keys that matter most first; what does not fit is left out whole."""
    spans: list[Span] = []
    for name, means in keys:
        pressed = _PRESSED.get(name, name.lower())
        key = [Span(f" {_called(name)} ", "key bar", pressed), Span(f"{means} ", "bar", pressed)]
        if columns((*spans, *key)) <= most:
            spans += key
    return filled(tuple(spans), most, "bar")


def framed(rows: Sequence[Line], keys: Sequence[tuple[str, str]], size: Size) -> list[Line]:
    """Draw a page of these rows, as far as they fit, with the keys in its last line."""
    room = max(0, size.lines - 1)
    shown = list(rows[:room])
    gap: list[Line] = [()] * (room - len(shown))
    return [*shown, *gap, key_bar(keys, size.columns)][-size.lines :]
