"""Rounds arranged in advance, played through the real engine.

A card is a letter, a number and its symbols: b4+1 is the blue 4 with a spiral, r1* a special red 1,
g5-1 a green 5 with a cross, m2 the multicolour 2, y5 a yellow 5 without symbols.
"""

from collections.abc import Sequence
from functools import cache

from engine.content import Content, read_content
from engine.moves import Event, Move, Outcome
from engine.needs import Choose, Deal, Done, Face, Seat, Shuffle
from engine.pixies import Pixies
from engine.pixies.areas import NOTHING, Area
from engine.pixies.rules import Meadow
from engine.record import replace

COLOURS = {"b": "blue", "g": "green", "y": "yellow", "r": "red", "m": "multicolour"}


@cache
def content() -> Content:
    return read_content("engine.pixies", "pixies.toml")


@cache
def pixies() -> Pixies:
    return Pixies(content())


def face(short: str) -> Face:
    colour, number, symbols = COLOURS[short[0]], short[1], short[2:]
    kind = {"": "plain", "*": "star"}.get(symbols)
    if kind is None:
        kind = ("plus" if symbols[0] == "+" else "minus") + symbols[1:]
    found = f"{colour}-{number}-{kind}"
    assert found in pixies().cards, f"there is no {short}"
    return found


def faces(text: str) -> tuple[Face, ...]:
    return tuple(map(face, text.split()))


def area(text: str) -> Area:
    """Nine places: a card face up, with an exclamation mark where it is validated; x is a card
    face down, a dash nothing. What lies beneath is any card: the rules never look at it."""
    places: list[tuple[Face | None, Face | None]] = []
    for word in text.split():
        if word == "-":
            places.append((None, None))
        elif word == "x":
            places.append((None, face("y5")))
        elif word.endswith("!"):
            places.append((face(word[:-1]), face("y5")))
        else:
            places.append((face(word), None))
    assert len(places) == 9
    return tuple(places)


class Table:
    """`deck` is what lies on top of each round's pile, the rest follows in the order of the
    content. With `areas` a round begins as if these lay there already."""

    def __init__(
        self, seats: int, deck: str = "", areas: Sequence[str] = (), round: int = 1
    ) -> None:
        self.game = pixies()
        self.top = faces(deck)
        self.events: list[Event] = []
        self.laid = [area(text) for text in areas] + [NOTHING] * (seats - len(areas))
        self.state: Meadow = replace(self.game.start(seats), round=round)
        self.pile: dict[int, Face] = {}
        self._go_on()

    @property
    def asked(self) -> Seat | None:
        return self.state.need.seats[0] if isinstance(self.state.need, Choose) else None

    def do(self, *moves: str) -> "Table":
        """Each by whoever is asked: t takes a card, k keeps one face up, l lays down on a place."""
        for short in moves:
            verb, what = short[0], short[1:]
            word = what if verb == "l" else face(what)
            name = {"t": "take", "k": "keep", "l": "lay"}[verb]
            self._step(Outcome((Move(name, (), (word,)),)))
            self._go_on()
        return self

    def do_first(self) -> "Table":
        """The first legal move of whoever is asked."""
        assert self.asked is not None
        self._step(Outcome((self.game.moves(self.state, self.asked, {})[0],)))
        self._go_on()
        return self

    def legal(self) -> list[str]:
        assert self.asked is not None
        return [str(move) for move in self.game.moves(self.state, self.asked, {})]

    def told(self, what: str) -> list[Event]:
        return [event for event in self.events if event.what == what]

    def _go_on(self) -> None:
        """Whatever needs nobody."""
        while not isinstance(self.state.need, Choose | Done):
            need = self.state.need
            if isinstance(need, Shuffle):
                if self.state.scores:
                    return  # a round has ended: tests look at one
                rest = list(need.piles[0])
                for one in self.top:
                    rest.remove(one)
                self.pile = dict(enumerate([*self.top, *rest], self.state.made))
                self._step(Outcome())
                self.state = replace(self.state, areas=tuple(self.laid))
            else:
                assert isinstance(need, Deal)
                self._step(Outcome(faces=tuple(self.pile[slot] for slot, _ in need.cards)))

    def _step(self, outcome: Outcome) -> None:
        step = self.game.step(self.state, outcome)
        self.state = step.state
        self.events += step.events
