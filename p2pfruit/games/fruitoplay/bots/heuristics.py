"""How bots play Fruitoplay: a sensible move at first sight, and what a move is worth in a world.

    deck.py       the cards as small numbers
    appraisal.py  what cards promise, and the card to let go
    playout.py    a round played on, quickly
    winning.py    what points are worth: the chance to win the game

Others are taken to hold any of the cards not seen. Judging by what they let go costs more than it
tells: it leaves time for fewer worlds, and these are too much alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engine.dealer import Dealer
from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import DRAW, PASS, Orchard
from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.views import View, guess
from p2pfruit.games.fruitoplay.bots.appraisal import Appraisal
from p2pfruit.games.fruitoplay.bots.deck import FRUIT, Deck, collective_tally, points
from p2pfruit.games.fruitoplay.bots.playout import Orchards
from p2pfruit.games.fruitoplay.bots.winning import Standing

# A playout goes on for so many turns. What is further away is mostly luck, and the appraisal
# knows its average better than one playout does.
TURNS_AHEAD = 4

# Few worlds say little: the card that is sensible at first sight is played unless another seems
# to win so much more often.
FAVOUR = 0.005


class FruitoplayHeuristics:
    def __init__(self, game: Fruitoplay) -> None:
        self.game = game
        self.deck = Deck(game)
        self._appraisals: dict[int, Appraisal] = {}

    def appraisal(self, state: Orchard) -> Appraisal:
        players = len(state.seated)
        if players not in self._appraisals:
            self._appraisals[players] = Appraisal(self.deck, players, self.game.river_length)
        return self._appraisals[players]

    # At first sight.

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
        card = self.appraisal(state).choose(
            list(slots),
            self._columns(view, state.collective),
            self.deck.number_of[state.target],
            self.game.river_length - state.turn,
        )
        return Move("play", (slots[card],))

    def _greedy_collective(self, view: View[Orchard]) -> Move:
        """Return the fruit that promises this hand most."""
        appraisal = self.appraisal(view.state)

        def promise(move: Move) -> float:
            columns = self._columns(view, move.words[0])
            return appraisal.promise(columns, self.game.river_length - 1)

        return max(view.moves(), key=promise)

    def _greedy_last_draw(self, view: View[Orchard]) -> Move:
        """Draw if the cards that are not seen yet bring points on average."""
        state = view.state
        deck = self.deck
        tally = sum(deck.tally[card] for card in self._hand(view) + self._won(view))
        if state.collective is not None:
            fruit = FRUITS.index(state.collective)
            tally += collective_tally(fruit, self.game.collective_worth(state))
        seen = {*state.faces, *view.known.values()}
        unseen = [card for face, card in deck.number_of.items() if face not in seen]
        with_another = sum(points(tally + deck.tally[card]) for card in unseen)
        return DRAW if with_another > points(tally) * len(unseen) else PASS

    def _hand(self, view: View[Orchard]) -> list[int]:
        return [self.deck.number_of[view.known[slot]] for slot in view.hand]

    def _won(self, view: View[Orchard]) -> list[int]:
        return [self.deck.number_of[face] for face in view.state.won[_seat(view)]]

    def _columns(self, view: View[Orchard], collective: str | None) -> list[int]:
        columns = self.deck.columns(self._hand(view), self._won(view))
        if collective is not None:
            worth = self.game.collective_worth(view.state)
            columns[FRUITS.index(collective)] += FRUIT * worth
        return columns

    # In a world.

    def worlds(self, view: View[Orchard], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        """Return what `guess` would say: players claim nothing, so any order of closed cards
        fits."""
        world = guess(view, rng)
        closed = [slot for slot in world if view.face(slot) is None]
        faces = [world[slot] for slot in closed]
        while True:
            yield world
            rng.shuffle(faces)
            world.update(zip(closed, faces, strict=True))

    def compare(
        self, view: View[Orchard], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        what = view.state.need.what
        if what == "rotten":
            return [_spared(move) for move in moves]
        compare = {
            "card": self._compare_cards,
            "collective": self._compare_collectives,
            "last_draw": self._compare_last_draws,
        }
        world = Orchards(self.game, self.appraisal(view.state), view.state, faces)
        return compare[what](moves, world, Standing(self.game, view.state, _seat(view)), view)

    def points(
        self, view: View[Orchard], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        """Return the points of this round, the turns further away as the appraisal expects them."""
        if view.state.need.what == "rotten":
            return [self._points_after(view, move) for move in moves]
        mine = view.state.seated.index(_seat(view))
        world = Orchards(self.game, self.appraisal(view.state), view.state, faces)
        return [float(self._gained(world.copy(), view, move, mine)[mine]) for move in moves]

    def _points_after(self, view: View[Orchard], move: Move) -> float:
        """Return the points after rotten fruit was cancelled: all cards lie open by then."""
        dealer = Dealer(self.game, view.state, Random(0))
        answers = {seat: dealer.view(seat).moves()[0] for seat in dealer.asked}
        dealer.answer([*(answers | {_seat(view): move}).values()])
        return float(dealer.state.scores[len(view.state.scores)][_seat(view)])

    def _gained(
        self, world: Orchards, view: View[Orchard], move: Move, mine: int
    ) -> Sequence[float]:
        what = view.state.need.what
        if what == "last_draw":
            world.lay_down()
            wishes = world.wishes()
            wishes[mine] = move == DRAW
            return world.last_draw(wishes)
        if what == "collective":
            world.turn = 1
            world.collect(FRUITS.index(move.words[0]), self.game.collective_worth(view.state))
            return world.play_on(world.choices(), TURNS_AHEAD)
        cards = world.choices()
        cards[mine] = self.deck.number_of[view.known[move.cards[0]]]
        return world.play_on(cards, TURNS_AHEAD)

    def _compare_cards(
        self, moves: Sequence[Move], world: Orchards, standing: Standing, view: View[Orchard]
    ) -> list[float]:
        cards = world.choices()
        sensible = cards[standing.mine]
        chances = []
        for move in moves:
            card = self.deck.number_of[view.known[move.cards[0]]]
            cards[standing.mine] = card
            chance = _chance(world.copy(), cards, standing)
            chances.append(chance + FAVOUR if card == sensible else chance)
        return chances

    def _compare_collectives(
        self, moves: Sequence[Move], world: Orchards, standing: Standing, view: View[Orchard]
    ) -> list[float]:
        world.turn = 1
        chances = []
        for move in moves:
            chosen = world.copy()
            chosen.collect(FRUITS.index(move.words[0]), self.game.collective_worth(view.state))
            chances.append(_chance(chosen, chosen.choices(), standing))
        return chances

    def _compare_last_draws(
        self, moves: Sequence[Move], world: Orchards, standing: Standing, view: View[Orchard]
    ) -> list[float]:
        world.lay_down()
        wishes = world.wishes()
        chances = []
        for move in moves:
            wishes[standing.mine] = move == DRAW
            chances.append(standing.chance(world.copy().last_draw(wishes)))
        return chances


def _chance(world: Orchards, cards: Sequence[int], standing: Standing) -> float:
    before = world.left
    gained = world.play_on(cards, TURNS_AHEAD)
    return standing.chance(gained, world.left, before - 1)


def _greedy_rotten(view: View[Orchard]) -> Move:
    """Return the least victims: they leave the most points, see deck.points."""
    return max(view.moves(), key=_spared)


def _spared(move: Move) -> float:
    return -float(sum(int(word.rpartition("-")[2]) for word in move.words))


def _seat(view: View[Orchard]) -> Seat:
    assert view.seat is not None
    return view.seat


HEURISTICS = FruitoplayHeuristics
