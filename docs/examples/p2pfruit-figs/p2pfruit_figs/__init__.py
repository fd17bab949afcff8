"""Figs: the highest card takes the trick, unless two players play it.

Each player has a hand of cards. In a turn all players choose a card in secret and show it at the
same time. The highest number that only one player has shown takes as many points as there are
players. If there is no such number, the trick is lost. After the last card the most points win.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.content import Content
from engine.errors import BadContent, IllegalMove
from engine.game import Game
from engine.moves import Choice, Move, Tell
from engine.needs import Choose, Deal, Face, Seat, Shuffle, Slot
from engine.record import Claim, State, replace


@dataclass(frozen=True, kw_only=True)
class Basket(State):
    public = ("points",)

    points: tuple[int, ...] = ()  # by seat


class Figs(Game[Basket]):
    name = "figs"
    version = 1
    seats = range(2, 5)
    state_type = Basket
    vectors = "cc03727324ac2254ca2ce38ac1f6478b4a887236df57f8eba58c977da94fa6a8"

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        super().__init__(content, options)
        self.deck, self.hand_size = read_deck(content, self.seats[-1])

    def start(self, seats: int) -> Basket:
        self.check_seats(seats)
        need = Shuffle("deck", (self.deck,))
        state = Basket(need=need, seated=tuple(range(seats)), hands=((),) * seats)
        return replace(state, points=(0,) * seats)

    def again(self, state: Basket, tell: Tell) -> Basket:
        tell("again", None, state.round)
        state = replace(self.clear(state), points=(0,) * len(state.hands))
        return replace(state, need=Shuffle("deck", (self.deck,)))

    def after_deck(self, state: Basket, piles: Sequence[range], tell: Tell) -> Basket:
        slots = iter(piles[0])
        cards = [(next(slots), seat) for seat in state.seated for _ in range(self.hand_size)]
        return replace(state, need=Deal("hands", tuple(cards)))

    def after_hands(self, state: Basket, faces: tuple[Face, ...], tell: Tell) -> Basket:
        return replace(state, need=Choose("card", state.seated, secret=True))

    def after_card(self, state: Basket, choices: list[Choice], tell: Tell) -> Basket:
        shown = {seat: number(faces[0]) for seat, _, faces in choices}
        for seat, _, faces in choices:
            tell("plays", seat, *faces)
        alone = [seat for seat in shown if list(shown.values()).count(shown[seat]) == 1]
        if alone:
            winner = max(alone, key=lambda seat: shown[seat])
            tell("takes", winner, len(shown))
            points = [won + len(shown) * (at == winner) for at, won in enumerate(state.points)]
            state = replace(state, points=tuple(points))
        if any(state.hands):
            return replace(state, need=Choose("card", state.seated, secret=True))
        return self.finish(replace(state, scores=(state.points,)))

    def moves(self, state: Basket, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        if not isinstance(state.need, Choose) or seat not in state.need.seats:
            return []
        return [Move("play", (slot,)) for slot in sorted(state.hands[seat])]

    def claims(
        self, state: Basket, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        if move.verb != "play" or len(move.cards) != 1 or move.words:
            raise IllegalMove("card", "a turn is one card of your hand: play #n")
        return ()


def number(face: Face) -> int:
    return int(face.removeprefix("fig-"))


def read_deck(content: Content, players: int) -> tuple[tuple[Face, ...], int]:
    """Return the deck and the size of a hand. Content comes from strangers: refuse the rest."""
    tables = dict(content.tables)
    numbers, copies, hand = (tables.pop(key, None) for key in ("numbers", "copies", "hand"))
    if tables or type(copies) is not int or type(hand) is not int or not isinstance(numbers, list):
        raise BadContent("figs has numbers = [...], copies = N and hand = N, and nothing else")
    if not all(type(n) is int and 1 <= n <= 99 for n in numbers) or len(numbers) > 99:
        raise BadContent("numbers are from 1 to 99")
    if not 1 <= copies <= 9 or not 1 <= hand <= 9 or hand * players > copies * len(numbers):
        raise BadContent("copies and hand are from 1 to 9, with cards for every player")
    return tuple([f"fig-{n}" for n in numbers for _ in range(copies)]), hand
