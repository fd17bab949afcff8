"""The words for what a game file shows: its verdict, and how players were lost.

Absence is not cheating, and leaving is not absence. Each has its own words.
"""

from collections.abc import Sequence

from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened, shown_names
from protocol.feed.entries import COMMIT, MOVE
from protocol.file.gamefile import OverBudget, Refused
from protocol.file.report import Report, Stopped, Verdict
from protocol.table.events import Ending, Lost, Why
from protocol.table.table import Table


def player_names(report: Report) -> list[str]:
    """Return the names of all players, safe to print."""
    return shown_names([player.name for player in report.roster.players])


def verified_means() -> str:
    return _(
        "every signature and every proof in the game file was checked again: all players have"
        " shuffled, no card was swapped, and no choice was changed once it was sealed; anyone can"
        " check this with `p2pfruit verify`"
    )


def headline(report: Report, names: Sequence[str]) -> str:
    """Return the verdict on a file, with the players concerned."""
    match report.verdict:
        case Verdict.FINAL:
            return _("final: the game ended, and everyone still seated signed the result")
        case Verdict.UNSIGNED:
            words = _("complete, but not signed by {names}")
            return words.format(names=_listed(names, report.owing))
        case Verdict.UNFINISHED:
            words = _("unfinished at step {step}: waiting for {names} ({kind})")
            if report.owed in (COMMIT, MOVE):
                words = _("unfinished at step {step}: waiting for {names} to play")
            waiting_for = _listed(names, report.owing)
            return words.format(step=report.step, names=waiting_for, kind=report.owed)
    assert report.stopped is not None
    return {
        Stopped.SPLIT: _(
            "stopped: {names} signed two conflicting histories, and players acted on both"
        ),
        Stopped.TOO_FEW: _("stopped: too few players were left without {names}"),
        Stopped.GIVEN_UP: _("stopped: {names} gave up"),
    }[report.stopped].format(names=_listed(names, report.stopped_by))


def refusal(refused: Refused) -> str:
    """Return the verdict on a file that failed verification. detail() has the exact reason."""
    if isinstance(refused, OverBudget):
        return _("given up: this file takes more processor time than one file may take")
    stages = {
        "form": _("refused: this is not a complete game file that this program can read"),
        "chain": _("refused: the chain of entries is broken"),
        "signature": _("refused: a signature is false"),
        "reading": _("refused: no honest table would have written this file"),
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


def _listed(names: Sequence[str], players: Sequence[int]) -> str:
    return ", ".join(names[player] for player in players)


# Lost players.


def loss(table: Table, lost: Lost, names: Sequence[str]) -> str:
    """Return a line about how a player was lost."""
    why = lost.ending.why
    words = {
        Why.LEFT: _("{name} left at step {step}"),
        Why.GONE: _("{name} was absent at step {step}: all others voted so"),
        Why.STOPPED: _("{name} gave up at step {step}"),
    }
    cheated = _("{name} cheated at step {step}, entry {entry}: {breach} ({detail})")
    if lost.ending.code == "digest":  # an honest player with other rules would do the same
        cheated = _(
            "{name} signs another state: cheating, or another program (step {step}, entry {entry})"
        )
    template = words.get(why, cheated)
    return template.format(
        name=names[lost.player],
        step=lost.step,
        entry=evidence(table, lost),
        breach=_breach(lost.ending),
        detail=_detail(lost.ending),
    )


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


def late_fork(name: str) -> str:
    words = _("{name} also signed a conflicting history, when it no longer mattered")
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
        "vote": _("voted against a player who could not be absent"),
    }.get(ending.code, _("sent something that cannot be read"))
