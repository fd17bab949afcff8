"""Entries that enter a feed, after those that are held, and those that do not."""

from protocol.codec import Value
from protocol.crypto.identity import SIGNATURE_SIZE, Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import ID_SIZE, NOTHING, Entry, Head, Seen
from protocol.feed.feeds import Feeds
from protocol.feed.roster import Roster
from tests.protocol.tables import Setup, secret
from tests.vectors.cases import CHAIN, FORM, GOOD, SIGNATURE, Case

BODY: tuple[Value, ...] = (7, "fig", b"fig", (None, True))


def make() -> list[Case]:
    setup, other = Setup("pixies", 2), Setup("pixies", 2, 1)
    first = _say(setup)
    second = _say(setup, first)
    theirs = _say(setup, by=1)
    seen: Seen = (None, theirs.head)
    flipped = bytes([second.data[0] ^ 1]) + second.data[1:]
    content = second.data[SIGNATURE_SIZE:]
    relabelled = setup.identities[0].sign(b"p2pfruit chat 2\n", content) + content
    stranger = Identity(secret("stranger"))
    unknown = (None, Head(3, b"i" * ID_SIZE))
    good = {
        "the first": ([], first),
        "the second": ([first], second),
        "one that has seen another's": ([first, theirs], _say(setup, first, seen=seen)),
        "one that has seen what is not held": ([first], _say(setup, first, seen=unknown)),
        "a fork": ([first, second], _say(setup, first, body=())),
    }
    chain = {
        "a gap": ([], second),
        "after another's entry": ([theirs], _say(setup, theirs)),
        "a number too high": ([first], _say(setup, first, seq=2)),
    }
    form = {
        "another table": ([], _say(setup, table=other.roster.table)),
        "a stranger": ([], _say(setup, identity=stranger)),
        "has seen too few": ([], _say(setup, seen=(None,))),
        "has seen too many": ([], _say(setup, seen=(None, None, None))),
        "has seen itself": ([], _say(setup, seen=(Head(0, b"i" * ID_SIZE), None))),
        "the first, after another": ([first], _say(setup, first, seq=0)),
        "the second, after none": ([first], _say(setup, seq=1)),
    }
    bad_bytes = {
        "one byte short": (second.data[:-1], FORM),
        "one byte long": (second.data + b"\0", FORM),
        "no content": (second.data[:SIGNATURE_SIZE], FORM),
        "empty": (b"", FORM),
        "another version": (second.data.replace(b"\x99\x02", b"\x99\x01", 1), FORM),
        "the version called true": (second.data.replace(b"\x99\x02", b"\x99\xc3", 1), FORM),
        "a bit of the signature flipped": (flipped, SIGNATURE),
        "a bit of the content flipped": (second.data.replace(b"fig", b"fih", 1), SIGNATURE),
        "signed by another": (theirs.data[:SIGNATURE_SIZE] + content, SIGNATURE),
        "signed under another label": (relabelled, SIGNATURE),
    }
    return [
        *[
            _case(setup, name, held, entry.data, stage)
            for stage, cases in ((GOOD, good), (CHAIN, chain), (FORM, form))
            for name, (held, entry) in cases.items()
        ],
        *[_case(setup, name, [first], data, stage) for name, (data, stage) in bad_bytes.items()],
    ]


def _say(
    setup: Setup,
    before: Entry | None = None,
    *,
    by: int = 0,
    identity: Identity | None = None,
    table: bytes | None = None,
    seq: int | None = None,
    seen: Seen = (None, None),
    body: tuple[Value, ...] = BODY,
) -> Entry:
    following = 0 if before is None else before.seq + 1
    return Entry.sign(
        identity or setup.identities[by],
        table=setup.roster.table if table is None else table,
        seq=following if seq is None else seq,
        prev=NOTHING if before is None else before.id,
        seen=seen,
        step=3,
        kind="move",
        body=body,
    )


def _case(setup: Setup, name: str, held: list[Entry], data: bytes, expect: str) -> Case:
    case: Case = {
        "name": name,
        "roster": setup.roster.encode().hex(),
        "held": [entry.data.hex() for entry in held],
        "entry": data.hex(),
        "expect": expect,
    }
    if expect == GOOD:
        entry = Entry.decode(data)
        case |= {"table": entry.table.hex(), "id": entry.id.hex(), "seq": entry.seq}
    return case


def check(case: Case) -> str:
    feeds = Feeds(Roster.decode(bytes.fromhex(case["roster"])))
    for data in case["held"]:
        assert feeds.accept(bytes.fromhex(data)) is not None
    try:
        taken = feeds.accept(bytes.fromhex(case["entry"]))
    except RemoteProtocolError as error:
        return {"gap": CHAIN, "seq": CHAIN, "signature": SIGNATURE}.get(error.code, FORM)
    assert taken is not None
    _, entry = taken
    assert (entry.table.hex(), entry.id.hex(), entry.seq) == (
        *(case["table"], case["id"]),
        case["seq"],
    )
    return GOOD
