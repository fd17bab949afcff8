"""A stream to a relay, by both of its ends."""

import pytest

from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.relay import frames
from protocol.relay.approach import Accepting, Approach, Calling, Registering, State, Wish
from protocol.relay.frames import (
    Accept,
    Call,
    Caller,
    Challenge,
    Go,
    Gone,
    Message,
    No,
    Ping,
    Pong,
    Refuse,
    Register,
    Registered,
    encode_frame,
)
from protocol.relay.visit import PREFACE, Visit
from tests.protocol.relay.ends import (
    ACCEPT,
    CALL,
    KEYS,
    NONCE,
    OTHER_KEYS,
    OTHER_TABLE,
    REGISTER,
    TABLE,
    asked,
    hear,
    visit,
)
from tests.protocol.tables import secret


def name_of(message: Message) -> str:
    return type(message).__name__


WISHES: list[tuple[Wish, type]] = [(CALL, Call), (REGISTER, Register), (ACCEPT, Accept)]


def refusal(end: Visit | Approach, data: bytes) -> str:
    """The code; the end is dead afterwards."""
    with pytest.raises(RemoteProtocolError) as caught:
        hear(end, data)
    with pytest.raises(RemoteProtocolError, match="dead"):
        end.receive(b"")
    return caught.value.code


@pytest.mark.parametrize(("wish", "kind"), WISHES)
def test_a_wish_is_heard(wish: Wish, kind: type) -> None:
    here, there, message = asked(wish)
    assert type(message) is kind
    assert there.verifier is not None
    assert there.verifier.key == TABLE.key
    assert here.state is State.ANSWER
    assert (here.pending(), there.pending()) == (b"", b"")


@pytest.mark.parametrize("wish", [CALL, ACCEPT])
def test_after_go_no_byte_is_taken(wish: Wish) -> None:
    here, _there, _message = asked(wish)
    assert hear(here, encode_frame(Go())) == [Go()]
    assert here.state is State.THROUGH
    assert here.wants == 0
    with pytest.raises(RemoteProtocolError, match="over"):
        here.receive(b"p")


def test_a_registered_host_hears_of_callers() -> None:
    here, there, _message = asked(REGISTER)
    there.registered()
    said: list[Message] = [Registered(), Caller(3, bytes(8)), Gone(3), Pong(1)]
    assert hear(here, b"".join(map(encode_frame, said))) == said
    assert hear(there, here.say(Ping(1)) + here.say(Refuse(4))) == [Ping(1), Refuse(4)]
    assert hear(here, encode_frame(No(frames.REPLACED))) == [No(frames.REPLACED)]
    assert here.state is State.OVER
    assert here.wants == 0


@pytest.mark.parametrize(("wish", "_kind"), WISHES)
def test_any_wish_may_be_refused(wish: Wish, _kind: type) -> None:
    here, _there, _message = asked(wish)
    assert hear(here, encode_frame(No(frames.FULL))) == [No(frames.FULL)]
    assert here.wants == 0


def test_only_a_registered_host_may_say_more() -> None:
    here, _there, _message = asked(CALL)
    with pytest.raises(LocalProtocolError, match="does not know"):
        here.say(Ping(1))


# What the relay refuses.


@pytest.mark.parametrize(
    ("preface", "code"),
    [
        (b"p2pfruit\x02", "preface"),
        (b"GET / HTT", "preface"),
        (b"p2prelay\x01", "version"),
        (b"p2prelay\x03", "version"),
    ],
)
def test_who_does_not_ask_for_a_relay_hears_nothing(preface: bytes, code: str) -> None:
    there = visit()
    assert refusal(there, preface) == code
    assert there.pending() == b""


def words(there: Visit) -> str:
    """The code of the last words."""
    listener = asked(CALL)[0]
    [message] = hear(listener, there.pending())
    assert isinstance(message, No)
    return message.code


def told(there: Visit, message: Message) -> tuple[str, str]:
    """The code of the refusal, and of the last words."""
    hear(there, PREFACE)
    there.pending()
    return refusal(there, encode_frame(message)), words(there)


def answer(wish: Wish, *, keys: bytes = KEYS.id, nonce: bytes = NONCE) -> Message:
    return wish.answer(Challenge(keys, nonce))


@pytest.mark.parametrize("wish", [Registering(TABLE, OTHER_KEYS), Accepting(TABLE, OTHER_KEYS, 3)])
def test_a_host_without_the_line_is_a_stranger(wish: Wish) -> None:
    message = answer(wish, keys=OTHER_KEYS.id)
    assert told(visit(), message) == ("stranger", frames.STRANGER)


@pytest.mark.parametrize("wish", [Registering(TABLE, KEYS), Accepting(TABLE, KEYS, 3)])
def test_a_replayed_proof_is_that_of_a_stranger(wish: Wish) -> None:
    assert told(visit(nonce=secret("another")), answer(wish)) == ("stranger", frames.STRANGER)


def test_a_replayed_call_is_nobody_s() -> None:
    assert told(visit(nonce=secret("another")), answer(CALL)) == ("signature", frames.NOBODY)


def test_what_was_signed_at_another_relay_is_worthless() -> None:
    assert told(visit(), answer(CALL, keys=OTHER_KEYS.id)) == ("signature", frames.NOBODY)


@pytest.mark.parametrize("wish", [CALL, ACCEPT])
def test_a_table_that_is_not_registered_is_not_there(wish: Wish) -> None:
    assert told(visit(known=()), answer(wish)) == ("nobody", frames.NOBODY)


def test_an_unknown_table_and_a_wrong_signature_sound_alike() -> None:
    other = answer(Calling(OTHER_TABLE))
    assert isinstance(other, Call)
    wrong = other._replace(key=TABLE.key)
    assert told(visit(), wrong)[1] == told(visit(known=()), wrong)[1]


@pytest.mark.parametrize("wish", [REGISTER, ACCEPT])
def test_the_line_alone_registers_nobody_else_s_table(wish: Wish) -> None:
    """Its proof is good, its signature is by another key."""
    good = answer(wish)
    other = Registering(OTHER_TABLE, KEYS).answer(Challenge(KEYS.id, NONCE))
    assert isinstance(other, Register)
    assert isinstance(good, Register | Accept)
    assert told(visit(), good._replace(signature=other.signature))[0] == "signature"


def test_a_rendezvous_is_a_good_key() -> None:
    class Neutral(Registering):
        """It proves a key that fits every signature."""

        def answer(self, challenge: Challenge) -> Message:
            from protocol.relay.keys import Role, Statement

            key = bytes([1, *bytes(31)])
            said = Statement(role=Role.REGISTER, relay=KEYS.id, nonce=NONCE, key=key)
            return Register(key, bytes(64), KEYS.prove(said))

    there = visit()
    hear(there, PREFACE)
    there.pending()
    assert refusal(there, encode_frame(answer(Neutral(TABLE, KEYS)))) == "key"
    assert there.pending() == b""


@pytest.mark.parametrize(
    "message",
    [Go(), Ping(1), Registered(), Challenge(KEYS.id, NONCE), No(frames.FULL)],
    ids=name_of,
)
def test_other_messages_are_no_wish(message: Message) -> None:
    there = visit()
    hear(there, PREFACE)
    assert refusal(there, encode_frame(message)) == "message"


@pytest.mark.parametrize(("wish", "_kind"), WISHES)
def test_nothing_may_come_before_the_answer(wish: Wish, _kind: type) -> None:
    _here, there, _message = asked(wish)
    assert there.wants > 0  # whoever hangs up is noticed
    assert refusal(there, b"p") == "early"


def test_a_registered_host_does_not_register_again() -> None:
    _here, there, message = asked(REGISTER)
    there.registered()
    assert refusal(there, encode_frame(message)) == "message"


# What its visitors refuse.


@pytest.mark.parametrize("wish", [Registering(TABLE, KEYS), Accepting(TABLE, KEYS, 3)])
def test_a_host_signs_for_no_other_relay(wish: Wish) -> None:
    here = Approach(wish)
    here.pending()
    assert refusal(here, encode_frame(Challenge(OTHER_KEYS.id, NONCE))) == "relay"
    assert here.pending() == b""


@pytest.mark.parametrize(("wish", "_kind"), WISHES)
@pytest.mark.parametrize("message", [Go(), Registered(), Pong(1), No(frames.FULL)], ids=name_of)
def test_the_challenge_comes_first(wish: Wish, _kind: type, message: Message) -> None:
    assert refusal(Approach(wish), encode_frame(message)) == "message"


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (CALL, Registered()),
        (ACCEPT, Registered()),
        (REGISTER, Go()),
        (CALL, Challenge(KEYS.id, secret("another"))),
    ],
    ids=["call", "accept", "register", "another challenge"],
)
def test_an_answer_to_another_wish(wish: Wish, message: Message) -> None:
    here, _there, _message = asked(wish)
    assert refusal(here, encode_frame(message)) == "message"
