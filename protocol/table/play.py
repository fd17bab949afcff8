"""The steps of a table: Play turns the needs of the game into what each player owes.

Play moves a table from step to step. It is given the answers that were judged good, and goes on
when the step is closed. It knows nothing of feeds or of absence.

Two rules keep shares safe. First, every player signs for new piles before any player publishes a
share of them. With three or more seated, every player also signs for the state after an open move,
before a deal that the move decided. So a player who tells two histories gets no share from either
listener. Second, a share is published only for a card that the state deals or opens now, and only
once.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.game import Game
from engine.moves import Event, Outcome
from engine.needs import EVERYONE, Choose, Deal, Done, Lot, Seat, Shuffle, Slot
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs.deck import Deck
from protocol.feed.roster import Roster
from protocol.table import lots
from protocol.table.ahead import Hops
from protocol.table.cards import Cards, Pile
from protocol.table.judging import Answer, Opening, Turn
from protocol.table.phases import AFRESH, PHASES, Phase
from protocol.table.position import Position


class Play(Position):
    def __init__(self, roster: Roster, game: Game[Any]) -> None:
        super().__init__(roster, game)
        self._unsettled = False  # there is an open move that not every player has signed for
        self._waiting: list[int] = []  # the players who have still to shuffle

    @property
    def shuffled(self) -> tuple[int, int]:
        """Return how many players have shuffled, with proofs that hold, and how many there are.

        It is meaningful while piles are being shuffled.
        """
        count = len(self.state.seated)
        return count - len(self._waiting) - len(self.owing), count

    @property
    def shuffles_next(self) -> int | None:
        """Return the player who will shuffle after the one who does now."""
        return self._waiting[0] if self.phase is Phase.SHUFFLING and self._waiting else None

    # Closing a step.

    def close(self, judged: Mapping[int, Answer]) -> None:
        """Close the step. The players who owed an answer and have none are lost."""
        phase = self.phase
        lost = [player for player in self.owing if player not in judged]
        self._take_hop(judged, lost)
        answers = {player: answer.said for player, answer in judged.items()}
        self.seated = tuple([player for player in self.seated if player not in lost])
        closes: dict[Phase, Callable[[Mapping[int, Any]], None]] = {
            Phase.SHUFFLING: self._close_shuffling,
            Phase.AGREEING: self._close_agreeing,
            Phase.SHARING: self._close_sharing,
            Phase.COMMITTING: self._close_committing,
            Phase.READYING: self._close_readying,
            Phase.REVEALING: self._close_turns,
            Phase.MOVING: self._close_moving,
            Phase.DRAWING: self._close_drawing,
        }
        self.step += 1
        if phase is Phase.SITTING:
            self._close_sitting(answers)
        elif phase is Phase.SEATING:
            self._close_seating(answers, lost)
        elif phase is Phase.SIGNING:
            self.signers = self.owing
            self.signed = tuple(sorted(answers))
            self._enter(Phase.OVER, ())
        elif lost:
            self._retire(lost)
        else:
            closes[phase](answers)
        allowed = PHASES[phase].next | (AFRESH if lost else frozenset())
        assert self.phase in allowed, f"{phase} is not followed by {self.phase}"

    def _take_hop(self, judged: Mapping[int, Answer], lost: Sequence[int]) -> None:
        """Add the hop of this step to those before it. All of them are void if a seat is lost."""
        if lost:
            self.hops = None
            return
        for player, answer in judged.items():
            if answer.hop:
                self.hops = self.hops_so_far().after(player, answer.hop)

    def _enter(self, phase: Phase, owing: tuple[int, ...]) -> None:
        self.phase = phase
        self.owing = owing

    def conspirators(self, keys: Mapping[int, Point]) -> set[int]:
        """Return the players whose keys are equal, or add up to the identity.

        They share their secrets, and none of them gets a seat. No honest player is among them,
        because no one else knows an honest player's secret. With them at the table, the joint key
        of the players who stay could become the identity, or one of them could read another's
        cards.
        """
        found: set[int] = set()
        for size in range(2, len(keys) + 1):
            for some in combinations(keys, size):
                shown = [keys[player] for player in some]
                try:
                    group.total(shown)
                except group.Degenerate:
                    found.update(some)
                if size == 2 and shown[0] == shown[1]:
                    found.update(some)
        return found

    def _close_sitting(self, keys: Mapping[int, Point]) -> None:
        self.keys = dict(keys)
        self._draw_seats()

    def _draw_seats(self) -> None:
        if self.seated:
            self._enter(Phase.SEATING, self.seated)
        else:
            self._sit(tuple(range(len(self.roster.players))))

    def _close_seating(self, answers: Mapping[int, Point], lost: Sequence[int]) -> None:
        if lost:
            self._draw_seats()
            return
        below = range(len(self.roster.players), 1, -1)
        self._sit(lots.arrangement(self._draw(answers, below)))

    def _draw(self, answers: Mapping[int, Point], below: Sequence[int]) -> tuple[int, ...]:
        total = group.total([answers[player] for player in self.seated])
        return lots.numbers(self.table, self.step - 1, total, below)

    def _sit(self, players: tuple[int, ...]) -> None:
        self.seats = players
        lost = [player for player in range(len(players)) if player not in self.seated]
        self.events.append(Event("seats", None, players))
        self._retire(lost)

    def _retire(self, players: Sequence[int]) -> None:
        step = self.game.retire(self.state, [self.seat(player) for player in players])
        self.state = step.state
        self.events += step.events
        self.cards = Cards()
        self.deal = ()
        self._unsettled = False
        self._meet()

    def _close_shuffling(self, answers: Mapping[int, tuple[Deck, ...]]) -> None:
        [self.decks] = answers.values()
        if self._waiting:
            self._enter(Phase.SHUFFLING, (self._waiting.pop(0),))
        else:
            self._put_out()

    def _put_out(self) -> None:
        """Make the shuffled piles the closed cards. All sign for them before any share."""
        need = self.state.need
        assert isinstance(need, Shuffle)
        slot = self.state.made
        if not self.state.piles:  # a new round
            self.cards = Cards()
        for faces, deck in zip(need.piles, self.decks, strict=True):
            self.cards.piles.append(Pile(slot, self.prints(faces), deck, self.seated))
            slot += len(faces)
        self.decks = ()
        self._advance(Outcome())
        self._enter(Phase.AGREEING, self.players_at(self.state.seated))

    def _close_agreeing(self, _answers: Mapping[int, bytes]) -> None:
        self._unsettled = False
        self._meet()

    def _close_sharing(self, answers: Mapping[int, Opening]) -> None:
        for player, said in answers.items():
            self.cards.add_shares(player, said.shares)
        below = self.lot_along
        opened = [slot for slot, seat in self.deal if seat == EVERYONE]
        self.deal = ()
        if opened:
            self._advance(Outcome(faces=tuple([self.cards.face(slot) for slot in opened])))
        need = self.state.need
        if below and isinstance(need, Lot) and need.below == below:
            lots = {player: lot for player, said in answers.items() for lot in said.lot}
            self._advance(Outcome(lots=self._draw(lots, below)))
        self._meet()

    def _close_committing(self, commits: Mapping[int, bytes]) -> None:
        self.commits = dict(commits)
        self._enter(Phase.READYING if len(commits) > 2 else Phase.REVEALING, self.owing)

    def _close_readying(self, _answers: Mapping[int, bytes]) -> None:
        self._enter(Phase.REVEALING, self.owing)

    def _close_moving(self, turns: Mapping[int, Turn]) -> None:
        self._unsettled = len(self.seated) > 2
        self._close_turns(turns)

    def _close_turns(self, turns: Mapping[int, Turn]) -> None:
        in_order = [turns[player] for player in self.owing]
        for player in self.owing:
            self.cards.add_shares(player, turns[player].shares)
        moves = tuple([turn.move for turn in in_order])
        faces = tuple([face for turn in in_order for face in turn.faces])
        self._advance(Outcome(moves=moves, faces=faces))
        self._meet()

    def _close_drawing(self, answers: Mapping[int, Point]) -> None:
        need = self.state.need
        assert isinstance(need, Lot)
        self._advance(Outcome(lots=self._draw(answers, need.below)))
        self._meet()

    # What comes next.

    def _advance(self, outcome: Outcome) -> None:
        step = self.game.step(self.state, outcome)
        self.state = step.state
        self.events += step.events

    def _meet(self) -> None:
        """Open the step that the state's need asks for.

        Cards dealt to seats change nothing in the public state, so the rules run on. Such deals are
        settled together with the next cards that are opened, or before a player chooses.
        """
        need = self.state.need
        while isinstance(need, Deal):
            if self._unsettled:
                self._enter(Phase.AGREEING, self.seated)
                return
            self.deal += self._dealt_first(need.cards)
            if any(seat == EVERYONE for _, seat in need.cards):
                break
            self._advance(Outcome())
            need = self.state.need
        if self.deal:
            owing = [player for player in self.seated if self.slots_owed(player)]
            self._enter(Phase.SHARING, tuple(owing))
        elif isinstance(need, Shuffle):
            self._begin_shuffle(need)
        elif isinstance(need, Choose):
            secret = need.secret and len(need.seats) > 1
            phase = Phase.COMMITTING if secret else Phase.MOVING
            self.commit_step = self.step
            self._enter(phase, self.players_at(need.seats))
        elif isinstance(need, Lot):
            self._enter(Phase.DRAWING, self.seated)
        else:
            assert isinstance(need, Done)
            self._enter(Phase.SIGNING if self.seated else Phase.OVER, self.seated)

    def _dealt_first(self, cards: Sequence[tuple[Slot, Seat]]) -> tuple[tuple[Slot, Seat], ...]:
        """Return the cards of a deal that are opened to everyone, or dealt for the first time.

        A card that was dealt is dealt to no other seat. That would take its holder's share, with
        which all players would know the card.
        """
        first = [(s, seat) for s, seat in cards if seat == EVERYONE or s not in self.cards.dealt]
        self.cards.dealt.update(slot for slot, _ in first)
        return tuple(first)

    def _begin_shuffle(self, need: Shuffle) -> None:
        """Ask the players for a shuffle who have not made one ahead."""
        hops, self.hops = self.hops, None
        if hops is None or hops[:2] != (self.state.round, need.piles):
            hops = Hops(self.state.round, need.piles, self.opening_decks(need.piles))
        self.decks = hops.decks
        self._waiting = [p for p in self.players_at(self.state.seated) if p not in hops.done]
        if self._waiting:
            self._enter(Phase.SHUFFLING, (self._waiting.pop(0),))
        else:
            self._put_out()
