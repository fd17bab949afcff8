"""The stage in a real terminal: prompt_toolkit draws and reads keys, trio runs as its guest.

prompt_toolkit lives on asyncio, everything of ours on trio; both share one thread. What the
terminal says is handed over to trio; what is drawn is computed when prompt_toolkit asks for it.
A first page can be shown before trio is there: to load trio takes as long as to draw a menu.
However it ends (a result, an error, a signal, a terminal that is gone), the screen is put back
first, and what trio's tasks have to put away is put away.
"""

import asyncio
import base64
import contextvars
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from prompt_toolkit.application import Application, in_terminal, run_in_terminal
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

if TYPE_CHECKING:
    import outcome
    import trio
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

from p2pfruit import exits
from p2pfruit.exits import deferred_stderr
from p2pfruit.home.settings import Settings
from p2pfruit.ui.screen import fitness, limits
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.palette import styles
from p2pfruit.ui.screen.styled import Line, Size, filled, plain_lines

Result = TypeVar("Result")

# What prompt_toolkit calls the keys that have another name on a page.
_NAMES = {
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlI: "tab",
    Keys.BackTab: "backtab",
    Keys.ControlH: "backspace",
}
_KEYS = (
    Keys.Up, Keys.Down, Keys.Left, Keys.Right, Keys.Home, Keys.End, Keys.Delete,
    Keys.PageUp, Keys.PageDown, Keys.F1, Keys.F2, Keys.F3, Keys.F4, Keys.F5, Keys.F6, Keys.F7,
    Keys.F8, Keys.F9, Keys.F10, Keys.F11, Keys.F12, Keys.ControlA, Keys.ControlB, Keys.ControlD,
    Keys.ControlE, Keys.ControlF, Keys.ControlK, Keys.ControlL, Keys.ControlN, Keys.ControlP,
    Keys.ControlQ, Keys.ControlR, Keys.ControlT, Keys.ControlU, Keys.ControlW, Keys.ControlX,
    *_NAMES,
)  # fmt: skip

SIGNALS = [signal.SIGINT, signal.SIGTERM]
if hasattr(signal, "SIGHUP"):  # pragma: no branch - there is none on Windows
    SIGNALS.append(signal.SIGHUP)


def run(
    main: Callable[[Stage], Awaitable[Result]], settings: Settings, first: Page | None = None
) -> Result:
    """Run it with a stage on this terminal. Raise KeyboardInterrupt if Ctrl-C ended it; another
    signal ends the program as it always does, once the screen is put back.

    `first` is a picture of the page that main begins with, shown until it does. Keys that are
    pressed meanwhile are for main's own page.
    """
    driver = _Driver(main, settings, first)
    asyncio.run(driver.run())
    if driver.signalled is not None:
        if driver.signalled != signal.SIGINT:
            with _lifted():
                _die_of(driver.signalled)
        raise KeyboardInterrupt
    assert driver.ended is not None
    return cast(Result, exits.unwrapped(driver.ended.unwrap))


def _die_of(number: int) -> None:
    with suppress(OSError, ValueError):  # the reader of our output may be gone
        sys.stdout.flush()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


class _Driver(Generic[Result]):
    def __init__(
        self,
        main: Callable[[Stage], Awaitable[Result]],
        settings: Settings,
        first: Page | None,
    ) -> None:
        self._main = main
        self._first = first
        self._settings = settings
        self._plain = fitness.plain_glyphs(settings)
        self.stage = Stage(Size(limits.COLUMNS_LEAST, limits.LINES_LEAST))
        self._scope: trio.CancelScope | None = None
        self._cancelled = False  # before there was a scope
        self._token: trio.lowlevel.TrioToken | None = None
        self._keys: trio.MemorySendChannel[Callable[[], None]] | None = None
        self._size: Size | None = None  # when a page was last drawn
        self._resized: trio.Event | None = None  # of the next change of that size
        self._early: list[Callable[[], None]] = []  # handed over before trio ran
        self.signalled: int | None = None
        self.ended: outcome.Outcome[Result | None] | None = None
        self._done = asyncio.Event()

    # asyncio's side.

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        self._app = self._make_app()
        self.stage.redraw = self._app.invalidate
        self.stage.ring = self._ring
        self.stage.copy = self._copy
        self.stage.measure = self._measure
        self.stage.wait_resized = self._wait_resized
        self._app.before_render += self._look_for_another_size
        self.stage.aside = self._put_aside
        for number in SIGNALS:
            loop.add_signal_handler(number, self._signal, number)
        if self._first is None:
            self._start_trio()
        else:
            self.stage.put(self._first)
            self._app.after_render += self._first_shown
        try:
            await self._app.run_async(
                pre_run=self._note_context, handle_sigint=False, set_exception_handler=False
            )
        except (EOFError, OSError):  # the terminal is gone
            self._signal(SIGNALS[-1])
        finally:
            self._cancel()
            if self._scope is not None:
                await self._done.wait()

    def _first_shown(self, _app: Application[None]) -> None:
        self._app.after_render -= self._first_shown
        asyncio.get_running_loop().call_soon(self._start_after_first)

    def _start_after_first(self) -> None:
        if self._app.is_running:  # the terminal may be gone again
            self._start_trio()

    def _start_trio(self) -> None:
        import trio

        loop = asyncio.get_running_loop()
        self._scope = trio.CancelScope()
        if self._cancelled:
            self._scope.cancel()
        trio.lowlevel.start_guest_run(
            self._run_trio,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=self._trio_ended,
            host_uses_signal_set_wakeup_fd=True,
        )

    def _make_app(self) -> Application[None]:
        app: Application[None] = Application(
            layout=Layout(Window(_Sheet(self), always_hide_cursor=False)),
            key_bindings=self._bindings(),
            style=Style.from_dict(styles(coloured=fitness.coloured(self._settings))),
            full_screen=True,
            mouse_support=self._settings.mouse,
            input=create_input(sys.stdin),
            output=_Output.from_pty(sys.stdout, term=os.environ.get("TERM")),
            color_depth=None if fitness.coloured(self._settings) else ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
            terminal_size_polling_interval=None,  # a signal tells of another size
        )
        app.ttimeoutlen = limits.ESCAPE_S
        return app

    def _bindings(self) -> KeyBindings:
        """Bind every key to the page, past what prompt_toolkit would make of it."""
        bindings = KeyBindings()
        for key in dict.fromkeys(_KEYS):
            bindings.add(key, eager=True)(self._pressed)
        bindings.add(Keys.Escape, eager=True)(self._escaped)
        bindings.add(Keys.ControlC, eager=True)(lambda _event: self._signal(signal.SIGINT))
        bindings.add(Keys.ControlZ, eager=True)(lambda _event: self._fall_asleep())
        bindings.add(Keys.BracketedPaste, eager=True)(self._pasted)
        bindings.add(Keys.Any)(self._pressed)
        return bindings

    def _pressed(self, event: KeyPressEvent) -> None:
        key = event.key_sequence[-1].key
        name = _NAMES.get(key, key.value) if isinstance(key, Keys) else key
        if not isinstance(key, Keys) and not name.isprintable():
            return
        self.hand_over(lambda: self.stage.press(name))

    def _escaped(self, event: KeyPressEvent) -> None:
        """Hear Escape. An unknown sequence comes as Escape and letters, all at once: it is no
        key."""
        rest = event.app.key_processor.input_queue
        if not rest or rest[0].key not in ("[", "O"):
            self._pressed(event)
            return
        rest.popleft()
        while rest and not "@" <= rest.popleft().key <= "~":
            pass

    def _pasted(self, event: KeyPressEvent) -> None:
        text = event.key_sequence[-1].data.replace("\r\n", "\n").replace("\r", "\n")
        self.hand_over(lambda: self.stage.paste(text))

    def _fall_asleep(self) -> None:
        if not hasattr(signal, "SIGTSTP"):  # pragma: no cover - Windows
            return

        def sleep() -> None:
            with _lifted():
                os.kill(0, signal.SIGTSTP)  # all that were started with us, as a shell would

        run_in_terminal(sleep)

    def _signal(self, number: int) -> None:
        self.signalled = self.signalled or number
        self._cancel()

    def _cancel(self) -> None:
        if self._scope is None:
            self._cancelled = True
        elif self._token is None:
            self._scope.cancel()
        else:
            import trio

            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._scope.cancel)

    def _ring(self) -> None:
        self._app.output.bell()
        self._app.output.flush()

    def _copy(self, text: str) -> None:
        """Copy a text by the sequence that most terminals know, and many forbid."""
        data = base64.b64encode(text.encode()).decode()
        self._app.output.write_raw(f"\x1b]52;c;{data}\x07")
        self._app.output.flush()

    def _measure(self) -> Size:
        return Size(*os.get_terminal_size(sys.stdout.fileno()))

    def _look_for_another_size(self, _app: Application[None]) -> None:
        with suppress(OSError):  # the terminal may be gone
            before, self._size = self._size, self._measure()
            if self._size != before:
                self.hand_over(self._tell_another_size)

    def _tell_another_size(self) -> None:
        import trio

        assert self._resized is not None
        self._resized.set()
        self._resized = trio.Event()

    async def _wait_resized(self) -> None:
        assert self._resized is not None
        await self._resized.wait()

    def _note_context(self) -> None:
        self._context = contextvars.copy_context()

    @asynccontextmanager
    async def _put_aside(self) -> AsyncIterator[None]:
        """Show the terminal as it was before, until this is left."""
        import trio

        hidden, wanted = trio.Event(), asyncio.Event()
        assert self._token is not None
        token = self._token

        async def hide() -> None:
            async with in_terminal():
                with _lifted():
                    token.run_sync_soon(hidden.set)
                    await wanted.wait()

        task = asyncio.get_running_loop().create_task(hide(), context=self._context)
        back = trio.Event()
        task.add_done_callback(lambda _task: token.run_sync_soon(back.set))
        await hidden.wait()
        try:
            yield
        finally:
            wanted.set()
            with trio.CancelScope(shield=True):
                await back.wait()

    def hand_over(self, what: Callable[[], None]) -> None:
        """Have something done among trio's tasks, one after the other."""
        if self._token is None:
            self._early.append(what)
            return
        import trio

        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._send, what)

    def _send(self, what: Callable[[], None]) -> None:
        import trio

        assert self._keys is not None
        with suppress(trio.WouldBlock, trio.BrokenResourceError):
            self._keys.send_nowait(what)

    def _trio_ended(self, ended: "outcome.Outcome[Result | None]") -> None:
        self.ended = ended
        self._done.set()
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    # trio's side.

    async def _run_trio(self) -> Result | None:
        import trio

        assert self._scope is not None
        self._token = trio.lowlevel.current_trio_token()
        self._keys, heard = trio.open_memory_channel[Callable[[], None]](limits.KEYS_MOST)
        self._resized = trio.Event()
        for what in self._early:
            self._send(what)
        result: Result | None = None
        if self._first is not None:
            self.stage.take(self._first)
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._hear, heard)
                result = await self._main(self.stage)
                nursery.cancel_scope.cancel()
        return result

    async def _hear(self, heard: "trio.MemoryReceiveChannel[Callable[[], None]]") -> None:
        async for what in heard:
            what()

    # What is drawn.

    def draw(self, size: Size) -> list[Line]:
        self.stage.resize(size)
        # To the edge: prompt_toolkit takes a click beside a line for one on its last letter.
        lines = [filled(spans, size.columns) for spans in self.stage.draw()]
        return plain_lines(lines) if self._plain else lines


class _Sheet(UIControl):
    """The whole screen."""

    def __init__(self, driver: "_Driver[Result]") -> None:
        self._driver = driver
        self._lines: list[Line] = []

    def is_focusable(self) -> bool:
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        size = Size(width, height)
        self._lines = lines = self._driver.draw(size)
        page = self._driver.stage.page
        at = None if page is None else page.cursor(size)
        return UIContent(
            get_line=lambda number: _fragments(lines[number]),
            line_count=len(lines),
            cursor_position=Point(*at) if at is not None else Point(0, 0),
            show_cursor=at is not None,
        )

    def mouse_handler(self, mouse_event: MouseEvent) -> "NotImplementedOrNone":
        if mouse_event.event_type is MouseEventType.SCROLL_UP:
            self._driver.hand_over(lambda: self._driver.stage.press("up"))
        elif mouse_event.event_type is MouseEventType.SCROLL_DOWN:
            self._driver.hand_over(lambda: self._driver.stage.press("down"))
        elif mouse_event.event_type is MouseEventType.MOUSE_UP:
            key = self._key_at(mouse_event.position.x, mouse_event.position.y)
            if key:
                self._driver.hand_over(lambda: self._driver.stage.press(key))
        return None

    def _key_at(self, column: int, row: int) -> str:
        if row >= len(self._lines):
            return ""
        for span in self._lines[row]:
            # prompt_toolkit counts the letters of a line here, not its columns.
            column -= len(span.text)
            if column < 0:
                return span.key
        return ""


def _fragments(spans: Line) -> StyleAndTextTuples:
    return [
        (" ".join(f"class:{style}" for style in span.style.split()), span.text) for span in spans
    ]


# Between two stages.

_held = False


# Terminals that know these show what lies between them at once; others take no notice.
BEGINS_UPDATE, ENDS_UPDATE = "\x1b[?2026h", "\x1b[?2026l"


class _Output(Vt100_Output):
    """Shows a page at once, not line by line. Leaves the alternate screen alone while the curtain
    holds it."""

    def flush(self) -> None:
        if self._buffer:
            self._buffer = [BEGINS_UPDATE, *self._buffer, ENDS_UPDATE]
        super().flush()

    def enter_alternate_screen(self) -> None:
        if not _held:
            super().enter_alternate_screen()

    def quit_alternate_screen(self) -> None:
        if not _held:
            super().quit_alternate_screen()


def held() -> bool:
    """Return True if another stage follows, so that nothing is to be printed."""
    return _held


@contextmanager
def curtain() -> Iterator[None]:
    """Hold the screen between several stages, without a flash of what lies below."""
    with deferred_stderr():
        _hold()
        try:
            yield
        finally:
            _let_go()


@contextmanager
def _lifted() -> Iterator[None]:
    """Show for a while what lies below the curtain."""
    if not _held:
        yield
        return
    _let_go()
    try:
        yield
    finally:
        _hold()


def _hold() -> None:
    global _held  # noqa: PLW0603 - there is one terminal
    output = _plain_output()
    output.enter_alternate_screen()
    output.flush()
    _held = True


def _let_go() -> None:
    global _held  # noqa: PLW0603 - there is one terminal
    _held = False
    with suppress(OSError):  # the terminal may be gone
        output = _plain_output()
        output.quit_alternate_screen()
        output.show_cursor()
        output.flush()


def _plain_output() -> Vt100_Output:
    return Vt100_Output.from_pty(sys.stdout, term=os.environ.get("TERM"))
