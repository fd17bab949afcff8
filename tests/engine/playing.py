"""Games played for tests: every registered game, with its options, at every seat count."""

import statistics
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
from tests.games import registered

# More values of an option than this are a list of things alike, such as fruits.
VALUES_MOST = 3

# Games so short that four of them are looked at.
SHORT = ("brambles", "punnet")

Player = Callable[[View[Any]], Move]


class Table(NamedTuple):
    """A game and how many play it."""

    game: Game[Any]
    seats: int

    def __str__(self) -> str:
        options = [value for _, value in sorted(self.game.chosen.items())]
        return "-".join([self.game.name, *options, str(self.seats)])


def _games() -> list[Game[Any]]:
    """Built while the games of tests are registered; a game needs no registry afterwards."""
    built = []
    with registered():
        for name in registry.names():
            for chosen in _chosen(registry.find(name).game.options):
                built.append(registry.build(name, chosen))
    return built


def _chosen(options: Sequence[Option]) -> Iterator[dict[str, str]]:
    """As shipped, then with one option changed; the last value stands for a long list of them."""
    yield {}
    for option in options:
        others = [value for value in option.values if value != option.default]
        for value in others if len(others) <= VALUES_MOST else others[-1:]:
            yield {option.name: value}


GAMES = {"-".join([game.name, *game.chosen.values()]): game for game in _games()}
TABLES = [Table(game, seats) for game in GAMES.values() for seats in game.seats]


def _is_slow(table: Table) -> bool:
    """A game as shipped is looked at with every number of players; with another option, with a
    middling number, and with all where there is time."""
    shipped = {option.name: option.default for option in table.game.options}
    return table.game.chosen != shipped and table.seats != statistics.median_high(table.game.seats)


every_table = pytest.mark.parametrize(
    "table",
    [pytest.param(table, marks=[pytest.mark.slow] * _is_slow(table)) for table in TABLES],
    ids=str,
)


class Moment(NamedTuple):
    """A state, what met its need (None: the game is over), and all the faces of its slots."""

    state: Any
    outcome: Outcome | None
    faces: Mapping[Slot, Face]


def view_of(game: Game[Any], state: State, seat: Seat | None, faces: Mapping[Slot, Face]) -> Any:
    """What a seat sees that has looked at its hand."""
    hand = () if seat is None else state.hands[seat]
    return View(game, state, seat, {slot: faces[slot] for slot in hand})


def at_random(rng: Random) -> Player:
    return lambda view: rng.choice(view.moves())


def meet(
    game: Game[Any], state: State, faces: dict[Slot, Face], rng: Random, player: Player
) -> Outcome:
    """What comes of the state's need; a shuffle adds its slots to `faces`."""
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
    """From this state to the end."""
    moments = []
    truth = dict(faces)
    while not isinstance(state.need, Done):
        outcome = meet(game, state, truth, rng, player)
        moments.append(Moment(state, outcome, truth))
        state = game.step(state, outcome).state
    moments.append(Moment(state, None, truth))
    return moments


@cache
def history(table: Table, seed: int) -> list[Moment]:
    """A whole game at random."""
    rng = Random(seed)
    return play_on(table.game, table.game.start(table.seats), {}, rng, at_random(rng))


def histories(table: Table) -> list[list[Moment]]:
    """Few games where each is long."""
    return [history(table, seed) for seed in range(4 if table.game.name in SHORT else 1)]


def moments(table: Table) -> list[Moment]:
    return [moment for game in histories(table) for moment in game]


def record(moments: list[Moment]) -> list[tuple[Need, Outcome]]:
    return [(state.need, outcome) for state, outcome, _ in moments if outcome is not None]
