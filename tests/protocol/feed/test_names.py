"""Names of players: the frozen list of characters, in the code and on the page."""

import re
from itertools import pairwise
from pathlib import Path

from protocol.feed.names import REFUSED, allows, is_name

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"


def test_the_page_has_the_same_list() -> None:
    text = PAGE.read_text("utf-8").partition("A name has 1 to 32")[2].split("```")[1]
    found = re.findall(r"([0-9A-F]{4,6})-([0-9A-F]{4,6})", text)
    assert tuple((int(first, 16), int(last, 16)) for first, last in found) == REFUSED


def test_the_ranges_are_in_order_and_apart() -> None:
    edges = [edge for pair in REFUSED for edge in pair]
    assert edges == sorted(edges)
    assert all(end + 1 < start for (_, end), (start, _) in pairwise(REFUSED))


def test_no_name_holds_what_a_terminal_obeys() -> None:
    assert not any(allows(chr(code)) for code in (*range(32), *range(0x7F, 0xA0), 0x202E, 0x2066))


def test_a_character_that_an_older_python_does_not_know() -> None:
    assert is_name("\U0001fae8")
