"""Notes: signed statements beside the feeds. No rule of the game and no proof depends on them.

    note     64 bytes of signature, then the content
    content  [version, table, author, number, kind, body]

    chat [text]        a line of chat for everyone at the table
    at [addresses]     the addresses at which my peer listens; the last such note counts
    done [hash]        I hold the whole game, and this is the hash of its file
    asked [step, who]  I am asked about these players, who are late in this step; none: I wait
    after [wish]       the table is over, I am still here, and this is what I want now

`number` grows with every note of its author, so an old note is never taken for a newer one. The
last few lines of chat are kept, and the last note of every other kind. Each author may send only so
many notes of a kind in a while. Any more are dropped here and not passed on, no matter which peer
carried them.
"""

from collections import deque
from typing import NamedTuple, Self

from protocol import limits
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import SIGNATURE_SIZE, Identity, Verifier
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import ID_SIZE
from protocol.feed.roster import Roster
from protocol.table.judging import fields
from protocol.version import VERSION

CHAT = "chat"
AT = "at"
DONE = "done"
ASKED = "asked"
AFTER = "after"
KINDS = (CHAT, AT, DONE, ASKED, AFTER)

# What a player may want after a game. Other words mean no more than STAY to a peer that does not
# know them.
STAY = "stay"
AGAIN = "again"
LEAVE = "leave"

_LABEL = b"p2pfruit note 2\n"


class Note(NamedTuple):
    table: bytes
    author: bytes
    number: int
    kind: str
    body: tuple[Value, ...]
    data: bytes

    @classmethod
    def sign(cls, identity: Identity, table: bytes, number: int, kind: str, *body: Value) -> Self:
        content = encode((VERSION, table, identity.key, number, kind, body))
        signed = identity.sign(_LABEL, content) + content
        return cls(table, identity.key, number, kind, body, signed)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        if len(data) > limits.NOTE_SIZE_MOST:
            raise RemoteProtocolError("size", f"a note has at most {limits.NOTE_SIZE_MOST} bytes")
        match decode(data[SIGNATURE_SIZE:], limits.NOTE_SIZE_MOST):
            case (int(version), bytes(table), bytes(author), int(number), str(kind), tuple(body)):
                pass
            case _:
                raise RemoteProtocolError("note", "not a note")
        if type(version) is not int or version != VERSION or type(number) is not int:
            raise RemoteProtocolError("note", f"not a note of version {VERSION}")
        _check_body(kind, body)
        return cls(table, author, number, kind, body, data)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of a note of kind AT."""
        [addresses] = self.body
        assert isinstance(addresses, tuple)
        return tuple([str(address) for address in addresses])

    @property
    def question(self) -> tuple[int, tuple[int, ...]]:
        """Return the step and the players of a note of kind ASKED."""
        step, players = self.body
        assert isinstance(step, int)
        assert isinstance(players, tuple)
        return step, tuple([player for player in players if isinstance(player, int)])


def _check_body(kind: str, body: tuple[Value, ...]) -> None:
    if kind == CHAT:
        [text] = fields(body, str)
        if not 0 < len(text) <= limits.CHAT_LENGTH_MOST:
            raise RemoteProtocolError("note", "a line of chat is empty or too long")
    elif kind == AT:
        [addresses] = fields(body, tuple)
        strings = all(type(item) is str for item in addresses)
        if not strings or len(addresses) > limits.ADDRESSES_MOST:
            raise RemoteProtocolError("note", "not a short list of addresses")
        if any(len(item) > limits.ADDRESS_LENGTH_MOST for item in addresses):
            raise RemoteProtocolError("note", "an address is too long to be one")
    elif kind == DONE:
        [digest] = fields(body, bytes)
        if len(digest) != ID_SIZE:
            raise RemoteProtocolError("note", "the hash of a file has 32 bytes")
    elif kind == ASKED:
        _step, players = fields(body, int, tuple)
        numbers = all(type(player) is int for player in players)
        if not numbers or list(players) != sorted(set(players)):
            raise RemoteProtocolError("note", "not a list of players in ascending order")
    elif kind == AFTER:
        [wish] = fields(body, str)
        if not 0 < len(wish) <= limits.WORD_LENGTH_MOST:
            raise RemoteProtocolError("note", "a wish is one short word")
    else:
        raise RemoteProtocolError("note", "a note of an unknown kind")


def check_chat(text: str, *, chatting: bool) -> None:
    """Raise LocalProtocolError if this line cannot be said. `chatting`: as for Notes."""
    if not chatting:
        raise LocalProtocolError("chat", "this table plays in silence")
    if not 0 < len(text) <= limits.CHAT_LENGTH_MOST:
        raise LocalProtocolError("chat", f"say 1 to {limits.CHAT_LENGTH_MOST} letters at once")


class Budget:
    """The number of lines, or of notes of one kind, that an author may still send now."""

    def __init__(self) -> None:
        self.left = limits.NOTES_AT_ONCE_MOST
        self._counted_ms = 0

    def look(self, now_ms: int) -> bool:
        """Return True if this author may send another one now."""
        earned = (now_ms - self._counted_ms) // limits.NOTE_EVERY_MS
        self.left = min(self.left + earned, limits.NOTES_AT_ONCE_MOST)
        self._counted_ms += earned * limits.NOTE_EVERY_MS
        return self.left > 0


class _Said:
    """The notes that are kept of one author."""

    def __init__(self, verifier: Verifier) -> None:
        self.verifier = verifier
        self.last = -1  # the number of its last note
        self.latest: dict[str, Note] = {}
        self.chats: deque[Note] = deque(maxlen=limits.CHATS_KEPT)
        self.budgets = {kind: Budget() for kind in KINDS}


class Notes:
    """The notes of a table. `chatting` is False at a table without chat."""

    def __init__(self, roster: Roster, *, chatting: bool = True) -> None:
        self._chatting = chatting
        self._table = roster.table
        self._roster = roster
        self._said = [_Said(Verifier(player.key)) for player in roster.players]

    def accept(self, data: bytes, now_ms: int) -> tuple[int, Note] | None:
        """Keep a note and return it with its player.

        Returns None if the note is not new, one too many, or not wanted.
        """
        note = Note.decode(data)
        player = self._roster.find(note.author)
        if note.table != self._table:
            raise RemoteProtocolError("table", "a note of another table")
        if player is None:
            raise RemoteProtocolError("note", "a note by no player of the table")
        if note.kind == ASKED and not set(note.question[1]) <= set(range(len(self._said))):
            raise RemoteProtocolError("note", "a note about players of another table")
        said = self._said[player]
        budget = said.budgets[note.kind]
        unwanted = note.kind == CHAT and not self._chatting
        if unwanted or note.number <= said.last or not budget.look(now_ms):
            return None
        if not said.verifier.signed(data[:SIGNATURE_SIZE], _LABEL, data[SIGNATURE_SIZE:]):
            raise RemoteProtocolError("signature", "the signature is not its author's")
        budget.left -= 1
        self._keep(said, note)
        return player, note

    def add(self, note: Note) -> None:
        """Keep a note that this peer has signed itself."""
        player = self._roster.find(note.author)
        assert player is not None
        self._keep(self._said[player], note)

    def _keep(self, said: _Said, note: Note) -> None:
        said.last = note.number
        if note.kind == CHAT:
            said.chats.append(note)
        else:
            said.latest[note.kind] = note

    def number(self, player: int, wanted: int) -> int:
        """Return a number for this player's next note: `wanted`, unless the clock went back."""
        return max(wanted, self._said[player].last + 1)

    def latest(self, player: int, kind: str) -> Note | None:
        return self._said[player].latest.get(kind)

    def wish(self, player: int) -> str | None:
        """Return what a player wants after the game; None if it has not said that it stays."""
        note = self.latest(player, AFTER)
        return None if note is None else str(note.body[0])

    def stays(self, player: int) -> bool:
        """Return True if a player has said that it is still here after the game."""
        return self.wish(player) not in (None, LEAVE)

    def kept(self) -> list[Note]:
        """Return all kept notes, for a peer that has just connected, in each author's order."""
        return [
            note
            for said in self._said
            for note in sorted([*said.chats, *said.latest.values()], key=lambda note: note.number)
        ]
