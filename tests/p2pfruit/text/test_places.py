"""Places, of players who may have none."""

import pytest

from p2pfruit.text import places


@pytest.mark.parametrize(
    ("found", "order", "marks"),
    [
        ((2, 1, 3), [1, 0, 2], ["2", "1", "3"]),
        ((1, 3, 1), [0, 2, 1], ["1=", "3", "1="]),
        ((0, 2, 0, 1), [3, 1, 0, 2], ["-", "2", "-", "1"]),
        ((), [], []),
    ],
)
def test_who_has_no_place_stands_below(
    found: tuple[int, ...], order: list[int], marks: list[str]
) -> None:
    assert places.ranked(found) == order
    assert [places.mark(found, seat) for seat in range(len(found))] == marks


def test_for_programs_it_is_none() -> None:
    assert places.plain((0, 2, 1)) == [None, 2, 1]
