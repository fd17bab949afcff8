"""What can go wrong, each with a stable code.

Three families: what a person set up wrongly (SetupError), what a player may not do (BadMoveText,
IllegalMove), and an answer that does not fit the need it answers (BadOutcome, BadRecord), which
is never a player's fault but that of whoever runs the game.
"""

from typing import ClassVar


class EngineError(Exception):
    """Anything that the engine refuses; nothing has changed."""

    code: ClassVar[str] = "engine"


class SetupError(EngineError):
    """The game cannot be set up as asked."""

    code = "setup"


class UnknownGame(SetupError):
    code = "unknown-game"


class BadOption(SetupError):
    code = "bad-option"


class BadSeats(SetupError):
    code = "bad-seats"


class BadContent(SetupError):
    code = "bad-content"


class BadMoveText(EngineError):
    """The text is not a move of any game."""

    code = "bad-move-text"


class IllegalMove(EngineError):
    """The move breaks a rule that everybody can see; `rule` names it."""

    code = "illegal-move"

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{why} (rule: {rule})")
        self.rule = rule
        self.why = why


class BadOutcome(EngineError):
    """The answer does not fit the need."""

    code = "bad-outcome"


class BadRecord(EngineError):
    """The bytes are not the one canonical form of a record."""

    code = "bad-record"
