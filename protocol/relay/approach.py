"""One stream to a relay, at the end that opened it.

    state       takes                        goes to
    CHALLENGE   challenge                    ANSWER, and what is wanted is sent, signed
    ANSWER      go (a call, an accept)       THROUGH: all that follows is the other peer's
                registered (a registration)  CONTROL
                no                           OVER
    CONTROL     caller, gone, pong           CONTROL
                no                           OVER

What is not in the table is refused. A host knows the relay's id from its line, and signs for no
other relay. A caller knows an address only, and signs for whatever relay is there: that relay could
pass it on to another one, where it can do no more than any relay.
"""

from enum import Enum, auto
from typing import Protocol

from protocol.crypto.identity import Identity
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.relay.frames import (
    Accept,
    Call,
    Caller,
    Challenge,
    Go,
    Gone,
    Message,
    No,
    Ping,
    Pong,
    Reader,
    Refuse,
    Register,
    Registered,
    encode_frame,
    parse_message,
)
from protocol.relay.keys import RelayKeys, Role, Statement
from protocol.relay.visit import PREFACE


class State(Enum):
    CHALLENGE = auto()
    ANSWER = auto()
    THROUGH = auto()
    CONTROL = auto()
    OVER = auto()


class Wish(Protocol):
    """What one end wants of the relay."""

    @property
    def role(self) -> Role: ...

    def answer(self, challenge: Challenge) -> Message:
        """Return the wish, signed for this challenge. Raises RemoteProtocolError."""


class Calling:
    """A caller wants to be joined with the host of a table."""

    role = Role.CALL

    def __init__(self, rendezvous: Identity) -> None:
        self._rendezvous = rendezvous

    def answer(self, challenge: Challenge) -> Message:
        said = _statement(self.role, challenge, self._rendezvous)
        return Call(self._rendezvous.key, said.sign(self._rendezvous))


class Registering:
    """A host wants to hear of callers."""

    role = Role.REGISTER

    def __init__(self, rendezvous: Identity, keys: RelayKeys) -> None:
        self._rendezvous = rendezvous
        self._keys = keys

    def answer(self, challenge: Challenge) -> Message:
        _check_relay(challenge, self._keys)
        said = _statement(self.role, challenge, self._rendezvous)
        signature, proof = said.sign(self._rendezvous), self._keys.prove(said)
        return Register(self._rendezvous.key, signature, proof)


class Accepting:
    """A host comes for the caller with this number."""

    role = Role.ACCEPT

    def __init__(self, rendezvous: Identity, keys: RelayKeys, number: int) -> None:
        self._rendezvous = rendezvous
        self._keys = keys
        self._number = number

    def answer(self, challenge: Challenge) -> Message:
        _check_relay(challenge, self._keys)
        said = _statement(self.role, challenge, self._rendezvous, self._number)
        signature, proof = said.sign(self._rendezvous), self._keys.prove(said)
        return Accept(self._rendezvous.key, self._number, signature, proof)


def _check_relay(challenge: Challenge, keys: RelayKeys) -> None:
    if challenge.relay != keys.id:
        raise RemoteProtocolError("relay", "another relay than that of the line")


def _statement(
    role: Role, challenge: Challenge, rendezvous: Identity, number: int = 0
) -> Statement:
    return Statement(
        role=role,
        relay=challenge.relay,
        nonce=challenge.nonce,
        key=rendezvous.key,
        number=number,
    )


_JOINED: dict[type, State] = {Go: State.THROUGH, No: State.OVER}
_LISTED: dict[type, State] = {Registered: State.CONTROL, No: State.OVER}
_NEXT: dict[tuple[State, Role], dict[type, State]] = {
    **{(State.CHALLENGE, role): {Challenge: State.ANSWER} for role in Role},
    (State.ANSWER, Role.CALL): _JOINED,
    (State.ANSWER, Role.ACCEPT): _JOINED,
    (State.ANSWER, Role.REGISTER): _LISTED,
    (State.CONTROL, Role.REGISTER): {
        Caller: State.CONTROL,
        Gone: State.CONTROL,
        Pong: State.CONTROL,
        No: State.OVER,
    },
}


class Approach:
    """The caller sends what `pending` and `say` return, and reads `wants` bytes at most."""

    def __init__(self, wish: Wish) -> None:
        self.state = State.CHALLENGE
        self._wish = wish
        self._reader = Reader()
        self._pending = PREFACE

    @property
    def wants(self) -> int:
        """Return how many bytes to read at most; 0 when the exchange is over."""
        return self._reader.wants if (self.state, self._wish.role) in _NEXT else 0

    def pending(self) -> bytes:
        """Return the bytes that are to be sent now; each byte is given once."""
        pending, self._pending = self._pending, b""
        return pending

    def say(self, message: Ping | Refuse) -> bytes:
        """Return the bytes of a message to the relay at which this host is registered."""
        if self.state is not State.CONTROL:
            raise LocalProtocolError("not-registered", "the relay does not know this host")
        return encode_frame(message)

    def receive(self, data: bytes) -> Message | None:
        """Return the message that is complete now. After an error the stream is to be closed."""
        steps = _NEXT.get((self.state, self._wish.role))
        if steps is None:
            raise RemoteProtocolError("dead", "the exchange with the relay is over")
        try:
            part = self._reader.take(data)
            if part is None:
                return None
            message = parse_message(part)
            if type(message) not in steps:
                raise RemoteProtocolError("message", "not a message for this moment")
            if isinstance(message, Challenge):
                self._pending = encode_frame(self._wish.answer(message))
        except RemoteProtocolError:
            self.state = State.OVER
            raise
        self.state = steps[type(message)]
        return message
