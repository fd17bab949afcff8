"""A file is the table again, for anybody; or it is refused, at the first stage that it fails."""

from collections.abc import Callable, Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.codec import Value, encode
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import NOTHING, Entry
from protocol.file import gamefile
from protocol.file.gamefile import MAGIC, Refused
from protocol.file.report import Verdict, report
from protocol.table.phases import Phase
from protocol.table.proving import Memory, Proof, check_one
from protocol.table.table import Table
from tests.protocol.file import scenes
from tests.protocol.file.files import Parts, finished, resigned
from tests.protocol.tables import Room, Setup

SCENES: dict[str, Callable[[], Room]] = {
    "left": scenes.left,
    "left, two": lambda: scenes.left(count=2),
    "left, brambles": lambda: scenes.left("brambles", 3, 1),
    "gone": scenes.gone,
    "given up": scenes.given_up,
    "silent": lambda: scenes.silenced(Phase.SIGNING),
    "forked": scenes.forked,
    "false shares": lambda: scenes.cheated(scenes.FalseShares),
    "false shares, two": lambda: scenes.cheated(scenes.FalseShares, "brambles", 2),
    "false end": lambda: scenes.cheated(scenes.FalseEnd),
}


@cache
def room_of(scene: str) -> Room:
    return SCENES[scene]()


def refusal(data: bytes) -> Refused:
    with pytest.raises(Refused) as caught:
        gamefile.read(data)
    return caught.value


def check_same(table: Table, again: Table) -> None:
    assert report(again) == report(table)
    assert again.play.digest() == table.play.digest()
    assert again.heads() == table.heads()
    assert gamefile.write(again) == gamefile.write(table)


@pytest.mark.no_cover
@pytest.mark.parametrize("scene", SCENES)
def test_a_file_is_the_table_again(scene: str) -> None:
    for party in room_of(scene).parties[:-1]:
        check_same(party.table, gamefile.read(gamefile.write(party.table)))


def test_the_file_of_a_split_table_names_its_author() -> None:
    for party in scenes.split().parties[:-1]:
        read = gamefile.read(gamefile.write(party.table))
        assert read.split == party.table.split == scenes.COUNT - 1
        assert gamefile.write(read) == gamefile.write(party.table)


@pytest.mark.no_cover
@pytest.mark.parametrize("scene", [name for name in SCENES if name not in ("silent", "given up")])
def test_all_who_stay_write_the_same_file(scene: str) -> None:
    parties = room_of(scene).parties[:-1]
    assert len({gamefile.write(party.table) for party in parties}) == 1


@pytest.mark.no_cover
def test_a_game_as_far_as_it_went() -> None:
    """Every moment of a game is a file, and none but the last is final."""
    whole = finished()
    table = Table(whole.setup.roster, whole.setup.game)
    for at, (_, data) in enumerate(whole.room.said):
        table.take(data)
        again = gamefile.read(gamefile.write(table))
        check_same(table, again)
        is_last = at == len(whole.room.said) - 1
        assert (report(again).verdict is Verdict.FINAL) == is_last
    assert gamefile.write(table) == whole.data


def test_nothing_said_at_all() -> None:
    setup = Setup("punnet", 2)
    again = gamefile.read(gamefile.write(Table(setup.roster, setup.game)))
    assert report(again).verdict is Verdict.UNFINISHED
    assert report(again).owing == (0, 1)


def late_signature(*named: int, heard: bool) -> Room:
    """A signature is late, somebody votes on that, and then it comes, from one who heard of it."""
    room = scenes.silenced(Phase.SIGNING)
    voter, late = room.parties[0], room.parties[-1]
    said = [data for _, data in room.said]
    vote = voter.vote(*named)
    room.send(voter.me, vote)
    for data in (*said, *(vote if heard else ())):
        late.take(data)
    room.silent.clear()
    room.send(late.me, late.answer())
    room.send(voter.me, vote)
    room.run()
    return room


def check_left_out(room: Room) -> None:
    assert "vote" in scenes.kinds(room.parties[0].table, 0)
    [data] = {gamefile.write(party.table) for party in room.parties}
    table = gamefile.read(data)
    assert "vote" not in scenes.kinds(table, 0)
    assert report(table).verdict is Verdict.FINAL


@pytest.mark.no_cover
def test_what_was_said_after_the_signature_is_left_out() -> None:
    check_left_out(late_signature(heard=False))


def test_what_another_had_heard_when_signing_stays_in() -> None:
    room = late_signature(heard=True)
    [data] = {gamefile.write(party.table) for party in room.parties}
    table = gamefile.read(data)
    assert "vote" in scenes.kinds(table, 0)
    assert report(table).verdict is Verdict.FINAL


def test_nobody_is_voted_out_for_a_missing_signature() -> None:
    with pytest.raises(LocalProtocolError, match="only a signature is missing"):
        late_signature(scenes.COUNT - 1, heard=False)


def test_rivals_are_the_entries_that_others_speak_of() -> None:
    room = scenes.forked()
    parts = Parts.of(gamefile.write(room.parties[0].table))
    [rival] = parts.rivals
    [kept] = parts.feeds[-1]
    assert Entry.decode(rival).seq == Entry.decode(kept).seq == 0
    assert refusal(parts._replace(rivals=()).join()).stage == "reading"
    assert refusal(parts._replace(rivals=(rival, rival)).join()).stage == "chain"


def test_a_rival_that_nobody_speaks_of() -> None:
    """A player tells a second story after the end, and puts it into a file."""
    whole = finished()
    parts = Parts.of(whole.data)
    rival = resigned(whole.setup, parts.feeds[0][-1], body=(bytes(32),))
    assert refusal(parts._replace(rivals=(rival.data,)).join()).stage == "reading"


# Proofs.


def test_proofs_may_be_checked_elsewhere() -> None:
    names: list[bytes] = []

    def elsewhere(proofs: Sequence[Proof]) -> list[bool]:
        names.extend(proof.name for proof in proofs)
        held = {proof.name: check_one(proof) for proof in reversed(proofs)}
        return [held[proof.name] for proof in proofs]

    table = gamefile.read(finished().data, elsewhere)
    assert report(table).verdict is Verdict.FINAL
    assert len(names) == len(set(names)) > 10
    first = list(names)
    names.clear()
    gamefile.read(finished().data, elsewhere)
    assert names == first


def test_whoever_doubts_a_proof_reads_again() -> None:
    """A prover that errs costs time, and blames nobody."""
    table = gamefile.read(finished().data, lambda proofs: [False for _ in proofs])
    assert report(table).verdict is Verdict.FINAL


@pytest.mark.parametrize("scene", ["false shares", "false shares, two"])
def test_false_shares_are_found_though_the_faces_were_read_first(scene: str) -> None:
    room = room_of(scene)
    [loss] = report(gamefile.read(gamefile.write(room.parties[0].table))).lost
    assert (loss.player, loss.ending.code) == (len(room.parties) - 1, "proof")


def test_a_proof_that_has_no_form_is_false() -> None:
    def raises() -> bool:
        raise RemoteProtocolError("proof", "not a point")

    proofs = [Proof(b"a", lambda: True), Proof(b"b", lambda: False), Proof(b"c", raises)]
    assert gamefile.check_all(proofs) == [True, False, False]


def test_what_was_checked_at_the_table_is_not_checked_again() -> None:
    memory = Memory()
    checked: list[bytes] = []

    def note(proofs: Sequence[Proof]) -> list[bool]:
        checked.extend(proof.name for proof in proofs)
        return gamefile.check_all(proofs)

    first = gamefile.read(finished().data, note, memory=memory)
    assert len(memory) == len(checked) > 10
    checked.clear()
    again = gamefile.read(finished().data, note, memory=memory)
    assert not checked
    assert report(again) == report(first)


def test_each_proof_that_is_set_aside_can_be_checked_ahead() -> None:
    ahead: list[Proof] = []

    def check(proofs: Sequence[Proof]) -> list[bool]:
        assert list(proofs) == ahead  # each once, and in this order
        return gamefile.check_all(proofs)

    table = gamefile.read(finished().data, check, ahead=ahead.append)
    assert report(table).verdict is Verdict.FINAL
    assert len(ahead) > 10


# Form.


@given(st.binary(max_size=60))
def test_any_bytes_are_a_file_or_refused(data: bytes) -> None:
    assert refusal(data).stage == "form"
    assert refusal(MAGIC + data).stage == "form"


@pytest.mark.parametrize("magic", [b"", MAGIC[:-1], MAGIC.replace(b"2\n", b"x\n"), MAGIC * 2])
def test_another_beginning(magic: bytes) -> None:
    assert refusal(magic + finished().data[len(MAGIC) :]).stage == "form"


@pytest.mark.parametrize("version", [1, 3, 10])
def test_a_file_of_another_version_is_refused_in_a_clear_sentence(version: int) -> None:
    magic = b"p2pfruit game %d\n" % version
    found = refusal(magic + finished().data[len(MAGIC) :])
    assert (found.stage, found.code) == ("form", "version")
    said = f"a game file of version {version} of the protocol; this program reads version 2"
    assert found.why == said


def test_a_file_has_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    data = finished().data
    monkeypatch.setattr(limits, "FILE_SIZE_MOST", len(data) - len(MAGIC))
    gamefile.read(data)
    monkeypatch.setattr(limits, "FILE_SIZE_MOST", len(data) - len(MAGIC) - 1)
    assert refusal(data).code == "size"


def test_what_is_no_file() -> None:
    roster, feeds, rivals = Parts.of(finished().data)
    first = feeds[0]
    values: list[Value] = [
        (roster, feeds),
        (roster, feeds, rivals, 0),
        ("roster", feeds, rivals),
        (b"roster", feeds, rivals),
        (roster, 0, rivals),
        (roster, feeds, b""),
        (roster, feeds[:1], rivals),
        (roster, (*feeds, ()), rivals),
        (roster, (first, 7), rivals),
        (roster, (first, b""), rivals),
        (roster, (first, ("entry",)), rivals),
        (roster, (first, (b"entry",)), rivals),
        (roster, feeds, (7,)),
        (roster, feeds, (b"rival",)),
    ]
    assert {refusal(MAGIC + encode(value)).stage for value in values} == {"form"}


# Chains, signatures, and what no honest table reads.


def test_stages() -> None:
    whole = finished()
    parts = Parts.of(whole.data)
    mine, theirs = parts.feeds
    forged = bytes(64) + mine[3][64:]
    cases = {
        "chain": [
            (mine[1:], theirs),
            (mine[:2] + mine[3:], theirs),
            ((*mine[:3], mine[2]), theirs),
            (theirs, mine),
            ((*mine, theirs[0]), theirs),
            ((*mine[:-2], mine[-1], mine[-2]), theirs),
        ],
        "signature": [((*mine[:3], forged), theirs)],
        "form": [((*mine, b"x"), theirs)],
    }
    for stage, feeds in cases.items():
        for pair in feeds:
            assert refusal(parts._replace(feeds=pair).join()).stage == stage


def test_a_wrong_number_breaks_the_chain() -> None:
    whole = finished()
    parts = Parts.of(whole.data)
    feed = parts.feeds[0]
    wrong = resigned(whole.setup, feed[3], seq=4)
    assert refusal(parts.with_feed(0, (*feed[:3], wrong.data)).join()).stage == "chain"


def test_an_entry_that_could_not_be_read() -> None:
    whole = finished()
    parts = Parts.of(whole.data)
    feed = parts.feeds[0]
    ahead = resigned(whole.setup, feed[3], step=1000)
    error = refusal(parts.with_feed(0, (*feed[:3], ahead.data)).join())
    assert error.stage == "reading"
    assert error.why == "entry 3 of player 0 is one that no honest table would have used"
    assert str(error) == f"{error.why} (reading)"


def test_nothing_follows_the_end() -> None:
    whole = finished()
    parts = Parts.of(whole.data)
    last = Entry.decode(parts.feeds[0][-1])
    more = resigned(
        whole.setup, last.data, seq=last.seq + 1, prev=last.id, kind="leave", body=(), step=99
    )
    assert refusal(parts.with_feed(0, (*parts.feeds[0], more.data)).join()).stage == "reading"


def test_entries_of_another_table_of_the_same_players() -> None:
    """The same people, the same seeds but one: nothing fits."""
    whole = finished()
    other = Setup("punnet", 2, 1)
    parts = Parts.of(whole.data)
    stranger = Entry.sign(
        whole.setup.identities[0],
        table=other.roster.table,
        seq=0,
        prev=NOTHING,
        seen=(None, None),
        step=0,
        kind="seat",
        body=Entry.decode(parts.feeds[0][0]).body,
    )
    assert refusal(parts.with_feed(0, (stranger.data,)).join()).stage == "form"
