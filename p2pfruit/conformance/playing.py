"""Whole games at random, and the tables of a game: every option, every seat count."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import registry
from engine.content import Option
from engine.game import Game
from engine.moves import Move, Outcome
from engine.needs import EVERYONE, Choose, Deal, Done, Face, Lot, Need, Seat, Shuffle, Slot
from engine.record import State
from engine.views import View
from p2pfruit.conformance import limits

Player = Callable[[View[Any]], Move]


class Table(NamedTuple):
    """A game and how many play it."""

    game: Game[Any]
    seats: int

    def __str__(self) -> str:
        options = [value for _, value in sorted(self.game.chosen.items())]
        return "-".join([self.game.name, *options, str(self.seats)])

    @property
    def slow(self) -> bool:
        """Return True if only a long run looks at this table.

        A game with its default options is looked at with the fewest players and with the most.
        With another option it is looked at with the fewest. A long run looks at every number.
        """
        fewest, most = self.game.seats[0], self.game.seats[-1]
        default = {option.name: option.default for option in self.game.options}
        return self.seats not in ((fewest, most) if self.game.chosen == default else (fewest,))


def games_of(name: str) -> list[Game[Any]]:
    """Build a game with its default options, and with each other value of one option."""
    return [registry.build(name, chosen) for chosen in _chosen(registry.find(name).game.options)]


def _chosen(options: Sequence[Option]) -> Iterator[dict[str, str]]:
    """Yield the defaults, then one change each; the last value stands for a long list of them."""
    yield {}
    for option in options:
        others = [value for value in option.values if value != option.default]
        for value in others if len(others) <= limits.VALUES_MOST else others[-1:]:
            yield {option.name: value}


def label(game: Game[Any]) -> str:
    return "-".join([game.name, *game.chosen.values()])


def tables_of(games: Sequence[Game[Any]]) -> list[Table]:
    return [Table(game, seats) for game in games for seats in game.seats]


def every_table_of(games: Sequence[Game[Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", _params(games), ids=str)


def _params(games: Sequence[Game[Any]]) -> list[Any]:
    return [
        pytest.param(table, marks=[pytest.mark.slow] * table.slow) for table in tables_of(games)
    ]


def parametrize(metafunc: pytest.Metafunc, games: Sequence[Game[Any]]) -> None:
    """Give a test of the suite these games: as `table`, as `game`, or with defaults as `plain`."""
    if "table" in metafunc.fixturenames:
        metafunc.parametrize("table", _params(games), ids=str)
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games, ids=map(label, games))
    if "plain" in metafunc.fixturenames:
        plain = list({game.name: game for game in reversed(games)}.values())
        metafunc.parametrize("plain", plain, ids=[game.name for game in plain])


class Moment(NamedTuple):
    """A state, the outcome of its need (None: the game is over), and the faces of all slots."""

    state: Any
    outcome: Outcome | None
    faces: Mapping[Slot, Face]


def view_of(game: Game[Any], state: State, seat: Seat | None, faces: Mapping[Slot, Face]) -> Any:
    """Return the view of a seat that has looked at its hand."""
    hand = () if seat is None else state.hands[seat]
    return View(game, state, seat, {slot: faces[slot] for slot in hand})


def at_random(rng: Random) -> Player:
    return lambda view: rng.choice(view.moves())


def meet(
    game: Game[Any], state: State, faces: dict[Slot, Face], rng: Random, player: Player
) -> Outcome:
    """Meet the state's need at random; a shuffle adds its slots to `faces`."""
    match state.need:
        case Shuffle(piles=piles):
            for pile in piles:
                faces.update(enumerate(rng.sample(pile, len(pile)), len(faces)))
            return Outcome()
        case Deal(cards=cards):
            return Outcome(faces=tuple(faces[slot] for slot, seat in cards if seat == EVERYONE))
        case Lot(below=below):
            return Outcome(lots=tuple(rng.randrange(limit) for limit in below))
        case Choose(seats=seats):
            moves = tuple(player(view_of(game, state, seat, faces)) for seat in seats)
            return Outcome(moves, tuple(faces[slot] for move in moves for slot in move.cards))
        case Done():
            raise AssertionError("a game that is over has no need")


def play_on(
    game: Game[Any], state: Any, faces: Mapping[Slot, Face], rng: Random, player: Player
) -> list[Moment]:
    """Play from this state to the end, and keep every moment."""
    moments: list[Moment] = []
    truth = dict(faces)
    while not isinstance(state.need, Done):
        assert len(moments) < limits.STEPS_MOST, (
            f"{game.name} has not ended after {limits.STEPS_MOST} steps: a game that is played at"
            " random must come to its end"
        )
        outcome = meet(game, state, truth, rng, player)
        moments.append(Moment(state, outcome, truth))
        state = game.step(state, outcome).state
    moments.append(Moment(state, None, truth))
    return moments


@cache
def history(table: Table, seed: int) -> list[Moment]:
    """Play a whole game at random."""
    rng = Random(seed)
    return play_on(table.game, table.game.start(table.seats), {}, rng, at_random(rng))


def histories(table: Table) -> list[list[Moment]]:
    """Play one game, or four where a game is short."""
    first = history(table, 0)
    more = range(1, 4) if len(first) <= limits.SHORT_STEPS_MOST else ()
    return [first, *[history(table, seed) for seed in more]]


def moments(table: Table) -> list[Moment]:
    return [moment for game in histories(table) for moment in game]


def record(moments: list[Moment]) -> list[tuple[Need, Outcome]]:
    return [(state.need, outcome) for state, outcome, _ in moments if outcome is not None]
