"""The messages between a relay and those who come to it. Each is a list [kind, …] in the codec.

    challenge [relay, nonce]                  the relay's id, and what is to be signed
    register [key, signature, proof]          a host wants to be called at this rendezvous
    call [key, signature]                     a caller wants to be joined with the host there
    accept [key, number, signature, proof]    a host has come for the caller with this number
    registered []                             the host will hear of callers over this stream
    go []                                     from here on the stream is the other peer's
    no [code]                                 the relay closes this stream

Over the stream of a registered host:

    caller [number, tag]     somebody waits; the tag is the same for the same address
    gone [number]            waits no longer
    refuse [number]          the host does not want this caller now
    ping [n], pong [n]       the host asks whether the relay is there

A frame is the length of a message in two bytes, big-endian, and the message.
"""

from typing import Any, NamedTuple

from protocol import limits
from protocol.codec import decode, encode
from protocol.crypto.identity import KEY_SIZE, SIGNATURE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.relay.keys import NONCE_SIZE, PROOF_SIZE, RELAY_ID_SIZE

TAG_SIZE = 8
LENGTH_SIZE = 2

# Why a relay closes a stream.
NOBODY = "nobody"  # no host is registered at this rendezvous
STRANGER = "stranger"  # the host does not have the line of this relay
SILENT = "silent"  # the host does not come for the caller
BUSY = "busy"  # the host has too many callers
FULL = "full"  # the relay has too many tables, callers or streams
GONE = "gone"  # the caller waits no longer
REPLACED = "replaced"  # the same rendezvous was registered again
BYTES = "bytes"  # the relay carries no more today
TIME = "time"  # the stream has lasted for as long as one may
FLOOD = "flood"
CODES = (NOBODY, STRANGER, SILENT, BUSY, FULL, GONE, REPLACED, BYTES, TIME, FLOOD)


class Challenge(NamedTuple):
    relay: bytes
    nonce: bytes


class Register(NamedTuple):
    key: bytes
    signature: bytes
    proof: bytes


class Call(NamedTuple):
    key: bytes
    signature: bytes


class Accept(NamedTuple):
    key: bytes
    number: int
    signature: bytes
    proof: bytes


class Registered(NamedTuple):
    pass


class Go(NamedTuple):
    pass


class No(NamedTuple):
    code: str


class Caller(NamedTuple):
    number: int
    tag: bytes


class Gone(NamedTuple):
    number: int


class Refuse(NamedTuple):
    number: int


class Ping(NamedTuple):
    number: int


class Pong(NamedTuple):
    number: int


Message = (
    Challenge | Register | Call | Accept | Registered | Go | No
    | Caller | Gone | Refuse | Ping | Pong
)  # fmt: skip

# Of each kind: its fields, as a number, a text, or so many bytes.
_NUMBER, _TEXT = -1, -2
_FORMS: dict[str, tuple[type[Any], tuple[int, ...]]] = {
    "challenge": (Challenge, (RELAY_ID_SIZE, NONCE_SIZE)),
    "register": (Register, (KEY_SIZE, SIGNATURE_SIZE, PROOF_SIZE)),
    "call": (Call, (KEY_SIZE, SIGNATURE_SIZE)),
    "accept": (Accept, (KEY_SIZE, _NUMBER, SIGNATURE_SIZE, PROOF_SIZE)),
    "registered": (Registered, ()),
    "go": (Go, ()),
    "no": (No, (_TEXT,)),
    "caller": (Caller, (_NUMBER, TAG_SIZE)),
    "gone": (Gone, (_NUMBER,)),
    "refuse": (Refuse, (_NUMBER,)),
    "ping": (Ping, (_NUMBER,)),
    "pong": (Pong, (_NUMBER,)),
}
_KINDS = {form: kind for kind, (form, _) in _FORMS.items()}


def encode_frame(message: Message) -> bytes:
    data = encode((_KINDS[type(message)], *message))
    return len(data).to_bytes(LENGTH_SIZE, "big") + data


def parse_message(data: bytes) -> Message:
    match decode(data, limits.RELAY_MESSAGE_SIZE_MOST):
        case (str(kind), *body) if kind in _FORMS:
            form, sizes = _FORMS[kind]
        case _:
            raise RemoteProtocolError("message", "not a message of a relay")
    if len(body) != len(sizes) or not all(map(_fits, body, sizes)):
        raise RemoteProtocolError("message", f"{kind} has other fields")
    message: Message = form(*body)
    if isinstance(message, No) and message.code not in CODES:
        raise RemoteProtocolError("message", "an unknown reason")
    return message


def _fits(value: object, size: int) -> bool:
    if size == _NUMBER:
        return type(value) is int
    if size == _TEXT:
        return type(value) is str
    return type(value) is bytes and len(value) == size


class Reader:
    """Takes frames from a stream, after a preface of `preface_size` bytes if there is one.

    Whoever reads from the stream gives it `wants` bytes at most, so that no byte is taken of what
    follows the last frame.
    """

    def __init__(self, preface_size: int = 0) -> None:
        self._held = b""
        self._size = preface_size  # of the part that is awaited, or 0 for the length of a frame

    @property
    def wants(self) -> int:
        return (self._size or LENGTH_SIZE) - len(self._held)

    def take(self, data: bytes) -> bytes | None:
        """Return the preface or the message that these bytes complete, or None."""
        if len(data) > self.wants:
            raise ValueError("more bytes than were wanted")
        self._held += data
        if self.wants:
            return None
        part, self._held = self._held, b""
        if self._size:
            self._size = 0
            return part
        size = int.from_bytes(part, "big")
        if not 0 < size <= limits.RELAY_MESSAGE_SIZE_MOST:
            raise RemoteProtocolError("frame", f"a frame of {size} bytes")
        self._size = size
        return None
