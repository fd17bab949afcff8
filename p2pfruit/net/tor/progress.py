"""How far tor is, in words for people, and what is said when there is no tor."""

from collections.abc import Callable
from dataclasses import dataclass

from p2pfruit.exits import NO_CONNECTION, Refusal
from p2pfruit.language import text as _
from p2pfruit.net.tor.control import ControlError, Reply, fields
from p2pfruit.text.safe import shortened


class NoTor(Refusal):
    """There is no tor that can be used, or it could not do what it was asked for."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint=hint, code=NO_CONNECTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    percent: int
    words: str


# Tor's word for a relay that has closed the connection. It would read as if all were well.
_HUNG_UP = "DONE"

Told = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A phase of tor's start. `warning` is what tor says it is stuck at, if it says so."""

    percent: int
    tag: str
    warning: str | None

    @classmethod
    def parse(cls, text: str) -> "Phase":
        """Return the phase that a status event or GETINFO tells. Raises ControlError."""
        said = fields(text)
        digits, tag = said.get("PROGRESS", ""), said.get("TAG", "")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 3 and int(digits) <= 100):
            raise ControlError(_("it does not tell how far it is"))
        warning = said.get("WARNING")
        return cls(
            percent=int(digits),
            tag=tag,
            warning=None if warning is None else shortened(warning),
        )

    @classmethod
    def of_event(cls, event: Reply) -> "Phase | None":
        """Return the phase that an event tells, or None if it tells something else."""
        return cls.parse(event.lines[0]) if " BOOTSTRAP " in event.lines[0] else None

    @property
    def is_done(self) -> bool:
        return self.percent == 100

    @property
    def progress(self) -> Progress:
        words, warning = self._words(), self.warning
        if warning and warning != _HUNG_UP:
            words = f"{words}: {warning.lower()}"
        return Progress(percent=self.percent, words=words)

    def _words(self) -> str:
        if self.is_done:
            return _("connected to Tor")
        if self.percent < 15:
            return _("connecting to Tor")
        if self.percent < 75:
            return _("loading Tor's directory of relays")
        return _("building a way through Tor")
