"""Line mode: a table played by reading lines and typing answers.

It needs no cursor and no colour, so it works in any terminal and reads well aloud.
"""

from collections.abc import Callable
from textwrap import wrap
from typing import Any

from engine.moves import Move
from engine.needs import Slot
from engine.views import View
from p2pfruit.language import text as _
from p2pfruit.telling import Misread, Teller, numbered

Say = Callable[[str], None]
Ask = Callable[[str], str]


class Quit(Exception):
    """The player leaves the table."""


class LinePlayer:
    """A person at a terminal, in the place of a bot: is shown a view, answers a move."""

    was_cut = False  # a person has all the time there is

    def __init__(
        self, teller: Teller, rules: Callable[[], str], say: Say, ask: Ask, width: int = 80
    ) -> None:
        self.width = width
        self.teller = teller
        self.rules = rules
        self.say = say
        self.ask = ask
        self._held: frozenset[Slot] = frozenset()  # my hand when I was last asked

    def __call__(self, view: View[Any]) -> Move:
        choices = self.teller.choices(view)
        self._show([*self._drawn(view), *self.teller.table(view)])
        if len(choices) == 1:
            label, move = choices[0]
            self._show([_("the only answer left is given for you: {label}").format(label=label)])
            return move
        self._show(["", self.teller.question(view), *self._menu(view)])
        while True:
            typed = self._read()
            if (answer := self._command(view, typed)) is not None:
                self._show(answer)
                continue
            try:
                return self.teller.read(view, typed)
            except Misread as misread:
                self._show([str(misread)])

    def _drawn(self, view: View[Any]) -> list[str]:
        """Cards that joined a hand of which some is still here; a new round's hand is no news."""
        held, self._held = self._held, frozenset(view.hand)
        new = [view.known[slot] for slot in view.hand if slot not in held]
        return [self.teller.drawn(view, new)] if new and held & self._held else []

    def _read(self) -> str:
        try:
            return self.ask("> ").strip()
        except EOFError:
            raise Quit from None

    def _menu(self, view: View[Any]) -> list[str]:
        """The choices with their numbers, as many to a line as fit."""
        lines = [""]
        for at, (label, _move) in numbered(self.teller.choices(view)):
            item = f"  [{at}] {label}"
            if len(lines[-1]) + len(item) > self.width:
                lines.append("")
            lines[-1] += item
        return lines

    def _command(self, view: View[Any], typed: str) -> list[str] | None:
        """What to show for a word that is not an answer; None if it should be one."""
        match typed.lower():
            case "":
                return self._menu(view)
            case "?" | "h" | "help" | "aide":
                return self._help()
            case "t" | "table":
                return [*self.teller.table(view), *self._menu(view)]
            case "rules" | "regles" | "règles":
                return self.rules().splitlines()
            case "q" | "quit" | "quitter":
                raise Quit
        return None

    def _help(self) -> list[str]:
        return [
            _("answer with a number in brackets, or with the name of what you choose"),
            _("table  the table again"),
            _("rules  the rules of this game"),
            _("quit   leave the game"),
        ]

    def _show(self, lines: list[str]) -> None:
        for line in lines:
            self.say(fold(line, self.width))


def fold(line: str, width: int) -> str:
    """A line broken between words where the screen ends, the rest indented."""
    return "\n".join(wrap(line, width, subsequent_indent="    ", drop_whitespace=True)) or line
