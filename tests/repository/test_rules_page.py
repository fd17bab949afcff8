"""docs/rules.md tells what the shipped games have: needs, public values, options, players."""

import re

import pytest

from engine import registry
from engine.registry import SHIPPED
from tests.repository.sources import ROOT

PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")


def section(game: str) -> str:
    return PAGE.partition(f"\n## {game.capitalize()}\n")[2].partition("\n## ")[0]


def first_cells(text: str) -> list[str]:
    return [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize("game", SHIPPED)
def test_every_need_is_told_of(game: str) -> None:
    kind = registry.find(game).game
    table = section(game).partition("**Public values**")[0]
    told = {re.findall(r"`([a-z_]+)`", cell)[0] for cell in first_cells(table)}
    assert told == {name.removeprefix("after_") for name in dir(kind) if name.startswith("after_")}


@pytest.mark.parametrize("game", SHIPPED)
def test_the_public_values_stand_in_their_order(game: str) -> None:
    table = section(game).partition("**Public values**")[2].partition("\n\n|")[2]
    told = first_cells("|" + table.partition("\n\n")[0])
    assert tuple(told) == registry.find(game).game.state_type.public


@pytest.mark.parametrize("game", SHIPPED)
def test_every_option_and_the_players_are_told_of(game: str) -> None:
    kind = registry.find(game).game
    head = section(game).strip().partition("\n\n")[0].replace("\n", " ")
    assert re.match(rf"{kind.seats[0]} (to|or) {kind.seats[-1]} players\.", head)
    for option in kind.options:
        told = head.partition(f"`{option.name}`: `{option.default}` (default)")[2]
        assert told
        if len(option.values) <= 3:
            assert all(f"`{value}`" in told for value in option.values if value != option.default)


def test_the_versions_are_as_the_protocol_says() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8").replace("\n", " ")
    assert "All versions of the shipped games are 1." in page
    assert {registry.find(game).game.version for game in SHIPPED} == {1}
