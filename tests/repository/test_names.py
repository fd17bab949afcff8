"""The table knows no game: none is named in protocol/, in whatever case, not even in a comment."""

import re
from collections.abc import Collection, Iterator

import pytest

from engine import registry
from tests.repository.sources import ROOT, sources


def named(text: str, games: Collection[str]) -> Iterator[tuple[int, str]]:
    """Each line that names a game, also as a part of another word."""
    pattern = re.compile("|".join(map(re.escape, games)), re.IGNORECASE)
    for number, line in enumerate(text.splitlines(), start=1):
        yield from ((number, found) for found in pattern.findall(line))


def test_no_game_is_named_in_the_protocol() -> None:
    paths = sources("protocol")
    assert paths
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in paths
        for line, name in named(path.read_text("utf-8"), registry.names())
    ]
    assert found == []


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("line", ["x = '{}'", "# as in {}", "class {}Table:", '"""{}."""'])
def test_a_name_is_found(name: str, line: str) -> None:
    for written in (name, name.capitalize(), name.upper()):
        assert list(named(f"\n{line.format(written)}\n", registry.names())) == [(2, written)]
