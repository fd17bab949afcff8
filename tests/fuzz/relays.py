"""Streams to a relay, at both of their ends."""

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.relay import frames
from protocol.relay.approach import Approach, Wish
from protocol.relay.frames import Message, encode_frame
from protocol.relay.visit import PREFACE, Visit
from tests.protocol.relay.ends import ACCEPT, CALL, REGISTER, asked, hear, visit

WISHES: list[Wish] = [CALL, REGISTER, ACCEPT]


def relay(data: bytes) -> None:
    """A byte says which end hears the others; read at once or byte by byte, it hears the same."""
    if not data:
        return
    whole, cut = _end(data[0]), _end(data[0])
    heard = _heard(whole, data[1:], limits.RELAY_MESSAGE_SIZE_MOST)
    assert heard == _heard(cut, data[1:], 1)
    assert whole.pending() == cut.pending()
    assert whole.wants == cut.wants <= limits.RELAY_MESSAGE_SIZE_MOST
    for message in heard:
        assert encode_frame(message) in data


def _end(which: int) -> Visit | Approach:
    """The relay before a wish or with a registered host, or one who has said its wish."""
    if which % 5 < len(WISHES):
        return asked(WISHES[which % 5])[0]
    if which % 5 == len(WISHES):
        return visit()
    there = asked(REGISTER)[1]
    there.registered()
    return there


def _heard(end: Visit | Approach, data: bytes, most: int) -> list[Message]:
    """The messages until one is refused, or the stream is another's."""
    heard = []
    try:
        while data and end.wants:
            size = min(end.wants, most)
            message = end.receive(data[:size])
            data = data[size:]
            if message is not None:
                heard.append(message)
    except RemoteProtocolError:
        pass
    return heard


def relayed() -> list[bytes]:
    """What is said to each end, with every secret fixed."""
    good = []
    for number, wish in enumerate(WISHES):
        granted: list[Message] = [frames.Go()]
        if wish is REGISTER:
            granted = [frames.Registered(), frames.Caller(1, bytes(8)), frames.Gone(1)]
        good.append(bytes([number]) + b"".join(map(encode_frame, granted)))
        good.append(bytes([number]) + encode_frame(frames.No(frames.FULL)))
        good.append(bytes([3]) + PREFACE + _wish(wish))
    good.append(bytes([4]) + encode_frame(frames.Ping(1)) + encode_frame(frames.Refuse(2)))
    return good


def _wish(wish: Wish) -> bytes:
    here, there = Approach(wish), visit()
    hear(there, here.pending())
    hear(here, there.pending())
    return here.pending()
