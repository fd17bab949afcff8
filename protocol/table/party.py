"""One player's side of the table: its secrets, and the entries that it signs with them.

A party takes entries, including its own stored ones, and signs the answers that it owes. It gives
answers that need no decision by itself. Moves, votes and leaving wait for the player's decision.
Every secret comes from the table's seed and the statement that it serves. So a party that is
started again from its own feed and seed signs the same bytes. It even finds its secret choice
again, as the one legal move that fits its commitment. Nothing about the choice is stored.

A party signs only when it has read all of its own feed, because before that it cannot know what it
has said.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Move
from engine.needs import Face, Slot
from engine.record import Claim
from engine.views import View
from protocol import limits
from protocol.codec import Value
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.identity import Identity
from protocol.crypto.proofs import equality, knowledge, off_suit
from protocol.crypto.secrets import SecretSource
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed import entries
from protocol.feed.entries import NOTHING, Entry
from protocol.feed.roster import Roster
from protocol.table.judging import Judge
from protocol.table.phases import TOGETHER, Phase
from protocol.table.position import plain, slot_bytes
from protocol.table.proving import Check, Memory, Proof
from protocol.table.shuffling import Shuffler
from protocol.table.table import Table

Body = tuple[Value, ...]


def table_nonce(seed: bytes) -> bytes:
    """Return the nonce that a player puts into the roster.

    It is derived from the seed, so a seed serves only the table whose roster holds its nonce.
    """
    return SecretSource(seed).nonce("roster", b"")


class Party:
    def __init__(
        self,
        identity: Identity,
        seed: bytes,
        roster: Roster,
        game: Game[Any],
        check: Check | None = None,
        *,
        ahead: bool = True,
    ) -> None:
        """Create a party. No player owes a shuffle ahead; without `ahead`, none is made."""
        me = roster.find(identity.key)
        if me is None:
            raise LocalProtocolError("roster", "this identity is not in the roster")
        if roster.players[me].nonce != table_nonce(seed):
            raise LocalProtocolError("nonce", "the roster does not hold the nonce made for it")
        self.me = me
        self.identity = identity
        self._check = Memory().check if check is None else check
        self._mine: set[bytes] = set()  # names of proofs made here, which need no check
        self.table = Table(roster, game, me, self._check_others)
        self._source = SecretSource(seed)
        self._secret = self._source.scalar("table key", roster.table)
        self._key = group.base(self._secret)
        self._shares: dict[Point, Point] = {}
        self._faces: dict[Point, Face] = {}
        self.shuffler = Shuffler(self.table, me, self._source, ahead=ahead)

    def __repr__(self) -> str:
        return f"<Party {self.me} of {self.table.roster.table.hex()}>"

    def _check_others(self, proof: Proof) -> bool | None:
        return proof.name in self._mine or self._check(proof)

    def _trust(self, proof: Proof) -> bool:
        self._mine.add(proof.name)
        return True

    # Taking entries, and answering by itself.

    def take(self, data: bytes) -> bool:
        """Take an entry, from any source. See Table.take."""
        return self.table.take(data)

    @property
    def can_sign(self) -> bool:
        """Return True if all of my feed is read, it has one branch, and it has not ended."""
        table = self.table
        held = table.feeds.feeds[self.me].by_id
        read = table.read[self.me]
        return len(held) == len(read) and not table.over and self.me not in table.ended

    @property
    def asked(self) -> bool:
        """Return True if the table waits for my choice."""
        choosing = self.table.play.phase in (Phase.COMMITTING, Phase.MOVING)
        return choosing and self.can_sign and self.table.owes(self.me)

    def view(self) -> View[Any]:
        """Return the view of my seat; before the seats are drawn, the public view."""
        play = self.table.play
        if self.me not in play.seats:
            return View(play.game, play.state, None, {})
        seat = play.seat(self.me)
        return View(play.game, play.state, seat, self._known(play.state.hands[seat]))

    def answer(self) -> list[bytes]:
        """Sign everything that I owe and that needs no decision; return the new entries."""
        said = []
        while self.can_sign and (due := self._due()) is not None:
            said.append(self._say(*due))
        return said + self.keep_late()

    def keep_late(self) -> list[bytes]:
        """Answer late ballots: a player votes about a step that I have closed.

        I hold the answer that was owed there, so I vote to keep every player.
        """
        if not self.can_sign:
            return []
        late = self.table.late_ballots(self.me)
        return [self._say(entries.VOTE, (number, ()), step) for step, number in late]

    # Decisions of the player.

    def decide(self, move: Move) -> list[bytes]:
        """Play a move. Raises IllegalMove if the rules do not allow it; then nothing is signed."""
        if not self.asked:
            raise LocalProtocolError("turn", "the table does not wait for a choice of yours")
        self._check_move(move)
        play = self.table.play
        if play.phase is Phase.MOVING:
            said = self._say(entries.MOVE, (*self._turn(move), *self.shuffler.hop()))
        else:
            nonce = self._nonce(move)
            hashed = play.commitment(self.me, move, nonce)
            said = self._say(entries.COMMIT, (hashed, *self.shuffler.hop()))
        return [said, *self.answer()]

    def vote(self, *named: int) -> list[bytes]:
        """Answer the running ballot: the named players are not there, or (none) let us wait."""
        table = self.table
        self._check_can_sign()
        if self.me in table.ballots.current or table.ballots.number == limits.BALLOTS_MOST:
            raise LocalProtocolError("ballot", "this ballot is answered already, or it is the last")
        if named and table.play.phase is Phase.SIGNING:
            raise LocalProtocolError("vote", "the game is over, only a signature is missing")
        if named and table.waiting_for != tuple(sorted(named)):
            raise LocalProtocolError("vote", "name exactly the players who owe something")
        if named and not self.can_name(named):
            raise LocalProtocolError("vote", "no vote can drop them; stop the table instead")
        said = self._say(entries.VOTE, (table.ballots.number, tuple(sorted(named))))
        return [said, *self.answer()]

    def can_name(self, players: Sequence[int]) -> bool:
        """Return True if a vote can drop exactly these players, who hold up the step."""
        table = self.table
        seated = table.play.seated
        if table.waiting_for != tuple(sorted(players)) or self.me in players:
            return False
        voters = set(seated) - set(players) - table.ended.keys() - table.accused
        if len(players) == 1:
            return len(voters) >= 2 and table.play.phase is not Phase.SIGNING
        allowed = len(players) <= table.drop and table.play.phase in TOGETHER
        return allowed and 2 * len(voters) > len(seated)

    def leave(self) -> list[bytes]:
        self._check_can_sign()
        return [self._say(entries.LEAVE, ())]

    def stop(self) -> list[bytes]:
        """Give the table up because it cannot go on."""
        self._check_can_sign()
        return [self._say(entries.STOP, ())]

    def _check_can_sign(self) -> None:
        if not self.can_sign:
            raise LocalProtocolError("ended", "there is nothing more to say at this table")

    # Signing entries.

    def _say(self, kind: str, body: Body, step: int | None = None) -> bytes:
        table = self.table
        read = table.read[self.me]
        seen = list(table.heads())
        seen[self.me] = None
        entry = Entry.sign(
            self.identity,
            table=table.feeds.table,
            seq=len(read),
            prev=read[-1].id if read else NOTHING,
            seen=tuple(seen),
            step=table.play.step if step is None else step,
            kind=kind,
            body=body,
        )
        if kind not in entries.BESIDE:
            with suppress(RemoteProtocolError):  # what is bad is found to be bad when it is read
                Judge(table.play, self._trust).judge(self.me, entry)
        table.take(entry.data)
        return entry.data

    def _due(self) -> tuple[str, Body] | None:
        table = self.table
        for forker, first, second in table.unanswered_forks(self.me):
            return entries.FORK, (forker, first.id, second.id)
        if not table.owes(self.me):
            return None
        answers: dict[Phase, Callable[[], tuple[str, Body] | None]] = {
            Phase.SITTING: self._seat,
            Phase.SEATING: self._lot,
            Phase.SHUFFLING: self._shuffle,
            Phase.AGREEING: self._agree,
            Phase.SHARING: self._deal,
            Phase.READYING: self._ready,
            Phase.REVEALING: self._reveal,
            Phase.DRAWING: self._lot,
            Phase.SIGNING: self._agree,
        }
        answer = answers.get(table.play.phase)
        return answer() if answer is not None else None

    def _seat(self) -> tuple[str, Body]:
        transcript = self.table.play.seat_transcript(self.me)
        proof = knowledge.prove(transcript, self._source, self._secret, self._key)
        return entries.SEAT, (group.encode_point(self._key), proof)

    def _lot(self) -> tuple[str, Body]:
        point = self.table.play.lot_point
        [share], proof = self._prove_shares("lot", [point])
        return entries.LOT, (group.encode_point(share), proof, *self.shuffler.hop())

    def _shuffle(self) -> tuple[str, Body] | None:
        body = self.shuffler.owed()
        return None if body is None else (entries.SHUFFLE, body)

    def _agree(self) -> tuple[str, Body]:
        return entries.AGREE, (self.table.play.digest(),)

    def _deal(self) -> tuple[str, Body]:
        play = self.table.play
        return entries.SHARES, self._prove_opening(
            play.bases_owed(self.me), play.slots_owed(self.me)
        )

    def _ready(self) -> tuple[str, Body]:
        return entries.READY, (self.table.play.all_commits(),)

    def _reveal(self) -> tuple[str, Body]:
        """Reveal the move that I committed to: the legal move that fits the commitment."""
        play = self.table.play
        for move in self.view().moves():
            nonce = self._nonce(move)
            if play.commitment(self.me, move, nonce) == play.commits[self.me]:
                decided, shares, proof, claims = self._turn(move)
                return entries.REVEAL, (decided, nonce, shares, proof, claims)
        raise LocalProtocolError("commitment", "this commitment was made with another seed")

    def _nonce(self, move: Move) -> bytes:
        return self._source.nonce("commit", self.table.play.choice(self.me, move))

    # Cards.

    def _open(self, slots: Sequence[Slot]) -> tuple[bytes, bytes]:
        """Return my shares of these cards, and their proof."""
        if not slots:
            return b"", b""
        return self._prove_opening(self.table.play.bases(slots), slots)

    def _prove_opening(self, bases: Sequence[Point], slots: Sequence[Slot]) -> tuple[bytes, bytes]:
        shares, proof = self._prove_shares("shares", bases, slot_bytes(slots))
        return group.encode_points(shares), proof

    def _prove_shares(
        self, name: str, bases: Sequence[Point], *about: bytes
    ) -> tuple[list[Point], bytes]:
        shares = [self._share(base) for base in bases]
        transcript = self.table.play.transcript(name, self.me, *about)
        proof = equality.prove(transcript, self._source, self._secret, self._key, bases, shares)
        return shares, proof

    def _share(self, base: Point) -> Point:
        """Return my secret times a point. It is computed once."""
        if base not in self._shares:
            blind = self._source.scalar("blind", group.encode_point(base))
            self._shares[base] = group.times_secret(base, self._secret, blind)
        return self._shares[base]

    def _known(self, slots: Sequence[Slot]) -> dict[Slot, Face]:
        """Return the faces of those cards of which all shares but mine are public."""
        cards = self.table.play.cards
        known = {}
        for slot in slots:
            if cards.lacking(slot) == [self.me]:
                base = cards.pile(slot).card(slot).a
                if base not in self._faces:
                    self._faces[base] = cards.face(slot, self._share(base))
                known[slot] = self._faces[base]
        return known

    # Moves.

    def _check_move(self, move: Move) -> None:
        for claim in self._claims(move):
            known = self._known(claim.slots)
            if any(face in claim.faces for face in known.values()):
                why = "the hand holds a card that must be played first"
                raise IllegalMove(claim.rule, why)

    def _claims(self, move: Move) -> tuple[Claim, ...]:
        play = self.table.play
        known = self._known(play.state.hands[play.seat(self.me)])
        faces = [known.get(slot, "") for slot in move.cards]
        return play.game.check(play.state, play.seat(self.me), move, faces)

    def _turn(self, move: Move) -> tuple[Value, bytes, bytes, tuple[bytes, ...]]:
        claims = self._claims(move)
        proofs = [self._prove_claim(at, claim) for at, claim in enumerate(claims)]
        return plain(move), *self._open(move.cards), tuple(proofs)

    def _prove_claim(self, at: int, claim: Claim) -> bytes:
        play = self.table.play
        transcript = play.claim_transcript(self.me, at, claim)
        faces = self._known(claim.slots).values()
        witnesses = [play.witness(face, suit) for face in faces for suit in play.suits(claim)]
        cards = play.claimed(claim)
        return off_suit.prove(transcript, self._source, self._secret, cards, witnesses)
