"""Suggestions: a move for the learner to try, and the reason for it.

The teacher suggests a move only if the cards on the table give a reason for it: what is certain, or
what was won so far. It is not always the best move.
"""

from collections.abc import Iterator

from engine.bastos.cards import PRICE_LEAST, PRICE_MOST, TRUMP_COSTS, clamped
from engine.bastos.rules import TRUMP, Market
from engine.bastos.trick import decided
from engine.moves import Move
from engine.needs import Face, Seat
from engine.tricks import number, suit
from engine.views import View
from p2pfruit.games.bastos.lesson.text import say
from p2pfruit.games.bastos.narrator import BastosNarrator
from p2pfruit.games.course import ME, Remark

Proposal = tuple[Move, Remark]


class Adviser:
    def __init__(self, narrator: BastosNarrator, view: View[Market]) -> None:
        self.narrator = narrator
        self.game = narrator.game
        self.view = view
        self.state = view.state

    def proposal(self) -> Proposal | None:
        """Return the first move for which there is a reason, or None if there is no choice."""
        if len(self.view.moves()) == 1:
            return None
        match self.state.need.what:
            case "bastos":
                found = self._bastos()
            case "price":
                found = self._price()
            case _card if not self.state.trick:
                found = self._lead()
            case _card:
                found = self._card()
        return next(found, None)

    def _face(self, move: Move) -> Face:
        return self.view.known[move.cards[0]]

    def _card_of(self, move: Move) -> str:
        return self.narrator.card(self._face(move))

    # The Bastos.

    def _bastos(self) -> Iterator[Proposal]:
        """Suggest the lowest card of the fruit of which I hold fewest."""
        fruits = [suit(face) for face in self.view.known.values()]

        def rank(move: Move) -> tuple[int, int]:
            face = self._face(move)
            return fruits.count(suit(face)), number(face)

        move = min(self.view.moves(), key=rank)
        chosen = self._face(move)
        rest = [
            face
            for face in self.view.known.values()
            if suit(face) == suit(chosen) and face != chosen
        ]
        card, cards = self.narrator.card(chosen), self.narrator.cards(rest)
        yield move, say("try.bastos", card=card, cards=cards)

    # A card.

    def _lead(self) -> Iterator[Proposal]:
        for move in self.view.moves():
            if suit(self._face(move)) == suit(self.state.bastos[ME]):
                yield move, say("try.own_lead", card=self._card_of(move))

    def _card(self) -> Iterator[Proposal]:
        """Suggest the lowest card that is sure to win a good trick, or the lowest if none can."""
        moves = sorted(self.view.moves(), key=lambda move: number(self._face(move)))
        winning = [move for move in moves if self._holds(move)]
        last = len(self.state.trick) == len(self.state.seated) - 1
        for move in winning:
            if last and self._worth(move) > 0:
                if move.words == TRUMP:
                    yield move, say("try.trump", card=self._card_of(move))
                else:
                    yield move, say("try.last", card=self._card_of(move))
        lowest = moves[0]
        if not winning and suit(self._face(lowest)) == self.state.led:
            yield lowest, say("try.lowest", card=self._card_of(lowest))

    def _holds(self, move: Move) -> bool:
        """Return True if this move would win the trick so far."""
        state, face = self.state, self._face(move)
        trump, since = state.trump, state.since
        if move.words == TRUMP:
            trump, since = suit(face), self.game.trump_from(state)
        trick = (*state.trick, face)
        bastos = [state.bastos[seat] for seat in self.game.players(state)[: len(trick)]]
        best, _passed = decided(trick, bastos, trump, since)
        return best == len(state.trick)

    def _worth(self, move: Move) -> int:
        """Return the points of the trick with this card."""
        prices = {fruit: self.game.price(self.state, fruit) for fruit in self.game.fruits}
        face = self._face(move)
        if move.words == TRUMP:
            prices[suit(face)] = clamped(prices[suit(face)] - TRUMP_COSTS)
        return sum(prices[suit(card)] for card in (*self.state.trick, face))

    # A price.

    def _price(self) -> Iterator[Proposal]:
        """Suggest to lower what a rival won and I did not, or else to raise what I won most of."""
        fruits = self.game.in_play(self.state)
        for fruit in sorted(fruits, key=self._rival, reverse=True):
            most, seat = self._rival(fruit)
            low = self.game.price(self.state, fruit) == PRICE_LEAST
            if most and not self._won(ME, fruit) and not low:
                called, name = self.narrator.fruit(fruit), self.narrator.name(seat)
                remark = say("try.lower", fruit=called, name=name, count=most)
                yield Move("lower", (), (fruit,)), remark
        for fruit in fruits:
            mine = self._won(ME, fruit)
            high = self.game.price(self.state, fruit) == PRICE_MOST
            if mine > self._rival(fruit)[0] and not high:
                remark = say("try.raise", fruit=self.narrator.fruit(fruit), count=mine)
                yield Move("raise", (), (fruit,)), remark

    def _won(self, seat: Seat, fruit: str) -> int:
        return self.game.counts(self.state.won[seat])[self.game.column[fruit]]

    def _rival(self, fruit: str) -> tuple[int, Seat]:
        """Return the most of a fruit that another player has won, and the seat of that player."""
        return max((self._won(seat, fruit), seat) for seat in self.state.seated if seat != ME)
