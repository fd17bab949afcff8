"""A game that was played, as statistics see it.

A game counts if it is over for this home, and its file was verified.

    finished    its verdict is final or unsigned: the rules have come to their end, and a signature
                that is missing changes nothing. Only these have places and points
    broken off  all others. They have no winner here, even where the rules rank those who were left

A player who contests the result has no place in it. Such a game is finished, and nothing more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from p2pfruit.home.folder import Home
from p2pfruit.home.store import PlayedTable
from p2pfruit.text.names import is_bot
from protocol.file.report import Verdict

FINISHED = (Verdict.FINAL, Verdict.UNSIGNED)


class Kind(Enum):
    PERSON = "person"
    BOT = "bot"  # brought by this home
    GUEST_BOT = "guest bot"  # brought by another player, who says that it is a bot


@dataclass(frozen=True, slots=True)
class Opponent:
    """A person by the key, or all bots of one level: their keys are made for one table."""

    kind: Kind
    key: str = ""  # of a person
    level: str = ""  # of a bot of this home; "" if it is not known any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A game that counts. All but `mine` and `decider` is by seat."""

    table: str  # its id
    game: str
    ended: int
    finished: bool
    mine: int | None  # the seat of the home's own player; None before the seats were drawn
    decider: str  # who decided for that player: "" a person, a level, or "outside"
    names: tuple[str, ...]
    opponents: tuple[Opponent | None, ...]  # None for the home's own player
    places: tuple[int | None, ...]  # empty unless it is finished
    points: tuple[int, ...]  # likewise
    analysis: Mapping[str, Any]  # what its analysis has found, if it was analysed

    @property
    def place(self) -> int | None:
        """Return the place of the home's own player."""
        return None if self.mine is None or not self.places else self.places[self.mine]

    def others(self) -> Iterator[tuple[int, Opponent]]:
        """Yield the seat of each opponent."""
        for seat, opponent in enumerate(self.opponents):
            if opponent is not None:
                yield seat, opponent


def is_filled(table: PlayedTable) -> bool:
    """Return True if the summary of a table says all that statistics need."""
    return "verified" in table.summary and "keys" in table.summary


def past(table: PlayedTable, me: bytes, people: Mapping[str, str]) -> Past | None:
    """Return a game that counts, or None for one that does not.

    `me` is the key of the home's own player. `people` has the names of the players who were met,
    by their keys.
    """
    match table.summary:
        case {
            "verified": True,
            "game": str(game),
            "names": list(names),
            "keys": list(keys),
            "deciders": list() | None as deciders,
            "places": list(places),
            "scores": list(scores),
            "seat": int() | None as mine,
        } if table.ended is not None and me.hex() in keys:
            finished = table.verdict in FINISHED and bool(places) and mine is not None
            deciders = [None] * len(keys) if deciders is None else deciders
            own = deciders[keys.index(me.hex())]
            analysis = table.summary.get("analysis")
            return Past(
                table=table.id.hex(),
                game=game,
                ended=table.ended,
                finished=finished,
                mine=mine,
                decider=own or "",
                names=tuple(names),
                opponents=tuple(_opponents(keys, names, deciders, me.hex(), people)),
                places=tuple(places) if finished else (),
                points=tuple(sum(row[at] for row in scores) for at in range(len(keys)))
                if finished
                else (),
                analysis=analysis if isinstance(analysis, dict) else {},
            )
    return None


def _opponents(
    keys: Sequence[str],
    names: Sequence[str],
    deciders: Sequence[str | None],
    me: str,
    people: Mapping[str, str],
) -> Iterator[Opponent | None]:
    """Yield the opponents, by seat.

    Where the home has forgotten who decided, a player who was never met is a bot: the address book
    has every person and no bot.
    """
    forgotten = not any(decider is not None for decider in deciders)
    for key, name, decider in zip(keys, names, deciders, strict=True):
        if key == me:
            yield None
        elif decider is not None:
            yield Opponent(Kind.BOT, level=decider)
        elif is_bot(name):
            yield Opponent(Kind.GUEST_BOT)
        elif forgotten and key not in people:
            yield Opponent(Kind.BOT)
        else:
            yield Opponent(Kind.PERSON, key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The games of a home that count, and how many of those that have ended do not."""

    games: Sequence[Past] = ()  # in the order in which they ended
    people: Mapping[str, str] = field(default_factory=dict)  # the names of players met, by key
    unverified: int = 0


def gather(home: Home) -> Gathered:
    store = home.look()
    identity = home.known_identity()
    if store is None or identity is None:
        return Gathered()
    with store:
        played, met = store.history(), store.people()
    people = {person.key.hex(): person.name for person in met}
    games = [past(table, identity.key, people) for table in reversed(played)]
    counted = [game for game in games if game is not None]
    unverified = sum(table.summary.get("verified") is False for table in played)
    return Gathered(
        games=sorted(counted, key=lambda game: game.ended),
        people=people,
        unverified=unverified,
    )
