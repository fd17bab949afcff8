"""Both ends of a stream to a relay, and what they say to each other."""

from protocol.crypto.identity import Verifier
from protocol.link.keys import SECRET_SIZE, Access
from protocol.relay.approach import Accepting, Approach, Calling, Registering, Wish
from protocol.relay.frames import LENGTH_SIZE, Message, encode_frame
from protocol.relay.keys import RelayKeys, rendezvous
from protocol.relay.visit import Visit
from tests.protocol.tables import secret

KEYS = RelayKeys(bytes(range(16)))
OTHER_KEYS = RelayKeys(bytes(16))
TABLE = rendezvous(Access(secret=bytes(range(SECRET_SIZE))).psk)
OTHER_TABLE = rendezvous(Access(secret=bytes(SECRET_SIZE)).psk)
NONCE = secret("challenge")

CALL, REGISTER, ACCEPT = Calling(TABLE), Registering(TABLE, KEYS), Accepting(TABLE, KEYS, 3)


def visit(
    *,
    keys: RelayKeys = KEYS,
    nonce: bytes = NONCE,
    known: tuple[bytes, ...] = (TABLE.key,),
) -> Visit:
    return Visit(keys, nonce, lambda key: Verifier(key) if key in known else None)


def hear(end: Visit | Approach, data: bytes) -> list[Message]:
    """What comes of these bytes, read as a stream is read."""
    heard = []
    while data:
        wants = end.wants
        assert wants
        message = end.receive(data[:wants])
        data = data[wants:]
        if message is not None:
            heard.append(message)
    return heard


def asked(wish: Wish, there: Visit | None = None) -> tuple[Approach, Visit, Message]:
    """Both ends when the wish has been heard."""
    there = there or visit()
    here = Approach(wish)
    hear(there, here.pending())
    hear(here, there.pending())
    [message] = hear(there, here.pending())
    return here, there, message


def plain(message: Message) -> bytes:
    """A message without its length."""
    return encode_frame(message)[LENGTH_SIZE:]
