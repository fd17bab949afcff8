"""Several files of one table, read as one.

One file shows what its writer held, or wanted to show. A player who signs a second history gives
away each of the two in a file of its own, and each file is in order. Only together do they show the
fork. So files of one table are judged by the union of their entries. It is held in an order of its
own and read as a file is, so that the order of the files does not matter.

What a file says for good must be true of the union, too: see Claim. Files contradict each other if
it is not, or if they show a fork that none of them shows alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.needs import Done
from protocol.feed.entries import Entry
from protocol.feed.feeds import Feeds
from protocol.file.gamefile import (
    Ahead,
    Pace,
    Prover,
    check_all,
    not_ahead,
    read_proved,
    unhurried,
    without_seat,
    write,
)
from protocol.file.report import Report, report
from protocol.table.phases import Phase
from protocol.table.proving import Check, Memory, Proof
from protocol.table.table import Table


def unite(files: Sequence[Feeds]) -> Feeds:
    """Return the entries of all files of one table, ordered by player, number and id."""
    entries = {entry.id: (player, entry) for held in files for player, entry in held.log}
    roster = files[0].roster
    union = Feeds(roster, every_branch=True)
    for player, entry in sorted(entries.values(), key=lambda one: (one[0], one[1].seq, one[1].id)):
        union.hold(player, entry)
    return union


def read_together(
    files: Sequence[Feeds],
    prover: Prover = check_all,
    pace: Pace = unhurried,
    memory: Memory | None = None,
    ahead: Ahead = not_ahead,
) -> Table:
    """Read the union of verified files of one table, whose rules are known, with all proofs.

    `pace` may raise OverBudget. Proofs that the `memory` knows are not checked again.
    """
    roster = files[0].roster
    game = roster.build()

    def table_with(check: Check) -> Table:
        def paced(proof: Proof) -> bool | None:
            pace("reading", sum(map(len, table.read)), len(table.feeds.log))
            return check(proof)

        table = Table(roster, game, check=paced, feeds=unite(files))
        return table

    return read_proved(table_with, prover, memory, ahead)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a file, or a union of files, says about the players and the result.

    A file says for good who cheated. It says the result for good only if the game is done, and
    every player has signed it or is lost. All else may change with further entries, without any
    liar: of players who left or stopped at the same time, each file shows another one first.
    """

    cheats: frozenset[int]  # and all players who forked
    scores: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]  # by the rules, whoever has signed them
    over: bool

    @classmethod
    def of(cls, table: Table, found: Report | None = None) -> "Claim":
        shown = report(table) if found is None else found
        need = table.play.state.need
        return cls(
            cheats=frozenset([loss.player for loss in shown.cheats]) | {*shown.late_forks},
            scores=shown.scores,
            places=need.places if isinstance(need, Done) else (),
            over=table.play.phase is Phase.OVER and table.split is None,
        )

    def stands(self, union: "Claim") -> bool:
        """Return True if the union of this file with others says the same."""
        same = (self.scores, self.places) == (union.scores, union.places)
        return self.cheats <= union.cheats and (same or not self.over)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """Two entries of one player with the same number, in the order of their ids.

    `shown` is True if a single file shows that this player has forked.
    """

    player: int
    first: Entry
    second: Entry
    shown: bool


def find_forks(files: Sequence[Feeds], union: Feeds) -> tuple[Fork, ...]:
    """Return where the feed of each forker first forks."""
    found = []
    for player in range(len(union.feeds)):
        pairs = union.forks(player)
        if not pairs:
            continue
        seq = min(first.seq for first, _ in pairs)
        rivals = {one.id: one for pair in pairs for one in pair if one.seq == seq}
        first, second = [rivals[id] for id in sorted(rivals)][:2]
        shown = any(held.forks(player) for held in files)
        found.append(Fork(player=player, first=first, second=second, shown=shown))
    return tuple(found)


def contradicting(forks: Iterable[Fork], standing: Iterable[bool]) -> bool:
    """Return True if files contradict each other.

    They do if one of them does not stand, or if they show a fork that no single file shows.
    """
    return not (all(fork.shown for fork in forks) and all(standing))


def late_evidence(table: Table) -> bytes | None:
    """Return a file that shows forks which the file of this table leaves out, if there are any.

    A fork that is found when the game is over is not in the file, so that all players write the
    same. It is in the file of the same table before one player, who has not forked, has signed.
    """
    table = without_seat(table)
    players = range(len(table.read))
    late = [p for p in players if table.feeds.forks(p) and p not in table.ended]
    honest = [p for p in table.last_answers if not table.feeds.forks(p)]
    if table.play.phase is not Phase.OVER or not late or not honest:
        return None
    signer = honest[0]
    signature = table.last_answers[signer] - 1
    feeds = Feeds(table.roster, every_branch=True)
    for player, entry in table.feeds.log:
        if player != signer or entry.seq < signature:
            feeds.hold(player, entry)
    before = Table(table.roster, table.game, check=table.check_at_once, feeds=feeds)
    before.go_on()
    return write(before)
