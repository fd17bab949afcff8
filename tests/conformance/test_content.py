"""Content that a stranger wrote: a game is built from it, or it is refused, and nothing else."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.content import Content
from engine.errors import BadContent
from engine.registry import SHIPPED

GONE = object()
ODD: tuple[Any, ...] = (
    GONE, "", "fig", "1", "a-b", "\0", -1, 0, 1, 2, 10**17, -(10**17),
    [], [[]], ["fig"], [1, "fig"], {}, {"fig": 1}, {"fig": ["fig"]}, [{"fig": {}}],
)  # fmt: skip


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in it: a path of keys and numbers."""
    if path:
        yield path
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield from places(value[key], (*path, key))


def put(tables: Any, path: tuple[Any, ...], odd: object) -> None:
    for key in path[:-1]:
        tables = tables[key]
    if odd is GONE:
        del tables[path[-1]]
    else:
        tables[path[-1]] = odd


def check_built_or_refused(name: str, tables: dict[str, Any]) -> None:
    try:
        game = registry.build(name, {}, Content("odd", False, "", tables))
    except BadContent:
        return
    assert game.start(game.seats[0]).need


@pytest.mark.parametrize("name", SHIPPED)
@given(data=st.data())
def test_odd_content_is_built_or_refused(name: str, data: st.DataObject) -> None:
    tables = deepcopy(dict(registry.find(name).content().tables))
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(tables))))
        put(tables, path, deepcopy(data.draw(st.sampled_from(ODD))))
    check_built_or_refused(name, tables)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_every_entry_of_the_content_made_odd(name: str) -> None:
    shipped = dict(registry.find(name).content().tables)
    for path in places(shipped):
        for odd in ODD:
            tables = deepcopy(shipped)
            put(tables, path, deepcopy(odd))
            check_built_or_refused(name, tables)
