import pytest

from protocol import limits
from protocol.codec import encode
from protocol.errors import RemoteProtocolError
from protocol.relay import frames
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
    Reader,
    Refuse,
    Register,
    Registered,
    encode_frame,
    parse_message,
)
from tests.protocol.relay.ends import plain

EACH: list[Message] = [
    Challenge(bytes(16), bytes(32)),
    Register(bytes(32), bytes(64), bytes(32)),
    Call(bytes(32), bytes(64)),
    Accept(bytes(32), 2**53 - 1, bytes(64), bytes(32)),
    Registered(),
    Go(),
    *map(No, frames.CODES),
    Caller(0, bytes(8)),
    Gone(1),
    Refuse(2),
    Ping(3),
    Pong(4),
]


@pytest.mark.parametrize("message", EACH, ids=lambda message: type(message).__name__)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    read = parse_message(plain(message))
    assert (type(read), read) == (type(message), message)
    assert len(plain(message)) <= limits.RELAY_MESSAGE_SIZE_MOST


@pytest.mark.parametrize(
    "data",
    [
        encode("go"),
        encode(()),
        encode((1,)),
        encode(("stop",)),
        encode(("go", 1)),
        encode(("ping", "1")),
        encode(("ping", True)),
        encode(("no", 1)),
        encode(("no", "fig")),
        encode(("caller", 1, bytes(9))),
        encode(("caller", 1, "12345678")),
        encode(("call", bytes(32))),
        encode(("call", bytes(31), bytes(64))),
    ],
    ids=lambda data: data.hex(),
)
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        parse_message(data)
    assert caught.value.code == "message"


@pytest.mark.parametrize(("data", "code"), [(b"\xc1", "codec"), (bytes(161), "size")])
def test_what_is_no_value_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        parse_message(data)
    assert caught.value.code == code


def test_a_reader_takes_no_byte_of_what_follows() -> None:
    reader = Reader(3)
    assert reader.wants == 3
    assert reader.take(b"f") is None
    assert reader.wants == 2
    assert reader.take(b"ig") == b"fig"
    frame = encode_frame(Ping(1))
    for byte in frame[:-1]:
        assert reader.take(bytes([byte])) is None
    assert reader.wants == 1
    assert reader.take(frame[-1:]) == plain(Ping(1))
    assert reader.wants == 2
    with pytest.raises(ValueError, match="more bytes"):
        reader.take(b"fig")


@pytest.mark.parametrize("size", [0, limits.RELAY_MESSAGE_SIZE_MOST + 1, 65_535])
def test_a_length_that_cannot_be_is_refused_before_its_content(size: int) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        Reader().take(size.to_bytes(2, "big"))
    assert caught.value.code == "frame"
