"""Reports: what a table, or the file of one, shows.

final       the game ended and every player still seated signed the result; the report names the
            players who cheated or were lost on the way, and those who contest the result
unsigned    the game ended, but a signature is missing; those that there are settle the result
stopped     the table cannot go on: a fork split it, too few players are left, or those who are not
            left owing gave up
unfinished  something is owed; any part of a game looks like this, and it says nothing about why.
            Players who stopped have left; the others may go on without them
refused     the file failed verification (see protocol/file/gamefile.py), so there is no table

Clocks are not in feeds. So a report never says that a player was late, only that it owed something
by what another player had seen.

A player contests the result if it stopped the table because others owed, or if it was voted out
together with others. The game went on without it, and the record cannot show who was to blame. So
such a player has no place: its place is NO_PLACE, and the others are ranked among themselves.
"""

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum

from engine.needs import ABANDONED, NO_PLACE, Done
from protocol.feed.roster import Roster
from protocol.file.gamefile import without_seat
from protocol.table.events import Lost, Stop, Why
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


@dataclass(frozen=True, slots=True)
class GaveUp:
    """A player stopped the table. What the others did is as far as the file shows it."""

    player: int
    step: int
    owed: tuple[int, ...]  # the players who owed, by what this player had seen
    kind: str  # of the entry that they owed; empty if they may have owed something else
    waited: tuple[int, ...]  # the players who had voted to wait
    silent: tuple[int, ...]  # the players who had not answered the last ballot
    done: bool  # the game ended with this player, who owed no more than a signature

    @property
    def contests(self) -> bool:
        return bool(self.owed) and not self.done


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    verdict: Verdict
    roster: Roster
    seats: tuple[int, ...]  # the player at each seat
    step: int
    scores: tuple[tuple[int, ...], ...]  # by round and seat
    places: tuple[int, ...]  # by seat, NO_PLACE for none; empty before the end
    owed: str  # the kind of entry that is owed
    owing: tuple[int, ...]  # the players who owe it, or have not signed
    lost: tuple[Lost, ...]
    stopped: Stopped | None
    stopped_by: tuple[int, ...]
    stops: tuple[GaveUp, ...]
    voting: tuple[int, ...]  # the players whom a ballot is about that is not decided
    dropped: tuple[int, ...]  # the players who were voted out together with others
    standings: tuple[tuple[int, ...], ...]  # for each loss: the points of all seats at that time
    late_forks: tuple[int, ...]  # players who signed two histories when it no longer mattered

    @property
    def cheats(self) -> tuple[Lost, ...]:
        """Return the losses of players who broke the rules of the table, as the file proves."""
        return tuple([loss for loss in self.lost if _cheated(loss)])

    @property
    def contested_by(self) -> tuple[int, ...]:
        """Return the players who have no place, because they did not agree to be left out."""
        return tuple(sorted({s.player for s in self.stops if s.contests} | set(self.dropped)))


def report(table: Table) -> Report:
    table = without_seat(table)
    play = table.play
    need = play.state.need
    verdict = Verdict.UNFINISHED
    owing = table.waiting_for if table.stopped is None else (table.stopped,)
    stopped, by = _stopped(table)
    voting = _voting(table)
    if stopped is Stopped.GIVEN_UP and voting:
        stopped, by = None, ()
    if stopped is not None:
        verdict = Verdict.STOPPED
    elif isinstance(need, Done):
        owing = owing or _unsigned(table)
        if not owing:
            verdict = Verdict.FINAL
        elif _settled(table):
            verdict = Verdict.UNSIGNED
    settled = verdict is not Verdict.UNFINISHED
    signed = table.signed if settled else ()  # who leaves after that is not lost
    stops = tuple([gave_up(table, s) for s in sorted(table.stops) if s.player not in signed])
    dropped = _dropped_together(table)
    no_place = {stop.player for stop in stops if stop.contests} | set(dropped)
    losses = [
        loss
        for loss in table.lost
        if loss.player not in signed or (_cheated(loss) and not table.signed_before(loss))
    ]
    lost = tuple(sorted(losses, key=lambda loss: (loss.step, loss.player)))
    return Report(
        verdict=verdict,
        roster=table.roster,
        seats=play.seats,
        step=play.step,
        scores=play.state.scores,
        places=_ranked(table, no_place) if settled else (),
        owed=PHASES[play.phase].kind,
        owing=owing,
        lost=lost,
        stopped=stopped,
        stopped_by=by,
        stops=stops,
        voting=voting,
        dropped=dropped,
        standings=tuple([table.points_at(loss.step) for loss in lost]),
        late_forks=tuple(
            player
            for player in range(len(table.roster.players))
            if table.feeds.forks(player) and not _forked(table, player)
        ),
    )


def _cheated(loss: Lost) -> bool:
    return loss.ending.why in (Why.BAD, Why.FORKED)


def _ranked(table: Table, left_out: Set[int]) -> tuple[int, ...]:
    """Return the places of the seats among those that have one.

    If too few were left, the one who is left may be the one who owed, if others gave up; and until
    it has signed, it may have given up itself without having heard that others left.
    """
    need = table.play.state.need
    if not isinstance(need, Done):
        return ()
    if need.ended == ABANDONED and (left_out or table.play.phase is not Phase.OVER):
        return ()
    seats = list(zip(need.places, table.play.seats, strict=True))
    placed = [place for place, player in seats if player not in left_out]
    return tuple(
        NO_PLACE if player in left_out else 1 + sum(other < place for other in placed)
        for place, player in seats
    )


def gave_up(table: Table, stop: Stop) -> GaveUp:
    ballots = table.ballots.of(stop.step)
    seated = table.seated_in(stop.step)
    waited = {p for votes in ballots for p, vote in votes.items() if not vote.named}
    asked = [votes for votes in ballots if votes]
    silent = set(seated) - asked[-1].keys() - {stop.player} if asked else set()
    return GaveUp(
        stop.player,
        stop.step,
        stop.about,
        table.kind_in(stop.step, stop.about),
        tuple(sorted(waited)),
        tuple(sorted(silent - _ended_before(table, stop.step))),
        isinstance(table.play.state.need, Done) and stop.player in _stayed(table),
    )


def _stayed(table: Table) -> list[int]:
    """Return the players who have kept their seats."""
    return [table.play.seats[seat] for seat in table.play.state.seated]


def _ended_before(table: Table, step: int) -> set[int]:
    return {loss.player for loss in table.lost if loss.step < step}


def _dropped_together(table: Table) -> tuple[int, ...]:
    """Return the players whom the others voted out in one ballot with others."""
    gone = [loss for loss in table.lost if loss.ending.why is Why.GONE]
    together = Counter((loss.step, loss.ending.by) for loss in gone)
    return tuple(sorted(p for p, step, end in gone if together[step, end.by] > 1))


def _voting(table: Table) -> tuple[int, ...]:
    """Return the players whose feeds may still be ended by a ballot in which votes were cast.

    At a table that was stopped, the player who is left may not have answered such a ballot yet.
    """
    if table.stopped is not None:
        return tuple(sorted(table.may_still_drop(table.stopped)))
    if table.over:
        return ()
    return tuple(sorted({p for vote in table.ballots.current.values() for p in vote.named}))


def _forked(table: Table, player: int) -> bool:
    ending = table.ended.get(player)
    return ending is not None and ending.why is Why.FORKED


def _stopped(table: Table) -> tuple[Stopped | None, tuple[int, ...]]:
    need = table.play.state.need
    if table.split is not None:
        return Stopped.SPLIT, (table.split,)
    if table.stopped is not None:
        last = [stop.player for stop in table.stops if table.stopped in stop.about]
        return Stopped.GIVEN_UP, tuple(sorted(last))
    if isinstance(need, Done) and need.ended == ABANDONED:
        return Stopped.TOO_FEW, tuple(sorted(table.ended))
    return None, ()


def _settled(table: Table) -> bool:
    """Return True if enough players have signed the result to know that it will stay.

    A player who has signed it holds all answers of the last step, and votes against none of their
    authors. So the others can drop only those players together who are the only ones that signed.
    """
    count = len(table.play.state.seated)
    most = table.drop if 2 * (count - table.drop) > count else 1
    return count <= 2 or len(table.signed) > most


def _unsigned(table: Table) -> tuple[int, ...]:
    """Return the players who were to sign the result and were lost without having cheated."""
    return tuple(
        player
        for player in table.play.signers
        if player not in table.play.signed and table.ended[player].why not in (Why.BAD, Why.FORKED)
    )
