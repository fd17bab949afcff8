"""The analysis of a replay on the full screen: a list of decisions that leads to their frames."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import trio

from p2pfruit.language import text as _
from p2pfruit.replay.judged import Remark
from p2pfruit.ui.screen.bar import framed
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Line, Size, Span, folded, line


@dataclass
class Findings:
    """What is known of an analysis: it is made while its page is shown."""

    lines: Sequence[str] = ()
    remarks: Sequence[Remark] = ()
    wanted: trio.Event = field(default_factory=trio.Event)


class AnalysisPage(Page):
    """Decisions that differ from the expert's, the worst first. Enter goes to the frame of one."""

    def __init__(self, findings: Findings, go_to: Callable[[int], None]) -> None:
        super().__init__()
        self._findings = findings
        self._go_to = go_to
        self._at = 0

    def press(self, key: str) -> None:
        count = len(self._findings.remarks)
        moves = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -count, "end": count}
        if key in moves:
            self._at = max(0, min(self._at + moves[key], count - 1))
        elif key == "enter" and count:
            self._go_to(self._findings.remarks[self._at].frame)
            self.leave()
        elif key in ("escape", "q", "a"):
            self.leave()

    def draw(self, size: Size) -> list[Line]:
        title = line(Span(_("how the expert would have played"), "title"))
        told = [row for text in self._findings.lines for row in folded(text, size.columns)]
        head = [title, *told, ()]
        room = max(1, size.lines - 1 - len(head))
        blocks = [self._remark(at, size.columns) for at in range(len(self._findings.remarks))]
        keys = [("↑↓", _("choose")), ("Enter", _("go there")), ("Esc", _("back"))]
        return framed([*head, *self._scrolled(blocks, room)], keys, size)

    def _remark(self, at: int, columns: int) -> list[Line]:
        one = self._findings.remarks[at]
        picked = at == self._at
        words = _("round {round}, frame {frame}: {text}")
        text = words.format(round=one.judged.decision.round, frame=one.frame, text=one.text)
        style = "cursor" if picked else "strong" if one.judged.clear else "dim"
        sign = "▶" if picked else "·"
        return folded(f"{sign} {text}", columns, style, "    ")

    def _scrolled(self, blocks: Sequence[list[Line]], room: int) -> list[Line]:
        """Return the lines around the decision that is picked."""
        rows = [row for block in blocks for row in block]
        above = sum(map(len, blocks[: self._at]))
        own = len(blocks[self._at]) if blocks else 0
        top = max(0, min(above - (room - own) // 2, len(rows) - room))
        return rows[top : top + room]
