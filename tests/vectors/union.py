"""Files of one table that are read together: equal ones, parts, and such that contradict."""

from engine import registry
from protocol.feed.entries import LEAVE
from protocol.file.gamefile import hold, read, write
from protocol.file.union import Claim, find_forks, read_together
from tests.protocol.file import scenes
from tests.protocol.file.files import resigned
from tests.protocol.tables import Room, Setup
from tests.vectors import file
from tests.vectors.cases import CONTRADICT, GOOD, Case

BEGINNING = 6  # all have sat down and drawn lots


def make() -> list[Case]:
    game = registry.build("frutopia", {"standstill": "10"})
    setup = Setup(game, scenes.COUNT)
    room = Room(setup.parties())
    room.run(until=lambda: len(room.said) > 2 * BEGINNING)
    said = [data for _, data in room.said]
    begun = _file(setup, said[:BEGINNING])
    later = _file(setup, said[: 2 * BEGINNING])
    branch = _file(setup, _left(setup, said))
    both = write(scenes.spectator(setup, [*said[: BEGINNING + 1], *_left(setup, said)[-1:]]))
    return [
        _case("equal files", [begun, begun], GOOD),
        _case("a file and a part of it", [begun, later], GOOD),
        _case("a branch in each file", [later, branch], CONTRADICT),
        _case("a branch in each file, turned round", [branch, later], CONTRADICT),
        _case("a fork that one file shows", [both, branch], GOOD),
        _case("a finished game, rewritten", list(scenes.rewritten(game).files), CONTRADICT),
    ]


def _file(setup: Setup, said: list[bytes]) -> bytes:
    return write(scenes.spectator(setup, said))


def _left(setup: Setup, said: list[bytes]) -> list[bytes]:
    """The author of the next entry leaves instead of saying it."""
    return [*said[:BEGINNING], resigned(setup, said[BEGINNING], kind=LEAVE, body=()).data]


def _case(name: str, files: list[bytes], expect: str) -> Case:
    return {
        "name": name,
        "files": [data.hex() for data in files],
        "together": _together(files),
        "expect": expect,
    }


def _together(files: list[bytes]) -> Case:
    held = [hold(data) for data in files]
    table = read_together(held)
    said = Claim.of(table)
    return {
        "shows": file.shown(table),
        "stand": [Claim.of(read(data)).stands(said) for data in files],
        "forks": [
            [fork.player, fork.first.seq, fork.first.id.hex(), fork.second.id.hex(), fork.shown]
            for fork in find_forks(held, table.feeds)
        ],
    }


def check(case: Case) -> str:
    found = _together([bytes.fromhex(data) for data in case["files"]])
    assert found == case["together"]
    agree = all(found["stand"]) and all(fork[-1] for fork in found["forks"])
    return GOOD if agree else CONTRADICT
