"""The words for what a game file shows: its verdict, and how players were lost.

Leaving, stopping the table and being voted out are not cheating, and each has its own words. Where
a file cannot show who is to blame, the words say who signed what.
"""

from collections.abc import Sequence

from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened, shown_names
from protocol.feed.entries import AGREE, COMMIT, MOVE, REVEAL, SHARES, SHUFFLE
from protocol.file.gamefile import OverBudget, Refused
from protocol.file.report import Report, Stopped, Verdict, gave_up
from protocol.table.events import Ending, Lost, Why
from protocol.table.table import Table


def player_names(report: Report) -> list[str]:
    """Return the names of all players, safe to print."""
    return shown_names([player.name for player in report.roster.players])


def verified_means(report: Report) -> str:
    """Return what a verified file shows: of a game that was left early, only how far it went."""
    if report.verdict in (Verdict.FINAL, Verdict.UNSIGNED) and report.scores:
        return _(
            "every signature and every proof in the game file was checked: all players have"
            " shuffled, no card was swapped, and no choice was changed once it was sealed; anyone"
            " can check this with `p2pfruit verify`"
        )
    return _(
        "every signature and every proof in the game file was checked, as far as the game went;"
        " anyone can check this with `p2pfruit verify`"
    )


def headline(report: Report, names: Sequence[str]) -> str:
    """Return the verdict on a file, with the players concerned."""
    said = [_verdict(report, names)]
    stopped = [stop.player for stop in report.stops if stop.owed and stop.step == report.step]
    if report.verdict is Verdict.UNFINISHED and stopped:
        said.append(_("stopped by {names}").format(names=_listed(names, stopped)))
    if report.places and report.contested_by and report.verdict is not Verdict.FINAL:
        contested = _listed(names, report.contested_by)
        said.append(_("contested by {names}").format(names=contested))
    if report.voting:
        said.append(_("being voted on: {names}").format(names=_listed(names, report.voting)))
    return _in_a_row(said)


def _verdict(report: Report, names: Sequence[str]) -> str:
    owing = _listed(names, report.owing)
    match report.verdict:
        case Verdict.FINAL if report.contested_by:
            words = _("final, contested by {names}: everyone still seated signed the result")
            return words.format(names=_listed(names, report.contested_by))
        case Verdict.FINAL:
            return _("final: the game ended, and everyone still seated signed the result")
        case Verdict.UNSIGNED:
            return _("finished, not signed by {names}").format(names=owing)
        case Verdict.UNFINISHED:
            words = _("unfinished at step {step}: waiting for {what} from {names}")
            if report.owed in (COMMIT, MOVE):
                words = _("unfinished at step {step}: waiting for {names} to play")
            return words.format(step=report.step, names=owing, what=_owed(report.owed))
    return _stopped(report, names)


def _stopped(report: Report, names: Sequence[str]) -> str:
    by = _listed(names, report.stopped_by)
    if report.stopped is Stopped.SPLIT:
        words = _("stopped: {names} signed two conflicting histories, and players acted on both")
        return words.format(names=by)
    if report.stopped is Stopped.TOO_FEW:
        return _("too few left: the game could not go on without {names}").format(names=by)
    stops = [s for s in report.stops if s.player in report.stopped_by and s.step == report.step]
    kinds = {stop.kind for stop in stops}
    owed = sorted({player for stop in stops for player in stop.owed})
    words = _("stopped by {names}: by what they had seen, {owing} owed {what}")
    if len(stops) == 1:
        words = _("stopped by {names}: by what {names} had seen, {owing} owed {what}")
    what = _owed(kinds.pop() if len(kinds) == 1 else "")
    return words.format(names=by, owing=_listed(names, owed), what=what)


def _owed(kind: str) -> str:
    """Return words for an entry that a player owed."""
    return {
        AGREE: _("a signature"),
        COMMIT: _("a move"),
        MOVE: _("a move"),
        REVEAL: _("the reveal of a move"),
        SHARES: _("shares of cards"),
        SHUFFLE: _("a shuffle"),
    }.get(kind, _("an answer"))


def refusal(refused: Refused) -> str:
    """Return the verdict on a file that failed verification. detail() has the exact reason."""
    if isinstance(refused, OverBudget):
        return _("given up: this file takes more processor time than one file may take")
    stages = {
        "form": _("refused: this is not a complete game file that this program can read"),
        "chain": _("refused: the chain of entries is broken"),
        "signature": _("refused: a signature is false"),
        "reading": _("refused: no honest table would have written this file"),
        "series": _("refused: these games do not make up the series of the contract"),
    }
    return stages.get(refused.stage, _("refused"))


def detail(refused: Refused) -> str:
    if isinstance(refused, OverBudget):
        words = {
            "signature": _("{done} of {count} entries have a good form, place and signature"),
            "reading": _("{done} of {count} entries were read"),
            "proof": _("{done} of {count} proofs were checked"),
        }
        return words[refused.stage].format(done=refused.done, count=refused.count)
    return f"{refused.stage}: {shortened(refused.why)}"


def _in_a_row(said: Sequence[str]) -> str:
    """Return several statements as one line."""
    whole, *more = said
    for one in more:
        whole = _("{said}; {more}").format(said=whole, more=one)
    return whole


def _listed(names: Sequence[str], players: Sequence[int]) -> str:
    return ", ".join(names[player] for player in players)


# Lost players.


def losses(table: Table, found: Report, names: Sequence[str]) -> list[str]:
    """Return lines about the players who were lost, and why: what they signed, or others did."""
    lost = [loss(table, one, names) for one in found.lost]
    return [*lost, *[_forked(found, names[player]) for player in found.late_forks]]


def loss(table: Table, lost: Lost, names: Sequence[str]) -> str:
    """Return a line about how a player was lost.

    Clocks are not in feeds. So a line says what was owed, by what the players who signed so had
    seen, and never that a player was late or absent.
    """
    match lost.ending.why:
        case Why.LEFT:
            return _left(table, lost, names[lost.player])
        case Why.STOPPED:
            return _gave_up(table, lost, names)
        case Why.GONE:
            return _voted_out(table, lost, names)
    words = _("{name} cheated at step {step}, entry {entry}: {breach} ({detail})")
    if lost.ending.code == "digest":  # an honest player with other rules would do the same
        words = _(
            "{name} signs another state: cheating, or another program (step {step}, entry {entry})"
        )
    return words.format(
        name=names[lost.player],
        step=lost.step,
        entry=evidence(table, lost),
        breach=_breach(lost.ending),
        detail=_detail(lost.ending),
    )


def _left(table: Table, lost: Lost, name: str) -> str:
    """Return a line with the player's points against the best of the others in finished rounds."""
    points, seats = table.points_at(lost.step), table.play.seats
    if lost.player in table.signed:
        return _("{name} left after signing the result").format(name=name)
    if not points or lost.player not in seats:
        return _("{name} left at step {step}").format(name=name, step=lost.step)
    mine = points[seats.index(lost.player)]
    others = [player for player in table.seated_in(lost.step) if player != lost.player]
    best = max([points[seats.index(player)] for player in others], default=mine)
    words = _("{name} left at step {step}, while even at {mine} to {best}")
    if mine < best:
        words = _("{name} left at step {step}, while losing {mine} to {best}")
    elif mine > best:
        words = _("{name} left at step {step}, while leading {mine} to {best}")
    return words.format(name=name, step=lost.step, mine=mine, best=best)


def _gave_up(table: Table, lost: Lost, names: Sequence[str]) -> str:
    stop = next(gave_up(table, stop) for stop in table.stops if stop.player == lost.player)
    name, owing = names[stop.player], _joined(names, stop.owed)
    if lost.player in table.signed:
        words = _("{name} signed, and did not wait any longer for the signature of {owing}")
        return words.format(name=name, owing=owing)
    words = _(
        "by what {name} had seen, {owing} owed {what} when {name} stopped the table at step {step}"
    )
    said = [words.format(name=name, owing=owing, what=_owed(stop.kind), step=stop.step)]
    if stop.waited:
        said.append(_("{names} had voted to wait").format(names=_joined(names, stop.waited)))
    if stop.silent:
        silent = _joined(names, stop.silent)
        said.append(_("{names} had not answered the ballot").format(names=silent))
    return _in_a_row(said)


def _voted_out(table: Table, lost: Lost, names: Sequence[str]) -> str:
    voters = lost.ending.by
    others = [
        other.player
        for other in table.lost
        if (other.step, other.ending.why, other.ending.by) == (lost.step, Why.GONE, voters)
        and other.player != lost.player
    ]
    words = _("{voters} voted {name} out at step {step}: by what they had seen, {name} owed {what}")
    if others:
        words = _(
            "{name} was dropped by {voters} at step {step}, together with {others}:"
            " by what they had seen, {name} owed {what}"
        )
    return words.format(
        name=names[lost.player],
        voters=_listed(names, voters) if others else _joined(names, voters),
        step=lost.step,
        others=_joined(names, others),
        what=_owed(table.kind_in(lost.step, [lost.player])),
    )


def _joined(names: Sequence[str], players: Sequence[int]) -> str:
    """Return the names of players for the middle of a sentence."""
    *some, last = [names[player] for player in players] or [""]
    if not some:
        return last
    return _("{some} and {last}").format(some=", ".join(some), last=last)


def _detail(ending: Ending) -> str:
    """Return the code, and the table's own words where they say more than ours."""
    if ending.why is Why.FORKED or ending.code == "commitment":
        return ending.code
    return f"{ending.code}: {shortened(ending.said)}"


def evidence(table: Table, lost: Lost) -> int | None:
    """Return the number of the entry that breaks a rule.

    For a fork it is the first entry with a rival, otherwise the last entry.
    """
    forks = table.feeds.forks(lost.player)
    if lost.ending.why is Why.FORKED and forks:
        return min(first.seq for first, _second in forks)
    return lost.ending.seq


def _forked(found: Report, name: str) -> str:
    """Return words for a player who has forked, and is not lost for that."""
    if found.verdict in (Verdict.FINAL, Verdict.UNSIGNED):
        words = _("{name} also signed a conflicting history, when it no longer mattered")
    else:
        words = _("{name} signed two conflicting histories")
    return words.format(name=name)


def _breach(ending: Ending) -> str:
    """Return words for the rule of the table that was broken."""
    if ending.why is Why.FORKED:
        if ending.code == "split":
            return _("signed two conflicting histories, and players acted on both")
        return _("signed two entries with the same number")
    return {
        "ballot": _("voted out of turn"),
        "claim": _("did not prove what the move claims"),
        "commitment": _("revealed a different choice than the sealed one"),
        "face": _("turned up a card that is not in its pile"),
        "fork": _("accused a player without evidence"),
        "illegal": _("made a move against the rules of the game"),
        "key": _("shares a table key with another player"),
        "kind": _("sent something other than what was owed"),
        "not-owed": _("sent an answer when none was owed"),
        "proof": _("gave a false proof"),
        "ready": _("confirmed other sealed choices than there are"),
        "seen": _("contradicted an earlier signature"),
        "twice": _("answered twice"),
        "vote": _("voted a player out who, by what the voter had seen, owed nothing"),
    }.get(ending.code, _("sent something that cannot be read"))
