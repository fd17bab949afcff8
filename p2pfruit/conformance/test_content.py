"""Content that a stranger wrote: a game is built from it, or it is refused, and nothing else."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.content import Content
from engine.errors import BadContent
from engine.game import Game
from engine.limits import CONTENT_NUMBER_MOST
from p2pfruit.conformance import limits
from p2pfruit.conformance.bounds import TooMuch, bounded

GONE = object()
ODD: tuple[Any, ...] = (
    GONE, "", "fig", "1", "a-b", "\0", -1, 0, 1, 2,
    CONTENT_NUMBER_MOST, -CONTENT_NUMBER_MOST, 10**17, -(10**17),
    [], [[]], ["fig"], [1, "fig"], {}, {"fig": 1}, {"fig": ["fig"]}, [{"fig": {}}],
)  # fmt: skip


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of keys and numbers to each entry."""
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


def check_built_or_refused(game: Game[Any], tables: dict[str, Any], where: str) -> None:
    """Build the game within bounds: content may not make it take the machine."""
    bounds = {"memory": limits.BUILD_MEMORY_MOST, "seconds": limits.BUILD_SECONDS_MOST}
    try:
        with bounded(f"content with {where}", **bounds):
            built = type(game)(Content("odd", False, "", tables), game.chosen)
            assert built.start(built.seats[0]).need
    except BadContent:
        return
    except TooMuch as error:
        pytest.fail(f"{error}; hint: refuse such a number with BadContent when the content is read")
    except Exception as error:
        error.add_note(f"content with {where}: raise BadContent, which says what is wrong")
        raise


def said(path: tuple[Any, ...], odd: object) -> str:
    place = ".".join(map(str, path))
    return f"{place} missing" if odd is GONE else f"{place} = {odd!r}"


@given(data=st.data())
def test_odd_content_is_built_or_refused(plain: Game[Any], data: st.DataObject) -> None:
    tables = deepcopy(dict(plain.content.tables))
    changes = []
    for _ in range(data.draw(st.integers(1, 2))):
        if not tables:
            break
        path = data.draw(st.sampled_from(list(places(tables))))
        odd = data.draw(st.sampled_from(ODD))
        put(tables, path, deepcopy(odd))
        changes.append(said(path, odd))
    check_built_or_refused(plain, tables, ", ".join(changes))


@pytest.mark.parametrize("odd", [GONE, CONTENT_NUMBER_MOST], ids=["missing", "large"])
def test_missing_and_large_entries_are_built_or_refused(plain: Game[Any], odd: object) -> None:
    """Take away each entry, and make each as large as a content file may have it."""
    shipped = dict(plain.content.tables)
    for path in places(shipped):
        tables = deepcopy(shipped)
        put(tables, path, odd)
        check_built_or_refused(plain, tables, said(path, odd))


@pytest.mark.slow
def test_every_entry_of_the_content_made_odd(plain: Game[Any]) -> None:
    shipped = dict(plain.content.tables)
    for path in places(shipped):
        for odd in ODD:
            tables = deepcopy(shipped)
            put(tables, path, deepcopy(odd))
            check_built_or_refused(plain, tables, said(path, odd))
