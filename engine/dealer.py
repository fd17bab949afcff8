"""The trusted dealer: runs any game with a generator that is passed in.

Bots, tests and simulations use it because it is fast. It is also the yardstick for a table of
peers, since both meet the same needs. It knows every face, and checks a claim by looking.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Generic

from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Event, Move, Outcome
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Seat, Shuffle, Slot
from engine.record import Claim, S
from engine.views import View

Player = Callable[[View[S]], Move]


class Dealer(Generic[S]):
    """A dealer at one table. Its `state` always waits for a choice, or is done.

    Given `faces`, the dealer continues from a state in the middle of a round. A bot plays on in
    this way in a world that it guessed.
    """

    def __init__(
        self, game: Game[S], state: S, rng: Random, faces: Mapping[Slot, Face] | None = None
    ) -> None:
        self.game = game
        self.state = state
        self.rng = rng
        self.outcomes: list[Outcome] = []  # the record, for replay while all players stay
        self.events: list[Event] = []  # the events since the last take_events
        self._faces: dict[Slot, Face] = dict(faces or {})
        self._decided: dict[Seat, Move] = {}
        self._deal()

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Return the seats whose decision the state needs."""
        need = self.state.need
        return need.seats if isinstance(need, Choose) else ()

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Return the asked seats that have not decided yet."""
        return tuple([seat for seat in self.asked if seat not in self._decided])

    def view(self, seat: Seat | None) -> View[S]:
        hand = () if seat is None else self.state.hands[seat]
        faces = self._faces
        return View(self.game, self.state, seat, {slot: faces[slot] for slot in hand})

    def decide(self, seat: Seat, move: Move) -> None:
        """Take and check one seat's move; with the last of the asked seats the game goes on."""
        if seat in self._decided:
            raise IllegalMove("turn", f"seat {seat} has decided already")
        faces = [self._faces.get(slot, "") for slot in move.cards]
        self._look(self.game.check(self.state, seat, move, faces))
        self._decided[seat] = move
        if not self.waiting:
            self.answer([self._decided[seat] for seat in self.asked])

    def answer(self, moves: Sequence[Move]) -> None:
        """Take the moves of all asked seats, in the order of `asked`."""
        faces = [self._faces.get(slot, "") for move in moves for slot in move.cards]
        self._step(Outcome(tuple(moves), tuple(faces)))
        self._decided.clear()
        self._deal()

    def retire(self, seats: Sequence[Seat]) -> None:
        """Remove these seats: the round begins again without them, or the game is over."""
        step = self.game.retire(self.state, seats)
        self._decided.clear()
        self.state = step.state
        self.events += step.events
        self._deal()

    def take_events(self) -> list[Event]:
        events, self.events = self.events, []
        return events

    def _deal(self) -> None:
        """Meet every need until the state asks a player, or is done."""
        while not isinstance(need := self.state.need, Choose):
            if isinstance(need, Deal):
                opened = [slot for slot, seat in need.cards if seat == EVERYONE]
                self._step(Outcome(faces=tuple([self._faces[slot] for slot in opened])))
            elif isinstance(need, Shuffle):
                self._shuffle(need)
                self._step(Outcome())
            elif isinstance(need, Lot):
                lots = [self.rng.randrange(below) for below in need.below]
                self._step(Outcome(lots=tuple(lots)))
            else:
                return

    def _shuffle(self, need: Shuffle) -> None:
        slot = self.state.made
        for pile in need.piles:
            # Sorting by random keys: as fair as Random.shuffle, and several times as fast.
            faces = sorted(pile, key=lambda _: self.rng.random())
            self._faces.update(enumerate(faces, slot))
            slot += len(pile)

    def _step(self, outcome: Outcome) -> None:
        step = self.game.step(self.state, outcome)
        if step.claims:
            self._look(step.claims)
        self.state = step.state
        self.outcomes.append(outcome)
        self.events += step.events

    def _look(self, claims: Sequence[Claim]) -> None:
        for claim in claims:
            held = {self._faces[slot] for slot in claim.slots}
            if not held.isdisjoint(claim.faces):
                raise IllegalMove(claim.rule, "the hand holds a card that must be played first")


def play(game: Game[S], players: Sequence[Player[S]], rng: Random) -> Dealer[S]:
    """Play a whole game, with player i at seat i."""
    dealer = Dealer(game, game.start(len(players)), rng)
    while asked := dealer.asked:
        dealer.answer([players[seat](dealer.view(seat)) for seat in asked])
    return dealer


def replay(game: Game[S], seats: int, outcomes: Sequence[Outcome]) -> S:
    """Return the state to which these outcomes lead."""
    state = game.start(seats)
    for outcome in outcomes:
        state = game.step(state, outcome).state
    return state
