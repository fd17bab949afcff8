"""The standings of a series: they follow from its games, and need no signature."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.needs import NO_PLACE
from protocol.series.contract import Contract, Effect, Kind
from protocol.series.played import Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One member. `place` is NO_PLACE for a member who cheated in a game of the series."""

    key: bytes
    place: int
    points: int
    wins: int
    games: int  # counted ones in which it had a place


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    rows: tuple[Row, ...]  # the leader first, in the order of the keys where places are shared
    numbers: int  # of games that are over and are not played again
    over: bool

    @property
    def winners(self) -> tuple[bytes, ...]:
        """Return the members in the first place, once the series is over."""
        return tuple([row.key for row in self.rows if row.place == 1]) if self.over else ()


def reckon(
    contract: Contract, games: Sequence[Played], forkers: frozenset[bytes] = frozenset()
) -> Standings:
    """Return the standings after these games, which follow each other.

    `forkers` are the members who told different histories in different files of one table.
    """
    plan = contract.plan
    effects = [played.effect(contract) for played in games]
    ranked = [
        played.ranked(contract)
        for played, effect in zip(games, effects, strict=True)
        if effect is Effect.COUNTS
    ]
    numbers = sum(effect in (Effect.COUNTS, Effect.VOID) for effect in effects)
    worth = dict(enumerate(plan.points, start=1))
    points = {
        key: sum(worth.get(places[key], 0) for places in ranked if key in places)
        for key in contract.keys
    }
    out = forkers.union(*[played.cheats for played in games])
    honest = [key for key in contract.keys if key not in out]

    def place(key: bytes) -> int:
        return NO_PLACE if key in out else 1 + sum(points[one] > points[key] for one in honest)

    rows = [
        Row(
            key=key,
            place=place(key),
            points=points[key],
            wins=sum(places.get(key) == 1 for places in ranked),
            games=sum(key in places for places in ranked),
        )
        for key in contract.keys
    ]
    left = (plan.count - numbers) * plan.points[0]
    best = sorted([points[key] for key in honest], reverse=True)
    caught = plan.kind is Kind.BEST and (len(best) < 2 or best[0] > best[1] + left)
    return Standings(
        rows=tuple(sorted(rows, key=lambda row: (row.place == NO_PLACE, row.place, row.key))),
        numbers=numbers,
        over=numbers >= plan.count or caught,
    )
