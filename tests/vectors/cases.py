"""What the families share: outcomes, places, and the ways in which a proof is spoilt."""

from collections.abc import Callable, Iterator
from typing import Any

from protocol.crypto import group
from protocol.crypto.group import ORDER
from protocol.crypto.transcript import Context, Transcript
from protocol.errors import RemoteProtocolError

Case = dict[str, Any]

GOOD = "good"
FORM = "form"  # the bytes are refused before anything is calculated
CHAIN = "chain"  # an entry has no place where it stands
SIGNATURE = "signature"  # it is not its author's
RULES = "rules"  # a game or rules that are not known
READING = "reading"  # no honest table would have come to this
PROOF = "proof"  # well formed, and does not hold
CONTRADICT = "contradict"

SECRETS = ("seed", "secret", "true")

SEED = bytes(range(32))
PLACE: Case = {
    "name": "vector",
    "table": "11" * 32,
    "author": "22" * 32,
    "step": 3,
    "about": ["00", "666967"],
}

# Each makes another place of it.
OTHER_PLACES: list[tuple[str, Any]] = [
    ("name", "x"),
    ("table", "33" * 32),
    ("author", "33" * 32),
    ("step", 4),
    ("about", ["00"]),
]

SECRET = int.from_bytes(bytes(range(1, 33)), "big")
KEY = group.base(SECRET)
OTHER_KEY = group.base(SECRET + 1)


def transcript(place: Case) -> Transcript:
    table, author = bytes.fromhex(place["table"]), bytes.fromhex(place["author"])
    opened = Transcript(place["name"], Context(table, author, place["step"]))
    opened.absorb("about", *[bytes.fromhex(part) for part in place["about"]])
    return opened


def outcome(verify: Callable[[], bool]) -> str:
    try:
        return GOOD if verify() else PROOF
    except RemoteProtocolError:
        return FORM


def points(texts: list[str]) -> list[group.Point]:
    return [point(text) for text in texts]


def point(text: str) -> group.Point:
    return group.decode_point(bytes.fromhex(text))


def hexes(held: list[group.Point]) -> list[str]:
    return [group.encode_point(each).hex() for each in held]


def public(case: Case) -> Case:
    """The case without what only its maker knows."""
    return {name: value for name, value in case.items() if name not in SECRETS}


def spoilt(good: Case, scalar_at: int) -> Iterator[Case]:
    """One good case made bad in its place, its key and its bytes; a scalar stands at scalar_at."""
    case, proof = public(good), bytes.fromhex(good["proof"])
    for field, value in OTHER_PLACES:
        yield case | {
            "name": f"another {field}",
            "place": {**good["place"], field: value},
            "expect": PROOF,
        }
    if "key" in case:
        other = group.encode_point(OTHER_KEY).hex()
        yield case | {"name": "another key", "key": other, "expect": PROOF}

    def with_proof(name: str, data: bytes, expect: str) -> Case:
        return case | {"name": name, "proof": data.hex(), "expect": expect}

    yield with_proof("one bit flipped", proof[:-1] + bytes([proof[-1] ^ 1]), PROOF)
    yield with_proof("one byte short", proof[:-1], FORM)
    yield with_proof("one byte long", proof + b"\0", FORM)
    yield with_proof("empty", b"", FORM)
    for name, value in (("zero", 0), ("the order", ORDER), ("all ones", 2**256 - 1)):
        scalar = value.to_bytes(32, "big")
        changed = proof[:scalar_at] + scalar + proof[scalar_at + 32 :]
        yield with_proof(f"a scalar that is {name}", changed, FORM)
