"""How a Fruitoplay round was scored, from what was told in its course.

When points are told the state has gone on to the next round, and the cards of the one before are
only in its events. A player who has not heard them all is told less, and nothing that is wrong.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.fruitoplay.cards import FRUITS
from engine.moves import Event
from engine.needs import Face, Seat
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from p2pfruit.language import text as _

Steps = tuple[str, ...]


class Gathered(NamedTuple):
    round: int  # 0: not told
    steps: dict[Seat, Steps]


class Harvest:
    """Collects what each seat has in the running round."""

    def __init__(self, narrator: FruitoplayNarrator) -> None:
        self._narrator = narrator
        self._round = 0
        self._clear()

    def _clear(self) -> None:
        self._won: dict[Seat, list[Face]] = {}
        self._laid: dict[Seat, list[Face]] = {}
        self._cancelled: dict[Seat, dict[str, int]] = {}  # by rotten fruit: what the victim counted
        self._collective: tuple[str, int] | None = None

    def hear(self, events: Sequence[Event]) -> Gathered | None:
        """Return the steps of each seat, if these events end a round; of the last round, if they
        end more."""
        found: Gathered | None = None
        for event in events:
            seat = event.seat
            if event.what in ("round", "again"):
                self._round = int(str(event.data[0]))
                self._clear()
            elif event.what == "collective":
                fruit, worth = event.data
                self._collective = str(fruit), int(str(worth))
            elif seat is None:
                continue
            elif event.what == "wins":
                self._won.setdefault(seat, []).extend(map(str, event.data[2:]))
            elif event.what == "lays":
                self._laid[seat] = [str(face) for face in event.data]
            elif event.what == "cancels":
                fruit, worth = event.data
                self._cancelled.setdefault(seat, {})[str(fruit)] = int(str(worth))
            elif event.what == "scores":
                scored, *totals = [int(str(number)) for number in event.data]
                if found is None or found.round != self._round:
                    found = Gathered(self._round, {})
                found.steps[seat] = self._steps(seat, scored, totals)
        return found

    def _steps(self, seat: Seat, scored: int, totals: Sequence[int]) -> Steps:
        return (
            *self._hand(seat),
            *self._shared(),
            *self._rotten(seat),
            self._counted(totals),
            self._product(scored, totals),
        )

    def _hand(self, seat: Seat) -> list[str]:
        if seat not in self._laid:
            return []
        return [_("hand laid down: {cards}").format(cards=self._narrator.cards(self._laid[seat]))]

    def _shared(self) -> list[str]:
        if self._collective is None:
            return []
        fruit, worth = self._collective
        told = _("collective {fruit} +{worth}")
        return [told.format(fruit=self._narrator.fruit(fruit), worth=worth)]

    def _rotten(self, seat: Seat) -> list[str]:
        cards = self._narrator.game.cards
        faces = self._won.get(seat, []) + self._laid.get(seat, [])
        alone = {cards[face].fruit: 0 for face in faces if cards[face].worth == 0}
        told = {
            0: _("rotten {fruit}: alone, it takes nothing with it"),
            1: _("rotten {fruit}: cancelled with one fruit"),
            2: _("rotten {fruit}: cancelled with two fruits"),
        }
        lost = alone | self._cancelled.get(seat, {})
        return [
            told[lost[fruit]].format(fruit=self._narrator.fruit(fruit))
            for fruit in FRUITS
            if fruit in lost
        ]

    def _counted(self, totals: Sequence[int]) -> str:
        named = list(zip(map(self._narrator.fruit, FRUITS), totals, strict=True))
        counting = ", ".join(f"{fruit} {total}" for fruit, total in named if total)
        empty = ", ".join(fruit for fruit, total in named if not total)
        told = _("columns: {columns}").format(columns=counting or _("nothing"))
        return told + (" " + _("(none of: {fruits})").format(fruits=empty) if empty else "")

    def _product(self, scored: int, totals: Sequence[int]) -> str:
        counting = [total for total in totals if total]
        if not counting:
            return _("no column counts: 0 points")
        told = (
            _("a single column is both: {largest} × {smallest} = {points}")
            if len(counting) == 1
            else _("largest {largest} × smallest {smallest} = {points}")
        )
        return told.format(largest=max(counting), smallest=min(counting), points=scored)
