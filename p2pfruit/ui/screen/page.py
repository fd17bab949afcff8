"""Pages, and the stage on which they are shown.

A page fills the screen and hears the keys. It draws itself from what it knows whenever it is asked,
for any size of the screen, and never waits: `press` changes what it knows and returns. A page that
has its result says so with `leave`, and goes from the stage.

Keys are words: a letter or sign as it was typed ("a", "?"), "enter", "escape", "tab", "backtab",
"backspace", "delete", "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "f1" to
"f12", "c-u" for Ctrl-U. A click is the key of the piece that was clicked.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.styled import Line, Size

if TYPE_CHECKING:
    import trio


class Leaving:
    """The event that a page is left.

    The first page is drawn before trio is loaded, so trio's own event is made for the first waiter.
    """

    def __init__(self) -> None:
        self._happened = False
        self._event: trio.Event | None = None

    def is_set(self) -> bool:
        return self._happened

    def set(self) -> None:
        self._happened = True
        if self._event is not None:
            self._event.set()

    async def wait(self) -> None:
        import trio

        if self._event is None:
            self._event = trio.Event()
        if self._happened:
            self._event.set()
        await self._event.wait()


class Page:
    """`stage` is set while it is shown."""

    stage: "Stage"

    def __init__(self) -> None:
        self.left = Leaving()
        self.result: Any = None

    def draw(self, size: Size) -> Sequence[Line]:
        """Return at most size.lines lines; longer lines are cut."""
        raise NotImplementedError

    def press(self, key: str) -> None:
        """Take a key, in the words above."""

    def paste(self, text: str) -> None:
        """Take text that came at once. Its letters are no keys: a page without a place for it
        ignores it."""

    def cursor(self, size: Size) -> tuple[int, int] | None:
        """Return where the cursor stands, as column and line; None hides it."""
        return None

    def leave(self, result: Any = None) -> None:
        self.result = result
        self.left.set()


class Stage:
    """Shows the page on top. What the terminal does for it a driver sets: `redraw` is called
    whenever something may look different, `ring` is the bell, `copy` puts a text on the clipboard,
    `measure` looks how large the window is, `wait_resized` waits until its size may have changed,
    and `aside` puts the stage away for as long as lines are used."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.pages: list[Page] = []
        self.redraw: Callable[[], None] = lambda: None
        self.ring: Callable[[], None] = lambda: None
        self.copy: Callable[[str], None] = lambda _text: None
        self.measure: Callable[[], Size] = lambda: self.size
        self.wait_resized: Callable[[], Awaitable[None]] = _wait_a_little
        self.aside: Callable[[], AbstractAsyncContextManager[None]] = nullcontext

    @property
    def page(self) -> Page | None:
        return self.pages[-1] if self.pages else None

    async def visit(self, page: Page) -> Any:
        """Show a page until it is left, and return its result."""
        self.put(page)
        try:
            await page.left.wait()
        finally:
            self.take(page)
        return page.result

    def put(self, page: Page) -> None:
        page.stage = self
        self.pages.append(page)
        self.redraw()

    def take(self, page: Page) -> None:
        if page in self.pages:
            self.pages.remove(page)
        self.redraw()

    def clear(self) -> None:
        self.pages.clear()
        self.redraw()

    async def wait_small(self) -> None:
        """Wait until the window has become too small, and stays so for a moment."""
        await self._wait(self.wait_resized, small=True)

    async def wait_large(self) -> None:
        """Wait until it is large enough again. Without a stage no signal tells of its size."""
        await self._wait(_wait_a_little, small=False)

    async def _wait(self, wait_changed: Callable[[], Awaitable[None]], *, small: bool) -> None:
        looks = 0
        while True:
            columns, lines = self.measure()
            is_small = columns < limits.COLUMNS_LEAST or lines < limits.LINES_LEAST
            looks = looks + 1 if is_small == small else 0
            if looks == limits.RESIZED_LOOKS:
                return
            await (_wait_a_little() if looks else wait_changed())

    # What the terminal says.

    def press(self, key: str) -> None:
        if (page := self.page) is not None:
            page.press(key)
            if page.left.is_set():
                self.take(page)
            self.redraw()

    def paste(self, text: str) -> None:
        if (page := self.page) is not None:
            page.paste(text)
            self.redraw()

    def resize(self, size: Size) -> None:
        if size != self.size:
            self.size = size
            self.redraw()

    def draw(self) -> list[Line]:
        page = self.page
        return [] if page is None else list(page.draw(self.size))[: self.size.lines]


async def _wait_a_little() -> None:
    import trio

    await trio.sleep(limits.RESIZED_S)
