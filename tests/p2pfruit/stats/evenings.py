"""A home after some evenings: small games that were really played, with their files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from p2pfruit.home.folder import Home
from p2pfruit.home.results import file_name, summarize
from p2pfruit.home.store import SavedTable, Store
from protocol.crypto.identity import Identity
from protocol.feed.roster import Player, Roster
from protocol.file import gamefile
from protocol.file.report import report
from protocol.table.party import table_nonce
from protocol.table.table import Table
from tests.p2pfruit.cli.gamefiles import SoreLoser, Trusting
from tests.protocol.tables import Room, Setup, secret

ME = "Ada"
DAY_S = 24 * 3600


def person(name: str) -> Identity:
    return Identity(secret("person", name))


def setup(game: str, names: Sequence[str], number: int) -> Setup:
    """A table of these people, by their own keys."""
    made = Setup(game, len(names), number)
    people = sorted(((person(name), name) for name in names), key=lambda one: one[0].key)
    made.identities = [identity for identity, _name in people]
    made.roster = Roster.of(
        made.game,
        tuple(
            Player(identity.key, table_nonce(seed), name)
            for (identity, name), seed in zip(people, made.seeds, strict=True)
        ),
    )
    return made


def finished(game: str, names: Sequence[str], number: int) -> Table:
    made = setup(game, names, number)
    parties = [made.party(at, Trusting) for at in range(len(names))]
    Room(parties, number).run()
    return parties[0].table


def unsigned(game: str, names: Sequence[str], number: int) -> Table:
    """The last player does not sign, and the others do not wait for that."""
    made = setup(game, names, number)
    last = len(names) - 1
    parties = [made.party(at, SoreLoser if at == last else Trusting) for at in range(len(names))]
    Room(parties, number).run()
    parties[0].stop()
    return parties[0].table


def broken_off(game: str, names: Sequence[str], number: int) -> Table:
    made = setup(game, names, number)
    parties = [made.party(at, Trusting) for at in range(len(names))]
    Room(parties, number).run(lambda: parties[0].asked)
    return parties[0].table


def make_home(path: Path) -> Home:
    home = Home(path)
    home.keep_secret(secret("person", ME), replace=True)
    home.set_name(ME)
    return home


def keep(home: Home, store: Store, table: Table, ended: int, **more: Any) -> Path:
    """Keep a game in a home, as if it had been played from there; `more` is for its summary."""
    home.make()
    path = home.games / file_name(table.roster)
    path.write_bytes(gamefile.write(table))
    begin(store, table, ended - 60)
    found = report(table)
    store.finish(
        table.roster.table,
        verdict=found.verdict,
        summary={**summarize(found, home.identity().key, verified=True), **more},
        file=str(path),
        ended=ended,
    )
    return path


def begin(store: Store, table: Table, started: int) -> None:
    roster = table.roster
    store.begin(
        SavedTable(
            id=roster.table, roster=roster.encode(), secret=bytes(16), seats=(), started=started
        )
    )


def meet(store: Store, *names: str) -> None:
    for name in names:
        store.meet(person(name).key, name, 1)
