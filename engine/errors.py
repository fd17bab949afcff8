"""The errors of the engine, each with a stable code.

There are three families. SetupError: a person asked for a game that cannot be set up. BadMoveText
and IllegalMove: a player tried something that the rules do not allow. BadOutcome and BadRecord: an
answer does not fit the need. The last are never a player's fault, but the fault of the runner.
"""

from typing import ClassVar


class EngineError(Exception):
    """The base of all errors. An operation that raises one has changed nothing."""

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


class BadPackage(SetupError):
    """An installed package offers this game, but the game cannot be loaded; `why` says why."""

    code = "bad-package"

    def __init__(self, name: str, origin: object, why: str) -> None:
        super().__init__(f"the game {name!r} of the package {origin} cannot be played: {why}")
        self.name = name
        self.origin = origin
        self.why = why


class BadMoveText(EngineError):
    """The text is not a move of any game."""

    code = "bad-move-text"


class IllegalMove(EngineError):
    """The move breaks a rule, as every player can see; `rule` names it."""

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
