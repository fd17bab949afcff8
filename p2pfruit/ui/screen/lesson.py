"""A lesson on the full screen: the usual table, and the teacher's remarks in a box below."""

from collections.abc import Iterable
from typing import Any

from engine.needs import Done
from p2pfruit.games.course import ME, Course
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Reckoning
from p2pfruit.home.settings import DEFAULTS
from p2pfruit.language import text as _
from p2pfruit.lessons.lesson import Lesson, Step, next_steps
from p2pfruit.ui.hints import hint
from p2pfruit.ui.screen import charts, drawing, limits
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.boards import boards
from p2pfruit.ui.screen.markdown import prose
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.overlays import LinesPage
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.rules import HelpPage, listed, short_page
from p2pfruit.ui.screen.styled import Line, Size, Span, columns, filled, fitted, spread

Block = list[Line]

# The lines for the table above the teacher's box: a title, a reveal or the river, the players.
TABLE_LINES = 15


class LessonPage(Page):
    """The page of a lesson. Its result is True if the learner stayed to the end."""

    def __init__(self, course: Course[Any]) -> None:
        super().__init__()
        self.lesson = Lesson(course)
        self.model = TableModel(DEFAULTS)
        self.model.presenter = presenter_for(self.lesson.game, self.lesson.names, ME)
        self.model.presenter.moment(self.lesson.past)  # heard, not shown
        self._digits = ""  # of a number that is being typed
        self.leaving = False  # Escape was pressed once
        self._enter()

    def _enter(self) -> None:
        """Begin a step; the presenter hears its events exactly once."""
        step, model, presenter = self.lesson.now, self.model, self.model.presenter
        assert presenter is not None
        self.leaving = False
        model.show_step(step.view, step.events)
        self._scene = presenter.scene(step.view)
        self.inquiry = Inquiry("", ())
        if step.asks:
            model.forget_moment()  # the table is shown, not how it came about
            self.inquiry = model.question(step.view)
            moves = [option.move for option in self.inquiry.options]
            self.inquiry.picked = moves.index(step.suggested) if step.suggested in moves else 0

    # Keys.

    def press(self, key: str) -> None:
        if key in ("escape", "q"):
            self._escape()
            return
        if self.leaving:
            self.leaving = False
        elif key == "f1":
            self.stage.put(short_page(self.lesson.game.name))
        elif key == "f6":
            self.stage.put(self._hint())
        elif key == "?":
            self.stage.put(HelpPage(self._help(), _("keys")))
        elif self.inquiry.options:
            self._choose(key)
        elif key in ("enter", " ", "right"):
            self._go_on()

    def _escape(self) -> None:
        if self.leaving or self.lesson.now.last:
            self.leave(self.lesson.now.last)
        self.leaving = True

    def _choose(self, key: str) -> None:
        inquiry = self.inquiry
        count = len(inquiry.options)
        if key.isdecimal():
            self._pick(key, count)
            return
        self._digits = ""
        if key in ("left", "up"):
            inquiry.move(-1)
        elif key in ("right", "down"):
            inquiry.move(1)
        elif key == "home":
            inquiry.picked = 0
        elif key == "end":
            inquiry.picked = count - 1
        elif key in ("enter", " "):
            self.lesson.answer(inquiry.options[inquiry.picked].move)
            self._enter()

    def _pick(self, key: str, count: int) -> None:
        """Select an answer by its number, which may have several digits."""
        for digits in (self._digits + key, key):
            if 1 <= int(digits) <= count:
                self._digits, self.inquiry.picked = digits, int(digits) - 1
                return

    def _go_on(self) -> None:
        if self.lesson.now.last:
            self.leave(True)
            return
        self.lesson.go_on()
        self._enter()

    def _hint(self) -> Page:
        """Make a page with a hint. Nobody waits for a lesson, so the expert thinks at once."""
        assert self.model.presenter is not None
        lines = [_("nothing is asked of you now")]
        if self.inquiry.options:
            lines = hint(self.model.presenter, self.lesson.now.view)
        return LinesPage(_("hint"), lambda: lines)

    def _help(self) -> list[tuple[str, str]]:
        return [
            ("← →", _("choose a card or an answer")),
            ("1 2 3 …", _("the card or answer with this number")),
            ("Enter", _("play it, or continue if nothing is asked")),
            ("F1", _("the rules in short")),
            ("F6", _("a hint: what the expert would choose")),
            ("Esc", _("leave the lesson")),
        ]

    def _keys(self) -> list[tuple[str, str]]:
        if self.leaving:
            return [("Esc", _("leave the lesson")), ("Enter", _("stay"))]
        more = [("F1", _("rules")), ("?", _("keys")), ("Esc", _("leave"))]
        if self.inquiry.options:
            return [("←→", _("choose")), ("Enter", _("play")), ("F6", _("hint")), *more]
        if self.lesson.now.last:
            return [("Enter", _("done")), *more[:2]]
        return [("Enter", _("continue")), *more]

    # Drawing.

    def draw(self, size: Size) -> Block:
        """Draw the table on top, so that it never moves, and the keys in the last line."""
        step = self.lesson.now
        question = self._question(size.columns)
        spare = size.lines - len(question) - 1
        box = self._box(step, size.columns, spare - self._table_lines(size.columns))
        above = _apart(self._above(size.columns, spare - len(box)), spare - len(box))
        whole = [*above, *box, *question]
        whole += [()] * (size.lines - 1 - len(whole))
        whole.append(key_bar(self._keys(), size.columns))
        return [fitted(spans, size.columns) for spans in whole[-size.lines :]]

    def _table_lines(self, most: int) -> int:
        """Return the lines to keep for the table before remarks are set apart."""
        return max(TABLE_LINES, sum(map(len, self._above(most, 0))))

    def _shows_table(self) -> bool:
        """Return True if the page shows the table itself, not an event, points or the end."""
        return (
            self.model.moment is None and self.model.reckoning is None and not self.lesson.now.last
        )

    def _above(self, most: int, room: int) -> list[Block]:
        """Return the blocks above the box: the table, or what has just happened there."""
        head = [self._head(most)]
        if self.model.reckoning is not None:
            return [head, self._account(most, room - 3)]
        players = drawing.players(self._scene, {}, most)
        if self.model.moment is not None:
            return [head, drawing.moment(self.model.moment, most, beat=2), players]
        if self.lesson.now.last:
            return [head, players]
        lines = 3 if room > len(players) + 5 else 1
        strips = [row for one in self._scene.strips for row in drawing.strip(one, most, lines)]
        blocks = [head, strips, players]
        if self._scene.boards:
            blocks.append(boards(self._scene.boards, most, room - sum(map(len, blocks))))
        return blocks

    def _head(self, most: int) -> Line:
        over = isinstance(self.lesson.now.view.state.need, Done)
        where = () if over else drawing.title(self._scene, most)
        title = _("Learn {game}").format(game=self.lesson.course.game.capitalize())
        return spread((Span(" "), Span(title, "title")), where, most)

    def _account(self, most: int, room: int) -> Block:
        """Draw the points of all players, or only mine if there is less room."""
        assert self.model.reckoning is not None
        whole = charts.reckoning(self.model.reckoning, most)
        if len(whole) <= room:
            return whole
        mine = tuple(one for one in self.model.reckoning.accounts if one.seat == ME)
        return charts.reckoning(Reckoning(title=self.model.reckoning.title, accounts=mine), most)

    def _box(self, step: Step, most: int, room: int) -> Block:
        """Draw the box of remarks, with blank lines between them if there is room."""
        wide = max(4, min(most, limits.READING_COLUMNS_MOST))
        said = [prose(remark.text, wide - 4) for remark in step.remarks]
        said += [listed(next_steps(self.lesson.course.game), wide - 4)] if step.last else []
        inside = [line for one in said for line in one]
        if len(inside) + len(said) + 1 <= room:
            inside = [line for one in said for line in ((), *one)][1:]
        title = (Span("┌─ "), Span(step.title, "title"), Span(" "))
        top = fitted((*title, Span("─" * max(0, wide - 1 - columns(title)))), wide - 1)
        return [
            (*top, Span("┐")),
            *((Span("│ "), *filled(line, wide - 4), Span(" │")) for line in inside),
            (Span("└" + "─" * (wide - 2) + "┘"),),
        ]

    def _question(self, most: int) -> Block:
        if self.leaving:
            words = _("Leave the lesson? Next time it starts from the beginning.")
            return [(Span(" "), Span(words, "warning")), ()]
        if not self.inquiry.options:
            return self._held(most) if self._shows_table() else []
        return [
            (Span(" "), Span(self.inquiry.question, "strong")),
            *drawing.hand(self.inquiry.options, self.inquiry.picked, most),
            *drawing.barred(self._scene, most),
            drawing.about(self.inquiry.options, self.inquiry.picked, most),
        ]

    def _held(self, most: int) -> Block:
        """Draw my hand while nothing is asked."""
        mine = drawing.my_hand(self._scene)
        if not mine:
            return []
        label = _("your hand: {cards}").format(cards="").rstrip()
        return [(Span(" "), Span(label, "strong")), *drawing.cards(mine, most)]


def _apart(blocks: Iterable[Block], room: int) -> Block:
    """Stack the blocks, with blank lines between them as long as there is room."""
    full = [block for block in blocks if block]
    blank = room - sum(map(len, full))
    rows: Block = []
    for at, block in enumerate(full):
        rows += [*block, ()] if at < blank else block
    return rows[: max(0, room)]
