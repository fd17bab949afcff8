"""kill -9, and then `p2pfruit resume`: the same game, as if nothing had happened.

Whoever is killed comes back with what it has saved, and says nothing otherwise that it has said
before. So all that a home held of its own when it was killed stands in the file at the end, byte
for byte, and the file has no rival of anything.
"""

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from protocol.feed import entries
from tests import games
from tests.processes.hall import KILLED, LIMIT_S, Hall, Program, opened
from tests.processes.program import AFTER, ANY, BEFORE, SENT, SIT

# Everything that is said in a game without trouble; the second Agree signs the result.
STEPS = (
    (entries.SEAT, 1),
    (entries.LOT, 1),
    (entries.SHUFFLE, 1),
    (entries.AGREE, 1),
    (entries.SHARES, 1),
    (entries.COMMIT, 1),
    (entries.READY, 1),
    (entries.REVEAL, 1),
    (entries.AGREE, 2),
)


# Whoever is killed after its last word comes back for those of the others, and they wait for it,
# however busy the machine is.
PATIENT = f"protocol.limits.LINGER_MS={LIMIT_S * 1000}"


def plan(*whens: str) -> list[str]:
    """A crash at each kind of step, by turns in these ways."""
    return [f"{whens[at % len(whens)]}:{kind}:{n}" for at, (kind, n) in enumerate(STEPS)]


class Victim:
    """One player: killed at each place of its plan, resumed each time, and then left alone."""

    def __init__(self, hall: Hall, name: str, crashes: Sequence[str]) -> None:
        self.name = name
        self._hall = hall
        self._crashes = list(crashes)
        self._signed: list[bytes] = []  # what it had signed when it was last killed

    def next_crash(self) -> str:
        return self._crashes.pop(0) if self._crashes else ""

    def plays(self, program: Program) -> int:
        """To the end; the last exit code."""
        while (code := program.ends()) == KILLED:
            self._look_back()
            program = self._hall.resume(self.name, crash=self.next_crash())
        return code

    def _look_back(self) -> None:
        """Nothing that it had said before is missing or changed."""
        signed = self._hall.own(self.name)
        assert signed[: len(self._signed)] == self._signed
        self._signed = signed

    def check_file(self) -> None:
        """All that it had ever saved of its own was used, and stands there first."""
        table = self._hall.table(self.name)
        [player] = [at for at, one in enumerate(table.roster.players) if one.name == self.name]
        feed = [entry.data for entry in table.read[player]]
        assert feed[: len(self._signed)] == self._signed
        assert not table.feeds.forks(player)


def play_on(hall: Hall, plans: Mapping[str, Sequence[str]]) -> bool:
    """A table at which everybody is killed as planned; whether there was an occasion for all."""
    hall.limits = PATIENT
    victims = [Victim(hall, name, crashes) for name, crashes in plans.items()]
    first, *rest = victims
    host = hall.host(first.name, "punnet", len(victims), crash=first.next_crash())
    programs = [host, *[hall.join(one.name, host, crash=one.next_crash()) for one in rest]]
    with ThreadPoolExecutor(len(victims)) as pool:
        codes = list(pool.map(Victim.plays, victims, programs))
    assert codes == [0] * len(victims)
    hall.the_same(list(plans))
    for victim in victims:
        victim.check_file()
    code, [report] = hall.verify(first.name)
    assert (code, report["verdict"], report["lost"]) == (0, "final", [])
    killed = [program for program in hall.programs if program.process.returncode == KILLED]
    return len(killed) == sum(map(len, plans.values()))


def test_host_or_guest_is_killed_at_every_kind_of_step(hall: Hall) -> None:
    first, second = plan(BEFORE, SENT, AFTER)[::2], plan(AFTER, SENT, BEFORE)[1::2]
    assert play_on(hall, {"anna": first, "ben": second, "cleo": []})


@pytest.mark.slow
def test_host_and_guest_are_killed_at_every_kind_of_step(hall: Hall) -> None:
    assert play_on(hall, {"anna": plan(BEFORE, AFTER), "ben": plan(AFTER, SENT), "cleo": []})


def test_both_are_killed_around_a_move_in_the_open(hall: Hall) -> None:
    hall.seed = "7"  # a game in which both have rotten fruit, and a choice what to do about it
    before, after, sent = [f"{when}:{entries.MOVE}:1" for when in (BEFORE, AFTER, SENT)]
    assert play_on(hall, {"anna": [before, sent], "ben": [after]})


def test_the_host_is_killed_before_anybody_has_heard_of_the_beginning(hall: Hall) -> None:
    assert play_on(hall, {"anna": [f"{AFTER}:{SIT}:1"], "ben": []})


def test_bots_come_back_with_whom_they_came_with(hall: Hall) -> None:
    record = str(hall.record("anna"))
    played = hall.start(
        "anna", "play", "--game", "punnet", "--auto", "greedy", "--bots", "greedy,random",
        "--json", "--record", record, crash=f"{AFTER}:{entries.COMMIT}:4",
    )  # fmt: skip
    assert played.ends() == KILLED
    before = {entry.data for entry in hall.saved("anna")}
    assert hall.resume("anna").ends() == 0
    table = hall.table("anna")
    assert before <= {entry.data for feed in table.read for entry in feed}
    assert hall.verify("anna")[1][0]["verdict"] == "final"


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["anna", "ben", "cleo"])
def test_one_is_killed_around_every_entry(tmp_path: Path, victim: str) -> None:
    """A table for each entry: before it is saved, after that, and once it is sent."""
    names = ("anna", "ben", "cleo")
    for number in itertools.count(1):
        crashes = [f"{when}:{ANY}:{number}" for when in (BEFORE, AFTER, SENT)]
        plans = {name: crashes if name == victim else [] for name in names}
        with games.registered(), opened(tmp_path / str(number)) as hall:
            if not play_on(hall, plans):
                break
    assert number > 10
