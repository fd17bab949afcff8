"""The journal of this process: entries are saved before they are sent.

Several peers of one home may sit at one table: a person and the bots they brought. They share the
entries. Each entry is written once, and every peer that needs it on disk waits for that.
"""

import time
from collections.abc import Sequence

import trio

from p2pfruit.home.store import SavedSeat, SavedTable, Store
from protocol.feed.entries import Entry
from protocol.feed.roster import Roster
from protocol.link.keys import NO_OPENING
from protocol.series.contract import SignedContract


class Journal:
    """The journal of one table.

    `secret` is that of the table's invitation. With it a resumed table can be joined again.
    """

    def __init__(self, store: Store, secret: bytes, record: str = "") -> None:
        self.store = store
        self._secret = secret
        self._record = record
        self._safe: set[bytes] = set()
        self._writing = trio.Lock()

    def sit(
        self,
        roster: Roster,
        seat: SavedSeat,
        binds: Sequence[str],
        addresses: Sequence[tuple[bytes, str]],
        *,
        host: bytes = b"",
        salt: bytes = NO_OPENING,
    ) -> None:
        """Save a seat that was taken. Nothing is signed before this has returned.

        `host`: the key of the host; `salt`: that of the secret, if the host is here.
        """
        self.store.begin(
            SavedTable(
                id=roster.table,
                roster=roster.encode(),
                secret=self._secret,
                host=host,
                salt=salt,
                seats=(seat,),
                binds=tuple((seat.key, bind) for bind in binds),
                addresses=tuple(addresses),
                record=self._record,
                started=int(time.time()),
            )
        )

    def agree(self, signed: SignedContract) -> None:
        """Save the contract of a series, before anything is signed at a table of it."""
        self.store.agree(signed.contract.id, signed.encode())

    def learn(self, roster: Roster, player: int, addresses: Sequence[str]) -> None:
        self.store.learn(roster.table, roster.players[player].key, addresses)

    def entries(self, roster: Roster) -> list[bytes]:
        return self.store.entries(roster.table)

    async def save(self, entries: Sequence[tuple[int, Entry]]) -> None:
        """Save entries. On return they are on the disk."""
        async with self._writing:
            new = [entry for _, entry in entries if entry.id not in self._safe]
            if new:
                rows = [(entry.author, entry.seq, entry.id, entry.data) for entry in new]
                await trio.to_thread.run_sync(self.store.save, new[0].table, rows)
                self._safe |= {entry.id for entry in new}
