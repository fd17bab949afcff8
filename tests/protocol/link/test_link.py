"""Links: what passes, under which keys, and what nobody learns."""

import hmac
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noise.connection import Keypair, NoiseConnection

from protocol import limits
from protocol.crypto.noise import BARE_SIZE
from protocol.errors import LocalProtocolError
from protocol.link.keys import PSK_SIZE, Access, key_id
from protocol.link.link import (
    INSTANCE_SIZE,
    PREFACE_SIZE,
    Link,
)
from tests.protocol.link.links import (
    ALICE,
    BOB,
    IDENTITY_FRAME_SIZE,
    KEY,
    LAST,
    MALLORY,
    MOST,
    OPENINGS,
    PIECE,
    ROLES,
    WATCHING,
    connect,
    dialler,
    frame,
    held,
    instance,
    opened,
    pattern,
    puppet,
    refusal,
    responder,
    seen,
)
from tests.protocol.tables import secret

# What passes.


def test_both_know_who_the_other_is() -> None:
    one, other = dialler(), responder()
    assert not one.opened
    assert not other.opened
    assert (other.key, other.peer, other.peer_instance) == (b"", b"", b"")
    connect(one, other)
    assert seen(one) == (True, BOB.key, instance("bob"), KEY)
    assert seen(other) == (True, ALICE.key, instance("alice"), KEY)


def test_the_sizes_of_the_handshake() -> None:
    hello, answer, identity = connect(dialler(), responder())
    assert len(hello) == PREFACE_SIZE + 2 + BARE_SIZE
    assert len(answer) == 2 + BARE_SIZE + IDENTITY_FRAME_SIZE
    assert len(identity) == IDENTITY_FRAME_SIZE


def test_pending_is_taken_once() -> None:
    one = dialler()
    assert one.pending()
    assert one.pending() == b""


def test_a_message_never_overtakes_the_handshake() -> None:
    one, other = dialler(), responder()
    other.receive(one.pending())
    one.receive(other.pending())
    assert other.receive(one.send(b"fig")) == [b"fig"]
    assert one.pending() == b""


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, MOST - 1, MOST])
def test_messages_of_every_size(size: int) -> None:
    one, other = opened()
    for sender, receiver in ((one, other), (other, one)):
        sent = sender.send(pattern(size))
        assert len(sent) == size + (1 if size <= PIECE else 2) * (2 + 1 + 16)
        assert receiver.receive(sent) == [pattern(size)]
        assert held(receiver) == 0


def test_too_large_a_message_is_not_sent() -> None:
    one, other = opened()
    with pytest.raises(LocalProtocolError) as caught:
        one.send(bytes(MOST + 1))
    assert caught.value.code == "size"
    assert other.receive(one.send(b"fig")) == [b"fig"]


def test_nothing_is_sent_before_the_link_is_open() -> None:
    one, other = dialler(), responder()
    for sender, receiver in ((one, other), (other, one)):
        for link in (one, other):
            with pytest.raises(LocalProtocolError) as caught:
                link.send(b"fig")
            assert caught.value.code == "not-open"
        receiver.receive(sender.pending())
    assert one.opened  # and the responder is not, before it knows who called
    with pytest.raises(LocalProtocolError):
        other.send(b"fig")
    assert other.receive(one.send(b"fig")) == [b"fig"]
    assert one.receive(other.send(b"plum")) == [b"plum"]


sizes = st.integers(0, 40) | st.sampled_from([PIECE, PIECE + 1, MOST]) | st.integers(0, MOST)


def chunks(data: st.DataObject, stream: bytes) -> list[bytes]:
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=8))
    near = [cut + 1 for cut in cuts if cut < len(stream)]
    ends = sorted({0, len(stream), *cuts, *near})
    return [stream[start:end] for start, end in pairwise(ends)]


@pytest.mark.no_cover
@given(st.data(), st.lists(sizes, max_size=4), st.lists(sizes, max_size=4))
def test_however_the_bytes_arrive(data: st.DataObject, there: list[int], back: list[int]) -> None:
    one, other = dialler(), responder()
    for sender, receiver in ((one, other), (other, one), (one, other)):
        for chunk in chunks(data, sender.pending()):
            assert receiver.receive(chunk) == []
    for sender, receiver, lengths in ((one, other, there), (other, one, back)):
        messages = [pattern(length) for length in lengths]
        stream = b"".join([sender.send(message) for message in messages])
        got: list[bytes] = []
        for chunk in chunks(data, stream):
            got += receiver.receive(chunk)
            assert held(receiver) <= 2 + limits.FRAME_SIZE_MOST + PIECE
        assert got == messages
        assert held(receiver) == 0


def test_byte_by_byte() -> None:
    one, other = dialler(), responder()
    for sender, receiver in ((one, other), (other, one), (one, other)):
        for byte in sender.pending():
            assert receiver.receive(bytes([byte])) == []
    got = [other.receive(bytes([byte])) for byte in one.send(b"fig") + one.send(b"plum")]
    assert [message for messages in got for message in messages] == [b"fig", b"plum"]


def test_what_comes_right_behind_the_identity() -> None:
    """A dialler need not wait to be told that the link is open."""
    one, other = dialler(), responder()
    other.receive(one.pending())
    one.receive(other.pending())
    stream = one.pending() + one.send(b"fig") + one.send(b"plum")
    assert other.receive(stream) == [b"fig", b"plum"]


# Keys that change.


def test_many_messages_cross_while_keys_change() -> None:
    one, other = opened()
    for number in range(limits.REKEY_FRAMES * 2 + 5):
        there, back = one.send(b"%d there" % number), other.send(b"%d back" % number)
        assert other.receive(there) == [b"%d there" % number]
        assert one.receive(back) == [b"%d back" % number]


def test_each_direction_changes_its_key_by_itself() -> None:
    """And in the middle of a message, too."""
    one, other = opened()
    for _ in range(limits.REKEY_FRAMES - 2):
        other.receive(one.send(b""))
    assert other.receive(one.send(pattern(MOST))) == [pattern(MOST)]
    assert one.receive(other.send(b"fig")) == [b"fig"]


@pytest.mark.parametrize("dialling", ROLES)
def test_the_key_changes_after_so_many_frames(dialling: bool) -> None:
    late, right = puppet(dialling), puppet(dialling)
    for end in (late, right):
        end.meet()
        for _ in range(limits.REKEY_FRAMES - 1):  # the identity was a frame
            end.link.receive(end.seal(LAST))
    assert refusal(late.link, late.seal(LAST + b"fig")) == "cipher"
    right.sending.rekey()
    assert right.link.receive(right.seal(LAST + b"fig")) == [b"fig"]


def test_nothing_is_kept_that_opens_what_was_said() -> None:
    one, other = opened()
    for link in (one, other):
        assert not hasattr(link, "_handshake")
        assert link._ephemeral == b""


# Another implementation, from the specification alone.


def derived(secret: bytes, label: bytes, length: int) -> bytes:
    """HKDF for at most one block."""
    inner = hmac.digest(bytes(32), secret, "sha256")
    return hmac.digest(inner, label + b"\x01", "sha256")[:length]


@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore:One of ephemeral keypairs is already set")
@pytest.mark.parametrize("dialling", ROLES)
def test_with_an_independent_implementation(dialling: bool) -> None:
    salt = bytes(range(16))
    seats = sha256(b"p2pfruit seat 2\n" + BOB.key + salt).digest()[:16]
    watch_salt = derived(seats, b"p2pfruit watch salt 2\n", 16)
    watch = sha256(b"p2pfruit watch 2\n" + BOB.key + watch_salt).digest()[:16]
    psk = derived(seats, b"p2pfruit seat key 2\n", 32)
    watching = derived(watch, b"p2pfruit watch key 2\n", 32)
    assert {psk: salt, watching: watch_salt} == OPENINGS
    id = derived(psk, b"p2pfruit key id 2\n", 8)
    link = responder(keys=[psk, watching], openings=OPENINGS) if dialling else dialler()
    noise = NoiseConnection.from_name(b"Noise_NNpsk0_25519_ChaChaPoly_SHA256")
    noise.set_psks(psk)
    noise.set_prologue(b"p2pfruit link 2\n\x02" + id)
    noise.set_keypair_from_private_bytes(Keypair.EPHEMERAL, secret("another"))
    if dialling:
        noise.set_as_initiator()
        noise.start_handshake()
        link.receive(b"p2pfruit\x02" + id + b"\0\x30" + bytes(noise.write_message()))
        answer = link.pending()
        assert answer[:2] + answer[50:52] == b"\0\x30\0\x9a"
        noise.read_message(answer[2:50])
        theirs = noise.decrypt(answer[52:])
    else:
        noise.set_as_responder()
        noise.start_handshake()
        hello = link.pending()
        assert hello[:19] == b"p2pfruit\x02" + id + b"\0\x30"
        noise.read_message(hello[19:])
        link.receive(b"\0\x30" + bytes(noise.write_message()))
        theirs = b""
    roles = [b"p2pfruit dialler 2\n", b"p2pfruit responder 2\n"]
    mine, yours = roles if dialling else roles[::-1]
    hash = noise.get_handshake_hash()
    said = b"\0\x94\xc4\x20" + MALLORY.key + b"\xc4\x10" + instance("mallory")
    said += b"\xc4\x10" + bytes(16) + b"\xc4\x40"
    link.receive(b"\0\x9a" + noise.encrypt(said + MALLORY.sign(mine, hash)))
    theirs = theirs or noise.decrypt(link.pending()[2:])
    who, name = (BOB, "bob") if dialling else (ALICE, "alice")
    heard = b"\0\x94\xc4\x20" + who.key + b"\xc4\x10" + instance(name)
    heard += b"\xc4\x10" + (salt if dialling else bytes(16)) + b"\xc4\x40"
    assert theirs == heard + who.sign(yours, hash)
    assert seen(link) == (True, MALLORY.key, instance("mallory"), psk)
    for number in range(1, 2_002):
        assert link.receive(frame(noise.encrypt(b"\0%d" % number))) == [b"%d" % number]
        assert noise.decrypt(link.send(b"%d" % number)[2:]) == b"\0%d" % number
        if number in (999, 1_999):
            noise.rekey_inbound_cipher()
            noise.rekey_outbound_cipher()


# Keys of a table.


def test_keys_of_players_and_spectators() -> None:
    watching = WATCHING.psk
    assert len(KEY) == len(watching) == PSK_SIZE
    assert len({KEY, watching, Access(secret=bytes(16)).psk}) == 3
    assert key_id(KEY) != key_id(watching)
    assert len(key_id(KEY)) == 8


def test_the_key_says_who_may_do_what() -> None:
    watching = WATCHING.psk
    for key in (KEY, watching):
        one, other = dialler(key=key), responder(keys=[KEY, watching])
        connect(one, other)
        assert one.key == other.key == key


@pytest.mark.parametrize(
    "wrong",
    [
        {"keys": []},
        {"keys": [KEY, WATCHING.psk]},
        {"keys": [KEY[1:]]},
        {"instance": bytes(INSTANCE_SIZE - 1)},
        {"ephemeral": bytes(31)},
    ],
)
def test_a_link_is_made_from_what_it_needs(wrong: dict[str, object]) -> None:
    right = {
        "keys": [KEY],
        "identity": ALICE,
        "instance": instance("alice"),
        "ephemeral": secret("e"),
    }
    with pytest.raises(ValueError, match=r"bytes|unpack"):
        Link(**(right | wrong), dialling=True)  # type: ignore[arg-type]
