"""Scenes in lines: looked at once and kept, in any width, and told by the text alone."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.dealer import Dealer
from engine.moves import Move
from engine.needs import Done
from p2pfruit import language
from p2pfruit.games.presenter import presenter_for
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
from p2pfruit.ui.screen import charts, drawing
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.styled import Line, columns, plain_lines, text_of
from tests.p2pfruit.ui.screen.golden import check

NAMES = (
    "Ada",
    "Bartholomew Montgomery of Northumberland",
    "Chloé",
    "李小龍李小龍",
    "dmitri-the-2nd",
    "Frédérique",
)


class Game(NamedTuple):
    """What one game of random moves showed seat 0."""

    scene: Scene  # in the second round, with a collective fruit
    options: list[Option]
    moment: Moment
    reckoning: Reckoning
    names: list[str]
    places: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]


@cache
def played(players: int, code: str = "en") -> Game:
    game = registry.build("fruitoplay")
    presenter = presenter_for(game, NAMES[:players], 0)
    rng = Random(players)
    dealer = Dealer(game, game.start(players), rng)
    scene, options, moment, reckoning = None, None, None, None
    while not isinstance(dealer.state.need, Done):
        events = dealer.take_events()
        second = (dealer.state.round, dealer.state.turn) == (2, 4)
        turned = presenter.moment(events)
        ended = presenter.reckoning(events, dealer.state)
        if second:
            scene, options = presenter.scene(dealer.view(0)), presenter.options(dealer.view(0))
            moment = turned
        reckoning = ended if len(dealer.state.scores) == 2 and ended else reckoning
        for seat in dealer.waiting:
            dealer.decide(seat, rng.choice(dealer.view(seat).moves()))
    assert scene is not None
    assert options is not None
    assert moment is not None
    assert reckoning is not None
    names = [presenter.narrator.name(seat) for seat in range(players)]
    state = dealer.state
    assert isinstance(state.need, Done)
    return Game(scene, options, moment, reckoning, names, state.need.places, state.scores)


def statuses(players: int) -> dict[int, Status]:
    told = [Status("✓", "35 ms"), Status("…", "12 s"), Status("○", "4 s")]
    return {seat: told[seat % 3] for seat in range(players)}


def screens(game: Game, most: int, lines: int = 24) -> list[list[Line]]:
    """Everything that is drawn of a game."""
    [river] = game.scene.strips
    return [
        [drawing.title(game.scene, most)],
        drawing.strip(river, most),
        drawing.strip(river, most, 1),
        drawing.players(game.scene, statuses(len(game.names)), most),
        drawing.hands(game.scene, most),
        drawing.hand(game.options, 1, most),
        [drawing.about(game.options, 1, most)],
        *(drawing.moment(game.moment, most, beat) for beat in range(3)),
        charts.reckoning(game.reckoning, most),
        charts.ranking(game.names, game.places, game.scores, 0, most),
        charts.chart(game.names, game.scores, most, lines),
        charts.chart(game.names, game.scores, most, len(game.names) + 1),
    ]


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_screens_of_80_columns(players: int, code: str) -> None:
    language.use(code)
    drawn = screens(played(players, code), 80)
    check(f"drawing-{players}-{code}", f"\n{'~' * 80}\n".join(map(text_of, drawn)))


def test_a_wide_screen_spells_out_the_fruits_and_sets_accounts_beside_each_other() -> None:
    drawn = screens(played(4), 130)
    check("drawing-4-wide", f"\n{'~' * 130}\n".join(map(text_of, drawn)))


@pytest.mark.parametrize("code", ["en", "fr"])
def test_six_players_fit_80_columns(code: str) -> None:
    language.use(code)
    game = played(6, code)
    table = drawing.players(game.scene, statuses(6), 80)
    assert len(table) == 7
    for row, status in zip(table[1:], statuses(6).values(), strict=True):
        assert text_of([row]).endswith(f"{status.sign} {status.words}")
    assert len(drawing.moment(game.moment, 80, 2)) <= 8
    assert [len(drawing.moment(game.moment, 80, beat)) for beat in range(3)] == [8, 8, 8]


# Any width.


@given(st.integers(1, 200), st.integers(1, 40), st.sampled_from([2, 6]))
def test_no_line_is_wider_than_the_screen(most: int, lines: int, players: int) -> None:
    for drawn in screens(played(players), most, lines):
        assert all(columns(spans) <= most for spans in drawn)


names = st.text(max_size=12)
suits = st.none() | st.builds(
    Suit,
    key=st.just("x"),
    name=names,
    letters=st.text("ABab", max_size=2),
    shape=st.sampled_from("●▲"),
    colour=st.sampled_from(Colour),
)
tiles = st.builds(Tile, name=names, text=names, suit=suits, mark=names, mood=st.sampled_from(Mood))
numbers = st.integers(-99, 999)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    heads = draw(st.lists(st.builds(Heading, text=names, suit=suits), max_size=3))
    cell = st.builds(Cell, text=names, sign=names)
    row = st.builds(
        PlayerRow,
        seat=st.integers(0, 3),
        name=names,
        me=st.booleans(),
        cells=st.tuples(*[cell] * len(heads)),
        hand=st.lists(tiles, max_size=3).map(tuple),
        score=numbers,
        projection=st.none() | numbers,
        gone=st.booleans(),
    )
    return Scene(
        title=tuple(draw(st.lists(names, max_size=2))),
        headings=tuple(heads),
        players=tuple(draw(st.lists(row, max_size=3))),
    )


@given(st.integers(1, 200), scenes(), st.dictionaries(st.integers(0, 3), st.builds(Status)))
def test_any_scene_fits(most: int, scene: Scene, status: dict[int, Status]) -> None:
    table = drawing.players(scene, status, most)
    for spans in [drawing.title(scene, most), *table, *drawing.hands(scene, most)]:
        assert columns(spans) <= most


@given(
    st.integers(1, 200),
    st.lists(tiles, max_size=8).map(tuple),
    st.integers(1, 4),
    st.lists(
        st.builds(
            Option, label=names, move=st.just(Move("pass")), tile=st.none() | tiles, hint=names
        ),
        max_size=13,
    ),
    st.integers(-1, 13),
)
def test_any_cards_fit(
    most: int, row: tuple[Tile, ...], lines: int, options: list[Option], picked: int
) -> None:
    strip = drawing.strip(Strip(label="river", tiles=row), most, lines)
    assert len(strip) <= lines
    for spans in [
        *strip,
        *drawing.cards(row, most),
        *drawing.hand(options, picked, most),
        drawing.about(options, picked, most),
    ]:
        assert columns(spans) <= most


moments = st.builds(
    Moment,
    title=names,
    target=st.none() | tiles,
    played=st.lists(
        st.builds(Played, seat=st.just(0), name=names, tile=tiles, why=names), max_size=6
    ).map(tuple),
    winner=st.none(),
    verdict=st.text(max_size=90),
)
reckonings = st.builds(
    Reckoning,
    title=names,
    accounts=st.lists(
        st.builds(
            Account,
            seat=st.just(0),
            name=names,
            steps=st.lists(names, max_size=3).map(tuple),
            points=numbers,
            total=numbers,
        ),
        max_size=5,
    ).map(tuple),
)


@given(st.integers(1, 200), moments, reckonings)
def test_any_reveal_and_reckoning_fit(most: int, moment: Moment, reckoning: Reckoning) -> None:
    beats = [drawing.moment(moment, most, beat) for beat in range(3)]
    assert len({len(drawn) for drawn in beats}) == 1
    for drawn in [*beats, charts.reckoning(reckoning, most)]:
        assert all(columns(spans) <= most for spans in drawn)


@given(st.integers(1, 200), st.integers(1, 30), st.data())
def test_any_scores_fit(most: int, lines: int, data: st.DataObject) -> None:
    called = data.draw(st.lists(names, min_size=1, max_size=6))
    row = st.lists(numbers, min_size=len(called), max_size=len(called))
    rows = data.draw(st.lists(row, max_size=12))
    places = list(range(1, len(called) + 1))
    for spans in [
        *charts.ranking(called, places, rows, 0, most),
        *charts.chart(called, rows, most, lines),
    ]:
        assert columns(spans) <= most


# What a style shows is in the text.


def tile(text: str = "17", mood: Mood = Mood.PLAIN) -> Tile:
    suit = Suit(key="apple", name="apple", letters="Ap", shape="●", colour=Colour.GREEN)
    return Tile(name=f"apple {text}", text=text, suit=suit, mark="×2", mood=mood)


@pytest.mark.parametrize(
    ("mood", "text"),
    [
        (Mood.PLAIN, "●Ap17×2"),
        (Mood.TARGET, "▶ ●Ap17×2 ◀"),
        (Mood.WINS, "★●Ap17×2"),
        (Mood.VOID, "✗●Ap17×2"),
        (Mood.PAST, "·●Ap17×2·"),
        (Mood.BARRED, "(●Ap17×2)"),
    ],
)
def test_every_mood_has_a_sign(mood: Mood, text: str) -> None:
    assert text_of([drawing.tile(tile(mood=mood))]) == text


def test_a_picked_tile_and_a_closed_one() -> None:
    assert text_of([drawing.tile(tile(), picked=True)]) == "▶●Ap17×2◀"
    assert text_of([drawing.tile(tile(), picked=True, key="3")]) == "▶[3] ●Ap17×2◀"
    assert text_of([drawing.tile(Tile(name="closed card"))]) == "▒▒"
    assert [span.style for span in drawing.tile(tile())] == ["suit-green"]


def option(at: int, hint: str = "") -> Option:
    return Option(label=f"apple {at}", move=Move("play", (at,)), tile=tile(str(at)), hint=hint)


def word(label: str, hint: str = "") -> Option:
    return Option(label=label, move=Move("pass"), hint=hint)


def test_twelve_cards_take_three_lines_and_each_can_be_clicked() -> None:
    drawn = drawing.hand([option(at) for at in range(8, 20)], 11, 80)
    assert len(drawn) == 3
    keys = {span.key for spans in drawn for span in spans if span.key}
    assert keys == {str(number) for number in range(1, 13)}
    assert "▶[12] ●Ap19×2◀" in text_of(drawn)
    assert text_of(drawn).count("▶") == 1
    cursor = [span.text for spans in drawn for span in spans if span.style == "cursor"]
    assert cursor == ["▶", "[12] ", "●Ap19×2", "◀"]


def test_words_are_a_list_with_their_hints_in_a_column() -> None:
    drawn = drawing.hand([word("draw", "unseen"), word("keep all", "8 points")], 0, 80)
    assert text_of(drawn) == "▶[1] draw◀     unseen\n [2] keep all  8 points"
    many = drawing.hand([word(f"way {at}") for at in range(16)], 3, 80)
    assert len(many) < 6
    assert text_of([drawing.about([word("draw", "unseen")], 0, 80)]) == "▶ draw · unseen"


def test_a_table_says_by_text_who_i_am_and_who_left() -> None:
    rows = [
        PlayerRow(seat=0, name="Ada", me=True, cells=(), hand=(), score=4, projection=6),
        PlayerRow(seat=1, name="Bruno", me=False, cells=(), hand=(), score=5, gone=True),
    ]
    scene = Scene(title=(), players=tuple(rows))
    head, mine, left = text_of(drawing.players(scene, {}, 80)).splitlines()
    assert head.split() == ["hand", "points", "if", "now"]
    assert mine.split() == ["›Ada", "(you)", "0", "4", "6"]
    assert left.split() == ["Bruno", "0", "5", "✗", "has", "left"]


def test_nothing_moves_when_a_status_changes() -> None:
    scene = played(4).scene
    quiet = text_of(drawing.players(scene, {}, 80)).splitlines()
    busy = text_of(drawing.players(scene, {1: Status("…", "thinks " * 9)}, 80)).splitlines()
    assert [row[: len(before)] for row, before in zip(busy, quiet, strict=True)] == quiet


def test_the_target_is_unmistakable() -> None:
    strip = Strip(label="river", tiles=(tile("3", Mood.TARGET), tile("4"), tile("5")))
    top, middle, _bottom = text_of(drawing.strip(strip, 80)).splitlines()
    assert top.strip().startswith("┌─ target ─")
    assert "│ ▶ ●Ap3×2 ◀ apple 3 │   then  ●Ap4×2  ●Ap5×2" in middle
    assert text_of(drawing.strip(strip, 80, 1)) == (
        "river  ▶ ●Ap3×2 ◀ apple 3   then  ●Ap4×2  ●Ap5×2"
    )
    assert text_of(drawing.strip(Strip(label="river", tiles=(tile("4"),)), 80)) == "river  ●Ap4×2"


def test_all_of_the_river_is_seen_on_80_columns() -> None:
    """The longest names, in the first turn."""
    target = replace(tile("13", Mood.TARGET), name="strawberry 13 x2")
    strip = Strip(label="rivière", tiles=(target, *(tile(str(at)) for at in range(14, 20))))
    for lines in (1, 3):
        text = text_of(drawing.strip(strip, 80, lines))
        assert all(f"Ap{at}×2" in text for at in range(13, 20))


def reveal() -> Moment:
    shown = [("Ada", "3", Mood.VOID), ("Bruno", "9", Mood.VOID), ("you", "1", Mood.WINS)]
    return Moment(
        title="turn 3 of 7",
        target=tile("6", Mood.TARGET),
        played=tuple(
            Played(seat=at, name=name, tile=tile(text, mood), why="3 away")
            for at, (name, text, mood) in enumerate(shown)
        ),
        winner=2,
        verdict="you take 4 cards (the closest apple)",
    )


def test_a_reveal_turns_all_cards_at_once_and_then_says_who_wins() -> None:
    closed, opened, told = (text_of(drawing.moment(reveal(), 80, beat)) for beat in range(3))
    assert closed.count("▒▒▒▒") == 3
    assert not any(card in closed for card in ("Ap3", "Ap9", "Ap1"))
    assert all(card in opened for card in ("●Ap3×2", "●Ap9×2", "●Ap1×2"))
    assert not any(sign in opened for sign in ("★", "✗", "wins", "void", "take"))
    rows = told.splitlines()
    assert "target ▶ ●Ap6×2 ◀ apple 6" in rows[0]
    assert (rows[1][:6], rows[1].split("  ")[-1]) == ("✗  Ada", "tied: void")
    assert (rows[3][:6], rows[3].split("  ")[-1]) == ("★  you", "wins")
    assert rows[4] == "  → you take 4 cards (the closest apple)"


def test_a_ranking_says_by_text_who_won_and_who_shares_a_place() -> None:
    rows = text_of(charts.ranking(["Ada", "Bo", "Cy"], [2, 1, 2], [[1, 5, 2], [3, 4, 2]], 0, 80))
    head, first, mine, last = rows.splitlines()
    assert head.split() == ["points", "round", "1", "round", "2"]
    assert first.split() == ["★", "1", "Bo", "9", "5", "4"]
    assert mine.split() == ["2=", "Ada", "(you)", "4", "1", "3"]
    assert last.split() == ["2=", "Cy", "4", "2", "2"]


def test_a_ranking_of_more_rounds_has_numbers_and_of_many_the_sum_alone() -> None:
    def head(rounds: int) -> list[str]:
        rows = text_of(charts.ranking(["Ada", "Bo"], [1, 2], [[12, 3]] * rounds, None, 80))
        first, ada, _bo = rows.splitlines()
        assert ada.split()[3] == str(12 * rounds)
        assert len(ada.split()) == 4 + (rounds if len(first.split()) > 1 else 0)
        return first.split()

    assert head(6) == ["points", *(word for at in "123456" for word in ("round", at))]
    assert head(8) == ["points", *"12345678"]
    assert head(9) == ["points"]
    ada, bo = text_of(charts.chart(["Ada", "Bo"], [[4, 2]] * 9, 40, 50)).splitlines()
    assert (ada.split()[-1], bo.split()[-1]) == ("36", "18")
    assert abs(ada.count("█") - 2 * bo.count("█")) <= 1
    legend = text_of(charts.chart(["Ada", "Bo"], [[4, 2]] * 8, 60, 5)).splitlines()[0]
    assert legend == "█ 1  ▒ 2  ░ 3  █ 4  ▒ 5  ░ 6  █ 7  ▒ 8  = points"


def test_a_chart_has_bars_in_proportion_and_figures() -> None:
    apart = text_of(charts.chart(["Ada", "Bo"], [[10, 5], [0, 1]], 40, 4)).splitlines()
    bars = [row.count("█") for row in apart]
    assert abs(bars[0] - 2 * bars[2]) <= 1
    assert bars[1] == 0 < bars[3]  # nothing is nothing, a point is seen
    assert [row.split()[-1] for row in apart] == ["10", "0", "5", "1"]
    legend, ada, bo = text_of(charts.chart(["Ada", "Bo"], [[10, 5], [0, 1]], 40, 3)).splitlines()
    assert legend == "█ round 1  ▒ round 2  = points"
    assert ada.endswith("10 0 = 10")
    assert bo.replace("█", "").replace("▒", "").endswith("5 1 = 6")
    assert ada.count("█") > bo.count("█") > bo.count("▒") > 0
    assert charts.chart(["Ada"], [], 40, 3) == []


def test_ascii_keeps_every_fact_apart() -> None:
    """The signs of this page, where a terminal knows only ASCII."""
    text = text_of(plain_lines(drawing.moment(reveal(), 80, 2)))
    assert text.isascii()
    assert all(sign in text for sign in ("x  Ada", "*  you", "> oAp6x2 <"))
    cards = text_of(plain_lines(drawing.hand([option(8), option(9)], 0, 80)))
    assert cards == ">[1] oAp8x2< [2] oAp9x2"
    assert len(set(map(plain, "◗▲◆●"))) == 4
