"""Boards in lines: side by side, mine first, in any width."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.games.scenes import Board, Colour, Mood, Suit, Tile
from p2pfruit.ui.screen.boards import Form, boards, drawn, near
from p2pfruit.ui.screen.styled import columns, plain_lines, text_of

NAMES = ("Ada", "Bartholomew Montgomery of Northumberland", "李小龍", "Davor", "Emeka")
FIG = Suit(key="fig", name="fig", letters="F", shape="◆", colour=Colour.BLUE)


def tile(text: str, mark: str = "", mood: Mood = Mood.PLAIN) -> Tile:
    return Tile(name=text, text=text, suit=FIG, mark=mark, mood=mood)


THREE = (
    (tile("1", "+6✓"), Tile(name="closed"), None),
    (Tile(name="place 4", text="4", mood=Mood.PAST), tile("5", "−2✓"), tile("6")),
    (tile("7", mood=Mood.WINS), tile("8", mood=Mood.VOID), tile("9", mood=Mood.TARGET)),
)
FIVE = tuple(tuple(tile(str(row * column)) for column in range(5)) for row in range(5))


def some(players: int, rows: tuple[tuple[Tile | None, ...], ...] = THREE) -> list[Board]:
    return [Board(label=name, rows=rows, me=at == 1) for at, name in enumerate(NAMES[:players])]


def test_mine_comes_first_and_is_marked() -> None:
    assert text_of(drawn(some(3), 80, Form.PLAIN)).splitlines() == [
        "› Bartholomew Montg…    Ada                    李小龍",
        " ◆F1+6✓ ▒▒     ·        ◆F1+6✓ ▒▒     ·        ◆F1+6✓ ▒▒     ·",
        " ·4     ◆F5−2✓ ◆F6      ·4     ◆F5−2✓ ◆F6      ·4     ◆F5−2✓ ◆F6",
        " ★◆F7   ✗◆F8   ▶◆F9     ★◆F7   ✗◆F8   ▶◆F9     ★◆F7   ✗◆F8   ▶◆F9",
    ]


def test_a_frame_has_the_name_in_it() -> None:
    assert text_of(drawn(some(1), 80, Form.FRAMED)).splitlines() == [
        "┌Ada─────────────────┐",
        "│◆F1+6✓ ▒▒     ·     │",
        "│·4     ◆F5−2✓ ◆F6   │",
        "│★◆F7   ✗◆F8   ▶◆F9  │",
        "└────────────────────┘",
    ]


def test_the_roomiest_form_that_fits() -> None:
    assert boards(some(5), 80, 10) == drawn(some(5), 80, Form.FRAMED)
    assert boards(some(5), 80, 9) == drawn(some(5), 80, Form.PLAIN)
    assert boards(some(4), 80, 7) == drawn(some(4), 80, Form.SHORT)
    assert len(boards(some(4), 80, 7)) == 4
    assert boards(some(5), 80, 1) == drawn(some(5), 80, Form.PLAIN), "not cut; short saves nothing"


def test_boards_that_can_stand_aside_do_so_whole_and_last_first() -> None:
    kept, *others = some(4, FIVE)
    shown = [kept, *(replace(board, aside=True) for board in others)]
    everything = drawn(shown, 80, Form.PLAIN)
    assert near(shown, 80, len(everything)) == (everything, [])
    three = drawn(shown[:3], 80, Form.PLAIN)
    assert near(shown, 80, len(three) + 1) == (three, shown[3:]), "and a line is left to name it"
    assert near(shown, 80, len(three))[1] == shown[1:]
    rows, aside = near(shown, 80, 1)
    assert aside == shown[1:]
    assert rows == drawn([kept], 80, Form.PLAIN), "what must be seen is not cut"


def test_five_boards_of_nine_and_four_of_twenty_five_fit_a_small_screen() -> None:
    assert len(drawn(some(5), 80, Form.FRAMED)) == 10
    assert len(drawn(some(5), 80, Form.PLAIN)) == 8
    assert len(drawn(some(4, FIVE), 80, Form.PLAIN)) == 12
    assert len(drawn(some(4, FIVE), 160, Form.FRAMED)) == 7


def test_boards_of_different_sizes_stand_beside_each_other() -> None:
    mixed = [*some(1), Board(label="Zoë", rows=FIVE)]
    lines = drawn(mixed, 80, Form.FRAMED)
    assert len(lines) == 7
    assert len({columns(line) for line in lines}) == 1


@pytest.mark.parametrize("form", list(Form))
def test_no_board_and_an_empty_one(form: Form) -> None:
    assert drawn([], 80, form) == []
    assert "Ada" in text_of(drawn([Board(label="Ada", rows=((None,) * 3,))], 80, form))
    drawn([Board(label="Ada", rows=())], 80, form)


@given(st.integers(0, 200), st.integers(0, 30), st.integers(0, 5), st.sampled_from([THREE, FIVE]))
def test_it_fits_into_any_width(
    most: int, lines: int, players: int, rows: tuple[tuple[Tile | None, ...], ...]
) -> None:
    for line in boards(some(players, rows), most, lines):
        assert columns(line) <= most


def test_in_ascii_it_keeps_its_shape() -> None:
    lines = drawn([some(1)[0]], 80, Form.FRAMED)
    bare = text_of(plain_lines(lines))
    assert bare.isascii()
    assert [len(row) for row in bare.splitlines()] == [columns(line) for line in lines]
