"""Compares verified files of one table, and says what all their entries show together.

The table of each file is forgotten as soon as its results are printed. So files of one table that
are not the same are opened once more, and only their entries are held.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Any

from p2pfruit import limits
from p2pfruit.exits import CONTRADICTING, FINE, OVER_BUDGET, Refusal
from p2pfruit.home import verification
from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.replay.verify import Checked, points, table_fields
from p2pfruit.text.safe import shown_names
from protocol.feed.entries import Entry
from protocol.feed.feeds import Feeds
from protocol.feed.roster import Roster
from protocol.file.gamefile import OverBudget, UnknownRules, hold
from protocol.file.report import Report, report
from protocol.file.union import Claim, Fork, contradicting, find_forks, unite
from protocol.table.table import Table

ID_DIGITS = 8  # of an entry's id: enough to find it in `show --entries`


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A verified file, as far as it is needed to compare it with others."""

    path: str
    digest: str
    roster: Roster
    claim: Claim | None  # None if the rules are not known here
    data: bytes  # the file, if it cannot be opened again, or nothing
    inside: bool = False  # it is a part of the file at the path

    @property
    def name(self) -> str:
        return verification.shown_file(self.path)

    def feeds(self) -> Feeds:
        """Return the entries of the file. Raises Refusal if it was changed meanwhile."""
        data = self.data
        try:
            data = data or verification.load(self.path)
        except OSError:
            data = b""
        if sha256(data).hexdigest() != self.digest:
            message = _("{path} was changed while it was verified").format(path=self.name)
            raise Refusal(message, hint=_("verify it again"))
        return hold(data)


def member(checked: Checked) -> Member | None:
    """Return what is kept of a file; None if it was not verified, so that it is not used."""
    if isinstance(checked.refused, UnknownRules):
        roster, claim = checked.refused.roster, None
    elif checked.table is not None:
        roster, claim = checked.table.roster, Claim.of(checked.table, checked.report)
    else:
        return None
    kept = checked.inside or checked.path == verification.STDIN
    return Member(
        path=checked.path,
        digest=checked.digest,
        roster=roster,
        claim=claim,
        data=checked.data if kept else b"",
        inside=checked.inside,
    )


class Relation(StrEnum):
    EQUAL = "equal"  # all files have the same bytes
    PART = "part"  # one file has every entry of the others
    UNION = "union"  # each file has entries that another one lacks
    CONTRADICT = "contradict"


@dataclass(frozen=True)
class Compared:
    """The files of one table.

    Files with the same bytes count as one: each list about files is about the first of them.
    """

    members: tuple[Member, ...]
    different: tuple[Member, ...]
    held: tuple[Feeds, ...] = ()
    forks: tuple[Fork, ...] = ()
    table: Table | None = None  # None if the files are equal, or their rules are not known
    over_budget: OverBudget | None = None

    @property
    def roster(self) -> Roster:
        return self.members[0].roster

    @cached_property
    def report(self) -> Report:
        assert self.table is not None
        return report(self.table)

    @cached_property
    def whole(self) -> tuple[Member, ...]:
        """Return the files that have every entry of all files."""
        most = len({entry.id for held in self.held for _, entry in held.log})
        pairs = zip(self.different, self.held, strict=True)
        return tuple(one for one, held in pairs if len(held.log) == most)

    @cached_property
    def standing(self) -> tuple[bool, ...] | None:
        """Return for each file if the union says the same, if the union was read."""
        if self.table is None:
            return None
        said = Claim.of(self.table, self.report)
        return tuple(one.claim is not None and one.claim.stands(said) for one in self.different)

    @property
    def relation(self) -> Relation:
        if len(self.different) == 1:
            return Relation.EQUAL
        if contradicting(self.forks, self.standing or ()):
            return Relation.CONTRADICT
        return Relation.PART if self.whole else Relation.UNION

    @property
    def code(self) -> int:
        if self.relation is Relation.CONTRADICT:
            return CONTRADICTING
        return OVER_BUDGET if self.over_budget is not None else FINE

    def holders(self, player: int, entry: Entry) -> list[Member]:
        pairs = zip(self.different, self.held, strict=True)
        return [one for one, held in pairs if held.held(player, entry.head)]


def compare(members: Sequence[Member], budget_s: float = limits.VERIFY_BUDGET_S) -> list[Compared]:
    """Compare all files that are of one table, for each table of which there are several."""
    return [_compare(group, budget_s) for group in _tables(members) if len(group) > 1]


def _tables(members: Sequence[Member]) -> Iterator[list[Member]]:
    for table in dict.fromkeys(one.roster.table for one in members):
        yield [one for one in members if one.roster.table == table]


def _compare(members: Sequence[Member], budget_s: float) -> Compared:
    digests = [one.digest for one in members]
    different = tuple(one for at, one in enumerate(members) if digests.index(one.digest) == at)
    if len(different) == 1:
        return Compared(tuple(members), different)
    held = tuple([one.feeds() for one in different])
    forks = find_forks(held, unite(held))
    table, over_budget = None, None
    if all(one.claim is not None for one in different):
        try:
            table = verification.open_together(held, verification.budget(budget_s))
        except OverBudget as error:
            over_budget = error
    return Compared(tuple(members), different, held, forks, table, over_budget)


# For people.


def as_lines(members: Sequence[Member], found: Sequence[Compared]) -> list[str]:
    lines = [line for one in found for line in _lines(one)]
    tables = [same[0] for same in _tables(members) if not same[0].inside]
    if len(tables) > 1:
        lines.append(_("different tables: {files}").format(files=_listed(tables)))
    return ["", *lines] if lines else []


def _lines(found: Compared) -> list[str]:
    lines = []
    for one in found.different:
        same = [other for other in found.members if other.digest == one.digest]
        if len(same) > 1:
            lines.append(_("byte-identical: {files}").format(files=_listed(same)))
    return [*lines, *_differences(found)]


def _differences(found: Compared) -> Iterator[str]:
    files = _listed(found.different)
    if found.relation is Relation.PART:
        whole = found.whole[0]
        for one in found.different:
            if one is not whole:
                words = _("{part} is a part of {whole}, which says more")
                yield words.format(part=one.name, whole=whole.name)
    elif found.relation is Relation.UNION:
        yield _("same table, and each file says something more: {files}").format(files=files)
        yield from _union(found)
    elif found.relation is Relation.CONTRADICT:
        yield _("these files contradict each other: {files}").format(files=files)
        yield from _forks(found)
        yield from _union(found)
        for one, stands in zip(found.different, found.standing or (), strict=False):
            words = _("{file} says the same") if stands else _("{file} says something else")
            yield "  " + words.format(file=one.name)


def _forks(found: Compared) -> Iterator[str]:
    names = shown_names([player.name for player in found.roster.players])
    for fork in found.forks:
        words = _("{name} signed two entries with the number {number}: {first} and {second}")
        first, second = [_entry(found, fork.player, one) for one in (fork.first, fork.second)]
        yield "  " + words.format(
            name=names[fork.player], number=fork.first.seq, first=first, second=second
        )


def _entry(found: Compared, player: int, entry: Entry) -> str:
    return _("{id} (step {step}, in {files})").format(
        id=entry.id.hex()[:ID_DIGITS], step=entry.step, files=_listed(found.holders(player, entry))
    )


def _union(found: Compared) -> Iterator[str]:
    """Yield what all entries show together, as far as they were read."""
    if found.over_budget is not None:
        yield "  " + _("together they were given up: {detail}").format(
            detail=verdict.detail(found.over_budget)
        )
    elif found.table is None:
        yield "  " + _("together they were not read, because the rules are not known here")
    else:
        names = verdict.player_names(found.report)
        words = verdict.headline(found.report, names)
        yield "  " + _("together they say: {verdict}").format(verdict=words)
        for lost in found.report.lost:
            yield "  " + verdict.loss(found.table, lost, names)
        if found.report.places:
            yield from [*points(found.report, names), ""]


def _listed(files: Sequence[Member]) -> str:
    return ", ".join(file.name for file in files)


# For programs.


def as_json(found: Compared) -> str:
    paths = [one.path for one in found.different]
    return json.dumps(
        {
            "files": [one.path for one in found.members],
            "table": found.roster.table.hex(),
            "relation": found.relation,
            "different": paths,
            "whole": [one.path for one in found.whole] if len(paths) > 1 else paths,
            "stand": found.standing,
            "forks": [_fork(found, fork) for fork in found.forks],
            "together": _fields(found),
        }
    )


def _fork(found: Compared, fork: Fork) -> dict[str, Any]:
    pair = (fork.first, fork.second)
    return {
        "player": fork.player,
        "entry": fork.first.seq,
        "ids": [entry.id.hex() for entry in pair],
        "steps": [entry.step for entry in pair],
        "files": [[one.path for one in found.holders(fork.player, entry)] for entry in pair],
    }


def _fields(found: Compared) -> dict[str, Any] | None:
    if found.over_budget is not None:
        error = found.over_budget
        fields = {"stage": error.stage, "done": error.done, "count": error.count}
        return {"verdict": "over-budget", **fields}
    return None if found.table is None else table_fields(found.table, found.report)
