"""Links: strangers, false identities, and what is too much. Numbers are those of the attacks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode, encode
from protocol.crypto.noise import BARE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.link.keys import NO_OPENING, only
from protocol.link.link import (
    FRAMES,
    PREFACE_SIZE,
    Awaits,
    Link,
)
from tests.protocol.crypto.edwards import PRIME, encodings, small_points
from tests.protocol.crypto.samples import flips
from tests.protocol.link.links import (
    ALICE,
    BOB,
    KEY,
    LAST,
    MALLORY,
    MORE,
    MOST,
    PIECE,
    ROLES,
    WATCHING,
    Puppet,
    check_dead,
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

# 29, 40: strangers.

HELLO = dialler().pending()


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: fig\r\n\r\n", "preface", id="a browser"),
        pytest.param(b"P" + HELLO[1:], "preface", id="another letter"),
        pytest.param(HELLO[:8] + b"\1" + HELLO[9:], "version", id="an older version"),
        pytest.param(HELLO[:8] + b"\3" + HELLO[9:], "version", id="a later version"),
        pytest.param(HELLO[:9] + bytes(8) + HELLO[17:], "stranger", id="an unknown key"),
        pytest.param(
            dialler(key=WATCHING.psk).pending(), "stranger", id="a spectator's key, to players"
        ),
        pytest.param(
            HELLO[:17] + dialler(key=secret("wrong")).pending()[17:],
            "cipher",
            id="the right id and the wrong key",
        ),
        pytest.param(HELLO[:17] + frame(bytes(BARE_SIZE)), "cipher", id="nothing behind the id"),
        pytest.param(HELLO[:17] + b"\0\0", "frame", id="an empty frame"),
        pytest.param(HELLO[:17] + b"\xff\xff", "frame", id="a giant frame"),
        pytest.param(HELLO[:17] + b"\0\x31", "frame", id="a frame with a payload"),
    ],
)
def test_29_40_a_stranger_gets_no_byte(hello: bytes, code: str) -> None:
    link = responder()
    assert refusal(link, hello) == code
    assert link.key == b""


def test_40_nothing_is_said_before_the_key_is_shown() -> None:
    link = responder()
    for byte in HELLO[:-1]:
        assert link.receive(bytes([byte])) == []
        assert link.pending() == b""
        assert link.key == b""
    link.receive(HELLO[-1:])
    assert link.pending()


def test_29_a_host_that_does_not_know_the_key() -> None:
    """Whoever answers a call in the host's place cannot make the second message."""
    link = dialler()
    link.pending()
    wrong = responder(keys=[secret("wrong")], identity=MALLORY)
    wrong.receive(dialler(key=secret("wrong")).pending())
    assert refusal(link, wrong.pending()) == "cipher"


def test_29_a_host_without_a_table_refuses_everybody() -> None:
    assert refusal(responder(keys=[]), HELLO) == "stranger"


def test_29_40_a_replayed_call_leads_nowhere() -> None:
    """It is answered, in a way that only the first caller could read."""
    hello, _, identity = connect(dialler(), responder())
    again = responder(ephemeral="another day")
    again.receive(hello)
    answer = again.pending()
    assert BOB.key not in answer
    assert instance("bob") not in answer
    assert refusal(again, identity) == "cipher"
    assert refusal(dialler(ephemeral="another"), answer) == "cipher"


def test_29_a_replayed_answer() -> None:
    _, answer, _ = connect(dialler(), responder())
    link = dialler(ephemeral="another day")
    link.pending()
    assert refusal(link, answer) == "cipher"


def test_29_messages_replayed_dropped_or_crossed() -> None:
    one, other = opened()
    first = one.send(b"first")
    other.receive(first)
    assert refusal(other, first) == "cipher"
    one, other = opened()
    one.send(b"first")
    assert refusal(other, one.send(b"second")) == "cipher"
    one, other = opened()
    assert refusal(one, one.send(b"echo")) == "cipher"
    assert other.receive(b"") == []


@pytest.mark.no_cover
def test_every_byte_of_the_handshake_counts() -> None:
    flights = connect(dialler(), responder())
    for at, flight in enumerate(flights):
        for changed in flips(flight):
            one, other = dialler(), responder()
            for number in range(at):
                (other, one)[number % 2].receive((one, other)[number % 2].pending())
            receiver = (other, one)[at % 2]
            refusal(receiver, changed)
            assert not receiver.opened


@pytest.mark.no_cover
def test_every_byte_of_a_message_counts() -> None:
    for changed in flips(opened()[0].send(pattern(100))):
        _, other = opened()
        try:
            assert other.receive(changed) == []  # a longer frame is waited for
        except RemoteProtocolError:
            check_dead(other)


def test_a_handshake_that_is_cut_off() -> None:
    flights = connect(dialler(), responder())
    for at, flight in enumerate(flights):
        one, other = dialler(), responder()
        for number in range(at):
            (other, one)[number % 2].receive((one, other)[number % 2].pending())
        receiver = (other, one)[at % 2]
        receiver.pending()
        assert receiver.receive(flight[:-1]) == []
        assert not receiver.opened
        assert receiver.pending() == b""


# 29, 36, 40: identities.


@pytest.mark.parametrize("dialling", ROLES)
def test_the_puppet_can_do_it_right(dialling: bool) -> None:
    end = puppet(dialling)
    end.meet()
    assert seen(end.link) == (True, MALLORY.key, instance("mallory"), KEY)
    assert end.link.receive(end.seal(LAST + b"fig")) == [b"fig"]


@pytest.mark.parametrize("dialling", ROLES)
def test_29_signed_in_the_other_role(dialling: bool) -> None:
    end = puppet(dialling)
    said = end.introduction(role=end.other_role)
    assert refusal(end.link, end.seal(said)) == "signature"


def test_29_own_identity_echoed() -> None:
    end = puppet(True)
    echo = end.open(end.heard)
    assert BOB.key in echo
    assert refusal(end.link, end.seal(echo)) == "signature"


@pytest.mark.parametrize("dialling", ROLES)
def test_38_the_same_identity_on_both_ends(dialling: bool) -> None:
    """Somebody called itself; or a home was copied, and both copies run."""
    me, name = (BOB, "bob") if dialling else (ALICE, "alice")
    end = puppet(dialling)
    assert refusal(end.link, end.seal(end.introduction(me, run=name))) == "self"
    end = puppet(dialling)
    assert refusal(end.link, end.seal(end.introduction(me, run="copy"))) == "twin"


@pytest.mark.parametrize("dialling", ROLES)
def test_29_signed_for_another_handshake(dialling: bool) -> None:
    end = puppet(dialling)
    said = end.introduction(hash=secret("another handshake"))
    assert refusal(end.link, end.seal(said)) == "signature"


def test_29_somebody_in_the_middle_who_knows_the_key() -> None:
    """It shakes hands with both, and passes on what each signs."""
    alice, bob = dialler(), responder()
    to_alice = Puppet(alice, dialling=False)
    to_bob = Puppet(bob, dialling=True)
    of_bob = to_bob.open(to_bob.heard)
    assert BOB.key in of_bob
    assert refusal(alice, to_alice.seal(of_bob)) == "signature"

    alice = dialler()
    to_alice = Puppet(alice, dialling=False)
    to_alice.meet()  # under its own name
    of_alice = to_alice.open(alice.pending())
    assert ALICE.key in of_alice
    assert refusal(bob, to_bob.seal(of_alice)) == "signature"


@pytest.mark.no_cover
@pytest.mark.parametrize("dialling", ROLES)
def test_36_an_identity_key_of_small_order(dialling: bool) -> None:
    """With the neutral point one signature would fit every handshake."""
    base = (4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little")
    fits_everything = base + (1).to_bytes(32, "little")
    for key in {key for _, y in small_points() for key in encodings(y)}:
        end = puppet(dialling)
        said = LAST + encode((key, instance("mallory"), NO_OPENING, fits_everything))
        assert refusal(end.link, end.seal(said)) == "key"


@pytest.mark.parametrize("dialling", ROLES)
def test_an_identity_by_somebody_else(dialling: bool) -> None:
    """A known key, with the signature of another."""
    end = puppet(dialling)
    signature = MALLORY.sign(end.role, end.hash)
    other = ALICE if dialling else BOB
    said = LAST + encode((other.key, instance("mallory"), NO_OPENING, signature))
    assert refusal(end.link, end.seal(said)) == "signature"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        pytest.param((bytes(31), bytes(16), bytes(16), bytes(65)), "key", id="a short key"),
        pytest.param(
            (bytes(32), bytes(15), bytes(16), bytes(65)), "identity", id="a short instance"
        ),
        pytest.param((bytes(32), bytes(16), bytes(15), bytes(65)), "identity", id="short opening"),
        pytest.param((bytes(32), bytes(16), bytes(16), "x" * 64), "identity", id="letters"),
        pytest.param((bytes(32), bytes(100)), "identity", id="two things"),
        pytest.param((bytes(32), bytes(16), bytes(82)), "identity", id="no opening"),
        pytest.param(bytes(135), "identity", id="bytes"),
    ],
)
@pytest.mark.parametrize("dialling", ROLES)
def test_what_is_no_identity(dialling: bool, value: tuple[bytes, ...], code: str) -> None:
    end = puppet(dialling)
    assert len(encode(value)) == 137
    assert refusal(end.link, end.seal(LAST + encode(value))) == code


@pytest.mark.parametrize("dialling", ROLES)
def test_nothing_is_taken_before_the_identity(dialling: bool) -> None:
    for plain, code in (
        (LAST + b"fig", "frame"),
        (LAST + pattern(MOST // 2), "frame"),
        (LAST + pattern(137), "codec"),
        (MORE + pattern(137), "piece"),
        (b"\2" + pattern(137), "piece"),
    ):
        end = puppet(dialling)
        assert refusal(end.link, end.seal(plain)) == code
    end = puppet(dialling)
    changed = bytes([end.introduction()[0] ^ 1]) + end.introduction()[1:]
    assert refusal(end.link, end.seal(changed)) == "piece"


class Asked(list[bytes]):
    """Expects nobody, and remembers who came."""

    def __call__(self, key: bytes, _opening: bytes) -> bool:
        self.append(key)
        return False


def test_40_whoever_is_not_expected_learns_nothing() -> None:
    asked = Asked()
    link = dialler(expected=asked)
    assert dialler(identity=BOB, run="bob").pending() == HELLO  # the same, whoever calls
    end = Puppet(link, dialling=False)
    assert asked == []
    assert refusal(link, end.seal(end.introduction())) == "unexpected"
    assert asked == [MALLORY.key]
    assert link.peer == b""


def test_40_only_a_key_that_is_proved_is_asked_about() -> None:
    asked = Asked()
    link = dialler(expected=asked)
    end = Puppet(link, dialling=False)
    said = end.introduction(hash=secret("another handshake"))
    assert refusal(link, end.seal(said)) == "signature"
    assert asked == []


def test_whoever_is_expected_is_let_in() -> None:
    one = dialler(expected=only(BOB.key))
    other = responder(expected=only(ALICE.key))
    connect(one, other)
    assert one.opened
    assert other.opened


def test_a_responder_may_expect_somebody_too() -> None:
    link = responder(expected=only(ALICE.key))
    end = Puppet(link, dialling=True)
    assert refusal(link, end.seal(end.introduction())) == "unexpected"


def test_the_identity_says_what_it_should() -> None:
    end = puppet(True)
    said = end.open(end.heard)
    signature = BOB.sign(end.other_role, end.hash)
    assert said[:1] == LAST
    assert decode(said[1:], 200) == (BOB.key, instance("bob"), NO_OPENING, signature)


# 24: frames and messages that are too much.


def waiting(awaits: Awaits) -> Link:
    """A link that waits for this."""
    if awaits is Awaits.SECOND:
        return dialler()
    link = responder()
    if awaits is Awaits.FIRST:
        link.receive(HELLO[:PREFACE_SIZE])
    if awaits is Awaits.IDENTITY:
        link.receive(HELLO)
    if awaits is Awaits.MESSAGE:
        connect(dialler(), link)
    return link


# What is said at an entrance is in test_entrances.py.
@pytest.mark.parametrize("awaits", sorted(FRAMES.keys() - {Awaits.HELLO, Awaits.SHARE}, key=str))
def test_24_a_length_that_cannot_be_is_refused_at_once(awaits: Awaits) -> None:
    allowed = FRAMES[awaits]
    for size in {0, 1, 16, 17, allowed[0] - 1, min(allowed[-1] + 1, 65_535), 65_535}:
        if size not in allowed:
            assert refusal(waiting(awaits), size.to_bytes(2, "big")) == "frame"
    for size in (allowed[0], allowed[-1]):
        link = waiting(awaits)
        link.pending()
        assert link.receive(size.to_bytes(2, "big") + pattern(size - 1)) == []
        assert held(link) == 2 + size - 1
        assert link.pending() == b""
        assert refusal(link, b"\0") == "cipher"


@pytest.mark.parametrize("dialling", ROLES)
def test_24_a_message_without_an_end(dialling: bool) -> None:
    end = puppet(dialling)
    end.meet()
    assert end.link.receive(end.seal(MORE + bytes(PIECE))) == []
    assert held(end.link) == PIECE
    assert refusal(end.link, end.seal(MORE + bytes(PIECE))) == "size"


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        pytest.param([MORE], "piece", id="more, and nothing yet"),
        pytest.param([MORE + bytes(PIECE - 1)], "piece", id="not full"),
        pytest.param([MORE + bytes(PIECE), LAST], "piece", id="nothing at the end"),
        pytest.param([MORE + bytes(PIECE), MORE + bytes(1)], "piece", id="crumbs"),
        pytest.param([MORE + bytes(PIECE), LAST + bytes(MOST - PIECE + 1)], "size", id="too large"),
        pytest.param([b"\2"], "piece", id="an unknown flag"),
        pytest.param([b"\xff" + bytes(PIECE)], "piece", id="an unknown flag on a full piece"),
    ],
)
@pytest.mark.parametrize("dialling", ROLES)
def test_24_a_message_is_cut_in_one_way(dialling: bool, pieces: list[bytes], code: str) -> None:
    end = puppet(dialling)
    end.meet()
    *before, last = pieces
    for piece in before:
        assert end.link.receive(end.seal(piece)) == []
    assert refusal(end.link, end.seal(last)) == code


def test_24_an_empty_ciphertext_is_too_short() -> None:
    end = puppet(True)
    end.meet()
    assert refusal(end.link, end.seal(b"")) == "frame"


# Garbage.


@given(st.data(), st.sampled_from(Awaits), st.lists(st.binary(max_size=300), max_size=4))
def test_garbage_is_refused_or_waited_for(
    data: st.DataObject, awaits: Awaits, parts: list[bytes]
) -> None:
    if awaits is Awaits.NOTHING:
        return
    link = waiting(awaits)
    link.pending()
    before = seen(link)
    framed = data.draw(st.booleans())
    for part in parts:
        try:
            assert link.receive(frame(part) if framed else part) == []
        except RemoteProtocolError:
            check_dead(link)
            return
        assert seen(link) == before
        assert link.pending() == b""


@given(st.binary(max_size=200), st.booleans())
def test_anything_in_the_place_of_an_identity(said: bytes, dialling: bool) -> None:
    end = puppet(dialling)
    refusal(end.link, end.seal(said))


def test_what_was_to_be_said_dies_with_the_link() -> None:
    link = dialler()
    assert refusal(link, b"\0\0") == "frame"


def test_good_and_bad_in_one_go() -> None:
    one, other = opened()
    assert refusal(other, one.send(b"fig") + b"\0\0") == "frame"
