"""Whole game trees of small games, counted twice: by the rules, and by a naive enumerator here.

For a deck in a fixed order, every choice of every player is tried. What is compared is how many
games end with which points; what is frozen is how many games there are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from engine.dealer import play
from engine.game import Game
from engine.moves import Outcome
from engine.needs import EVERYONE, Choose, Deal, Done, Face, Lot, Seat, Shuffle
from engine.record import State
from p2pfruit.conformance.oracle import Row
from p2pfruit.conformance.playing import at_random, view_of
from tests.engine.oracles import best, fruit, number, to_the_left, ways, worths
from tests.engine.playing import GAMES
from tests.games.brambles import SUITS, Brambles, content


def orders(game: Game[Any], seats: int, seed: int) -> list[list[Face]]:
    """The piles of a game, each in an order of this seed."""
    rng = Random(seed)
    return [rng.sample(pile, len(pile)) for pile in game.start(seats).need.piles]


def results(game: Game[Any], state: State, faces: Sequence[Face]) -> Counter[Row]:
    """The scores of every game that can follow, by the rules; `faces` by slot, lots all 0."""
    outcomes: list[Outcome] = []
    match state.need:
        case Done():
            return Counter([state.scores[-1]])
        case Shuffle():
            outcomes = [Outcome()]
        case Lot(below=below):
            outcomes = [Outcome(lots=(0,) * len(below))]
        case Deal(cards=cards):
            shown = tuple(faces[slot] for slot, seat in cards if seat == EVERYONE)
            outcomes = [Outcome(faces=shown)]
        case Choose(seats=seats):
            known = dict(enumerate(faces))
            options = [view_of(game, state, seat, known).moves() for seat in seats]
            outcomes = [
                Outcome(moves, tuple(faces[slot] for move in moves for slot in move.cards))
                for moves in product(*options)
            ]
    found: Counter[Row] = Counter()
    for outcome in outcomes:
        found += results(game, game.step(state, outcome).state, faces)
    return found


def without(cards: Sequence[Face], card: Face) -> list[Face]:
    return [other for other in cards if other is not card]


# Punnet.

PUNNET = GAMES["punnet-all"]


class Punnet:
    """A round with open cards: hands of two, three targets, the rest is the pile."""

    def __init__(self, deck: Sequence[Face], seats: int, ties: str, worth: Mapping[Face, int]):
        self.seats = seats
        self.ties = ties
        self.worth = worth
        self.hands = [list(deck[2 * seat : 2 * seat + 2]) for seat in range(seats)]
        self.river = deck[2 * seats : 2 * seats + 3]
        self.pile = list(deck[2 * seats + 3 :])

    def results(self) -> Counter[Row]:
        held: list[list[Face]] = [[] for _ in range(self.seats)]
        return Counter(self.turn(1, self.hands, self.pile, held))

    def turn(
        self, turn: int, hands: list[list[Face]], pile: list[Face], held: list[list[Face]]
    ) -> Iterator[Row]:
        target = self.river[-turn]
        players = [seat for seat in range(self.seats) if hands[seat]]
        for cards in product(*(hands[seat] for seat in players)):
            played = dict(zip(players, cards, strict=True))
            winner = best(target, played, self.ties)
            left = [without(hand, played.get(seat, "")) for seat, hand in enumerate(hands)]
            won = [
                [*mine, *cards, target] if seat == winner else mine
                for seat, mine in enumerate(held)
            ]
            seats = to_the_left(0 if winner is None else winner + 1)
            drawing = [seat for seat in seats if seat < self.seats and seat != winner]
            if turn == 3:
                yield from self.last_draw(drawing, left, pile, won)
                continue
            for seat, card in zip(drawing, pile, strict=False):
                left[seat].append(card)
            yield from self.turn(turn + 1, left, pile[len(drawing) :], won)

    def last_draw(
        self,
        drawing: list[Seat],
        hands: list[list[Face]],
        pile: list[Face],
        held: list[list[Face]],
    ) -> Iterator[Row]:
        for wishes in product((True, False), repeat=len(drawing) if pile else 0):
            all_held = [mine + hand for mine, hand in zip(held, hands, strict=True)]
            served = [seat for seat, wish in zip(drawing, wishes, strict=False) if wish]
            for seat, card in zip(served, pile, strict=False):
                all_held[seat] = [*all_held[seat], card]
            yield from product(*(self.points(cards) for cards in all_held))

    def points(self, cards: list[Face]) -> list[int]:
        """The points of every answer that the player can give, if it matters."""
        found = list(ways(cards, self.worth).values())
        return found if len(set(found)) > 1 else found[:1]


@pytest.mark.parametrize(
    ("seats", "seed", "ties", "games"),
    [
        (2, 0, "contending", 30),
        (2, 1, "contending", 16),
        (2, 2, "all", 61),
        (2, 3, "all", 30),
        (3, 0, "contending", 384),
        (3, 0, "all", 475),
        (3, 1, "contending", 682),
        pytest.param(4, 0, "contending", 13453, marks=pytest.mark.slow),
        pytest.param(4, 1, "all", 13702, marks=pytest.mark.slow),
    ],
)
def test_punnet(seats: int, seed: int, ties: str, games: int) -> None:
    game = GAMES[f"punnet-{ties}"]
    [deck] = orders(game, seats, seed)
    found = results(game, game.start(seats), deck)
    assert found == Punnet(deck, seats, ties, worths(game.content.tables)).results()
    assert found.total() == games


@pytest.mark.parametrize("ties", ["contending", "all"])
@pytest.mark.parametrize("seats", [2, 3])
def test_more_decks_of_punnet(seats: int, ties: str) -> None:
    game = GAMES[f"punnet-{ties}"]
    for seed in range(100, 120 if seats == 2 else 103):
        [deck] = orders(game, seats, seed)
        naive = Punnet(deck, seats, ties, worths(game.content.tables)).results()
        assert results(game, game.start(seats), deck) == naive


def test_punnet_has_all_that_is_tricky() -> None:
    told = set()
    for seed in range(400):
        rng = Random(seed)
        told |= {event.what for event in play(PUNNET, [at_random(rng)] * 4, rng).events}
    assert told >= {"void", "nobody_wins", "sits_out", "empty", "pile_empty", "cancels"}


# Brambles.


class OneRound(Brambles):
    rounds = 1


ONE_ROUND = OneRound(content())


def brambles(deck: Sequence[Face], jars: Sequence[Face], seats: int) -> Counter[Row]:
    hands = [list(deck[seat : 4 * seats : seats]) for seat in range(seats)]
    trump = SUITS[0]

    def tricks(
        hands: list[list[Face]], trick: list[tuple[Seat, Face]], leader: Seat, points: Row
    ) -> Iterator[Row]:
        if len(trick) == seats:
            led = fruit(trick[0][1])
            worth = {trump: 200, led: 100} if led != trump else {trump: 200}
            heights = [worth.get(fruit(face), 0) + number(face) for _, face in trick]
            leader = trick[heights.index(max(heights))][0]
            jar = number(jars[3 - len(hands[0])])
            points = tuple(won + jar * (seat == leader) for seat, won in enumerate(points))
            trick = []
        seat = (leader + len(trick)) % seats
        hand = hands[seat]
        if not hand:
            yield points
            return
        led = fruit(trick[0][1]) if trick else ""
        legal = (
            [face for face in hand if fruit(face) == led]
            or [face for face in hand if fruit(face) == trump and trick]
            or hand
        )
        # Equal cards are different slots, so each is a choice of its own.
        for at in [at for at, face in enumerate(hand) if face in legal]:
            rest = [*hands[:seat], hand[:at] + hand[at + 1 :], *hands[seat + 1 :]]
            yield from tricks(rest, [*trick, (seat, hand[at])], leader, points)

    return Counter(tricks(hands, [], 0, (0,) * seats))


@pytest.mark.parametrize(
    ("seats", "seed", "games"),
    [
        (2, 0, 48),
        (2, 1, 40),
        (2, 2, 70),
        (3, 0, 172),
        (3, 1, 1264),
        pytest.param(4, 0, 400, marks=pytest.mark.slow),
    ],
)
def test_brambles(seats: int, seed: int, games: int) -> None:
    deck, jars = orders(ONE_ROUND, seats, seed)
    found = results(ONE_ROUND, ONE_ROUND.start(seats), deck + jars)
    assert found == brambles(deck, jars, seats)
    assert found.total() == games
