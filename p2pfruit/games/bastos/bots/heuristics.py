"""How bots play Bastos: a sensible move at first sight, and what a move is worth in a world.

playout.py    a round played on, quickly
appraisal.py  what a sensible player does at first sight
winning.py    what points are worth: the chance to win the game
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engine.bastos import Bastos
from engine.bastos.rules import KEEP, TRUMP, Market
from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.views import View, guess, guesses
from p2pfruit.games.bastos.bots.appraisal import Judge, bastos
from p2pfruit.games.bastos.bots.playout import Round, card_numbers, cards_in
from p2pfruit.games.bastos.bots.winning import Standing

# Few worlds say little: the move that is sensible at first sight is made unless another seems to
# win so much more often.
FAVOUR = 0.005


class BastosHeuristics:
    def __init__(self, game: Bastos) -> None:
        self.game = game
        self.number_of = card_numbers(game)

    # At first sight.

    def greedy(self, view: View[Market], rng: Random) -> Move:
        """Return a move at first sight. Any world will do: only the player's own hand is looked
        at."""
        return self._sensible(view, Round(self.game, view.state, guess(view, rng)))

    def _sensible(self, view: View[Market], world: Round) -> Move:
        what = view.state.need.what
        slots = {self.number_of[view.known[slot]]: slot for slot in view.hand}
        if what == "bastos":
            return Move("bastos", (slots[bastos(tuple(sorted(slots)))],))
        judge = Judge(world)
        if what == "price":
            return self._price(*judge.price(world.seats.index(_seat(view))))
        card, declares = judge.card()
        return Move("play", (slots[card],), TRUMP if declares else ())

    def _price(self, fruit: int, step: int) -> Move:
        if not step:
            return KEEP
        return Move("raise" if step > 0 else "lower", (), (self.game.fruits[fruit],))

    # In a world.

    def worlds(self, view: View[Market], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        return guesses(view, rng)

    def compare(
        self, view: View[Market], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        world = Round(self.game, view.state, faces)
        standing = Standing(self.game, view.state, world.seats, _seat(view))
        sensible = self._sensible(view, world)
        chances = []
        for move in moves:
            tried = world.copy()
            self._make(tried, standing.mine, view, move)
            known = tried.over
            play_on(tried)
            chance = standing.chance(tried.points(), known=known)
            chances.append(chance + FAVOUR if move == sensible else chance)
        return chances

    def points(
        self, view: View[Market], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        world = Round(self.game, view.state, faces)
        mine = world.seats.index(_seat(view))
        gained = []
        for move in moves:
            tried = world.copy()
            self._make(tried, mine, view, move)
            play_on(tried)
            gained.append(float(tried.points()[mine]))
        return gained

    def _make(self, world: Round, player: int, view: View[Market], move: Move) -> None:
        if move.verb == "bastos":
            cards = [bastos(cards_in(hand)) for hand in world.hands]
            cards[player] = self.number_of[view.known[move.cards[0]]]
            world.lay_aside(cards)
        elif move.verb == "play":
            card = self.number_of[view.known[move.cards[0]]]
            _play(world, Judge(world), card, move.words == TRUMP)
        else:
            if move != KEEP:
                fruit = self.game.column[move.words[0]]
                world.move_price(fruit, 1 if move.verb == "raise" else -1)
            if len(world.trick) == world.players:
                world.end_trick()


def play_on(world: Round) -> None:
    """Play to the end of the round, each player at first sight."""
    judge = Judge(world)
    while world.left:
        _play(world, judge, *judge.card())


def _play(world: Round, judge: Judge, card: int, declares: bool) -> None:
    player = world.turn
    if world.play(card, declares):
        fruit, step = judge.price(player)
        if step:
            world.move_price(fruit, step)
    if len(world.trick) == world.players:
        world.end_trick()


def _seat(view: View[Market]) -> Seat:
    assert view.seat is not None
    return view.seat


HEURISTICS = BastosHeuristics
