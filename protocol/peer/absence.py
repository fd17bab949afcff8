"""What is asked when the table has waited long enough for somebody, and what can be answered.

Whoever says nothing has said the default: go on without the missing player. But stop, where going
on is not possible; where there never was a link to it, since then only others say that it is
silent; and where a few ballots have come to nothing, since then others hold what we miss.
"""

from dataclasses import dataclass
from enum import StrEnum

from protocol import limits


class Reply(StrEnum):
    WAIT = "wait"
    GO_ON = "go on"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Question:
    """The table has waited long enough for these players. What now?"""

    step: int
    players: tuple[int, ...]
    waited_ms: int
    can_go_on: bool  # whether the others may vote to go on without
    direct: bool  # whether there ever was a link to all of them
    ballots: int = 0  # that came to nothing in this step

    @property
    def default(self) -> Reply:
        hopeful = self.direct and self.ballots < limits.BALLOTS_BY_DEFAULT
        return Reply.GO_ON if self.can_go_on and hopeful else Reply.STOP
