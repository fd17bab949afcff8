"""The question about an absent player, for whom the table has waited long enough, and its replies.

A player who gives no reply gives the default: go on without the absent player. The default is to
stop in three cases: if going on is not possible; if there never was a link to the absent player,
because then only others say that it is silent; and if a few ballots have come to nothing, because
then others hold something that we miss.
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
    """The question what to do about these players, for whom the table has waited long enough."""

    step: int
    players: tuple[int, ...]
    waited_ms: int
    can_go_on: bool  # whether the others may vote to go on without them
    direct: bool  # whether there ever was a link to all of them
    signing: bool = False  # whether the game is over, and only signatures are missing
    ballots: int = 0  # how many ballots came to nothing in this step

    @property
    def default(self) -> Reply:
        hopeful = self.direct and self.ballots < limits.BALLOTS_BY_DEFAULT
        return Reply.GO_ON if self.can_go_on and hopeful else Reply.STOP
