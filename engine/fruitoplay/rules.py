"""Fruitoplay, in the order in which a game runs.

After the set-up come seven turns. All players choose a card at once, the trick is resolved, and
the players who did not win it draw. After the seventh turn drawing is optional. Then hands are
laid down, rotten fruit is cancelled, and columns are counted. There are three rounds; from the
second on, the player who trails chooses a collective fruit that counts for all players.

Seat i + 1 sits left of seat i. Slots of a round: hands first, seat by seat, then the river in the
order laid, then the draw pile.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.content import Content, Option
from engine.errors import IllegalMove
from engine.fruitoplay.cards import FRUITS, Card, read_cards
from engine.fruitoplay.scoring import Columns, Victim, columns, points
from engine.fruitoplay.trick import ALL, CONTENDING, resolve
from engine.game import Game
from engine.moves import Choice, Move, Tell
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Seat, Shuffle, Slot, ask
from engine.record import Claim, State, replace


@dataclass(frozen=True, kw_only=True)
class Orchard(State):
    public = ("river", "turn", "won", "out", "collective", "winner")

    river: tuple[Face, ...] = ()  # in the order laid; the last one is played first
    turn: int = 0  # 1 to 7; 0 before the first
    pile: Slot = 0  # the next card of the draw pile
    won: tuple[tuple[Face, ...], ...] = ()  # by seat: cards won, and at the end the hand laid down
    out: tuple[Face, ...] = ()  # tricks without a winner: out of the round
    collective: str | None = None  # the fruit that counts for everyone
    winner: Seat | None = None  # of the last trick
    laying: tuple[Seat, ...] = ()  # whose the cards being laid down are

    @property
    def target(self) -> Face:
        return self.river[-self.turn]


DRAW, PASS = Move("draw"), Move("pass")
COLLECTIVE_LOT = Lot("collective_lot", (len(FRUITS),))
COLLECTS = tuple(sorted(Move("collect", (), (fruit,)) for fruit in FRUITS))


@cache
def _play(slot: Slot) -> Move:
    return Move("play", (slot,))


@cache
def _cancel(words: tuple[str, ...]) -> Move:
    return Move("cancel", (), words)


class Fruitoplay(Game[Orchard]):
    name = "fruitoplay"
    version = 1
    seats = range(2, 7)
    state_type = Orchard
    vectors = "e22413b00439d668836f39dad1b52bc47a2e34964ee3bc1e5ab985c86119dd8a"
    options = (Option("ties", (CONTENDING, ALL), CONTENDING),)

    rounds = 3
    river_length = 7
    read_cards = staticmethod(read_cards)

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        super().__init__(content, options)
        self.cards: dict[Face, Card] = self.read_cards(content)
        self.deck = Shuffle("deck", (tuple(self.cards),))

    def hand_size(self, players: int) -> int:
        return 7 if players <= 3 else 6

    # Set-up.

    def start(self, seats: int) -> Orchard:
        self.check_seats(seats)
        everyone = tuple(range(seats))
        state = Orchard(need=self.deck, seated=everyone, hands=((),) * seats)
        return self._set_up(state)

    def ahead(self, state: Orchard) -> tuple[tuple[Face, ...], ...]:
        return state.piles if state.round < self.rounds else ()

    def again(self, state: Orchard, tell: Tell) -> Orchard:
        tell("again", None, state.round)
        return self._set_up(state)

    def _set_up(self, state: Orchard) -> Orchard:
        nothing: tuple[tuple[Face, ...], ...] = ((),) * len(state.hands)
        return replace(
            self.clear(state),
            need=self.deck,
            river=(),
            turn=0,
            pile=0,
            won=nothing,
            out=(),
            collective=None,
            winner=None,
            laying=(),
        )

    def after_deck(self, state: Orchard, piles: Sequence[range], tell: Tell) -> Orchard:
        tell("round", None, state.round)
        slots = iter(piles[0])
        size = self.hand_size(len(state.seated))
        cards = [(next(slots), seat) for seat in state.seated for _ in range(size)]
        cards += [(next(slots), EVERYONE) for _ in range(self.river_length)]
        return replace(state, need=Deal("river", tuple(cards)), pile=next(slots))

    def after_river(self, state: Orchard, faces: tuple[Face, ...], tell: Tell) -> Orchard:
        state = replace(state, river=faces)
        tell("river", None, *faces)
        if state.round == 1:
            return self._next_turn(state, tell)
        trailing = self._trailing(state)
        if len(trailing) == 1:
            return replace(state, need=ask("collective", trailing[0]))
        return replace(state, need=COLLECTIVE_LOT)

    def lot_ahead(self, state: Orchard) -> tuple[int, ...]:
        """Foretell the lot about the collective card: it does not depend on the river."""
        drawn = state.need.what == "river" and state.round > 1 and len(self._trailing(state)) > 1
        return COLLECTIVE_LOT.below if drawn else ()

    def _trailing(self, state: Orchard) -> list[Seat]:
        fewest = min(map(state.total, state.seated))
        return [seat for seat in state.seated if state.total(seat) == fewest]

    def after_collective(self, state: Orchard, choices: list[Choice], tell: Tell) -> Orchard:
        [(seat, move, _)] = choices
        return self._collect(state, seat, move.words[0], tell)

    def after_collective_lot(self, state: Orchard, lots: tuple[int, ...], tell: Tell) -> Orchard:
        return self._collect(state, None, FRUITS[lots[0]], tell)

    def _collect(self, state: Orchard, seat: Seat | None, fruit: str, tell: Tell) -> Orchard:
        tell("collective", seat, fruit, self.collective_worth(state))
        return self._next_turn(replace(state, collective=fruit), tell)

    def collective_worth(self, state: Orchard) -> int:
        """Return the worth of the collective card: single in round 2, double in round 3."""
        return state.round - 1

    # A turn.

    def _next_turn(self, state: Orchard, tell: Tell) -> Orchard:
        turn = state.turn + 1
        tell("target", None, turn, state.river[-turn])
        # Before the last turn a hand is empty only if its player won every trick: it sits out.
        holding = []
        for seat in state.seated:
            if state.hands[seat]:
                holding.append(seat)
            else:
                tell("sits_out", seat)
        return replace(state, turn=turn, need=Choose("card", tuple(holding), secret=True))

    def after_card(self, state: Orchard, choices: list[Choice], tell: Tell) -> Orchard:
        played = [choice.faces[0] for choice in choices]
        cards = self.cards
        target = cards[state.target]
        trick = resolve(target, [cards[face] for face in played], self.chosen["ties"])
        for choice in choices:
            tell("plays", choice.seat, *choice.faces)
        for at in trick.void:
            tell("void", choices[at].seat, played[at])
        taken = (*played, state.target)
        if trick.winner is None:
            tell("nobody_wins", None, *taken)
            return self._draw(replace(state, winner=None, out=state.out + taken), tell)
        winner, _, faces = choices[trick.winner]
        card = cards[faces[0]]
        why = "same_fruit" if card.fruit == target.fruit else "closest"
        tell("wins", winner, why, abs(card.number - target.number), *taken)
        return self._draw(replace(state, winner=winner, won=_added(state.won, winner, taken)), tell)

    def _draw(self, state: Orchard, tell: Tell) -> Orchard:
        """Ask the players who did not win to draw, from the left of the winner or from seat 0."""
        drawing = [seat for seat in self._from_left(state) if seat != state.winner]
        if state.turn < self.river_length:
            cards = tuple(enumerate(drawing, state.pile))
            for seat in drawing:
                tell("draws", seat)
            return replace(state, need=Deal("draw", cards), pile=state.pile + len(cards))
        if state.pile < state.made:
            return replace(state, need=Choose("last_draw", tuple(sorted(drawing)), secret=True))
        tell("pile_empty")
        return self._lay_down(state, (), tell)

    def _from_left(self, state: Orchard) -> list[Seat]:
        start = 0 if state.winner is None else state.winner + 1
        right = [seat for seat in state.seated if seat < start]
        return [seat for seat in state.seated if seat >= start] + right

    def after_draw(self, state: Orchard, _faces: tuple[Face, ...], tell: Tell) -> Orchard:
        return self._next_turn(state, tell)

    # The end of a round.

    def after_last_draw(self, state: Orchard, choices: list[Choice], tell: Tell) -> Orchard:
        wishing = {seat for seat, move, _ in choices if move == DRAW}
        served = [seat for seat in self._from_left(state) if seat in wishing]
        served = served[: state.made - state.pile]
        for seat, _, _ in choices:
            tell("draws" if seat in served else "empty" if seat in wishing else "passes", seat)
        return self._lay_down(state, served, tell)

    def _lay_down(self, state: Orchard, served: Sequence[Seat], tell: Tell) -> Orchard:
        """Turn up the hands together with the last draw, which no player sees alone."""
        cards = [(slot, seat) for seat in state.seated for slot in state.hands[seat]]
        cards += enumerate(served, state.pile)
        state = replace(state, pile=state.pile + len(served))
        if not cards:
            return self._rot(state, tell)
        return replace(
            state,
            need=Deal("lay", tuple([(slot, EVERYONE) for slot, _ in cards])),
            laying=tuple([seat for _, seat in cards]),
        )

    def after_lay(self, state: Orchard, faces: tuple[Face, ...], tell: Tell) -> Orchard:
        laid: dict[Seat, list[Face]] = {seat: [] for seat in state.seated}
        for seat, face in zip(state.laying, faces, strict=True):
            laid[seat].append(face)
        won = list(state.won)
        for seat, mine in laid.items():
            tell("lays", seat, *mine)
            won[seat] += tuple(mine)
        return self._rot(replace(state, won=tuple(won), laying=()), tell)

    def columns(self, state: Orchard, seat: Seat) -> Columns:
        cards = [self.cards[face] for face in state.won[seat]]
        return columns(cards, state.collective, self.collective_worth(state))

    def _rot(self, state: Orchard, tell: Tell) -> Orchard:
        """Ask for the victims of rotten fruit, but only seats whose points depend on the answer."""
        sheets = {seat: self.columns(state, seat) for seat in state.seated}
        asked = [seat for seat, sheet in sheets.items() if sheet.matters()]
        if asked:
            return replace(state, need=Choose("rotten", tuple(asked), secret=True))
        return self._score(state, sheets, {}, tell)

    def after_rotten(self, state: Orchard, choices: list[Choice], tell: Tell) -> Orchard:
        sheets = {seat: self.columns(state, seat) for seat in state.seated}
        chosen = {seat: _cancels(sheets[seat])[move] for seat, move, _ in choices}
        return self._score(state, sheets, chosen, tell)

    def _score(
        self,
        state: Orchard,
        sheets: Mapping[Seat, Columns],
        chosen: Mapping[Seat, Sequence[Victim]],
        tell: Tell,
    ) -> Orchard:
        row = [0] * len(state.hands)
        for seat, sheet in sheets.items():
            victims = chosen.get(seat) or sheet.cancelling()[0]
            for victim in victims:
                tell("cancels", seat, *victim)
            totals = sheet.after(victims)
            row[seat] = points(totals)
            tell("scores", seat, row[seat], *totals)
        state = replace(state, scores=(*state.scores, tuple(row)))
        if state.round == self.rounds:
            return self.finish(state)
        return self._set_up(replace(state, round=state.round + 1))

    def standing(self, state: Orchard, seat: Seat) -> tuple[int, ...]:
        """Rank a seat by its total, then by its points of the last round."""
        return state.total(seat), state.scores[-1][seat] if state.scores else 0

    # What a seat may do.

    def moves(self, state: Orchard, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        need = state.need
        if not isinstance(need, Choose) or seat not in need.seats:
            return []
        if need.what == "card":
            return [_play(slot) for slot in state.hands[seat]]
        return list(self._answers(state, seat, need.what))

    def _answers(self, state: Orchard, seat: Seat, what: str) -> Iterable[Move]:
        """List the moves that turn up no card."""
        if what == "collective":
            return COLLECTS
        if what == "last_draw":
            return DRAW, PASS
        return sorted(_cancels(self.columns(state, seat)))

    def claims(
        self, state: Orchard, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        """Check the move. No rule of Fruitoplay depends on a hidden hand, so there is no claim."""
        what = state.need.what
        if what == "card":
            if move.verb != "play" or len(move.cards) != 1 or move.words:
                raise IllegalMove("card", "a turn is one card of your hand: play #n")
        elif move not in (legal := self._answers(state, seat, what)):
            raise IllegalMove(what, f"{move} is not one of: {', '.join(map(str, legal))}")
        return ()


def _cancels(sheet: Columns) -> dict[Move, tuple[Victim, ...]]:
    """Return each choice of victims as a move. A column with one kind of victim needs no word."""
    open_fruits = {options[0].fruit for options in sheet.victims if len(options) > 1}
    return {
        _cancel(tuple([str(one) for one in victims if one.fruit in open_fruits])): victims
        for victims in sheet.cancelling()
    }


def _added(
    won: tuple[tuple[Face, ...], ...], seat: Seat, faces: tuple[Face, ...]
) -> tuple[tuple[Face, ...], ...]:
    return (*won[:seat], won[seat] + faces, *won[seat + 1 :])
