"""Tor's control protocol as bytes: commands go out, replies and events come in.

    250-version=0.4.9.11       lines of a reply begin with one code; "-" says that more follow,
    250+hs/desc/id/x=          "+" that data follows, up to a line with one dot,
    hs-descriptor 3            which is a line of the reply as well
    .
    250 OK                     and " " that this is the last
    650 HS_DESC UPLOADED …     codes from 600 on are events, which no command has asked for

The other end may be any program that listens on this machine. Whatever it sends gives replies or a
ControlError and nothing else, and takes no more memory than one reply may.
"""

import hmac
import re
from dataclasses import dataclass
from hashlib import sha256

from p2pfruit.language import text as _
from p2pfruit.net import limits

_END = b"\r\n"
_LINE = re.compile(r"([0-9]{3})([-+ ])(.*)", re.DOTALL)
_FIELD = re.compile(r'([A-Za-z0-9_/-]+)=("(?:[^"\\]|\\.)*"|[^" ]*)(?: |$)')
_ESCAPE = re.compile(r"\\([0-3][0-7]{2}|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r"}

# SAFECOOKIE: each side shows that it knows the cookie, with a key that tells the sides apart.
NONCE_SIZE = 32
_SERVER_KEY = b"Tor safe cookie authentication server-to-controller hash"
_CLIENT_KEY = b"Tor safe cookie authentication controller-to-server hash"


class ControlError(Exception):
    """The control connection is of no use: it ended, or its other end does not speak like tor."""


class RefusedCommand(ControlError):
    """Tor answered that it does not do this. The connection goes on."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply or an event. Bytes are read as Latin-1, which loses none."""

    code: int
    lines: tuple[str, ...]

    @property
    def is_event(self) -> bool:
        return self.code >= 600

    def value(self, name: str) -> str:
        """Return what stands after `name=`."""
        for line in self.lines:
            if line.startswith(f"{name}="):
                return line.removeprefix(f"{name}=")
        raise _missing(name)

    def line(self, word: str) -> str:
        """Return what stands after the word with which a line begins."""
        for line in self.lines:
            if line.startswith(f"{word} "):
                return line.removeprefix(f"{word} ")
        raise _missing(word)


def _missing(name: str) -> ControlError:
    return ControlError(_("there is no {name} in its reply").format(name=name))


class Replies:
    """Reads replies out of bytes, which come in pieces of any size. An error is its end."""

    def __init__(self) -> None:
        self._unread = bytearray()
        self._lines: list[str] = []
        self._code = 0
        self._is_data = False
        self._size = 0  # of the lines that were read of an unfinished reply

    def feed(self, data: bytes) -> list[Reply]:
        """Return the replies that end in this piece. Raises ControlError."""
        unread = self._unread
        start = max(0, len(unread) - 1)  # what came earlier has no end of a line
        unread += data
        replies = []
        while (end := unread.find(_END, start)) >= 0:
            line = unread[:end].decode("latin-1")
            del unread[: end + len(_END)]
            start = 0
            self._size += end + len(_END)
            self._check_size(0)
            if (reply := self._take(line)) is not None:
                replies.append(reply)
        self._check_size(len(unread))
        return replies

    def _check_size(self, unread: int) -> None:
        if self._size + unread > limits.TOR_REPLY_SIZE_MOST:
            raise ControlError(_("its reply has no end"))

    def _take(self, line: str) -> Reply | None:
        if self._is_data:
            self._take_data(line)
            return None
        match = _LINE.fullmatch(line)
        if match is None or (self._lines and int(match[1]) != self._code):
            raise ControlError(_("it does not talk like tor"))
        self._code = int(match[1])
        self._lines.append(match[3])
        self._is_data = match[2] == "+"
        if match[2] != " ":
            return None
        reply = Reply(code=self._code, lines=tuple(self._lines))
        self._lines, self._size = [], 0
        return reply

    def _take_data(self, line: str) -> None:
        if line == ".":
            self._is_data = False
        else:  # a dot at the beginning of a line is doubled
            self._lines.append(line.removeprefix(".") if line.startswith(".") else line)


def command(*words: str) -> bytes:
    """Return a command. Its words are ours, or were checked."""
    line = " ".join(words)
    assert line.isascii()
    assert line.isprintable()
    return line.encode("ascii") + _END


def fields(text: str) -> dict[str, str]:
    """Return the NAME=value fields of a line; words that are no fields are left out."""
    found: dict[str, str] = {}
    at = 0
    while at < len(text):
        if (match := _FIELD.match(text, at)) is not None:
            name, value = match.groups()
            found.setdefault(name, _unquoted(value) if value.startswith('"') else value)
            at = match.end()
        else:
            at = text.find(" ", at) + 1 or len(text)
    return found


def _unquoted(text: str) -> str:
    """Return a quoted string without its quotes and escapes, which are those of C."""
    return _ESCAPE.sub(_unescaped, text[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    what = match[1]
    return chr(int(what, 8)) if len(what) == 3 else _NAMED.get(what, what)


def quoted_list(text: str) -> list[str]:
    """Return the strings of a list such as `"127.0.0.1:9050" "unix:/run/tor/socks"`."""
    return [_unquoted(match) for match in re.findall(r'"(?:[^"\\]|\\.)*"', text)]


def server_hash(cookie: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return what a tor with this cookie answers to our nonce."""
    return hmac.digest(_SERVER_KEY, cookie + ours + theirs, sha256)


def client_hash(cookie: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return what a program that knows the cookie answers to tor's nonce."""
    return hmac.digest(_CLIENT_KEY, cookie + ours + theirs, sha256)
