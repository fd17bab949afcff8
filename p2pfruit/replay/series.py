"""Verifies series: series files, and game files of one series, read together.

A series file is opened into its games. Each is verified like any other game file. Then all files of
one series are put in their order, and the standings follow. The contract comes from a series file.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engine.needs import NO_PLACE
from p2pfruit import limits
from p2pfruit.exits import CONTRADICTING, FINE, NOT_FINAL
from p2pfruit.games import contracts
from p2pfruit.home.verification import is_series
from p2pfruit.language import text as _
from p2pfruit.replay import verdict, verify
from p2pfruit.replay.together import Compared, Relation
from p2pfruit.replay.verify import Checked
from p2pfruit.text import places
from p2pfruit.text.columns import aligned
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.safe import shown_names, shown_path
from protocol.file.gamefile import OverBudget, Refused, UnknownRules
from protocol.series import seriesfile
from protocol.series.chain import Conflict, Course, follow
from protocol.series.contract import Contract, Effect, SignedContract
from protocol.series.played import How, Played

ID_DIGITS = 12  # of a series, or a table, where it is only told from others


@dataclass(frozen=True)
class Opened:
    """What is at a path: a game file, or a series file with its contract and its games."""

    files: tuple[Checked, ...]
    signed: SignedContract | None = None


def check(path: str, budget_s: float) -> Opened:
    """Verify a file, and if it is a series file every game in it."""
    loaded = verify.load(path)
    if isinstance(loaded, Checked):
        return Opened((loaded,))
    if not is_series(loaded):
        return Opened((verify.check_data(path, loaded, budget_s),))
    try:
        return _open(path, loaded, budget_s)
    except Refused as refused:
        return Opened((Checked(path, refused=refused, digest=sha256(loaded).hexdigest()),))


def _open(path: str, data: bytes, budget_s: float) -> Opened:
    found = seriesfile.read(data)
    games = []
    for at, one in enumerate(found.files, start=1):
        checked = verify.check_data(path, one, budget_s, inside=True)
        refused = checked.refused
        if isinstance(refused, OverBudget):
            raise refused
        if refused is not None and not isinstance(refused, UnknownRules):
            raise Refused(refused.stage, f"game file {at}: {refused.why}", refused.code)
        games.append(checked)
    return Opened(tuple(games), found.signed)


def played(checked: Checked) -> Played | None:
    """Return what a verified file shows of a game of a series, if it is one."""
    digest = bytes.fromhex(checked.digest)
    if isinstance(checked.refused, UnknownRules):
        in_series = checked.refused.roster.series is not None
        return Played.unknown(checked.refused, digest) if in_series else None
    if checked.table is None or checked.table.roster.series is None:
        return None
    return Played.of(checked.table, digest, checked.report)


@dataclass(frozen=True)
class Judged:
    """A series, by all files of it: its course, or why they make up none."""

    paths: tuple[str, ...]
    contract: Contract
    course: Course | None = None
    refused: Refused | None = None

    @property
    def code(self) -> int:
        if self.course is None:
            return NOT_FINAL
        if self.course.conflicts:
            return CONTRADICTING
        return FINE if self.course.standings.over else NOT_FINAL

    @property
    def verdict(self) -> str:
        if self.course is None:
            return "refused"
        if self.course.conflicts:
            return "contradict"
        return "over" if self.course.standings.over else "unfinished"


def judge(
    contracts_found: Iterable[SignedContract],
    files: Sequence[tuple[str, Played]],
    compared: Sequence[Compared],
) -> list[Judged]:
    """Judge each series of which there is a contract. `compared` are files of one table."""
    by_id = {signed.contract.id: signed.contract for signed in contracts_found}
    together = {one.roster.table: _together(one) for one in compared if one.table is not None}
    forkers = frozenset([key for one in compared for key in _forkers(one)])
    return [
        _judged(contract, [one for one in files if one[1].series.contract == id], together, forkers)
        for id, contract in by_id.items()
    ]


def _judged(
    contract: Contract,
    files: Sequence[tuple[str, Played]],
    together: dict[bytes, Played | None],
    forkers: frozenset[bytes],
) -> Judged:
    paths = tuple(dict.fromkeys(path for path, _ in files))
    unions = {table: one for table, one in together.items() if one is not None}
    try:
        course = follow(contract, [one for _, one in files], unions, forkers)
    except Refused as refused:
        return Judged(paths, contract, refused=refused)
    return Judged(paths, contract, course)


def _together(one: Compared) -> Played | None:
    if one.table is None or one.roster.series is None:
        return None
    digest = sha256(b"".join(bytes.fromhex(file.digest) for file in one.different)).digest()
    return Played.of(one.table, digest, one.report)


def _forkers(one: Compared) -> list[bytes]:
    if one.relation is not Relation.CONTRADICT:
        return []
    return [one.roster.players[fork.player].key for fork in one.forks]


# For people.


def as_lines(judged: Judged) -> list[str]:
    contract = judged.contract
    names = _names(contract)
    files = ", ".join(map(shown_path, judged.paths))
    told = [
        _("series {id}: {verdict}").format(
            id=contract.id.hex()[:ID_DIGITS], verdict=_headline(judged, names)
        ),
        *([] if judged.refused is None else [f"  {verdict.detail(judged.refused)}"]),
        *[f"  {line}" for line in contracts.lines(contract.plan)],
        "  " + _("contract: {id}").format(id=contract.id.hex()),
        "  " + _("signed by all its members: {names}").format(names=", ".join(names.values())),
    ]
    if judged.paths:
        told.append("  " + _("files: {files}").format(files=files))
    if judged.course is None:
        return told
    course = judged.course
    told += [f"  {_conflict(one, names)}" for one in course.conflicts]
    told += ["", *[f"  {_game(contract, one, names)}" for one in course.games]]
    if course.aside:
        words = _("left aside, because no game went on from them: {tables}")
        tables = ", ".join(one.table.hex()[:ID_DIGITS] for one in course.aside)
        told.append("  " + words.format(tables=tables))
    return [*told, "", *_standings(contract, course, names)]


def _names(contract: Contract) -> dict[bytes, str]:
    return dict(
        zip(contract.keys, shown_names([one.name for one in contract.members]), strict=True)
    )


def _headline(judged: Judged, names: dict[bytes, str]) -> str:
    if judged.course is None:
        assert judged.refused is not None
        return verdict.refusal(judged.refused)
    course, plan = judged.course, judged.contract.plan
    if course.conflicts:
        return _("the files contradict each other: a game has two results")
    if not course.standings.over:
        return _("not over: {done} of at most {count} games").format(
            done=course.standings.numbers, count=plan.count
        )
    winners = [names[key] for key in course.standings.winners]
    if not winners:
        return _("over, and nobody is left to win it")
    return _("over, won by {names}").format(names=", ".join(winners))


def _game(contract: Contract, game: Played, names: dict[bytes, str]) -> str:
    title = contracts.game_title(contract.plan, game.series.number)
    head = _("game {number}, {game}").format(number=game.series.number, game=title)
    away = [name for key, name in names.items() if key not in game.sat]
    said = [_effect(contract, game)]
    if away:
        said.append(_("without {names}").format(names=", ".join(away)))
    return f"{head}: {'; '.join(said)}"


def _effect(contract: Contract, game: Played) -> str:
    how = {
        How.FINAL: _("final"),
        How.UNSIGNED: _("not signed by all"),
        How.CONTESTED: _("contested"),
        How.ABANDONED: _("too few left"),
        How.STOPPED: _("stopped"),
        How.UNFINISHED: _("unfinished"),
        How.UNKNOWN: _("rules not known here"),
    }[game.how]
    match game.effect(contract):
        case Effect.AGAIN:
            return _("{how}, played again").format(how=how)
        case Effect.VOID:
            return _("{how}, counts for nobody").format(how=how)
    return how


def _conflict(found: Conflict, names: dict[bytes, str]) -> str:
    words = _("game {number} has a result at two tables, {tables}; at both signed: {names}")
    return words.format(
        number=found.number,
        tables=", ".join(table.hex()[:ID_DIGITS] for table in found.tables),
        names=", ".join(names[key] for key in found.members),
    )


def standings(contract: Contract, course: Course | None) -> tuple[list[str], dict[str, Any]]:
    """Return how a series stands between two games: in lines, and as fields for programs."""
    if course is None:
        words = _(
            "games of the series were played without you; your files do not show how it stands"
        )
        return [words], {"series": contract.id.hex()}
    names = _names(contract)
    headline = _headline(Judged((), contract, course), names)
    fields = {"series": contract.id.hex(), **_course_fields(contract, course)}
    fields["over"] = course.standings.over
    points = ", ".join(f"{names[row.key]} {row.points}" for row in course.standings.rows)
    line = _("the series, {title}: {verdict}; {points}").format(
        title=contracts.title(contract.plan), verdict=headline, points=points
    )
    return [line, *_standings(contract, course, names)], fields


def _standings(contract: Contract, course: Course, names: dict[bytes, str]) -> list[str]:
    """Return the points of each game that counted, and in all."""
    counted = [game for game in course.games if game.effect(contract) is Effect.COUNTS]
    shown = counted if len(counted) <= limits.ROUNDS_TOLD_MOST else []
    heads = [_("game {number}").format(number=game.series.number) for game in shown]
    ranks = [row.place for row in course.standings.rows]
    rows = [[_("standings"), *heads, _("points"), _("place")]]
    for at, row in enumerate(course.standings.rows):
        cells = [_points(contract, game, row.key) for game in shown]
        rows.append([names[row.key], *cells, str(row.points), f"{places.mark(ranks, at):2}"])
    out = [names[row.key] for row in course.standings.rows if row.place == NO_PLACE]
    words = _("no place, because a file proves that they cheated: {names}")
    return [
        *[f"  {line}" for line in aligned(rows)],
        *(["  " + words.format(names=", ".join(out))] if out else []),
    ]


def _points(contract: Contract, game: Played, key: bytes) -> str:
    place = game.ranked(contract).get(key)
    if place is None:
        return places.NONE
    worth = contract.plan.points
    return str(worth[place - 1] if place <= len(worth) else 0)


# For programs.


def as_json(judged: Judged) -> str:
    contract, course = judged.contract, judged.course
    found: dict[str, Any] = {
        "series": contract.id.hex(),
        "files": judged.paths,
        "verdict": judged.verdict,
        **contracts.fields(contract.plan),
        "members": [
            {"name": one.name, "key": one.key.hex(), "fingerprint": fingerprint(one.key)}
            for one in contract.members
        ],
    }
    if judged.refused is not None:
        found |= {"stage": judged.refused.stage, "code": judged.refused.code}
        found |= {"why": judged.refused.why}
    if course is not None:
        found |= _course_fields(contract, course)
    return json.dumps(found)


def _course_fields(contract: Contract, course: Course) -> dict[str, Any]:
    member = contract.keys.index
    return {
        "played": [
            {
                "number": game.series.number,
                "table": game.table.hex(),
                "sha256": game.digest.hex(),
                "how": game.how,
                "effect": game.effect(contract),
                "sat": sorted(member(key) for key in game.sat if key in contract.keys),
                "places": [game.ranked(contract).get(key) for key in contract.keys],
            }
            for game in course.games
        ],
        "standings": [
            {
                "member": member(row.key),
                "place": row.place or None,
                "points": row.points,
                "wins": row.wins,
                "games": row.games,
            }
            for row in course.standings.rows
        ],
        "numbers": course.standings.numbers,
        "aside": [game.table.hex() for game in course.aside],
        "conflicts": [
            {
                "number": one.number,
                "tables": [table.hex() for table in one.tables],
                "members": [member(key) for key in one.members],
            }
            for one in course.conflicts
        ],
    }
