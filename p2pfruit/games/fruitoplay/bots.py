"""How bots play Fruitoplay: a sensible choice at once, and a value for each choice in a world."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from random import Random

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import DRAW, PASS, Orchard
from engine.moves import Move
from engine.needs import Face, Slot
from engine.views import View
from p2pfruit.games.fruitoplay.appraisal import Appraisal
from p2pfruit.games.fruitoplay.beliefs import Beliefs
from p2pfruit.games.fruitoplay.deck import FRUIT, Deck, collective_tally, points
from p2pfruit.games.fruitoplay.playout import Orchards

FAVOUR = 0.01
HORIZON = 4


class FruitoplayHeuristics:
    def __init__(self, game: Fruitoplay) -> None:
        self.game = game
        self.deck = Deck(game)
        self._appraisals: dict[int, Appraisal] = {}

    def _appraisal(self, state: Orchard) -> Appraisal:
        players = len(state.seated)
        if players not in self._appraisals:
            self._appraisals[players] = Appraisal(self.deck, players, self.game.river_length)
        return self._appraisals[players]

    # At once.

    def greedy(self, view: View[Orchard], rng: Random) -> Move:
        choose = {
            "card": self._greedy_card,
            "collective": self._greedy_collective,
            "last_draw": self._greedy_last_draw,
            "rotten": _greedy_rotten,
        }
        return choose[view.state.need.what](view)

    def _greedy_card(self, view: View[Orchard]) -> Move:
        state = view.state
        slots = {self.deck.number_of[view.known[slot]]: slot for slot in view.hand}
        card = self._appraisal(state).choose(
            list(slots),
            self._columns(view, state.collective),
            self.deck.number_of[state.target],
            self.game.river_length - state.turn,
        )
        return Move("play", (slots[card],))

    def _greedy_collective(self, view: View[Orchard]) -> Move:
        """The fruit that promises this hand most."""
        appraisal = self._appraisal(view.state)

        def promise(move: Move) -> float:
            columns = self._columns(view, move.words[0])
            return appraisal.promise(columns, self.game.river_length - 1)

        return max(view.moves(), key=promise)

    def _greedy_last_draw(self, view: View[Orchard]) -> Move:
        """A gamble: taken if the cards not seen yet bring points on average."""
        state = view.state
        deck = self.deck
        tally = sum(deck.tally[card] for card in self._hand(view) + self._won(view))
        if state.collective is not None:
            fruit = FRUITS.index(state.collective)
            tally += collective_tally(fruit, self.game.collective_worth(state))
        seen = {*state.faces, *view.known.values()}
        unseen = [card for face, card in deck.number_of.items() if face not in seen]
        gain = sum(points(tally + deck.tally[card]) for card in unseen)
        return DRAW if gain > points(tally) * len(unseen) else PASS

    def _hand(self, view: View[Orchard]) -> list[int]:
        return [self.deck.number_of[view.known[slot]] for slot in view.hand]

    def _won(self, view: View[Orchard]) -> list[int]:
        assert view.seat is not None
        return [self.deck.number_of[face] for face in view.state.won[view.seat]]

    def _columns(self, view: View[Orchard], collective: str | None) -> list[int]:
        columns = self.deck.columns(self._hand(view), self._won(view))
        if collective is not None:
            worth = self.game.collective_worth(view.state)
            columns[FRUITS.index(collective)] += FRUIT * worth
        return columns

    # In a world.

    def worlds(self, view: View[Orchard], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        return Beliefs(self.game, self._appraisal(view.state), view).worlds(rng)

    def compare(
        self, view: View[Orchard], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        state = view.state
        what = state.need.what
        if what == "rotten":
            return [_spared(move) for move in moves]
        world = Orchards(self.game, self._appraisal(state), state, faces)
        assert view.seat is not None
        mine = state.seated.index(view.seat)
        compare = {
            "card": self._compare_cards,
            "collective": self._compare_collectives,
            "last_draw": self._compare_last_draws,
        }
        return compare[what](view, moves, world, mine)

    def _compare_cards(
        self, view: View[Orchard], moves: Sequence[Move], world: Orchards, mine: int
    ) -> list[float]:
        cards = world.choices()
        sensible = cards[mine]
        chances = []
        for move in moves:
            cards[mine] = card = self.deck.number_of[view.known[move.cards[0]]]
            chance = self._chance(view.state, mine, world.copy(), cards)
            chances.append(chance + FAVOUR if card == sensible else chance)
        return chances

    def _compare_collectives(
        self, view: View[Orchard], moves: Sequence[Move], world: Orchards, mine: int
    ) -> list[float]:
        world.turn = 1
        chances = []
        for move in moves:
            chosen = world.copy()
            chosen.collect(FRUITS.index(move.words[0]), self.game.collective_worth(view.state))
            chances.append(self._chance(view.state, mine, chosen, chosen.choices()))
        return chances

    def _compare_last_draws(
        self, view: View[Orchard], moves: Sequence[Move], world: Orchards, mine: int
    ) -> list[float]:
        world.lay_down()
        wishes = world.wishes()
        chances = []
        for move in moves:
            wishes[mine] = move == DRAW
            end = world.copy().last_draw(wishes)
            chances.append(self._winning(view.state, mine, end, 0, 0))
        return chances

    def _chance(self, state: Orchard, mine: int, world: Orchards, cards: Sequence[int]) -> float:
        softness = world.turns - world.turn
        end = world.finish(cards, HORIZON)
        left = world.turns + 1 - world.turn
        return self._winning(state, mine, end, left, softness)

    def _winning(
        self, state: Orchard, mine: int, end: Sequence[float], left: int, softness: int
    ) -> float:
        totals = [state.total(seat) + gained for seat, gained in zip(state.seated, end, strict=True)]
        rounds = self.game.rounds - state.round
        spread = rounds + (0.4 + 0.1 * left if left else 0)
        total = totals[mine]
        if spread == 0:
            if softness:
                return 1 / sum(exp(min(50,(t-total)/softness)) for t in totals)
            ranks = list(zip(totals, end, strict=True))
            best = max(ranks)
            return 1 / ranks.count(best) if ranks[mine] == best else 0.0
        steepness = (8 + len(totals)) * spread**0.5
        return 1 / sum(exp((t - total) / steepness) for t in totals)


def _spared(move: Move) -> float:
    return -float(sum(int(word.rpartition("-")[2]) for word in move.words))


def _greedy_rotten(view: View[Orchard]) -> Move:
    """The least victims leave the most points: see deck.points."""
    return max(view.moves(), key=_spared)


HEURISTICS = FruitoplayHeuristics
