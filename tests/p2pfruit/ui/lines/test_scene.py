"""A scene in lines: every fact in words, for 80 columns and terminals that know only ASCII."""

from dataclasses import replace
from random import Random

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.moves import Move
from p2pfruit import language, limits
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import (
    Board,
    Cell,
    Heading,
    Mood,
    Option,
    PlayerRow,
    Scene,
    Strip,
    Tile,
    face_of,
)
from p2pfruit.text.plain import in_ascii, plain
from p2pfruit.text.safe import width
from p2pfruit.ui.lines.scene import _labelled, scene_lines

NAMES = ("Ada", "Bruno", "Chloe", "Dmitri")


def card(name: str, mood: Mood = Mood.PLAIN) -> Tile:
    return Tile(name=name, text=name[0], mood=mood)


CLOSED = Tile(name="closed card")


def row(name: str, *hand: Tile, me: bool = False, cells: tuple[Cell, ...] = ()) -> PlayerRow:
    return PlayerRow(seat=0, name=name, me=me, cells=cells, hand=hand, score=3)


def test_nothing_to_show() -> None:
    assert scene_lines(Scene(title=())) == []
    assert scene_lines(Scene(title=("round 1", "turn 2"))) == ["", "--- round 1, turn 2 ---"]


def test_strips_name_the_target_what_follows_who_played_and_what_wins() -> None:
    target = card("fig 5", Mood.TARGET)
    assert scene_lines(
        Scene(
            title=(),
            strips=(
                Strip(label="river", tiles=(target, card("fig 6"), card("apple 7"))),
                Strip(label="river", tiles=(target,)),
                Strip(label="trick", tiles=(card("a"), card("b", Mood.WINS)), owners=("Ada", "Bo")),
                Strip(label="places", tiles=(card("Ada: here, there"), card("Bo: there"))),
            ),
        )
    ) == [
        "",
        "river: target FIG 5; then fig 6, apple 7",
        "river: target FIG 5",
        "trick: Ada a, Bo b (wins so far)",
        "places: Ada: here, there; Bo: there",
    ]


def test_players_stand_under_headings_in_words() -> None:
    cells = (Cell(text="2", sign="★"), Cell(text="☠3", words="3 rotten"))
    scene = Scene(
        title=(),
        headings=(Heading(text="mango"), Heading(text="fig")),
        players=(
            replace(row("you", CLOSED, CLOSED, me=True, cells=cells), projection=-4),
            replace(row("Bruno", cells=cells), gone=True, projected="shops 3 × 4"),
        ),
    )
    assert scene_lines(scene) == [
        "",
        "                    mango       fig  hand  points  if now",
        "  you                  2*  3 rotten     2       3      -4",
        "  Bruno (has left)     2*  3 rotten     0       3       -",
        "  Bruno: shops 3 x 4",
    ]
    assert scene_lines(replace(scene, handless=True, players=scene.players[1:]))[1:3] == [
        "                    mango       fig  points",
        "  Bruno (has left)     2*  3 rotten       3",
    ]


def test_players_whose_table_would_be_too_wide_have_a_sentence_each() -> None:
    long = "fruit de la passion"
    headings = tuple([Heading(text=f"{long} {at}") for at in range(4)])
    cells = tuple([Cell(text=str(at)) for at in range(4)])
    scene = Scene(title=(), headings=headings, players=(row("you", me=True, cells=cells),))
    counted = ", ".join(f"{long} {at} {at}" for at in range(4))
    assert scene_lines(scene) == ["", f"  you: {counted}, hand 0, points 3"]


def test_boards_in_words_in_columns_or_one_after_the_other() -> None:
    near = Board(label="Bo", rows=((card("a"), None), (card("long, name"), card("b"))))
    far = Board(label="you", rows=((card("x" * 50), None, card("y" * 50)),), me=True)
    assert scene_lines(Scene(title=(), boards=(near, far))) == [
        "",
        "you:",
        f"  {'x' * 50}; {'y' * 50}",
        "",
        "Bo:",
        "  a           -",
        "  long, name  b",
    ]


def test_boards_with_names_are_maps_and_their_signs_are_explained() -> None:
    ship = Tile(name="ship", text="→2B")
    maps = [
        Board(label=name, rows=((ship, None), (None, ship)), names=("ab", "12")) for name in NAMES
    ]
    mine = replace(maps.pop(), me=True)
    legend = (replace(ship, name="2 points"), Tile(name="tower", text="■To"))
    lines = scene_lines(Scene(title=(), boards=(*maps, mine), legend=legend))
    assert lines == [
        "",
        "  Dmitri         Ada            Bruno          Chloe",
        "     a   b          a   b          a   b          a   b",
        "  1  >2B .       1  >2B .       1  >2B .       1  >2B .",
        "  2  .   >2B     2  .   >2B     2  .   >2B     2  .   >2B",
        "",
        "symbols: >2B: 2 points",
    ]
    assert "signs" not in "".join(scene_lines(Scene(title=(), boards=(mine,))))


def test_hands_that_are_known_and_not_listed_below() -> None:
    fig, apple = card("fig 5"), card("apple 1")
    mine = row("you", fig, apple, me=True)
    others = (row("Ada", CLOSED), row("Bruno", fig, CLOSED))
    scene = Scene(title=(), players=(mine, *others), notes=("2 × 3 · now",))
    known = ["", "hands:", "  Bruno: fig 5, closed card"]
    note = "2 x 3; now"
    assert scene_lines(scene)[5:] == [*known, "your hand: fig 5, apple 1", note]
    answers = [Option(label="x", move=Move("play"), tile=tile) for tile in (apple, fig, None)]
    assert scene_lines(scene, answers)[5:] == [*known, note]
    assert scene_lines(scene, answers[:1])[5:] == scene_lines(scene)[5:]


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("game", registry.names())
def test_every_game_says_all_of_its_scenes(game: str, code: str) -> None:
    """In words that any terminal can show, and that fit."""
    language.use(code)
    rules = registry.build(game)
    rng = Random(f"{game} in lines")
    presenter = presenter_for(rules, NAMES, 0)
    dealer = Dealer(rules, rules.start(4), rng)
    shown = 0
    while (asked := dealer.asked) and shown < 60:
        if 0 in asked:
            scene = presenter.scene(dealer.view(0))
            lines = scene_lines(scene)
            _assert_all_said(scene, lines)
            shown += 1
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in asked])
    assert shown > 20


def _assert_all_said(scene: Scene, lines: list[str]) -> None:
    said = "\n".join(lines)
    for sign in said:
        assert sign.isascii() or sign.isalpha(), f"{sign!r} in {said}"
    for strip in scene.strips:
        [told] = [line for line in lines if line.startswith(_labelled(strip.label, ""))]
        for tile in strip.tiles:
            assert in_ascii(tile.name).lower() in told.lower()
    for player in scene.players:
        counted = next(line for line in lines if line.startswith(f"  {player.name} "))
        figures = counted.split()
        assert str(player.score) in figures
        assert scene.handless or str(len(player.hand)) in figures
        assert player.projection is None or str(player.projection) in figures
        assert width(counted) <= limits.TABLE_COLUMNS_MOST
    for part in (*scene.title, *scene.notes):
        assert in_ascii(part) in said
    for board in scene.boards:
        assert board.label in said
        for tile in (tile for line in board.rows for tile in line if tile):
            sign = plain(face_of(tile))
            assert (sign if board.names[0] else in_ascii(tile.name)) in said
    mine = next(player for player in scene.players if player.me)
    assert all(tile.name in said for tile in mine.hand)
