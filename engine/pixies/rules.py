"""Pixies, in the order in which a game runs.

In a turn as many cards are turned up as there are players, or four with two players. One player
after the other takes a card and places it. The player who took the last card begins the next turn,
and the next round (P7). The round ends with the turn in which a player fills all nine places.
There are three rounds.

Seat i + 1 sits left of seat i. Slots of a round are turned up in their order. Nothing is ever
hidden except the pile: there are no hands, and it makes no difference who turns up cards (P13).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.content import Content
from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Choice, Move, Tell
from engine.needs import EVERYONE, Choose, Deal, Face, Seat, Shuffle, Slot, ask
from engine.pixies.areas import (
    NOTHING,
    Area,
    Case,
    case_of,
    empty_places,
    is_full,
    put_both,
    put_down,
    put_up,
)
from engine.pixies.cards import Card, read_cards
from engine.pixies.scoring import Sheet, reckon
from engine.record import Claim, State, replace


@dataclass(frozen=True, kw_only=True)
class Meadow(State):
    public = ("starter", "turn", "row", "order", "taken", "areas")

    starter: Seat = 0  # begins this round
    turn: int = 0  # from 1; 0 before the first
    pile: Slot = 0  # the next card of the pile
    row: tuple[Face, ...] = ()  # turned up and not taken
    order: tuple[Seat, ...] = ()  # who still plays in this turn; the first of them now
    taken: Face | None = None  # by the first of them, and not placed
    drafted: tuple[tuple[Seat, Face], ...] = ()  # what each took last: as many as in a turn
    areas: tuple[Area, ...] = ()  # by seat


@cache
def _word(verb: str, word: str) -> Move:
    return Move(verb, (), (word,))


class Pixies(Game[Meadow]):
    name = "pixies"
    version = 1
    seats = range(2, 6)
    state_type = Meadow
    vectors = "a726fc43c8c2e33bfd055b1fe16abdf51b88e21ba88263162cc27ff704b8a1ae"

    rounds = 3

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        super().__init__(content, options)
        deck = read_cards(content)
        self.cards: dict[Face, Card] = {card.face: card for card in deck}
        self.deck = Shuffle("deck", (tuple([card.face for card in deck]),))

    # Set-up.

    def start(self, seats: int) -> Meadow:
        self.check_seats(seats)
        everyone = tuple(range(seats))
        state = Meadow(need=self.deck, seated=everyone, hands=((),) * seats)
        return self._set_up(state, 0)

    def ahead(self, state: Meadow) -> tuple[tuple[Face, ...], ...]:
        return state.piles if state.round < self.rounds else ()

    def again(self, state: Meadow, tell: Tell) -> Meadow:
        """Begin the round again; if its first player has left, the next to the left begins."""
        tell("again", None, state.round)
        return self._set_up(state, _from(state.seated, state.starter)[0])

    def _set_up(self, state: Meadow, starter: Seat) -> Meadow:
        return replace(
            self.clear(state),
            need=self.deck,
            starter=starter,
            turn=0,
            pile=0,
            row=(),
            order=(),
            taken=None,
            drafted=(),
            areas=(NOTHING,) * len(state.hands),
        )

    def after_deck(self, state: Meadow, piles: Sequence[range], tell: Tell) -> Meadow:
        tell("round", state.starter, state.round)
        return self._next_turn(replace(state, pile=piles[0][0]), state.starter, tell)

    # A turn.

    def turned_up(self, players: int) -> int:
        """Return the number of cards in a turn: with two players each takes two."""
        return 4 if players == 2 else players

    def _next_turn(self, state: Meadow, starter: Seat, tell: Tell) -> Meadow:
        count = self.turned_up(len(state.seated))
        if state.made - state.pile < count:
            tell("pile_short", None, state.made - state.pile)
            return self._score(state, starter, tell)  # P12: no turn is begun that cannot be ended
        order = _from(state.seated, starter)
        slots = range(state.pile, state.pile + count)
        return replace(
            state,
            need=Deal("row", tuple([(slot, EVERYONE) for slot in slots])),
            turn=state.turn + 1,
            pile=state.pile + count,
            order=order * (count // len(order)),
        )

    def after_row(self, state: Meadow, faces: tuple[Face, ...], tell: Tell) -> Meadow:
        tell("row", state.order[0], state.turn, *faces)
        return self._next_player(replace(state, row=faces), tell)

    def _next_player(self, state: Meadow, tell: Tell) -> Meadow:
        """Ask the next player, unless there is one card left or all are equal."""
        if len(set(state.row)) == 1:
            return self._take(state, state.row[0], tell)
        return replace(state, need=ask("take", state.order[0]))

    def after_take(self, state: Meadow, choices: list[Choice], tell: Tell) -> Meadow:
        return self._take(state, choices[0].move.words[0], tell)

    def _take(self, state: Meadow, face: Face, tell: Tell) -> Meadow:
        seat = state.order[0]
        tell("takes", seat, face)
        row = list(state.row)
        row.remove(face)
        each = self.turned_up(len(state.seated)) // len(state.seated)
        mine = [one for one in state.drafted if one[0] == seat]
        others = [one for one in state.drafted if one[0] != seat]
        lately = (*others, *[*mine, (seat, face)][-each:])
        state = replace(state, row=tuple(row), taken=face, drafted=lately)
        return self._place(state, seat, face, tell)

    # Placing a card: the three cases.

    def _place(self, state: Meadow, seat: Seat, face: Face, tell: Tell) -> Meadow:
        area = state.areas[seat]
        number = self.cards[face].number
        up, down = area[number - 1]
        match case_of(area, number):
            case Case.UP:
                tell("puts_up", seat, face, number, "over" if down else "alone")  # P1
                return self._placed(state, put_up(area, number, face), tell)
            case Case.KEEP if up != face:
                return replace(state, need=ask("keep", seat))
            case Case.KEEP:
                return self._keep(state, face, face, tell)
        empty = empty_places(area)
        # P4: a full area ends the round before its player's next card.
        assert empty, "a full area ends the round"
        if len(empty) == 1:
            return self._lay(state, empty[0], tell)
        return replace(state, need=ask("lay", seat))

    def after_keep(self, state: Meadow, choices: list[Choice], tell: Tell) -> Meadow:
        """Keep one card of a pair. P2: either may stay face up."""
        kept = choices[0].move.words[0]
        old, new = self._pair(state)
        return self._keep(state, kept, old if kept == new else new, tell)

    def _pair(self, state: Meadow) -> tuple[Face, Face]:
        """Return the card on the place, and the card that comes to it."""
        assert state.taken is not None
        up, _down = state.areas[state.order[0]][self.cards[state.taken].number - 1]
        assert up is not None
        return up, state.taken

    def _keep(self, state: Meadow, kept: Face, other: Face, tell: Tell) -> Meadow:
        seat = state.order[0]
        number = self.cards[kept].number
        tell("keeps", seat, kept, other, number)
        return self._placed(state, put_both(state.areas[seat], number, kept, other), tell)

    def after_lay(self, state: Meadow, choices: list[Choice], tell: Tell) -> Meadow:
        return self._lay(state, int(choices[0].move.words[0]), tell)

    def _lay(self, state: Meadow, number: int, tell: Tell) -> Meadow:
        seat, face = state.order[0], state.taken
        assert face is not None
        tell("lays", seat, face, number)
        return self._placed(state, put_down(state.areas[seat], number, face), tell)

    # The end of a turn, of a round, of the game.

    def _placed(self, state: Meadow, area: Area, tell: Tell) -> Meadow:
        seat, *rest = state.order
        areas = (*state.areas[:seat], area, *state.areas[seat + 1 :])
        if is_full(area):
            tell("full", seat)
        state = replace(state, areas=areas, taken=None, order=tuple(rest))
        # P5, P6: all players have had as many cards, with two players also in mid-turn.
        even = len(rest) % len(state.seated) == 0
        if even and any(is_full(state.areas[one]) for one in state.seated):
            return self._score(state, seat, tell)
        if rest:
            return self._next_player(state, tell)
        return self._next_turn(state, seat, tell)

    def sheet(self, state: Meadow, seat: Seat) -> Sheet:
        """Count a play area as if the round ended now."""
        return reckon(state.areas[seat], self.cards, state.round)

    def _score(self, state: Meadow, last: Seat, tell: Tell) -> Meadow:
        row = [0] * len(state.hands)
        for seat in state.seated:
            sheet = self.sheet(state, seat)
            row[seat] = sheet.points
            tell(
                "scores",
                seat,
                sheet.points,
                sum(sheet.validated),
                sheet.spirals,
                sheet.crosses,
                len(sheet.zone),
                sheet.worth,
                state.areas[seat],
            )
        state = replace(state, scores=(*state.scores, tuple(row)))
        if state.round == self.rounds:
            return self.finish(replace(state, row=(), order=()))
        return self._set_up(replace(state, round=state.round + 1), last)  # P7: the last to play

    # What a seat may do.

    def moves(self, state: Meadow, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        need = state.need
        if not isinstance(need, Choose) or seat not in need.seats:
            return []
        return self._answers(state, need.what)

    def _answers(self, state: Meadow, what: str) -> list[Move]:
        if what == "take":
            words: set[str] = set(state.row)
        elif what == "keep":
            words = set(self._pair(state))
        else:
            words = set(map(str, empty_places(state.areas[state.order[0]])))
        return sorted([_word(what, word) for word in words])

    def claims(
        self, state: Meadow, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        """Check the move. Every card is open, so there is no claim."""
        what = state.need.what
        if move not in (legal := self._answers(state, what)):
            raise IllegalMove(what, f"{move} is not one of: {', '.join(map(str, legal))}")
        return ()


def _from(seated: Sequence[Seat], start: Seat) -> tuple[Seat, ...]:
    """List the seated players clockwise from a seat, or from the next one if it is empty."""
    return tuple(sorted(seated, key=lambda seat: (seat < start, seat)))
