"""Reports: what a table, or the file of one, shows.

final       the game ended and every player still seated signed the result; the report names the
            players who cheated or were lost on the way
unsigned    the game ended, but a signature is missing
stopped     the table cannot go on: a fork split it, too few players are left, or a player gave up
unfinished  something is owed; any part of a game looks like this, and it says nothing about why
refused     the file failed verification (see protocol/file/gamefile.py), so there is no table
"""

from dataclasses import dataclass
from enum import StrEnum

from engine.needs import ABANDONED, Done
from protocol.feed.roster import Roster
from protocol.table.events import Lost, Why
from protocol.table.phases import PHASES, Phase
from protocol.table.table import Table


class Verdict(StrEnum):
    FINAL = "final"
    UNSIGNED = "unsigned"
    STOPPED = "stopped"
    UNFINISHED = "unfinished"


class Stopped(StrEnum):
    """The reason why a table stopped."""

    SPLIT = "split"  # one player signed two histories, and players acted on both
    TOO_FEW = "too-few"  # not enough players were left
    GIVEN_UP = "given-up"  # a player waited as long as the table allows


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    verdict: Verdict
    roster: Roster
    seats: tuple[int, ...]  # the player at each seat
    step: int
    scores: tuple[tuple[int, ...], ...]  # by round and seat
    places: tuple[int, ...]  # by seat; empty before the end
    owed: str  # the kind of entry that is owed
    owing: tuple[int, ...]  # the players who owe it, or have not signed
    lost: tuple[Lost, ...]
    stopped: Stopped | None
    stopped_by: tuple[int, ...]
    late_forks: tuple[int, ...]  # players who signed two histories when it no longer mattered

    @property
    def cheats(self) -> tuple[Lost, ...]:
        """Return the losses of players who broke the rules of the table, as the file proves."""
        return tuple([loss for loss in self.lost if loss.ending.why in (Why.BAD, Why.FORKED)])


def report(table: Table) -> Report:
    play = table.play
    need = play.state.need
    verdict, owing = Verdict.UNFINISHED, table.waiting_for
    stopped, by = _stopped(table)
    if stopped is not None:
        verdict = Verdict.STOPPED
    elif isinstance(need, Done):
        owing = owing or _unsigned(table)
        verdict = Verdict.UNSIGNED if owing else Verdict.FINAL
    return Report(
        verdict=verdict,
        roster=table.roster,
        seats=play.seats,
        step=play.step,
        scores=play.state.scores,
        places=need.places if isinstance(need, Done) else (),
        owed=PHASES[play.phase].kind,
        owing=owing,
        lost=tuple(sorted(table.lost, key=lambda loss: (loss.step, loss.player))),
        stopped=stopped,
        stopped_by=by,
        late_forks=tuple(
            player
            for player in range(len(table.roster.players))
            if table.feeds.forks(player) and not _forked(table, player)
        ),
    )


def _forked(table: Table, player: int) -> bool:
    ending = table.ended.get(player)
    return ending is not None and ending.why is Why.FORKED


def _stopped(table: Table) -> tuple[Stopped | None, tuple[int, ...]]:
    need = table.play.state.need
    if table.split is not None:
        return Stopped.SPLIT, (table.split,)
    if isinstance(need, Done) and need.ended == ABANDONED:
        return Stopped.TOO_FEW, tuple(sorted(table.ended))
    gave_up = [player for player, ending in table.ended.items() if ending.why is Why.STOPPED]
    if gave_up and table.play.phase is not Phase.OVER:
        return Stopped.GIVEN_UP, tuple(sorted(gave_up))
    return None, ()


def _unsigned(table: Table) -> tuple[int, ...]:
    """Return the players who were to sign the result and were lost without having cheated."""
    return tuple(
        player
        for player in table.play.signers
        if player not in table.play.signed and table.ended[player].why not in (Why.BAD, Why.FORKED)
    )
