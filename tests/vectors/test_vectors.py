"""The frozen cases are what the code makes, and become of what they say."""

import json
import re

import pytest

from tests.vectors.cases import Case
from tests.vectors.families import FAMILIES, Family, load, path

FROZEN = [
    pytest.param(FAMILIES[name], case, id=f"{name}: {case['name']}")
    for name in FAMILIES
    for case in load(name)
]


@pytest.mark.parametrize(("family", "case"), FROZEN)
def test_a_case_becomes_what_it_says(family: Family, case: Case) -> None:
    assert family.check(case) == case["expect"]


@pytest.mark.parametrize("name", FAMILIES)
def test_the_code_still_makes_them(name: str) -> None:
    assert json.loads(json.dumps(FAMILIES[name].make())) == load(name)


@pytest.mark.parametrize("name", FAMILIES)
def test_there_are_good_and_bad_ones(name: str) -> None:
    assert {case["expect"] for case in load(name)} == FAMILIES[name].stages


def test_every_file_has_its_family() -> None:
    assert {file.stem for file in path("x").parent.glob("*.json")} == set(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_page_tells_every_field(name: str) -> None:
    text = path(name).with_name("README.md").read_text("utf-8")
    everywhere, _, families = text.partition("## Cryptography")
    [row] = [line for line in families.splitlines() if line.startswith(f"| `{name}` |")]
    told = set(re.findall(r"`([a-z_]+)`", everywhere + families.partition("|")[0] + row))
    told |= {"seat_key", "watch_key", "seat_key_id", "watch_key_id"}  # "the keys and key ids"
    assert {field for case in load(name) for field in case} <= told
