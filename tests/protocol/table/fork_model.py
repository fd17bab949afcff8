"""Forks, in every order of events: who acted on which branch, and what is concluded from it."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from protocol.feed.entries import Head
from protocol.table.agreement import Split, fork_end
from tests.protocol.table.agreement_check import Flaw, Report
from tests.protocol.table.agreement_model import put

ROOT = Head(0, b"root")
LEFT = (Head(1, b"left"), Head(2, b"left"))
RIGHT = (Head(1, b"right"), Head(2, b"right"))
NEXT: dict[Head | None, tuple[Head, ...]] = {
    None: (ROOT,),
    ROOT: (LEFT[0], RIGHT[0]),
    LEFT[0]: (LEFT[1],),
    RIGHT[0]: (RIGHT[1],),
}

ForkEnd = Callable[[Sequence[Head | None], Callable[[Head, Head], bool]], Head | Split | None]


def on_chain(early: Head, late: Head) -> bool:
    return early in (late, ROOT) or (early.id == late.id and early.seq < late.seq)


class Reader(NamedTuple):
    """Somebody who reads a forked feed."""

    acted: Head | None = None
    cut: Head | None = None
    has_cut: bool = False  # said how far it acted: with a Fork, or with the last thing it ever said

    def after(self, freezing: bool) -> Iterator["Reader"]:
        """Each branch may reach it entry by entry, and so may the proof that there are two."""
        if not self.has_cut:
            yield self._replace(cut=self.acted, has_cut=True)
        if not (self.has_cut and freezing):
            for head in NEXT.get(self.acted, ()):
                yield self._replace(acted=head)


def check_forks(readers: int, end: ForkEnd = fork_end, freezing: bool = True) -> Report:
    """Every order of reading and answering a fork, up to renaming the readers."""
    report = Report()
    start = (Reader(),) * readers
    known, waiting = {start}, deque([start])
    while waiting:
        state = waiting.popleft()
        report.states += 1
        if all(reader.has_cut for reader in state):
            _check_end(state, end, report)
        for n, reader in enumerate(state):
            for after in reader.after(freezing):
                new = tuple(sorted(put(state, n, after), key=repr))
                if new not in known:
                    known.add(new)
                    waiting.append(new)
    return report


def _check_end(state: tuple[Reader, ...], end: ForkEnd, report: Report) -> None:
    ends = {end(cuts, on_chain) for cuts in permutations([reader.cut for reader in state])}
    if len(ends) > 1:
        raise Flaw("the end depends on the order", state, ends)
    found = ends.pop()
    acts = [reader.acted for reader in state if reader.acted is not None]
    split = any(not on_chain(a, b) and not on_chain(b, a) for a in acts for b in acts)
    if isinstance(found, Split):
        report.sometimes["split"] += 1
        if not split:
            raise Flaw("split for nothing", state)
    elif split:
        raise Flaw("not split", state, found)
    elif found is None:
        report.sometimes["nothing was acted on"] += 1
        if acts:
            raise Flaw("voided", state)
    else:
        report.sometimes["ends on one chain"] += 1
        if found not in acts or any(not on_chain(act, found) for act in acts):
            raise Flaw("voided", state, found)
