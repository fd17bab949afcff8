"""The end of a game: the ranking, the rounds, what was verified, and where the file lies."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pfruit.language import text as _
from p2pfruit.ui.screen import charts
from p2pfruit.ui.screen.after import AfterScreen
from p2pfruit.ui.screen.bar import framed
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Line, Size, Span, folded, line


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """`places` are empty if the game did not come to an end."""

    names: Sequence[str]
    places: Sequence[int]
    rounds: Sequence[Sequence[int]]
    me: int | None
    headline: str
    verified: bool | None  # None: there is no file to verify
    file: str
    means: str = ""  # what "verified" says about this game
    why: Sequence[str] = ()  # lines about the players who were lost
    decided: str = ""  # who won, and by what
    checking: str = ""  # how far the check of the file is, until it is done


class FinalPage(Page):
    """`after`: what can be done now; without it the page can only be left."""

    def __init__(self, final: Final, after: AfterScreen | None = None) -> None:
        super().__init__()
        self.final = final
        self._after = after

    def press(self, key: str) -> None:
        if self._after is not None:
            self._after.press(key)
        elif key in ("enter", "escape", "q", " "):
            self.leave()

    def paste(self, text: str) -> None:
        if self._after is not None:
            self._after.paste(text)

    def draw(self, size: Size) -> list[Line]:
        final, after = self.final, self._after
        rows: list[Line] = []
        if final.places:
            rows += charts.ranking(final.names, final.places, final.rounds, final.me, size.columns)
            rows.append(())
        last = [] if after is None else after.draw(size.columns)
        talk = [] if after is None else after.talk(size.columns, size.lines)
        room = size.lines - 1 - len(rows) - len(last)
        below = self._verdict(size.columns, room - len(talk))
        room -= 1 + len(below)
        if after is not None:
            talk = after.talk(size.columns, room)
            below, room = [*below, *talk], room - len(talk)
        if final.rounds and room >= max(4, len(final.names)):
            rows += [*charts.chart(final.names, final.rounds, size.columns, room), ()]
        keys = [("Enter", _("leave the table"))] if after is None else after.keys()
        shown = [*rows, *below][: max(0, size.lines - 1 - len(last))]
        gap: list[Line] = [()] * (size.lines - 1 - len(last) - len(shown))
        return framed([*shown, *gap, *last], keys, size)

    def cursor(self, size: Size) -> tuple[int, int] | None:
        return None if self._after is None else self._after.cursor(size)

    def _verdict(self, columns: int, room: int) -> list[Line]:
        """Draw the verdict, with what verified means where there is room for it."""
        final = self.final
        rows = folded(final.decided, columns, "good") if final.decided else []
        rows += folded(final.headline, columns, "strong")
        rows += [row for text in final.why for row in folded(text, columns)]
        means: list[Line] = []
        if final.checking:
            rows += folded(final.checking, columns, "dim")
        elif final.verified:
            rows.append(line(Span(_("verified ✓"), "good")))
            means = folded(final.means, columns, "dim")
        elif final.verified is not None:
            words = _("WARNING: the game file failed verification; please report this")
            rows += folded(words, columns, "warning")
        file: list[Line] = []
        if final.file:
            file = folded(_("the game is in {path}").format(path=final.file), columns)
        spare = not final.why and self._after is None
        fits = spare or len(rows) + len(means) + len(file) <= room
        return [*rows, *(means if fits else []), *file]
