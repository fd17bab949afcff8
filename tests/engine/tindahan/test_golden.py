"""Whole games, told in golden/*.txt. After a wanted change: see golden.py."""

import pytest

from tests.engine.tindahan.golden import FOLDER, SCRIPTS, Script, main, transcript


@pytest.mark.no_cover
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_game_is_told_as_before(script: Script) -> None:
    told = (FOLDER / f"{script.name}.txt").read_text(encoding="utf-8")
    assert transcript(script).splitlines() == told.splitlines()


def test_every_file_has_its_game() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {script.name for script in SCRIPTS}


def test_the_command_has_nothing_to_do() -> None:
    assert main([]) == 0
