"""A round of Tindahan as small numbers, played on quickly.

A seat is its place among those seated, a fruit its place among the stalls. A card is ten times its
fruit plus its number less one, and what is held or gone of a fruit is a set of ten bits. An action
is a number too:

    PLAY + card      plays it
    VENDOR           sends a vendor to the stall of the fruit led
    VENDOR + 1 + card  spends the card and sends a vendor to the stall of its fruit
    DONKEY + fruit   moves the donkey there

The rules are those of engine/tindahan, which tests compare.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from engine.needs import Face, Seat, Slot
from engine.tindahan import scoring
from engine.tindahan.rules import VENDORS, Market, Tindahan
from engine.tricks import number, suit

RANKS = 10
ALL = (1 << RANKS) - 1
PLAY, DONKEY, VENDOR = 0, 60, 100
NONE = -1

Policy = Callable[["Round"], int]


def card_of(state: Market, face: Face) -> int:
    return state.fruits.index(suit(face)) * RANKS + number(face) - 1


class Round:
    """`faces`: of all cards that are known; what others hold may be missing."""

    def __init__(self, game: Tindahan, state: Market, faces: Mapping[Slot, Face]) -> None:
        places = {seat: at for at, seat in enumerate(state.seated)}
        self.spends_card = game.spends_card
        self.players = len(places)
        self.hands = [[0] * len(state.fruits) for _ in places]
        for seat, at in places.items():
            for slot in state.hands[seat]:
                if slot in faces:
                    self._give(self.hands[at], card_of(state, faces[slot]))
        self.sizes = [len(state.hands[seat]) for seat in places]
        self.gone = [0] * len(state.fruits)
        for face in state.faces:
            if face is not None:
                self._give(self.gone, card_of(state, face))
        self.placed = [
            tuple([state.placed[seat][at] for seat in places]) for at in range(len(state.fruits))
        ]
        self.vendors = [state.vendors_left(seat) for seat in places]
        self.tricks = [state.tricks[seat] for seat in places]
        self.donkey = state.fruits.index(state.donkey)
        self.leader = places[state.leader]
        self.turn = state.turn
        self.led = NONE if state.led is None else state.fruits.index(state.led)
        self.best = card_of(state, dict(state.trick)[state.winning]) if state.trick else NONE
        self.holder = places[state.winning] if state.trick else NONE

    @staticmethod
    def _give(fruits: list[int], card: int) -> None:
        fruits[card // RANKS] |= 1 << card % RANKS

    def copy(self) -> "Round":
        twin: Round = object.__new__(Round)
        twin.__dict__.update(self.__dict__)
        twin.hands = [hand[:] for hand in self.hands]
        twin.sizes = self.sizes[:]
        twin.gone = self.gone[:]
        twin.placed = self.placed[:]
        twin.vendors = self.vendors[:]
        twin.tricks = self.tricks[:]
        return twin

    @property
    def mover(self) -> int:
        return (self.leader + self.turn) % self.players

    def play(self, action: int) -> bool:
        """Play an action. Return True if the round goes on."""
        seat = self.mover
        if action >= VENDOR:
            self._place(seat, action - VENDOR - 1)
        elif action >= DONKEY:
            self.donkey = action - DONKEY
        else:
            fruit, best = action // RANKS, self.best
            if self.led < 0:
                self.led = fruit
            # The trick is held by the highest trump, or else of the fruit led.
            if action > best if fruit == best // RANKS else best < 0 or fruit == self.donkey:
                self.best = action
                self.holder = seat
            self._spend(seat, action)
        self.turn += 1
        return self.turn < self.players or self._take()

    def _place(self, seat: int, card: int) -> None:
        fruit = self.led
        if card >= 0:
            fruit = card // RANKS
            self._spend(seat, card)
        self.placed[fruit] = one_more(self.placed[fruit], seat)
        self.vendors[seat] -= 1

    def _spend(self, seat: int, card: int) -> None:
        fruit, bit = card // RANKS, 1 << card % RANKS
        self.hands[seat][fruit] &= ~bit
        self.gone[fruit] |= bit
        self.sizes[seat] -= 1

    def _take(self) -> bool:
        self.tricks[self.holder] += 1
        self.leader = self.holder
        self.turn = 0
        self.led = self.best = self.holder = NONE
        return 0 not in self.sizes

    def play_on(self, policy: Policy) -> None:
        """Play to the end of the round."""
        while self.play(policy(self)):
            pass

    def points(self) -> list[int]:
        """Return what each seat scores if the round ends now."""
        stalls = [stall(vendors, fruit == self.donkey) for fruit, vendors in enumerate(self.placed)]
        sheets = [
            scoring.Sheet(
                stalls=tuple([points[seat] for points in stalls]),
                tricks=self.tricks[seat],
                left=self.sizes[seat],
                placed=sum([vendors[seat] for vendors in self.placed]),
            )
            for seat in range(self.players)
        ]
        return scoring.totals(sheets)

    def is_blank(self, seat: Seat) -> bool:
        """Return True if a seat has neither a vendor nor a trick."""
        return not self.tricks[seat] and self.vendors[seat] == VENDORS


@lru_cache(maxsize=1 << 14)
def one_more(vendors: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    return tuple([count + (at == seat) for at, count in enumerate(vendors)])


@lru_cache(maxsize=1 << 14)
def stall(vendors: tuple[int, ...], trump: bool) -> tuple[int, ...]:
    """Return the points of a stall for each seat; remembered, because there are few stalls."""
    points = scoring.stall(dict(enumerate(vendors)), trump=trump)
    return tuple([points.get(seat, 0) for seat in range(len(vendors))])
