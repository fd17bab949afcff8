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
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.folding import fold
from p2pfruit.text.safe import padded, shown_path, width
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
    data = b""
    try:
        data = verification.load(path)
        table = verification.open_table(data, pace=verification.budget(budget_s))
    except OSError as error:
        return Checked(path, unreadable=error)
    except Refused as refused:
        return Checked(path, refused=refused, digest=sha256(data).hexdigest(), data=data)
    return Checked(path, digest=sha256(data).hexdigest(), table=table, data=data)


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
    if isinstance(checked.refused, UnknownRules):
        headline = unknown.headline(checked.refused)
        return [f"{shown_path(checked.path)}: {headline}", *unknown.lines(checked.refused)]
    if checked.refused is not None:
        return [
            f"{shown_path(checked.path)}: {verdict.refusal(checked.refused)}",
            f"  {verdict.detail(checked.refused)}",
        ]
    assert checked.table is not None
    names = verdict.player_names(checked.report)
    return [
        f"{shown_path(checked.path)}: {verdict.headline(checked.report, names)}",
        *[f"  {line}" for line in verdict.losses(checked.table, checked.report, names)],
        *_terms(checked.report),
        *_players(checked.report, names),
        *points(checked.report, names),
    ]


def _terms(found: Report) -> list[str]:
    roster = found.roster
    table = _("table: {id}").format(id=roster.table.hex())
    return [f"  {line}" for line in [*terms.lines(roster, len(roster.players)), table]]


def _players(found: Report, names: Sequence[str]) -> list[str]:
    """Return the players in the order of their seats, or of the roster before seats are drawn."""
    rows = [[_("name"), _("fingerprint"), _("player"), _("seat")]]
    for seat, player in enumerate(found.seats or range(len(names))):
        key = fingerprint(found.roster.players[player].key)
        rows.append([names[player], key, str(player), str(seat) if found.seats else "-"])
    return ["", *_table(rows)]


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
    return _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows aligned in columns: names to the left, numbers to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        right = [
            " " * (most - width(cell)) + cell for cell, most in zip(cells, widths[1:], strict=True)
        ]
        lines.append("  " + "  ".join([padded(name, widths[0]), *right]).rstrip())
    return lines


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
