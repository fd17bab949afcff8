"""What peers say over a link: one byte form each way, and nothing else is understood."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.codec import encode
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Head
from protocol.link import messages
from protocol.link.messages import (
    Accept,
    Begin,
    Bye,
    Carried,
    Heads,
    Join,
    Lobby,
    Message,
    Near,
    Noted,
    Ping,
    Playing,
    Pong,
    Present,
    Probe,
    Probed,
    Proposed,
    Relay,
    Say,
    Seat,
    Twin,
    encode_message,
    parse_message,
)
from tests.protocol.test_codec import plain, tuples

numbers = st.integers(0, limits.INTEGER_MOST)
blobs = st.binary(max_size=100)
ids = st.binary(min_size=32, max_size=32)
names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=32)
heads = st.builds(Head, numbers, ids)
present = st.builds(Present, ids, names, st.booleans(), st.booleans())
chat = st.text(min_size=1, max_size=limits.CHAT_LENGTH_MOST)
said: st.SearchStrategy[Message] = st.one_of(
    st.builds(Ping, numbers),
    st.builds(Pong, numbers),
    st.builds(Twin),
    st.builds(Bye, st.text(max_size=limits.WHY_LENGTH_MOST)),
    st.builds(Playing, blobs),
    st.builds(Heads, ids, st.lists(st.lists(heads, max_size=9).map(tuple), max_size=8).map(tuple)),
    st.builds(Near, st.lists(numbers, max_size=20).map(tuple)),
    st.builds(Carried, blobs),
    st.builds(Noted, blobs),
    st.builds(Lobby, blobs, st.lists(present, max_size=20).map(tuple)),
    st.builds(Join, ids, ids, st.text(max_size=40)),
    st.builds(Proposed, blobs),
    st.builds(Accept, ids, ids),
    st.builds(Begin, ids),
    st.builds(Say, chat),
    st.builds(Relay, ids, chat),
    st.builds(Seat, st.binary(min_size=16, max_size=16)),
    st.builds(Probe, st.integers(1_024, 65_535), st.binary(min_size=16, max_size=16)),
    st.builds(Probed, st.sampled_from(messages.OUTCOMES), st.text(max_size=45)),
)


@pytest.mark.no_cover
@given(said)
def test_parse_and_encode_are_a_pair(message: Message) -> None:
    again = parse_message(encode_message(message))
    assert again == message
    assert type(again) is type(message)


def test_every_kind_is_tried() -> None:
    assert set(messages._KINDS) == set(Message.__args__)


def canonical_or_refused(data: bytes) -> None:
    try:
        message = parse_message(data)
    except RemoteProtocolError:
        return
    assert encode_message(message) == data


@given(st.binary(max_size=60) | st.builds(encode, tuples(plain | tuples(plain))))
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    canonical_or_refused(data)


@given(said, st.data())
def test_a_byte_more_less_or_other(message: Message, data: st.DataObject) -> None:
    good = encode_message(message)
    at = data.draw(st.integers(0, len(good) - 1))
    other = data.draw(st.integers(0, 255))
    canonical_or_refused(good[:at] + bytes([other]) + good[at + 1 :])
    for bad in (good[:-1], good + b"\0"):
        with pytest.raises(RemoteProtocolError):
            parse_message(bad)


ID = bytes(32)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ((), "message"),
        (("plum", 1), "message"),
        ((1, 2), "message"),
        ("ping", "message"),
        (("ping",), "form"),
        (("ping", True), "form"),
        (("ping", 1, 2), "form"),
        (("pong", "1"), "form"),
        (("twin", 0), "form"),
        (("bye", "x" * (limits.WHY_LENGTH_MOST + 1)), "message"),
        (("heads", ID[1:], ()), "message"),
        (("heads", ID, (1,)), "message"),
        (("heads", ID, ((1,),)), "form"),
        (("heads", ID, (((1, b"short"),),)), "message"),
        (("heads", ID, (((True, ID),),)), "form"),
        (("near", (1, "2")), "form"),
        (("near", (True,)), "form"),
        (("near", 1), "form"),
        (("lobby", b"", ((ID, "fig"),)), "form"),
        (("lobby", b"", ((ID, "fig", 1, False),)), "form"),
        (("lobby", b"", ((ID[1:], "fig", True, False),)), "message"),
        (("lobby", b"", ((ID, "", True, False),)), "roster"),
        (("lobby", b"", ((ID, "a\x1b[2J", True, False),)), "roster"),
        (("lobby", b"", ((ID, "x" * 33, True, False),)), "roster"),
        (("join", ID[1:], ID, "fig"), "message"),
        (("join", ID, ID[1:], "fig"), "message"),
        (("join", ID, "fig"), "form"),
        (("accept", ID), "form"),
        (("accept", ID + b"\0", ID), "message"),
        (("accept", ID, ID + b"\0"), "message"),
        (("begin", b""), "message"),
        (("say", ""), "message"),
        (("say", "x" * (limits.CHAT_LENGTH_MOST + 1)), "message"),
        (("relay", ID[1:], "x"), "message"),
        (("relay", ID, ""), "message"),
        (("entry", "text"), "form"),
        (("probe", 1_023, ID[:16]), "message"),
        (("probe", 65_536, ID[:16]), "message"),
        (("probe", 4_000, ID[:15]), "message"),
        (("probe", 4_000, ID), "message"),
        (("probe", 4_000), "form"),
        (("probed", "perhaps", ""), "message"),
        (("probed", "reached", "1" * 46), "message"),
        (("probed", "reached", b"1"), "form"),
    ],
)
def test_what_is_no_message(value: Any, code: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        parse_message(encode(value))
    assert caught.value.code == code


@pytest.mark.no_cover
@given(said | st.binary(max_size=40))
def test_a_probe_is_known_by_its_beginning(message: Message | bytes) -> None:
    data = message if isinstance(message, bytes) else encode_message(message)
    if isinstance(message, Probe):
        assert messages.is_probe(data)
    elif not isinstance(message, bytes):
        assert not messages.is_probe(data)


def test_messages_are_bounded() -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        parse_message(bytes(limits.MESSAGE_SIZE_MOST + 1))
    assert caught.value.code == "size"
    with pytest.raises(RemoteProtocolError):
        parse_message(encode(("near", tuple(range(limits.ITEMS_MOST + 1)))))


def test_the_largest_entry_and_roster_fit() -> None:
    for message in (
        Carried(bytes(limits.ENTRY_SIZE_MOST)),
        Proposed(bytes(limits.ROSTER_SIZE_MOST)),
        Playing(bytes(limits.ROSTER_SIZE_MOST)),
        Lobby(bytes(limits.ROSTER_SIZE_MOST), (Present(ID, "x" * 32),) * 8),
        Heads(ID, ((Head(limits.INTEGER_MOST, ID),) * limits.ITEMS_MOST,) * 8),
    ):
        assert parse_message(encode_message(message)) == message


def test_a_probe_is_taken_and_told_from_its_answer() -> None:
    probe = encode_message(Probe(4_000, ID[:16]))
    assert parse_message(probe) == Probe(4_000, ID[:16])
    assert messages.is_probe(probe)
    assert not messages.is_probe(encode_message(Probed("off", "")))
