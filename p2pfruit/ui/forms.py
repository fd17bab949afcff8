"""Questions for the player, independent of the front: a list of items, or a form with fields.

A Form is a value: its fields, the possible answers, and a check of all answers together. A Filling
is a form with the answers so far; it keeps each answer among those that are offered, and knows
which fields matter for the other answers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from p2pfruit import limits
from p2pfruit.exits import Refusal
from p2pfruit.language import text as _

Answers = Mapping[str, Any]
Offered = Sequence[tuple[Any, str]]  # values and their names


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One question: free text, or a choice if answers are `offered`. `asked` hides it if False.

    `pasted`: the text is an invitation, which may come in several lines.
    """

    name: str
    label: str
    start: Any
    about: str | Callable[[Answers], str] = ""
    offered: Callable[[Answers], Offered] | None = None
    asked: Callable[[Answers], bool] = lambda _answers: True
    most: int = limits.TYPED_LENGTH_MOST
    pasted: bool = False

    @property
    def is_switch(self) -> bool:
        return isinstance(self.start, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The questions of one page.

    `further` returns the fields that depend on an answer. `check` returns a remark on valid answers
    and raises Refusal for others.
    """

    title: str
    take: str  # the word on the button
    fields: tuple[Field, ...]
    further: Callable[[Answers], Sequence[Field]] = lambda _answers: ()
    intro: str = ""
    check: Callable[[Answers], str] = lambda _answers: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    label: str
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picking:
    """A list to pick from, beginning at item `at`.

    `top` marks the first list of all, whose title is the name of the player.
    """

    title: str
    items: tuple[Item, ...]
    at: int = 0
    top: bool = False


def greeting(name: str) -> str:
    """Return the heading of the first list."""
    return _("Hello, {name}").format(name=name)


class Filling:
    def __init__(self, form: Form) -> None:
        self.form = form
        self.answers: dict[str, Any] = {field.name: field.start for field in form.fields}
        self._settle()

    @property
    def fields(self) -> list[Field]:
        """Return the fields that matter for the answers so far."""
        return [field for field in self.known if field.asked(self.answers)]

    def offered(self, field: Field) -> Offered:
        return () if field.offered is None else field.offered(self.answers)

    def said(self, field: Field) -> str:
        """Return the name of the current answer."""
        answer = self.answers[field.name]
        return next((words for value, words in self.offered(field) if value == answer), str(answer))

    def about(self, field: Field) -> str:
        """Return what is said about a field; it may depend on the answers."""
        return field.about if isinstance(field.about, str) else field.about(self.answers)

    def put(self, field: Field, answer: Any) -> None:
        self.answers[field.name] = answer
        self._settle()

    def turn(self, field: Field, by: int) -> None:
        """Move `by` answers forward in the list, around its end."""
        values = [value for value, _words in self.offered(field)]
        at = values.index(self.answers[field.name])
        self.put(field, values[(at + by) % len(values)])

    def verdict(self) -> tuple[str, Refusal | None]:
        """Return the remark on the answers, and the Refusal if they are not valid."""
        try:
            return self.form.check(self.answers), None
        except Refusal as refusal:
            return "", refusal

    def _settle(self) -> None:
        """Replace each answer that is no longer offered by the nearest one."""
        self.known = (*self.form.fields, *self.form.further(self.answers))
        for field in self.known:
            values = [value for value, _words in self.offered(field)]
            answer = self.answers.setdefault(field.name, field.start)
            if values and answer not in values:
                self.answers[field.name] = _nearest(answer, values)


def _nearest(answer: Any, values: Sequence[Any]) -> Any:
    if isinstance(answer, int) and all(isinstance(value, int) for value in values):
        return min(values, key=lambda value: abs(value - answer))
    return values[0]


# Applies a change at once; returns True if the front must be built again.
Change = Callable[[Field, Any], bool]


class Asker(Protocol):
    """A front that asks questions. The answer is None if the player went back."""

    async def pick(self, picking: Picking) -> int | None: ...

    async def fill(self, form: Form) -> Answers | None: ...

    async def adjust(self, make: Callable[[], Form], change: Change, at: int) -> int | None:
        """Let the player change answers one by one; make the form again after each change.

        Return the row to continue at in a new front, or None at the end.
        """

    async def listen(self) -> Any:
        """Return a table announced on the local network (net.beacon.Found)."""

    async def tell(self, title: str, lines: Sequence[str]) -> None: ...
