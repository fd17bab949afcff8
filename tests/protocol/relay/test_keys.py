from itertools import combinations

import pytest

from protocol.crypto.identity import Verifier
from protocol.link.keys import Access
from protocol.relay.keys import RelayKeys, Role, Statement, rendezvous
from tests.protocol.relay.ends import KEYS, NONCE, OTHER_KEYS, OTHER_TABLE, TABLE


def statement(
    role: Role = Role.ACCEPT,
    relay: bytes = KEYS.id,
    nonce: bytes = NONCE,
    key: bytes = TABLE.key,
    number: int = 3,
) -> Statement:
    return Statement(role=role, relay=relay, nonce=nonce, key=key, number=number)


DIFFERENT = [
    statement(),
    statement(role=Role.REGISTER),
    statement(role=Role.CALL),
    statement(relay=OTHER_KEYS.id),
    statement(nonce=bytes(32)),
    statement(key=OTHER_TABLE.key),
    statement(number=4),
]


def test_what_is_signed_and_proved_for_one_thing_is_worthless_for_another() -> None:
    for one, other in combinations(DIFFERENT, 2):
        signature, proof = one.sign(TABLE), KEYS.prove(one)
        assert one.is_signed(Verifier(TABLE.key), signature)
        assert KEYS.is_proved(one, proof)
        assert not other.is_signed(Verifier(TABLE.key), signature)
        assert not KEYS.is_proved(other, proof)


def test_another_key_signs_and_another_line_proves_nothing() -> None:
    assert not statement().is_signed(Verifier(TABLE.key), statement().sign(OTHER_TABLE))
    assert not KEYS.is_proved(statement(), OTHER_KEYS.prove(statement()))


def test_players_and_spectators_meet_at_different_places() -> None:
    players = Access.hosting(TABLE.key, bytes(16))
    there = rendezvous(players.psk).key
    assert rendezvous(players.psk).key == there != rendezvous(players.to_watch().psk).key


def test_the_secret_has_its_size_and_is_not_shown() -> None:
    assert KEYS.secret.hex() not in repr(KEYS)
    assert repr(KEYS.secret) not in repr(KEYS)
    with pytest.raises(ValueError, match="another size"):
        RelayKeys(bytes(15))
