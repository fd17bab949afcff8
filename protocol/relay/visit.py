"""One stream at the relay: its other end says what it wants, once, and shows that it may.

    state      takes                      goes to
    PREFACE    the preface                ASK, and the challenge is sent
    ASK        register, call, accept     ASKED
    ASKED      nothing                    CONTROL when `registered` is called, else it is joined
    CONTROL    ping, refuse               CONTROL

What is not in the table is refused, and a refusal ends the stream. A register or accept is checked
in this order: the proof that its sender has the relay's line, the key, the signature. So a stranger
costs a hash and no more. A call is looked up first, because whoever calls has no line.
"""

from collections.abc import Callable
from enum import Enum, auto

from protocol.crypto.identity import Verifier
from protocol.errors import RemoteProtocolError
from protocol.relay import frames
from protocol.relay.frames import (
    Accept,
    Call,
    Challenge,
    Message,
    No,
    Ping,
    Reader,
    Refuse,
    Register,
    encode_frame,
    parse_message,
)
from protocol.relay.keys import RelayKeys, Role, Statement
from protocol.version import VERSION

PREFACE = b"p2prelay" + bytes([VERSION])

Known = Callable[[bytes], Verifier | None]


class State(Enum):
    PREFACE = auto()
    ASK = auto()
    ASKED = auto()
    CONTROL = auto()
    DEAD = auto()


_TAKES: dict[State, tuple[type, ...]] = {
    State.ASK: (Register, Call, Accept),
    State.CONTROL: (Ping, Refuse),
}


class Visit:
    """`known` returns the checker of a rendezvous at which a host is registered."""

    def __init__(self, keys: RelayKeys, nonce: bytes, known: Known) -> None:
        self.verifier: Verifier | None = None  # of the rendezvous, once it was asked for
        self._keys = keys
        self._nonce = nonce
        self._known = known
        self._state = State.PREFACE
        self._reader = Reader(len(PREFACE))
        self._pending = b""

    @property
    def wants(self) -> int:
        """Return how many bytes to read at most."""
        return self._reader.wants

    def pending(self) -> bytes:
        """Return the bytes that are to be sent now; each byte is given once.

        After a refusal these are the last words, if there are any.
        """
        pending, self._pending = self._pending, b""
        return pending

    def registered(self) -> None:
        """Go on as the stream of a registered host."""
        self._state = State.CONTROL

    def receive(self, data: bytes) -> Message | None:
        """Return the message that is complete now. After an error the stream is to be closed."""
        if self._state is State.DEAD:
            raise RemoteProtocolError("dead", "the stream has ended")
        try:
            return self._receive(data)
        except RemoteProtocolError:
            self._state = State.DEAD
            raise

    def _receive(self, data: bytes) -> Message | None:
        if self._state is State.ASKED:
            raise RemoteProtocolError("early", "bytes before the streams are joined")
        part = self._reader.take(data)
        if part is None:
            return None
        if self._state is State.PREFACE:
            self._check_preface(part)
            return None
        message = parse_message(part)
        if not isinstance(message, _TAKES[self._state]):
            raise RemoteProtocolError("message", "not a message for this moment")
        if isinstance(message, Register | Call | Accept):
            self._check(message)
            self._state = State.ASKED
        return message

    def _check_preface(self, preface: bytes) -> None:
        if preface[:-1] != PREFACE[:-1]:
            raise RemoteProtocolError("preface", "the caller does not ask for a relay")
        if preface != PREFACE:
            raise RemoteProtocolError("version", f"a relay of version {preface[-1]}, not {VERSION}")
        self._state = State.ASK
        self._pending = encode_frame(Challenge(self._keys.id, self._nonce))

    def _check(self, ask: Register | Call | Accept) -> None:
        role, number = Role.CALL, 0
        if isinstance(ask, Register):
            role = Role.REGISTER
        elif isinstance(ask, Accept):
            role, number = Role.ACCEPT, ask.number
        said = Statement(
            role=role, relay=self._keys.id, nonce=self._nonce, key=ask.key, number=number
        )
        if not isinstance(ask, Call) and not self._keys.is_proved(said, ask.proof):
            self._pending = encode_frame(No(frames.STRANGER))
            raise RemoteProtocolError("stranger", "a host without the line of this relay")
        self.verifier = Verifier(ask.key) if role is Role.REGISTER else self._known(ask.key)
        if self.verifier is None or not said.is_signed(self.verifier, ask.signature):
            # A caller without the key does not learn whether somebody is registered there.
            self._pending = encode_frame(No(frames.NOBODY))
            code = "nobody" if self.verifier is None else "signature"
            raise RemoteProtocolError(code, "no such table, or no key to it")
