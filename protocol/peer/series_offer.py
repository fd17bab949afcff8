"""A game of a series, as a host offers it.

    series  [document, number, before]

Before the first game `document` is the plan of the series, and `before` is empty: who takes part is
not known yet. Later it is the contract with all its signatures, so that newcomers see it, too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from protocol.codec import Value
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import InSeries, Player, Roster, Terms
from protocol.series.contract import Contract, Plan, SeriesGame, SignedContract


class SeriesOffer(NamedTuple):
    document: bytes
    number: int
    before: bytes

    @classmethod
    def first(cls, plan: Plan) -> "SeriesOffer":
        """Return the offer of the first game of a series."""
        return cls(plan.encode(), 1, b"")

    @classmethod
    def following(cls, signed: SignedContract, place: InSeries) -> "SeriesOffer":
        return cls(signed.encode(), place.number, place.before)

    @classmethod
    def parse(cls, value: Value) -> "SeriesOffer":
        match value:
            case (bytes(document), int(number), bytes(before)) if type(number) is int:
                return cls(document, number, before)
        raise RemoteProtocolError("offer", "not a game of a series")

    @property
    def signed(self) -> SignedContract | None:
        """Return the contract; None before the first game."""
        return SignedContract.decode(self.document) if self.before else None

    @property
    def plan(self) -> Plan:
        signed = self.signed
        return Plan.decode(self.document) if signed is None else signed.contract.plan

    def check(self, terms: Terms) -> None:
        """Raise RemoteProtocolError unless the plan or contract says this game."""
        plan = self.plan
        fits = 0 < self.number <= plan.count and (bool(self.before) or self.number == 1)
        if not fits or SeriesGame.of(terms) != plan.game(self.number):
            raise RemoteProtocolError("offer", "offers another game than the series has now")

    def contract(self, players: Sequence[Player]) -> Contract:
        """Return the contract of these players."""
        signed = self.signed
        if signed is not None:
            return signed.contract
        return Contract(plan=self.plan, members=tuple(sorted(players, key=lambda one: one.key)))

    def place(self, players: Sequence[Player]) -> InSeries:
        """Return what the roster of these players says about the series."""
        return InSeries(self.contract(players).id, self.number, self.before)


def check_first(roster: Roster, signed: bytes, expected: Contract | None) -> SignedContract:
    """Return the contract that comes with the first roster of a series.

    It must be the one that we have signed, and all players of the roster are its members.
    """
    found = SignedContract.decode(signed)
    if found.contract != expected or roster.players != found.contract.members:
        raise RemoteProtocolError("contract", "not the contract that we have signed")
    return found
