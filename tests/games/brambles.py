"""Brambles: trick-taking, small enough for tests.

Three berries, each numbered 1 to 5, the 5 twice; four cards a hand; a jar for each trick. By lot
one berry is trump. The first player leads, the others follow in turn: the berry that was led, or
else trump, or else anything. The highest trump wins, else the highest of the berry led, the
earlier of two equal cards; the winner takes the points of the jar and leads. Two rounds; the
first player of the second sits left of the first.

Nobody sees whether a player could have followed, so who does not claims that no card left in the
hand could: that is what this game is for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.content import Content, parse_content
from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Choice, Move, Tell
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Seat, Shuffle, Slot
from engine.record import Claim, State, replace

SUITS = ("raspberry", "blackberry", "blueberry")


def content() -> Content:
    return parse_content(
        """
        title = "brambles"
        verified = true
        numbers = [1, 2, 3, 4, 5, 5]
        jars = [1, 2, 2, 3]
        """
    )


@dataclass(frozen=True, kw_only=True)
class Hedge(State):
    public = ("trump", "first_player", "leader", "jar", "trick", "points")

    trump: str = ""  # before the lot: none
    first_player: Seat = 0
    leader: Seat = 0
    jar: int = 0  # what the running trick is worth
    jars: tuple[Slot, ...] = ()  # still closed
    trick: tuple[Face, ...] = ()  # in the order played, the leader's first
    points: tuple[int, ...] = ()  # of this round, by seat

    @property
    def owed(self) -> tuple[str, ...]:
        """The berries that must be played by whoever has them, the first first."""
        if not self.trick:
            return ()
        led = suit(self.trick[0])
        return (led,) if led == self.trump else (led, self.trump)


class Brambles(Game[Hedge]):
    name = "brambles"
    version = 1
    seats = range(2, 5)
    state_type = Hedge

    rounds = 2
    hand_size = 4

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        super().__init__(content, options)
        numbers = {f"{suit}-{n}": n for suit in SUITS for n in content.tables["numbers"]}
        self.strength: dict[Face, int] = numbers
        self.deck = tuple(f"{suit}-{n}" for suit in SUITS for n in content.tables["numbers"])
        self.jars = tuple(f"jar-{points}" for points in content.tables["jars"])

    # Set-up.

    def start(self, seats: int) -> Hedge:
        self.check_seats(seats)
        need = Shuffle("deck", (self.deck, self.jars))
        return self._set_up(Hedge(need=need, seated=tuple(range(seats)), hands=((),) * seats))

    def ahead(self, state: Hedge) -> tuple[tuple[Face, ...], ...]:
        return state.piles if state.round < self.rounds else ()

    def again(self, state: Hedge, tell: Tell) -> Hedge:
        tell("again", None, state.round)
        return self._set_up(state)

    def _set_up(self, state: Hedge) -> Hedge:
        first_player = _around(state, state.round - 1)[0]
        return replace(
            self.clear(state),
            need=Shuffle("deck", (self.deck, self.jars)),
            trump="",
            first_player=first_player,
            leader=first_player,
            jar=0,
            jars=(),
            trick=(),
            points=(0,) * len(state.hands),
        )

    def after_deck(self, state: Hedge, piles: Sequence[range], tell: Tell) -> Hedge:
        tell("round", None, state.round)
        slots = iter(piles[0])
        cards = [(next(slots), seat) for _ in range(self.hand_size) for seat in state.seated]
        return replace(state, need=Deal("hands", tuple(cards)), jars=tuple(piles[1]))

    def after_hands(self, state: Hedge, _faces: tuple[Face, ...], _tell: Tell) -> Hedge:
        return replace(state, need=Lot("trump", (len(SUITS),)))

    def after_trump(self, state: Hedge, lots: tuple[int, ...], tell: Tell) -> Hedge:
        state = replace(state, trump=SUITS[lots[0]])
        tell("trump", None, state.trump)
        return self._next_trick(state)

    # A trick.

    def _next_trick(self, state: Hedge) -> Hedge:
        slot, *jars = state.jars
        return replace(state, need=Deal("jar", ((slot, EVERYONE),)), jars=tuple(jars), trick=())

    def after_jar(self, state: Hedge, faces: tuple[Face, ...], tell: Tell) -> Hedge:
        tell("jar", None, *faces)
        state = replace(state, jar=int(faces[0].removeprefix("jar-")))
        return replace(state, need=Choose("play", (state.leader,), secret=False))

    def after_play(self, state: Hedge, choices: list[Choice], tell: Tell) -> Hedge:
        [(seat, _, faces)] = choices
        tell("plays", seat, *faces)
        state = replace(state, trick=state.trick + faces)
        players = _around(state, state.leader)
        if len(state.trick) < len(players):
            return replace(state, need=Choose("play", (players[len(state.trick)],), secret=False))
        return self._take(state, players, tell)

    def _take(self, state: Hedge, players: Sequence[Seat], tell: Tell) -> Hedge:
        best = max(range(len(players)), key=lambda at: self._force(state, state.trick[at]))
        winner = players[best]
        tell("takes", winner, state.jar)
        points = [state.jar * (seat == winner) + won for seat, won in enumerate(state.points)]
        state = replace(state, leader=winner, points=tuple(points))
        if state.jars:
            return self._next_trick(state)
        state = replace(state, scores=(*state.scores, state.points))
        if state.round == self.rounds:
            return self.finish(state)
        return self._set_up(replace(state, round=state.round + 1))

    def _force(self, state: Hedge, face: Face) -> tuple[bool, bool, int]:
        return suit(face) == state.trump, suit(face) == suit(state.trick[0]), self.strength[face]

    # What a seat may do.

    def moves(self, state: Hedge, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        if not isinstance(state.need, Choose) or seat not in state.need.seats:
            return []
        hand = sorted(state.hands[seat])
        for berry in state.owed:
            if following := [slot for slot in hand if suit(known[slot]) == berry]:
                hand = following
                break
        return [Move("play", (slot,)) for slot in hand]

    def suit(self, face: Face) -> str:
        return suit(face)

    def claimed_most(self, _seats: int) -> int:
        return 2 * (self.hand_size - 1)  # to follow, and to trump

    def claims(
        self, state: Hedge, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        if move.verb != "play" or len(move.cards) != 1 or move.words:
            raise IllegalMove("card", "a turn is one card of your hand: play #n")
        kept = tuple(slot for slot in state.hands[seat] if slot not in move.cards)
        claims: list[Claim] = []
        for berry in state.owed:
            if not kept or suit(faces[0]) == berry:
                break
            rule = "trump" if claims else "follow"
            claims.append(Claim(rule, kept, tuple(f for f in self.strength if suit(f) == berry)))
        return tuple(claims)


def suit(face: Face) -> str:
    return face.rpartition("-")[0]


def _around(state: Hedge, start: Seat) -> list[Seat]:
    """Those seated, from this seat to the left."""
    return sorted(state.seated, key=lambda seat: (seat - start) % len(state.hands))
