"""The roster: the players of a table and the terms they play under, fixed before the first entry.

The table id is the hash of the roster, and every signature covers it. So a player cannot sit at a
table under one roster and be shown under another. Each player contributes a fresh nonce, so no
roster occurs twice, and no key ever signs twice for one place of one table. Players are listed in
the order of their keys, and a player's number is its place in that list, from 0. The seats of the
game are drawn by lot.

    roster  [version, game, rules id, options, content, limits, players], or […, players, series]
    options and limits: [[name, value]…] in the order of their names; the values of options are
    text, those of limits are numbers
    content: the content file as text if it is not the one shipped with the game, else ""
    players: [[key, nonce, name]…] in the order of their keys
    series: [contract, number, before], only in a roster of a series (protocol/series)
"""

import hashlib
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from engine import limits as engine_limits
from engine import registry
from engine.content import parse_content
from engine.errors import EngineError
from engine.game import Game
from protocol import limits
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import check_key
from protocol.errors import RemoteProtocolError
from protocol.feed.names import check_name
from protocol.version import VERSION

NONCE_SIZE = 32
HASH_SIZE = 32

DROP = "drop"  # the limit that says how many players may be voted out together; 1 by default

_TABLE = b"p2pfruit table 2\n"


@dataclass(frozen=True, slots=True)
class Player:
    key: bytes
    nonce: bytes
    name: str

    def __post_init__(self) -> None:
        check_key(self.key)
        if len(self.nonce) != NONCE_SIZE:
            raise RemoteProtocolError("roster", f"a nonce has {NONCE_SIZE} bytes")
        check_name(self.name)


class InSeries(NamedTuple):
    """Where a table stands in a series."""

    contract: bytes  # the hash of the contract, which is the id of the series
    number: int  # of the game, from 1
    before: bytes  # the hash of the file of the table before; empty for the first one

    def check(self) -> None:
        hashes = (self.contract, self.before or self.contract)
        if any(len(one) != HASH_SIZE for one in hashes):
            raise RemoteProtocolError("roster", f"a hash has {HASH_SIZE} bytes")
        first = self.before or self.number == 1
        if not first or not 0 < self.number <= limits.SERIES_COUNT_MOST:
            raise RemoteProtocolError("roster", "no such game in a series")


Pairs = tuple[tuple[str, str], ...]
Limits = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a table: the game, its options and content, and the table's limits."""

    game: str
    rules_id: str
    options: Pairs
    content: str
    limits: Limits

    def __post_init__(self) -> None:
        for pairs in (self.options, self.limits):
            names = [name for name, _ in pairs]
            if names != sorted(set(names)) or len(names) > limits.PAIRS_MOST:
                raise RemoteProtocolError("roster", "options and limits stand in order, each once")

    @property
    def terms(self) -> tuple[str, str, Pairs, str, Limits]:
        return self.game, self.rules_id, self.options, self.content, self.limits

    def build_for(self, seats: int) -> Game[Any]:
        """Return the game of these terms, or raise if this program does not know the same rules."""
        try:
            content = parse_content(self.content) if self.content else None
            game = registry.build(self.game, dict(self.options), content)
            game.check_seats(seats)
        except EngineError as error:
            raise RemoteProtocolError("game", str(error)) from None
        if game.claimed_most(seats) > limits.CLAIMED_MOST:
            raise RemoteProtocolError("game", "the proofs of a move would not fit into an entry")
        if game.chosen != dict(self.options):
            raise RemoteProtocolError("game", f"a table names every option of {self.game}")
        if game.rules_id != self.rules_id:
            why = f"the table plays other rules or other cards of {self.game} than this program"
            raise RemoteProtocolError("rules", why)
        return game


@dataclass(frozen=True, slots=True)
class Roster(Terms):
    players: tuple[Player, ...]
    series: InSeries | None = None

    def __post_init__(self) -> None:
        Terms.__post_init__(self)
        keys = self.keys
        if keys != sorted(set(keys)) or not 0 < len(keys) <= engine_limits.SEATS_MOST:
            raise RemoteProtocolError(
                "roster", "players stand in the order of their keys, each once"
            )
        if self.series is not None:
            self.series.check()

    @classmethod
    def of(
        cls,
        game: Game[Any],
        players: tuple[Player, ...],
        table_limits: Limits = (),
        content: str = "",
    ) -> Self:
        """Return the roster of a game that was built.

        `content` is the text of the content file if it is not the one shipped with the game.
        """
        return cls(
            game.name,
            game.rules_id,
            tuple(sorted(game.chosen.items())),
            content,
            table_limits,
            tuple(sorted(players, key=lambda player: player.key)),
        )

    def encode(self) -> bytes:
        players = tuple([(player.key, player.nonce, player.name) for player in self.players])
        series = () if self.series is None else (tuple(self.series),)
        return encode((VERSION, *self.terms, players, *series))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        terms, rest = decode_terms(data)
        match rest:
            case (players,):
                return cls(*terms, parse_players(players))
            case (players, series):
                return cls(*terms, parse_players(players), _in_series(series))
        raise RemoteProtocolError("roster", "not a roster")

    @property
    def table(self) -> bytes:
        """Return the table's id."""
        return hashlib.sha256(_TABLE + self.encode()).digest()

    @property
    def keys(self) -> list[bytes]:
        return [player.key for player in self.players]

    def find(self, key: bytes) -> int | None:
        """Return the number of the player with this key, or None."""
        for at, player in enumerate(self.players):
            if player.key == key:
                return at
        return None

    def build(self) -> Game[Any]:
        """Return the game of this roster, or raise if this program does not know the same rules."""
        return self.build_for(len(self.players))


def decode_terms(data: bytes) -> tuple[tuple[str, str, Pairs, str, Limits], tuple[Value, ...]]:
    """Return the terms, and the values that follow them."""
    match decode(data, limits.ROSTER_SIZE_MOST):
        case (int(version), str(game), str(rules_id), options, str(content), bounds, *rest):
            pass
        case _:
            raise RemoteProtocolError("roster", "not a roster")
    if type(version) is not int or version != VERSION:
        raise RemoteProtocolError("version", f"a roster of version {version}, not {VERSION}")
    chosen, most = parse_pairs(options, str), parse_pairs(bounds, int)
    return (game, rules_id, chosen, content, most), tuple(rest)


def parse_players(value: Value) -> tuple[Player, ...]:
    return tuple([_player(player) for player in _items(value)])


def parse_pairs(value: Value, kind: type) -> Any:
    """Return options, whose values are text, or limits, whose values are numbers."""
    return tuple([_pair(pair, kind) for pair in _items(value)])


def _in_series(value: Value) -> InSeries:
    match value:
        case (bytes(contract), int(number), bytes(before)) if type(number) is int:
            return InSeries(contract, number, before)
    raise RemoteProtocolError("roster", "a game of a series has a contract, a number and a hash")


def _items(value: Value) -> tuple[Value, ...]:
    if type(value) is not tuple:
        raise RemoteProtocolError("roster", "not a roster: a list is missing")
    return value


def _pair(value: Value, kind: type) -> Any:
    match value:
        case (str(name), item) if type(item) is kind and len(name) <= limits.WORD_LENGTH_MOST:
            return name, item
    raise RemoteProtocolError("roster", "an option or limit is a name and its value")


def _player(value: Value) -> Player:
    match value:
        case (bytes(key), bytes(nonce), str(name)):
            return Player(key, nonce, name)
    raise RemoteProtocolError("roster", "a player is a key, a nonce and a name")
