"""Every order in which runs of a code can be answered, confirmed and closed, up to a depth.

The table has small figures: two failures for a length, codes of one, two and three digits. What
must hold after each step, whoever calls:

    guesses    no more runs are answered at a length than it has failures and successes; beyond the
               longest, for each code
    single     no run is confirmed once its code was replaced, so a code lets one player in
    longer     a code never becomes shorter, and is as long as the failures say
    open       whatever happened, somebody who hears the announcement is answered at the second call
"""

from collections.abc import Iterator

from protocol.errors import RemoteProtocolError
from protocol.link.codes import Doorkeeper, Renewed
from protocol.link.entrance import Run
from tests.protocol.link.entrances import OFFER, Draws
from tests.protocol.link.links import BOB

FAILURES, LEAST, STEP, MOST = 2, 1, 1, 3

Act = tuple[str, int]  # answer; confirm or close the n-th run


def no_one(_key: bytes) -> bool:
    return False


class Broken(Exception):
    """What must hold does not."""


class World:
    """One order of acts, told again from the beginning."""

    def __init__(self, kind: type[Doorkeeper], hello: bytes) -> None:
        self.keeper = kind(
            host=BOB.key, offer=OFFER, draw=Draws(), knows=no_one, renewed=self.renewed
        )
        self.hello = hello
        self.runs: list[Run] = []
        self.codes: list[int] = []  # of each run, the number of its code
        self.lengths = [len(self.keeper.digits)]  # of each code
        self.confirmed: set[int] = set()
        self.closed: set[int] = set()

    def renewed(self, _why: Renewed) -> None:
        self.lengths.append(len(self.keeper.digits))

    def acts(self) -> Iterator[Act]:
        yield "answer", 0
        for run in range(len(self.runs)):
            if run not in self.closed:
                yield "close", run
                if run not in self.confirmed:
                    yield "confirm", run

    def act(self, act: Act) -> None:
        match act:
            case "answer", _:
                self.answer()
            case "confirm", run:
                self._confirm(run)
            case "close", run:
                self.closed.add(run)
                self.keeper.closed(self.runs[run])
        self.check()

    def answer(self) -> bool:
        try:
            run = self.keeper.answer(self.keeper.entrance.id, self.hello)
        except RemoteProtocolError:
            return False
        self.runs.append(run)
        self.codes.append(len(self.lengths) - 1)
        return True

    def _confirm(self, run: int) -> None:
        code = len(self.lengths) - 1
        try:
            self.runs[run].confirm(self.runs[run])
        except RemoteProtocolError:
            self.closed.add(run)
            return
        if self.codes[run] != code:
            raise Broken("single")
        self.confirmed.add(run)
        if len(self.lengths) - 1 == code:
            raise Broken("single")

    def check(self) -> None:
        failed = [run for run in range(len(self.runs)) if run not in self.confirmed]
        for length in range(LEAST, MOST):
            if sum(self.lengths[self.codes[run]] == length for run in failed) > FAILURES:
                raise Broken("guesses")
        if any(self.codes.count(code) > FAILURES for code in self.codes):
            raise Broken("guesses")
        if self.lengths != sorted(self.lengths):
            raise Broken("longer")
        least = LEAST + STEP * max(0, (len(failed) - 1) // FAILURES)
        if self.lengths[-1] < min(least, MOST):
            raise Broken("longer")

    def check_open(self) -> None:
        """The last look at a world: two more calls."""
        if not (self.answer() or self.answer()):
            raise Broken("open")
