"""Punnet: Fruitoplay with nineteen cards, two a hand, three turns and one round.

What made the full game large is gone, what made it tricky is not: doubles, rotten fruit, ties, a
player who sits out the last turn, and with four players a pile that can run out.
"""

from engine.content import Content, parse_content
from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS, WORTH, Card
from engine.needs import Face


def content() -> Content:
    return parse_content(
        """
        title = "punnet"
        verified = true

        [cards]
        banana = { single = [1, 2, 4], double = [3], rotten = [5] }
        strawberry = { single = [2, 4, 5], double = [1], rotten = [3] }
        fig = { single = [3, 4], double = [1], rotten = [2] }
        apple = { single = [1, 3], double = [2, 5], rotten = [4] }
        """
    )


def read_cards(content: Content) -> dict[Face, Card]:
    """Any deck: the content is ours, so nothing is demanded of it."""
    cards = [
        Card(fruit, number, WORTH[kind])
        for fruit in FRUITS
        for kind, numbers in content.tables["cards"][fruit].items()
        for number in numbers
    ]
    return {card.face: card for card in sorted(cards, key=lambda card: card[:2])}


class Punnet(Fruitoplay):
    name = "punnet"
    version = 1
    seats = range(2, 5)

    rounds = 1
    river_length = 3
    read_cards = staticmethod(read_cards)

    def hand_size(self, players: int) -> int:
        return 2
