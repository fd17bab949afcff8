import pytest

from protocol.relay.crowd import one_too_many


@pytest.mark.parametrize(
    ("waiting", "new", "goes"),
    [
        ("", "a", None),
        ("abc", "d", None),
        ("ab", "a", None),
        ("aba", "a", 0),  # its own oldest
        ("abcc", "a", 2),  # the oldest of the largest crowd
        ("abcd", "e", 0),  # nobody is a crowd: the oldest of all
        ("abba", "c", 0),
    ],
)
def test_who_has_to_go(waiting: str, new: str, goes: int | None) -> None:
    assert one_too_many(waiting, new, most=4, per_neighbour_most=2) == goes
