"""Attacks with keys: those that cancel others, copied ones, ones that were never meant to sign."""

import pytest

from protocol.crypto import group
from protocol.crypto.group import LAMBDA, ORDER, Point, base, difference, encode_point, total
from protocol.crypto.identity import Identity, check_key
from protocol.crypto.proofs import knowledge
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import Entry
from protocol.feed.roster import Player, Roster
from protocol.file.report import Verdict
from protocol.table.events import Why
from protocol.table.party import Party, table_nonce
from tests.adversary.hall import Hall, due, forge, refused_at_the_door
from tests.protocol.tables import Setup, secret


def keys_said(hall: Hall) -> list[Point]:
    bodies = [Entry.decode(data).body[0] for _, data in hall.said]
    return [group.decode_point(key) for key in bodies if isinstance(key, bytes)]


def take_secret(party: Party, number: int) -> None:
    """A cheat is free to choose its table key."""
    party._secret = number % ORDER
    party._key = base(number)


@pytest.mark.no_cover
@pytest.mark.parametrize("honest", [1, 2])
def test_05_rogue_key_cancels_the_others(honest: int) -> None:
    hall = Hall("punnet", honest + 1)
    cheat = hall.before("seat", player=honest)
    mine = 7
    rogue = difference(base(mine), total(keys_said(hall)))  # the joint key would be 7·G
    transcript = cheat.table.play.seat_transcript(cheat.me)
    proof = knowledge.prove(transcript, cheat._source, mine, rogue)
    hall.tell(cheat, forge(cheat, "seat", (encode_point(rogue), proof)))
    hall.out(cheat, "proof", to_the_end=True)


def test_05_key_that_makes_the_sum_vanish() -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("seat", player=2)
    cancelling = group.negate(total(keys_said(hall)))
    hall.tell(cheat, forge(cheat, "seat", (encode_point(cancelling), due(cheat)[1][1])))
    hall.out(cheat, "proof")


@pytest.mark.no_cover
@pytest.mark.parametrize("change", ["copied", "negated", "turned"])
def test_06_another_players_key(change: str) -> None:
    """The key and proof of another, as they are or changed in a way that keeps them related."""
    hall = Hall("punnet", 3)
    cheat = hall.before("seat", player=2)
    key, proof = Entry.decode(hall.said[0][1]).body
    assert isinstance(key, bytes)
    point = group.decode_point(key)
    if change == "negated":
        point = group.negate(point)
    elif change == "turned":
        point = group.times(point, LAMBDA)
    hall.tell(cheat, forge(cheat, "seat", (encode_point(point), proof)))
    hall.out(cheat, "proof")


def test_06_own_message_echoed() -> None:
    """An entry that comes back is the entry; what it says, signed by another, is another's."""
    hall = Hall("punnet", 2)
    cheat = hall.before("seat", player=1)
    _, data = hall.said[0]
    victim = hall.parties[0]
    assert not victim.take(data)
    body = Entry.decode(data).body
    hall.tell(cheat, forge(cheat, "seat", body))
    hall.out(cheat, "proof")


def test_06_key_and_proof_of_another_table() -> None:
    """Even one's own: a proof serves the table that it was made for."""
    elsewhere = Hall("punnet", 3, number=1).before("seat")
    hall = Hall("punnet", 3)
    cheat = hall.before("seat")
    cheat_elsewhere = Party(
        cheat.identity,
        secret("another seed"),
        Roster.of(
            elsewhere.table.game,
            (
                Player(cheat.identity.key, table_nonce(secret("another seed")), "cheat"),
                elsewhere.table.roster.players[0],
            ),
        ),
        elsewhere.table.game,
    )
    other_table = cheat_elsewhere.answer()[0]
    assert refused_at_the_door(hall.parties[1], other_table) == "table"
    hall.tell(cheat, forge(cheat, "seat", Entry.decode(other_table).body))
    hall.out(cheat, "proof")


@pytest.mark.no_cover
@pytest.mark.parametrize("secrets", [(5, 5), (5, -5)], ids=["the same", "x and -x"])
def test_35_two_keys_that_are_one(secrets: tuple[int, int]) -> None:
    """Keys of conspirators: equal, or with the identity as their sum. Neither of them sits."""
    hall = Hall("punnet", 4)
    cheats = hall.parties[1:3]
    for cheat, number in zip(cheats, secrets, strict=True):
        take_secret(cheat, number)
    hall.run(lambda party: party.table.play.step == 1)
    hall.silent |= {cheat.me for cheat in cheats}
    hall.run()
    found = hall.named(*[(cheat, Why.BAD, "key") for cheat in cheats])
    hall.ends(found, lost=2)


def test_35_three_keys_that_add_up_to_nothing() -> None:
    hall = Hall("punnet", 4)
    cheats = hall.parties[:3]
    for cheat, number in zip(cheats, (3, 4, -7), strict=True):
        take_secret(cheat, number)
    hall.run(lambda party: party.table.play.step == 1)
    hall.silent |= {cheat.me for cheat in cheats}
    hall.run()
    found = hall.named(*[(cheat, Why.BAD, "key") for cheat in cheats])
    assert found.verdict is Verdict.STOPPED


@pytest.mark.no_cover
def test_35_conspirators_beside_a_false_proof() -> None:
    """One of the two is out already: the other has done nothing that can be shown."""
    hall = Hall("punnet", 4)
    first, second = hall.parties[1:3]
    take_secret(first, 5)
    take_secret(second, 5)
    key, proof = due(first)[1]
    assert isinstance(proof, bytes)
    hall.before("seat", player=1)
    hall.tell(first, forge(first, "seat", (key, proof[32:] + proof[:32])))
    hall.silent.add(first.me)
    hall.run()
    hall.ends(hall.named((first, Why.BAD, "proof")), lost=1)


SMALL_ORDER = [
    bytes([1]) + bytes(31),  # the identity: one signature fits every message
    bytes(32),
    bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    bytes([1]) + bytes(30) + bytes([0x80]),
]
NOT_CANONICAL = [
    bytes.fromhex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes.fromhex("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes([0xFF]) * 32,
]


@pytest.mark.parametrize("key", [*SMALL_ORDER, *NOT_CANONICAL, bytes([2]) + bytes(31), b"", b"x"])
def test_36_identity_key_of_small_order_or_not_canonical(key: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        check_key(key)
    with pytest.raises(RemoteProtocolError):
        Player(key, bytes(32), "cheat")


def test_37_table_id_used_again() -> None:
    """A roster that was played before does not hold the nonce of a new seed."""
    setup = Setup("punnet", 2)
    with pytest.raises(LocalProtocolError) as refused:
        Party(setup.identities[0], secret("a new home"), setup.roster, setup.game)
    assert refused.value.code == "nonce"
    players = list(setup.roster.players)
    players[0] = Player(players[0].key, table_nonce(secret("a new home")), players[0].name)
    again = Roster.of(setup.game, tuple(players))
    assert again.table != setup.roster.table
    Party(setup.identities[0], secret("a new home"), again, setup.game)


def test_37_roster_without_me_or_with_me_twice() -> None:
    setup = Setup("punnet", 2)
    with pytest.raises(LocalProtocolError):
        Party(Identity(secret("stranger")), setup.seeds[0], setup.roster, setup.game)
    twice = (setup.roster.players[0], setup.roster.players[0])
    with pytest.raises(RemoteProtocolError):
        Roster.of(setup.game, twice)


def test_04_trivial_keys_cannot_be_said() -> None:
    """The identity has no bytes, in whatever form libraries write it."""
    codes = {bytes(1): "length", bytes(33): "point", bytes(65): "length"}
    for form, code in {**codes, b"\x02" + bytes(32): "point"}.items():
        hall = Hall("punnet", 2)
        cheat = hall.before("seat")
        hall.tell(cheat, forge(cheat, "seat", (form, due(cheat)[1][1])))
        hall.out(cheat, code)
