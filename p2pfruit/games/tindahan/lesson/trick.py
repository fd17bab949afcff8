"""The cards on the table when a trick was taken."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.needs import Face, Seat
from engine.tindahan.rules import Market
from engine.tricks import suit
from p2pfruit.games.course import Happening


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    played: Mapping[Seat, Face]  # in their order
    vendors: tuple[Seat, ...]  # who sent one
    donkey: Seat | None  # who moved it
    led: str
    trump: str
    winner: Seat

    @classmethod
    def of(cls, happened: Happening[Market]) -> "Trick | None":
        """Return the trick that the last turn ended, or None if it ended none."""
        for event in happened.events:
            if event.what == "takes":
                _face, led, trump, _count = map(str, event.data)
                assert event.seat is not None
                played, vendors = _turns(happened)
                leader = happened.before.state.leader
                return cls(
                    played=played,
                    vendors=vendors,
                    donkey=None if leader in played else leader,
                    led=led,
                    trump=trump,
                    winner=event.seat,
                )
        return None

    def strays(self) -> list[Seat]:
        """List the seats that did not follow."""
        return [seat for seat, face in self.played.items() if suit(face) != self.led]

    @property
    def trumped(self) -> bool:
        """True if a trump won, though another fruit was led."""
        return suit(self.played[self.winner]) == self.trump != self.led


def _turns(happened: Happening[Market]) -> tuple[dict[Seat, Face], tuple[Seat, ...]]:
    """Return the cards of the trick by seat, and the seats that sent a vendor."""
    state = happened.before.state
    played = dict(state.trick)
    for event in happened.events:
        if event.what == "plays" and event.seat is not None:
            played[event.seat] = str(event.data[0])
    idle = [seat for seat in state.seated if seat not in played and seat != state.leader]
    return played, tuple(idle)
