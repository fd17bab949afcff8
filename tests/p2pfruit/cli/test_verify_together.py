"""p2pfruit verify on several files of one table: equal, parts of each other, or contradicting."""

import json
import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from p2pfruit.exits import Refusal
from p2pfruit.home import verification
from p2pfruit.home.verification import budget
from p2pfruit.replay import together, verify
from protocol.codec import encode
from protocol.file.gamefile import MAGIC, Pace, write
from protocol.file.report import report
from tests.games import registered
from tests.p2pfruit.cli.inside import run
from tests.protocol.file import scenes
from tests.protocol.file.files import Parts
from tests.protocol.file.scenes import Rewritten
from tests.protocol.tables import Setup


@cache
def rewritten() -> Rewritten:
    """A finished game of three, and the end that two losers made of it."""
    return scenes.rewritten("pebbles")


@cache
def beginning() -> bytes:
    said = [data for _, data in rewritten().honest.said]
    return write(scenes.spectator(rewritten().setup, said[: len(said) // 2]))


class Files:
    def __init__(self, folder: Path) -> None:
        self.ours, self.theirs = folder / "ours.fruit", folder / "theirs.fruit"
        self.part, self.copy = folder / "part.fruit", folder / "copy.fruit"
        ours, theirs = rewritten().files
        for path, data in (
            (self.ours, ours),
            (self.theirs, theirs),
            (self.part, beginning()),
            (self.copy, ours),
        ):
            path.write_bytes(data)


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    with registered():
        yield Files(tmp_path)


def verified(*paths: Path | str, typed: bytes = b"", lang: str = "en") -> tuple[int, str]:
    done = run("verify", "--lang", lang, *map(str, paths), typed=typed)
    assert done.stderr == ""
    return done.returncode, done.stdout


def records(*paths: Path | str, typed: bytes = b"") -> tuple[int, list[Any]]:
    done = run("verify", "--json", *map(str, paths), typed=typed)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


# A finished game that was rewritten.


def test_each_file_is_final_by_itself(files: Files) -> None:
    for path in (files.ours, files.theirs):
        code, text = verified(path)
        assert code == 0
        assert text.startswith(f"{path}: final: ")


@pytest.mark.parametrize("turned", [False, True])
def test_two_ends_contradict_each_other(turned: bool, files: Files) -> None:
    paths = [files.theirs, files.ours] if turned else [files.ours, files.theirs]
    code, text = verified(*paths)
    assert code == 7
    told = text.partition(f"\nthese files contradict each other: {paths[0]}, {paths[1]}\n")[2]
    forkers = re.findall(
        r"^  player (\d) signed two entries with the number (\d+): ([0-9a-f]{8}) \(step \d+,"
        r" in (\S+)\) and ([0-9a-f]{8}) \(step \d+, in (\S+)\)$",
        told,
        re.MULTILINE,
    )
    assert [int(player) for player, *_ in forkers] == rewritten().losers
    for _, _, first, in_first, second, in_second in forkers:
        assert first < second
        assert {in_first, in_second} == {str(files.ours), str(files.theirs)}
    assert "  together they say: " in told
    assert f"  {files.ours} says the same\n" in told
    assert f"  {files.theirs} says something else\n" in told
    winner = next(line for line in told.splitlines() if line.split()[-1:] == ["1"])
    assert winner.startswith(f"  player {rewritten().winner} ")


@pytest.mark.parametrize("turned", [False, True])
def test_from_standard_input(turned: bool, files: Files) -> None:
    paths = ["-", str(files.ours)] if turned else [str(files.ours), "-"]
    code, text = verified(*paths, typed=files.theirs.read_bytes())
    assert code == 7
    assert "\nstandard input: final: " in f"\n{text}"
    assert "  standard input says something else\n" in text
    code, text = verified("-", typed=files.theirs.read_bytes())
    assert (code, text.startswith("standard input: final: ")) == (0, True)


def test_standard_input_is_one_file(files: Files) -> None:
    done = run("verify", "-", str(files.ours), "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "standard input is one file" in done.stderr


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    checked = verify.check("-")
    assert checked.unreadable is not None
    assert checked.code == 1


def test_three_files_in_any_order(files: Files) -> None:
    found = []
    for paths in permutations((files.ours, files.theirs, files.part)):
        code, rows = records(*paths)
        assert code == 7
        *each, table = rows
        assert [one["file"] for one in each] == table["files"] == [str(path) for path in paths]
        stand = dict(zip(table["different"], table["stand"], strict=True))
        assert stand == {
            str(files.ours): True,
            str(files.theirs): False,
            str(files.part): True,
        }
        found.append((table["together"], [fork["ids"] for fork in table["forks"]]))
    assert all(one == found[0] for one in found)


def test_for_programs(files: Files) -> None:
    code, [ours, _theirs, table] = records(files.ours, files.theirs)
    assert code == 7
    assert table["relation"] == "contradict"
    assert table["table"] == ours["table"]
    assert (table["whole"], table["stand"]) == ([], [True, False])
    assert table["together"]["places"] == ours["places"]
    assert table["together"]["late_forks"] == rewritten().losers
    assert [fork["player"] for fork in table["forks"]] == rewritten().losers
    for fork in table["forks"]:
        assert fork["ids"] == sorted(fork["ids"])
        assert sorted(fork["files"]) == [[str(files.ours)], [str(files.theirs)]]
        assert len(fork["steps"]) == 2


def test_in_french(files: Files) -> None:
    code, text = verified(files.ours, files.theirs, lang="fr")
    assert code == 7
    assert f"ces fichiers se contredisent : {files.ours}, {files.theirs}" in text


# Files that do not contradict each other.


def test_equal_files(files: Files) -> None:
    code, text = verified(files.ours, files.copy)
    assert code == 0
    assert text.endswith(f"\n\nbyte-identical: {files.ours}, {files.copy}\n")
    code, [*_, table] = records(files.ours, files.copy)
    assert (code, table["relation"], table["together"]) == (0, "equal", None)
    assert table["different"] == table["whole"] == [str(files.ours)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_says_so(turned: bool, files: Files) -> None:
    paths = [files.part, files.ours] if turned else [files.ours, files.part]
    code, text = verified(*paths, files.copy)
    assert code == 6  # of the part, which is unfinished
    whole = files.ours
    assert text.endswith(
        f"\nbyte-identical: {whole}, {files.copy}\n"
        f"{files.part} is a part of {whole}, which says more\n"
    )
    code, [*_, table] = records(*paths)
    assert (code, table["relation"], table["whole"]) == (6, "part", [str(whole)])


def test_each_says_something_more(files: Files, tmp_path: Path) -> None:
    """Both hold the beginning of the game, and each something that the other had not heard yet."""
    setup, room = rewritten().setup, rewritten().honest
    said = [data for _, data in room.said]
    first = [data for at, (_, data) in enumerate(room.said) if at < 3]
    paths = []
    for name, rest in (("one", first[:2]), ("other", first[1:])):
        path = tmp_path / name
        path.write_bytes(write(scenes.spectator(setup, rest)))
        paths.append(path)
    code, text = verified(*paths)
    assert code == 6
    assert f"\nsame table, and each file says something more: {paths[0]}, {paths[1]}\n" in text
    assert "\n  together they say: unfinished at step 1: waiting for " in text
    assert len(said) > len(first)
    code, [*_, table] = records(*paths)
    assert (code, table["relation"], table["whole"]) == (6, "union", [])
    assert table["together"]["step"] == 1


# Other files among them.


def test_files_of_other_tables_and_refused_ones_change_nothing(
    files: Files, tmp_path: Path
) -> None:
    other = tmp_path / "other.fruit"
    table = scenes.spectator(Setup("frutopia", 2, 5), [])
    other.write_bytes(write(table))
    broken = tmp_path / "broken.fruit"
    broken.write_bytes(files.theirs.read_bytes()[:-1])
    code, text = verified(files.ours, other, broken, files.copy)
    assert code == 6
    assert f"{broken}: refused: " in text
    assert text.endswith(
        f"\nbyte-identical: {files.ours}, {files.copy}\ndifferent tables: {files.ours}, {other}\n"
    )
    code, text = verified(files.ours, other, broken, files.theirs)
    assert code == 7
    assert f"these files contradict each other: {files.ours}, {files.theirs}\n" in text
    code, rows = records(files.ours, broken, files.theirs, "/nowhere")
    assert code == 7
    assert [row.get("verdict") for row in rows] == ["final", "refused", "final", "unreadable", None]
    assert rows[-1]["files"] == [str(files.ours), str(files.theirs)]


def test_a_refused_file_is_not_used(files: Files, tmp_path: Path) -> None:
    """Its chains and signatures are good, but no honest table would have written it."""
    odd = tmp_path / "odd.fruit"
    parts = Parts.of(rewritten().files[1])
    odd.write_bytes(MAGIC + encode((parts.roster, (parts.feeds[0][:5], *parts.feeds[1:]), ())))
    code, rows = records(files.ours, odd)
    assert code == 6
    assert [row["verdict"] for row in rows] == ["final", "refused"]


def test_rules_that_are_not_known(tmp_path: Path) -> None:
    """Forks show without rules."""
    paths = [tmp_path / "ours", tmp_path / "theirs", tmp_path / "part"]
    with registered():
        scene = scenes.rewritten()
        said = [data for _, data in scene.honest.said]
        part = write(scenes.spectator(scene.setup, said[:20]))
        for path, data in zip(paths, (*scene.files, part), strict=True):
            path.write_bytes(data)
    ours, theirs, begun = paths
    code, text = verified(ours, theirs)
    assert code == 7
    assert "together they were not read, because the rules are not known here\n" in text
    assert "says something else" not in text
    code, [*_, table] = records(ours, theirs)
    assert (code, table["stand"], table["together"]) == (7, None, None)
    assert [fork["player"] for fork in table["forks"]] == scene.losers
    code, text = verified(ours, begun)
    assert code == 6
    assert text.endswith(f"\n{begun} is a part of {ours}, which says more\n")


# What can go wrong.


def test_a_file_that_changes_meanwhile(files: Files) -> None:
    members = [together.member(verify.check(str(path))) for path in (files.ours, files.theirs)]
    assert all(members)
    files.theirs.write_bytes(b"fig")
    with pytest.raises(Refusal, match="was changed while it was verified"):
        together.compare([one for one in members if one])
    files.theirs.unlink()
    with pytest.raises(Refusal, match="was changed while it was verified"):
        together.compare([one for one in members if one])


def spent_after(pieces: int, _seconds: float) -> Pace:
    clock = iter([0, *[0] * pieces, *[1] * 10**6])
    return budget(1, lambda: next(clock))


def test_together_they_may_take_too_long(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = (files.ours, files.part, files.theirs)
    ours, part, theirs = [together.member(verify.check(str(path))) for path in paths]
    assert ours is not None
    assert part is not None
    assert theirs is not None
    monkeypatch.setattr(verification, "budget", partial(spent_after, 3))
    [found] = together.compare([ours, part])
    assert (found.code, found.relation) == (8, together.Relation.PART)
    assert json.loads(together.as_json(found))["together"]["verdict"] == "over-budget"
    [found] = together.compare([ours, theirs])
    assert found.code == 7
    text = "\n".join(together.as_lines([ours, theirs], [found]))
    assert "  together they were given up: " in text
    assert "says the same" not in text


@pytest.mark.usefixtures("files")
def test_the_beginning_is_what_it_is_called() -> None:
    assert report(verification.open_table(beginning())).verdict == "unfinished"
