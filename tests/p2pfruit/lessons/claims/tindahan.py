"""What the remarks of Tindahan's teacher claim."""

from engine.needs import Done, Face, Seat
from engine.tindahan import Tindahan
from engine.tindahan.rules import Market
from p2pfruit.games.tindahan.narrator import TindahanNarrator
from tests.p2pfruit.lessons.claims import ME, Claims, Said, fruit_of, number_of, rule


class Scene(Said[Market]):
    game: Tindahan
    narrator: TindahanNarrator

    def fruits(self, *names: str) -> bool:
        return self.says(*map(self.narrator.fruit, names))

    def names(self, *seats: Seat) -> bool:
        return self.says(*map(self.narrator.name, seats))

    def cards(self, *faces: Face) -> bool:
        return self.says(*map(self.narrator.card, faces))

    def only_cards(self, faces: list[Face]) -> bool:
        """Of my hand these are named, and no others."""
        others = [face for face in self.hand if face not in faces]
        return self.cards(*faces) and not any(self.cards(face) for face in others)

    # What may be answered.

    def playable(self) -> list[Face]:
        return [self.view.known[m.cards[0]] for m in self.view.moves() if m.verb == "play"]

    def vendors(self, stall: str) -> tuple[int, int]:
        """Mine, and the most of somebody else."""
        mine, *others = [row[self.state.fruits.index(stall)] for row in self.state.placed]
        return mine, max(others)

    # The trick that was taken.

    @property
    def played(self) -> dict[Seat, Face]:
        """What lay there when the learner was asked, and what came then."""
        later = {e.seat: str(e.data[0]) for e in self.events("plays") if e.seat is not None}
        return dict(self.before.state.trick) | later

    @property
    def led(self) -> str:
        return fruit_of(next(iter(self.played.values())))

    @property
    def trump(self) -> str:
        """Where the donkey stood when the learner had answered."""
        moved = self.events("donkey")
        return str(moved[0].data[1]) if moved else self.before.state.donkey

    @property
    def winner(self) -> Seat:
        trumps = {s: f for s, f in self.played.items() if fruit_of(f) == self.trump}
        follows = {s: f for s, f in self.played.items() if fruit_of(f) == self.led}
        strong = trumps or follows
        return max(strong, key=lambda seat: number_of(strong[seat]))

    @property
    def senders(self) -> list[Seat]:
        idle = {0, 1, 2} - set(self.played)
        return sorted(idle - {self.before.state.leader})

    def proved(self, seat: Seat) -> bool:
        """Whether claims of this round have shown that no card of a hand is of the fruit led."""
        about = [c for c in self.state.claims if {fruit_of(face) for face in c.faces} == {self.led}]
        hand = set(self.state.hands[seat])
        return bool(hand) and hand <= {slot for claim in about for slot in claim.slots}

    # Points.

    def stall(self, fruit: str) -> int:
        """What a stall brings me."""
        at = self.state.fruits.index(fruit)
        counts = [row[at] for row in self.state.placed]
        prizes = (6, 3) if fruit == self.state.donkey else (5, 2)
        if not counts[ME]:
            return 0
        better = sum(count > counts[ME] for count in counts)
        equal = counts.count(counts[ME])
        if better == 0:
            return prizes[0] if equal == 1 else sum(prizes) // equal
        return prizes[1] // equal if better == 1 else 0

    def stalls(self) -> int:
        return sum(map(self.stall, self.state.fruits))

    def points(self) -> int:
        return 2 * self.state.tricks[ME] + self.stalls() - len(self.state.hands[ME])


def _strays(at: Scene, seats: set[Seat]) -> bool:
    """One of them did not follow, is meant, and has proved it."""
    return any(
        fruit_of(face) != at.led
        and at.fruits(at.led)
        and at.proved(seat)
        and (seat == ME or (at.names(seat) and at.cards(face)))
        for seat, face in at.played.items()
        if seat in seats
    )


def _last_trick(at: Scene) -> bool:
    """Somebody has no card beyond this trick."""
    played = dict(at.state.trick)
    after = [len(hand) - (seat not in played) for seat, hand in enumerate(at.state.hands)]
    return min(after) == 0 and at.figures[-1:] == [abs(at.points())]


def _try(at: Scene) -> bool:
    move = at.step.suggested
    assert move is not None
    if move.verb == "vendor":
        mine, most = at.vendors(fruit_of(at.state.trick[0][1]))
        return mine + 1 > most
    if move.verb == "donkey":
        trumps = [face for face in at.hand if fruit_of(face) == move.words[0]]
        return bool(trumps) and at.fruits(*move.words) and at.only_cards(trumps)
    face = at.view.known[move.cards[0]]
    if not at.state.trick:
        top = number_of(face) == 10 and fruit_of(face) != at.state.donkey
        return at.only_cards([face]) and (top or number_of(face) <= 3)
    rivals = [*at.state.trick, (ME, face)]
    led, trump = fruit_of(rivals[0][1]), at.state.donkey
    best = max(
        (fruit_of(one) == trump, fruit_of(one) == led, number_of(one), seat) for seat, one in rivals
    )
    return at.only_cards([face]) and best[-1] == ME


def _follow(at: Scene) -> bool:
    led = fruit_of(at.state.trick[0][1])
    mine = [face for face in at.hand if fruit_of(face) == led]
    return bool(mine) and at.fruits(led) and at.only_cards(mine) and set(at.playable()) == {*mine}


def _void(at: Scene) -> bool:
    led = fruit_of(at.state.trick[0][1])
    none = all(fruit_of(face) != led for face in at.hand)
    return none and at.fruits(led) and set(at.playable()) == {*at.hand}


def _must_play(at: Scene) -> bool:
    moved = at.events("donkey")[-1]
    assert moved.seat is not None
    return (
        at.names(moved.seat)
        and at.fruits(str(moved.data[1]))
        and len(at.playable()) == len(at.view.moves()) == len(at.hand)
    )


def _stall(at: Scene) -> bool:
    led = fruit_of(at.state.trick[0][1])
    return at.fruits(led) and at.figures == list(at.vendors(led))


def _vendor(at: Scene) -> bool:
    offered = "vendor" in {move.verb for move in at.view.moves()}
    return offered and at.figures == [9 - sum(at.state.placed[ME])]


def _donkey_mine(at: Scene) -> bool:
    [moved] = at.events("donkey")
    next_seat = 1
    return moved.seat == ME and at.fruits(str(moved.data[1])) and at.names(next_seat)


def _trumped(at: Scene) -> bool:
    card = at.played[at.winner]
    return fruit_of(card) == at.trump != at.led and at.cards(card) and at.fruits(at.led)


def _ended(at: Scene) -> bool:
    empty = [seat for seat, hand in enumerate(at.state.hands) if not hand]
    others = {0, 1, 2} - set(empty)
    return (
        isinstance(at.state.need, Done)
        and bool(empty)
        and at.names(*empty)
        and not any(at.names(seat) for seat in others)
    )


def _score(at: Scene) -> bool:
    [event] = [event for event in at.events("scores") if event.seat == ME]
    tricks, left = 2 * at.state.tricks[ME], len(at.state.hands[ME])
    figures = [abs(at.points()), tricks, at.stalls(), left]
    return event.data[0] == at.points() and at.figures == figures


def _majorities(at: Scene) -> list[str]:
    return [fruit for fruit in at.state.fruits if at.vendors(fruit)[0] > at.vendors(fruit)[1]]


def _majority(at: Scene) -> bool:
    mine = _majorities(at)
    others = [fruit for fruit in at.state.fruits if fruit not in mine]
    return bool(mine) and at.fruits(*mine) and not any(at.fruits(fruit) for fruit in others)


def _leads(at: Scene) -> bool:
    return at.winner == at.state.leader != ME and at.names(at.winner)


CLAIMS: Claims[Scene] = {
    # The beginning.
    "welcome": lambda at: at.names(1, 2),
    "joined": lambda at: (
        at.figures == [sum(at.state.tricks), min(map(len, at.state.hands))]
        and at.state.need.what == "turn"
        and (at.state.leader, at.state.turn) == (ME, 0)
    ),
    "stalls": lambda at: at.fruits(*at.state.fruits),
    "trump": lambda at: at.fruits(at.state.donkey),
    "aim": rule,
    # Before a turn.
    "lead": lambda at: at.state.turn == 0,
    "donkey": lambda at: "donkey" in {move.verb for move in at.view.moves()},
    "again": lambda at: at.state.turn == 0,
    "must_play": _must_play,
    "follow": _follow,
    "void": _void,
    "vendor": _vendor,
    "stall": _stall,
    "last_trick": _last_trick,
    "free": lambda at: at.step.suggested is None,
    "try": _try,
    # After a trick.
    "trumped": _trumped,
    "my_void": lambda at: _strays(at, {ME}),
    "their_void": lambda at: _strays(at, {1, 2}),
    "donkey_mine": _donkey_mine,
    "vendor_mine": lambda at: (
        ME in at.senders and at.fruits(at.led) and at.figures == [at.stall(at.led)]
    ),
    "vendor_theirs": lambda at: (
        at.fruits(at.led) and any(at.names(seat) for seat in at.senders if seat != ME)
    ),
    "takes": lambda at: at.winner == at.state.leader == ME,
    "leads": _leads,
    "ended": _ended,
    # The end.
    "score": _score,
    "majority": _majority,
    "no_majority": lambda at: not _majorities(at),
    "rounds": rule,
    "blank": rule,
}

SCENE = Scene
