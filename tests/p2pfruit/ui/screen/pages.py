"""Pages by hand: what they show, and keys that are pressed on them."""

from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Size, text_of

WHOLE = Size(80, 24)


def shown(page: Page, size: Size = WHOLE) -> str:
    return text_of(page.draw(size))


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.press(key)
