"""The question about an absent player, for whom the table has waited long enough, and its replies.

A player who gives no reply gives the default: go on without the absent player. The default is to
stop in three cases: if going on is not possible; if there never was a link to the absent player,
because then only others say that it is silent; and if a few ballots have come to nothing, because
then others hold something that we miss.
"""

from dataclasses import dataclass
from enum import StrEnum

from protocol import limits
from protocol.peer.clocks import Clocks
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.table import Table


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


class Absence:
    """What a peer asks its player about the players for whom the table waits.

    `met` are the players to whom there ever was a link.
    """

    def __init__(self, table: Table, party: Party | None, clocks: Clocks, met: set[int]) -> None:
        self._table = table
        self._party = party
        self._clocks = clocks
        self._met = met

    def question(self, now_ms: int) -> Question | None:
        """Return the question about the players for whom the table waits, once all are late."""
        party, table = self._party, self._table
        waiting = table.waiting_for
        if party is None or not party.can_sign or not waiting or party.me in waiting:
            return None
        if set(waiting) - set(self._clocks.late(now_ms)):
            return None
        return Question(
            step=table.play.step,
            players=waiting,
            waited_ms=max(self._clocks.waited_ms(player, now_ms) for player in waiting),
            can_go_on=self._can_vote(party, waiting),
            direct=self._met.issuperset(waiting),
            signing=table.play.phase is Phase.SIGNING,
            ballots=table.ballots.number,
        )

    def reply(self, question: Question, reply: Reply, now_ms: int) -> bool:
        """Do what the player decided, if the question still stands.

        Return True if nothing but the word of the player says that it waits.
        """
        party, now = self._party, self.question(now_ms)
        if party is None or now is None:
            return False
        if (now.step, now.players) != (question.step, question.players):
            return False
        least_ms, waits = 0, False
        if reply is Reply.STOP:
            party.stop()
        elif reply is Reply.GO_ON and now.can_go_on:
            party.vote(*question.players)
            least_ms = limits.BALLOT_MS
        elif self.called_to_vote:
            party.vote()
        else:
            waits = True
        self._clocks.wait(now_ms, least_ms)
        return waits

    def _can_vote(self, party: Party, waiting: tuple[int, ...]) -> bool:
        ballots = self._table.ballots
        return (
            party.can_name(waiting)
            and party.me not in ballots.current
            and ballots.number < limits.BALLOTS_MOST
        )

    @property
    def called_to_vote(self) -> bool:
        """Return True if another player has voted in the running ballot, and I have not."""
        party, current = self._party, self._table.ballots.current
        return party is not None and bool(current) and party.me not in current

    @property
    def voted_in_vain(self) -> bool:
        """Return True if I have voted in this step, and no ballot can be won any more.

        Too few players are left then.
        """
        party, table, ballots = self._party, self._table, self._table.ballots
        if party is None or party.me in ballots.current:
            return False
        if not any(party.me in votes for votes in ballots.running):
            return False
        waiting = table.waiting_for
        return party.me not in waiting and not self._can_vote(party, waiting)
