"""Questions, on the screen and in lines: one of several items, or a form with fields.

A form is a value: its fields, what may be answered to each, and a check of all answers together. A
Filling is a form that is being filled in; it keeps every answer among those that are offered, and
knows which questions matter so far.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from p2pfruit import limits
from p2pfruit.exits import Refusal
from p2pfruit.language import text as _

Answers = Mapping[str, Any]
Offered = Sequence[tuple[Any, str]]  # values, and what they are called


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One question; free text unless answers are offered. `asked` says whether it matters."""

    name: str
    label: str
    start: Any
    about: str = ""
    offered: Callable[[Answers], Offered] | None = None
    asked: Callable[[Answers], bool] = lambda _answers: True
    most: int = limits.TYPED_LENGTH_MOST

    @property
    def is_switch(self) -> bool:
        return isinstance(self.start, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """`further` are the fields that come with an answer; `check` says what is good about the
    answers, or raises Refusal."""

    title: str
    take: str  # what happens with the answers, in a word
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
    """One of several things. `at` is the one that is proposed; `top`: the first list of all, whose
    title is the name of the player."""

    title: str
    items: tuple[Item, ...]
    at: int = 0
    top: bool = False


def greeting(name: str) -> str:
    """Return the title of the first list, which greets the player."""
    return _("Hello, {name}").format(name=name)


class Filling:
    def __init__(self, form: Form) -> None:
        self.form = form
        self.answers: dict[str, Any] = {field.name: field.start for field in form.fields}
        self._settle()

    @property
    def fields(self) -> list[Field]:
        """Return the fields that matter so far."""
        return [field for field in self.known if field.asked(self.answers)]

    def offered(self, field: Field) -> Offered:
        return () if field.offered is None else field.offered(self.answers)

    def said(self, field: Field) -> str:
        """Return what the answer is called."""
        answer = self.answers[field.name]
        return next((words for value, words in self.offered(field) if value == answer), str(answer))

    def put(self, field: Field, answer: Any) -> None:
        self.answers[field.name] = answer
        self._settle()

    def turn(self, field: Field, by: int) -> None:
        """Take the next of the answers that are offered; the first follows the last."""
        values = [value for value, _words in self.offered(field)]
        at = values.index(self.answers[field.name])
        self.put(field, values[(at + by) % len(values)])

    def verdict(self) -> tuple[str, Refusal | None]:
        """Return what is good about the answers, or why they are refused."""
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


# Takes effect at once; True where the front itself must be built anew for it.
Change = Callable[[Field, Any], bool]


class Asker(Protocol):
    """Puts questions to the player. None is the answer of a player who went back."""

    async def pick(self, picking: Picking) -> int | None: ...

    async def fill(self, form: Form) -> Answers | None: ...

    async def adjust(self, make: Callable[[], Form], change: Change, at: int) -> int | None:
        """Let the player change answers one by one, and make the form again after each. Return the
        row at which to begin with a new front, or None at the end."""

    async def listen(self) -> Any:
        """Return a table of this network that the player picks (net.beacon.Found)."""

    async def tell(self, title: str, lines: Sequence[str]) -> None: ...
