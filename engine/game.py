"""The contract of a game: the part that is the same in all of them, written once.

A game is stateless: built once from content and options, it serves any number of tables. It
writes `start`, `moves`, `claims`, `again`, and one method after_<what> for each need, in the words
of the rulebook. That method takes the state, the answer and a function that tells events, and
returns the next state. The answer depends on the need:

    Shuffle  a range of slots for each pile
    Deal     the faces of the cards turned up for everyone, in the need's order
    Choose   a Choice for each seat, in the need's order
    Lot      the numbers

The base class moves the cards (hands, faces, slots) before that method sees the state. It checks
everything that every player can check: the turn, the owner of the cards, and that the faces belong
to the pile.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, ClassVar, Generic

from engine.codec import Plain, decode, encode
from engine.content import Content, Option, choose_options
from engine.errors import BadOutcome, BadSeats, IllegalMove
from engine.moves import Choice, Event, Move, Outcome, Step, Tell
from engine.needs import (
    ABANDONED,
    EVERYONE,
    FINISHED,
    Choose,
    Deal,
    Done,
    Face,
    Lot,
    Seat,
    Shuffle,
    Slot,
)
from engine.record import Claim, S, State, replace

_RECORDS = (Shuffle, Deal, Choose, Lot, Done, Claim, Move, Outcome)


class Game(Generic[S]):
    name: ClassVar[str]
    version: ClassVar[int]
    seats: ClassVar[range]  # how many can play
    state_type: ClassVar[type[State]]
    options: ClassVar[tuple[Option, ...]] = ()  # with the content that is shipped
    vectors: ClassVar[str] = ""  # the SHA-256 of the game's rules vectors, in hexadecimal

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        self.content = content
        self.chosen = choose_options(self.name, self.options_for(content), options or {})
        self._after: dict[str, Callable[..., S]] = {
            name.removeprefix("after_"): getattr(self, name)
            for name in dir(self)
            if name.startswith("after_")
        }

    @property
    def rules_id(self) -> str:
        """Return a hash of name, version, options, content and vectors. Peers must agree on it."""
        options = tuple(sorted(self.chosen.items()))
        whole = (self.name, self.version, options, self.content.essence, self.vectors)
        return sha256(b"p2pfruit rules 2\n" + encode(whole)).hexdigest()

    # What a game writes.

    @classmethod
    def options_for(cls, _content: Content) -> tuple[Option, ...]:
        """Return the options with this content, or raise BadContent.

        They are those of the class, unless values are named after what the content lists.
        """
        return cls.options

    def start(self, seats: int) -> S:
        """Return the first state, after a call of check_seats."""
        raise NotImplementedError

    def moves(self, state: S, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        """List the legal moves of a seat that knows these faces, sorted; none if not asked."""
        raise NotImplementedError

    def claims(self, state: S, seat: Seat, move: Move, faces: Sequence[Face]) -> tuple[Claim, ...]:
        """Return the claims about the hand that the move needs.

        Raise IllegalMove if every player can see that the move breaks a rule. What an earlier claim
        of the round has shown of a card is left out by `check` and `step`.
        """
        raise NotImplementedError

    def suit(self, face: Face) -> str:
        """Return the suit of a face. A claim is about whole suits: all faces of each that it names.

        The fewer suits a claim names, the shorter its proof. Without this method, each face is a
        suit of its own.
        """
        return face

    def claimed_most(self, _seats: int) -> int:
        """Return for how many cards the claims of one move are proved, at the most.

        A card counts once for each suit that is claimed of it. The proofs grow with this number. A
        game without claims leaves it at 0.
        """
        return 0

    def ahead(self, _state: S) -> tuple[tuple[Face, ...], ...]:
        """Return the piles that the next round will shuffle, as far as the state shows them.

        They can then be shuffled during this round. Where the next round needs other piles after
        all, or there is none, that work was for nothing. Without this method, no pile is.
        """
        return ()

    def lot_ahead(self, _state: S) -> tuple[int, ...]:
        """Return the bounds of the Lot that follows this Deal, as far as the state shows it.

        It is then drawn while the cards are opened. Where the rules need another Lot after all, or
        none, that was for nothing. Without this method, a Lot is drawn after the Deal.
        """
        return ()

    def again(self, state: S, tell: Tell) -> S:
        """Begin the running round again for the players who are still seated."""
        raise NotImplementedError

    def standing(self, state: S, seat: Seat) -> tuple[int, ...]:
        """Return the rank of a seat, the largest first: its points, then its tie-breaks."""
        return (state.total(seat),)

    # What the contract gives.

    def check_seats(self, seats: int) -> None:
        if seats not in self.seats:
            raise BadSeats(
                f"{self.name} is for {self.seats[0]} to {self.seats[-1]} players, not {seats}"
            )

    def places(self, state: S) -> tuple[int, ...]:
        """Return the ranking if the game ended here; players who left come last."""
        ranks = []
        for seat in range(len(state.hands)):
            stayed = seat in state.seated
            standing = self.standing(state, seat) if stayed else (state.total(seat),)
            ranks.append((stayed, standing))
        return tuple(1 + sum(other > mine for other in ranks) for mine in ranks)

    def finish(self, state: S) -> S:
        return replace(state, need=Done(FINISHED, self.places(state)))

    def clear(self, state: S) -> S:
        """Return the state with an empty table: no pile, no hand, no open card."""
        return replace(state, piles=(), faces=(), claims=(), hands=((),) * len(state.hands))

    def step(self, state: S, outcome: Outcome) -> Step[S]:
        """Meet the state's need, or raise BadOutcome if the outcome does not fit it."""
        events, tell = _telling()
        need = state.need
        claims: tuple[Claim, ...] = ()
        answer: Any
        if isinstance(need, Choose):
            state, answer, claims = self._chosen(state, need, outcome)
        elif isinstance(need, Deal):
            state, answer = self._dealt(state, need, outcome)
        elif isinstance(need, Shuffle):
            state, answer = self._shuffled(state, need, outcome)
        elif isinstance(need, Lot):
            answer = self._drawn(need, outcome)
        else:
            raise BadOutcome("the game is over and needs nothing")
        state = self._after[need.what](state, answer, tell)
        return Step(state, tuple(events), claims)

    def check(self, state: S, seat: Seat, move: Move, faces: Sequence[Face]) -> tuple[Claim, ...]:
        """Check one seat's move with the `faces` of its cards; return the claims it needs."""
        need = state.need
        if not isinstance(need, Choose) or seat not in need.seats:
            raise IllegalMove("turn", f"seat {seat} is not asked to choose now")
        _check_hand(state, seat, move)
        _check_faces(state, move.cards, faces)
        return self._demanded(state, seat, move, faces)

    def retire(self, state: S, seats: Sequence[Seat]) -> Step[S]:
        """Remove these seats: the round begins again without them, or the game is over."""
        leaving = [seat for seat in state.seated if seat in seats]
        if isinstance(state.need, Done) or not leaving:
            return Step(state, ())
        events, tell = _telling()
        for seat in leaving:
            tell("left", seat)
        stay = tuple([seat for seat in state.seated if seat not in leaving])
        state = replace(state, seated=stay)
        if len(stay) < self.seats[0]:
            state = replace(self.clear(state), need=Done(ABANDONED, self.places(state)))
            tell("abandoned")
        else:
            state = self.again(state, tell)
        return Step(state, tuple(events))

    def load(self, data: bytes) -> Any:
        """Decode a state of this game, a need, a move or an outcome.

        It checks the form of a stranger's bytes, not the types of the values in them: the caller
        checks those.
        """
        return decode(data, {kind.__name__: kind for kind in (*_RECORDS, self.state_type)})

    # How each need moves the cards.

    def _shuffled(self, state: S, need: Shuffle, outcome: Outcome) -> tuple[S, list[range]]:
        if outcome != Outcome():
            raise BadOutcome("a shuffle has no visible outcome")
        slots = []
        made = state.made
        for pile in need.piles:
            slots.append(range(made, made + len(pile)))
            made += len(pile)
        closed = (None,) * (made - state.made)
        state = replace(
            state, made=made, piles=state.piles + need.piles, faces=state.faces + closed
        )
        return state, slots

    def _dealt(self, state: S, need: Deal, outcome: Outcome) -> tuple[S, tuple[Face, ...]]:
        opened = [slot for slot, seat in need.cards if seat == EVERYONE]
        if outcome.moves or outcome.lots:
            raise BadOutcome(f"{need.what} turns up {len(opened)} cards and nothing else")
        _check_faces(state, opened, outcome.faces)
        hands = list(state.hands)
        for slot, seat in need.cards:
            if seat != EVERYONE:
                hands[seat] += (slot,)
        state = replace(state, hands=tuple(hands))
        anyone = range(len(hands))
        return _opened(state, opened, outcome.faces, anyone), outcome.faces

    def _chosen(
        self, state: S, need: Choose, outcome: Outcome
    ) -> tuple[S, list[Choice], tuple[Claim, ...]]:
        if outcome.lots or len(outcome.moves) != len(need.seats):
            raise BadOutcome(f"{need.what} is chosen by {len(need.seats)} seats and nothing else")
        slots: list[Slot] = []
        choices: list[Choice] = []
        for seat, move in zip(need.seats, outcome.moves, strict=True):
            _check_hand(state, seat, move)
            before = len(slots)
            slots += move.cards
            choices.append(Choice(seat, move, outcome.faces[before : len(slots)]))
        _check_faces(state, slots, outcome.faces)
        claims: tuple[Claim, ...] = ()
        for choice in choices:
            claims += self._demanded(state, *choice)
        if claims:
            state = replace(state, claims=state.claims + claims)
        return _opened(state, slots, outcome.faces, need.seats), choices, claims

    def _demanded(
        self, state: S, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        """Return the claims that a move needs, as far as they say something new."""
        claims = self.claims(state, seat, move, faces)
        if not claims or not state.claims:
            return claims
        new = [_unproved(state, claim) for claim in claims]
        return tuple([claim for claim in new if claim.slots])

    def _drawn(self, need: Lot, outcome: Outcome) -> tuple[int, ...]:
        if outcome.moves or outcome.faces or len(outcome.lots) != len(need.below):
            raise BadOutcome(f"{need.what} draws {len(need.below)} numbers and nothing else")
        for number, below in zip(outcome.lots, need.below, strict=True):
            if type(number) is not int or not 0 <= number < below:
                raise BadOutcome(f"{number!r} is not a number from 0 to {below - 1}")
        return outcome.lots


def _unproved(state: State, claim: Claim) -> Claim:
    """Leave out the cards of which one claim of this round has shown at least as much."""
    faces = _printed(claim.faces)
    before = [one.slots for one in state.claims if faces <= _printed(one.faces)]
    if not before:
        return claim
    shown = frozenset[Slot]().union(*before)
    slots = tuple([slot for slot in claim.slots if slot not in shown])
    return Claim(claim.rule, slots, claim.faces)


def _telling() -> tuple[list[Event], Tell]:
    events: list[Event] = []
    new = tuple.__new__  # what Event() does, without its detour: there are hundreds a game

    def tell(what: str, seat: Seat | None = None, *data: Plain) -> None:
        events.append(new(Event, (what, seat, data)))

    return events, tell


def _opened(state: S, slots: Sequence[Slot], shown: Sequence[Face], holders: Sequence[Seat]) -> S:
    """Turn up closed cards: each once, and no face more often than its pile holds it.

    Those that lie in a hand lie in one of the `holders`.
    """
    if not slots:
        return state
    first = state.first
    faces = list(state.faces)
    for slot, face in zip(slots, shown, strict=True):
        if faces[slot - first] is not None:
            raise BadOutcome(f"card #{slot} lies open already")
        faces[slot - first] = face
    _check_copies(state, faces, shown)
    hands = list(state.hands)
    for seat in holders:
        hands[seat] = tuple([slot for slot in hands[seat] if slot not in slots])
    return replace(state, faces=tuple(faces), hands=tuple(hands))


def _check_hand(state: State, seat: Seat, move: Move) -> None:
    """Refuse cards of another hand, before faces are looked at: the mover cannot show those."""
    hand = state.hands[seat]
    for slot in move.cards:
        if slot not in hand:
            holds = " ".join(f"#{held}" for held in hand) or "no card"
            raise IllegalMove("hand", f"card #{slot} is not in seat {seat}'s hand: {holds}")


def _check_faces(state: State, slots: Sequence[Slot], shown: Sequence[Face]) -> None:
    """Refuse outcomes without exactly one face for each slot, out of the slot's own pile."""
    if len(shown) != len(slots):
        raise BadOutcome(f"{len(slots)} cards are turned up, not {len(shown)}")
    if not slots:
        return
    end = state.first
    for pile in state.piles:
        start, end = end, end + len(pile)
        printed = _printed(pile)
        for slot, face in zip(slots, shown, strict=True):
            if start <= slot < end and face not in printed:
                raise BadOutcome(f"{face!r} is not in the pile of card #{slot}")


@lru_cache(maxsize=64)
def _printed(faces: tuple[Face, ...]) -> frozenset[Face]:
    return frozenset(faces)


def _check_copies(state: State, faces: list[Face | None], shown: Sequence[Face]) -> None:
    """Refuse faces that now lie open more often than their pile holds them."""
    different = set(shown)
    if len(different) == len(shown) and different.isdisjoint(state.faces):
        return  # each lies open once, which is all that most decks allow
    start = 0
    for pile in state.piles:
        opened = faces[start : start + len(pile)]
        start += len(pile)
        for face in shown:
            if opened.count(face) > pile.count(face):
                raise BadOutcome(f"{face!r} is not among the closed cards of its pile")
