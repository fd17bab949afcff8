"""The handshake against published vectors, an independent implementation, and bad bytes."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import given
from hypothesis import strategies as st
from noise.connection import Keypair, NoiseConnection

from protocol.crypto.noise import BARE_SIZE, KEY_SIZE, PROTOCOL, Cipher, Handshake
from protocol.errors import LocalProtocolError, RemoteProtocolError
from tests.protocol.crypto.samples import flips
from tests.protocol.tables import secret
from tests.repository.sources import ROOT

PUBLISHED = ROOT.parent / "shared" / "vectors" / "noise_nnpsk0.json"

PSK = secret("psk")
PROLOGUE = b"prologue"

# Every encoding of a point of small order on Curve25519 or its twist, the top bit aside.
PRIME = 2**255 - 19
ORDER_EIGHT = (
    0xB8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
    0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
)
SMALL_ORDER = [y.to_bytes(32, "little") for y in (0, 1, *ORDER_EIGHT, PRIME - 1, PRIME, PRIME + 1)]

keys = st.binary(min_size=KEY_SIZE, max_size=KEY_SIZE)
payloads = st.binary(max_size=200)


def pair(psk: bytes = PSK, prologue: bytes = PROLOGUE) -> tuple[Handshake, Handshake]:
    """An initiator of the usual kind, and a responder."""
    return (
        Handshake(initiator=True, prologue=PROLOGUE, psk=PSK, ephemeral=secret("initiator")),
        Handshake(initiator=False, prologue=prologue, psk=psk, ephemeral=secret("responder")),
    )


def shaken() -> tuple[Handshake, Handshake]:
    initiator, responder = pair()
    responder.read(initiator.write())
    initiator.read(responder.write())
    return initiator, responder


def refusal(handshake: Handshake, message: bytes) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        handshake.read(message)
    return caught.value.code


# Published vectors.


def published(path: Path) -> dict[str, Any]:
    if not path.exists():
        pytest.skip(f"no vectors of others in {path.parent}")
    vectors = json.loads(path.read_text("utf-8"))["vectors"]
    (ours,) = [one for one in vectors if one["protocol_name"].encode() == PROTOCOL]
    return dict(ours)


def test_published_vectors() -> None:
    vector = published(PUBLISHED)
    initiator, responder = [
        Handshake(
            initiator=role == "init",
            prologue=bytes.fromhex(vector[f"{role}_prologue"]),
            psk=bytes.fromhex(vector[f"{role}_psks"][0]),
            ephemeral=bytes.fromhex(vector[f"{role}_ephemeral"]),
        )
        for role in ("init", "resp")
    ]
    messages = [
        (bytes.fromhex(one["payload"]), bytes.fromhex(one["ciphertext"]))
        for one in vector["messages"]
    ]
    first, second, *rest = messages
    assert initiator.write(first[0]) == first[1]
    assert responder.read(first[1]) == first[0]
    assert responder.write(second[0]) == second[1]
    assert initiator.read(second[1]) == second[0]
    assert initiator.hash.hex() == responder.hash.hex() == vector["handshake_hash"]
    out, back = initiator.split()
    returning, incoming = responder.split()
    for at, (payload, ciphertext) in enumerate(rest):
        sending, receiving = ((out, incoming), (returning, back))[at % 2]
        assert sending.encrypt(payload) == ciphertext
        assert receiving.decrypt(ciphertext) == payload


def test_without_the_published_vectors_the_reason_is_given(tmp_path: Path) -> None:
    with pytest.raises(pytest.skip.Exception, match="no vectors of others"):
        published(tmp_path / "none.json")


# Another implementation.


def other(*, initiator: bool, psk: bytes, prologue: bytes, ephemeral: bytes) -> Any:
    connection = NoiseConnection.from_name(PROTOCOL)
    connection.set_psks(psk)
    connection.set_prologue(prologue)
    connection.set_keypair_from_private_bytes(Keypair.EPHEMERAL, ephemeral)
    if initiator:
        connection.set_as_initiator()
    else:
        connection.set_as_responder()
    connection.start_handshake()
    return connection


# The library warns of ephemeral keys that were handed in; here they make examples repeat.
@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore:One of ephemeral keypairs is already set")
@given(
    psk=keys,
    prologue=payloads,
    ephemerals=st.tuples(keys, keys),
    handshake=st.tuples(payloads, payloads),
    talk=st.lists(st.tuples(st.sampled_from(["say", "hear", "rekey"]), payloads), max_size=12),
)
@pytest.mark.parametrize("dialling", [True, False])
def test_with_an_independent_implementation(
    dialling: bool,
    psk: bytes,
    prologue: bytes,
    ephemerals: tuple[bytes, bytes],
    handshake: tuple[bytes, bytes],
    talk: list[tuple[str, bytes]],
) -> None:
    mine = Handshake(initiator=dialling, prologue=prologue, psk=psk, ephemeral=ephemerals[0])
    theirs = other(initiator=not dialling, psk=psk, prologue=prologue, ephemeral=ephemerals[1])
    if dialling:
        assert theirs.read_message(mine.write(handshake[0])) == handshake[0]
        assert mine.read(bytes(theirs.write_message(handshake[1]))) == handshake[1]
    else:
        assert mine.read(bytes(theirs.write_message(handshake[0]))) == handshake[0]
        assert theirs.read_message(mine.write(handshake[1])) == handshake[1]
    assert mine.hash == theirs.get_handshake_hash()
    sending, receiving = mine.split()
    for act, payload in talk:
        if act == "say":
            assert theirs.decrypt(sending.encrypt(payload)) == payload
        elif act == "hear":
            assert receiving.decrypt(theirs.encrypt(payload)) == payload
        else:
            sending.rekey()
            theirs.rekey_inbound_cipher()
            theirs.rekey_outbound_cipher()
            receiving.rekey()


# Ciphers.


def test_the_nonce_is_little_endian_after_four_zeros() -> None:
    cipher = Cipher(PSK)
    cipher.nonce = 258
    sealed = cipher.encrypt(b"fig", b"about")
    reference = ChaCha20Poly1305(PSK)
    assert reference.decrypt(bytes(4) + b"\2\1" + bytes(6), sealed, b"about") == b"fig"


def test_a_new_key_goes_on_counting_and_opens_nothing_old() -> None:
    one, two = Cipher(PSK), Cipher(PSK)
    old = one.encrypt(b"fig")
    one.rekey()
    assert one.nonce == 1
    with pytest.raises(RemoteProtocolError):
        one.decrypt(old)
    two.decrypt(old)
    two.rekey()
    assert two.decrypt(one.encrypt(b"plum")) == b"plum"


def test_what_is_refused_is_not_counted() -> None:
    one, two = Cipher(PSK), Cipher(PSK)
    sealed = one.encrypt(b"fig", b"about")
    for bad in (*flips(sealed), b"", sealed[:-1], sealed + b"\0"):
        with pytest.raises(RemoteProtocolError) as caught:
            two.decrypt(bad, b"about")
        assert caught.value.code == "cipher"
    with pytest.raises(RemoteProtocolError):
        two.decrypt(sealed, b"something else")
    assert two.nonce == 0
    assert two.decrypt(sealed, b"about") == b"fig"
    with pytest.raises(RemoteProtocolError):
        two.decrypt(sealed, b"about")


def test_the_last_number_encrypts_nothing() -> None:
    one, two = Cipher(PSK), Cipher(PSK)
    one.nonce = two.nonce = 2**64 - 2
    assert two.decrypt(one.encrypt(b"fig")) == b"fig"
    with pytest.raises(LocalProtocolError) as local:
        one.encrypt(b"fig")
    with pytest.raises(RemoteProtocolError) as remote:
        two.decrypt(bytes(20))
    assert local.value.code == remote.value.code == "nonce"


# Handshakes that fail.


def test_both_come_to_the_same_keys_and_hash() -> None:
    initiator, responder = shaken()
    assert initiator.hash == responder.hash
    (out, back), (returning, incoming) = initiator.split(), responder.split()
    assert incoming.decrypt(out.encrypt(b"fig")) == b"fig"
    assert back.decrypt(returning.encrypt(b"plum")) == b"plum"
    with pytest.raises(RemoteProtocolError):
        back.decrypt(out.encrypt(b"fig"))


def test_a_bare_message_has_its_size() -> None:
    initiator, responder = pair()
    first = initiator.write()
    responder.read(first)
    assert len(first) == len(responder.write()) == BARE_SIZE


def test_another_key_or_prologue() -> None:
    first = pair()[0].write()
    assert refusal(pair(psk=secret("another"))[1], first) == "cipher"
    assert refusal(pair(prologue=b"another")[1], first) == "cipher"


def test_every_bit_counts() -> None:
    first = pair()[0].write(b"fig")
    for changed in flips(first):
        assert refusal(pair()[1], changed) == "cipher"
    for at in range(len(first)):
        assert refusal(pair()[1], first[:at]) == ("cipher" if at >= BARE_SIZE else "frame")
    responder = pair()[1]
    responder.read(first)
    for changed in flips(responder.write()):
        initiator = pair()[0]
        initiator.write(b"fig")
        assert refusal(initiator, changed) == "cipher"


def test_the_top_bit_of_a_key_counts_though_the_curve_ignores_it() -> None:
    first = bytearray(pair()[0].write())
    first[KEY_SIZE - 1] ^= 0x80
    assert refusal(pair()[1], bytes(first)) == "cipher"


def test_an_answer_to_another_first_message() -> None:
    late = Handshake(initiator=True, prologue=PROLOGUE, psk=PSK, ephemeral=secret("another"))
    initiator, responder = pair()
    responder.read(late.write())
    initiator.write()
    assert refusal(initiator, responder.write()) == "cipher"


class Fixed:
    """In place of a secret key: one whose public key is as given."""

    def __init__(self, public: bytes) -> None:
        self.public = public

    def public_key(self) -> "Fixed":
        return self

    def public_bytes_raw(self) -> bytes:
        return self.public

    def exchange(self, other: object) -> bytes:
        return bytes(KEY_SIZE)


@pytest.mark.parametrize("top", [0, 0x80])
@pytest.mark.parametrize("point", SMALL_ORDER, ids=bytes.hex)
def test_a_key_of_small_order(point: bytes, top: int) -> None:
    """From somebody who knows the pre-shared key and does everything else right."""
    point = point[:-1] + bytes([point[-1] | top])
    evil, responder = pair()
    evil._private = Fixed(point)  # type: ignore[assignment]
    responder.read(evil.write())
    with pytest.raises(RemoteProtocolError) as caught:
        responder.write()
    assert caught.value.code == "ephemeral"

    initiator, evil = pair()
    evil._private = Fixed(point)  # type: ignore[assignment]
    evil.read(initiator.write())
    assert refusal(initiator, evil.write()) == "ephemeral"


@given(st.binary(max_size=120))
def test_garbage(data: bytes) -> None:
    refusal(pair()[1], data)
    initiator = pair()[0]
    initiator.write()
    assert refusal(initiator, data) in ("frame", "cipher", "ephemeral")
