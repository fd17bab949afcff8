"""The contract of a series: what its members sign before the first game.

    contract  [version, kind, count, games, points, counting, members]
    signed    [contract, [signature…]], by the members in their order

`games` are played in turn, from the first again when all were played. A game is known by its name,
its rules id, which covers the cards, its options, and the limits of the table. `members` are the
players of the first roster, with the same nonces: no contract occurs twice.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from engine import limits as engine_limits
from protocol import limits
from protocol.codec import Bounds, Value, decode, encode
from protocol.crypto.identity import SIGNATURE_SIZE, Identity, Verifier
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Limits, Pairs, Player, Terms, parse_pairs, parse_players
from protocol.version import VERSION

MEMBERS_LEAST = 2

_ID = b"p2pfruit series 2\n"
_SIGNED = b"p2pfruit contract 2\n"

_BOUNDS = Bounds(limits.CONTRACT_VALUES_MOST)


class Kind(StrEnum):
    BEST = "best"  # best of so many games: it ends as soon as no other member can catch up
    ALL = "all"  # all games are played


class Effect(StrEnum):
    """What a game does to its number."""

    COUNTS = "counts"  # the places give points
    VOID = "void"  # the number is used up, and gives points to no member
    AGAIN = "again"  # the number is played again


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """How games count that did not come to an end that all signed."""

    stopped: Effect = Effect.AGAIN  # without places
    contested: Effect = Effect.COUNTS  # with places, and a player contests them
    unsigned: Effect = Effect.COUNTS  # with places, and a signature is missing
    abandoned: Effect = Effect.COUNTS  # with places, because too few players were left

    def __post_init__(self) -> None:
        if self.stopped is Effect.COUNTS:
            raise RemoteProtocolError("contract", "a game without places cannot count")

    @property
    def words(self) -> tuple[str, ...]:
        return self.stopped, self.contested, self.unsigned, self.abandoned


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """One of the games that are played in turn: the terms of its tables, without the cards."""

    game: str
    rules_id: str
    options: Pairs
    limits: Limits

    def __post_init__(self) -> None:
        Terms(self.game, self.rules_id, self.options, "", self.limits)  # the same form

    @classmethod
    def of(cls, terms: Terms) -> Self:
        return cls(terms.game, terms.rules_id, terms.options, terms.limits)

    @property
    def value(self) -> Value:
        return self.game, self.rules_id, self.options, self.limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a series is to be, before it is known who takes part."""

    kind: Kind
    count: int
    games: tuple[SeriesGame, ...]
    points: tuple[int, ...]  # for the first place, the second, and so on; none after that
    counting: Counting = Counting()

    def __post_init__(self) -> None:
        if not 0 < self.count <= limits.SERIES_COUNT_MOST:
            raise RemoteProtocolError("contract", "an impossible number of games")
        if not 0 < len(self.games) <= limits.SERIES_GAMES_MOST:
            raise RemoteProtocolError("contract", "no games, or too many different ones")
        falling = list(self.points) == sorted(self.points, reverse=True)
        if not self.points or len(self.points) > engine_limits.SEATS_MOST or not falling:
            raise RemoteProtocolError("contract", "points are for places, most for the first")
        if not 0 < self.points[0] <= limits.SERIES_POINTS_MOST:
            raise RemoteProtocolError("contract", "a first place is worth nothing, or too much")

    @property
    def value(self) -> tuple[Value, ...]:
        games = tuple([game.value for game in self.games])
        return VERSION, self.kind, self.count, games, self.points, self.counting.words

    def encode(self) -> bytes:
        return encode(self.value)

    @classmethod
    def decode(cls, data: bytes) -> "Plan":
        match decode(data, limits.CONTRACT_SIZE_MOST, _BOUNDS):
            case tuple(fields):
                return _plan(fields)
        raise RemoteProtocolError("contract", "not a plan")

    def game(self, number: int) -> SeriesGame:
        """Return what is played under this number, which is from 1 on."""
        return self.games[(number - 1) % len(self.games)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    plan: Plan
    members: tuple[Player, ...]

    def __post_init__(self) -> None:
        keys = [member.key for member in self.members]
        count = MEMBERS_LEAST <= len(keys) <= engine_limits.SEATS_MOST
        if keys != sorted(set(keys)) or not count:
            raise RemoteProtocolError("contract", "members stand in the order of their keys")

    @property
    def keys(self) -> tuple[bytes, ...]:
        return tuple([member.key for member in self.members])

    @property
    def quorum(self) -> int:
        """Return how many members a game needs: any two games of a series share one."""
        return len(self.members) // 2 + 1

    @property
    def id(self) -> bytes:
        """Return the id of the series."""
        return hashlib.sha256(_ID + self.encode()).digest()

    def encode(self) -> bytes:
        members = tuple([(member.key, member.nonce, member.name) for member in self.members])
        return encode((*self.plan.value, members))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        match decode(data, limits.CONTRACT_SIZE_MOST, _BOUNDS):
            case (*fields, members):
                return cls(plan=_plan(tuple(fields)), members=parse_players(members))
        raise RemoteProtocolError("contract", "not a contract")

    def sign(self, identity: Identity) -> bytes:
        return identity.sign(_SIGNED, self.encode())

    def signed_by(self, member: int, signature: bytes) -> bool:
        data = self.encode()
        return Verifier(self.members[member].key).signed(signature, _SIGNED, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedContract:
    """A contract with the signatures of all its members, which were checked."""

    contract: Contract
    signatures: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if len(self.signatures) != len(self.contract.members):
            raise RemoteProtocolError("contract", "every member signs, once")
        for member, signature in enumerate(self.signatures):
            good = len(signature) == SIGNATURE_SIZE and self.contract.signed_by(member, signature)
            if not good:
                raise RemoteProtocolError("signature", f"member {member} has not signed this")

    def encode(self) -> bytes:
        return encode((self.contract.encode(), self.signatures))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        match decode(data, limits.SIGNED_CONTRACT_SIZE_MOST):
            case (bytes(contract), tuple(signatures)):
                return cls.of(contract, signatures)
        raise RemoteProtocolError("contract", "not a signed contract")

    @classmethod
    def of(cls, contract: bytes, signatures: Sequence[Value]) -> Self:
        found = tuple([one for one in signatures if type(one) is bytes])
        if len(found) != len(signatures):
            raise RemoteProtocolError("contract", "a signature is not bytes")
        return cls(contract=Contract.decode(contract), signatures=found)


def _plan(fields: tuple[Value, ...]) -> Plan:
    match fields:
        case (int(version), str(kind), int(count), tuple(games), tuple(points), counting):
            pass
        case _:
            raise RemoteProtocolError("contract", "not the fields of a contract")
    if type(version) is not int or version != VERSION:
        raise RemoteProtocolError("version", f"a contract of version {version}, not {VERSION}")
    numbers = [count, *points]
    if kind not in set(Kind) or any(type(number) is not int for number in numbers):
        raise RemoteProtocolError("contract", "an unknown kind, or no number where one must be")
    return Plan(
        kind=Kind(kind),
        count=count,
        games=tuple([_game(game) for game in games]),
        points=tuple([number for number in points if isinstance(number, int)]),
        counting=_counting(counting),
    )


def _game(value: Value) -> SeriesGame:
    match value:
        case (str(game), str(rules_id), options, bounds):
            return SeriesGame(game, rules_id, parse_pairs(options, str), parse_pairs(bounds, int))
    raise RemoteProtocolError("contract", "a game is its name, rules id, options and limits")


def _counting(value: Value) -> Counting:
    known = set(Effect)
    match value:
        case (str(stopped), str(contested), str(unsigned), str(abandoned)) if {
            *(stopped, contested, unsigned, abandoned)
        } <= known:
            return Counting(
                stopped=Effect(stopped),
                contested=Effect(contested),
                unsigned=Effect(unsigned),
                abandoned=Effect(abandoned),
            )
    raise RemoteProtocolError("contract", "how games count is four known words")
