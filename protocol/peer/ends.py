"""The end of a table: which file each player says it holds, compared with one's own.

Peers whose files differ stay a while and exchange what they hold. What arrives may change a file: a
second history of a player belongs to it, even if it arrives after the end. So a peer says again
what its file is when that has changed.

To know its file, a peer reads the whole table. So it does that only when it holds more than before,
and at most once a tick.
"""

from collections.abc import Sequence
from hashlib import sha256

from protocol.codec import Value
from protocol.file import gamefile
from protocol.link.notes import DONE, Notes
from protocol.table.phases import Phase
from protocol.table.table import Table


class Ends:
    def __init__(self, table: Table, notes: Notes, me: int | None) -> None:
        self._table = table
        self._notes = notes
        self._me = me
        self._players = range(len(table.roster.players))
        self._held = -1  # how many entries were held when the file was last written
        self._hash = b""
        self._told: dict[int, Sequence[Value]] = {}  # what differed, by player

    def hash(self) -> bytes:
        """Return the hash of the file of this table, as this peer would write it now."""
        held = len(self._table.feeds.log)
        if held != self._held:
            self._held, self._hash = held, sha256(gamefile.write(self._table)).digest()
        return self._hash

    def changed(self) -> bool:
        """Return True if my file is another one than when I said what it is."""
        said = None if self._me is None else self._notes.latest(self._me, DONE)
        return said is not None and said.body[0] != self.hash()

    def differing(self) -> list[int]:
        """Return the players who say that they hold another file than I, each file once.

        If a fork has split the table, or it was stopped, each file holds what its writer knows.
        """
        if self._table.play.phase is not Phase.OVER:
            return []
        said = {p: note.body for p in self._players if (note := self._notes.latest(p, DONE))}
        found = {p: body for p, body in said.items() if body[0] != self.hash()}
        new = [p for p, body in found.items() if self._told.get(p) != body]
        self._told |= found
        return new

    def agreed(self) -> bool:
        """Return True if all players who have said what their files are say the same as I."""
        notes = [self._notes.latest(player, DONE) for player in self._players]
        said = {note.body for note in notes if note is not None}
        stopped = self._table.play.phase is not Phase.OVER
        return self._me is None or stopped or len(said) <= 1
