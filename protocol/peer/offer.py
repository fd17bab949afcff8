"""What a host offers in its lobby: on which terms, for how many players, in which series.

offer      [version, game, rules id, options, content, limits, seats, number], or […, series]
offer id   the hash of the offer; `number` counts the changes, so no two offers have the same
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Self

from engine.game import Game
from protocol.codec import encode
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Player, Roster, Terms, decode_terms
from protocol.peer.peer import CHATTING
from protocol.peer.series_offer import SeriesOffer
from protocol.version import VERSION

_OFFER = b"p2pfruit offer 2\n"


@dataclass(frozen=True, slots=True)
class Offer(Terms):
    seats: int
    number: int = 0  # how often the host has changed it
    series: SeriesOffer | None = None

    @classmethod
    def of(
        cls,
        game: Game[Any],
        seats: int,
        limits: tuple[tuple[str, int], ...] = (),
        content: str = "",
    ) -> Self:
        options = tuple(sorted(game.chosen.items()))
        return cls(game.name, game.rules_id, options, content, limits, seats)

    def encode(self) -> bytes:
        series = () if self.series is None else (tuple(self.series),)
        return encode((VERSION, *self.terms, self.seats, self.number, *series))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        terms, rest = decode_terms(data)
        match rest:
            case (int(seats), int(number), *series) if {type(seats), type(number)} == {int}:
                if len(series) <= 1:
                    return cls(*terms, seats, number, *map(SeriesOffer.parse, series))
        raise RemoteProtocolError("offer", "not an offer: the number of seats is missing")

    @property
    def id(self) -> bytes:
        return hashlib.sha256(_OFFER + self.encode()).digest()

    @property
    def chatting(self) -> bool:
        return dict(self.limits).get(CHATTING, 1) != 0

    def same_conditions(self, other: "Offer") -> bool:
        """Return True if a player who agrees to one of the two agrees to the other."""
        mine, others = ((one.terms, one.seats, one.series) for one in (self, other))
        return mine == others

    def build(self) -> Game[Any]:
        return self.build_for(self.seats)

    def roster(self, players: list[Player]) -> Roster:
        rows = tuple(sorted(players, key=lambda player: player.key))
        return Roster(*self.terms, rows, None if self.series is None else self.series.place(rows))
