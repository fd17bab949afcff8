"""An analysis: each decision of one player, beside what the expert would have done.

The expert is shown what the player knew at that moment: the table, and the player's own hand. A
game file opens a hand only as far as its cards were turned up later, so a decision is left out if
a card of the hand is known neither from the file nor from the player's home.

An analysis follows from the file, the seat and the version of the program. The expert's generator
is seeded for each decision, so the order of the decisions does not matter.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.moves import Move
from engine.needs import Choose, Face, Seat, Slot
from engine.views import View
from p2pfruit import __version__
from p2pfruit.bots import limits
from p2pfruit.bots.advice import advise
from p2pfruit.replay.frames import Chosen, Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A choice that a player had, and what the player chose."""

    number: int  # from 1, among the decisions of this player
    step: int  # the number of the step in the record
    round: int
    view: View[Any]
    played: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A decision beside the expert's. `points` is how many more the expert's choice is worth, and
    `error` how uncertain that is."""

    decision: Decision
    choice: Move
    points: float = 0.0
    error: float = 0.0
    cut: bool = False  # the time was up before the expert had seen enough

    @property
    def same(self) -> bool:
        return self.choice == self.decision.played

    @property
    def clear(self) -> bool:
        """Return True if the expert's choice is better by more than noise."""
        return not self.same and self.points > self.error


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    seat: Seat
    judged: tuple[Judged, ...]  # in the order of the game
    left_out: int  # decisions with a card of the hand that is not known

    @property
    def worst(self) -> list[Judged]:
        """Return the decisions that differ from the expert's: clear ones first, then by points."""
        others = [one for one in self.judged if not one.same]
        return sorted(others, key=lambda one: (not one.clear, -one.points, one.decision.number))

    @property
    def clear(self) -> list[Judged]:
        return [one for one in self.worst if one.clear]

    @property
    def lost(self) -> float:
        """Return the points that the clear ones gave away."""
        return sum(one.points for one in self.clear)


# Called with the number of decisions that were judged, and the number of all.
Progress = Callable[[int, int], None]


def analyse(
    replay: Replay, seat: Seat, hand: Mapping[Slot, Face], progress: Progress | None = None
) -> Analysis:
    """Judge every decision of a seat. `hand` has closed cards that its player held."""
    found, left_out = decisions(replay, seat, hand)
    judged = []
    for done, decision in enumerate(found):
        if progress is not None:
            progress(done, len(found))
        seed = f"analysis {replay.report.roster.table.hex()} {seat} {decision.number}"
        judged.append(judge(decision, seed))
    return Analysis(seat=seat, judged=tuple(judged), left_out=left_out)


def decisions(replay: Replay, seat: Seat, hand: Mapping[Slot, Face]) -> tuple[list[Decision], int]:
    """Return the decisions of a seat, and how many are left out for want of a card."""
    found: list[Decision] = []
    left_out = 0
    for number, (step, chosen) in enumerate(_choices(replay, seat), 1):
        state = chosen.state
        assert isinstance(state.need, Choose)
        faces = {**hand, **replay.record.opened}
        held = {slot: faces[slot] for slot in state.hands[seat] if slot in faces}
        view = View(replay.table.game, state, seat, held)
        if len(held) < len(state.hands[seat]):
            left_out += 1
        elif len(view.moves()) > 1:
            played = chosen.moves[state.need.seats.index(seat)]
            found.append(
                Decision(number=number, step=step, round=state.round, view=view, played=played)
            )
    return found, left_out


def _choices(replay: Replay, seat: Seat) -> Iterator[tuple[int, Chosen]]:
    """Yield each choice that a seat was asked for, with the number of its step."""
    for number, step in enumerate(replay.record.steps):
        for chosen in step.chosen:
            assert isinstance(chosen.state.need, Choose)
            if seat in chosen.state.need.seats:
                yield number, chosen


def judge(decision: Decision, seed: str) -> Judged:
    view, played = decision.view, decision.played
    end = time.monotonic() + limits.ADVICE_LIMIT_S
    late = False

    def is_late() -> bool:
        nonlocal late
        late = time.monotonic() >= end
        return late

    advice = advise(view.game, view, Random(seed), played, is_late)
    if advice.choice == played:
        return Judged(decision=decision, choice=played, cut=late)
    more = advice.difference(played)
    return Judged(
        decision=decision, choice=advice.choice, points=more.points, error=more.error, cut=late
    )


# In a home. The figures are kept with what they depend on beside the file; the rest is found again.


def kept(found: Analysis) -> dict[str, Any]:
    """Return what a home keeps of an analysis. Statistics read its first fields."""
    return {
        "decisions": len(found.judged),
        "clear": len(found.clear),
        "lost": found.lost,
        "seat": found.seat,
        "made": _made(),
        "rows": [
            [one.decision.number, str(one.choice), one.points, one.error, one.cut]
            for one in found.judged
        ],
    }


def recalled(
    kept: Mapping[str, Any], replay: Replay, seat: Seat, hand: Mapping[Slot, Face]
) -> Analysis | None:
    """Return a kept analysis; None if it was made in another way, or of another seat."""
    if kept.get("made") != _made() or kept.get("seat") != seat:
        return None
    found, left_out = decisions(replay, seat, hand)
    rows = {row[0]: row[1:] for row in kept["rows"]}
    if set(rows) != {decision.number for decision in found}:
        return None
    judged = [_recalled(decision, *rows[decision.number]) for decision in found]
    return Analysis(seat=seat, judged=tuple(judged), left_out=left_out)


def _recalled(decision: Decision, choice: str, points: float, error: float, cut: bool) -> Judged:
    return Judged(decision=decision, choice=Move.parse(choice), points=points, error=error, cut=cut)


def _made() -> list[Any]:
    return [__version__, limits.SAMPLES, limits.WEIGHED_SAMPLES, limits.ERRORS_SURE]
