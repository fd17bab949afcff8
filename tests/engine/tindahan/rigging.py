"""Rounds with hands arranged in advance, played through the real engine.

A card is a letter and a number: b6 is the banana 6, and likewise m, p, d and l. Hands that are not
given in full are filled with the cards left over, in the order of fruits and numbers.

    table = Table("b1 m5", "m7", "p3")
    table.do("m5", "m7", "vendor")

`do` takes one turn after another: a card to play, "vendor", "vendor m3", or "donkey mango".
"""

from functools import cache
from random import Random

from engine.content import Content, read_content
from engine.dealer import Dealer
from engine.moves import Event, Move, Outcome
from engine.needs import Face, Seat, Slot
from engine.tindahan import Tindahan
from engine.tindahan.rules import Market
from engine.views import View

NAMES = {"b": "banana", "m": "mango", "p": "pineapple", "d": "durian", "l": "lanzones"}


def card(short: str) -> Face:
    """The face that b6 stands for."""
    return f"{NAMES[short[0]]}-{int(short[1:])}"


def cards(text: str) -> list[Face]:
    return [card(short) for short in text.split()]


@cache
def content() -> Content:
    return read_content("engine.tindahan", "tindahan.toml")


def tindahan(**options: str) -> Tindahan:
    return Tindahan(content(), options)


class Table:
    def __init__(self, *hands: str, seed: int = 1, **options: str) -> None:
        self.game = tindahan(**options)
        start = self.game.start(len(hands))
        dealt = self.game.step(self.game.step(start, Outcome()).state, Outcome()).state
        faces = _faces(dealt, hands)
        self.dealer: Dealer[Market] = Dealer(self.game, dealt, Random(seed), faces)

    @property
    def state(self) -> Market:
        return self.dealer.state

    @property
    def mover(self) -> Seat:
        [seat] = self.dealer.asked
        return seat

    def view(self, seat: Seat | None = None) -> View[Market]:
        return self.dealer.view(self.mover if seat is None else seat)

    def slot(self, face: Face) -> Slot:
        known = self.view().known
        assert face in known.values(), f"seat {self.mover} holds {sorted(known.values())}"
        return next(slot for slot, shown in known.items() if shown == face)

    def move(self, text: str) -> Move:
        verb, *rest = text.split()
        match verb:
            case "donkey":
                return Move("donkey", (), tuple(rest))
            case "vendor":
                return Move("vendor", tuple(self.slot(card(short)) for short in rest))
        return Move("play", (self.slot(card(verb)),))

    def do(self, *turns: str) -> list[Event]:
        self.dealer.take_events()
        for text in turns:
            self.dealer.answer([self.move(text)])
        return list(self.dealer.take_events())

    def offered(self) -> list[str]:
        """What the mover may do, in the words of `do`."""
        known = self.view().known
        told = []
        for move in self.view().moves():
            faces = [known[slot] for slot in move.cards]
            shorts = [f"{face[0]}{face.rpartition('-')[2]}" for face in faces]
            verb = [] if move.verb == "play" else [move.verb]
            told.append(" ".join([*verb, *shorts, *move.words]))
        return sorted(told)

    def retire(self, *seats: Seat) -> None:
        self.dealer.retire(seats)

    def play_on(self, rng: Random) -> None:
        """Anything legal, to the end of the round."""
        number = self.state.round
        while self.dealer.asked and self.state.round == number:
            self.dealer.answer([rng.choice(self.view().moves())])


def _faces(state: Market, hands: tuple[str, ...]) -> dict[Slot, Face]:
    """By slot, hand after hand."""
    wanted = [cards(hand) for hand in hands]
    named = [face for hand in wanted for face in hand]
    assert len(set(named)) == len(named), "a card is named twice"
    spare = [face for face in state.piles[0] if face not in named]
    faces: dict[Slot, Face] = {}
    for slots, hand in zip(state.hands, wanted, strict=True):
        assert len(hand) <= len(slots)
        while len(hand) < len(slots):
            hand.append(spare.pop(0))
        faces.update(zip(slots, hand, strict=True))
    return faces


def only(events: list[Event], what: str) -> list[Event]:
    return [event for event in events if event.what == what]
