"""What the learner might try, and why.

A move is proposed only where there is a reason for it that holds as the cards lie: what is certain,
or what was won so far. It is not always the best one.
"""

from collections.abc import Iterator

from engine.bastos.cards import PRICE_LEAST, PRICE_MOST, TRUMP_COSTS, clamped
from engine.bastos.rules import TRUMP, Market
from engine.bastos.trick import winner
from engine.moves import Move
from engine.needs import Face, Seat
from engine.tricks import number, suit
from engine.views import View
from p2pfruit.games.bastos.narrator import BastosNarrator
from p2pfruit.games.course import ME
from p2pfruit.language import text as _

Proposal = tuple[Move, str]


class Adviser:
    def __init__(self, narrator: BastosNarrator, view: View[Market]) -> None:
        self.narrator = narrator
        self.game = narrator.game
        self.view = view
        self.state = view.state

    def proposal(self) -> Proposal | None:
        """The first for which there is a reason; none where there is nothing to choose."""
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

    def _told(self, move: Move) -> str:
        return self.narrator.card(self._face(move))

    # The Bastos.

    def _bastos(self) -> Iterator[Proposal]:
        """The lowest card of the fruit of which there are fewest."""
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
        text = _(
            "Try {card}: of no fruit do you have fewer cards. Those you could then not win with: "
            "{cards}."
        )
        yield move, text.format(card=self.narrator.card(chosen), cards=self.narrator.cards(rest))

    # A card.

    def _lead(self) -> Iterator[Proposal]:
        for move in self.view.moves():
            if suit(self._face(move)) == suit(self.state.bastos[ME]):
                text = _("Try {card}: it cannot win, but it lets you move a price.")
                yield move, text.format(card=self._told(move))

    def _card(self) -> Iterator[Proposal]:
        """The lowest that is sure to win what is worth it, or the lowest where none can win."""
        moves = sorted(self.view.moves(), key=lambda move: number(self._face(move)))
        winning = [move for move in moves if self._holds(move)]
        last = len(self.state.trick) == len(self.state.seated) - 1
        for move in winning:
            if last and self._worth(move) > 0:
                text = _("Try {card}: you are the last, and it takes the trick.")
                if move.words == TRUMP:
                    text = _("Try {card} as trump: you are the last, and it takes the trick.")
                yield move, text.format(card=self._told(move))
        lowest = moves[0]
        if not winning and suit(self._face(lowest)) == self.state.led:
            text = _("Try {card}: none of yours can take this trick, so keep the higher ones.")
            yield lowest, text.format(card=self._told(lowest))

    def _holds(self, move: Move) -> bool:
        """Whether the trick would be mine so far."""
        state, face = self.state, self._face(move)
        trump, since = state.trump, state.since
        if move.words == TRUMP:
            trump, since = suit(face), len(state.trick)
        trick = (*state.trick, face)
        bastos = [state.bastos[seat] for seat in self.game.players(state)[: len(trick)]]
        return winner(trick, bastos, trump, since) == len(state.trick)

    def _worth(self, move: Move) -> int:
        """What the trick would count with this card."""
        prices = {fruit: self.game.price(self.state, fruit) for fruit in self.game.fruits}
        face = self._face(move)
        if move.words == TRUMP:
            prices[suit(face)] = clamped(prices[suit(face)] - TRUMP_COSTS)
        return sum(prices[suit(card)] for card in (*self.state.trick, face))

    # A price.

    def _price(self) -> Iterator[Proposal]:
        """Down, where somebody else won most and I nothing; or else up, where I won most."""
        fruits = self.game.in_play(self.state)
        for fruit in sorted(fruits, key=self._rival, reverse=True):
            most, seat = self._rival(fruit)
            low = self.game.price(self.state, fruit) == PRICE_LEAST
            if most and not self._won(ME, fruit) and not low:
                text = _("Try {fruit} down: you have won none, and {name} {count}.")
                name = self.narrator.name(seat)
                told = text.format(fruit=self.narrator.fruit(fruit), name=name, count=most)
                yield Move("lower", (), (fruit,)), told
        for fruit in fruits:
            mine = self._won(ME, fruit)
            high = self.game.price(self.state, fruit) == PRICE_MOST
            if mine > self._rival(fruit)[0] and not high:
                text = _("Try {fruit} up: you have won {count}, more than anybody else.")
                told = text.format(fruit=self.narrator.fruit(fruit), count=mine)
                yield Move("raise", (), (fruit,)), told

    def _won(self, seat: Seat, fruit: str) -> int:
        return self.game.counts(self.state.won[seat])[self.game.column[fruit]]

    def _rival(self, fruit: str) -> tuple[int, Seat]:
        """The most that one of the others has won, and who."""
        return max((self._won(seat, fruit), seat) for seat in self.state.seated if seat != ME)
