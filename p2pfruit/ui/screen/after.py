"""What can be done after a game, on the full screen: chat, and a list of actions."""

from collections.abc import Callable, Sequence
from contextlib import suppress

import trio

from p2pfruit.language import text as _
from p2pfruit.ui.afterwards import Action, AfterGame
from p2pfruit.ui.screen import drawing, limits
from p2pfruit.ui.screen.entry import Entry
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.screen.styled import Line, Size, Span, folded

_MOVES = {"left": -1, "right": 1, "up": -1, "down": 1}


class AfterScreen:
    """The lower part of the last page. `say` sends a line of chat; it is None for a spectator.
    `show` opens a page with lines that are too many for this one."""

    def __init__(
        self,
        after: AfterGame,
        model: TableModel,
        say: Callable[[str], Sequence[str]] | None,
        show: Callable[[str, Sequence[str]], None],
    ) -> None:
        self._after = after
        self._model = model
        self._say = say
        self._show_page = show
        self._back: int | None = None  # how far the pick is from the last action, once it was moved
        self._entry = Entry()
        self._chatting = False
        self._notice: Sequence[str] = ()
        self._begun = len(model.news)
        self._chosen, self._choices = trio.open_memory_channel[Action](0)

    async def run(self) -> None:
        """Do what is chosen, one after the other; never return."""
        async for action in self._choices:
            if not action.why_not:
                self._show([_("one moment …")])
            told = await self._after.perform(action)
            if len(told) > limits.AFTER_LINES_MOST:
                self._show_page(action.label, told)
                told = []
            self._show(told)

    def _show(self, notice: Sequence[str]) -> None:
        self._notice = notice
        self._model.changed()

    # Keys.

    def press(self, key: str) -> None:
        actions = self._after.actions()
        if self._chatting:
            self._type(key)
        elif key == "tab" and self._can_chat:
            self._chatting = True
        elif key in _MOVES:
            self._back = (len(actions) - 1 - self._picked(actions) - _MOVES[key]) % len(actions)
        elif key == "enter":
            self._choose(actions[self._picked(actions)])
        elif key in ("escape", "q"):
            self._choose(actions[-1])
        elif key.isdecimal() and 1 <= int(key) <= len(actions):
            self._back = len(actions) - int(key)
            self._choose(actions[int(key) - 1])

    def _picked(self, actions: Sequence[Action]) -> int:
        """Return which action is picked: at first the one that is suggested, or to leave."""
        if self._back is None:
            suggested = [at for at, action in enumerate(actions) if action.suggested]
            return (suggested or [len(actions) - 1])[0]
        return max(0, len(actions) - 1 - self._back)

    def _choose(self, action: Action) -> None:
        with suppress(trio.WouldBlock):  # something is being done
            self._chosen.send_nowait(action)

    @property
    def _can_chat(self) -> bool:
        return self._say is not None and self._model.talk.allowed

    def _type(self, key: str) -> None:
        if key in ("escape", "tab"):
            self._end_chat()
        elif key == "enter":
            text = self._entry.text.strip()
            self._end_chat()
            if text and self._say is not None:
                self._notice = self._say(text)
        else:
            self._entry.press(key)

    def _end_chat(self) -> None:
        self._entry.clear()
        self._chatting = False

    def paste(self, text: str) -> None:
        if self._chatting:
            self._entry.paste(text)

    # Drawing.

    def talk(self, columns: int, room: int) -> list[Line]:
        """Draw who is still here, and what was said since the game ended."""
        self._model.talk.seen()
        rows = [row for text in self._after.others() for row in folded(text, columns, "dim")]
        said = [text for text in list(self._model.news)[self._begun :] if text.strip()]
        told = [row for text in said for row in folded(text, columns, "note", "  ")]
        most = max(0, min(room - len(rows), limits.AFTER_LINES_MOST))
        shown = [*rows, *told[max(0, len(told) - most) :]]
        return [(), *shown] if len(shown) < room else shown

    def draw(self, columns: int) -> list[Line]:
        """Draw the actions, and what is typed or was answered."""
        actions = self._after.actions()
        labels = [action.label for action in actions]
        possible = [not action.why_not for action in actions]
        return [
            (),
            *drawing.choices(labels, possible, self._picked(actions), columns),
            *self._last(columns),
        ]

    def _last(self, columns: int) -> list[Line]:
        if self._chatting:
            prompt = self._prompt()
            return [(Span(prompt, "strong"), *self._entry.draw(columns - len(prompt)))]
        rows = [row for text in self._notice for row in folded(text, columns, "note")]
        return rows[: limits.AFTER_LINES_MOST] or [()]

    def _prompt(self) -> str:
        return _("say") + "> "

    def cursor(self, size: Size) -> tuple[int, int] | None:
        if not self._chatting:
            return None
        prompt = len(self._prompt())
        return prompt + self._entry.cursor(size.columns - prompt), size.lines - 2

    def keys(self) -> list[tuple[str, str]]:
        if self._chatting:
            return [("Enter", _("send")), ("Esc", _("back"))]
        keys = [("←→", _("choose")), ("Enter", _("select"))]
        keys += [("Tab", _("chat"))] if self._can_chat else []
        return [*keys, ("Esc", _("leave the table"))]
