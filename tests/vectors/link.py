"""One end of a link, with every secret fixed: what it hears, and exactly what it says to that.

`received` is what comes, part by part; `sent` is what the end says: first of its own accord, then
after each part, then for each message of `said`. A message that is said is [bytes, how often these
are repeated in it, how often it is said]; where that is long, `sent_hash` is the SHA-256 of all
that is sent. A responder with a `salt` hosts, a dialler wants the host. PROOF: a cipher does not
open, or the end says something else.
"""

from collections.abc import Iterator
from hashlib import sha256

from protocol import limits
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.link.keys import Access, key_id
from protocol.link.link import Link
from tests.protocol.link.links import (
    ACCESS,
    ALICE,
    BOB,
    LAST,
    MALLORY,
    MORE,
    OPENINGS,
    WATCHING,
    Puppet,
    connect,
    dialler,
    frame,
    instance,
    responder,
)
from tests.protocol.tables import secret
from tests.vectors.cases import FORM, GOOD, PROOF, SIGNATURE, Case

STAGES = {"cipher": PROOF, "signature": SIGNATURE, "unexpected": SIGNATURE}

DIALLER: Case = {
    "dialling": True,
    "watching": False,
    "secret": ACCESS.secret.hex(),
    "identity": secret("alice").hex(),
    "instance": instance("alice").hex(),
    "ephemeral": secret("dialler").hex(),
}
RESPONDER: Case = {
    "dialling": False,
    "salt": ACCESS.salt.hex(),
    "secret": ACCESS.secret.hex(),
    "identity": secret("bob").hex(),
    "instance": instance("bob").hex(),
    "ephemeral": secret("responder").hex(),
}
SPECTATOR: Case = DIALLER | {"watching": True, "secret": WATCHING.secret.hex()}

SHORT = [["666967", 1, 1], ["706c756d", 75, 1]]
LONG = [["666967", 30_000, 1], ["706c756d", 1, limits.REKEY_FRAMES]]


def make() -> list[Case]:
    return [*_good(), *_strangers(), *_liars()]


def _good() -> Iterator[Case]:
    one, other = dialler(), responder(openings=OPENINGS)
    hello, answer, identity = connect(one, other)
    there = [one.send(b"fig"), one.send(b"plum" * 75)]
    back = [other.send(b"fig"), other.send(b"plum" * 75)]
    heard = [b"fig".hex(), (b"plum" * 75).hex()]
    for name, end, received, peer in (
        ("a dialler", DIALLER, [answer, *back], BOB),
        ("a responder", RESPONDER, [hello, identity, *there], ALICE),
    ):
        case = end | {"received": [part.hex() for part in received], "said": SHORT}
        yield {
            "name": name,
            **case,
            **_keys(ACCESS),
            "sent": [part.hex() for part in _talk(case)[1]],
            "heard": heard,
            "peer": peer.key.hex(),
            "expect": GOOD,
        }
        case |= {"said": LONG}
        sent = sha256(b"".join(_talk(case)[1])).hexdigest()
        much = {"name": f"{name} that says much, and changes its key"}
        yield {**much, **case, "sent_hash": sent, "expect": GOOD}
    yield from _watched()


def _watched() -> Iterator[Case]:
    """Both ends of a spectator's link to the host."""
    one = dialler(key=WATCHING.psk)
    other = responder(keys=[ACCESS.psk, WATCHING.psk], openings=OPENINGS)
    hello, answer, identity = connect(one, other)
    for name, end, received, peer in (
        ("a spectator", SPECTATOR, [answer], BOB),
        ("a host that is watched", RESPONDER, [hello, identity], ALICE),
    ):
        case = {"name": name, **end, "received": [part.hex() for part in received]}
        sent = [part.hex() for part in _talk(case)[1]]
        yield {**case, "sent": sent, "peer": peer.key.hex(), "expect": GOOD}


def _strangers() -> Iterator[Case]:
    hello, answer, identity = connect(dialler(), responder(openings=OPENINGS))
    wrong = dialler(key=secret("wrong")).pending()
    unknown = dialler(key=secret("another table")).pending()
    for name, end, received, expect in (
        ("another name", RESPONDER, [b"P" + hello[1:]], FORM),
        ("another version", RESPONDER, [hello[:8] + b"\1" + hello[9:]], FORM),
        ("the key of another table", RESPONDER, [unknown], FORM),
        ("the right id and the wrong key", RESPONDER, [hello[:17] + wrong[17:]], PROOF),
        ("a bit flipped in the first message", RESPONDER, [_flipped(hello)], PROOF),
        ("a first message too long", RESPONDER, [hello[:17] + frame(bytes(49))], FORM),
        ("a bit flipped in the second message", DIALLER, [_flipped(answer[:50])], PROOF),
        ("a second message too short", DIALLER, [frame(bytes(47))], FORM),
        ("a bit flipped in the responder's identity", DIALLER, [_flipped(answer)], PROOF),
        ("a bit flipped in the dialler's identity", RESPONDER, [hello, _flipped(identity)], PROOF),
        ("an ephemeral key of small order", DIALLER, [frame(bytes(48))], FORM),
        ("no word to begin with", RESPONDER, [hello, identity, b"\0\0"], FORM),
        ("a replayed identity", RESPONDER, [hello, identity, identity], PROOF),
    ):
        yield _bad(name, end, received, expect)


def _liars() -> Iterator[Case]:
    """They know the key, and shake hands as they should."""
    end = Puppet(responder(), dialling=True)
    neutral = bytes([1, *bytes(31)])
    for name, lie, expect in (
        ("signed in the other role", end.introduction(role=end.other_role), SIGNATURE),
        ("signed for another link", end.introduction(hash=secret("another link")), SIGNATURE),
        ("a key of small order", LAST + encode((neutral, bytes(16), bytes(16), bytes(64))), FORM),
        ("oneself", end.introduction(BOB, run="bob"), FORM),
        ("a twin", end.introduction(BOB, run="copy"), FORM),
        ("more of an identity", MORE + end.introduction()[1:], FORM),
        ("no identity", LAST + encode(bytes(135)), FORM),
        ("a dialler with an opening", end.introduction(opening=ACCESS.salt), FORM),
    ):
        liar = Puppet(responder(), dialling=True)
        yield _bad(name, RESPONDER, [liar.said, liar.seal(lie)], expect)
    for name, table, who, opening in (
        ("a host's key without its opening", ACCESS, BOB, bytes(16)),
        ("a host's opening with another key", ACCESS, MALLORY, ACCESS.salt),
        ("the opening of the other secret", ACCESS, BOB, WATCHING.salt),
        ("another key, to a spectator", WATCHING, MALLORY, WATCHING.salt),
        ("the opening of the other secret, to a spectator", WATCHING, BOB, ACCESS.salt),
    ):
        liar = Puppet(dialler(key=table.psk), dialling=False, key=table.psk)
        said = liar.seal(liar.introduction(who, opening=opening))
        caller = SPECTATOR if table.watching else DIALLER
        yield _bad(name, caller, [liar.said, said], SIGNATURE)
    for name, piece in (
        ("an unknown flag", b"\2fig"),
        ("a piece that is not full", MORE + b"fig"),
    ):
        liar = Puppet(responder(), dialling=True)
        identity = liar.seal(liar.introduction())
        yield _bad(name, RESPONDER, [liar.said, identity, liar.seal(piece)], FORM)


def _bad(name: str, end: Case, received: list[bytes], expect: str) -> Case:
    return {"name": name, **end, "received": [part.hex() for part in received], "expect": expect}


def _flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def _talk(case: Case) -> tuple[Link, list[bytes], list[bytes]]:
    """The end, what it sent, and which messages it heard."""
    identity, access = Identity(bytes.fromhex(case["identity"])), _access(case)
    hosts = [] if case["dialling"] else [access, access.to_watch()]
    link = Link(
        keys=[access.psk] if case["dialling"] else [one.psk for one in hosts],
        identity=identity,
        openings={one.psk: one.salt for one in hosts},
        expected=access.expects if case["dialling"] else None,
        instance=bytes.fromhex(case["instance"]),
        ephemeral=bytes.fromhex(case["ephemeral"]),
        dialling=case["dialling"],
    )
    sent, heard = [link.pending()], []
    for part in case["received"]:
        heard += link.receive(bytes.fromhex(part))
        sent.append(link.pending())
    for text, repeated, times in case.get("said", []):
        sent += [link.send(bytes.fromhex(text) * repeated) for _ in range(times)]
    return link, [part for part in sent if part], heard


def _access(case: Case) -> Access:
    """What the end knows of the table."""
    if case["dialling"]:
        return Access(secret=bytes.fromhex(case["secret"]), watching=case["watching"])
    host = Identity(bytes.fromhex(case["identity"])).key
    return Access.hosting(host, bytes.fromhex(case["salt"]))


def _keys(seats: Access) -> Case:
    """Whatever follows from a seat secret and the host's key."""
    watching = seats.to_watch()
    return {
        "host": seats.host.hex(),
        "seat_key": seats.psk.hex(),
        "seat_key_id": key_id(seats.psk).hex(),
        "watch_salt": watching.salt.hex(),
        "watch_secret": watching.secret.hex(),
        "watch_key": watching.psk.hex(),
        "watch_key_id": key_id(watching.psk).hex(),
    }


def check(case: Case) -> str:
    try:
        link, sent, heard = _talk(case)
    except RemoteProtocolError as error:
        return STAGES.get(error.code, FORM)
    host = bytes.fromhex(case.get("host", ""))
    found = {
        "sent": [part.hex() for part in sent],
        "sent_hash": sha256(b"".join(sent)).hexdigest(),
        "heard": [message.hex() for message in heard],
        "peer": link.peer.hex(),
        "secret": _access(case).secret.hex(),
        **(_keys(_access(case).of(host)) if host else {}),
    }
    good = link.opened and all(case.get(name, value) == value for name, value in found.items())
    return GOOD if good else PROOF
