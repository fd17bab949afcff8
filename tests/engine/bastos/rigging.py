"""Rounds with cards that are arranged in advance, played through the real engine.

A card is a letter and a number: b6 is the banana 6, and likewise m(ango), p(ineapple), d(urian)
and l(anzones); b1-4 are four of them. With three players lanzones stay in the box, unless a test
asks for the lot.
"""

from collections.abc import Iterable, Sequence
from random import Random

from engine.bastos import Bastos
from engine.bastos.rules import Market
from engine.content import Content, read_content
from engine.dealer import Dealer
from engine.moves import Event, Move
from engine.needs import Choose, Face, Seat, Shuffle

NAMES = {"b": "banana", "m": "mango", "p": "pineapple", "d": "durian", "l": "lanzones"}
DECK = tuple(f"{fruit}-{number}" for fruit in NAMES.values() for number in range(1, 10))

# Two hands with one fruit that the others have none of, and one that has some of the rest.
SPLIT = ("b1-9 m1-3", "m4-9 p1-6", "p7-9 d1-9")

# Everybody has three of each fruit.
EVEN = ("b1-3 m1-3 p1-3 d1-3", "b4-6 m4-6 p4-6 d4-6", "b7-9 m7-9 p7-9 d7-9")

# Four players: all have bananas and mangoes to begin with.
FOUR = ("b1-6 m1-3 p1-2", "b7-9 m4-5 p3-8", "m6-9 d1-7", "d8-9 l1-9")


def content() -> Content:
    return read_content("engine.bastos", "bastos.toml")


def card(short: str) -> Face:
    """The face that b6 stands for."""
    return f"{NAMES[short[0]]}-{int(short[1:])}"


def cards(text: str) -> tuple[Face, ...]:
    found = []
    for short in text.split():
        first, _, last = short[1:].partition("-")
        found += [f"{NAMES[short[0]]}-{n}" for n in range(int(first), int(last or first) + 1)]
    return tuple(found)


class _Rigged(Dealer[Market]):
    """The first decks are as arranged, those after them by chance."""

    def __init__(self, game: Bastos, seats: int, decks: Iterable[Sequence[Face]]) -> None:
        self._arranged = list(decks)
        super().__init__(game, game.start(seats), Random(0))

    def _shuffle(self, need: Shuffle) -> None:
        if not self._arranged:
            super()._shuffle(need)
            return
        deck = self._arranged.pop(0)
        assert sorted(deck) == sorted(need.piles[0]), "the hands are not what is dealt"
        self._faces.update(enumerate(deck, self.state.made))


class Table:
    """`hands` by seat, in as many rounds as are arranged; with four players one card is over."""

    def __init__(
        self,
        *rounds: Sequence[str],
        seats: int = 0,
        direction: str = "counterclockwise",
        removed: str = "last",
        declared: str = "from-now",
    ) -> None:
        options = {"direction": direction, "removed": removed, "declared": declared}
        self.game = Bastos(content(), options)
        seats = seats or len(rounds[0])
        self.dealer = _Rigged(self.game, seats, [_deck(hands) for hands in rounds])

    @property
    def state(self) -> Market:
        return self.dealer.state

    @property
    def asked(self) -> tuple[Seat, ...]:
        return self.dealer.asked

    @property
    def asks(self) -> str:
        return self.state.need.what

    def legal(self, seat: Seat | None = None) -> list[str]:
        """What the seat may do, cards by their short names."""
        view = self.dealer.view(self.asked[0] if seat is None else seat)
        told = []
        for move in view.moves():
            shorts = [self._short(view.known[slot]) for slot in move.cards]
            told.append(" ".join([*(shorts or [move.verb]), *move.words]))
        return sorted(told)

    def bastos(self, shorts: str) -> list[Event]:
        """One card for each seat that is asked."""
        assert self.asks == "bastos"
        for seat, short in zip(self.asked, shorts.split(), strict=True):
            self.dealer.decide(seat, Move("bastos", (self.slot(seat, short),)))
        return self.dealer.take_events()

    def play(self, short: str, *words: str) -> list[Event]:
        """A card of whoever's turn it is."""
        assert self.asks == "card"
        [seat] = self.asked
        self.dealer.decide(seat, Move("play", (self.slot(seat, short),), words))
        return self.dealer.take_events()

    def say(self, text: str) -> list[Event]:
        self.dealer.decide(self.asked[0], Move.parse(text))
        return self.dealer.take_events()

    def trick(self, text: str) -> list[Event]:
        """Cards in the order played: "b9 d3! b2"; a ! declares trump. No price is moved."""
        events = []
        for short in text.split():
            events += self.play(short.rstrip("!"), *(["trump"] if short.endswith("!") else []))
            if self.asks == "price":
                events += self.say("keep")
        return events

    def finish_round(self) -> list[Event]:
        """With whatever is legal."""
        number = self.state.round
        events: list[Event] = []
        while isinstance(self.state.need, Choose) and self.state.round == number:
            self.dealer.answer([self.dealer.view(seat).moves()[0] for seat in self.asked])
            events += self.dealer.take_events()
        return events

    def slot(self, seat: Seat, short: str) -> int:
        view = self.dealer.view(seat)
        return next(slot for slot in view.hand if view.known[slot] == card(short))

    def _short(self, face: Face) -> str:
        fruit, _, number = face.partition("-")
        return fruit[0] + number

    def prices(self) -> dict[str, int]:
        """Short names of the fruits in play."""
        state = self.state
        return {fruit[0]: self.game.price(state, fruit) for fruit in self.game.in_play(state)}


def _deck(hands: Sequence[str]) -> list[Face]:
    """In the order of slots; whatever is in no hand is left over."""
    held = [face for hand in hands for face in cards(hand)]
    pack = DECK if len(hands) == 4 else DECK[:36]
    return [*held, *(face for face in pack if face not in held)]


def only(events: Iterable[Event], what: str) -> list[Event]:
    return [event for event in events if event.what == what]
