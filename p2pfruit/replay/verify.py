"""Verifies game files, and reports on them: in lines for people, or as JSON for programs."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from shutil import get_terminal_size
from typing import Any, NamedTuple

from p2pfruit import limits
from p2pfruit.exits import FAILED, FINE, NOT_FINAL, OVER_BUDGET
from p2pfruit.games import terms
from p2pfruit.home import verification
from p2pfruit.language import text as _
from p2pfruit.replay import unknown, verdict
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.folding import fold
from p2pfruit.text.safe import padded, shown_path, width
from protocol.file.gamefile import OverBudget, Refused, UnknownRules
from protocol.file.report import Report, Verdict, report
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

    @property
    def code(self) -> int:
        """Return the exit code for this file alone."""
        if self.unreadable is not None:
            return FAILED
        if isinstance(self.refused, OverBudget):
            return OVER_BUDGET
        final = self.table is not None and self.report.verdict is Verdict.FINAL
        return FINE if final else NOT_FINAL

    @property
    def identity(self) -> "Identity | None":
        if self.table is None:
            return None
        return Identity(shown_path(self.path), self.report.roster.table, self.digest)

    @cached_property
    def report(self) -> Report:
        assert self.table is not None
        return report(self.table)


class Identity(NamedTuple):
    """The data that tells one file from another; it is kept when the table is no longer needed."""

    file: str
    table: bytes
    digest: str


def check(path: str, budget_s: float = limits.VERIFY_BUDGET_S) -> Checked:
    data = b""
    try:
        data = verification.load(path)
        table = verification.open_table(data, pace=verification.budget(budget_s))
    except OSError as error:
        return Checked(path, unreadable=error)
    except Refused as refused:
        return Checked(path, refused=refused, digest=sha256(data).hexdigest())
    return Checked(path, digest=sha256(data).hexdigest(), table=table)


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
        *losses(checked.table, checked.report, names),
        *_terms(checked.report),
        *_players(checked.report, names),
        *_points(checked.report, names),
    ]


def losses(table: Table, found: Report, names: Sequence[str]) -> list[str]:
    """Return lines about the players who cheated or were lost on the way."""
    lost = [verdict.loss(table, one, names) for one in found.lost]
    late = [verdict.late_fork(names[player]) for player in found.late_forks]
    return [f"  {line}" for line in [*lost, *late]]


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


def _points(found: Report, names: Sequence[str]) -> list[str]:
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
    for seat in _ranked(found):
        points = [str(row[seat]) for row in rounds]
        total = sum(row[seat] for row in found.scores)
        cells = [names[found.seats[seat]], *points, str(total)]
        rows.append(cells + ([_place(found, seat)] if found.places else []))
    return _table(rows)


def _ranked(found: Report) -> list[int]:
    seats = range(len(found.seats))
    return sorted(seats, key=lambda seat: found.places[seat] if found.places else seat)


def _place(found: Report, seat: int) -> str:
    place = found.places[seat]
    return f"{place}=" if found.places.count(place) > 1 else f"{place} "


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


def compared(files: Sequence[Identity]) -> list[str]:
    """Return lines that say which of several verified files are identical, or of the same table."""
    if len(files) < 2:
        return []
    lines = [""]
    tables = list(_grouped(files, lambda file: file.table))
    for same_table in tables:
        copies = list(_grouped(same_table, lambda file: file.digest))
        for same in copies:
            if len(same) > 1:
                lines.append(_("byte-identical: {files}").format(files=_listed(same)))
        if len(copies) > 1:
            firsts = _listed([same[0] for same in copies])
            lines.append(_("same table, but different files: {files}").format(files=firsts))
    if len(tables) > 1:
        firsts = _listed([same[0] for same in tables])
        lines.append(_("different tables: {files}").format(files=firsts))
    return lines


def _grouped(
    files: Sequence[Identity], mark: Callable[[Identity], object]
) -> Iterator[list[Identity]]:
    for one in dict.fromkeys(map(mark, files)):
        yield [file for file in files if mark(file) == one]


def _listed(files: Sequence[Identity]) -> str:
    return ", ".join(file.file for file in files)


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
    found = checked.report
    roster = found.roster
    return {
        "verdict": found.verdict,
        "sha256": checked.digest,
        "table": roster.table.hex(),
        **terms.fields(roster),
        "players": [
            {"name": player.name, "key": player.key.hex(), "fingerprint": fingerprint(player.key)}
            for player in roster.players
        ],
        "seats": found.seats,
        "step": found.step,
        "scores": found.scores,
        "places": found.places,
        "owed": (found.owing and found.owed) or None,
        "owing": found.owing,
        "stopped": found.stopped,
        "stopped_by": found.stopped_by,
        "lost": [_loss(checked.table, lost) for lost in found.lost],
        "late_forks": found.late_forks,
    }


def _loss(table: Table, lost: Lost) -> dict[str, Any]:
    why = lost.ending.why
    return {
        "player": lost.player,
        "step": lost.step,
        "why": why,
        "cheated": why in (Why.BAD, Why.FORKED),
        "entry": verdict.evidence(table, lost),
        "code": lost.ending.code or None,
        "said": lost.ending.said or None,
    }
