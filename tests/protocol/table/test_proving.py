"""The names of proofs, and the memory of those that hold."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.transcript import Context, Transcript
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Entry
from protocol.table.judging import Judge
from protocol.table.party import Party
from protocol.table.proving import Memory, Proof, Unchecked, check_one, proof_name
from protocol.table.table import Table
from tests.protocol.tables import Room, Setup

PLACE = Context(b"table", b"author", 3)

parts = st.lists(st.binary(max_size=3), max_size=3)


def opened(name: str = "shares", place: Context = PLACE, about: bytes = b"") -> Transcript:
    transcript = Transcript(name, place)
    transcript.absorb("about", about)
    return transcript


# Names.


def test_a_name_says_everything() -> None:
    key, other = group.base(2), group.base(3)
    names = [
        proof_name("equality", opened(), key, (b"a", b"b"), b"p"),
        proof_name("knowledge", opened(), key, (b"a", b"b"), b"p"),
        proof_name("equality", opened("lot"), key, (b"a", b"b"), b"p"),
        proof_name("equality", opened(place=PLACE._replace(step=4)), key, (b"a", b"b"), b"p"),
        proof_name("equality", opened(place=PLACE._replace(table=b"")), key, (b"a", b"b"), b"p"),
        proof_name("equality", opened(place=PLACE._replace(author=b"")), key, (b"a", b"b"), b"p"),
        proof_name("equality", opened(about=b"x"), key, (b"a", b"b"), b"p"),
        proof_name("equality", opened(), other, (b"a", b"b"), b"p"),
        proof_name("equality", opened(), key, (b"ab",), b"p"),
        proof_name("equality", opened(), key, (b"a", b"c"), b"p"),
        proof_name("equality", opened(), key, (b"a", b"b"), b"q"),
        proof_name("equality", opened(), key, (b"a",), b"bp"),
    ]
    assert len(set(names)) == len(names)


@given(parts, parts, st.binary(max_size=3), st.binary(max_size=3))
def test_different_statements_have_different_names(
    one: list[bytes], other: list[bytes], proof: bytes, another: bytes
) -> None:
    key = group.base(2)
    first = proof_name("equality", opened(), key, one, proof)
    second = proof_name("equality", opened(), key, other, another)
    assert (first == second) == ((one, proof) == (other, another))


def test_the_transcript_is_left_as_it_was() -> None:
    transcript = opened()
    before = transcript.digest()
    proof_name("equality", transcript, group.base(2), (b"a",), b"p")
    assert transcript.digest() == before


# The memory.


def counted(runs: list[bool | Exception], result: bool | Exception) -> Callable[[], bool]:
    def holds() -> bool:
        runs.append(result)
        if isinstance(result, Exception):
            raise result
        return result

    return holds


def test_a_true_proof_is_checked_once() -> None:
    memory, runs = Memory(), list[bool | Exception]()
    proof = Proof(b"one", counted(runs, True))
    assert memory.check(proof)
    assert memory.check(proof)
    assert len(runs) == len(memory) == 1


@pytest.mark.parametrize("result", [False, RemoteProtocolError("length", "too short")])
def test_a_false_proof_is_not_remembered(result: bool | Exception) -> None:
    memory, runs = Memory(), list[bool | Exception]()
    proof = Proof(b"one", counted(runs, result))
    assert not memory.check(proof)
    assert not memory.check(proof)
    assert not check_one(proof)
    assert len(runs) == 3
    assert len(memory) == 0


def test_an_error_of_this_machine_is_not_remembered() -> None:
    memory = Memory()
    with pytest.raises(MemoryError):
        memory.check(Proof(b"one", counted([], MemoryError())))
    assert memory.check(Proof(b"one", counted([], True)))


def test_the_oldest_is_forgotten() -> None:
    memory = Memory(most=2)
    for name in (b"one", b"two", b"one", b"three"):
        memory.add(name)
    assert [name in memory for name in (b"one", b"two", b"three")] == [False, True, True]


# What a judge makes of it.


def test_the_same_entry_at_another_position_is_another_proof() -> None:
    """A second reading may judge an entry against another statement than the first."""
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    kinds = [Entry.decode(data).kind for _, data in room.said]
    at = kinds.index("shuffle")
    shuffler, data = room.said[at]
    reader = Table(setup.roster, setup.game)
    for _, before in room.said[:at]:
        reader.take(before)
    names: list[bytes] = []

    def note(proof: Proof) -> bool:
        names.append(proof.name)
        return True

    Judge(reader.play, note).judge(shuffler, Entry.decode(data))
    # As if another player had shuffled before.
    reader.play.decks = tuple([Deck.of(deck.cards[::-1]) for deck in reader.play.decks])
    Judge(reader.play, note).judge(shuffler, Entry.decode(data))
    assert len(set(names)) == 2


def test_my_own_proofs_need_no_check_and_those_of_others_do() -> None:
    setup = Setup("punnet", 2)
    asked: list[Proof] = []

    def check(proof: Proof) -> None:
        asked.append(proof)

    party = Party(setup.identities[0], setup.seeds[0], setup.roster, setup.game, check)
    other = setup.parties()[1]
    party.answer()
    assert not asked
    assert party.table.read[0]
    party.take(other.answer()[0])
    assert len(asked) == 1
    assert not party.table.read[1]


def test_a_proof_without_its_form_is_named_so_even_if_it_was_checked_elsewhere() -> None:
    setup = Setup("punnet", 2)
    entry = Entry.decode(setup.parties()[1].answer()[0])
    key, proof = entry.body
    assert isinstance(proof, bytes)
    bad = Entry.sign(
        setup.identities[1],
        table=entry.table,
        seq=0,
        prev=entry.prev,
        seen=entry.seen,
        step=0,
        kind=entry.kind,
        body=(key, proof[:-1]),
    )
    table = setup.parties()[0].table
    with pytest.raises(Unchecked):
        Judge(table.play, lambda _proof: None).judge(1, bad)
    with pytest.raises(RemoteProtocolError) as caught:
        Judge(table.play, lambda _proof: False).judge(1, bad)
    assert caught.value.code == "length"


def test_no_player_is_blamed_for_a_mistake_of_the_checker() -> None:
    setup = Setup("punnet", 2)
    entry = Entry.decode(setup.parties()[1].answer()[0])
    table = setup.parties()[0].table
    assert Judge(table.play, lambda _proof: False).judge(1, entry)
