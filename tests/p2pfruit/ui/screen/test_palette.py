"""The palette: every style is drawn, colours can be read on each other, and no game leans on two
suits that some eyes see as one."""

import ast
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import combinations
from math import dist
from pathlib import Path
from random import Random

import pytest
from prompt_toolkit.styles import Style

import p2pfruit
from engine import registry
from engine.dealer import Dealer
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Colour, Suit
from p2pfruit.ui.screen.palette import styles

# Where the style stands among what these are given.
TAKES_STYLE = {"Span": 1, "folded": 2, "filled": 2, "spread": 3}
DRAWS = ("ui/screen",)

Components = tuple[float, float, float]
Matrix = tuple[Components, Components, Components]

# What is left of red, green and blue light for an eye without one kind of cone: Machado, Oliveira
# and Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009.
EYES: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

# Side by side, colours differ from about 2.3 on; across a table they should differ by more.
DISTANCE_LEAST = 15
CONTRAST_LEAST = 4.5  # WCAG 2, text of any size


# Every style has a way to be drawn.


def constants(node: ast.expr | None) -> Iterator[str]:
    """The texts that an expression may be, not those it asks about."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(_, body, orelse):
            yield from constants(body)
            yield from constants(orelse)
        case ast.JoinedStr(values):
            for value in values:
                yield from constants(value)
        case ast.Call(ast.Attribute(value, _)):
            yield from constants(value)
        case ast.Dict(_, values):
            for value in values:
                yield from constants(value)


def is_style(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id.lower() in ("style", "_styles")


def written_styles(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name), arguments, keywords) if name in TAKES_STYLE:
                at = TAKES_STYLE[name]
                yield from constants(arguments[at] if at < len(arguments) else None)
                for keyword in keywords:
                    if keyword.arg == "style":
                        yield from constants(keyword.value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                for target, value in zip(targets, values, strict=True):
                    if is_style(target):
                        yield from constants(value)
            case ast.Assign([target], value) if is_style(target):
                yield from constants(value)


def used() -> set[str]:
    root = Path(p2pfruit.__file__).parent
    files = [path for folder in DRAWS for path in (root / folder).rglob("*.py")]
    found = [text for path in files for text in written_styles(ast.parse(path.read_text()))]
    return {word for text in found for word in text.split()} - {"suit-"}


def test_the_styles_that_are_used_are_found() -> None:
    assert {"title", "bad", "cursor", "bar", "wins", "me"} <= used()
    assert set(written_styles(ast.parse("Span(x, 'a' if y == 'b' else f'{c} d')"))) == {"a", " d"}
    assert set(written_styles(ast.parse("words, style = 'a', 'b'"))) == {"b"}


@pytest.mark.parametrize("coloured", [True, False])
def test_every_style_that_is_used_can_be_drawn(coloured: bool) -> None:
    drawn = styles(coloured=coloured)
    assert used() <= set(drawn)
    assert {f"suit-{colour}" for colour in Colour} <= set(drawn)
    Style.from_dict(drawn)  # refuses what it does not know


def test_no_style_is_there_that_nobody_uses() -> None:
    assert {style for style in styles(coloured=True) if not style.startswith("suit-")} <= used()


def test_without_colour_there_is_none() -> None:
    assert not [how for how in styles(coloured=False).values() if "fg:" in how or "bg:" in how]
    assert styles(coloured=False)["cursor"] != ""


# Colours.


def linear(hexadecimal: str) -> Components:
    """The light of #rrggbb."""

    def channel(at: int) -> float:
        value = int(hexadecimal[at : at + 2], 16) / 255
        return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)

    return channel(1), channel(3), channel(5)


def seen(light: Components, eye: Matrix) -> Components:
    red, green, blue = (
        min(1.0, max(0.0, sum(part * amount for part, amount in zip(row, light, strict=True))))
        for row in eye
    )
    return red, green, blue


def luminance(light: Components) -> float:
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(luminance(linear(colour)) for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def lab(light: Components) -> Components:
    """CIE L*a*b*, in which distances are as they are felt."""
    red, green, blue = light

    def root(value: float) -> float:
        small = value <= 216 / 24389
        return (24389 / 27 * value + 16) / 116 if small else float(value ** (1 / 3))

    x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
    y = root(luminance(light))
    z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def part(style: str, which: str) -> str:
    [found] = [word for word in styles(coloured=True)[style].split() if word.startswith(which)]
    return found.removeprefix(which)


def test_what_is_computed_here_is_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert lab(linear("#ffffff")) == pytest.approx((100, 0, 0), abs=0.05)
    for eye in EYES.values():  # whoever looks sees grey as grey
        assert seen(linear("#808080"), eye) == pytest.approx(linear("#808080"), abs=1e-5)
    red, green = linear("#d00000"), linear("#407000")
    blind = [dist(lab(seen(red, EYES[e])), lab(seen(green, EYES[e]))) for e in EYES]
    assert blind[0] > 3 * blind[2]


@pytest.mark.parametrize("style", [*(f"suit-{colour}" for colour in Colour), "wins", "warning"])
def test_what_is_written_on_a_colour_can_be_read(style: str) -> None:
    assert contrast(part(style, "bg:"), part(style, "fg:")) >= CONTRAST_LEAST


def suits(value: object) -> Iterator[Suit]:
    """All that stand somewhere in a scene."""
    if isinstance(value, Suit):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from suits(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from suits(getattr(value, field.name))


@cache
def colours_of(name: str) -> frozenset[Colour]:
    """The suits of a game, as its presenter shows them over a whole game."""
    game = registry.build(name)
    seats = game.seats[-1]
    dealer = Dealer(game, game.start(seats), Random(0))
    presenter = presenter_for(game, [str(seat) for seat in range(seats)], 0)
    found: set[Suit] = set()
    while dealer.asked:
        found.update(suits(presenter.scene(dealer.view(0))))
        dealer.answer([dealer.view(seat).moves()[0] for seat in dealer.asked])
    return frozenset(suit.colour for suit in found)


@pytest.mark.parametrize("name", registry.names())
def test_a_game_has_suits_to_look_at(name: str) -> None:
    assert len(colours_of(name)) >= 4


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("name", registry.names())
def test_the_suits_of_a_game_look_different_to_every_eye(name: str, eye: str) -> None:
    for one, other in combinations(sorted(colours_of(name)), 2):
        places = [
            lab(seen(linear(part(f"suit-{colour}", "bg:")), EYES[eye])) for colour in (one, other)
        ]
        assert dist(*places) >= DISTANCE_LEAST, (one, other)
