"""Line mode: a table played by reading lines and typing answers.

It needs no cursor and no colour, so it works in any terminal and reads well aloud.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.moves import Move
from engine.needs import Slot
from engine.views import View
from p2pfruit.exits import INTERRUPTED, Goodbye
from p2pfruit.games.narrator import Misread
from p2pfruit.games.presenter import Presenter
from p2pfruit.language import text as _
from p2pfruit.ui.hints import hint, hint_help, no_hints
from p2pfruit.ui.history import Word
from p2pfruit.ui.lines.scene import scene_lines

Say = Callable[[Sequence[str]], None]
Ask = Callable[[str], str]


class Quit(Exception):
    """The player leaves the table."""


def paused() -> Goodbye:
    """Return the goodbye of a player who leaves for now."""
    return Goodbye(_("the table is kept; p2pfruit resume continues it"), INTERRUPTED)


class LinePlayer:
    """A person at a terminal, in the place of a bot: is shown a view, answers a move."""

    was_cut = False  # a person has all the time there is

    def __init__(
        self,
        presenter: Presenter,
        rules: Callable[[], str],
        say: Say,
        ask: Ask,
        more: Sequence[str] = (),
        words: Mapping[str, Word] | None = None,
        *,
        kept: bool = False,
        advised: Callable[[], bool] = lambda: True,
    ) -> None:
        """`words`: what else can be typed here, and `more`: lines of help about it. `kept`: one can
        leave for now, and come back. `advised`: returns True if hints are given at this table."""
        self.presenter = presenter
        self.narrator = presenter.narrator
        self.rules = rules
        self.say = say
        self.ask = ask
        self.more = more
        self.words = words or {}
        self.kept = kept
        self.advised = advised
        self._round = 0  # when I was last asked
        self._held: tuple[Slot, ...] = ()  # and what I held then
        self._shown: View[Any] | None = None  # the table as it stands above the question

    def __call__(self, view: View[Any]) -> Move:
        options = self.presenter.options(view)
        if view is not self._shown:  # else the same is asked again, after the full screen was used
            self._shown = view
            self.say([*self._drawn(view), *scene_lines(self.presenter.asked(view), options)])
        if len(options) == 1:
            [only] = options
            self.say([_("the only answer left is given for you: {label}").format(label=only.label)])
            return only.move
        self.say(["", self.narrator.question(view), self.narrator.menu(view)])
        while True:
            typed = self._read()
            if (answer := self._command(view, typed)) is not None:
                self.say(answer)
                continue
            try:
                return self.narrator.read(view, typed)
            except Misread as misread:
                self.say([str(misread)])

    def _drawn(self, view: View[Any]) -> list[str]:
        """Name the cards that joined my hand; those that a round begins with are no news."""
        begun, held = self._round != view.state.round, self._held
        self._round, self._held = view.state.round, view.hand
        new = [view.known[slot] for slot in view.hand if slot not in held]
        return [] if begun or not new else [self.narrator.drawn(view, new)]

    def _read(self) -> str:
        try:
            return self.ask("> ").strip()
        except EOFError:
            raise Quit from None

    def _command(self, view: View[Any], typed: str) -> list[str] | None:
        """Return what to show for a word that is not an answer; None if it should be one."""
        word, _space, rest = typed.lower().partition(" ")
        if word in self.words:
            return self.words[word](rest.strip())
        match typed.lower():
            case "":
                return [self.narrator.menu(view)]
            case "?" | "h" | "help" | "aide":
                return self._help()
            case "t" | "table":
                return [*scene_lines(self.presenter.scene(view)), self.narrator.menu(view)]
            case "hint" | "conseil":
                return hint(self.presenter, view) if self.advised() else [no_hints()]
            case "rules" | "regles" | "règles":
                return self.rules().splitlines()
            case "q" | "quit" | "quitter":
                raise Quit
            case "pause" if self.kept:
                raise paused()
        return None

    def _help(self) -> list[str]:
        return [
            _("answer with a number in brackets, or with the name of what you choose"),
            _("table  the table again"),
            _("rules  the rules of this game"),
            *(hint_help() if self.advised() else []),
            *self.more,
            *leaving_help(kept=self.kept),
        ]


def leaving_help(*, kept: bool) -> list[str]:
    """List the ways to leave; `kept`: also for a while."""
    if not kept:
        return [_("quit   leave the game")]
    return [
        _("pause  leave for now; p2pfruit resume continues it"),
        _("quit   leave the game for good"),
    ]
