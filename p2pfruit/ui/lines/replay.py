"""Stepping through a replay: where one is, and the same in lines.

Line mode shows one frame after the other and asks where to go. It needs no cursor and no colour,
and reads well aloud.
"""

from collections.abc import Callable, Sequence

from p2pfruit.games.about import About
from p2pfruit.games.narrator import narrator_for
from p2pfruit.home.results import placed
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.replay.analyst import Analyst
from p2pfruit.replay.frames import Frame, Replay
from p2pfruit.replay.judged import lines
from p2pfruit.ui.history import score_lines
from p2pfruit.ui.lines.scene import scene_lines

Say = Callable[[Sequence[str]], None]
Ask = Callable[[str], str]


class Cursor:
    """A place among the frames; it stays between the first and the last."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self.frames = frames
        self.at = 0

    @property
    def frame(self) -> Frame:
        return self.frames[self.at]

    @property
    def at_end(self) -> bool:
        return self.at == len(self.frames) - 1

    def go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.frames) - 1))

    def step(self, by: int) -> None:
        self.go(self.at + by)

    def round_forward(self) -> None:
        """Go to the first frame of the next round, or to the end."""
        later = range(self.at, len(self.frames))
        self.go(next((n for n in later if self._round(n) != self._round(self.at)), later[-1]))

    def round_back(self) -> None:
        """Go to the first frame of this round, or of the one before."""
        start = self._start(self.at)
        self.go(start if start < self.at else self._start(max(0, self.at - 1)))

    def go_round(self, number: int) -> bool:
        """Go to a round; return False if there is none with this number."""
        starts = [at for at, frame in enumerate(self.frames) if frame.round == number]
        self.go(starts[0] if starts else self.at)
        return bool(starts)

    def words(self) -> str:
        return _("frame {number} of {count}, round {round}").format(
            number=self.frame.number, count=len(self.frames), round=self.frame.round
        )

    def _round(self, at: int) -> int:
        return self.frames[at].round

    def _start(self, at: int) -> int:
        while at > 0 and self._round(at - 1) == self._round(at):
            at -= 1
        return at


def never_opened(frame: Frame) -> str:
    """Say that the record leaves cards closed."""
    return plural(
        "{count} card stays closed: the record never opens it",
        "{count} cards stay closed: the record never opens them",
        frame.closed,
    )


# In lines.


class LineReplay:
    """`say` prints lines, `ask` reads one; EOFError ends it."""

    def __init__(
        self,
        replay: Replay,
        words: About,
        say: Say,
        ask: Ask,
        analyst: Analyst | None = None,
    ) -> None:
        self.replay = replay
        self.words = words
        self.say = say
        self.ask = ask
        self.analyst = analyst
        self.place = Cursor(replay.frames())
        self.hands = True

    def run(self) -> None:
        self.say([self.replay.headline, *self.replay.terms, "", *self.shown()])
        while True:
            try:
                typed = self.ask("> ")
            except EOFError:
                return
            answer = self._answer(typed.strip().lower())
            if answer is None:
                return
            self.say(answer)

    def _answer(self, typed: str) -> list[str] | None:
        """Return what to show for what was typed; None ends the replay."""
        word, _space, rest = typed.partition(" ")
        if word.isdecimal() and not rest:
            return self._go(word)
        if (page := self._page(word)) is not None:
            return page().splitlines()
        match word:
            case "" | "n" | "next" | "s" | "suivant":
                if self.place.at_end:
                    return [_("this is the last frame; q leaves")]
                self.place.step(1)
            case "p" | "previous" | "precedent" | "précédent":
                self.place.step(-1)
            case "go" | "aller":
                return self._go(rest)
            case "round" | "manche":
                return self._go_round(rest)
            case "first" | "debut" | "début":
                self.place.go(0)
            case "last" | "fin":
                self.place.go(len(self.place.frames) - 1)
            case "h" | "hands" | "mains":
                self.hands = not self.hands
            case "q" | "quit" | "quitter":
                return None
            case _:
                return self._help()
        return self.shown()

    def _page(self, word: str) -> Callable[[], str] | None:
        """Return the page that a word opens, if it does: rules, or the analysis."""
        analysis = ("a", "analysis", "analyse") if self.analyst is not None else ()
        return {
            **dict.fromkeys(analysis, self._analysis),
            **dict.fromkeys(("rules", "regles", "règles"), self.words.rules),
            **dict.fromkeys(("short", "bref"), self.words.short),
        }.get(word)

    def _analysis(self) -> str:
        assert self.analyst is not None
        return "\n".join(lines(self.replay, self.analyst.analyse()))

    def _help(self) -> list[str]:
        return [*([] if self.analyst is None else [_analysis_help()]), *_help()]

    def _go(self, number: str) -> list[str]:
        count = len(self.place.frames)
        if not number.isdecimal() or not 1 <= int(number[:9]) <= count:
            return [_("there are frames 1 to {count}").format(count=count)]
        self.place.go(int(number) - 1)
        return self.shown()

    def _go_round(self, number: str) -> list[str]:
        if not number.isdecimal() or not self.place.go_round(int(number[:9])):
            last = self.place.frames[-1].round
            return [_("there are rounds 1 to {count}").format(count=last)]
        return self.shown()

    def shown(self) -> list[str]:
        """Return the present frame in lines."""
        frame = self.place.frame
        rows = ["", f"--- {self.place.words()} ---"]
        if frame.reckoning is not None:
            return [*rows, *frame.aside, *score_lines(frame.reckoning)]
        rows += frame.told
        if frame.moment is not None or not frame.scene.players:
            return rows
        if frame.final:
            narrator = narrator_for(self.replay.table.game, self.replay.seated)
            return [*rows, "", *narrator.ranking(placed(frame.state, self.replay.report))]
        if not self.hands:
            return [*rows, *scene_lines(frame.hidden)]
        closed = [never_opened(frame)] if frame.closed else []
        return [*rows, *scene_lines(frame.scene), *closed]


def _analysis_help() -> str:
    return _("analysis     how the expert would have played, the worst first")


def _help() -> list[str]:
    return [
        _("n, or Enter  the next frame"),
        _("p            the frame before"),
        _("go N         frame N; the number alone will do"),
        _("round N      the beginning of round N"),
        _("first, last  the first frame, the last one"),
        _("hands        show or hide the hands"),
        _("rules        the rules of this game"),
        _("short        the rules on one screen"),
        _("q            leave"),
    ]
