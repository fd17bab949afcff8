"""A round played on in a guessed world, each player choosing as the appraisal says.

The rules of engine.pixies with cards as small numbers and nothing recorded. A test plays both side
by side.
"""

from collections.abc import Mapping

from engine.needs import Face, Slot
from engine.pixies import Pixies
from engine.pixies.rules import Meadow
from p2pfruit.games.pixies.bots.appraisal import Appraisal, left_of
from p2pfruit.games.pixies.bots.grounds import FULL, Ground, Way


class Meadows:
    """All players of one round in one world; index i is state.seated[i]."""

    def __init__(
        self, game: Pixies, appraisal: Appraisal, state: Meadow, faces: Mapping[Slot, Face]
    ) -> None:
        deck = appraisal.deck
        self.deck = deck
        self.appraisal = appraisal
        self.worth = state.round + 1
        self.grounds = [Ground.of(deck, state.areas[seat]) for seat in state.seated]
        self.order = [state.seated.index(seat) for seat in state.order]
        self.row = sorted([deck.number_of[face] for face in state.row])  # equals: the first wins
        self.pile = [deck.number_of[faces[slot]] for slot in range(state.pile, state.made)]
        self.turned_up = game.turned_up(len(state.seated))
        self.next = 0  # of the pile
        self.over = False

    def copy(self) -> "Meadows":
        copy: Meadows = object.__new__(Meadows)
        copy.__dict__.update(self.__dict__)
        copy.grounds = [ground.copy() for ground in self.grounds]
        copy.order = self.order.copy()
        copy.row = self.row.copy()
        return copy

    @property
    def left(self) -> int:
        return left_of(max((ground.used for ground in self.grounds), key=int.bit_count))

    def take(self, card: int) -> None:
        """Let the first player in order take the card and place it in the best way."""
        self.row.remove(card)
        ground = self.grounds[self.order[0]]
        _promise, way = self.appraisal.best_way(ground, card, self.worth, self.left)
        self.place(way)

    def place(self, way: Way) -> None:
        at = self.order.pop(0)
        self.grounds[at].put(self.deck, way)
        even = len(self.order) % len(self.grounds) == 0
        if even and any(ground.used == FULL for ground in self.grounds):
            self.over = True
        elif not self.order:
            self._next_turn(at)

    def _next_turn(self, starter: int) -> None:
        count = self.turned_up
        if len(self.pile) - self.next < count:
            self.over = True
            return
        self.row = sorted(self.pile[self.next : self.next + count])
        self.next += count
        players = len(self.grounds)
        around = [(starter + step) % players for step in range(players)]
        self.order = around * (count // players)

    def play_on(self, cards: int) -> list[float]:
        """Take so many cards, and play the running turn to its end. Return what each area promises
        then, or its points if the round is over."""
        while not self.over and (cards > 0 or len(self.order) < self.turned_up):
            ground = self.grounds[self.order[0]]
            _promise, card, way = self.appraisal.choose(ground, self.row, self.worth, self.left)
            self.row.remove(card)
            self.place(way)
            cards -= 1
        left = 0 if self.over else self.left
        return [self.appraisal.promise(ground, self.worth, left) for ground in self.grounds]
