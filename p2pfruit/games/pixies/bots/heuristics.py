"""How bots play Pixies: a sensible move at first sight, and what a move is worth in a world.

    grounds.py    play areas as small numbers
    appraisal.py  what an area promises
    playout.py    a round played on, quickly
    winning.py    what points are worth: the chance to win the game

Only the order of the pile is unknown, and any is as likely as another.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.pixies import Pixies
from engine.pixies.rules import Meadow
from engine.views import View, guess
from p2pfruit.games.pixies.bots.appraisal import Appraisal, left_of
from p2pfruit.games.pixies.bots.grounds import NO_CARD, Deck, Ground, Way
from p2pfruit.games.pixies.bots.playout import Meadows
from p2pfruit.games.pixies.bots.winning import Standing

# A playout goes on for about so many cards of each player. What is further away is mostly luck.
CARDS_AHEAD = 3


class PixiesHeuristics:
    def __init__(self, game: Pixies) -> None:
        self.game = game
        self.deck = Deck(game)
        self.appraisal = Appraisal(self.deck)

    # At first sight.

    def greedy(self, view: View[Meadow], rng: Random) -> Move:
        state = view.state
        ground = Ground.of(self.deck, state.areas[_seat(view)])
        worth, left = state.round + 1, self._left(state)
        if state.taken is None:
            cards = sorted([self.deck.number_of[face] for face in state.row])
            _promise, card, _way = self.appraisal.choose(ground, cards, worth, left)
            return Move("take", (), (self.deck.face[card],))
        card = self.deck.number_of[state.taken]
        _promise, way = self.appraisal.best_way(ground, card, worth, left)
        return next(move for move in view.moves() if self._way(state, move) == way)

    def _left(self, state: Meadow) -> int:
        used = [Ground.of(self.deck, state.areas[seat]).used for seat in state.seated]
        return left_of(max(used, key=int.bit_count))

    def _way(self, state: Meadow, move: Move) -> Way:
        """Return what a move other than taking does to the area."""
        assert state.taken is not None
        word = move.words[0]
        if move.verb == "lay":
            return Way(NO_CARD, int(word) - 1)
        card = self.deck.number_of[state.taken]
        return Way(card if word == state.taken else NO_CARD, self.deck.place[card])

    # In a world.

    def worlds(self, view: View[Meadow], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        """Return what `guess` would say: players claim nothing, so any order of the pile fits."""
        world = guess(view, rng)
        closed = range(view.state.pile, view.state.made)
        faces = [world[slot] for slot in closed]
        while True:
            yield world
            rng.shuffle(faces)
            world.update(zip(closed, faces, strict=True))

    def compare(
        self, view: View[Meadow], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        state = view.state
        world = Meadows(self.game, self.appraisal, state, faces)
        standing = Standing(self.game, state, _seat(view))
        return [self._chance(world.copy(), move, state, standing) for move in moves]

    def points(
        self, view: View[Meadow], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        """Return the points of this round, cards further away as the appraisal expects them."""
        state = view.state
        mine = state.seated.index(_seat(view))
        world = Meadows(self.game, self.appraisal, state, faces)
        return [float(self._gained(world.copy(), move, state)[mine]) for move in moves]

    def _chance(self, world: Meadows, move: Move, state: Meadow, standing: Standing) -> float:
        gained = self._gained(world, move, state)
        return standing.chance(gained, 0 if world.over else world.left)

    def _gained(self, world: Meadows, move: Move, state: Meadow) -> list[float]:
        if move.verb == "take":
            world.take(self.deck.number_of[move.words[0]])
        else:
            world.place(self._way(state, move))
        return world.play_on(CARDS_AHEAD * len(state.seated))


def _seat(view: View[Meadow]) -> Seat:
    assert view.seat is not None
    return view.seat


HEURISTICS = PixiesHeuristics
