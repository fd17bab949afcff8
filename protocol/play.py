"""The steps of a table: what the game needs, turned into what each player owes.

Play knows the game's state, the encrypted cards and the running step. It judges one answer at a
time, each by itself, and goes on when it is told that the step is closed. It knows nothing of feeds
or of absence; whoever reads those calls `judge` and `close`.

Two rules keep shares safe. New piles are signed for by everyone before anybody publishes a share
of them, and with three or more seated so is the state after an open move, before a deal that it
decided: whoever tells two stories gets no share from either listener. And a share is published only
for a card that the state deals or opens now, once.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from typing import Any, NamedTuple

from engine.errors import BadMoveText, IllegalMove
from engine.game import Game
from engine.moves import Event, Move, Outcome
from engine.needs import EVERYONE, Choose, Deal, Done, Face, Lot, Seat, Shuffle, Slot
from engine.record import Claim, State, digest
from protocol import group, lots
from protocol.cards import Cards, Pile, opening_deck
from protocol.codec import Value, encode
from protocol.entries import Entry
from protocol.errors import RemoteProtocolError
from protocol.group import Point
from protocol.phases import AFRESH, PHASES, Phase
from protocol.proofs import equality, knowledge, one_of_many, shuffle
from protocol.proofs.deck import Deck
from protocol.roster import Roster
from protocol.transcript import Context, Transcript

HASH_SIZE = 32

# Says whether a proof holds, or None for "not known yet". The bytes name the proof.
Check = Callable[[bytes, Callable[[], bool]], bool | None]


def check_now(_name: bytes, proof: Callable[[], bool]) -> bool:
    return proof()


class Unchecked(Exception):
    """A proof of this entry is still being checked: judge it again when that is done."""


class Turn(NamedTuple):
    """A judged move: what it turns up, and the shares that do."""

    move: Move
    faces: tuple[Face, ...]
    shares: dict[Slot, Point]


Answer = Any  # by kind: a point, decks, shares by slot, a digest, or a Turn


class Play:
    def __init__(self, roster: Roster, game: Game[Any], check: Check = check_now) -> None:
        self.roster = roster
        self.table = roster.table
        self.game = game
        self.check = check
        self.step = 0
        self.phase = Phase.SITTING
        self.seated: tuple[int, ...] = tuple(range(len(roster.players)))  # players still in it
        self.owing: tuple[int, ...] = self.seated
        self.keys: dict[int, Point] = {}
        self.seats: tuple[int, ...] = ()  # the player at each seat, once that is drawn
        self.state: State = game.start(len(roster.players))
        self._digested: tuple[State | None, bytes] = (None, b"")
        self.cards = Cards()
        self.events: list[Event] = []
        self.decks: tuple[Deck, ...] = ()  # the piles that are being shuffled
        self.deal: tuple[tuple[Slot, Seat], ...] = ()  # what is dealt or opened in this step
        self.commit_step = 0  # of the running secret choice
        self.commits: dict[int, bytes] = {}
        self.signers: tuple[int, ...] = ()  # who was to sign the end
        self.signed: tuple[int, ...] = ()  # who did
        self._unsettled = False  # an open move that not everybody has signed for
        self._waiting: list[int] = []  # who has still to shuffle

    # Who sits where.

    def seat(self, player: int) -> Seat:
        return self.seats.index(player)

    def _players(self, seats: Sequence[Seat]) -> tuple[int, ...]:
        return tuple([self.seats[seat] for seat in seats])

    @property
    def joint_key(self) -> Point:
        return group.total([self.keys[player] for player in self.seated])

    # What is proved and signed.

    def transcript(self, name: str, player: int, *about: bytes) -> Transcript:
        author = self.roster.players[player].key
        transcript = Transcript(name, Context(self.table, author, self.step))
        transcript.absorb("about", *about)
        return transcript

    def digest(self) -> bytes:
        """What everybody signs: the step, the public state, the seats, every closed card."""
        decks = tuple([sha256(pile.deck.data).digest() for pile in self.cards.piles])
        whole = (self.table, self.step, self._position(), self.seats, self.seated, decks)
        return sha256(b"p2pfruit agree 1\n" + encode(whole)).digest()

    def _position(self) -> bytes:
        """The digest of the game's state, made once for each state."""
        if self._digested[0] is not self.state:
            self._digested = self.state, digest(self.state)
        return self._digested[1]

    def choice(self, player: int, move: Move) -> bytes:
        """What a secret choice is about: table, step, state, seat and move."""
        seat = self.seat(player)
        whole = (self.table, self.commit_step, self._position(), seat, *plain(move))
        return sha256(b"p2pfruit choice 1\n" + encode(whole)).digest()

    def commitment(self, player: int, move: Move, nonce: bytes) -> bytes:
        return sha256(b"p2pfruit commit 1\n" + self.choice(player, move) + nonce).digest()

    def all_commits(self) -> bytes:
        whole = tuple([(player, self.commits[player]) for player in sorted(self.commits)])
        return sha256(b"p2pfruit ready 1\n" + encode((self.table, self.step, whole))).digest()

    def slots_owed(self, player: int) -> list[Slot]:
        """The cards of this deal of which the player has to publish a share."""
        seat = self.seat(player)
        return [slot for slot, to in self.deal if to != seat and player in self.cards.lacking(slot)]

    # Judging: each raises RemoteProtocolError if the answer is bad, and changes nothing.

    def judge(self, player: int, entry: Entry) -> Answer:
        body = entry.body
        if entry.step != self.step or player not in self.owing:
            raise RemoteProtocolError("not-owed", f"nothing was owed in step {entry.step}")
        if entry.kind != PHASES[self.phase].kind:
            raise RemoteProtocolError("kind", f"{entry.kind!r} while {self.phase}")
        judges: dict[str, Callable[..., Answer]] = {
            "seat": self._judge_seat,
            "lot": self._judge_lot,
            "shuffle": self._judge_shuffle,
            "agree": self._judge_agree,
            "shares": self._judge_shares,
            "commit": self._judge_hash,
            "ready": self._judge_ready,
            "reveal": self._judge_reveal,
            "move": self._judge_move,
        }
        return judges[entry.kind](player, entry.id, body)

    def _proved(self, name: bytes, proof: Callable[[], bool], what: str) -> None:
        holds = self.check(name, proof)
        if holds is None:
            raise Unchecked
        if not holds:
            raise RemoteProtocolError("proof", f"the proof of {what} is false")

    def _judge_seat(self, player: int, id: bytes, body: tuple[Value, ...]) -> Point:
        data, proof = fields(body, bytes, bytes)
        key = group.decode_point(data)
        transcript = self.seat_transcript(player)
        self._proved(id, lambda: knowledge.verify(transcript, key, proof), "the table key")
        return key

    def seat_transcript(self, player: int) -> Transcript:
        return self.transcript("seat", player, player.to_bytes(1, "big"))

    def _judge_lot(self, player: int, id: bytes, body: tuple[Value, ...]) -> Point:
        data, proof = fields(body, bytes, bytes)
        share = group.decode_point(data)
        self._judge_equality(player, id, "lot", [self.lot_point], [share], proof)
        return share

    @property
    def lot_point(self) -> Point:
        return lots.lot_point(self.table, self.step)

    def _judge_equality(
        self,
        player: int,
        id: bytes,
        name: str,
        bases: list[Point],
        images: list[Point],
        proof: bytes,
        *about: bytes,
    ) -> None:
        transcript = self.transcript(name, player, *about)
        key = self.keys[player]
        self._proved(
            id, lambda: equality.verify(transcript, key, bases, images, proof), f"the {name}"
        )

    def _judge_shuffle(self, player: int, id: bytes, body: tuple[Value, ...]) -> tuple[Deck, ...]:
        if len(body) != len(self.decks):
            raise RemoteProtocolError("form", f"{len(self.decks)} piles are shuffled")
        decks, proofs = [], []
        for before, pile in zip(self.decks, body, strict=True):
            data, proof = fields(pile, bytes, bytes)
            deck = Deck.decode(data)
            if len(deck.cards) != len(before.cards):
                raise RemoteProtocolError("form", f"a pile of {len(before.cards)} cards stays so")
            decks.append(deck)
            proofs.append(proof)
        key = self.joint_key
        transcripts = [self.shuffle_transcript(player, at) for at in range(len(decks))]
        parts = list(zip(transcripts, self.decks, decks, proofs, strict=True))

        def holds() -> bool:
            return all(shuffle.verify(t, key, old, new, proof) for t, old, new, proof in parts)

        self._proved(id, holds, "the shuffle")
        return tuple(decks)

    def shuffle_transcript(self, player: int, pile: int) -> Transcript:
        return self.transcript("shuffle", player, pile.to_bytes(1, "big"))

    def _judge_agree(self, player: int, id: bytes, body: tuple[Value, ...]) -> bytes:
        said = self._judge_hash(player, id, body)
        if said != self.digest():
            raise RemoteProtocolError("digest", "signs another state than what was played")
        return said

    def _judge_hash(self, player: int, id: bytes, body: tuple[Value, ...]) -> bytes:
        said: bytes
        [said] = fields(body, bytes)
        if len(said) != HASH_SIZE:
            raise RemoteProtocolError("form", f"a hash has {HASH_SIZE} bytes")
        return said

    def _judge_ready(self, player: int, id: bytes, body: tuple[Value, ...]) -> bytes:
        said = self._judge_hash(player, id, body)
        if said != self.all_commits():
            raise RemoteProtocolError("digest", "has seen other commitments than there are")
        return said

    def _judge_shares(self, player: int, id: bytes, body: tuple[Value, ...]) -> dict[Slot, Point]:
        data, proof = fields(body, bytes, bytes)
        return self._judge_shares_of(player, id, self.slots_owed(player), data, proof)

    def _judge_shares_of(
        self, player: int, id: bytes, slots: Sequence[Slot], data: bytes, proof: bytes
    ) -> dict[Slot, Point]:
        shares = group.decode_points(data, len(slots))
        if not slots:
            if proof:
                raise RemoteProtocolError("form", "a proof of nothing")
            return {}
        bases = [self.cards.pile(slot).card(slot).a for slot in slots]
        self._judge_equality(player, id, "shares", bases, shares, proof, slot_bytes(slots))
        return dict(zip(slots, shares, strict=True))

    def _judge_move(self, player: int, id: bytes, body: tuple[Value, ...]) -> Turn:
        move, data, proof, claims = fields(body, tuple, bytes, bytes, tuple)
        return self._judge_turn(player, id, _move(move), data, proof, claims)

    def _judge_reveal(self, player: int, id: bytes, body: tuple[Value, ...]) -> Turn:
        move, nonce, data, proof, claims = fields(body, tuple, bytes, bytes, bytes, tuple)
        decided = _move(move)
        if (
            len(nonce) != HASH_SIZE
            or self.commitment(player, decided, nonce) != self.commits[player]
        ):
            raise RemoteProtocolError("commitment", "reveals another choice than it committed to")
        return self._judge_turn(player, id, decided, data, proof, claims)

    def _judge_turn(
        self,
        player: int,
        id: bytes,
        move: Move,
        data: bytes,
        proof: bytes,
        claims: tuple[Value, ...],
    ) -> Turn:
        seat = self.seat(player)
        for slot in move.cards:
            if slot not in self.state.hands[seat]:
                raise RemoteProtocolError(
                    "illegal", f"card #{slot} is not in the hand (rule: hand)"
                )
        shares = self._judge_shares_of(player, id, move.cards, data, proof)
        faces = tuple([self.cards.face(slot, share) for slot, share in shares.items()])
        try:
            demanded = self.game.check(self.state, seat, move, faces)
        except IllegalMove as error:
            raise RemoteProtocolError("illegal", str(error)) from None
        if len(claims) != len(demanded):
            raise RemoteProtocolError("claim", f"{len(demanded)} claims are to be proved")
        for at, (claim, shown) in enumerate(zip(demanded, claims, strict=True)):
            self._judge_claim(player, id, at, claim, shown)
        return Turn(move, faces, shares)

    def _judge_claim(self, player: int, id: bytes, at: int, claim: Claim, proof: Value) -> None:
        if type(proof) is not bytes:
            raise RemoteProtocolError("claim", "the proof of a claim is bytes")
        key = self.keys[player]
        transcript = self.claim_transcript(player, at, claim)
        cards = self.cards.alternatives(claim)
        self._proved(
            id + bytes([at]),
            lambda: one_of_many.verify(transcript, key, cards, proof),
            f"rule {claim.rule}",
        )

    def claim_transcript(self, player: int, at: int, claim: Claim) -> Transcript:
        about = (bytes([at]), claim.rule.encode(), slot_bytes(claim.slots))
        return self.transcript("claim", player, *about, *[face.encode() for face in claim.faces])

    # Closing a step.

    def close(self, answers: Mapping[int, Answer]) -> None:
        """The step is over; of those who owed, those without an answer are lost."""
        phase = self.phase
        lost = [player for player in self.owing if player not in answers]
        self.seated = tuple([player for player in self.seated if player not in lost])
        closes: dict[Phase, Callable[[Mapping[int, Answer]], None]] = {
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

    def _enter(self, phase: Phase, owing: tuple[int, ...]) -> None:
        self.phase = phase
        self.owing = owing

    def conspirators(self, keys: Mapping[int, Point]) -> set[int]:
        """Whose keys are equal, or add up to nothing: they share their secrets, and none sits.

        No honest player is among them, whose secret nobody else knows. With them the joint key of
        some who stay could vanish, or one of them would read another's cards.
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
            return
        need = self.state.need
        assert isinstance(need, Shuffle)
        slot = self.state.made
        if not self.state.piles:  # a new round
            self.cards = Cards()
        for faces, deck in zip(need.piles, self.decks, strict=True):
            self.cards.piles.append(Pile(slot, faces, deck, self.seated))
            slot += len(faces)
        self.decks = ()
        self._advance(Outcome())
        self._enter(Phase.AGREEING, self._players(self.state.seated))

    def _close_agreeing(self, _answers: Mapping[int, bytes]) -> None:
        self._unsettled = False
        self._meet()

    def _close_sharing(self, answers: Mapping[int, dict[Slot, Point]]) -> None:
        for player, shares in answers.items():
            self.cards.add_shares(player, shares)
        opened = [slot for slot, seat in self.deal if seat == EVERYONE]
        self.deal = ()
        if opened:
            self._advance(Outcome(faces=tuple([self.cards.face(slot) for slot in opened])))
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
        """Opens the step that the state's need asks for.

        Cards dealt to seats change nothing in the public state, so the rules run on, and such
        deals are settled together with whatever is opened next, or before anybody chooses.
        """
        need = self.state.need
        while isinstance(need, Deal):
            if self._unsettled:
                self._enter(Phase.AGREEING, self.seated)
                return
            self.deal += need.cards
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
            self._enter(phase, self._players(need.seats))
        elif isinstance(need, Lot):
            self._enter(Phase.DRAWING, self.seated)
        else:
            assert isinstance(need, Done)
            self._enter(Phase.SIGNING if self.seated else Phase.OVER, self.seated)

    def _begin_shuffle(self, need: Shuffle) -> None:
        key = self.joint_key
        self.decks = tuple([opening_deck(key, faces) for faces in need.piles])
        first, *self._waiting = self._players(self.state.seated)
        self._enter(Phase.SHUFFLING, (first,))


def fields(body: Value, *kinds: type) -> Any:
    """The fields of a body, if they are of exactly these types."""
    if type(body) is not tuple or tuple(map(type, body)) != kinds:
        names = ", ".join(kind.__name__ for kind in kinds)
        raise RemoteProtocolError("form", f"the body is not of the form [{names}]")
    return body


def plain(move: Move) -> tuple[Value, ...]:
    return move.verb, move.cards, move.words


def _move(value: tuple[Value, ...]) -> Move:
    verb, cards, words = fields(value, str, tuple, tuple)
    try:
        return Move(verb, cards, words)
    except BadMoveText as error:
        raise RemoteProtocolError("form", str(error)) from None


def slot_bytes(slots: Sequence[Slot]) -> bytes:
    return b"".join(slot.to_bytes(4, "big") for slot in slots)
