"""Honest games of every kind: what each asks of a table, and one that was played before.

What a game asks is found out by playing it with the trusted dealer. So a new game is attacked where
it can be attacked, by being registered.

A cheat comes in somewhere in the middle of a game. What was said before is the same for all of
them: it is said and proved once (Course), and then only said again (Following).
"""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from engine import registry
from engine.dealer import play
from engine.moves import Outcome
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Need, Shuffle
from engine.record import State
from protocol.feed import entries
from protocol.table.party import Party
from protocol.table.proving import Memory
from tests.adversary.hall import Chooser, Hall, any_move

# What some games ask beyond answers of each kind.
CLAIM = "a claim"
DRAW = "a lot in the game"
HAND = "cards in hand"
HELD = "a move while others hold cards"
PILE = "closed cards that nobody holds"
TURNED = "a card turned up by a move"
REVEALED = "a card turned up by a secret choice"
WORDS = "a move with words"
AHEAD = "piles that are shuffled ahead"
ROUNDS = "three rounds with cards"

ALWAYS = {entries.SEAT, entries.LOT, entries.AGREE}
# In the order in which they come; the last agreement is that on the end.
KINDS = (
    *(entries.SEAT, entries.LOT, entries.SHUFFLE, entries.SHARES),
    *(entries.COMMIT, entries.READY, entries.REVEAL, entries.MOVE, entries.AGREE),
)


def few(game: str) -> int:
    """As few as can play, but three: whoever is cheated is not alone, and they must agree."""
    return max(3, registry.find(game).game.seats[0])


class Met(NamedTuple):
    """A state of a game, what met its need, and whether somebody had to prove something."""

    state: State
    outcome: Outcome
    claimed: bool


@cache
def needs(name: str, players: int) -> tuple[Met, ...]:
    """All that is needed in one honest game."""
    rng = Random(0)
    game = registry.build(name)
    dealer = play(game, [lambda view: any_move(view, rng)] * players, rng)
    state = game.start(players)
    met = []
    for outcome in dealer.outcomes:
        step = game.step(state, outcome)
        met.append(Met(state, outcome, bool(step.claims)))
        state = step.state
    return tuple(met)


@cache
def traits(name: str, players: int | None = None) -> frozenset[str]:
    """The kinds of entries with which a game is played, and what else is special about it."""
    met = needs(name, players or few(name))
    found = set(ALWAYS).union(*[_asked(state.need, outcome) for state, outcome, _ in met])
    if any(claimed for _, _, claimed in met):
        found.add(CLAIM)
    choices = [state for state, _, _ in met if isinstance(state.need, Choose)]
    if any(map(_has_pile, choices)):
        found.add(PILE)
    if any(map(_others_hold, choices)):
        found.add(HELD)
    game = registry.build(name)
    if any(game.ahead(state) for state in choices):
        found.add(AHEAD)
    if sum(isinstance(state.need, Shuffle) for state, _, _ in met) > 2:
        found.add(ROUNDS)
    return frozenset(found)


def kinds_of(game: str) -> list[str]:
    return [kind for kind in KINDS if kind in traits(game)]


def _has_pile(state: State) -> bool:
    return state.faces.count(None) > sum(map(len, state.hands))


def _others_hold(state: State) -> bool:
    need = state.need
    assert isinstance(need, Choose)
    others = [hand for seat, hand in enumerate(state.hands) if seat not in need.seats]
    return len(need.seats) == 1 and any(others)


def _asked(need: Need, outcome: Outcome) -> set[str]:
    match need:
        case Shuffle():
            return {entries.SHUFFLE}
        case Lot():
            return {DRAW}
        case Deal():
            to_a_seat = any(seat != EVERYONE for _, seat in need.cards)
            return {entries.SHARES, HAND} if to_a_seat else {entries.SHARES}
        case Choose():
            return _chosen(need, outcome)
    raise AssertionError("nothing is asked when it is over")


def _chosen(need: Choose, outcome: Outcome) -> set[str]:
    secret = need.secret and len(need.seats) > 1
    cards = {REVEALED if secret else TURNED} if outcome.faces else set()
    if not secret:
        words = any(move.words for move in outcome.moves)
        return {entries.MOVE} | cards | ({WORDS} if words else set())
    ready = {entries.READY} if len(need.seats) > 2 else set()
    return {entries.COMMIT, entries.REVEAL} | ready | cards


def games(*asked: str) -> list[str]:
    """The shipped games that ask for all of these."""
    return [name for name in registry.SHIPPED if traits(name).issuperset(asked)]


def printed(name: str) -> list[Face]:
    """The different faces of all cards that a game shuffles."""
    needed = [state.need for state, _, _ in needs(name, few(name))]
    shuffles = [need for need in needed if isinstance(need, Shuffle)]
    return sorted({face for need in shuffles for pile in need.piles for face in pile})


class Course:
    """A game that nobody cheats in; played on when somebody follows it further than before."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._acts: list[tuple[int, tuple[bytes, ...]]] = []

    def act(self, number: int) -> tuple[int, tuple[bytes, ...]] | None:
        """Who spoke when so many had spoken before, and what it said."""
        while len(self._acts) <= number:
            if not self._go_on():
                return None
        return self._acts[number]

    def play_on(self) -> None:
        """To the end."""
        while self._go_on():
            pass

    def _go_on(self) -> bool:
        return any(map(self._speaks, self.hall.parties))

    def _speaks(self, party: Party) -> bool:
        before = len(self.hall.said)
        if not self.hall.act(party):
            return False
        self._acts.append((party.me, tuple([data for _, data in self.hall.said[before:]])))
        return True


@cache
def course(game: str, players: int, choose: Chooser, number: int = 0) -> Course:
    return Course(Hall(game, players, number, choose=choose))


class Following(Hall):
    """A hall that goes like an honest game, until somebody says anything else.

    Everybody reads and judges what is said again, but proofs that were checked there are not
    checked anew, not by whoever reads a file either. What a cheat proves is.
    """

    def __init__(self, way: Course) -> None:
        honest = way.hall
        super().__init__(
            honest.setup.game, len(honest.parties), choose=honest.choose, setup=honest.setup
        )
        self.way = way
        self.memory = honest.memory
        self._acts = 0
        self._strayed = False

    def act(self, party: Party) -> bool:
        if self._strayed or self.silent or self.passive or self.walls:
            return super().act(party)
        speaks = self.way.act(self._acts)
        if speaks is None or speaks[0] != party.me:
            return False
        self._acts += 1
        for data in speaks[1]:
            party.take(data)
        super().tell(party, *speaks[1])
        return True

    def tell(self, speaker: Party, *said: bytes, to: Sequence[Party] | None = None) -> None:
        self._strayed = True
        super().tell(speaker, *said, to=to)

    def known_to_readers(self) -> Memory | None:
        return self.memory


def follow(
    game: str, players: int | None = None, choose: Chooser = any_move, number: int = 0
) -> Following:
    return Following(course(game, players or few(game), choose, number))


def finished(game: str) -> Hall:
    """A hall where an honest game is over. It is one for all: only to be looked at."""
    way = course(game, few(game), any_move)
    way.play_on()
    return way.hall
