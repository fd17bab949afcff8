"""Several files of one table, read as one."""

from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.feed.feeds import Feeds
from protocol.file.gamefile import OverBudget, Refused, check_all, hold, read, write
from protocol.file.report import Stopped, Verdict, report
from protocol.file.union import (
    Claim,
    contradicting,
    find_forks,
    late_evidence,
    read_together,
    unite,
)
from protocol.table.events import Why
from protocol.table.phases import Phase
from protocol.table.proving import Memory
from protocol.table.table import Table
from tests.protocol.file import scenes
from tests.protocol.file.files import Parts, finished, resigned
from tests.protocol.file.scenes import COUNT, Rewritten
from tests.protocol.tables import Room


@cache
def rewritten() -> Rewritten:
    return scenes.rewritten()


@cache
def played() -> dict[str, tuple[bytes, ...]]:
    """What each player of a scene would write. All scenes are of one table."""
    rooms: dict[str, Room] = {
        "left": scenes.left(),
        "silenced": scenes.silenced(Phase.SEATING),
        "gone": scenes.gone(),
        "given up": scenes.given_up(),
        "forked": scenes.forked(),
        "split": scenes.split(),
        "false shares": scenes.cheated(scenes.FalseShares),
        "false end": scenes.cheated(scenes.FalseEnd),
    }
    files = {
        name: tuple(dict.fromkeys(write(party.table) for party in room.parties))
        for name, room in rooms.items()
    }
    return files | {"rewritten": rewritten().files}


@cache
def held(data: bytes) -> Feeds:
    return hold(data)


@cache
def claim(data: bytes) -> Claim:
    return Claim.of(read(data))


MEMORY = Memory()  # many unions have the same entries: each proof is checked by the first


def together(*files: bytes) -> Table:
    return read_together([held(data) for data in files], memory=MEMORY)


def contradict(*files: bytes) -> bool:
    found = together(*files)
    said = Claim.of(found)
    forks = find_forks([held(data) for data in files], found.feeds)
    return contradicting(forks, [claim(data).stands(said) for data in files])


# A finished game, rewritten.


@pytest.mark.no_cover
def test_each_end_of_a_rewritten_game_is_final_by_itself() -> None:
    ours, theirs = (report(read(data)) for data in rewritten().files)
    assert (ours.verdict, theirs.verdict) == (Verdict.FINAL, Verdict.FINAL)
    assert ours.places != theirs.places
    for shown in (ours, theirs):
        assert (shown.cheats, shown.late_forks) == ((), ())


@pytest.mark.no_cover
@pytest.mark.parametrize("turned", [False, True])
def test_together_they_show_who_rewrote_it(turned: bool) -> None:
    scene = rewritten()
    files = scene.files[::-1] if turned else scene.files
    union = together(*files)
    shown = report(union)
    assert shown.places == report(read(scene.files[0])).places
    assert list(shown.late_forks) == scene.losers
    assert [claim(data).stands(Claim.of(union)) for data in scene.files] == [True, False]
    forks = find_forks([held(data) for data in files], union.feeds)
    assert [fork.player for fork in forks] == scene.losers
    for fork in forks:
        assert fork.first.seq == fork.second.seq
        assert fork.first.id < fork.second.id
        assert not fork.shown
        homes = [
            [data for data in scene.files if entry.id in held(data).feeds[fork.player].by_id]
            for entry in (fork.first, fork.second)
        ]
        assert sorted(homes) == sorted([[data] for data in scene.files])


# Files that say the same, or less.


def test_equal_files_are_their_own_union() -> None:
    data = finished().data
    union = together(data, data)
    assert write(union) == data
    assert report(union) == report(read(data))
    assert not contradict(data, data)


@pytest.mark.no_cover
def test_the_beginning_of_a_game_contradicts_nothing() -> None:
    data = finished(count=COUNT).data
    said = [entry for _, entry in finished(count=COUNT).room.said]
    for count in range(0, len(said), 7):
        part = write(scenes.spectator(finished(count=COUNT).setup, said[:count]))
        assert set(held(part)._held) <= set(held(data)._held)
        assert not contradict(part, data)
        assert write(together(part, data)) == data


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "name", ["left", "silenced", "gone", "given up", "forked", "false shares", "false end"]
)
def test_what_players_of_one_table_write_contradicts_nothing(name: str) -> None:
    assert not contradict(*played()[name])


@pytest.mark.no_cover
def test_three_files_of_which_one_lies() -> None:
    ours, theirs = rewritten().files
    said = [data for _, data in rewritten().honest.said]
    part = write(scenes.spectator(rewritten().setup, said[: len(said) // 2]))
    for files in permutations((ours, theirs, part)):
        assert contradict(*files)
    assert not contradict(ours, part)
    assert not contradict(theirs, part)


def test_a_fork_that_one_file_shows_is_no_contradiction() -> None:
    forked, *_others = played()["forked"]
    room = scenes.forked()
    part = write(scenes.spectator(rewritten().setup, [data for _, data in room.said][:2]))
    assert report(read(forked)).cheats
    assert not contradict(forked, part)


def test_two_branches_in_two_files_are_one() -> None:
    """Neither file is over, and none of them names anyone."""
    table = scenes.forked().parties[0].table
    first, second = table.feeds.forks(COUNT - 1)[0]
    others = [entry for player, entry in table.feeds.log if player != COUNT - 1 and not entry.seq]
    files = []
    for rival in (first, second):
        one = Feeds(table.roster)
        reader = Table(table.roster, table.game, feeds=one)
        for entry in (*others, rival):
            reader.take(entry.data)
        files.append(write(reader))
    assert [report(read(data)).verdict for data in files] == [Verdict.UNFINISHED] * 2
    assert contradict(*files)
    [fork] = find_forks([held(data) for data in files], together(*files).feeds)
    assert (fork.player, fork.first.id, fork.second.id) == (COUNT - 1, first.id, second.id)


def test_two_who_stop_at_once_do_not_contradict_each_other() -> None:
    """Each waits for the other, and has not heard that it stopped."""
    setup = finished().setup
    files = [
        write(scenes.spectator(setup, [*party.answer(), *party.stop()]))
        for party in setup.parties()
    ]
    assert [report(read(data)).stopped for data in files] == [Stopped.GIVEN_UP] * 2
    assert files[0] != files[1]
    assert not contradict(*files)


def test_a_result_stands_only_if_it_is_that_of_the_union() -> None:
    said = claim(finished().data)
    assert said.over
    assert said.stands(said)
    other = replace(said, places=said.places[::-1])
    assert not said.stands(other)
    assert replace(said, over=False).stands(other)
    assert not replace(said, over=False, cheats=frozenset({1})).stands(said)


@pytest.mark.no_cover
def test_what_is_said_for_good() -> None:
    for name, files in played().items():
        for data in files:
            table = read(data, memory=MEMORY)
            said = Claim.of(table, report(table))
            assert said == claim(data)
            closed = table.play.phase is Phase.OVER
            assert said.over == (closed and table.split is None), name


# The order of files.


@pytest.mark.no_cover
@given(st.data())
def test_the_order_of_files_does_not_matter(data: st.DataObject) -> None:
    known = [file for files in played().values() for file in files]
    files = data.draw(st.lists(st.sampled_from(known), min_size=2, max_size=5))
    again = data.draw(st.permutations(files))
    copies = [*again, *data.draw(st.lists(st.sampled_from(files), max_size=2))]
    one, other = together(*files), together(*copies)
    assert one.feeds.log == other.feeds.log
    assert one.read == other.read
    assert report(one) == report(other)
    assert Claim.of(one) == Claim.of(other)
    assert contradict(*files) == contradict(*copies)


def test_entries_are_held_in_one_order() -> None:
    for files in combinations(sorted(played()["split"] + played()["rewritten"]), 2):
        order = [(player, entry.seq, entry.id) for player, entry in unite([*map(held, files)]).log]
        assert order == sorted(order)
        assert len(order) == len(set(order))


# What is checked.


def test_every_proof_of_the_union_is_checked() -> None:
    names: list[bytes] = []

    def note(found: Any) -> list[bool]:
        names.extend(proof.name for proof in found)
        return check_all(found)

    data = finished().data
    read_together([held(data)], note)
    read_names = set(names)
    names.clear()
    read(data, note)
    assert set(names) == read_names


def test_a_false_proof_is_found_again() -> None:
    for data in played()["false shares"]:
        [lost] = report(together(data, data)).cheats
        assert (lost.ending.why, lost.ending.code) == (Why.BAD, "proof")


def test_a_union_that_takes_too_long_is_given_up() -> None:
    count = 0

    def pace(stage: str, done: int, of: int) -> None:
        nonlocal count
        count += 1
        if count == 5:
            raise OverBudget(stage, done, of)

    with pytest.raises(OverBudget) as caught:
        read_together([held(data) for data in rewritten().files], pace=pace, memory=MEMORY)
    assert caught.value.stage == "reading"


def test_entries_are_held_only_if_they_are_good() -> None:
    parts = Parts.of(finished().data)
    first, *rest = parts.feeds[0]
    forged = bytes([first[0] ^ 1]) + first[1:]
    with pytest.raises(Refused) as caught:
        hold(parts.with_feed(0, (forged, *rest)).join())
    assert caught.value.stage == "signature"
    with pytest.raises(Refused) as caught:
        hold(b"fig")
    assert caught.value.stage == "form"


# Forks that are found when the game is over.


def after_the_end() -> Table:
    """What the winner holds to whom the losers send their second history."""
    scene = rewritten()
    table = scene.honest.parties[scene.winner].table
    later = Table(table.roster, table.game, scene.winner, table.check)
    for _, data in [*scene.honest.said, *scene.rewritten.said]:
        later.take(data)
    return later


@pytest.mark.no_cover
def test_forks_after_the_end_are_kept_apart() -> None:
    scene = rewritten()
    table = after_the_end()
    ours = write(table)
    assert ours == scene.files[0]
    evidence = late_evidence(table)
    assert evidence is not None
    assert list(report(read(evidence)).late_forks) == scene.losers
    assert not contradict(ours, evidence)
    forks = find_forks([held(ours), held(evidence)], together(ours, evidence).feeds)
    assert [(fork.player, fork.shown) for fork in forks] == [(p, True) for p in scene.losers]
    assert contradict(evidence, scene.files[1])


def test_there_is_nothing_to_keep_if_the_file_shows_it() -> None:
    assert late_evidence(finished().table) is None
    for name in ("forked", "split", "rewritten", "left"):
        assert all(late_evidence(read(data, memory=MEMORY)) is None for data in played()[name])


def test_nobody_who_forked_can_be_left_out() -> None:
    """If all have forked, no honest signature could be missing."""
    scene = rewritten()
    table = Table(scene.setup.roster, scene.setup.game, scene.winner)
    for _, data in [*scene.honest.said, *scene.rewritten.said]:
        table.take(data)
    [*_, last] = table.read[scene.winner]
    table.take(resigned(scene.setup, last.data, body=(bytes(32),)).data)
    assert late_evidence(table) is None
