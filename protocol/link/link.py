"""A link: an encrypted connection between two peers over one stream. Bytes in, messages out.

    dialler                                   responder
    preface, [first message of Noise]  ->
                                       <-     [second message of Noise], [identity]
    [identity]                         ->
    [message] …                       <->     [message] …

    preface   "p2pfruit" ‖ version, one byte ‖ key id, eight bytes
    [x]       a frame: the length of x in two bytes, big-endian, then x
    identity  [identity key, instance, opening, signature over the hash of the handshake], as a
              message; the opening is what proves a host (protocol/link/keys.py), elsewhere zeros
    message   cut into pieces; a piece is a byte, 1 if more follow and 0 if not, and up to 65,518
              bytes, encrypted; every piece but the last is full

The rules:

1. A dialler who does not know a key of the responder gets no byte from it.
2. The responder names itself first, because the dialler has shown that it knows the key. The
   dialler checks that identity before it names itself, and may hang up instead.
3. A peer takes no message from the other side before that side has signed this very handshake, in
   its own role.
4. A frame with a length that is not possible at its place is refused before its content arrives. So
   a link holds one frame and one message at the most.
5. Any error kills the link, and it stays dead.

At the entrance of an announced table (protocol/link/codes.py) a stranger may begin otherwise:

    preface, [key, share]              ->
                                       <-     [share]
    [first message of Noise]           ->     … and so on, with the key that both shares make

The preface then has the id of the entrance. A caller who knocks says its key and no share, and its
first message of Noise at once. Rule 1 holds for all who have not heard the announcement.

Players take seats with one key, spectators come with another: see protocol/link/keys.py. A host
shows each of them the salt of their own secret and no other, and at an entrance none.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType

from protocol import limits
from protocol.codec import decode, encode
from protocol.crypto.identity import KEY_SIZE, SIGNATURE_SIZE, Identity, Verifier
from protocol.crypto.noise import BARE_SIZE, TAG_SIZE, Cipher, Handshake
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.link.entrance import HELLO_SIZE, KNOCK_SIZE, SHARE_SIZE, Entry, Run
from protocol.link.keys import KEY_ID_SIZE, NO_OPENING, PSK_SIZE, Expected, key_id, only
from protocol.version import VERSION

INSTANCE_SIZE = 16

MAGIC = b"p2pfruit"
PREFACE_SIZE = len(MAGIC) + 1 + KEY_ID_SIZE

_PROLOGUE = b"p2pfruit link 2\n"
_DIALLER = b"p2pfruit dialler 2\n"
_RESPONDER = b"p2pfruit responder 2\n"

NO_OPENINGS: Mapping[bytes, bytes] = MappingProxyType({})

_LENGTH_SIZE = 2
_LAST, _MORE = b"\0", b"\1"
_PIECE_SIZE_MOST = limits.FRAME_SIZE_MOST - TAG_SIZE - len(_LAST)


class Awaits(Enum):
    """The part of the protocol that a link takes next."""

    PREFACE = auto()
    HELLO = auto()
    TURN = auto()  # nothing: this side answers the hello first
    SHARE = auto()
    FIRST = auto()
    SECOND = auto()
    IDENTITY = auto()
    MESSAGE = auto()
    NOTHING = auto()  # dead


_BARE_IDENTITY = (bytes(KEY_SIZE), bytes(INSTANCE_SIZE), NO_OPENING, bytes(SIGNATURE_SIZE))
_IDENTITY_SIZE = len(_LAST) + len(encode(_BARE_IDENTITY)) + TAG_SIZE

# The possible lengths of a frame. The preface is not a frame.
FRAMES: dict[Awaits, Sequence[int]] = {
    Awaits.HELLO: (KNOCK_SIZE, HELLO_SIZE),
    Awaits.SHARE: (SHARE_SIZE,),
    Awaits.FIRST: (BARE_SIZE,),
    Awaits.SECOND: (BARE_SIZE,),
    Awaits.IDENTITY: (_IDENTITY_SIZE,),
    Awaits.MESSAGE: range(len(_LAST) + TAG_SIZE, limits.FRAME_SIZE_MOST + 1),
}


class Link:
    """One end of a link.

    The caller sends what `pending` and `send` return, in the order of the calls.
    """

    def __init__(
        self,
        *,
        keys: Sequence[bytes],
        identity: Identity,
        instance: bytes,
        ephemeral: bytes,
        dialling: bool,
        expected: Expected | None = None,
        openings: Mapping[bytes, bytes] = NO_OPENINGS,
        entry: Entry | None = None,
        entrance_id: bytes = b"",
    ) -> None:
        """Create one end of a link; a dialler begins the handshake.

        `keys` open the link: a dialler has exactly one, or an `entry` instead. A responder with an
        `entrance_id` also takes callers there: each waits for `admit` when it has said its `hello`.
        `ephemeral` is random, for this link alone.
        `instance` is random, and stays the same as long as this program runs: two programs with one
        identity differ in it. `expected` is called with the identity key and the opening of the
        other side, and says whether to go on; a dialler calls it before it names itself.
        `openings`: what a host says to callers, by the key with which they come.
        """
        if len(instance) != INSTANCE_SIZE:
            raise ValueError("an instance has 16 bytes")
        if any(len(key) != PSK_SIZE for key in (*keys, ephemeral)):
            raise ValueError("a key has 32 bytes")
        self.peer = b""  # the identity key of the other side, once it is proved
        self.peer_instance = b""
        self.key = b""  # the key in use; a responder learns it from the handshake
        self.hello = b""  # of a caller at the entrance
        self.run: Run | None = None  # of a caller at the entrance who was answered
        self._keys = {key_id(key): key for key in keys}
        self._identity = identity
        self._instance = instance
        self._ephemeral = ephemeral
        self._dialling = dialling
        self._expected = expected
        self._openings = openings
        self._entry = entry
        self._entrance_id = entrance_id
        self._received = bytearray()
        self._pending = b""
        self._awaits = Awaits.PREFACE
        self._psk: bytes  # this and the following are set as soon as they are known
        self._handshake: Handshake
        self._hash: bytes
        self._channel: _Channel
        if entry is not None:
            self._dial_entrance(entry)
        elif dialling:
            self._dial()

    @property
    def asks(self) -> bool:
        """Return True if a caller at the entrance waits for `admit`."""
        return self._awaits is Awaits.TURN

    def admit(self, run: Run) -> None:
        """Answer a caller at the entrance."""
        self.run = run
        self._pending = _frame(run.share) if run.share else b""
        self._expected = only(run.caller)
        self._begin(self._entrance_id, run.psk)
        self._awaits = Awaits.FIRST

    @property
    def opened(self) -> bool:
        """Return True if the other side has proved its identity and the link is not dead."""
        return self._awaits is Awaits.MESSAGE

    def pending(self) -> bytes:
        """Return the bytes of the handshake that are to be sent now; each byte is given once."""
        pending, self._pending = self._pending, b""
        return pending

    def send(self, message: bytes) -> bytes:
        """Return the bytes of a message, preceded by pending bytes of the handshake."""
        if self._awaits is Awaits.NOTHING:
            raise LocalProtocolError("dead", "the link is dead")
        if not self.opened:
            raise LocalProtocolError("not-open", "the other side has not yet named itself")
        if len(message) > limits.MESSAGE_SIZE_MOST:
            raise LocalProtocolError(
                "size", f"{len(message)} bytes; at most {limits.MESSAGE_SIZE_MOST} are allowed"
            )
        return self.pending() + self._channel.seal(message)

    def receive(self, data: bytes) -> list[bytes]:
        """Return the messages that are complete now. After an error the link is dead."""
        if self._awaits is Awaits.NOTHING:
            raise RemoteProtocolError("dead", "the link is dead")
        self._received += data
        messages = []
        try:
            while (part := self._part()) is not None:
                message = self._read(part)
                if message is not None:
                    messages.append(message)
        except RemoteProtocolError:
            self._awaits = Awaits.NOTHING
            self._pending = b""
            self._received.clear()
            raise
        return messages

    def _part(self) -> bytes | None:
        """Return the part that is awaited, if all of it has arrived."""
        if self._awaits is Awaits.PREFACE:
            start, size = 0, PREFACE_SIZE
        elif self._awaits is Awaits.TURN or len(self._received) < _LENGTH_SIZE:
            return None
        else:
            start, size = _LENGTH_SIZE, int.from_bytes(self._received[:_LENGTH_SIZE], "big")
            if size not in FRAMES[self._awaits]:
                raise RemoteProtocolError("frame", f"a frame of {size} bytes where none can be")
        end = start + size
        if len(self._received) < end:
            return None
        part = bytes(self._received[start:end])
        del self._received[:end]
        return part

    def _read(self, part: bytes) -> bytes | None:
        match self._awaits:
            case Awaits.PREFACE:
                self._read_preface(part)
            case Awaits.HELLO:
                self.hello = part
                self._awaits = Awaits.TURN
            case Awaits.SHARE:
                self._read_share(part)
            case Awaits.FIRST:
                self._read_first(part)
            case Awaits.SECOND:
                self._handshake.read(part)
                self._split()
            case Awaits.IDENTITY:
                self._read_identity(part)
            case _:
                return self._channel.open(part)
        return None

    def _dial(self) -> None:
        ((id, key),) = self._keys.items()
        self._pending = MAGIC + bytes([VERSION]) + id
        self._say_first(id, key)

    def _dial_entrance(self, entry: Entry) -> None:
        id = entry.entrance.id
        self._expected = only(entry.entrance.host)
        self._pending = MAGIC + bytes([VERSION]) + id + _frame(entry.hello)
        if entry.psk is None:
            self._awaits = Awaits.SHARE
        else:
            self._say_first(id, entry.psk)

    def _read_share(self, share: bytes) -> None:
        assert self._entry is not None
        self._say_first(self._entry.entrance.id, self._entry.answered(share))
        self._entry = None

    def _say_first(self, id: bytes, psk: bytes) -> None:
        self._begin(id, psk)
        self.key = psk
        self._pending += _frame(self._handshake.write())
        self._awaits = Awaits.SECOND

    def _begin(self, id: bytes, psk: bytes) -> None:
        self._psk = psk
        self._handshake = Handshake(
            initiator=self._dialling,
            prologue=_PROLOGUE + bytes([VERSION]) + id,
            psk=psk,
            ephemeral=self._ephemeral,
        )
        self._ephemeral = b""

    def _split(self) -> None:
        """Go over to the channel. Only the hash of the handshake is kept.

        The secrets of the handshake would decrypt everything that follows.
        """
        self._channel = _Channel(*self._handshake.split())
        self._hash = self._handshake.hash
        del self._handshake
        self._awaits = Awaits.IDENTITY

    def _read_preface(self, preface: bytes) -> None:
        if not preface.startswith(MAGIC):
            raise RemoteProtocolError("preface", "the caller is not p2pfruit")
        version, id = preface[len(MAGIC)], preface[-KEY_ID_SIZE:]
        if version != VERSION:
            raise RemoteProtocolError("version", f"a link of version {version}, not {VERSION}")
        if id == self._entrance_id:
            self._awaits = Awaits.HELLO
        elif id in self._keys:
            self._begin(id, self._keys[id])
            self._awaits = Awaits.FIRST
        else:
            raise RemoteProtocolError("stranger", "the key of another table, or of none")

    def _read_first(self, first: bytes) -> None:
        self._handshake.read(first)
        if self.run is not None:
            self.run.confirm(self.run)
        second = self._handshake.write()
        self._split()
        self.key = self._psk
        self._pending = _frame(second) + self._introduction()

    def _introduction(self) -> bytes:
        role = _DIALLER if self._dialling else _RESPONDER
        signature = self._identity.sign(role, self._hash)
        said = (self._identity.key, self._instance, self._opening(), signature)
        return self._channel.seal(encode(said))

    def _opening(self) -> bytes:
        """Return what proves a host to this caller: one at the entrance comes with no such key."""
        if self._dialling:
            return NO_OPENING
        return self._openings.get(self._psk, NO_OPENING)

    def _read_identity(self, frame: bytes) -> None:
        said = self._channel.open(frame) or b""  # the frame is too short to begin a longer message
        match decode(said, _IDENTITY_SIZE):
            case (bytes(key), bytes(instance), bytes(opening), bytes(signature)) if (
                len(instance) == INSTANCE_SIZE
                and len(opening) == len(NO_OPENING)
                and (self._dialling or opening == NO_OPENING)
            ):
                self._check_identity(key, instance, opening, signature)
            case _:
                raise RemoteProtocolError("identity", "not an identity")
        if self._dialling:
            self._pending += self._introduction()
        self.peer, self.peer_instance = key, instance
        self._awaits = Awaits.MESSAGE

    def _check_identity(
        self, key: bytes, instance: bytes, opening: bytes, signature: bytes
    ) -> None:
        role = _RESPONDER if self._dialling else _DIALLER
        if not Verifier(key).signed(signature, role, self._hash):
            raise RemoteProtocolError("signature", "the identity is not signed for this link")
        if key == self._identity.key:
            if instance == self._instance:
                raise RemoteProtocolError("self", "the other side of the link is this program")
            raise RemoteProtocolError("twin", "another program runs with the same identity")
        if self._expected is not None and not self._expected(key, opening):
            raise RemoteProtocolError("unexpected", "the other side is not who was expected")


class _Channel:
    """The link after the handshake: messages are cut into pieces, and keys change."""

    def __init__(self, sending: Cipher, receiving: Cipher) -> None:
        self._sending = sending
        self._receiving = receiving
        self._begun = b""  # the beginning of a message of which more pieces follow

    def seal(self, message: bytes) -> bytes:
        cuts = range(0, max(len(message), 1), _PIECE_SIZE_MOST)
        frames = []
        for at in cuts:
            flag = _LAST if at == cuts[-1] else _MORE
            piece = message[at : at + _PIECE_SIZE_MOST]
            frames.append(_frame(self._sending.encrypt(flag + piece)))
            _rekey_if_due(self._sending)
        return b"".join(frames)

    def open(self, frame: bytes) -> bytes | None:
        """Return the message that this frame completes, or None if more pieces follow."""
        plain = self._receiving.decrypt(frame)
        _rekey_if_due(self._receiving)
        flag, piece = plain[:1], plain[1:]
        if len(self._begun) + len(piece) > limits.MESSAGE_SIZE_MOST:
            raise RemoteProtocolError(
                "size", f"a message of more than {limits.MESSAGE_SIZE_MOST} bytes"
            )
        if flag == _MORE and len(piece) == _PIECE_SIZE_MOST:
            self._begun += piece
            return None
        if flag != _LAST or (self._begun and not piece):
            raise RemoteProtocolError("piece", "a message that is cut in another way")
        message, self._begun = self._begun + piece, b""
        return message


def _rekey_if_due(cipher: Cipher) -> None:
    if cipher.nonce % limits.REKEY_FRAMES == 0:
        cipher.rekey()


def _frame(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH_SIZE, "big") + data
