"""Attacks on what is kept and sent: game files cut and mixed, bytes with two meanings."""

from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from protocol.codec import Value, decode, encode
from protocol.crypto.identity import SIGNATURE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Entry
from protocol.file.gamefile import MAGIC, Refused, read, write
from protocol.file.report import Verdict, report
from tests.adversary.hall import Hall, forge, refused_at_the_door

FILE_MOST = 10**8
Feeds = list[list[bytes]]


@pytest.fixture(scope="module")
def files() -> tuple[bytes, bytes]:
    """Of two tables with the same people."""
    from tests.games import registered

    with registered():
        made = []
        for number in (0, 1):
            hall = Hall("punnet", 3, number)
            hall.run()
            made.append(write(hall.parties[0].table))
    return made[0], made[1]


def parts(file: bytes) -> tuple[bytes, Feeds, list[bytes]]:
    value: Any = decode(file[len(MAGIC) :], FILE_MOST)
    roster, feeds, rivals = value
    return roster, [list(feed) for feed in feeds], list(rivals)


def join(roster: bytes, feeds: Feeds, rivals: list[bytes]) -> bytes:
    return MAGIC + encode((roster, tuple(map(tuple, feeds)), tuple(rivals)))


def test_20_the_file_itself(files: tuple[bytes, bytes]) -> None:
    file = files[0]
    assert join(*parts(file)) == file
    assert report(read(file)).verdict is Verdict.FINAL


def test_20_truncated_anywhere(files: tuple[bytes, bytes]) -> None:
    file = files[0]
    for length in [*range(0, 64), *range(64, len(file), 997), len(file) - 1]:
        with pytest.raises(Refused) as refused:
            read(file[:length])
        assert refused.value.stage == "form"
    with pytest.raises(Refused):
        read(file + b"\x00")


def last_left_out(feeds: Feeds) -> None:
    feeds[1].pop()


def last_of_all_left_out(feeds: Feeds) -> None:
    for feed in feeds:
        feed.pop()


@pytest.mark.parametrize("change", [last_left_out, last_of_all_left_out])
def test_20_end_cut_off(files: tuple[bytes, bytes], change: Callable[[Feeds], None]) -> None:
    """A prefix is a prefix: it is refused, or not final, and blames nobody."""
    roster, feeds, rivals = parts(files[0])
    change(feeds)
    try:
        found = report(read(join(roster, feeds, rivals)))
    except Refused:
        return
    assert found.verdict in (Verdict.UNFINISHED, Verdict.UNSIGNED)
    assert found.cheats == ()


def test_20_every_prefix_of_one_feed(files: tuple[bytes, bytes]) -> None:
    """However much of one player's words is withheld, nobody is called a cheat and nothing is
    final."""
    roster, feeds, rivals = parts(files[0])
    for length in range(0, len(feeds[0]), 2):
        shorter = [feeds[0][:length], *feeds[1:]]
        try:
            found = report(read(join(roster, shorter, rivals)))
        except Refused:
            continue
        assert found.verdict is not Verdict.FINAL
        assert found.cheats == ()


def reordered(feeds: Feeds) -> None:
    feeds[0][2], feeds[0][3] = feeds[0][3], feeds[0][2]


def first_left_out(feeds: Feeds) -> None:
    del feeds[0][0]


def middle_left_out(feeds: Feeds) -> None:
    del feeds[2][5]


def doubled(feeds: Feeds) -> None:
    feeds[1].append(feeds[1][-1])


def exchanged(feeds: Feeds) -> None:
    feeds[0], feeds[1] = feeds[1], feeds[0]


def moved(feeds: Feeds) -> None:
    feeds[0].append(feeds[1].pop())


@pytest.mark.parametrize(
    "change", [reordered, first_left_out, middle_left_out, doubled, exchanged, moved]
)
def test_20_reordered(files: tuple[bytes, bytes], change: Callable[[Feeds], None]) -> None:
    roster, feeds, rivals = parts(files[0])
    change(feeds)
    with pytest.raises(Refused) as refused:
        read(join(roster, feeds, rivals))
    assert refused.value.stage == "chain"


def test_20_spliced_from_two_tables(files: tuple[bytes, bytes]) -> None:
    roster, feeds, rivals = parts(files[0])
    other_roster, other_feeds, _ = parts(files[1])
    for spliced in (
        join(other_roster, feeds, rivals),
        join(roster, [other_feeds[0], *feeds[1:]], rivals),
        join(roster, [*feeds[:2], [*feeds[2][:5], *other_feeds[2][5:]]], rivals),
        join(roster, feeds, [other_feeds[0][0]]),
    ):
        with pytest.raises(Refused):
            read(spliced)


def test_20_rivals_that_nobody_speaks_of(files: tuple[bytes, bytes]) -> None:
    """Nobody can add a fork to a finished file, not even its author."""
    hall = Hall("punnet", 3)
    hall.run()
    cheat = hall.parties[0]
    old = cheat.table.read[0][2]
    rival = forge(cheat, old.kind, (), seq=2, prev=old.prev, seen=old.seen, step=old.step)
    roster, feeds, _ = parts(write(cheat.table))
    with pytest.raises(Refused) as refused:
        read(join(roster, feeds, [rival]))
    assert refused.value.stage == "reading"


def test_20_every_byte_counts(files: tuple[bytes, bytes]) -> None:
    """One bit changed anywhere: refused, and never another result."""
    file = files[0]
    for at in range(0, len(file), 997):
        changed = bytearray(file)
        changed[at] ^= 1 << (at % 8)
        with pytest.raises(Refused):
            read(bytes(changed))


@pytest.mark.parametrize(
    "value",
    [
        (),
        (b"", (), ()),
        (b"", ((),), ()),
        None,
        7,
        (1, 2, 3),
        ("", (), ()),
    ],
    ids=repr,
)
def test_20_files_of_no_game(value: Value) -> None:
    with pytest.raises(Refused) as refused:
        read(MAGIC + encode(value))
    assert refused.value.stage == "form"


def test_20_feeds_that_are_no_lists(files: tuple[bytes, bytes]) -> None:
    roster, feeds, _ = parts(files[0])
    for bad in (None, 7, b"", "x", (7,), ((),), (None,), (b"",), (b"x" * 100,)):
        with pytest.raises(Refused):
            read(MAGIC + encode((roster, (bad, tuple(feeds[1]), tuple(feeds[2])), ())))
        with pytest.raises(Refused):
            read(MAGIC + encode((roster, tuple(map(tuple, feeds)), (bad,))))


# One parser, one meaning.

pack = msgpack.packb


def longer_forms(content: tuple[Value, ...]) -> dict[str, bytes]:
    """The same values in other bytes, and values that only look the same."""
    version, table, author, seq, prev, seen, step, kind, body = map(encode, content)
    table_bytes = content[1]
    assert isinstance(table_bytes, bytes)
    rest = seen + step + kind + body
    return {
        "array16": b"\xdc\x00\x09" + version + table + author + seq + prev + rest,
        "array32": b"\xdd\x00\x00\x00\x09" + version + table + author + seq + prev + rest,
        "bin16": b"\x99" + version + b"\xc5\x00\x20" + table_bytes + author + seq + prev + rest,
        "bin32": b"\x99\x02\xc6\x00\x00\x00\x20" + table_bytes + author + seq + prev + rest,
        "text for bytes": b"\x99\x02\xd9\x20" + b"a" * 32 + author + seq + prev + rest,
        "uint8": b"\x99\xcc\x02" + table + author + seq + prev + rest,
        "uint64": b"\x99" + b"\xcf" + bytes(7) + b"\x02" + table + author + seq + prev + rest,
        "int8": b"\x99\xd0\x02" + table + author + seq + prev + rest,
        "true for the version": b"\x99\xc3" + table + author + seq + prev + rest,
        "float for two": b"\x99\xca\x40\x00\x00\x00" + table + author + seq + prev + rest,
        "false for seq": b"\x99" + version + table + author + b"\xc2" + prev + rest,
        "nil for prev": b"\x99" + version + table + author + seq + b"\xc0" + rest,
        "str8 kind": b"\x99"
        + version
        + table
        + author
        + seq
        + prev
        + seen
        + step
        + b"\xd9\x04seat"
        + body,
        "bytes kind": b"\x99"
        + version
        + table
        + author
        + seq
        + prev
        + seen
        + step
        + b"\xc4\x04seat"
        + body,
        "map body": b"\x99" + version + table + author + seq + prev + seen + step + kind + b"\x80",
        "extension": b"\x99"
        + version
        + table
        + author
        + seq
        + prev
        + seen
        + step
        + kind
        + b"\xd4\x05\x00",
        "timestamp": b"\x99"
        + version
        + table
        + author
        + seq
        + prev
        + seen
        + step
        + kind
        + b"\xd6\xff\x00\x00\x00\x00",
        "bytes behind": encode(content) + b"\x00",
        "a value behind": encode(content) + b"\xc0",
        "cut": encode(content)[:-1],
        "ten fields": b"\x9a" + encode(content)[1:] + b"\xc0",
        "nothing": b"",
        "never used": b"\xc1",
        "not utf-8": b"\x99"
        + version
        + table
        + author
        + seq
        + prev
        + seen
        + step
        + b"\xa4\xff\xfe\xfd\xfc"
        + body,
        "negative step": b"\x99"
        + version
        + table
        + author
        + seq
        + prev
        + seen
        + b"\xff"
        + kind
        + body,
        "huge step": b"\x99"
        + version
        + table
        + author
        + seq
        + prev
        + seen
        + b"\xcf"
        + b"\xff" * 8
        + kind
        + body,
    }


def test_25_bytes_with_two_meanings() -> None:
    """All truly signed by their author, and none of them an entry."""
    hall = Hall("punnet", 2)
    cheat, party = hall.parties
    honest = forge(cheat, "seat", (b"", b""))
    content = decode(honest[SIGNATURE_SIZE:], FILE_MOST)
    assert isinstance(content, tuple)
    label = Entry.decode(honest).signed_part[1]
    for what, data in longer_forms(content).items():
        signed = cheat.identity.sign(label, data) + data
        code = refused_at_the_door(party, signed)
        assert code in ("codec", "entry", "version", "signature"), what
    assert party.take(honest)


def test_25_decode_then_encode_is_the_identity() -> None:
    hall = Hall("brambles", 2)
    hall.run()
    for _, data in hall.said:
        content = data[SIGNATURE_SIZE:]
        assert encode(decode(content, FILE_MOST)) == content
        assert pack(decode(content, FILE_MOST), use_bin_type=True) == content


def test_25_signature_for_another_purpose() -> None:
    """What is signed under another label, or none, is no entry."""
    hall = Hall("punnet", 2)
    cheat, party = hall.parties
    honest = forge(cheat, "seat", (b"", b""))
    content = honest[SIGNATURE_SIZE:]
    for label in (b"", b"p2pfruit link 2\n", b"p2pfruit entry 1\n"):
        signed = cheat.identity.sign(label, content) + content
        assert refused_at_the_door(party, signed) == "signature"


def test_25_entries_of_strangers_and_out_of_place() -> None:
    """At the door: another's name, a gap, a wrong number, too long, about oneself."""
    hall = Hall("punnet", 2)
    hall.before("shuffle")
    cheat, party = hall.parties
    stranger = Hall("punnet", 2, number=5).parties[0]
    body = (b"", b"")
    table = hall.setup.roster.table
    own = party.table.heads()
    last = cheat.table.read[0][-1]
    doors = {
        "author": forge(stranger, "seat", body, table=table, seq=0, prev=b""),
        "table": forge(cheat, "seat", body, table=bytes(32)),
        "gap": forge(cheat, "seat", body, seq=9, prev=bytes(32)),
        "seq": forge(cheat, "seat", body, seq=9, prev=last.id),
        "seen": forge(cheat, "seat", body, seen=own[:1]),
        "size": forge(cheat, "seat", (b"x" * 70_000,)),
        "entry": forge(cheat, "seat", body, seq=0),
    }
    about_oneself = forge(cheat, "seat", body, seen=(last.head, None))
    for code, data in doors.items():
        assert refused_at_the_door(party, data) == code
    assert refused_at_the_door(party, about_oneself) == "seen"
    tampered = bytearray(forge(cheat, "seat", body))
    tampered[-1] ^= 1
    with pytest.raises(RemoteProtocolError):
        party.take(bytes(tampered))
