"""The lobby: what is played, who is here, who is awaited, what is said, and the invitation.

What is asked of the player stands above the keys, and its keys come first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import trio

from p2pfruit.language import text as _
from p2pfruit.levels import WORDS
from p2pfruit.text.safe import width
from p2pfruit.ui.forms import Answers, Form
from p2pfruit.ui.lobby import Here
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.entry import Entry
from p2pfruit.ui.screen.forms import FormPage
from p2pfruit.ui.screen.overlays import ChoicePage, Deciding, LinesPage
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Line, Size, Span, folded, line
from protocol.limits import CHAT_LENGTH_MOST

Act = Callable[[], Sequence[str]]  # does something, and returns lines to show


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyQuestion:
    """Something that is asked. `keys`: a key, what it means, and what it does."""

    words: Sequence[str]
    keys: Sequence[tuple[str, str, Act]]


class LobbyActs(Protocol):
    """What a player can do in the lobby; each act returns lines to show."""

    def leave(self) -> Sequence[str]: ...

    def say(self, text: str) -> Sequence[str]: ...

    def start(self) -> Sequence[str]: ...

    def bot(self, level: str) -> Sequence[str]: ...

    def free(self, key: bytes) -> Sequence[str]: ...

    def form(self) -> Form:
        """Return the form with which a host changes what is played."""

    def change(self, answers: Answers) -> Sequence[str]: ...


@dataclass(slots=True, kw_only=True)
class LobbyModel:
    """What the page shows. `questions` have names; the oldest is asked.

    `hosting`: the player is the host; `watching`: the player has no seat.
    """

    hosting: bool = False
    watching: bool = False

    game: str = ""
    seats: int = 0
    people: Sequence[Here] = ()
    terms: Sequence[str] = ()  # that the players sit down to
    reach: Sequence[str] = ()  # lines about where the invitation works
    ways: dict[str, Sequence[str]] = field(default_factory=dict)  # what has become of each
    invitation: str = ""
    to_watch: str = ""
    qr: Sequence[str] = ()
    chat: Callable[[], Sequence[str]] = lambda: ()
    code: str = ""  # with which people on this network come in
    code_news: str = ""  # why it is new, or that somebody typed a wrong one
    calling: str = ""  # what a guest waits for, if not for the host to answer
    questions: dict[str, KeyQuestion] = field(default_factory=dict)

    @property
    def question(self) -> KeyQuestion | None:
        return next(iter(self.questions.values()), None)

    async def ask(self, question: str, changed: Callable[[], None]) -> bool:
        """Show a question about a player who knocks until a key answers it."""
        answered = trio.Event()
        let_in = False

        def answer(yes: bool) -> Sequence[str]:
            nonlocal let_in
            let_in = yes
            answered.set()
            return []

        keys = [
            (_("y"), _("let in"), partial(answer, True)),
            ("n", _("do not let in"), partial(answer, False)),
        ]
        self.questions[question] = KeyQuestion(words=[question], keys=keys)
        changed()
        try:
            await answered.wait()
        finally:
            self.questions.pop(question, None)
            changed()
        return let_in


class LobbyPage(Page):
    """The page of the lobby. `copy` puts a text on the clipboard."""

    def __init__(self, model: LobbyModel, acts: LobbyActs, copy: Callable[[str], None]) -> None:
        super().__init__()
        self._model = model
        self._acts = acts
        self._copy = copy
        self._showing = ""  # "" the invitation, "watch" the one to watch, "qr" the code
        self._notice = ""  # an answer to the last key
        self._crowded = False  # the terms did not fit when this was drawn last
        self._entry: Entry | None = None  # what is being said

    # Keys.

    def press(self, key: str) -> None:
        self._notice = ""
        if self._entry is not None:
            self._type(self._entry, key)
        elif not (self._answer(key) or self._invite(key)):
            self._act(key)

    def paste(self, text: str) -> None:
        if self._entry is not None:
            self._entry.paste(text)

    def _type(self, entry: Entry, key: str) -> None:
        if key in ("escape", "tab"):
            self._entry = None
        elif key == "enter":
            self._entry = None
            if (said := entry.text.strip()) and self._acts.say is not None:
                self._tell(self._acts.say(said))
        else:
            entry.press(key)

    def _answer(self, key: str) -> bool:
        question = self._model.question
        for name, _means, act in question.keys if question is not None else ():
            if key.lower() == name:
                self._tell(act())
                return True
        return False

    def _invite(self, key: str) -> bool:
        model = self._model
        if key in ("w", "f3") and model.to_watch:
            self._showing = "" if self._showing == "watch" else "watch"
        elif key == "r" and model.qr:
            self._showing = "" if self._showing == "qr" else "qr"
        elif key == "c" and model.invitation:
            self._copy(self._shown())
            self._notice = _("copied, if this terminal lets programs copy")
        else:
            return False
        return True

    def _act(self, key: str) -> None:
        model = self._model
        if key in ("escape", "q"):
            self._tell(self._acts.leave())
        elif key == "tab" and self._speaks:
            self._entry = Entry(most=CHAT_LENGTH_MOST)
        elif key == "t" and model.game:
            title = _("what is played")
            self.stage.put(LinesPage(title, lambda: [*model.terms, *model.reach]))
        elif key == "s" and model.hosting:
            self._tell(self._acts.start())
        elif key == "b" and model.hosting:
            self.stage.put(self._bot_page())
        elif key == "x" and model.hosting and len(model.people) > 1:
            self.stage.put(self._free_page())
        elif key == "o" and model.hosting:
            self.stage.put(_OfferPage(self._acts.form(), self._changed))

    @property
    def _speaks(self) -> bool:
        return bool(self._model.game) and not self._model.watching

    def _bot_page(self) -> Page:
        page = ChoicePage(_("add a bot"), "", [_(word) for word in WORDS])
        return Deciding(page, [partial(self._bot, level) for level in WORDS.values()])

    def _free_page(self) -> Page:
        others = [here for here in self._model.people if not here.mine]
        words = _("a player whose seat is freed is told so; the invitation stays as it is")
        page = ChoicePage(_("free a seat"), words, [f"{one.name}  {one.words}" for one in others])
        return Deciding(page, [partial(self._free, one.key) for one in others])

    def _bot(self, level: str) -> None:
        self._tell(self._acts.bot(level))

    def _free(self, key: bytes) -> None:
        self._tell(self._acts.free(key))

    def _changed(self, answers: Answers) -> None:
        self._tell(self._acts.change(answers))

    def _tell(self, lines: Sequence[str]) -> None:
        self._notice = "; ".join(lines)

    def _shown(self) -> str:
        model = self._model
        return model.to_watch if self._showing == "watch" else model.invitation

    # Drawing.

    def draw(self, size: Size) -> list[Line]:
        model = self._model
        foot = [*self._asked(size.columns), self._last(size.columns)]
        room = max(0, size.lines - 1 - len(foot))
        if not model.game:
            rows: list[Line] = [line(Span(model.calling or _("calling the host…"), "title"))]
        elif self._showing == "qr":  # it needs all the room there is
            rows = self._code(size)
        else:
            rows = self._rows(size.columns, room)
        rows = rows[:room]
        gap: list[Line] = [()] * (room - len(rows))
        bar = key_bar(self._keys(), size.columns)
        return [*rows, *gap, *foot, bar][-size.lines :]

    def _rows(self, columns: int, room: int) -> list[Line]:
        """Draw everything, and as many of the last lines of chat as there is room for."""
        rows = [*self._people(), (), *self._code_rows(columns), *self._invitation(columns)]
        rows += [(), *self._terms(columns)]
        said = [row for text in self._model.chat() for row in folded(text, columns, "", "    ")]
        left = 0
        if said:
            left = max(room - len(rows) - 1, min(len(said), limits.LOBBY_CHAT_LEAST))
            said = [(), *said[-left:]]
        self._crowded = len(rows) + len(said) > room
        return [*rows[: max(0, room - len(said))], *said]

    def _code(self, size: Size) -> list[Line]:
        """Draw the code whole, or not at all: a part of it says nothing."""
        qr = self._model.qr
        if len(qr) > size.lines - 2 or max(map(width, qr)) > size.columns:
            return folded(_("this window is too small for the code"), size.columns, "note")
        return [line(Span(row, "code")) for row in qr]

    def _people(self) -> list[Line]:
        model = self._model
        words = _("{game}: {count} of {seats} players are here")
        title = words.format(
            game=model.game.capitalize(), count=len(model.people), seats=model.seats
        )
        rows = [line(Span(title, "title"))]
        widest = max([width(here.name) for here in model.people], default=0)
        for here in model.people:
            sign = Span("  ✓ ", "good") if here.agreed else Span("  ? ", "strong")
            gap = " " * (widest - width(here.name) + 2)
            rows.append(line(sign, here.name, Span(gap + here.words, "dim")))
        for _seat in range(model.seats - len(model.people)):
            rows.append(line(Span("  … " + _("a free seat"), "dim")))
        return rows

    def _code_rows(self, columns: int) -> list[Line]:
        """Draw the code so that it can be read from across the room, while there is a seat."""
        model = self._model
        if not model.code or len(model.people) >= model.seats:
            return []
        words = _("CODE {code}").format(code=model.code)
        edge = "─" * (width(words) + 2)
        box = [f"┌{edge}┐", f"│ {words} │", f"└{edge}┘"]
        about = model.code_news or _(
            "people on this network join with `p2pfruit lan` and this code"
        )
        return [
            *[line(Span(row, "strong")) for row in box],
            *folded(about, columns, "note"),
            (),
        ]

    def _invitation(self, columns: int) -> list[Line]:
        """Draw the invitation at the left edge, so that it can be marked with the mouse."""
        model = self._model
        ways = [row for told in model.ways.values() for row in _notes(told, columns)]
        if not model.invitation:
            words = _("the game begins when all seats are taken and everyone has agreed")
            return ways or folded(words, columns)
        watch = self._showing == "watch"
        said = _("others watch with this line:") if watch else _("others join with this line:")
        command = "p2pfruit watch " if watch else "p2pfruit join "
        return [
            line(said),
            *folded(command + self._shown(), columns, "strong"),
            *_notes(model.reach, columns),
            *ways,
        ]

    def _terms(self, columns: int) -> list[Line]:
        return _notes(self._model.terms, columns)

    def _asked(self, columns: int) -> list[Line]:
        question = self._model.question
        if question is None:
            return []
        return [row for text in question.words for row in folded(text, columns, "strong")]

    def _last(self, columns: int) -> Line:
        """Draw what is typed; else an answer to the last key."""
        if self._entry is None:
            return line(Span(self._notice, "note"))
        prompt = self._prompt()
        return (Span(prompt, "strong"), *self._entry.draw(columns - len(prompt)))

    def _prompt(self) -> str:
        return _("say") + "> "

    def cursor(self, size: Size) -> tuple[int, int] | None:
        if self._entry is None:
            return None
        prompt = len(self._prompt())
        return prompt + self._entry.cursor(size.columns - prompt), size.lines - 2

    def _keys(self) -> list[tuple[str, str]]:
        """Return the keys that mean something now."""
        model = self._model
        if self._entry is not None:
            return [("Enter", _("send")), ("Esc", _("back"))]
        keys = []
        if model.question is not None:
            keys += [(name, means) for name, means, _act in model.question.keys]
        free = len(model.people) < model.seats
        possible = [
            ("Tab", _("chat"), self._speaks),
            ("s", _("start"), model.hosting and free),
            ("b", _("bot"), model.hosting and free),
            ("x", _("free"), model.hosting and len(model.people) > 1),
            ("o", _("options"), model.hosting),
            ("Esc", _("leave"), True),
            ("t", _("what is played"), self._crowded),
            ("c", _("copy"), bool(model.invitation)),
            ("F3", _("to watch"), bool(model.to_watch)),
            ("r", _("QR code"), bool(model.qr)),
        ]
        return [*keys, *[(name, means) for name, means, now in possible if now]]


class _OfferPage(FormPage):
    """The form of the host; `taken` gets its answers."""

    def __init__(self, form: Form, taken: Callable[[Answers], None]) -> None:
        super().__init__(form)
        self._taken = taken

    def take(self) -> None:
        super().take()
        if self.result is not None:
            self._taken(self.result)


def _notes(lines: Sequence[str], columns: int) -> list[Line]:
    return [row for told in lines for row in folded(told, columns, "note")]
