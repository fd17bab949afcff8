"""One end of a link at the entrance of a table, with every secret fixed.

`received` is what comes, part by part; `sent` is what the end says: first of its own accord, then
after each part. `scalar` is the x of a caller or the y of a host; our code draws it from `seed`. A
caller with no digits knocks. PROOF: a cipher does not open, or the end says something else.
SIGNATURE: the other end is not the one that it claimed to be.
"""

from collections.abc import Iterator

from protocol.crypto import group
from protocol.crypto.identity import KEY_SIZE, Identity, check_key
from protocol.crypto.secrets import SecretSource
from protocol.crypto.spake2 import Code
from protocol.errors import RemoteProtocolError
from protocol.link.codes import CodeEntry, KnockEntry
from protocol.link.entrance import Entrance, Run
from protocol.link.link import Link
from tests.protocol.link.links import ALICE, BOB, MALLORY, frame, instance
from tests.protocol.tables import secret
from tests.vectors.cases import FORM, GOOD, PROOF, SIGNATURE, Case

STAGES = {"cipher": PROOF, "unexpected": SIGNATURE}
ENTRANCE: Case = {
    "id": bytes(range(8)).hex(),
    "host": BOB.key.hex(),
    "offer": secret("an offer").hex(),
}


def _end(name: str, digits: str, *, dialling: bool) -> Case:
    seed = secret("seed", name)
    scalar = SecretSource(seed).scalars("code", b"share", 2)[0]
    return {
        "dialling": dialling,
        "digits": digits,
        "entrance": ENTRANCE,
        "identity": secret(name).hex(),
        "instance": instance(name).hex(),
        "ephemeral": secret("ephemeral", name).hex(),
        "seed": seed.hex(),
        "scalar": group.encode_scalar(scalar).hex(),
    }


def make() -> list[Case]:
    return [*_good(), *_bad()]


def _good() -> Iterator[Case]:
    for digits in ("4821", "0000", "004821", "999999999999"):
        yield from _pair(f"with the code {digits}", digits)
    yield from _pair("with a knock", "")


def _pair(name: str, digits: str) -> Iterator[Case]:
    """Both ends of a link that opens."""
    caller = _end("alice", digits, dialling=True)
    host = _end("bob", digits, dialling=False)
    said = _said(caller, host)
    for who, end, received, peer in (
        ("a caller", caller, said[1::2], BOB),
        ("a host", host, said[0::2], ALICE),
    ):
        case = end | {"received": [part.hex() for part in received]}
        link, sent = _talk(case)
        yield {
            "name": f"{who} {name}",
            **case,
            "sent": [part.hex() for part in sent],
            "key": link.key.hex(),
            "peer": peer.key.hex(),
            "expect": GOOD,
        }


def _said(caller: Case, host: Case) -> list[bytes]:
    """What both ends say in turns."""
    said = [_link(caller).pending()]
    ends = host, caller
    while True:
        end = ends[(len(said) - 1) % 2]
        heard = said[(len(said) - 1) % 2 :: 2]
        _link_so_far, sent = _talk(end | {"received": [part.hex() for part in heard]})
        if len(sent) < len(heard) + end["dialling"]:
            return said
        said.append(sent[-1])


def _bad() -> Iterator[Case]:
    caller = _end("alice", "4821", dialling=True)
    host = _end("bob", "4821", dialling=False)
    said = _said(caller, host)
    preface = said[0][:17]
    knock = _said(caller | {"digits": ""}, host)

    def hello(key: bytes = ALICE.key, share: bytes = said[0][-33:]) -> bytes:
        return preface + frame(key + share)

    for name, end, received, expect in (
        ("another id", host, [said[0].replace(bytes(range(8)), bytes(8))], FORM),
        ("a key that is none", host, [hello(key=bytes(32))], FORM),
        ("a share that is no point", host, [hello(share=bytes(33))], FORM),
        ("a share in no canonical form", host, [hello(share=b"\4" + said[0][-32:])], FORM),
        ("a hello without a whole share", host, [preface + frame(bytes(64))], FORM),
        ("a wrong code", host | {"digits": "4822"}, said[0::2], PROOF),
        ("a code with one zero more", host | {"digits": "04821"}, said[0::2], PROOF),
        ("the caller's key was changed", host, [hello(key=MALLORY.key), said[2]], PROOF),
        ("another offer", _with(host, "offer", bytes(32)), said[0::2], PROOF),
        ("another host", _with(host, "host", MALLORY.key), said[0::2], PROOF),
        ("the share comes back", caller, [frame(said[0][-33:]), said[3]], PROOF),
        ("an answer that is no point", caller, [frame(bytes(33))], FORM),
        ("another host's answer", _with(caller, "host", MALLORY.key), said[1::2], PROOF),
        ("a knock at another offer", _with(host, "offer", bytes(32)), knock[0::2], PROOF),
        ("a knock under another's key", host, _impostor(host), SIGNATURE),
    ):
        yield {
            "name": name,
            **end,
            "received": [part.hex() for part in received],
            "expect": expect,
        }


def _with(end: Case, field: str, value: bytes) -> Case:
    return end | {"entrance": {**ENTRANCE, field: value.hex()}}


def _impostor(host: Case) -> list[bytes]:
    """What Mallory says who knocks with Alice's key and signs with its own."""
    caller = _end("mallory", "", dialling=True)
    entry = KnockEntry(_entrance(caller), ALICE.key)
    link = _link(caller, entry)
    said = [link.pending()]
    _host, sent = _talk(host | {"received": [said[0].hex()]})
    link.receive(sent[0])
    return [*said, link.pending()]


def _entrance(case: Case) -> Entrance:
    return Entrance(**{name: bytes.fromhex(text) for name, text in case["entrance"].items()})


def _link(case: Case, entry: CodeEntry | KnockEntry | None = None) -> Link:
    entrance, identity = _entrance(case), Identity(bytes.fromhex(case["identity"]))
    if case["dialling"] and entry is None:
        seed = bytes.fromhex(case["seed"])
        by_code = CodeEntry(entrance, identity.key, case["digits"], seed)
        entry = by_code if case["digits"] else KnockEntry(entrance, identity.key)
    return Link(
        keys=(),
        identity=identity,
        instance=bytes.fromhex(case["instance"]),
        ephemeral=bytes.fromhex(case["ephemeral"]),
        dialling=case["dialling"],
        entry=entry,
        entrance_id=b"" if case["dialling"] else entrance.id,
    )


def _admitted(case: Case, hello: bytes) -> Run:
    """As a host answers the first run of a code."""
    caller, share, entrance = hello[:KEY_SIZE], hello[KEY_SIZE:], _entrance(case)
    check_key(caller)
    seed = bytes.fromhex(case["seed"])
    mine, psk = b"", KnockEntry(entrance, caller).psk
    if share:
        mine, psk = Code(case["digits"], seed).answer(share, entrance.about(caller), seed)
    return Run(caller=caller, psk=psk, share=mine, confirm=lambda _run: None)


def _talk(case: Case) -> tuple[Link, list[bytes]]:
    """The end, and what it sent."""
    link = _link(case)
    sent = [link.pending()]
    for part in case["received"]:
        link.receive(bytes.fromhex(part))
        if link.asks:
            link.admit(_admitted(case, link.hello))
            link.receive(b"")
        sent.append(link.pending())
    return link, [part for part in sent if part]


def check(case: Case) -> str:
    try:
        link, sent = _talk(case)
    except RemoteProtocolError as error:
        return STAGES.get(error.code, FORM)
    found = {
        "sent": [part.hex() for part in sent],
        "key": link.key.hex(),
        "peer": link.peer.hex(),
    }
    good = link.opened and all(case.get(name, value) == value for name, value in found.items())
    return GOOD if good else PROOF
