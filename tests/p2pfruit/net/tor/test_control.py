"""The bytes of the control protocol, from a tor and from anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.net import limits
from p2pfruit.net.tor.control import (
    ControlError,
    Replies,
    Reply,
    client_hash,
    command,
    fields,
    quoted_list,
    server_hash,
)

INFO = b'250-PROTOCOLINFO 1\r\n250-AUTH METHODS=NULL\r\n250-VERSION Tor="0.4.9.11"\r\n250 OK\r\n'
DATA = b"250+x=\r\none\r\n..two\r\n250 OK\r\n.\r\n250 OK\r\n"
EVENT = b"650 HS_DESC UPLOADED abc UNKNOWN $FF~relay\r\n"


def read(data: bytes) -> list[Reply]:
    return Replies().feed(data)


def test_a_reply_of_several_lines() -> None:
    (reply,) = read(INFO)
    assert (reply.code, reply.is_event) == (250, False)
    assert reply.line("VERSION") == 'Tor="0.4.9.11"'
    assert reply.lines[-1] == "OK"
    for missing in (reply.line, reply.value):
        with pytest.raises(ControlError, match="no NAME in its reply"):
            missing("NAME")


def test_data_may_look_like_a_reply() -> None:
    (reply,) = read(DATA)
    assert reply.lines == ("x=", "one", ".two", "250 OK", "OK")


def test_events_between_replies() -> None:
    first, event, last = read(INFO + EVENT + b"251 ok\r\n")
    assert [first.is_event, event.is_event, last.is_event] == [False, True, False]
    assert last.code == 251


@given(st.integers(1, 40))
def test_pieces_of_any_size(size: int) -> None:
    whole = INFO + DATA + EVENT + b"552 no\r\n"
    replies = Replies()
    found = []
    for at in range(0, len(whole), size):
        found += replies.feed(whole[at : at + size])
    assert found == read(whole)


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n",
        b"250\r\n",
        b"25x OK\r\n",
        b"250_OK\r\n",
        b"250-a=b\r\n251 OK\r\n",
        b"HTTP/1.1 400 Bad Request\r\n",
        b"220 mail.example ESMTP\r\nhello\r\n",
        "２５０ OK\r\n".encode(),
    ],
)
def test_what_is_no_reply(data: bytes) -> None:
    with pytest.raises(ControlError):
        read(data)


@pytest.mark.parametrize("piece", [b"x", b"250-x\r\n", b"250+x\r\n", b"250+x\r\n" + b"y\r\n" * 9])
def test_a_reply_without_end(piece: bytes) -> None:
    replies = Replies()
    for _time in range(limits.TOR_REPLY_SIZE_MOST // len(piece)):
        assert not replies.feed(piece)
    with pytest.raises(ControlError, match="has no end"):
        replies.feed(piece)


@given(st.binary() | st.text(alphabet="25+- OK\r\n.x=").map(str.encode))
def test_garbage_gives_replies_or_one_error(data: bytes) -> None:
    try:
        for reply in read(data):
            fields(" ".join(reply.lines))
            quoted_list(" ".join(reply.lines))
    except ControlError:
        pass


def test_commands() -> None:
    assert command("ADD_ONION", "NEW:ED25519-V3") == b"ADD_ONION NEW:ED25519-V3\r\n"
    for word in ("a\r\nb", "\0", "é"):
        with pytest.raises(AssertionError):
            command(word)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("OK", {}),
        ("METHODS=COOKIE,SAFECOOKIE other", {"METHODS": "COOKIE,SAFECOOKIE"}),
        (r'A="/run/tor\"x\"\\" B=2', {"A": '/run/tor"x"\\', "B": "2"}),
        (r'A="\303\251\n\t\r"', {"A": "Ã©\n\t\r"}),
        ("A=1 A=2", {"A": "1"}),
        ('A="unfinished B=2', {"B": "2"}),
        ('A="x"y B=2', {"B": "2"}),
        ("A= B=2", {"A": "", "B": "2"}),
        (
            'NOTICE BOOTSTRAP PROGRESS=5 SUMMARY="Connecting to a relay"',
            {"PROGRESS": "5", "SUMMARY": "Connecting to a relay"},
        ),
    ],
)
def test_fields(text: str, found: dict[str, str]) -> None:
    assert fields(text) == found


def test_quoted_lists() -> None:
    assert quoted_list("") == []
    text = r'"127.0.0.1:9050" "unix:\"/run/tor/socks\""'
    assert quoted_list(text) == ["127.0.0.1:9050", 'unix:"/run/tor/socks"']


def test_cookies_are_shown_as_tor_shows_them() -> None:
    # Computed by another program, `openssl dgst -sha256 -hmac KEY`.
    cookie, ours, theirs = bytes(32), b"\1" * 32, b"\2" * 32
    assert server_hash(cookie, ours, theirs).hex() == SERVER_HASH
    assert client_hash(cookie, ours, theirs).hex() == CLIENT_HASH


SERVER_HASH = "169a3aeb27e1e868ead7d64385a4d0bfe4af56f453bb22edc585234edfefd8e5"
CLIENT_HASH = "e788471c5277774897b92a330825f5025ae7a8e6f32f5361c4c6e6391faa7670"
