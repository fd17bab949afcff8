"""Exit codes, and the one way to leave with one of them: say what happened and what to do."""

FINE = 0
FAILED = 1
USAGE = 2
NO_CONNECTION = 3
CHEATED = 4
ENDED_EARLY = 5
NOT_FINAL = 6
INTERRUPTED = 130


class Goodbye(Exception):
    """The person at the keyboard has had enough: no error, but not the end that was meant."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Refusal(Exception):
    """A message for the person at the keyboard; the program ends with this code.

    Lower case, no full stop; `hint` says what to do next.
    """

    def __init__(self, message: str, *, hint: str | None = None, code: int = FAILED) -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code
