"""Game files: everything that was said at a table, so that anyone can judge it.

    file  "p2pfruit game 2" and a line feed, then [roster, feeds, rivals] in the codec

`feeds` are lists of entries, a list for each player in the roster's order, as far as they counted.
`rivals` are the other entries of players who signed two histories, ordered by player, number and
id. Without them a reader could not check the forks that other entries name. A file of a finished
game ends each feed with the signature under the result, so that all peers write the same bytes.

Reading a file means reading the table again with no seat and no secrets. No honest table uses an
entry that cannot be read in this way, so a file with such an entry is refused. First the entries
are held in the order of the file, each with its form, its place and its signature. Then the game is
read with every proof set aside. Then the proofs are checked, in any order and on all cores. Only if
a proof is false is the game read again, step by step, to find the first player to blame.

A file of a game that is not known here cannot be read that far. Its form, chains and signatures are
checked all the same, and that entries have seen only entries of the file. Then UnknownRules is
raised. It says what could be checked, and that the rules are missing.
"""

import re
from collections.abc import Callable, Sequence

from engine.errors import EngineError
from protocol import limits
from protocol.codec import Bounds, Value, decode, encode
from protocol.crypto import group
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import NOTHING, Entry, accused
from protocol.feed.feeds import Feeds
from protocol.feed.roster import Roster
from protocol.table.ballots import count_up_to
from protocol.table.events import Why
from protocol.table.phases import Phase
from protocol.table.proving import Check, Memory, Proof, check_one
from protocol.table.table import Table
from protocol.version import VERSION

MAGIC = b"p2pfruit game 2\n"

_ANY_MAGIC = re.compile(rb"p2pfruit game ([1-9][0-9]{0,8})\n")

BOUNDS = Bounds(limits.FILE_VALUES_MOST, limits.FILE_ITEMS_MOST, limits.FILE_DEPTH_MOST)


_Items = tuple[bytes, ...]
_Lists = tuple[_Items, ...]

# Checks many proofs, in any order. The results may end with the first false one.
Prover = Callable[[Sequence[Proof]], Sequence[bool]]

# Called with each of these proofs when it is set aside, so that it can be checked ahead.
Ahead = Callable[[Proof], None]


def not_ahead(_proof: Proof) -> None:
    pass


def check_all(proofs: Sequence[Proof]) -> list[bool]:
    """Check the proofs one after the other, in this thread."""
    return [check_one(proof) for proof in proofs]


# Writing.


def without_seat(table: Table) -> Table:
    """Return the table as any reader without a seat reads it who holds the same entries.

    A player reads only what it may act on. What is said about a table must not depend on that. The
    reader begins from nothing, so it cannot depend on the order of arrival either; it is kept as
    long as no further entry is held.
    """
    if table.me is None:
        return table
    held, reader = table.unseated
    if reader is not None and held == len(table.feeds.log):
        return reader
    reader = Table(table.roster, table.game, check=table.check_at_once, feeds=table.feeds)
    reader.go_on()
    table.unseated = len(table.feeds.log), reader
    return reader


def write(table: Table) -> bytes:
    """Return the file of a table, as far as it was read.

    A file may hold fewer entries than its writer. Then it is written from what a reader of the file
    would read, so that every reader can write it again.
    """
    table = without_seat(table)
    data, entries = _compose(table)
    if len(entries) == len(table.feeds.log):
        return data
    feeds = Feeds(table.roster, every_branch=True)
    again = Table(table.roster, table.game, check=table.check_at_once, feeds=feeds)
    for player, entry in entries:
        again.feeds.hold(player, entry)
    again.go_on()
    return write(again)


def _compose(table: Table) -> tuple[bytes, list[tuple[int, Entry]]]:
    """Return a file, and the entries in it with their players."""
    counts = _counts(table)
    feeds = [feed[:count] for feed, count in zip(table.read, counts, strict=True)]
    unread = [entry for player in range(len(feeds)) for entry in _leaned_on(table, player)]
    rivals = [
        (player, entry)
        for player in range(len(feeds))
        for entry in _rivals(table, player, feeds, unread)
    ]
    value = (
        table.roster.encode(),
        tuple([tuple([entry.data for entry in feed]) for feed in feeds]),
        tuple([entry.data for _, entry in rivals]),
    )
    in_feeds = [(player, entry) for player, feed in enumerate(feeds) for entry in feed]
    return MAGIC + encode(value), in_feeds + rivals


def _counts(table: Table) -> list[int]:
    """Return how many entries of each feed belong to the file.

    Of a finished game, each feed counts up to its author's signature. An entry after the signature,
    made while another signature seemed to be missing, belongs to the file only if another player
    had seen it when signing, or if it ended the feed of a player who never signed.
    """
    play = table.play
    counts = [len(feed) for feed in table.read]
    forked = [p for p in play.signers if p in table.ended and table.ended[p].why is Why.FORKED]
    if play.phase is not Phase.OVER or forked:
        return counts
    needed = [table.last_answers.get(p, count) for p, count in enumerate(counts)]
    while True:
        last = [feed[n - 1].seen for feed, n in zip(table.read, needed, strict=True) if n]
        seen = [max([0, *[count_up_to(row[p]) for row in last]]) for p in range(len(counts))]
        more = [max(n, min(s, c)) for n, s, c in zip(needed, seen, counts, strict=True)]
        if more == needed:
            return needed
        needed = more


def _leaned_on(table: Table, player: int) -> list[Entry]:
    """Return the unread entries of a player by which it is decided how forked feeds are read.

    They say how far their author acted on such a feed.
    """
    feeds = table.feeds
    forked = [f for f in range(len(feeds.feeds)) if feeds.forks(f) and f != player]
    if table.play.phase is Phase.OVER or player in table.ended or feeds.forks(player):
        return []
    places = {(f, head) for f in forked for head in feeds.acted(player, f)}
    found = []
    read = table.read[player]
    for entry in feeds.rest(player, read[-1] if read else None):
        new = {(f, entry.seen[f]) for f in forked} & places
        if new or accused(entry) in forked:
            found.append(entry)
            places -= new
    return found


def _rivals(
    table: Table, player: int, feeds: Sequence[Sequence[Entry]], unread: Sequence[Entry]
) -> list[Entry]:
    """Return the entries outside a player's feed that others name, and all entries before them.

    Also those that count although they are `unread`, and what they name. If the table is split, or
    if a player did not give up its seat by itself, everything that is held of its feed is evidence.
    """
    feed = table.feeds.feeds[player]
    counted = {entry.id for entry in feeds[player]}
    if table.split is not None or _cut_off(table, player):
        found = {id: entry for id, entry in feed.by_id.items() if id not in counted}
    else:
        used = [*[entry for other in feeds for entry in other], *unread]
        said = [entry for entry in used if accused(entry) == player]
        named = {id for entry in said for id in entry.body[1:] if isinstance(id, bytes)}
        named |= {head.id for entry in used if (head := entry.seen[player])}
        named |= {entry.id for entry in unread}
        named |= {entry.id for entry in _first_fork(table, player)}
        named |= {id for id, author in table.heard.items() if author == player}
        found = {}
        for id in named & feed.by_id.keys() - counted:
            for entry in feed.chain(feed.by_id[id].head):
                if entry.id in counted or entry.id in found:
                    break  # and so is everything before it
                found[entry.id] = entry
    return sorted(found.values(), key=lambda entry: (entry.seq, entry.id))


def _first_fork(table: Table, player: int) -> list[Entry]:
    """Return two entries that show where a feed first forked, if that was before its end.

    A fork no longer matters at a table that is over, at which its author was not lost.
    """
    if table.play.phase is Phase.OVER and player not in table.ended:
        return []
    pairs = [entry for pair in table.feeds.forks(player) for entry in pair]
    first = min([entry.seq for entry in pairs], default=None)
    ending, read = table.ended.get(player), len(table.read[player])
    ended = ending is not None and ending.why is not Why.FORKED
    if first is None or (ended and first >= read):
        return []
    rivals = {entry.id: entry for entry in pairs if entry.seq == first}
    return [rivals[id] for id in sorted(rivals)][:2]


def _cut_off(table: Table, player: int) -> bool:
    """Return True if a player was dropped together with others, or by those who stopped."""
    ending = table.ended.get(player)
    together = [p for p, end in table.ended.items() if ending is not None and end.by == ending.by]
    dropped = ending is not None and ending.why is Why.GONE and len(together) > 1
    return dropped or table.stopped == player


# Reading.


class Refused(Exception):
    """The file failed verification. `stage` is form, chain, signature, rules or reading."""

    def __init__(self, stage: str, why: str, code: str = "") -> None:
        super().__init__(f"{why} ({stage})")
        self.stage = stage
        self.why = why
        self.code = code  # of the error that refused it, if there was one


class UnknownRules(Refused):
    """The file passed all checks that need no rules, but the rules of its game are not known.

    `code` is "game" if this program cannot set up the game at all, and "rules" if it plays the game
    by other rules. `forked` are the players who signed two entries for one place.
    """

    def __init__(self, roster: Roster, feeds: Feeds, error: RemoteProtocolError) -> None:
        super().__init__("rules", error.why, error.code)
        players = range(len(roster.players))
        self.roster = roster
        self.entries = tuple([len(feeds.feeds[player].by_id) for player in players])
        self.forked = tuple([player for player in players if feeds.forks(player)])


class OverBudget(Refused):
    """The reader gave up, because the file takes more work than it wants to spend on one file.

    This says nothing about the file. `stage` is what was being checked: signature, reading or
    proof. `done` is how many of `count` entries or proofs were finished.
    """

    def __init__(self, stage: str, done: int, count: int) -> None:
        super().__init__(stage, f"given up after {done} of {count}", "budget")
        self.done = done
        self.count = count


# Called before every piece of work: with the stage, how much of it is done, and how much there is.
# It may raise OverBudget.
Pace = Callable[[str, int, int], None]


def unhurried(_stage: str, _done: int, _count: int) -> None:
    pass


def read(
    data: bytes,
    prover: Prover = check_all,
    pace: Pace = unhurried,
    memory: Memory | None = None,
    ahead: Ahead = not_ahead,
) -> Table:
    """Return the table of a file. Raises Refused, and nothing else.

    Proofs that the `memory` knows are not checked again.
    """
    roster, feeds, rivals = _opened(data)
    try:
        game = roster.build()
    except RemoteProtocolError as error:
        held = Feeds(roster, every_branch=True)
        _hold(held, feeds, rivals, pace)
        _check_chains(held, feeds)
        raise UnknownRules(roster, held, error) from None

    def table_with(check: Check) -> Table:
        def paced(proof: Proof) -> bool | None:
            pace("reading", sum(map(len, table.read)), count)
            return check(proof)

        count = sum(map(len, feeds))
        table = Table(roster, game, check=paced, feeds=Feeds(roster, every_branch=True))
        _hold(table.feeds, feeds, rivals, pace)
        return table

    table = read_proved(table_with, prover, memory, ahead)
    _check_used(table, feeds, data)
    return table


def hold(data: bytes, pace: Pace = unhurried) -> Feeds:
    """Return all entries of a file, with their form, chains and signatures checked.

    The table is not read. Raises Refused, and nothing else.
    """
    roster, feeds, rivals = _opened(data)
    held = Feeds(roster, every_branch=True)
    _hold(held, feeds, rivals, pace)
    return held


def read_proved(
    table_with: Callable[[Check], Table],
    prover: Prover,
    memory: Memory | None = None,
    ahead: Ahead = not_ahead,
) -> Table:
    """Read a table to its end and check all proofs at once, or one by one if any is false.

    `table_with` makes the table with its feeds held. Nothing of it was read yet.
    """
    known = Memory() if memory is None else memory
    aside: dict[bytes, Proof] = {}
    proved = False

    def check(proof: Proof) -> bool:
        """Set proofs aside until they are proved; then know them."""
        if proved or proof.name in known:
            return known.check(proof)
        if proof.name not in aside:
            aside[proof.name] = proof
            ahead(proof)
        return True

    table = table_with(check)
    try:
        table.go_on()
        whole = True
    except (RemoteProtocolError, EngineError, group.Degenerate):
        whole = False  # only false shares, taken for true ones, lead here
    proofs = list(aside.values())
    verdicts = prover(proofs)
    for proof, holds in zip(proofs, verdicts, strict=False):
        if holds:
            known.add(proof.name)
    proved = True
    if not whole or not all(verdicts):
        table = table_with(check)
        table.go_on()
    return table


def roster_of(data: bytes) -> Roster:
    """Return the roster of a file whose form is good. Raises Refused, and nothing else."""
    return _opened(data)[0]


def _opened(data: bytes) -> tuple[Roster, _Lists, _Items]:
    try:
        return _parts(data)
    except RemoteProtocolError as error:
        raise Refused("form", error.why, error.code) from None


def _parts(data: bytes) -> tuple[Roster, _Lists, _Items]:
    if not data.startswith(MAGIC):
        raise _another_file(data)
    match decode(data[len(MAGIC) :], limits.FILE_SIZE_MOST, BOUNDS):
        case (bytes(roster), tuple(feeds), tuple(rivals)):
            read_roster = Roster.decode(roster)
            if len(feeds) == len(read_roster.players):
                return read_roster, tuple([_items(feed) for feed in feeds]), _items(rivals)
    raise RemoteProtocolError("file", "not a roster, its feeds and their rivals")


def _items(feed: Value) -> _Items:
    entries = feed if type(feed) is tuple else (None,)
    found = tuple([entry for entry in entries if type(entry) is bytes])
    if len(found) != len(entries):
        raise RemoteProtocolError("file", "a feed is not a list of entries")
    return found


def _another_file(data: bytes) -> RemoteProtocolError:
    if other := _ANY_MAGIC.match(data):
        why = f"a game file of version {int(other[1])} of the protocol; this program reads version"
        return RemoteProtocolError("version", f"{why} {VERSION}")
    return RemoteProtocolError("file", "not a game file")


def _hold(held: Feeds, feeds: _Lists, rivals: _Items, pace: Pace) -> None:
    """Hold the entries one after the other, each with all its checks. Nothing is read yet."""
    count = sum(len(feed) for feed in feeds) + len(rivals)
    for at, feed in enumerate(feeds):
        for seq, item in enumerate(feed):
            pace("signature", len(held.log), count)
            _accept(held, item, at, f"entry {seq} of player {at}")
    for at, item in enumerate(rivals):
        pace("signature", len(held.log), count)
        _accept(held, item, None, f"rival {at}")


def _accept(held: Feeds, item: bytes, player: int | None, where: str) -> None:
    try:
        taken = held.accept(item)
    except RemoteProtocolError as error:
        stages = {"signature": "signature", "gap": "chain", "seq": "chain"}
        raise Refused(stages.get(error.code, "form"), f"{where}: {error.why}", error.code) from None
    if taken is None or (player is not None and taken[0] != player):
        raise Refused("chain", f"{where} does not belong there", "place")


def _check_chains(held: Feeds, feeds: _Lists) -> None:
    """Refuse a feed that branches, or that has seen an entry which is not in the file.

    The last entry of a feed may have seen anything: its author may have been lost for that reason.
    """
    counts = [len(feed) for feed in feeds]
    expected = [NOTHING] * len(feeds)
    for player, entry in held.log[: sum(counts)]:  # the rivals come after all feeds
        where = f"entry {entry.seq} of player {player}"
        if entry.prev != expected[player]:
            raise Refused("chain", f"{where} does not follow the one before it", "gap")
        expected[player] = entry.id
        known = [head is None or held.held(other, head) for other, head in enumerate(entry.seen)]
        if not all(known) and entry.seq + 1 < counts[player]:
            raise Refused("chain", f"{where} has seen an entry that is missing", "seen")


def _check_used(table: Table, feeds: _Lists, data: bytes) -> None:
    """Raise Refused unless every entry was read and the table would be written as this file."""
    if write(table) == data:
        return
    for player, feed in enumerate(feeds):
        read = len(table.read[player])
        if read < len(feed):
            why = f"entry {read} of player {player} is one that no honest table would have used"
            raise Refused("reading", why)
    raise Refused("reading", "the file is not written in the form of its game")
