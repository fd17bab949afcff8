"""The other games between separate processes: to their end, and with what goes wrong on the way.

Fruitoplay has test_tables.py. What a crash, a vote or a spectator comes to is shown elsewhere at
small tables; here, that it comes to the same where hands are proved and moves are made in turn.
"""

import pytest

from engine import registry
from protocol.feed import entries
from protocol.feed.entries import Entry
from tests.processes.hall import KILLED, Hall, Program
from tests.processes.program import AFTER, AT_THE_GATE, BEFORE, SENT
from tests.processes.test_absence import IMPATIENT
from tests.processes.test_crashes import PATIENT, Victim

NAMES = ("anna", "ben", "cleo", "dora", "emil")
GAMES = ("tindahan", "bastos", "pixies", "frutopia")


def seats_of(game: str) -> range:
    return registry.find(game).game.seats


def sat_down(hall: Hall, game: str, seats: int) -> list[Program]:
    """By turns greedy and random: random ones come to what a good player avoids."""
    host = hall.host("anna", game, seats)
    others = [
        hall.join(name, host, "--auto", "greedy" if at % 2 else "random")
        for at, name in enumerate(NAMES[1:seats])
    ]
    return [host, *others]


# As few as can play, in the game that is the quickest. And four at once where a game is short.
FEW = [("frutopia", seats_of("frutopia")[0]), ("punnet", 4)]
ALL = [(game, seats) for game in GAMES for seats in seats_of(game)]
TABLES = [
    *FEW,
    *[pytest.param(*table, marks=pytest.mark.slow) for table in ALL if table not in FEW],
]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_processes_play_to_the_end(hall: Hall, game: str, seats: int) -> None:
    programs = sat_down(hall, game, seats)
    assert [program.ends() for program in programs] == [0] * seats
    hall.the_same(NAMES[:seats])
    code, [report] = hall.verify("anna")
    assert (code, report["game"], report["verdict"]) == (0, game, "final")
    assert report["lost"] == []
    for program in programs:
        assert program.events()[-1]["what"] == "done"
        assert program.errors == []


def test_who_is_killed_says_the_same_again(hall: Hall) -> None:
    """Killed around cards played in turn, some of which need a proof."""
    say_the_same_again(hall, "brambles", [move(2, BEFORE), move(4, AFTER), move(6, SENT)])


@pytest.mark.slow
def test_who_is_killed_in_bastos_says_the_same_again(hall: Hall) -> None:
    """After a hidden choice too."""
    moves = [move(3, BEFORE), move(6, AFTER), move(9, SENT)]
    say_the_same_again(hall, "bastos", [f"{AFTER}:{entries.COMMIT}:1", *moves])


def move(number: int, when: str) -> str:
    return f"{when}:{entries.MOVE}:{number}"


def say_the_same_again(hall: Hall, game: str, crashes: list[str]) -> None:
    hall.seed = "0"  # with which ben cannot always follow
    hall.limits = PATIENT
    victim = Victim(hall, "ben", crashes)
    host = hall.host("anna", game, 3)
    killed = hall.join("ben", host, crash=victim.next_crash())
    other = hall.join("cleo", host)
    assert victim.plays(killed) == 0
    assert (host.ends(), other.ends()) == (0, 0)
    hall.the_same(NAMES[:3])
    victim.check_file()
    code, [report] = hall.verify("anna")
    assert (code, report["verdict"], report["lost"]) == (0, "final", [])
    deaths = [program for program in hall.programs if program.process.returncode == KILLED]
    assert len(deaths) == len(crashes)
    proved = [entry for entry in played(hall, "ben") if entry.body[3]]
    assert proved, "it could always follow"


def played(hall: Hall, name: str) -> list[Entry]:
    """The moves of one player in the file."""
    table = hall.table(name)
    [player] = [at for at, one in enumerate(table.roster.players) if one.name == name]
    return [entry for entry in table.read[player] if entry.kind == entries.MOVE]


# With one more than the fewest, so that the others can play on; Frutopia goes on where it was.
ABSENT = [
    ("frutopia", 3),
    *[
        pytest.param(*table, marks=pytest.mark.slow)
        for table in (("pixies", 3), ("bastos", 4), ("tindahan", 4))
    ],
]


@pytest.mark.parametrize(("game", "seats"), ABSENT)
def test_the_others_vote_and_play_on(hall: Hall, game: str, seats: int) -> None:
    names = NAMES[:seats]
    host = hall.host("anna", game, seats, *IMPATIENT, meet="all")
    victim = hall.join("ben", host, crash=f"{BEFORE}:{entries.MOVE}:2", meet="all")
    rest = [host, *[hall.join(name, host, meet="all") for name in names[2:]]]
    assert victim.ends() == KILLED
    assert [program.ends() for program in rest] == [0] * (seats - 1)
    hall.the_same([name for name in names if name != "ben"])
    code, [report] = hall.verify("anna")
    assert (code, report["verdict"]) == (0, "final")
    [lost] = report["lost"]
    assert (report["players"][lost["player"]]["name"], lost["why"]) == ("ben", "gone")


@pytest.mark.parametrize("game", ["brambles", pytest.param("pixies", marks=pytest.mark.slow)])
def test_a_spectator_sees_what_the_players_see(hall: Hall, game: str) -> None:
    host = hall.host("anna", game, 2)
    early = hall.watch("early", host)
    early.tells("lobby")
    guest = hall.join("ben", host, gate=hall.gate())
    guest.says(AT_THE_GATE)
    late = hall.watch("late", host)
    late.tells("table")
    hall.open_gate()
    everybody = [host, guest, early, late]
    assert [program.ends() for program in everybody] == [0, 0, 0, 0]
    hall.the_same(["anna", "ben", "early", "late"])
    seen = [event for event in host.events() if "seat" in event and "data" in event]
    assert seen
    for program in everybody:
        assert [e for e in program.events() if "seat" in e and "data" in e] == seen
