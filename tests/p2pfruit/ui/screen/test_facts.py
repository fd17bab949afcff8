"""Colour shows nothing that the text does not: two tables that differ in one fact differ in plain
ASCII, on every page that shows the fact."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.moves import Move
from p2pfruit.games.scenes import (
    Account,
    Cell,
    Colour,
    Heading,
    Moment,
    Mood,
    Option,
    Played,
    PlayerRow,
    Reckoning,
    Scene,
    Strip,
    Suit,
    Tile,
)
from p2pfruit.text.plain import plain
from p2pfruit.ui.lobby import Here
from p2pfruit.ui.screen import charts, drawing
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.final import Final, FinalPage
from p2pfruit.ui.screen.lobby import LobbyModel, LobbyPage
from p2pfruit.ui.screen.overlays import ChoicePage
from p2pfruit.ui.screen.styled import Line, Size, plain_lines, text_of
from tests.p2pfruit.cli import gamefiles
from tests.p2pfruit.ui.gatherings import Acts, here
from tests.p2pfruit.ui.screen.test_replay import page_of as replay_page

SCREEN = Size(80, 24)
APPLE = Suit(key="apple", name="apple", letters="Ap", shape="●", colour=Colour.GREEN)
FIG = Suit(key="fig", name="fig", letters="Fi", shape="◆", colour=Colour.BLUE)


def ascii_of(lines: Sequence[Line]) -> str:
    text = text_of(plain_lines(list(lines)))
    assert text.isascii()
    return text


def told_apart(*drawn: Sequence[Line]) -> bool:
    return len({ascii_of(lines) for lines in drawn}) == len(drawn)


def tile(mood: Mood = Mood.PLAIN, suit: Suit = APPLE, mark: str = "") -> Tile:
    return Tile(name="", text="17", suit=suit, mark=mark, mood=mood)


ROW = PlayerRow(
    seat=0, name="Ada", me=False, cells=(Cell(text="3"),), hand=(tile(),), score=5, projection=8
)


def scene(row: PlayerRow = ROW) -> Scene:
    return Scene(title=("turn 3",), headings=(Heading(text="apple", suit=APPLE),), players=(row,))


# The table.


def test_the_mood_of_a_card() -> None:
    assert told_apart(*([drawing.tile(tile(mood))] for mood in Mood))
    for lines in (1, 3):
        strips = [Strip(label="river", tiles=(tile(mood), tile())) for mood in Mood]
        assert told_apart(*(drawing.strip(strip, 80, lines) for strip in strips))
    hands = [(tile(mood),) for mood in Mood]
    assert told_apart(*(drawing.cards(hand, 80) for hand in hands))
    assert told_apart(*(drawing.hands(scene(replace(ROW, hand=hand)), 80) for hand in hands))


def test_the_suit_of_a_card() -> None:
    """Even where only the colour or the shape differed."""
    assert told_apart([drawing.tile(tile(suit=APPLE))], [drawing.tile(tile(suit=FIG))])
    assert told_apart([drawing.tile(Tile(name="", text=""))], [drawing.tile(tile())])


@pytest.mark.parametrize("mark", ["×2", "☠"])
def test_a_card_that_counts_twice_or_is_rotten(mark: str) -> None:
    plain, marked = tile(), tile(mark=mark)
    assert told_apart([drawing.tile(plain)], [drawing.tile(marked)])
    options = [[Option(label="", move=Move("play"), tile=card)] for card in (plain, marked)]
    assert told_apart(*(drawing.hand(option, 0, 80) for option in options))


@pytest.mark.parametrize(
    "fact",
    [
        {"me": True},
        {"gone": True},
        {"cells": (Cell(text="3", sign="☠"),)},
        {"cells": (Cell(text="3", sign="+1"),)},
        {"cells": (Cell(text="4"),)},
        {"hand": (tile(), tile())},
        {"score": 6},
        {"projection": 9},
        {"projection": None},
    ],
    ids=str,
)
def test_what_a_player_has_done(fact: dict[str, Any]) -> None:
    other = replace(ROW, **fact)
    assert told_apart(*(drawing.players(scene(row), {}, 80) for row in (ROW, other)))


def test_whose_hand_is_mine() -> None:
    assert told_apart(*(drawing.hands(scene(replace(ROW, me=me)), 80) for me in (True, False)))


def test_who_has_chosen_and_who_is_linked() -> None:
    statuses = [
        Status("✓", "● 12 ms"),
        Status("…", "● 12 ms"),
        Status(" ", "● 12 ms"),
        Status("✗", "gone"),
        Status("✓", "○"),
        Status("✓", "●"),
    ]
    assert told_apart(*(drawing.players(scene(), {0: status}, 80) for status in statuses))


# What is picked.


@pytest.mark.parametrize("card", [tile(), None])
def test_the_picked_answer(card: Tile | None) -> None:
    options = [Option(label=f"answer {at}", move=Move("play"), tile=card) for at in range(2)]
    assert told_apart(*(drawing.hand(options, picked, 80) for picked in range(2)))
    assert told_apart([drawing.tile(tile())], [drawing.tile(tile(), picked=True)])


def test_the_picked_choice_of_a_page() -> None:
    page = ChoicePage("the table", "", ["back", "leave"])
    first = page.draw(SCREEN)
    page.press("down")
    assert told_apart(first, page.draw(SCREEN))


# The reveal.


def moment(*moods: Mood) -> Moment:
    played = [
        Played(seat=at, name=f"player {at}", tile=tile(mood), why="3 away")
        for at, mood in enumerate(moods)
    ]
    return Moment(title="turn 3", target=tile(), played=tuple(played), winner=None, verdict="")


def test_who_won_and_whose_card_is_void() -> None:
    moods = [(Mood.WINS, Mood.PLAIN), (Mood.PLAIN, Mood.WINS), (Mood.VOID, Mood.PLAIN)]
    assert told_apart(*(drawing.moment(moment(*some), 80, 2) for some in moods))
    assert told_apart(*(drawing.moment(moment(*moods[0]), 80, beat) for beat in range(3)))


# Points.


def test_a_reckoning_says_all_in_words() -> None:
    account = Account(seat=0, name="Ada", steps=("columns: apple 3",), points=9, total=12)
    others = [
        account,
        replace(account, steps=("rotten apple", "columns: apple 3")),
        replace(account, points=8),
        replace(account, total=13),
    ]
    drawn = [charts.reckoning(Reckoning(title="round 1", accounts=(one,)), 80) for one in others]
    assert told_apart(*drawn)


def test_a_ranking_says_who_i_am_and_who_won() -> None:
    names, rows = ["Ada", "Bo"], [[4, 5], [3, 4]]
    assert told_apart(*(charts.ranking(names, [2, 1], rows, me, 80) for me in (None, 0, 1)))
    assert told_apart(*(charts.ranking(names, [1, at], rows, 0, 80) for at in (1, 2)))


@pytest.mark.parametrize("lines", [3, 20])
def test_a_chart_tells_the_rounds_apart(lines: int) -> None:
    rounds = [[[4, 5], [3, 4]], [[3, 5], [4, 4]], [[4, 4], [3, 5]]]
    assert told_apart(*(charts.chart(["Ada", "Bo"], rows, 80, lines) for rows in rounds))


def test_whether_a_game_was_verified() -> None:
    def drawn(verified: bool | None) -> list[Line]:
        final = Final(
            names=["Ada"], places=[1], rounds=[[3]], me=0, headline="", verified=verified, file=""
        )
        return FinalPage(final).draw(SCREEN)

    assert told_apart(drawn(True), drawn(False), drawn(None))


# Other pages.


def test_who_is_in_the_lobby() -> None:
    def drawn(names: Sequence[str]) -> list[Line]:
        return drawn_of([here(name) for name in names])

    def drawn_of(people: Sequence[Here]) -> list[Line]:
        model = LobbyModel(game="fruitoplay", seats=2, people=people)
        return LobbyPage(model, Acts(), lambda _text: None).draw(SCREEN)

    assert told_apart(drawn([]), drawn(["Ada"]), drawn(["Ada", "Bo"]))
    assert told_apart(drawn(["Ada"]), drawn_of([here("Ada", agreed=False)]))


@pytest.mark.parametrize("keys", [["right"], ["h"], ["pagedown"], ["1", "0"]])
def test_where_a_replay_stands(keys: list[str]) -> None:
    page = replay_page(gamefiles.final)
    for key in ["5", "enter"]:
        page.press(key)
    before = page.draw(SCREEN)
    for key in keys:
        page.press(key)
    assert told_apart(before, page.draw(SCREEN))


@pytest.mark.parametrize(
    "signs",
    [
        "✓… ✗",  # what a player does
        "●○",  # links
        "●◆▲◗",  # suits
        "★✗ ",  # a reveal
        charts.FILLINGS,  # rounds
    ],
)
def test_signs_in_the_same_place_stay_apart_in_ascii(signs: str) -> None:
    assert len(set(map(plain, signs))) == len(signs)
