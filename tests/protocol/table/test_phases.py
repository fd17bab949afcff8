"""The phases are the whole diagram: no table makes another change."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from protocol.feed import entries
from protocol.table.party import Party
from protocol.table.phases import AFRESH, PHASES, Phase, diagram
from protocol.table.play import Play
from tests.protocol.tables import Room, Setup
from tests.repository.sources import ROOT

PAGE = ROOT / "docs" / "protocol.md"

Change = tuple[Phase, Phase, bool]  # from, to, whether somebody was lost


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> set[Change]:
    """Every change of phase that any table makes meanwhile."""
    seen: set[Change] = set()
    close = Play.close

    def watched(play: Play, answers: Mapping[int, Any]) -> None:
        before, lost = play.phase, set(play.owing) - set(answers)
        close(play, answers)
        seen.add((before, play.phase, bool(lost)))

    monkeypatch.setattr(Play, "close", watched)
    return seen


def allowed(change: Change) -> bool:
    before, after, lost = change
    return after in PHASES[before].next or (lost and after in AFRESH)


def run(game: str, count: int, number: int, leavers: int) -> None:
    """A game that some leave, each in a step that waits for it, after some entry or other."""
    rng = Random(number)
    room = Room(Setup(game, count, number).parties(), number)
    for leaver in rng.sample(room.parties, leavers):
        length = len(room.said) + rng.randrange(40)

        def due(leaver: Party = leaver, length: int = length) -> bool:
            return len(room.said) >= length and leaver.table.owes(leaver.me)

        room.run(until=due)
        if leaver.can_sign:
            room.send(leaver.me, leaver.leave())
    room.run()
    assert {party.table.play.phase for party in room.parties} == {Phase.OVER}
    assert len({party.table.play.digest() for party in room.parties}) == 1


@pytest.mark.no_cover
def test_tables_change_phase_as_the_diagram_says(changes: set[Change]) -> None:
    for number in range(8):
        game = ("punnet", "brambles")[number % 2]
        count = 2 + number % 3
        run(game, count, number, leavers=number % 3 if count > 2 else number % 2)
    assert all(map(allowed, changes))
    assert {phase for before, after, _ in changes for phase in (before, after)} == set(Phase)
    assert any(lost for _, _, lost in changes)


@pytest.mark.slow
def test_many_tables_change_phase_as_the_diagram_says(changes: set[Change]) -> None:
    for number in range(150):
        game = ("punnet", "brambles")[number % 2]
        count = 2 + number % 3
        run(game, count, number, leavers=number % (count + 1))
    assert all(map(allowed, changes))


@pytest.mark.no_cover
def test_everybody_leaves(changes: set[Change]) -> None:
    for number in range(4):
        run("punnet", 2 + number % 2, number, leavers=2 + number % 2)
    assert all(map(allowed, changes))


def test_every_phase_has_its_rule() -> None:
    assert set(PHASES) == set(Phase)
    assert {rule.kind for rule in PHASES.values() if rule.kind} == {
        *(entries.SEAT, entries.LOT, entries.SHUFFLE, entries.AGREE, entries.SHARES),
        *(entries.COMMIT, entries.READY, entries.REVEAL, entries.MOVE),
    }


def test_every_phase_is_reached_and_ends() -> None:
    reached, ending = {Phase.SITTING}, {Phase.OVER}
    for _ in Phase:
        reached |= {after for phase in reached for after in PHASES[phase].next}
        ending |= {phase for phase, rule in PHASES.items() if rule.next & ending}
    assert reached == ending == set(Phase)
    assert PHASES[Phase.OVER] == ("", "nobody", frozenset())
    assert set(Phase) >= AFRESH


def test_the_diagram_has_every_change_once() -> None:
    first, start, *lines, end = diagram().splitlines()
    assert (first, start, end) == ("stateDiagram-v2", "    [*] --> sitting", "    over --> [*]")
    assert lines == list(dict.fromkeys(lines))
    assert {tuple(line.split(" --> ")) for line in map(str.strip, lines)} == {
        (before, after) for before, rule in PHASES.items() for after in rule.next
    }


@pytest.mark.skipif(not PAGE.exists(), reason="docs/protocol.md is not written")
def test_the_diagram_stands_in_the_specification() -> None:
    assert f"```mermaid\n{diagram()}\n```" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("ahead", [False, True])
def test_a_table_says_how_many_have_shuffled(monkeypatch: pytest.MonkeyPatch, ahead: bool) -> None:
    told: list[tuple[int, int]] = []
    close = Play.close

    def watched(play: Play, answers: Mapping[int, Any]) -> None:
        if play.phase is Phase.SHUFFLING:
            told.append(play.shuffled)
        close(play, answers)

    monkeypatch.setattr(Play, "close", watched)
    room = Room(Setup("punnet", 3).parties(ahead=ahead))
    room.run(lambda: room.parties[0].table.play.phase is Phase.AGREEING)
    assert sorted(set(told)) == [(0, 3), (1, 3), (2, 3)][ahead:]
