"""The cards on the table when a trick was over."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.bastos import Bastos
from engine.bastos.rules import Market
from engine.needs import Face, Seat
from engine.tricks import suit
from p2pfruit.games.course import Happening


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    played: Mapping[Seat, Face]  # in their order
    trump: str
    declared: bool  # in this trick
    passed: tuple[Seat, ...]  # whose card was stronger than the one that won, but their Bastos
    winner: Seat | None
    why: str  # the winner won; empty if the trick has no winner

    @classmethod
    def of(cls, game: Bastos, happened: Happening[Market]) -> "Trick | None":
        """Return the trick that the last decision ended, or None if it ended none."""
        before = happened.before.state
        trick, trump, declared = list(before.trick), before.trump, before.since > 0
        passed = []
        for event in happened.events:
            match event.what:
                case "plays":
                    trick.append(str(event.data[0]))
                case "trump":
                    trump, declared = str(event.data[0]), True
                case "passed_over" if event.seat is not None:
                    passed.append(event.seat)
                case "wins" | "nobody_wins":
                    return cls(
                        played=dict(zip(game.players(before), trick, strict=True)),
                        trump=trump,
                        declared=declared,
                        passed=tuple(passed),
                        winner=event.seat,
                        why="" if event.seat is None else str(event.data[0]),
                    )
        return None

    @property
    def faces(self) -> tuple[Face, ...]:
        return tuple(self.played.values())

    @property
    def led(self) -> str:
        return suit(self.faces[0])

    def strays(self) -> list[Seat]:
        """List the seats that did not follow."""
        return [seat for seat, face in self.played.items() if suit(face) != self.led]
