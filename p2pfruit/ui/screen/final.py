"""The end of a game: the ranking, the rounds, what was verified, and where the file lies."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.ui.screen import charts
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
    why: Sequence[str] = ()  # lines about the players who were lost
    checking: str = ""  # how far the check of the file is, until it is done


class FinalPage(Page):
    def __init__(self, final: Final) -> None:
        super().__init__()
        self.final = final

    def press(self, key: str) -> None:
        if key in ("enter", "escape", "q", " "):
            self.leave()

    def draw(self, size: Size) -> list[Line]:
        final = self.final
        rows: list[Line] = []
        if final.places:
            rows += charts.ranking(final.names, final.places, final.rounds, final.me, size.columns)
            rows.append(())
        below = self._verdict(size.columns, size.lines - 1 - len(rows))
        room = size.lines - 2 - len(rows) - len(below)
        if final.rounds and room >= max(4, len(final.names)):
            rows += [*charts.chart(final.names, final.rounds, size.columns, room), ()]
        return framed([*rows, *below], [("Enter", _("leave the table"))], size)

    def _verdict(self, columns: int, room: int) -> list[Line]:
        """Draw the verdict, with what verified means where there is room for it."""
        final = self.final
        rows = folded(final.headline, columns, "strong")
        rows += [row for text in final.why for row in folded(text, columns)]
        means: list[Line] = []
        if final.checking:
            rows += folded(final.checking, columns, "dim")
        elif final.verified:
            rows.append(line(Span(_("verified ✓"), "good")))
            means = folded(verdict.verified_means(), columns, "dim")
        elif final.verified is not None:
            words = _("WARNING: the game file failed verification; please report this")
            rows += folded(words, columns, "warning")
        file: list[Line] = []
        if final.file:
            file = folded(_("the game is in {path}").format(path=final.file), columns)
        fits = not final.why or len(rows) + len(means) + len(file) <= room
        return [*rows, *(means if fits else []), *file]
