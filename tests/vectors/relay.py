"""One end of a stream to a relay, with every secret fixed: what it hears, and what it says to that.

`wish` says which end it is: that of the relay (empty), or of one who wants to `register`, `call` or
`accept`. PROOF: a host without the line of the relay. SIGNATURE: not that of the rendezvous.
"""

from collections.abc import Iterator

from protocol.crypto.identity import Verifier
from protocol.errors import RemoteProtocolError
from protocol.link.keys import Access
from protocol.relay import frames
from protocol.relay.approach import Accepting, Approach, Calling, Registering, Wish
from protocol.relay.frames import Challenge, Message, encode_frame
from protocol.relay.keys import RelayKeys, rendezvous
from protocol.relay.visit import PREFACE, Visit
from tests.protocol.tables import secret
from tests.vectors.cases import FORM, GOOD, PROOF, SIGNATURE, Case

SECRET, RELAY_SECRET = bytes(range(16)), bytes(range(16, 32))
KEYS = RelayKeys(RELAY_SECRET)
KEY = Access(secret=SECRET).psk
TABLE = rendezvous(KEY)
NONCE = secret("challenge of a relay")
NUMBER = 3
STAGES = {"stranger": PROOF, "signature": SIGNATURE}
WISHES = ("register", "call", "accept")


def _end(wish: str) -> Case:
    return {
        "wish": wish,
        "key": KEY.hex(),
        "relay_secret": RELAY_SECRET.hex(),
        "nonce": NONCE.hex(),
        "number": NUMBER,
    }


def make() -> list[Case]:
    return [*_good(), *_bad_visitors(), *_bad_relays()]


def _answers(wish: str) -> bytes:
    """What the relay says after a wish that it grants."""
    if wish != "register":
        return encode_frame(frames.Go())
    caller = frames.Caller(NUMBER, bytes(range(8)))
    heard: list[Message] = [frames.Registered(), caller, frames.Gone(NUMBER)]
    return b"".join(map(encode_frame, heard))


def _good() -> Iterator[Case]:
    challenge = encode_frame(Challenge(KEYS.id, NONCE))
    for wish in WISHES:
        case = _end(wish) | {"received": [challenge.hex(), _answers(wish).hex()]}
        sent = _talk(case)
        yield {
            "name": f"one who wants to {wish}",
            **case,
            "sent": [part.hex() for part in sent],
            "relay_id": KEYS.id.hex(),
            "rendezvous": TABLE.key.hex(),
            "expect": GOOD,
        }
        heard = _end("") | {"received": [part.hex() for part in sent]}
        yield {
            "name": f"a relay that hears: {wish}",
            **heard,
            "sent": [challenge.hex()],
            "expect": GOOD,
        }


def _bad_visitors() -> Iterator[Case]:
    others = RelayKeys(bytes(16))

    def asked(wish: str, keys: RelayKeys = KEYS, nonce: bytes = NONCE, key: bytes = KEY) -> Message:
        return _wish(wish, key, keys).answer(Challenge(keys.id, nonce))

    good = {wish: asked(wish) for wish in WISHES}
    other = {wish: asked(wish, key=Access(secret=bytes(16)).psk) for wish in WISHES}
    for wish in WISHES:
        missing = SIGNATURE if wish == "call" else PROOF
        for name, message, expect in (
            (f"{wish} for another challenge", asked(wish, nonce=bytes(32)), missing),
            (f"{wish} for another relay", asked(wish, others), missing),
            (f"{wish} by another key", _signed_by(good[wish], other[wish]), SIGNATURE),
        ):
            yield _bad(name, "", [PREFACE, encode_frame(message)], expect)
    call, neutral = encode_frame(good["call"]), bytes([1, *bytes(31)])
    for name, received, expect in (
        ("a link", [b"p2pfruit\2"], FORM),
        ("another version", [PREFACE[:-1] + b"\1"], FORM),
        ("another table", [PREFACE, encode_frame(other["call"])], FORM),
        ("a call with a key of small order", [PREFACE, call.replace(TABLE.key, neutral)], FORM),
        ("bytes after a call", [PREFACE, call + b"p"], FORM),
        ("a message that is no wish", [PREFACE, encode_frame(frames.Ping(1))], FORM),
        ("an empty frame", [PREFACE, bytes(2)], FORM),
        ("a frame too long", [PREFACE, b"\0\xa1"], FORM),
    ):
        yield _bad(name, "", received, expect)


def _signed_by(message: Message, other: Message) -> Message:
    assert isinstance(message, frames.Register | frames.Call | frames.Accept)
    assert isinstance(other, frames.Register | frames.Call | frames.Accept)
    return message._replace(signature=other.signature)


def _bad_relays() -> Iterator[Case]:
    challenge = encode_frame(Challenge(KEYS.id, NONCE))
    another = encode_frame(Challenge(RelayKeys(bytes(16)).id, NONCE))
    for name, wish, received in (
        ("another relay than that of the line", "register", [another]),
        ("another relay for an accept", "accept", [another]),
        ("an answer before the challenge", "call", [encode_frame(frames.Go())]),
        ("the answer to another wish", "call", [challenge, encode_frame(frames.Registered())]),
        ("an unknown reason", "call", [challenge, b"\0\x06\x92\xa2no\xa1x"]),
        ("a second challenge", "call", [challenge, challenge]),
    ):
        yield _bad(name, wish, received, FORM)


def _bad(name: str, wish: str, received: list[bytes], expect: str) -> Case:
    return {
        "name": name,
        **_end(wish),
        "received": [part.hex() for part in received],
        "expect": expect,
    }


def _wish(wish: str, key: bytes, keys: RelayKeys) -> Wish:
    table = rendezvous(key)
    if wish == "call":
        return Calling(table)
    return Registering(table, keys) if wish == "register" else Accepting(table, keys, NUMBER)


def _talk(case: Case) -> list[bytes]:
    """What an end says."""
    keys, key = RelayKeys(bytes.fromhex(case["relay_secret"])), bytes.fromhex(case["key"])
    known = rendezvous(key).key
    end: Visit | Approach
    if case["wish"]:
        end = Approach(_wish(case["wish"], key, keys))
    else:
        nonce = bytes.fromhex(case["nonce"])
        end = Visit(keys, nonce, lambda asked: Verifier(asked) if asked == known else None)
    sent = [end.pending()]
    for text in case["received"]:
        part = bytes.fromhex(text)
        while part:
            taken = end.wants
            end.receive(part[:taken])
            part = part[taken:]
        sent.append(end.pending())
    return [part for part in sent if part]


def check(case: Case) -> str:
    try:
        sent = _talk(case)
    except RemoteProtocolError as error:
        return STAGES.get(error.code, FORM)
    keys = RelayKeys(bytes.fromhex(case["relay_secret"]))
    found = {
        "sent": [part.hex() for part in sent],
        "relay_id": keys.id.hex(),
        "rendezvous": rendezvous(bytes.fromhex(case["key"])).key.hex(),
    }
    good = all(case.get(name, value) == value for name, value in found.items())
    return GOOD if good else PROOF
