"""The walks of docs/design.md are true: the files are there, and the program takes that way."""

from pathlib import Path

import pytest

from p2pfruit.cli.main import main
from p2pfruit.ui.screen.table import TablePage
from tests.p2pfruit.ui.screen.tables import SMALL, Shown
from tests.repository.sources import ROOT
from tests.repository.walks import Step, first_missed, traced, walks

CARD, ENTRY, HOST = walks()


@pytest.mark.parametrize("title", walks())
def test_a_walk_passes_through_each_file_once(title: str) -> None:
    steps = walks()[title]
    files = [step.file for step in steps]
    assert [file for file in files if not (ROOT / file).is_file()] == []
    assert len(set(files)) == len(files)
    assert [step.file for step in steps if step.file.endswith(".py") != bool(step.names)] == []


def test_a_card_goes_from_the_rulebook_to_the_screen() -> None:
    steps = walks()[CARD]
    with traced(steps) as calls:
        shown = Shown(2)
        TablePage(shown.model, {}, {}).draw(SMALL)
    assert first_missed(steps, calls) is None


def test_a_hosted_table_takes_these_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PFRUIT_HOME", str(tmp_path / "home"))
    entry, host = walks()[ENTRY], walks()[HOST]
    command = "host --game frutopia --seats 2 --bots greedy --auto greedy --port 0 --plain"
    with traced([*entry, *host]) as calls:
        assert main(command.split()) == 0
    assert first_missed(entry, calls) is None
    assert first_missed(host, calls) is None
    capsys.readouterr()


def test_a_wrong_order_is_found() -> None:
    steps = [Step("a.py", ("one",)), Step("b.py", ("two", "three"))]
    calls = [("b.py", "two"), ("a.py", "one"), ("b.py", "two"), ("b.py", "three")]
    assert first_missed(steps, calls) is None
    assert first_missed(steps, calls[:-1]) == ("b.py", "three")
    assert first_missed(steps[::-1], calls) == ("a.py", "one")
