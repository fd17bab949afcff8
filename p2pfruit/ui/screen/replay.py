"""A replay on the whole screen: frame by frame, forward and back.

What does not fit is reached by scrolling. It plays by itself only when it is asked to, and never
where motion is switched off; any key stops it.
"""

from collections.abc import Callable

import trio

from p2pfruit.language import text as _
from p2pfruit.replay.analyst import Analyst
from p2pfruit.replay.frames import Frame, Replay
from p2pfruit.replay.judged import Remark, headline, remarks
from p2pfruit.text.safe import width
from p2pfruit.ui.lines.replay import Cursor, never_opened
from p2pfruit.ui.screen import charts, drawing, limits
from p2pfruit.ui.screen.analysis import AnalysisPage, Findings
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.boards import boards
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.styled import Line, Size, Span, fitted, folded, spread

# Keys that are named on the screen in another way than they are pressed.
_SAME = {
    "←": "left",
    "→": "right",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "[": "pageup",
    "]": "pagedown",
}

_LAST_BEAT = 2  # of a reveal: who wins, and why


class ReplayPage(Page):
    """`analyst` analyses the decisions of one player, when that is asked for."""

    def __init__(self, replay: Replay, *, motion: bool, analyst: Analyst | None = None) -> None:
        super().__init__()
        self.replay = replay
        self._analyst = analyst
        self._remarks: dict[int, list[Remark]] = {}  # by frame, once it was analysed
        self._findings = Findings()
        self.place = Cursor(replay.frames())
        self.hands = True
        self.typed: str | None = None  # the number of a frame, while it is typed
        self.playing: trio.Event | None = None  # set: it plays by itself
        self._motion = motion
        self._asked = trio.Event()
        self._top = 0
        self._hidden = 0  # lines below what is shown
        self._acts: dict[str, Callable[[], None]] = {
            "left": lambda: self._step(-1),
            "right": lambda: self._step(1),
            "pageup": self.place.round_back,
            "pagedown": self.place.round_forward,
            "home": lambda: self.place.go(0),
            "end": lambda: self.place.go(len(self.place.frames) - 1),
        }

    async def shown_on(self, stage: Stage) -> None:
        """Show the replay until it is left."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.play)
            if self._analyst is not None:
                nursery.start_soon(self._analyse, self._analyst)
            await stage.visit(self)
            nursery.cancel_scope.cancel()

    # Keys.

    def press(self, key: str) -> None:
        key = _SAME.get(key, key)
        was_playing, self.playing = self.playing is not None, None
        if self.typed is not None or (key.isdecimal() and key.isascii()):
            self._type(key)
        elif key in self._acts:
            self._acts[key]()
            self._top = 0
        elif key in ("up", "down"):
            self._scroll(-1 if key == "up" else 1)
        elif key == " " and not was_playing:
            self._begin_playing()
        else:
            self._open(key)

    def _open(self, key: str) -> None:
        match key:
            case "h":
                self.hands = not self.hands
            case "g":
                self.typed = ""
            case "a" if self._analyst is not None:
                self._findings.wanted.set()
                self.stage.put(AnalysisPage(self._findings, self._go_to))
            case "?":
                self.stage.put(_help_page())
            case "f1":
                from p2pfruit.ui.screen.rules import short_page

                self.stage.put(short_page(self.replay.table.game.name))
            case "escape" | "q":
                self.leave()

    async def _analyse(self, analyst: Analyst) -> None:
        """Analyse the game in a thread, once the player wants to see it."""
        known = self._findings
        await known.wanted.wait()

        def progress(done: int, count: int) -> None:
            words = _("the expert thinks: decision {done} of {count}")
            known.lines = [words.format(done=done + 1, count=count)]
            trio.from_thread.run_sync(self.stage.redraw)

        found = await trio.to_thread.run_sync(analyst.analyse, progress, abandon_on_cancel=True)
        known.lines = headline(found, self.replay.seated[found.seat])
        known.remarks = remarks(self.replay, found)
        for one in known.remarks:
            self._remarks.setdefault(one.frame, []).append(one)
        self.stage.redraw()

    def _go_to(self, frame: int) -> None:
        self.place.go(frame - 1)
        self._top = 0

    def _step(self, by: int) -> None:
        self.place.step(by)

    def _scroll(self, by: int) -> None:
        self._top = max(0, self._top + min(by, self._hidden))

    def _type(self, key: str) -> None:
        typed = self.typed or ""
        if key.isdecimal() and key.isascii() and len(typed) < limits.FRAME_DIGITS_MOST:
            self.typed = typed + key
        elif key == "backspace":
            self.typed = typed[:-1]
        elif key in ("enter", "escape"):
            if key == "enter" and typed:
                self.place.go(int(typed) - 1)
                self._top = 0
            self.typed = None

    # Playing by itself.

    def _begin_playing(self) -> None:
        if not self._motion:
            self._step(1)
        elif not self.place.at_end:
            self.playing = trio.Event()
            self._asked.set()

    async def play(self) -> None:
        """Show frame after frame while the player wants it; never return."""
        while True:
            await self._asked.wait()
            self._asked = trio.Event()
            playing = self.playing
            while playing is not None and not self.place.at_end:
                await trio.sleep(limits.FRAME_S)
                if self.playing is not playing:
                    break
                self._step(1)
                self._top = 0
                self.stage.redraw()
            else:
                self.playing = None
                self.stage.redraw()

    # Drawing.

    def draw(self, size: Size) -> list[Line]:
        columns, frame = size.columns, self.place.frame
        room = max(0, size.lines - 4)  # where one is, how far that is, the verdict, the keys
        body = self._body(frame, columns, room)
        self._top = max(0, min(self._top, len(body) - room))
        self._hidden = max(0, len(body) - room - self._top)
        shown = body[self._top : self._top + room]
        gap: list[Line] = [()] * (room - len(shown))
        lines = [
            spread(drawing.title(frame.scene, columns), self._where(), columns),
            self._progress(columns),
            *shown,
            *gap,
            self._verdict(columns),
            key_bar(self._keys(), columns),
        ]
        return [fitted(line, columns) for line in lines[-size.lines :]]

    def _where(self) -> Line:
        if self.typed is not None:
            words = _("go to frame: {number}").format(number=self.typed)
            return (Span(f"{words}_ ", "input"),)
        sign = "▶ " if self.playing is not None else ""
        return (Span(f"{sign}{self.place.words()} ", "strong"),)

    def _progress(self, columns: int) -> Line:
        before = (columns - 1) * self.place.at // max(1, len(self.place.frames) - 1)
        return (Span("─" * before + "●" + "·" * (columns - 1 - before), "dim"),)

    def _verdict(self, columns: int) -> Line:
        sound = self.replay.sound
        sign = _("verified ✓") if sound else "!"
        more = _("↑↓ more") + " " if self._hidden or self._top else ""
        left = (Span(f" {sign} {self.replay.headline}", "good" if sound else "note"),)
        return spread(left, (Span(more, "strong"),), columns)

    def _body(self, frame: Frame, columns: int, room: int) -> list[Line]:
        """Draw the parts one below the other, with lines between them if there is room for that."""
        parts = [part for part in self._parts(frame, columns, room) if part]
        if sum(map(len, parts)) + len(parts) > room:
            return [line for part in parts for line in part]
        return [line for part in parts for line in [*part, ()]]

    def _parts(self, frame: Frame, columns: int, room: int) -> list[list[Line]]:
        scene = frame.scene if self.hands else frame.hidden
        asides = [line for text in frame.aside for line in folded(text, columns, "warning")]
        if frame.reckoning is not None:
            return [asides, charts.reckoning(frame.reckoning, columns)]
        texts = [] if frame.moment is not None else [t for t in frame.told if t not in frame.aside]
        told = [line for text in texts for line in _told(text, columns)]
        if frame.final:
            return [asides, told, *self._result(columns, room - len(told))]
        tall = 3 if frame.moment is None else 1
        return [
            asides,
            [] if frame.moment is None else drawing.moment(frame.moment, columns, _LAST_BEAT),
            [line for strip in scene.strips for line in drawing.strip(strip, columns, tall)],
            drawing.players(scene, {}, columns) if scene.players else [],
            boards(scene.boards, columns, room // 2),
            drawing.hands(scene, columns) if any(row.hand for row in scene.players) else [],
            self._notes(frame, columns),
            told,
        ]

    def _notes(self, frame: Frame, columns: int) -> list[Line]:
        notes = [*frame.scene.notes, *(one.text for one in self._remarks.get(frame.number, ()))]
        if self.hands and frame.closed:
            notes.append(never_opened(frame))
        return [line for note in notes for line in folded(note, columns, "note")]

    def _result(self, columns: int, room: int) -> list[list[Line]]:
        found = self.replay.report
        names = self.replay.seated
        ranking = charts.ranking(names, found.places, found.scores, None, columns)
        left = max(len(names) + 1, room - len(ranking) - 3)
        return [ranking, charts.chart(names, found.scores, columns, left)]

    def _keys(self) -> list[tuple[str, str]]:
        if self.typed is not None:
            return [("Enter", _("go there")), ("Esc", _("back"))]
        return [
            ("←", ""),
            ("→", _("step")),
            ("PgUp", ""),
            ("PgDn", _("round")),
            ("h", _("hands")),
            *([("a", _("analysis"))] if self._analyst is not None else []),
            ("?", _("help")),
            ("Esc", _("back")),
            *([("Space", _("run"))] if self._motion else []),
            ("F1", _("rules")),
        ]


def _told(text: str, columns: int) -> list[Line]:
    """Draw a line as it stands where it fits: it may be a row of a table."""
    return [(Span(text),)] if width(text) <= columns else folded(text, columns)


def _help_page() -> Page:
    from p2pfruit.ui.screen.rules import HelpPage

    keys = [
        ("← →", _("a frame back, a frame forward")),
        ("PgUp PgDn", _("a round back, a round forward; [ and ] do the same")),
        ("Home End", _("the first frame, the last one")),
        ("12 Enter", _("go to the frame with this number; g begins it, too")),
        ("↑ ↓", _("scroll what does not fit")),
        ("h", _("show or hide the hands, as far as the record opens them")),
        ("a", _("how the expert would have played, the worst decisions first")),
        (_("Space"), _("play by itself, until a key is pressed")),
        ("F1", _("the rules in short")),
        ("Esc q", _("back")),
    ]
    return HelpPage(keys, _("keys of a replay"))
