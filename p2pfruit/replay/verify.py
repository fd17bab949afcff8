"""Verifies game files, and reports on them: in lines for people, or as JSON for programs."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from shutil import get_terminal_size
from typing import Any

from p2pfruit import limits
from p2pfruit.exits import FAILED, FINE, NOT_FINAL, OVER_BUDGET
from p2pfruit.games import terms
from p2pfruit.home import verification
from p2pfruit.language import text as _
from p2pfruit.replay import unknown, verdict
from p2pfruit.text import places
from p2pfruit.text.columns import aligned
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.folding import fold
from p2pfruit.text.safe import width
from protocol.feed.roster import Roster
from protocol.file.gamefile import OverBudget, Refused, UnknownRules
from protocol.file.report import GaveUp, Report, Verdict, report
from protocol.table.events import Lost, Why
from protocol.table.table import Table


@dataclass(frozen=True)
class Checked:
    """The result of checking one file: it cannot be read, is refused, or has a table."""

    path: str
    unreadable: OSError | None = None
    refused: Refused | None = None
    digest: str = ""  # of the bytes of the whole file
    table: Table | None = None
    data: bytes = field(default=b"", repr=False)  # the file
    inside: bool = False  # it is a part of the file at the path

    @property
    def code(self) -> int:
        """Return the exit code for this file alone."""
        if self.unreadable is not None:
            return FAILED
        if isinstance(self.refused, OverBudget):
            return OVER_BUDGET
        final = self.table is not None and self.report.verdict is Verdict.FINAL
        return FINE if final else NOT_FINAL

    @cached_property
    def report(self) -> Report:
        assert self.table is not None
        return report(self.table)


def check(path: str, budget_s: float = limits.VERIFY_BUDGET_S) -> Checked:
    loaded = load(path)
    return loaded if isinstance(loaded, Checked) else check_data(path, loaded, budget_s)


def load(path: str) -> bytes | Checked:
    """Return the bytes of a file, or what to say if they cannot be read."""
    try:
        return verification.load(path)
    except OSError as error:
        return Checked(path, unreadable=error)
    except Refused as refused:
        return Checked(path, refused=refused, digest=sha256(b"").hexdigest())


def check_data(path: str, data: bytes, budget_s: float, *, inside: bool = False) -> Checked:
    """Check the bytes of a game file that was loaded from a path."""
    table, refused = None, None
    try:
        table = verification.open_table(data, pace=verification.budget(budget_s))
    except Refused as error:
        refused = error
    return Checked(
        path,
        refused=refused,
        digest=sha256(data).hexdigest(),
        table=table,
        data=data,
        inside=inside,
    )


# For people.


def print_lines(lines: Sequence[str]) -> None:
    """Print lines, folded to the width of a terminal; elsewhere they are not folded."""
    columns = max(get_terminal_size().columns, limits.COLUMNS_LEAST)
    screen = sys.stdout is not None and sys.stdout.isatty()
    for line in lines:
        print(fold(line, columns) if screen else line)
    if sys.stdout is not None:
        sys.stdout.flush()  # show the results of one file while the next one is read


def as_lines(checked: Checked) -> list[str]:
    name = verification.shown_file(checked.path)
    if isinstance(checked.refused, UnknownRules):
        return [f"{name}: {unknown.headline(checked.refused)}", *unknown.lines(checked.refused)]
    if checked.refused is not None:
        return [
            f"{name}: {verdict.refusal(checked.refused)}",
            f"  {verdict.detail(checked.refused)}",
        ]
    assert checked.table is not None
    names = verdict.player_names(checked.report)
    return [
        f"{name}: {verdict.headline(checked.report, names)}",
        *[f"  {line}" for line in verdict.losses(checked.table, checked.report, names)],
        "  " + _("verified: every signature and every proof in this file holds"),
        *_terms(checked.report),
        *_players(checked.report, names),
        *points(checked.report, names),
    ]


def _terms(found: Report) -> list[str]:
    roster = found.roster
    told = [*terms.lines(roster, len(roster.players))]
    if roster.series is not None:
        words = _("series: game {number} of {id}")
        told.append(words.format(number=roster.series.number, id=roster.series.contract.hex()))
    told.append(_("table: {id}").format(id=roster.table.hex()))
    return [f"  {line}" for line in told]


def _players(found: Report, names: Sequence[str]) -> list[str]:
    """Return the players in the order of their seats, or of the roster before seats are drawn."""
    rows = [[_("name"), _("fingerprint"), _("player"), _("seat")]]
    for seat, player in enumerate(found.seats or range(len(names))):
        key = fingerprint(found.roster.players[player].key)
        rows.append([names[player], key, str(player), str(seat) if found.seats else "-"])
    return ["", *_indented(rows)]


def points(found: Report, names: Sequence[str]) -> list[str]:
    """Return the points of the finished rounds, with places once the game has ended.

    If there are too many rounds, only the totals are shown.
    """
    if not found.scores and not found.places:
        return ["", "  " + _("no round was finished")]
    told = found.scores if len(found.scores) <= limits.ROUNDS_TOLD_MOST else ()
    numbers = [str(number) for number in range(1, len(told) + 1)]
    named = [_("round {round}").format(round=number) for number in numbers]
    table = _scores(found, names, told, named)
    if max(map(width, table)) > limits.TABLE_COLUMNS_MOST:
        table = _scores(found, names, told, numbers)
    return ["", *table]


def _scores(
    found: Report, names: Sequence[str], rounds: Sequence[Sequence[int]], heads: Sequence[str]
) -> list[str]:
    header = [_("result") if found.places else _("so far"), *heads, _("points"), _("place")]
    rows = [header if found.places else header[:-1]]
    for seat in places.ranked(found.places) if found.places else range(len(found.seats)):
        points = [str(row[seat]) for row in rounds]
        total = sum(row[seat] for row in found.scores)
        cells = [names[found.seats[seat]], *points, str(total)]
        rows.append(cells + ([f"{places.mark(found.places, seat):2}"] if found.places else []))
    return _indented(rows)


def _indented(rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"  {line}" for line in aligned(rows)]


# For programs.


def as_json(checked: Checked) -> str:
    return json.dumps({"file": checked.path, **_fields(checked)})


def _fields(checked: Checked) -> dict[str, Any]:
    if checked.unreadable is not None:
        return {"verdict": "unreadable", "why": checked.unreadable.strerror}
    if isinstance(checked.refused, UnknownRules):
        return {"sha256": checked.digest, **unknown.fields(checked.refused)}
    if isinstance(checked.refused, OverBudget):
        return {
            "verdict": "over-budget",
            "sha256": checked.digest,
            "stage": checked.refused.stage,
            "done": checked.refused.done,
            "count": checked.refused.count,
        }
    if checked.refused is not None:
        return {
            "verdict": "refused",
            "stage": checked.refused.stage,
            "code": checked.refused.code or None,
            "why": checked.refused.why,
        }
    assert checked.table is not None
    return {"sha256": checked.digest, **table_fields(checked.table, checked.report)}


def table_fields(table: Table, found: Report) -> dict[str, Any]:
    """Return what a table shows, as fields for programs."""
    roster = found.roster
    return {
        "verdict": found.verdict,
        "table": roster.table.hex(),
        "series": series_fields(roster),
        **terms.fields(roster),
        "players": [
            {"name": player.name, "key": player.key.hex(), "fingerprint": fingerprint(player.key)}
            for player in roster.players
        ],
        "seats": found.seats,
        "step": found.step,
        "scores": found.scores,
        "places": places.plain(found.places),
        "owed": (found.owing and found.owed) or None,
        "owing": found.owing,
        "stopped": found.stopped,
        "stopped_by": found.stopped_by,
        "stops": [_stop(stop) for stop in found.stops],
        "voting": found.voting,
        "lost": [
            _loss(table, lost, points)
            for lost, points in zip(found.lost, found.standings, strict=True)
        ],
        "dropped": found.dropped,
        "contested_by": found.contested_by,
        "late_forks": found.late_forks,
    }


def series_fields(roster: Roster) -> dict[str, Any] | None:
    """Return where a table stands in a series."""
    if roster.series is None:
        return None
    series = roster.series
    return {
        "id": series.contract.hex(),
        "number": series.number,
        "before": series.before.hex() or None,
    }


def _stop(stop: GaveUp) -> dict[str, Any]:
    return {
        "player": stop.player,
        "step": stop.step,
        "owed": stop.kind or None,
        "owing": stop.owed,
        "waited": stop.waited,
        "silent": stop.silent,
        "done": stop.done,
    }


def _loss(table: Table, lost: Lost, points: Sequence[int]) -> dict[str, Any]:
    why = lost.ending.why
    return {
        "player": lost.player,
        "step": lost.step,
        "why": why,
        "cheated": why in (Why.BAD, Why.FORKED),
        "entry": verdict.evidence(table, lost),
        "code": lost.ending.code or None,
        "said": lost.ending.said or None,
        "by": lost.ending.by,
        "points": points,
    }
