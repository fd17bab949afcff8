"""Questions line by line: for screen readers, and for terminals that cannot show the full screen.

The player answers with a number or the beginning of a line. An empty line keeps the proposed
answer, or goes back if there is none. Each question repeats the possible answers, so the player
never has to scroll back. The end of the input raises EOFError.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from p2pfruit.exits import Refusal, complain, say
from p2pfruit.language import text as _
from p2pfruit.net import pasted
from p2pfruit.ui.forms import Answers, Change, Field, Filling, Form, Picking, greeting
from p2pfruit.ui.lines.printing import print_lines

if TYPE_CHECKING:
    from p2pfruit.net.beacon import Found

_BACK = ("q", "quit", "quitter", "back", "retour")


class LineAsker:
    async def pick(self, picking: Picking) -> int | None:
        """Ask for an item. An empty line goes back, but asks again in the first list."""
        while True:
            print_lines(["", greeting(picking.title) if picking.top else picking.title])
            for number, item in enumerate(picking.items, 1):
                about = f": {item.about}" if item.about else ""
                print_lines([f"  {number}  {item.label}{about}"])
            labels = [item.label for item in picking.items]
            answer = _typed(_("a number, or the beginning of a line"))
            if answer.lower() in _BACK or (not answer and not picking.top):
                return None
            picked = _meant(answer, labels)
            if picked is not None:
                return picked
            if answer:
                say(_("{answer} is not in the list").format(answer=repr(answer)))

    async def fill(self, form: Form) -> Answers | None:
        print_lines(["", form.title, *([form.intro] if form.intro else [])])
        while True:
            filling = Filling(form)
            asked: set[str] = set()
            while (field := _next(filling, asked)) is not None:
                asked.add(field.name)
                if not _ask(filling, field):
                    return None
            note, refusal = filling.verdict()
            if refusal is None:
                print_lines([note] if note else [])
                return filling.answers
            complain(str(refusal), refusal.hint)

    async def adjust(self, make: Callable[[], Form], change: Change, at: int) -> int | None:
        while True:
            filling = Filling(make())
            fields = filling.form.fields
            print_lines(["", filling.form.title])
            for number, field in enumerate(fields, 1):
                about = filling.about(field)
                print_lines([f"  {number}  {field.label} = {filling.said(field)}: {about}"])
            answer = _typed(_("a number, or the beginning of a line; empty: back"))
            if not answer or answer.lower() in _BACK:
                return None
            picked = _meant(answer, [field.label for field in fields])
            if picked is None:
                say(_("{answer} is not in the list").format(answer=repr(answer)))
            else:
                _adjust(filling, fields[picked], change)

    async def listen(self) -> "Found | None":
        from p2pfruit.net.beacon import heard, listed
        from p2pfruit.net.limits import LAN_SECONDS

        print_lines(["", _("listening for {seconds} seconds").format(seconds=f"{LAN_SECONDS:g}")])
        tables = await heard(LAN_SECONDS)
        if not tables:
            print_lines([_("no tables found; a host announces a table with --announce")])
            return None
        print_lines([f"  {line}" for line in listed(tables)])
        while True:
            answer = _typed(_("a number; empty: back"))
            if not answer or answer.lower() in _BACK:
                return None
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(tables):
                return tables[int(answer) - 1]

    async def tell(self, title: str, lines: Sequence[str]) -> None:
        complain(title, "; ".join(lines))


def _adjust(filling: Filling, field: Field, change: Change) -> None:
    """Ask for one setting and apply it. Line mode never needs to be built again."""
    if not _ask(filling, field) or filling.answers[field.name] == field.start:
        return
    try:
        filling.form.check(filling.answers)
        change(field, filling.answers[field.name])
    except Refusal as refusal:
        complain(str(refusal), refusal.hint)


def _next(filling: Filling, asked: set[str]) -> Field | None:
    """Return the next field to ask for; a field with a single possible answer is skipped."""
    left = (field for field in filling.fields if field.name not in asked)
    return next((field for field in left if len(filling.offered(field)) != 1), None)


def _ask(filling: Filling, field: Field) -> bool:
    """Ask one question until it is answered; return False if the player went back."""
    about = filling.about(field)
    print_lines([field.label + (f" ({about})" if about else "")])
    offered = filling.offered(field)
    names = [words for _value, words in offered]
    if all(map(str.isdigit, names)):  # numbers are not numbered
        print_lines(["  " + ", ".join(names)] if names else [])
    else:
        print_lines([f"  {number}  {words}" for number, words in enumerate(names, 1)])
    proposed = filling.said(field)
    while True:
        prompt = _("empty: {proposed}").format(proposed=proposed) if proposed else _("empty: back")
        answer = pasted.ask(f"{prompt} > ").strip() if field.pasted else _typed(prompt)
        if not answer:
            return bool(proposed)
        if not offered:
            filling.put(field, answer)
            return True
        if answer.lower() in _BACK:
            return False
        picked = _meant(answer, names)
        if picked is not None:
            filling.put(field, offered[picked][0])
            return True
        say(_("{answer} is not in the list").format(answer=repr(answer)))


def _meant(answer: str, labels: Sequence[str]) -> int | None:
    """Return the index of the label that is named in full, by number, or by a unique beginning."""
    if answer in labels:
        return labels.index(answer)
    if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(labels):
        return int(answer) - 1
    begun = [
        at for at, label in enumerate(labels) if label.casefold().startswith(answer.casefold())
    ]
    return begun[0] if answer and len(begun) == 1 else None


def _typed(prompt: str) -> str:
    return input(f"{prompt} > ").strip()
