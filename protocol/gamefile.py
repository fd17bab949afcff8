"""Game files: all that was said at a table, so that anybody can judge it.

    file  "p2pfruit game 1" and a line feed, then [roster, feeds, rivals] in the codec

`feeds` are lists of entries, a list for each player in the roster's order, as far as they counted.
`rivals` are the other entries of players who signed two stories, in the order player, number, id:
without them the forks that others speak of could not be checked. A file of a finished game ends
each feed with the signature under the result, so that all peers write the same bytes.

Reading a file means reading the table again with no seat and no secrets. What cannot be read in
that way was used by no honest table, and the file is refused. Form, chains and signatures come
first, all of them; then the game with every proof set aside; then the proofs, in any order and on
as many cores as there are. Only when one is false is the game read again, step by step, to find
the first who is to blame.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.errors import EngineError
from protocol import group, limits
from protocol.codec import Value, decode, encode
from protocol.entries import Entry, accused
from protocol.errors import RemoteProtocolError
from protocol.happenings import Why
from protocol.judging import Check, check_now
from protocol.phases import Phase
from protocol.roster import Roster
from protocol.table import Table

MAGIC = b"p2pfruit game 1\n"


class Proof(NamedTuple):
    """A proof that waits to be checked; `name` is the same in every reading."""

    name: bytes
    holds: Callable[[], bool]


Prover = Callable[[Sequence[Proof]], Sequence[bool]]  # checks many proofs, in any order


def check_all(proofs: Sequence[Proof]) -> list[bool]:
    """One after the other, in this thread."""
    return [check_one(proof) for proof in proofs]


def check_one(proof: Proof) -> bool:
    try:
        return proof.holds()
    except RemoteProtocolError:
        return False


# Writing.


def write(table: Table) -> bytes:
    """The file of a table, as far as it was read."""
    feeds = [feed[: _counted(table, player)] for player, feed in enumerate(table.read)]
    rivals = [entry for player in range(len(feeds)) for entry in _rivals(table, player, feeds)]
    return MAGIC + encode(
        (
            table.roster.encode(),
            tuple([tuple([entry.data for entry in feed]) for feed in feeds]),
            tuple([entry.data for entry in rivals]),
        )
    )


def _counted(table: Table, player: int) -> int:
    """How much of a feed belongs to the file: of a finished game, up to the last signature.

    What was said after it, while a signature seemed to be missing, is needed only if it was.
    """
    play = table.play
    missing = [one for one in play.signers if one not in play.signed]
    decided = any(table.ended[one].why in (Why.GONE, Why.FORKED) for one in missing)
    if play.phase is Phase.OVER and player in play.signed and not decided:
        return table.last_answers[player]
    return len(table.read[player])


def _rivals(table: Table, player: int, feeds: Sequence[Sequence[Entry]]) -> list[Entry]:
    """Entries outside the feed that others speak of, with all that lies before them."""
    feed = table.feeds.feeds[player]
    counted = {entry.id for entry in feeds[player]}
    if table.split is not None:  # what was not read shows who acted on which story
        found = {id: entry for id, entry in feed.by_id.items() if id not in counted}
    else:
        said = [entry for other in feeds for entry in other if accused(entry) == player]
        named = {id for entry in said for id in entry.body[1:] if isinstance(id, bytes)}
        named |= {head.id for other in feeds for entry in other if (head := entry.seen[player])}
        heads = [feed.by_id[id].head for id in named]
        chains = [entry for head in heads for entry in feed.chain(head)]
        found = {entry.id: entry for entry in chains if entry.id not in counted}
    return sorted(found.values(), key=lambda entry: (entry.seq, entry.id))


# Reading.


class Refused(Exception):
    """The file does not hold together. `stage`: form, chain, signature or reading."""

    def __init__(self, stage: str, why: str) -> None:
        super().__init__(f"{why} ({stage})")
        self.stage = stage
        self.why = why


def read(data: bytes, prover: Prover = check_all) -> Table:
    """The table of a file. Raises Refused, and nothing else."""
    try:
        roster, feeds, rivals = _parts(data)
        game = roster.build()
    except RemoteProtocolError as error:
        raise Refused("form", str(error)) from None

    def again(check: Check) -> Table:
        ends = {player: len(_list(feed)) for player, feed in enumerate(feeds)}
        table = Table(roster, game, check=check, ends=ends)
        _hold(table, feeds, rivals)
        return table

    proofs: list[Proof] = []

    def set_aside(name: bytes, holds: Callable[[], bool]) -> bool:
        proofs.append(Proof(name, holds))
        return True

    table = again(set_aside)
    try:
        table.go_on()
        sound = all(prover(proofs))
    except (RemoteProtocolError, EngineError, group.Degenerate):
        sound = False  # only false shares lead here
    if not sound:
        table = again(check_now)
        table.go_on()
    _check_used(table, feeds, data)
    return table


def _parts(data: bytes) -> tuple[Roster, tuple[Value, ...], tuple[Value, ...]]:
    if not data.startswith(MAGIC):
        raise RemoteProtocolError("file", "not a game file of this version")
    match decode(data[len(MAGIC) :], limits.FILE_SIZE_MOST):
        case (bytes(roster), tuple(feeds), tuple(rivals)):
            read_roster = Roster.decode(roster)
            if len(feeds) == len(read_roster.players):
                return read_roster, feeds, rivals
    raise RemoteProtocolError("file", "not a roster, its feeds and their rivals")


def _hold(table: Table, feeds: Sequence[Value], rivals: Sequence[Value]) -> None:
    """Every entry, its form, its place and its signature; nothing is read yet."""
    for at, feed in enumerate(feeds):
        for seq, item in enumerate(_list(feed)):
            _accept(table, item, at, f"entry {seq} of player {at}")
    for at, item in enumerate(rivals):
        _accept(table, item, None, f"rival {at}")


def _list(feed: Value) -> tuple[Value, ...]:
    if type(feed) is not tuple:
        raise Refused("form", "a feed is not a list of entries")
    return feed


def _accept(table: Table, item: Value, player: int | None, where: str) -> None:
    if type(item) is not bytes:
        raise Refused("form", f"{where} is not bytes")
    try:
        taken = table.feeds.accept(item)
    except RemoteProtocolError as error:
        stages = {"signature": "signature", "gap": "chain", "seq": "chain"}
        raise Refused(stages.get(error.code, "form"), f"{where}: {error}") from None
    if taken is None or (player is not None and taken[0] != player):
        raise Refused("chain", f"{where} has no place there")


def _check_used(table: Table, feeds: Sequence[Value], data: bytes) -> None:
    """Everything in the file was read, and this is how it is written."""
    if write(table) == data:
        return
    for player, feed in enumerate(feeds):
        read = len(table.read[player])
        if read < len(_list(feed)):
            why = f"entry {read} of player {player} is one that no honest table would have used"
            raise Refused("reading", why)
    raise Refused("reading", "the file is not how its game is written")
