"""How bots play Tindahan: a sensible turn at first sight, and what a turn is worth in a world.

playout.py    a round as small numbers, played on quickly
appraisal.py  what a turn promises
winning.py    what points are worth: the chance to win the game
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.tindahan.rules import Market, Tindahan
from engine.views import View, guesses
from p2pfruit.games.tindahan.bots.appraisal import Appraisal
from p2pfruit.games.tindahan.bots.playout import DONKEY, PLAY, VENDOR, Round, card_of
from p2pfruit.games.tindahan.bots.winning import Standing

# An expert compares so many turns, the most promising ones: a leader has up to fourteen.
LOOKED_AT = 6


class TindahanHeuristics:
    def __init__(self, game: Tindahan) -> None:
        self.game = game
        self.appraisal = Appraisal()

    # At first sight.

    def greedy(self, view: View[Market], rng: Random) -> Move:
        wanted = self.appraisal(Round(self.game, view.state, view.known))
        return next(move for move in view.moves() if action_of(view, move) == wanted)

    # In a world.

    def worlds(self, view: View[Market], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        return guesses(view, rng)

    def compare(
        self, view: View[Market], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        """Return what moves are worth if all play on to the end of the round as greedy does.

        What first sight thinks little of is not looked at: it is worth nothing.
        """
        world = Round(self.game, view.state, faces)
        standing = Standing(self.game, view.state, _seat(view))
        best = sorted(self.appraisal.promises(world), reverse=True)[:LOOKED_AT]
        worth = {action: self._worth(world.copy(), action, standing) for _, action in best}
        return [worth.get(action_of(view, move), 0.0) for move in moves]

    def points(
        self, view: View[Market], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        mine = view.state.seated.index(_seat(view))
        world = Round(self.game, view.state, faces)
        gained = []
        for move in moves:
            tried = world.copy()
            if tried.play(action_of(view, move)):
                tried.play_on(self.appraisal)
            gained.append(float(tried.points()[mine]))
        return gained

    def _worth(self, world: Round, action: int, standing: Standing) -> float:
        goes_on = world.play(action)
        if goes_on:
            world.play_on(self.appraisal)
        return standing.chance(world.points(), known=not goes_on)


def action_of(view: View[Market], move: Move) -> int:
    """Return the number by which playouts know a move."""
    if move.verb == "donkey":
        return DONKEY + view.state.fruits.index(move.words[0])
    cards = [card_of(view.state, view.known[slot]) for slot in move.cards]
    if move.verb == "play":
        return PLAY + cards[0]
    return VENDOR + 1 + cards[0] if cards else VENDOR


def _seat(view: View[Market]) -> Seat:
    assert view.seat is not None
    return view.seat


HEURISTICS = TindahanHeuristics
