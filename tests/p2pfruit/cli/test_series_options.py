"""What host is told about a series, and what it makes of it."""

from argparse import Namespace

import pytest

from engine import registry
from p2pfruit.cli.commands.series import read_series
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.games import contracts
from p2pfruit.seat.series_plans import WantedSeries
from protocol.peer.offer import Offer
from protocol.series.contract import Kind


def wanted(series: str | None, games: str | None = None, points: str | None = None) -> Namespace:
    return Namespace(series=series, games=games, points=points, game="fruitoplay")


def read(*words: str | None) -> WantedSeries:
    found = read_series(wanted(*words))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("typed", "kind", "count"),
    [
        ("best of 3", Kind.BEST, 3),
        (" Best  of 5 ", Kind.BEST, 5),
        ("3 games", Kind.ALL, 3),
        ("1 game", Kind.ALL, 1),
        ("7", Kind.ALL, 7),
    ],
)
def test_how_long(typed: str, kind: Kind, count: int) -> None:
    found = read(typed)
    assert (found.kind, found.count, found.points) == (kind, count, (1,))


def test_no_series() -> None:
    assert read_series(wanted(None)) is None


def test_a_mix_of_games() -> None:
    arguments = wanted("4 games", "pixies, fruitoplay", "3,1")
    found = read_series(arguments)
    assert found is not None
    assert arguments.game == "pixies"  # the first one is played first
    offer = Offer.of(registry.build("pixies"), 3, (("turn_s", 60),))
    plan = found.plan(offer)
    assert [game.game for game in plan.games] == ["pixies", "fruitoplay"]
    assert {game.limits for game in plan.games} == {offer.limits}
    assert plan.points == (3, 1)
    assert contracts.lines(plan)[0] == "series: 4 games, playing pixies, fruitoplay, in turn"


def test_one_game() -> None:
    offer = Offer.of(registry.build("fruitoplay"), 2)
    assert [game.game for game in read("best of 3").plan(offer).games] == ["fruitoplay"]


@pytest.mark.parametrize(
    "words",
    [
        ("best", None, None),
        ("three games", None, None),
        ("\x1b[31m", None, None),
        ("best of 3", None, "1,x"),
        ("best of 3", "chess", None),
        (None, "pixies", None),
        (None, None, "1"),
    ],
)
def test_what_cannot_be_understood(words: tuple[str | None, ...]) -> None:
    with pytest.raises(Refusal) as refused:
        read_series(wanted(*words))
    assert refused.value.code == USAGE
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    ("words", "seats"),
    [
        (("best of 0", None, None), 2),
        (("best of 999", None, None), 2),
        (("best of 3", None, "1,2"), 2),
        (("best of 3", "fruitoplay,bastos", None), 2),  # Bastos is for three or more
    ],
)
def test_what_cannot_be_played(words: tuple[str | None, ...], seats: int) -> None:
    offer = Offer.of(registry.build("fruitoplay"), seats)
    with pytest.raises(Refusal) as refused:
        read(*words).plan(offer)
    assert refused.value.code == USAGE
    assert refused.value.hint
