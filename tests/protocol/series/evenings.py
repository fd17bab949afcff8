"""Series of small games: contracts, and tables that are really played."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256

from engine import registry
from protocol.crypto.identity import Identity
from protocol.feed.roster import InSeries, Player, Roster
from protocol.file import gamefile
from protocol.series.contract import (
    Contract,
    Counting,
    Kind,
    Plan,
    SeriesGame,
    SignedContract,
)
from protocol.series.played import How, Played
from protocol.table.party import table_nonce
from tests.games import registered
from tests.protocol.tables import Room, Setup, secret

GAME = "pebbles"
AS_USUAL = Counting()

PEOPLE = sorted([Identity(secret("member", at)) for at in range(4)], key=lambda one: one.key)
OUTSIDER = Identity(secret("outsider"))


def seed(identity: Identity, nth: int) -> bytes:
    return secret("seed", identity.key, nth)


def player(identity: Identity, nth: int = 0) -> Player:
    name = "outsider" if identity is OUTSIDER else f"member {PEOPLE.index(identity)}"
    return Player(identity.key, table_nonce(seed(identity, nth)), name)


with registered():  # this module is imported before the games of tests are known
    _GAMES = {
        name: SeriesGame.of(Roster.of(registry.build(name), (player(PEOPLE[0]),)))
        for name in registry.names()
    }


def game_of(name: str = GAME) -> SeriesGame:
    return _GAMES[name]


def plan_of(
    kind: Kind = Kind.ALL,
    count: int = 3,
    points: tuple[int, ...] = (3, 1),
    games: tuple[SeriesGame, ...] | None = None,
    counting: Counting = AS_USUAL,
) -> Plan:
    return Plan(
        kind=kind,
        count=count,
        games=games or (game_of(),),
        points=points,
        counting=counting,
    )


def contract_of(members: int = 2, plan: Plan | None = None) -> Contract:
    people = tuple([player(one) for one in PEOPLE[:members]])
    return Contract(plan=plan or plan_of(), members=people)


def signed(contract: Contract) -> SignedContract:
    people = {one.key: one for one in PEOPLE}
    signatures = tuple([contract.sign(people[key]) for key in contract.keys])
    return SignedContract(contract=contract, signatures=signatures)


# Games that are only told.


def told(
    contract: Contract,
    number: int,
    before: bytes | None = None,
    places: Sequence[int] = (1, 2),
    how: How = How.FINAL,
    nth: int = 0,
    sat: Sequence[int] | None = None,
    cheats: Sequence[int] = (),
) -> Played:
    """What a file would show of a game of the first members, with these places; 0 is none.

    Unless it is said, a game goes on from a file that nobody knows.
    """
    people = PEOPLE[: len(places)]
    keys = [one.key for one in people]
    if before is None:
        before = b"" if number == 1 else b"\7" * 32
    series = InSeries(contract.id, number, before)
    terms = contract.plan.game(number)
    roster = Roster(
        *(terms.game, terms.rules_id, terms.options, "", terms.limits),
        tuple([player(one, nth) for one in people]),
        series,
    )
    return Played(
        roster=roster,
        series=series,
        digest=sha256(roster.encode() + repr((places, how)).encode()).digest(),
        how=how,
        places={key: place for key, place in zip(keys, places, strict=True) if place},
        sat=frozenset([keys[at] for at in (range(len(keys)) if sat is None else sat)]),
        cheats=frozenset([keys[at] for at in cheats]),
    )


# Games that are played.


def setup_of(contract: Contract, series: InSeries, people: Sequence[Identity], nth: int) -> Setup:
    terms = contract.plan.game(series.number)
    setup = Setup(registry.build(terms.game, dict(terms.options)), len(people))
    setup.identities = sorted(people, key=lambda one: one.key)
    setup.seeds = [seed(one, nth) for one in setup.identities]
    players = tuple([player(one, nth) for one in setup.identities])
    setup.roster = replace(Roster.of(setup.game, players), limits=terms.limits, series=series)
    return setup


def to_the_end(room: Room) -> None:
    room.run()


def first_leaves(room: Room) -> None:
    """The first player leaves as soon as something is owed."""
    party = room.parties[0]
    room.run(until=lambda: len(room.said) > 4 and party.table.owes(0))
    room.send(0, party.leave())
    room.run()


def played(
    contract: Contract,
    series: InSeries,
    people: Sequence[Identity],
    nth: int,
    course: Callable[[Room], None] = to_the_end,
) -> bytes:
    """Return the file of a table."""
    room = Room(setup_of(contract, series, people, nth).parties(), nth)
    course(room)
    return gamefile.write(room.parties[-1].table)


def shown(data: bytes) -> Played:
    return Played.of(gamefile.read(data), sha256(data).digest())


@cache
def evening() -> tuple[SignedContract, tuple[bytes, ...]]:
    """Three games of two games in turn, by three members. The first member is gone in the last
    one, and somebody else has its seat."""
    games = (game_of(), game_of("punnet"))
    contract = contract_of(3, plan_of(games=games))
    files: list[bytes] = []
    before = b""
    for number in (1, 2, 3):
        people = PEOPLE[:3] if number < 3 else [*PEOPLE[1:3], OUTSIDER]
        series = InSeries(contract.id, number, before)
        files.append(played(contract, series, people, number - 1))
        before = sha256(files[-1]).digest()
    return signed(contract), tuple(files)
