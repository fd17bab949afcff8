"""Finished tables of small games, made once in each process, and their files in parts."""

from functools import cache
from typing import NamedTuple

from protocol import limits
from protocol.codec import decode, encode
from protocol.feed.entries import Entry
from protocol.file import gamefile
from protocol.file.gamefile import BOUNDS, MAGIC
from protocol.table.table import Table
from tests.protocol.tables import Room, Setup


class Finished(NamedTuple):
    setup: Setup
    room: Room
    data: bytes  # the file

    @property
    def table(self) -> Table:
        return self.room.parties[0].table


@cache
def finished(game: str = "punnet", count: int = 2, number: int = 0) -> Finished:
    """A whole game. Nobody changes what this returns."""
    setup = Setup(game, count, number)
    room = Room(setup.parties(), number)
    room.run()
    return Finished(setup, room, gamefile.write(room.parties[0].table))


class Parts(NamedTuple):
    """A file taken apart, so that it can be put together otherwise."""

    roster: bytes
    feeds: tuple[tuple[bytes, ...], ...]
    rivals: tuple[bytes, ...]

    @classmethod
    def of(cls, data: bytes) -> "Parts":
        match decode(data.removeprefix(MAGIC), limits.FILE_SIZE_MOST, BOUNDS):
            case (bytes(roster), tuple(feeds), tuple(rivals)):
                return cls(roster, feeds, rivals)  # type: ignore[arg-type]
        raise AssertionError("not a file")

    def join(self) -> bytes:
        return MAGIC + encode((self.roster, self.feeds, self.rivals))

    def with_feed(self, player: int, feed: tuple[bytes, ...]) -> "Parts":
        feeds = (*self.feeds[:player], feed, *self.feeds[player + 1 :])
        return self._replace(feeds=feeds)


def resigned(setup: Setup, data: bytes, **changes: object) -> Entry:
    """An entry once more, signed by its author with other fields."""
    entry = Entry.decode(data)
    names = ("table", "seq", "prev", "seen", "step", "kind", "body")
    said = {name: getattr(entry, name) for name in names} | changes
    [identity] = [one for one in setup.identities if one.key == entry.author]
    return Entry.sign(identity, **said)
