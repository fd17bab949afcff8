"""Judging answers: deciding whether an entry is the answer that its author owed.

Each judge raises RemoteProtocolError if the answer is bad, and changes nothing. It returns the
value that is needed to close the step. Form is checked before proofs. Proofs go through `check`, so
that they can be checked on another core, or later (protocol/table/proving.py).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine.errors import BadMoveText, IllegalMove
from engine.moves import Move
from engine.needs import Face, Slot
from engine.record import Claim
from protocol.codec import Value
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import equality, knowledge, off_suit, shuffle
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.transcript import Transcript
from protocol.errors import RemoteProtocolError
from protocol.feed import entries
from protocol.feed.entries import Entry
from protocol.table.phases import PHASES
from protocol.table.position import Position, slot_bytes
from protocol.table.proving import Check, Proof, Unchecked, proof_name

HASH_SIZE = 32


class Turn(NamedTuple):
    """A judged move, with the faces that it turns up and the shares that open them."""

    move: Move
    faces: tuple[Face, ...]
    shares: dict[Slot, Point]


class Opening(NamedTuple):
    """The judged shares of a deal, and the one of a lot that is drawn along."""

    shares: dict[Slot, Point]
    lot: tuple[Point, ...] = ()


class Answer(NamedTuple):
    """A judged answer."""

    said: Any  # by kind: a point, decks, an Opening, a digest, or a Turn
    hop: tuple[Deck, ...] = ()  # piles of the next round, shuffled once more


# How many fields the answers have that may carry a hop in one more.
_FIELDS = {entries.LOT: 2, entries.COMMIT: 1, entries.MOVE: 4}


class Judge:
    """A judge of answers. `at` is the table's position; it follows the table from step to step."""

    def __init__(self, at: Position, check: Check) -> None:
        self.at = at
        self.check = check

    def judge(self, player: int, entry: Entry) -> Answer:
        if entry.step != self.at.step or player not in self.at.owing:
            raise RemoteProtocolError("not-owed", f"nothing was owed in step {entry.step}")
        if entry.kind != PHASES[self.at.phase].kind:
            raise RemoteProtocolError("kind", f"{entry.kind!r} while {self.at.phase}")
        judges: dict[str, Callable[..., Any]] = {
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
        body, hop = _without_hop(entry)
        said = judges[entry.kind](player, body)
        return Answer(said, self._judge_hop(player, hop[0]) if hop else ())

    def _proved(self, proof: Proof, what: str) -> None:
        holds = self.check(proof)
        if holds is None:
            raise Unchecked
        # A proof is checked once more before a player is blamed. If it does not even have the form
        # of a proof, that raises an error with the code of its fault.
        if not holds and not proof.holds():
            raise RemoteProtocolError("proof", f"the proof of {what} is false")

    def _judge_seat(self, player: int, body: tuple[Value, ...]) -> Point:
        data, proof = fields(body, bytes, bytes)
        key = group.decode_point(data)
        transcript = self.at.seat_transcript(player)

        def holds() -> bool:
            return knowledge.verify(transcript.copy(), key, proof)

        name = proof_name("knowledge", transcript, key, (), proof)
        self._proved(Proof(name, holds), "the table key")
        return key

    def _judge_lot(self, player: int, body: tuple[Value, ...]) -> Point:
        data, proof = fields(body, bytes, bytes)
        share = group.decode_point(data)
        self._judge_equality(player, "lot", [self.at.lot_point], [share], proof)
        return share

    def _judge_equality(
        self,
        player: int,
        name: str,
        bases: list[Point],
        images: list[Point],
        proof: bytes,
        *about: bytes,
    ) -> None:
        transcript = self.at.transcript(name, player, *about)
        key = self.at.keys[player]
        statement = map(group.encode_points, (bases, images))

        def holds() -> bool:
            return equality.verify(transcript.copy(), key, bases, images, proof)

        known_as = proof_name("equality", transcript, key, statement, proof)
        self._proved(Proof(known_as, holds), f"the {name}")

    def _judge_shuffle(self, player: int, body: tuple[Value, ...]) -> tuple[Deck, ...]:
        decks = self.at.decks
        transcripts = [self.at.shuffle_transcript(player, at) for at in range(len(decks))]
        return self._judge_piles(decks, body, transcripts)

    def _judge_hop(self, player: int, hop: Value) -> tuple[Deck, ...]:
        hops = self.at.hops_so_far()
        if self.at.hop_by(hops) != player:
            raise RemoteProtocolError("ahead", "shuffles ahead where no hop of its author counts")
        if type(hop) is not tuple:
            raise RemoteProtocolError("form", "a hop is a list of piles")
        piles = range(len(hops.piles))
        transcripts = [self.at.hop_transcript(player, hops, at) for at in piles]
        return self._judge_piles(self.at.hop_decks(hops), hop, transcripts)

    def _judge_piles(
        self, befores: Sequence[Deck], body: tuple[Value, ...], transcripts: Sequence[Transcript]
    ) -> tuple[Deck, ...]:
        decks, proofs = parse_shuffle(befores, body)
        key = self.at.joint_key
        parts = list(zip(transcripts, befores, decks, proofs, strict=True))

        def holds() -> bool:
            return all(
                shuffle.verify(transcript.copy(), key, old, new, proof)
                for transcript, old, new, proof in parts
            )

        names = [
            proof_name("shuffle", transcript, key, (old.data, new.data), proof)
            for transcript, old, new, proof in parts
        ]
        self._proved(Proof(b"".join(names), holds), "the shuffle")
        return decks

    def _judge_agree(self, player: int, body: tuple[Value, ...]) -> bytes:
        said = self._judge_hash(player, body)
        if said != self.at.digest():
            raise RemoteProtocolError("digest", "signs another state: cheating, or another program")
        return said

    def _judge_hash(self, player: int, body: tuple[Value, ...]) -> bytes:
        said: bytes
        [said] = fields(body, bytes)
        if len(said) != HASH_SIZE:
            raise RemoteProtocolError("form", f"a hash has {HASH_SIZE} bytes")
        return said

    def _judge_ready(self, player: int, body: tuple[Value, ...]) -> bytes:
        said = self._judge_hash(player, body)
        if said != self.at.all_commits():
            raise RemoteProtocolError("ready", "has seen other commitments than there are")
        return said

    def _judge_shares(self, player: int, body: tuple[Value, ...]) -> Opening:
        data, proof = fields(body, bytes, bytes)
        slots, bases = self.at.slots_owed(player), self.at.bases_owed(player)
        shares = self._judge_shares_of(player, slots, bases, data, proof)
        by_slot = dict(zip(slots, shares, strict=False))
        return Opening(by_slot, tuple(shares[len(slots) :]))

    def _judge_shares_of(
        self, player: int, slots: Sequence[Slot], bases: list[Point], data: bytes, proof: bytes
    ) -> list[Point]:
        shares = group.decode_points(data, len(bases))
        if bases:
            self._judge_equality(player, "shares", bases, shares, proof, slot_bytes(slots))
        elif proof:
            raise RemoteProtocolError("form", "a proof without shares")
        return shares

    def _judge_move(self, player: int, body: tuple[Value, ...]) -> Turn:
        move, data, proof, claims = fields(body, tuple, bytes, bytes, tuple)
        return self._judge_turn(player, _move(move), data, proof, claims)

    def _judge_reveal(self, player: int, body: tuple[Value, ...]) -> Turn:
        move, nonce, data, proof, claims = fields(body, tuple, bytes, bytes, bytes, tuple)
        decided = _move(move)
        if (
            len(nonce) != HASH_SIZE
            or self.at.commitment(player, decided, nonce) != self.at.commits[player]
        ):
            raise RemoteProtocolError("commitment", "reveals another choice than it committed to")
        return self._judge_turn(player, decided, data, proof, claims)

    def _judge_turn(
        self,
        player: int,
        move: Move,
        data: bytes,
        proof: bytes,
        claims: tuple[Value, ...],
    ) -> Turn:
        seat = self.at.seat(player)
        for slot in move.cards:
            if slot not in self.at.state.hands[seat]:
                raise RemoteProtocolError(
                    "illegal", f"card #{slot} is not in the hand (rule: hand)"
                )
        bases = self.at.bases(move.cards)
        shared = self._judge_shares_of(player, move.cards, bases, data, proof)
        shares = dict(zip(move.cards, shared, strict=True))
        faces = tuple([self.at.cards.face(slot, share) for slot, share in shares.items()])
        try:
            demanded = self.at.game.check(self.at.state, seat, move, faces)
        except IllegalMove as error:
            raise RemoteProtocolError("illegal", str(error)) from None
        if len(claims) != len(demanded):
            raise RemoteProtocolError("claim", f"{len(demanded)} claims are to be proved")
        for at, (claim, shown) in enumerate(zip(demanded, claims, strict=True)):
            self._judge_claim(player, at, claim, shown)
        return Turn(move, faces, shares)

    def _judge_claim(self, player: int, at: int, claim: Claim, proof: Value) -> None:
        if type(proof) is not bytes:
            raise RemoteProtocolError("claim", "the proof of a claim is bytes")
        key = self.at.keys[player]
        transcript = self.at.claim_transcript(player, at, claim)
        cards = self.at.claimed(claim)
        statement = map(group.encode_points, cards)

        def holds() -> bool:
            return off_suit.verify(transcript.copy(), cards, proof)

        name = proof_name("off suit", transcript, key, statement, proof)
        self._proved(Proof(name, holds), f"rule {claim.rule}")


def parse_shuffle(
    befores: Sequence[Deck], body: tuple[Value, ...]
) -> tuple[tuple[Deck, ...], list[bytes]]:
    """Return the decks that a shuffle makes of these, and the proof of each, not checked."""
    if len(body) != len(befores):
        raise RemoteProtocolError("form", f"{len(befores)} piles are to be shuffled")
    decks, proofs = [], []
    for before, pile in zip(befores, body, strict=True):
        data, proof = fields(pile, bytes, bytes)
        if len(data) != len(before.data):
            raise RemoteProtocolError("length", f"a pile of {len(before.cards)} cards stays so")
        decks.append(Deck.decode(data))
        proofs.append(proof)
    return tuple(decks), proofs


def _without_hop(entry: Entry) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """Part the fields of an answer from its hop, if it has one more field than it needs."""
    count = _FIELDS.get(entry.kind)
    if count is None or len(entry.body) != count + 1:
        return entry.body, ()
    return entry.body[:count], entry.body[count:]


def fields(body: Value, *kinds: type) -> Any:
    """Return the fields of a body if they have exactly these types; raise otherwise."""
    if type(body) is not tuple or tuple(map(type, body)) != kinds:
        names = ", ".join(kind.__name__ for kind in kinds)
        raise RemoteProtocolError("form", f"the body is not of the form [{names}]")
    return body


def _move(value: tuple[Value, ...]) -> Move:
    verb, cards, words = fields(value, str, tuple, tuple)
    try:
        return Move(verb, cards, words)
    except BadMoveText as error:
        raise RemoteProtocolError("form", str(error)) from None
