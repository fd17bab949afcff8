"""What a player's cards promise in the middle of a round, and the card a sensible player lets go.

Points are the largest column times the smallest, so there are two good rounds: win nearly
nothing and play away all fruits but one, whose column is squared; or win much and let all four
columns grow. What was won stays; what is in the hand can still be played away. So a column is
looked up, for the turns that are left, in three tables:

    hope   how large it is likely to be in the end
    drag   how small it will look beside the others: nothing holds a player back who has won
           none of this fruit and can still play away the few cards of it
    ease   how likely that works out

and the promise is the hope of the largest column x the smallest drag x the ease of all others.
The figures were found by letting variants play against each other.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from p2pfruit.games.fruitoplay.bots.deck import COLUMNS, FRUIT, Deck, unpack

NO_DRAG = 99.0
LEAST_HOPE = 0.34

# A chance below this is not worth a second look at what winning would bring.
CHANCE_LEAST = 0.03

Rest = tuple[float, float, float, float]


class Outlook(NamedTuple):
    """The three tables for a number of turns left, by column."""

    hope: list[float]
    drag: list[float]
    ease: list[float]


@cache
def outlook(left: int) -> Outlook:
    hope, drag, ease = [], [], []
    for column in range(COLUMNS):
        won, cards, fruits = unpack(column)
        expected = won + fruits * (1 - 0.12 * left) + 0.18 * left
        if (cards == 0 and won <= 0) or (left == 0 and won + fruits <= 0):
            hope.append(max(0.0, expected) if left else 0.0)
            drag.append(NO_DRAG)
            ease.append(1.0)
            continue
        expected = max(expected, LEAST_HOPE)
        hope.append(expected)
        droppable = won <= 0 and left > 0 and cards <= int(0.6 + 0.47 * left)
        drag.append(NO_DRAG if droppable else expected)
        ease.append(2.718 ** (-0.48 * cards / left**1.17) if droppable else 1.0)
    return Outlook(hope, drag, ease)


class Appraisal:
    """For one number of players: the more there are, the harder a trick is to win."""

    def __init__(self, deck: Deck, players: int, turns: int) -> None:
        self.deck = deck
        self.outlooks = [outlook(left) for left in range(turns)]
        self.others = players - 1
        # What the others are likely to add to a trick, as fruits won: half of it the target's.
        of_target = (self.others * 8 + 7) // 15
        spread = [of_target, 0, 0, 0]
        for at in range(self.others - of_target):
            spread[1 + at % 3] += 1
        self.spread = [FRUIT * fruits for fruits in spread]
        self._chances: dict[int, list[float]] = {}

    def chances(self, target: int) -> list[float]:
        """Return how likely each card wins this target."""
        if target not in self._chances:
            deck = self.deck
            alone = []
            for fruit, number in zip(deck.fruit, deck.number, strict=True):
                distance = abs(number - deck.number[target])
                if fruit == deck.fruit[target]:
                    alone.append(1 - max(0.0, 0.5 * (distance - 0.5) / (distance + 2.5)))
                else:
                    alone.append(0.52 * 0.9**distance)
            self._chances[target] = [chance**self.others for chance in alone]
        return self._chances[target]

    def choose(self, hand: Sequence[int], columns: Sequence[int], target: int, left: int) -> int:
        """Return the card with the best promise, whether it wins the trick or not; `left` turns
        follow.

        This is the heart of every playout, hence written for speed: a card changes one column, so
        the other three are summed up once. `promise` says the same in three lines.
        """
        deck = self.deck
        hope, drag, ease = self.outlooks[left]
        fruits, in_hand, won = deck.fruit, deck.in_hand, deck.won
        chances = self.chances(target)
        fruit = fruits[target]
        full = list(columns)  # with the trick won, save the card itself
        spread = self.spread
        full[fruit] += won[target] + spread[0]
        full[fruit - 1] += spread[1]
        full[fruit - 2] += spread[2]
        full[fruit - 3] += spread[3]
        if_lost = _rests(columns, hope, drag, ease)
        if_won = _rests(full, hope, drag, ease)
        best = -1.0
        chosen = hand[0]
        for card in hand:
            fruit = fruits[card]
            column = columns[fruit] - in_hand[card]
            largest, smallest, eases, other_eases = if_lost[fruit]
            mine = hope[column]
            least = drag[column]
            if least > smallest:
                least = smallest
            if mine > largest:
                promise = mine * (mine if least > mine else least) * eases
            else:
                promise = largest * (largest if least > largest else least)
                promise *= other_eases * ease[column]
            chance = chances[card]
            if chance > CHANCE_LEAST:
                column = full[fruit] - in_hand[card] + won[card]
                largest, smallest, eases, other_eases = if_won[fruit]
                mine = hope[column]
                least = drag[column]
                if least > smallest:
                    least = smallest
                if mine > largest:
                    prize = mine * (mine if least > mine else least) * eases
                else:
                    prize = largest * (largest if least > largest else least)
                    prize *= other_eases * ease[column]
                promise += chance * (prize - promise)
            if promise > best:
                best = promise
                chosen = card
        return chosen

    def expect(self, columns: Sequence[int], left: int) -> float:
        """Return the points that such cards came to in the end, on average."""
        return 2 + 2.6 * left + (1 - 0.1 * left) * self.promise(columns, left)

    def promise(self, columns: Sequence[int], left: int) -> float:
        hope, drag, ease = self.outlooks[left]
        a, b, c, d = columns
        largest, smallest, eases, other_eases = _rest(
            hope[b], hope[c], hope[d], drag[b], drag[c], drag[d], ease[b], ease[c], ease[d]
        )
        if hope[a] > largest:
            return hope[a] * min(hope[a], drag[a], smallest) * eases
        return largest * min(largest, drag[a], smallest) * other_eases * ease[a]


def _rests(
    columns: Sequence[int], hope: list[float], drag: list[float], ease: list[float]
) -> tuple[Rest, Rest, Rest, Rest]:
    """Return the other three columns of each column."""
    a, b, c, d = columns
    hope_a, hope_b, hope_c, hope_d = hope[a], hope[b], hope[c], hope[d]
    drag_a, drag_b, drag_c, drag_d = drag[a], drag[b], drag[c], drag[d]
    ease_a, ease_b, ease_c, ease_d = ease[a], ease[b], ease[c], ease[d]
    return (
        _rest(hope_b, hope_c, hope_d, drag_b, drag_c, drag_d, ease_b, ease_c, ease_d),
        _rest(hope_a, hope_c, hope_d, drag_a, drag_c, drag_d, ease_a, ease_c, ease_d),
        _rest(hope_a, hope_b, hope_d, drag_a, drag_b, drag_d, ease_a, ease_b, ease_d),
        _rest(hope_a, hope_b, hope_c, drag_a, drag_b, drag_c, ease_a, ease_b, ease_c),
    )


def _rest(
    hope_a: float,
    hope_b: float,
    hope_c: float,
    drag_a: float,
    drag_b: float,
    drag_c: float,
    ease_a: float,
    ease_b: float,
    ease_c: float,
) -> Rest:
    """Return the largest hope and the smallest drag of three columns, and their eases multiplied:
    of all three, and of those beside the largest."""
    smallest = drag_a if drag_a < drag_b else drag_b
    if drag_c < smallest:
        smallest = drag_c
    if hope_a >= hope_b and hope_a >= hope_c:
        return hope_a, smallest, ease_a * ease_b * ease_c, ease_b * ease_c
    if hope_b >= hope_c:
        return hope_b, smallest, ease_a * ease_b * ease_c, ease_a * ease_c
    return hope_c, smallest, ease_a * ease_b * ease_c, ease_a * ease_b
