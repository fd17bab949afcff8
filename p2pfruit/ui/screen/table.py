"""The table: the river, the players, the last reveal, the question, and my hand.

Digits and arrows pick, Enter plays what is picked. Where plays are not to be confirmed a digit
plays at once. A letter begins a typed answer: a card by its name, or a word of the line mode. What
was sent is sent.
"""

from collections.abc import Callable, Sequence

from p2pfruit.games.narrator import Misread
from p2pfruit.games.scenes import Scene
from p2pfruit.language import text as _
from p2pfruit.ui.screen import drawing, limits
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.boards import near
from p2pfruit.ui.screen.entry import Entry
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import (
    Line,
    Size,
    Span,
    beside,
    close_up,
    columns,
    fitted,
    folded,
    line,
    spread,
)

_MOVES = {"left": -1, "right": 1, "up": -1, "down": 1}


class TablePage(Page):
    """`words` are what can be typed beside an answer, as in line mode: each gets the rest of the
    line and gives lines to show. `pages` open a page when their key is pressed."""

    def __init__(
        self,
        model: TableModel,
        words: dict[str, Callable[[str], Sequence[str]]],
        pages: dict[str, Callable[[], Page]],
    ) -> None:
        super().__init__()
        self._model = model
        self._words = words
        self._pages = pages
        self._entry = Entry()
        self._chatting = False
        self._notice = ""  # an answer to what was typed, until the next key

    # Keys.

    def press(self, key: str) -> None:
        self._notice = ""
        if self._chatting or self._entry.text:
            self._type(key)
        elif key in self._pages:
            self.stage.put(self._pages[key]())
        elif key == "tab":
            self._begin_chat()
        elif not self._choose(key) and self._begins(key):
            self._entry.press(key)

    def _begins(self, key: str) -> bool:
        """Return True if the key begins something typed. A number does only where one is asked for,
        since it may come before the question that it was meant for."""
        if key.isdecimal():
            return self._model.inquiry is not None
        return len(key) == 1 and key.isprintable() and key != " "

    def paste(self, text: str) -> None:
        self._notice = ""
        self._entry.paste(text)

    @property
    def _can_chat(self) -> bool:
        """Return True if the player can say something; a spectator cannot."""
        return self._model.talk.allowed and "say" in self._words

    def _begin_chat(self) -> None:
        if self._can_chat:
            self._chatting = True
        elif self._model.talk.allowed:
            self._notice = _("you are watching: only players can chat")
        else:
            self._notice = _("chat is off at this table")

    def _choose(self, key: str) -> bool:
        """Take a key that picks or answers; return False if it does neither."""
        inquiry = self._model.inquiry
        if inquiry is None:
            return False
        if not inquiry.armed and (key in _MOVES or key == "enter" or key.isdecimal()):
            self._notice = _("this question has just come up: answer it once more")
            return True
        if key in _MOVES:
            inquiry.move(_MOVES[key])
            return True
        if key == "enter":
            if inquiry.until_s is None or inquiry.moved:
                self._take(inquiry, inquiry.picked)
            return True
        few = len(inquiry.options) < 10 or len(key) > 1  # a click names the whole number
        if few and key.isdecimal() and 1 <= int(key) <= len(inquiry.options):
            inquiry.picked = int(key) - 1
            if not self._confirms(inquiry):
                self._take(inquiry, inquiry.picked)
            return True
        return False

    def _confirms(self, inquiry: Inquiry) -> bool:
        return self._model.settings.confirm and inquiry.until_s is None

    def _take(self, inquiry: Inquiry, at: int) -> None:
        inquiry.take(inquiry.options[at].move)

    def _type(self, key: str) -> None:
        if key == "escape" or (key == "tab" and self._chatting):
            self._entry.clear()
            self._chatting = False
        elif key == "enter":
            typed = self._entry.text.strip()
            self._entry.clear()
            if self._chatting:
                self._chatting = False
                typed = f"say {typed}" if typed else ""
            if typed:
                self._understand(typed)
        else:
            self._entry.press(key)

    def _understand(self, typed: str) -> None:
        word, _space, rest = typed.partition(" ")
        inquiry = self._model.inquiry
        if word.lower() in self._words:
            self._notice = "; ".join(self._words[word.lower()](rest.strip()))
        elif inquiry is not None and inquiry.until_s is not None:
            self._notice = _("press the key of an answer; nothing needs to be typed")
        elif inquiry is None:
            self._notice = _("nothing is asked of you now; ? lists what you can type")
        else:
            self._answer(inquiry, typed)

    def _answer(self, inquiry: Inquiry, typed: str) -> None:
        if typed.isdecimal() and 1 <= int(typed[:4]) <= len(inquiry.options):
            self._take(inquiry, int(typed[:4]) - 1)
            return
        try:
            if inquiry.read is None:
                raise Misread(_("not understood: {typed}").format(typed=repr(typed)))
            inquiry.take(inquiry.read(typed))
        except Misread as misread:
            self._notice = str(misread)

    # What is drawn.

    def draw(self, size: Size) -> list[Line]:
        columns = self._columns(size)
        lines = size.lines - 1
        scene = self._model.scene()
        main = self._main(scene, columns, lines)
        bar = key_bar(self._keys(scene), size.columns)
        if columns == size.columns:
            return [*main, bar]
        panel = self._panel(size.columns - columns - 3, lines)
        ruled = [(Span(" │ ", "dim"), *row) for row in panel]
        return [*beside(main, ruled, columns, ""), bar]

    def _columns(self, size: Size) -> int:
        """Return how wide the table is; beside it, where there is room, stands what happened."""
        if size.columns < limits.WIDE_COLUMNS:
            return size.columns
        return size.columns - max(limits.PANEL_COLUMNS_LEAST, size.columns // 3)

    def _main(self, scene: Scene | None, columns: int, lines: int) -> list[Line]:
        """Draw from above: where we are, the players, the last reveal, news; and at the bottom
        notes and what is asked. Where there is room blank lines set things apart."""
        below = self._below(scene, columns)
        if scene is None:
            above = [[line(Span(self._model.game.capitalize(), "title"))]]
        else:
            above, notes = self._upper(scene, columns, lines - len(below))
            below = [*notes, *below]
        room = lines - sum(map(len, above)) - len(below)
        rows: list[Line] = []
        for block in above:
            if rows and room > self._least_news:
                rows.append(())
                room -= 1
            rows += block
        news = self._news(columns, room - 1)
        if news:
            rows += [(), *news]
        rows = rows[: max(0, lines - len(below))]
        gap: list[Line] = [()] * (lines - len(below) - len(rows))
        return [*rows, *gap, *below][:lines]

    def _upper(self, scene: Scene, columns: int, lines: int) -> tuple[list[list[Line]], list[Line]]:
        """Draw all above the question, and the notes. Where there is room the target is drawn
        larger; where there is none, boards that can stand aside give way first, then notes, then
        news."""
        news = self._least_news
        notes = [row for note in scene.notes for row in folded(note, columns, "note")]
        room = lines - len(notes)
        above = self._above(scene, columns, room - news, tall=False)
        if sum(map(len, above)) + len(above) + 2 <= room:
            above = self._above(scene, columns, room - news, tall=True)
        return above, notes[: max(0, lines - news - sum(map(len, above)))]

    def _above(self, scene: Scene, columns: int, room: int, *, tall: bool) -> list[list[Line]]:
        model = self._model
        river = [spread(drawing.title(scene, columns), self._clock(), columns)]
        for strip in scene.strips:
            river += drawing.strip(strip, columns, lines=3 if tall else 1)
        blocks = [river, drawing.players(scene, model.status, columns)]
        if model.moment is not None:
            blocks.append(drawing.moment(model.moment, columns, model.beat))
        if scene.boards:
            left = room - sum(map(len, blocks))
            blocks.insert(2, self._boards(scene, columns, left))
        return blocks

    def _boards(self, scene: Scene, columns: int, lines: int) -> list[Line]:
        """Draw the boards, and a line that names those left out and the key that shows them."""
        rows, aside = near(scene.boards, columns, lines)
        if not aside:
            return rows
        told = _("F5 shows {names}").format(names=", ".join(board.label for board in aside))
        return [*rows, fitted(line(Span(told, "dim", "f5")), columns)]

    def _clock(self) -> Line:
        model = self._model
        inquiry = model.inquiry
        if inquiry is not None and inquiry.until_s is not None:
            return line(Span(model.open_for(), "strong"))
        if inquiry is not None:
            clock = Span(f" {model.clock}".rstrip(), "warning" if model.hurry else "")
            return line(Span(_("your turn"), "strong"), clock)
        return line(Span("…", "dim")) if model.waiting else ()

    @property
    def _least_news(self) -> int:
        """Return how many lines the news needs: a blank line, and the last of them."""
        return 2 if self._model.news else 0

    def _news(self, columns: int, most: int) -> list[Line]:
        """Draw what was said last, and what happened beside the game."""
        if most <= 0:
            return []
        self._model.talk.seen()
        lines = [text for text in self._model.news if text.strip()][-most:]
        return [row for text in lines for row in folded(text, columns, _tone(text), "  ")][-most:]

    def _told(self, columns: int, most: int) -> list[Line]:
        story = [text for text in self._model.story_told() if text.strip()][-most:]
        rows = [row for text in story for row in folded(close_up(text), columns, "", "    ")]
        return rows[-most:] if most > 0 else []

    def _panel(self, columns: int, lines: int) -> list[Line]:
        """Draw what happened, beside the table."""
        title = line(Span(_("what happened"), "title"))
        return [title, *self._told(columns, lines - 1)][:lines]

    def _below(self, scene: Scene | None, columns: int) -> list[Line]:
        """Draw the question, the hand, and what is typed."""
        model = self._model
        rows: list[Line] = []
        if model.alarm:
            rows += folded(f"! {model.alarm}", columns, "warning", "  ")
        if model.inquiry is not None:
            inquiry = model.inquiry
            rows += self._question(inquiry, columns)
            picked = inquiry.picked if inquiry.until_s is None or inquiry.moved else None
            rows += drawing.hand(inquiry.options, picked, columns)
            rows += [] if scene is None else drawing.barred(scene, columns)
        elif scene is not None:
            rows += self._waiting_hand(scene, columns)
        return [*rows, self._last(columns)]

    def _question(self, inquiry: Inquiry, most: int) -> list[Line]:
        """Draw the question, with what the picked card is; words say it themselves. Where a card
        says too much for the rest of the line, all of them have a line of their own: nothing moves
        with the pick."""
        question = line(Span(inquiry.question, "strong"))
        about = [
            drawing.about(inquiry.options, at, most) if option.tile is not None else ()
            for at, option in enumerate(inquiry.options)
        ]
        picked = about[inquiry.picked]
        if columns(question) + 1 + max(map(columns, about)) <= most:
            return [spread(question, picked, most) if picked else question]
        return [question, picked]

    def _waiting_hand(self, scene: Scene, columns: int) -> list[Line]:
        """Draw my cards while nothing is asked."""
        mine = drawing.my_hand(scene)
        rows: list[Line] = []
        if mine:
            rows = [line(Span(_("your hand"), "dim")), *drawing.cards(mine, columns)]
        if self._model.waiting:
            words = _("waiting for {names}").format(names=self._model.waiting)
            rows.append(line(Span(words, "dim")))
        if self._model.given:
            rows += folded(f"✓ {self._model.given}", columns, "strong", "  ")
        return rows

    def _last(self, columns: int) -> Line:
        """Draw what is typed; else an answer to it; else what the peers are working on."""
        if self._chatting or self._entry.text:
            prompt = self._prompt()
            return (Span(prompt, "strong"), *self._entry.draw(columns - len(prompt)))
        if self._notice:
            return line(Span(self._notice, "note"))
        return line(Span(self._model.progress, "dim"))

    def _prompt(self) -> str:
        return _("say") + "> " if self._chatting else "> "

    def cursor(self, size: Size) -> tuple[int, int] | None:
        if not (self._chatting or self._entry.text):
            return None
        prompt = len(self._prompt())
        return prompt + self._entry.cursor(self._columns(size) - prompt), size.lines - 2

    def _keys(self, scene: Scene | None) -> list[tuple[str, str]]:
        """Return the keys that mean something now."""
        if self._chatting or self._entry.text:
            return [("Enter", _("send")), ("Esc", _("back"))]
        unread = self._model.talk.unread
        chat = _("chat") + (f" ({unread})" if unread else "")
        keys = [("Tab", chat)] if self._can_chat else []
        keys += [("?", _("help")), ("F1", _("rules")), ("Esc", _("menu"))]
        keys += [("F5", _("boards"))] if scene is not None and scene.boards else []
        keys += [("F2", _("story")), *([("F3", _("connections"))] if "f3" in self._pages else [])]
        if (inquiry := self._model.inquiry) is None or not inquiry.armed:
            return keys
        keys += [("F6", _("hint"))] if self._model.advised and inquiry.until_s is None else []
        digits = f"←→ 1-{min(9, len(inquiry.options))}"
        if inquiry.until_s is not None:
            return [(f"1-{len(inquiry.options)}", _("answer")), *keys]
        if self._confirms(inquiry):
            return [(digits, _("pick")), ("Enter", _("play")), *keys]
        return [(digits, _("play")), ("Enter", _("play")), *keys]


def _tone(text: str) -> str:
    """Return the style of a line. Warnings begin with a word in capitals and a colon, in every
    language we speak."""
    word, colon, _rest = text.partition(":")
    word = word.strip()
    return "warning" if colon and word.isalpha() and word.isupper() else "note"
