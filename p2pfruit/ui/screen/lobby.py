"""The lobby: who is here, who is awaited, and the invitation that brings others."""

from collections.abc import Callable, Sequence

from p2pfruit.language import text as _
from p2pfruit.text.safe import width
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Line, Size, Span, folded, line


class LobbyModel:
    def __init__(self) -> None:
        self.game = ""
        self.seats = 0
        self.names: Sequence[str] = ()
        self.terms: Sequence[str] = ()  # that the players sit down to
        self.invitation = ""
        self.to_watch = ""
        self.qr: Sequence[str] = ()

    def gathered(
        self, game: str, seats: int, names: Sequence[str], terms: Sequence[str] = ()
    ) -> None:
        self.game, self.seats, self.names = game, seats, names
        self.terms = terms or self.terms


class LobbyPage(Page):
    """The page of the lobby. `go` is called when the player wants to leave; `copy` puts a text on
    the clipboard."""

    def __init__(
        self, model: LobbyModel, go: Callable[[], None], copy: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._model = model
        self._go = go
        self._copy = copy
        self._showing = ""  # "" the invitation, "watch" the one to watch, "qr" the code
        self._notice = ""

    def press(self, key: str) -> None:
        self._notice = ""
        model = self._model
        if key == "w" and model.to_watch:
            self._showing = "" if self._showing == "watch" else "watch"
        elif key == "r" and model.qr:
            self._showing = "" if self._showing == "qr" else "qr"
        elif key == "c" and model.invitation:
            self._copy(self._shown())
            self._notice = _("copied, if this terminal lets programs copy")
        elif key in ("escape", "q"):
            self._go()

    def _shown(self) -> str:
        model = self._model
        return model.to_watch if self._showing == "watch" else model.invitation

    def draw(self, size: Size) -> list[Line]:
        model = self._model
        if not model.game:
            rows: list[Line] = [line(Span(_("calling the host…"), "title"))]
        elif self._showing == "qr":  # it needs all the room there is
            rows = self._code(size)
        else:
            rows = [*self._people(), (), *self._invitation(size), (), *self._terms(size)]
        rows = rows[: max(0, size.lines - 2)]
        gap: list[Line] = [()] * (size.lines - 2 - len(rows))
        bar = key_bar(self._keys(), size.columns)
        return [*rows, *gap, line(Span(self._notice, "note")), bar][-size.lines :]

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
            game=model.game.capitalize(), count=len(model.names), seats=model.seats
        )
        rows = [line(Span(title, "title")), ()]
        rows += [line(Span("  ✓ ", "good"), name) for name in model.names]
        for _seat in range(model.seats - len(model.names)):
            rows.append(line(Span("  … " + _("a free seat"), "dim")))
        return rows

    def _invitation(self, size: Size) -> list[Line]:
        """Draw the invitation at the left edge, so that it can be marked with the mouse."""
        model = self._model
        if not model.invitation:
            return [line(_("the game begins when all seats are taken"))]
        watch = self._showing == "watch"
        said = _("others watch with this line:") if watch else _("others join with this line:")
        command = "p2pfruit watch " if watch else "p2pfruit join "
        return [line(said), (), *folded(command + self._shown(), size.columns, "strong")]

    def _terms(self, size: Size) -> list[Line]:
        return [row for told in self._model.terms for row in folded(told, size.columns, "note")]

    def _keys(self) -> list[tuple[str, str]]:
        model = self._model
        keys = [("c", _("copy"))] if model.invitation else []
        if model.to_watch:
            keys.append(("w", _("to watch")))
        if model.qr:
            keys.append(("r", _("QR code")))
        return [*keys, ("Esc", _("leave"))]
