"""What a game file shows, in words: its class, and who was lost and why.

Absence is not cheating and leaving is not absence: each has its own words.
"""

from collections.abc import Sequence

from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened, shown_names
from protocol.file.gamefile import Refused
from protocol.file.report import Report, Stopped, Verdict
from protocol.table.events import Ending, Lost, Why
from protocol.table.table import Table


def player_names(report: Report) -> list[str]:
    """By player, as they can be printed."""
    return shown_names([player.name for player in report.roster.players])


def verified_means() -> str:
    return _(
        "every signature and every proof in its file was checked again: all have shuffled,"
        " no card was swapped, no choice was changed once it was sealed; anybody can check"
        " it with p2pfruit verify"
    )


def headline(report: Report, names: Sequence[str]) -> str:
    """The class of a file and whom it names."""
    match report.verdict:
        case Verdict.FINAL:
            return _("final: the game ended, and everybody still seated signed the result")
        case Verdict.UNSIGNED:
            return _("complete, unsigned by {names}").format(names=_listed(names, report.owing))
        case Verdict.UNFINISHED:
            return _("unfinished at step {step}, owed by {names} ({kind})").format(
                step=report.step, names=_listed(names, report.owing), kind=report.owed
            )
    assert report.stopped is not None
    return {
        Stopped.SPLIT: _("stopped: {names} told two stories, and both were acted on"),
        Stopped.TOO_FEW: _("stopped: too few were left to play on without {names}"),
        Stopped.GIVEN_UP: _("stopped: given up by {names}"),
    }[report.stopped].format(names=_listed(names, report.stopped_by))


def refusal(refused: Refused) -> str:
    """The class of a file that does not hold together; what exactly, the table says itself."""
    stages = {
        "form": _("refused: this is not a whole game file that this program can read"),
        "chain": _("refused: the entries do not follow one another"),
        "signature": _("refused: a signature is not its author's"),
        "reading": _("refused: this is not what an honest table would have kept"),
    }
    return stages.get(refused.stage, _("refused"))


def detail(refused: Refused) -> str:
    return f"{refused.stage}: {shortened(refused.why)}"


def _listed(names: Sequence[str], players: Sequence[int]) -> str:
    return ", ".join(names[player] for player in players)


# Who was lost.


def loss(table: Table, lost: Lost, names: Sequence[str]) -> str:
    """How a player was lost, in a line."""
    why = lost.ending.why
    words = {
        Why.LEFT: _("{name} left at step {step}"),
        Why.GONE: _("{name} was gone at step {step}: all others voted so"),
        Why.STOPPED: _("{name} gave the table up at step {step}"),
    }
    template = words.get(
        why, _("{name} cheated at step {step}, entry {entry}: {breach} ({detail})")
    )
    return template.format(
        name=names[lost.player],
        step=lost.step,
        entry=evidence(table, lost),
        breach=_breach(lost.ending),
        detail=_detail(lost.ending),
    )


def _detail(ending: Ending) -> str:
    """The code, and the table's own words where they say more than ours."""
    if ending.why is Why.FORKED or ending.code == "commitment":
        return ending.code
    return f"{ending.code}: {shortened(ending.said)}"


def evidence(table: Table, lost: Lost) -> int | None:
    """The number of the entry that breaks a rule: the first with a rival, or the last."""
    forks = table.feeds.forks(lost.player)
    if lost.ending.why is Why.FORKED and forks:
        return min(first.seq for first, _second in forks)
    return lost.ending.seq


def late_fork(name: str) -> str:
    return _("{name} also signed a second story, when it no longer mattered").format(name=name)


def _breach(ending: Ending) -> str:
    """The rule of the table that was broken."""
    if ending.why is Why.FORKED:
        if ending.code == "split":
            return _("told two stories, and both were acted on")
        return _("signed two entries with one number")
    return {
        "ballot": _("voted out of turn"),
        "claim": _("did not prove what the move claims"),
        "commitment": _("revealed another choice than was committed to"),
        "digest": _("signed something else than what was played"),
        "face": _("turned up a card that its pile does not have"),
        "fork": _("accused somebody without evidence"),
        "illegal": _("made a move against the rules of the game"),
        "key": _("shares a table key with another"),
        "kind": _("said something else than what was owed"),
        "not-owed": _("spoke when nothing was owed"),
        "proof": _("gave a proof that is false"),
        "seen": _("contradicted what was signed before"),
        "twice": _("said twice what is said once"),
        "vote": _("named somebody who could not be absent"),
    }.get(ending.code, _("said something that cannot be read"))
