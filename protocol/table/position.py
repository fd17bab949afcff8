"""The position of a table: the running step, the game's state, the closed cards.

A position also computes what follows from it equally for all peers: the statements to be proved,
the digests to be signed, the shares that are owed. The author of an answer and its judge both ask
the position, so that they always speak of the same thing.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from engine.game import Game
from engine.moves import Event, Move
from engine.needs import Deal, Face, Seat, Slot
from engine.record import Claim, State, digest
from protocol.codec import Value, encode
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import off_suit
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.transcript import Context, Transcript
from protocol.feed.roster import Roster
from protocol.table import lots
from protocol.table.ahead import Hops, piles_ahead
from protocol.table.cards import Cards, Print, opening_deck, rank_scalar, suit_scalar
from protocol.table.phases import Phase


class Position:
    def __init__(self, roster: Roster, game: Game[Any]) -> None:
        self.roster = roster
        self.table = roster.table
        self.game = game
        self.step = 0
        self.phase = Phase.SITTING
        self.seated: tuple[int, ...] = tuple(range(len(roster.players)))  # players not yet lost
        self.owing: tuple[int, ...] = self.seated
        self.keys: dict[int, Point] = {}
        self.seats: tuple[int, ...] = ()  # the player at each seat, once the seats are drawn
        self.state: State = game.start(len(roster.players))
        self._digested: tuple[State | None, bytes] = (None, b"")
        self.cards = Cards()
        self.events: list[Event] = []
        self.decks: tuple[Deck, ...] = ()  # the piles that are being shuffled
        self.hops: Hops | None = None  # of closed steps, for piles of the next round
        self.deal: tuple[tuple[Slot, Seat], ...] = ()  # cards dealt or opened in this step
        self.commit_step = 0  # of the running secret choice
        self.commits: dict[int, bytes] = {}
        self.signers: tuple[int, ...] = ()  # the players who were to sign the result
        self.signed: tuple[int, ...] = ()  # the players who did

    # Seats and players.

    def seat(self, player: int) -> Seat:
        return self.seats.index(player)

    def players_at(self, seats: Sequence[Seat]) -> tuple[int, ...]:
        return tuple([self.seats[seat] for seat in seats])

    @property
    def joint_key(self) -> Point:
        return group.total([self.keys[player] for player in self.seated])

    # Statements that are proved, and digests that are signed.

    def transcript(self, name: str, player: int, *about: bytes, later: int = 0) -> Transcript:
        """Return the transcript of a proof in this step, or so many steps later."""
        author = self.roster.players[player].key
        transcript = Transcript(name, Context(self.table, author, self.step + later))
        transcript.absorb("about", *about)
        return transcript

    def digest(self) -> bytes:
        """Return what every player signs: step, public state, seats and closed cards, hashed."""
        piles = self.cards.piles[: len(self.state.piles)]  # none, once the rules have cleared them
        decks = tuple([sha256(pile.deck.data).digest() for pile in piles])
        whole = (self.table, self.step, self._position(), self.seats, self.seated, decks)
        return sha256(b"p2pfruit agree 2\n" + encode(whole)).digest()

    def _position(self) -> bytes:
        """Return the digest of the game's state. It is computed once for each state."""
        if self._digested[0] is not self.state:
            self._digested = self.state, digest(self.state)
        return self._digested[1]

    def choice(self, player: int, move: Move) -> bytes:
        """Return the hash of a secret choice: of table, step, state, seat and move."""
        seat = self.seat(player)
        whole = (self.table, self.commit_step, self._position(), seat, *plain(move))
        return sha256(b"p2pfruit choice 2\n" + encode(whole)).digest()

    def commitment(self, player: int, move: Move, nonce: bytes) -> bytes:
        return sha256(b"p2pfruit commit 2\n" + self.choice(player, move) + nonce).digest()

    def all_commits(self) -> bytes:
        whole = tuple([(player, self.commits[player]) for player in sorted(self.commits)])
        return sha256(b"p2pfruit ready 2\n" + encode((self.table, self.step, whole))).digest()

    def slots_owed(self, player: int) -> list[Slot]:
        """Return the cards of this deal of which the player has to publish a share."""
        seat = self.seat(player)
        return [slot for slot, to in self.deal if to != seat and player in self.cards.lacking(slot)]

    def seat_transcript(self, player: int) -> Transcript:
        return self.transcript("seat", player, player.to_bytes(1, "big"))

    @property
    def lot_point(self) -> Point:
        return lots.lot_point(self.table, self.step)

    @property
    def lot_along(self) -> tuple[int, ...]:
        """Return the bounds of the lot that is drawn with the shares of this step, if one is.

        Every player has to give a share in this step, and the rules have to foretell the lot.
        """
        opening = self.phase is Phase.SHARING and isinstance(self.state.need, Deal)
        if not opening or self.owing != self.seated:
            return ()
        return self.game.lot_ahead(self.state)

    def bases(self, slots: Sequence[Slot]) -> list[Point]:
        """Return of what the shares of these cards are multiples."""
        return [self.cards.pile(slot).card(slot).a for slot in slots]

    def bases_owed(self, player: int) -> list[Point]:
        """Return of what the player owes a multiple in this deal: of its cards, then of a lot."""
        lot = [self.lot_point] if self.lot_along else []
        return self.bases(self.slots_owed(player)) + lot

    def shuffle_transcript(self, player: int, pile: int, later: int = 0) -> Transcript:
        return self.transcript("shuffle", player, pile.to_bytes(1, "big"), later=later)

    # Piles that are shuffled ahead.

    def hops_so_far(self) -> Hops:
        """Return the hops to which one of this step would be added. There may be no piles."""
        number, piles = piles_ahead(self.game, self.state, self.phase)
        if self.hops is not None and self.hops[:2] == (number, piles):
            return self.hops
        return Hops(number, piles)

    def hop_by(self, hops: Hops) -> int | None:
        """Return the player who may make the hop of this step, if any may."""
        order = self.players_at(self.state.seated) if self.seats else self.owing
        free = [player for player in order if player in self.owing and player not in hops.done]
        return free[0] if hops.piles and free else None

    def hop_decks(self, hops: Hops) -> tuple[Deck, ...]:
        """Return the piles from which the hop of this step is made."""
        return hops.decks or self.opening_decks(hops.piles)

    def opening_decks(self, piles: Sequence[tuple[Face, ...]]) -> tuple[Deck, ...]:
        """Return piles as they are before the first shuffle."""
        key = self.joint_key
        return tuple([opening_deck(key, self.prints(faces)) for faces in piles])

    def prints(self, faces: Sequence[Face]) -> tuple[Print, ...]:
        """Return what is printed on these cards: the suits, too, if the game has claims."""
        if not self.game.claimed_most(len(self.roster.players)):
            return tuple([Print(face) for face in faces])
        return tuple([Print(face, self.game.suit(face)) for face in faces])

    def hop_transcript(self, player: int, hops: Hops, pile: int) -> Transcript:
        about = hops.round.to_bytes(4, "big"), pile.to_bytes(1, "big")
        return self.transcript("ahead", player, *about)

    # Claims.

    def suits(self, claim: Claim) -> tuple[str, ...]:
        """Return the suits that a claim is about, in the order of its faces."""
        return tuple(dict.fromkeys(map(self.game.suit, claim.faces)))

    def claimed(self, claim: Claim) -> list[off_suit.Card]:
        """Return the statement that proves a claim."""
        return self.cards.off_suits(claim.slots, self.suits(claim))

    def witness(self, face: Face, suit: str) -> off_suit.Witness:
        """Return what proves of a card with this face that it is not of that suit."""
        apart = suit_scalar(self.game.suit(face)) - suit_scalar(suit)
        return off_suit.Witness(apart, rank_scalar(face))

    def claim_transcript(self, player: int, at: int, claim: Claim) -> Transcript:
        about = (bytes([at]), claim.rule.encode(), slot_bytes(claim.slots))
        return self.transcript("claim", player, *about, *[face.encode() for face in claim.faces])


def plain(move: Move) -> tuple[Value, ...]:
    return move.verb, move.cards, move.words


def slot_bytes(slots: Sequence[Slot]) -> bytes:
    return b"".join(slot.to_bytes(4, "big") for slot in slots)
