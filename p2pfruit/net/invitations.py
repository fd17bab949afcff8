"""Invitations: one line that a person can paste, read aloud or scan.

An invitation says at which addresses the host may be reached, which identity key to expect there,
and the secret that opens a link. An invitation to play has the table's secret. An invitation to
watch has the key of spectators, with which no one can take a seat.

    FRUIT-…, WATCH-…   the prefix, for people; the bytes say the same
    letters            the bytes as letters (text/base32.py) and 6 check letters, in groups of six
    bytes              the protocol's version, kind (0 a seat, 1 to watch), secret (16 or 32),
                       host (16), then the addresses: 4 or 6, the IP address, the port;
                       or 0, the length of a name, the name, the port

Numbers are big-endian, and no address occurs twice. Bytes in any other form are refused. All later
versions must keep the first byte and the check, so that a newer version can be recognized.
"""

import ipaddress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Address, Reach, as_ip, reach_of
from p2pfruit.text import base32
from p2pfruit.text.safe import shown
from protocol.link.link import PSK_SIZE, SECRET_SIZE, seat_key, watch_key
from protocol.version import VERSION

HOST_SIZE = 16
CHECK = 6
GROUP = 6
PREFIXES = ("FRUIT", "WATCH")
LENGTH_LEAST = 8 * (2 + SECRET_SIZE + HOST_SIZE) // 5 + CHECK
_PORT_SIZE = 2


class BadInvitation(Refusal):
    """The text is not an invitation that this program can read.

    `what` is `form` (no invitation at all), `check` (mistyped or incomplete) or `version`.
    """

    def __init__(self, what: str, message: str, hint: str) -> None:
        super().__init__(message, hint=hint, code=USAGE)
        self.what = what


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    secret: bytes = field(repr=False)
    host: bytes  # host_hash() of the host's identity key
    addresses: tuple[str, ...]
    watching: bool = False

    def __post_init__(self) -> None:
        if len(self.secret) != (PSK_SIZE if self.watching else SECRET_SIZE):
            raise ValueError("a secret of another size")
        if len(self.host) != HOST_SIZE:
            raise ValueError("a host of another size")
        if len(set(self.addresses)) != len(self.addresses):
            raise ValueError("an address stands once")
        if len(self.addresses) > limits.INVITATION_ADDRESSES_MOST:
            raise ValueError("too many addresses")
        for address in self.addresses:
            _pack(address)

    def is_of(self, key: bytes) -> bool:
        """Return True if this is the host's identity key."""
        return host_hash(key) == self.host

    @property
    def psk(self) -> bytes:
        """Return the pre-shared key that opens a link to the table."""
        return self.secret if self.watching else seat_key(self.secret)

    @property
    def reach(self) -> Reach:
        """Return from where this invitation can work."""
        return reach_of(map(Address.parse, self.addresses))

    def to_watch(self) -> "Invitation":
        """Return an invitation for spectators of the same table."""
        psk = self.psk if self.watching else watch_key(self.psk)
        return replace(self, secret=psk, watching=True)


def host_hash(key: bytes) -> bytes:
    return sha256(key).digest()[:HOST_SIZE]


# Conversion to text and back.


def format(invitation: Invitation) -> str:
    spelled = base32.with_check(base32.spell(_encode(invitation)), CHECK)
    return f"{PREFIXES[invitation.watching]}-{base32.grouped(spelled, GROUP)}"


def parse(text: str) -> Invitation:
    """Return the invitation of a text, forgiving what people and programs do to texts.

    Raises BadInvitation.
    """
    if len(text) > limits.INVITATION_SIZE_MOST:
        raise no_invitation()
    folded = base32.fold(text)
    prefix = next((name for name in PREFIXES if folded.startswith(base32.fold(name))), "")
    body = folded[len(prefix) :]
    letter = base32.stray(body)
    if not prefix and (letter is not None or len(body) < LENGTH_LEAST):
        raise no_invitation()
    if letter is not None:
        why = _("this invitation is mistyped: no invitation contains {letter}")
        raise BadInvitation("check", why.format(letter=shown(letter)), _copy_whole())
    if not base32.fits(body, CHECK):
        why = _("this invitation is mistyped or incomplete: its check letters do not match")
        raise BadInvitation("check", why, _copy_whole())
    return _checked(body, prefix)


def _checked(body: str, prefix: str) -> Invitation:
    data = base32.read(body[:-CHECK])
    if not data:
        raise no_invitation()
    if data[0] > VERSION:
        why = _("this invitation was made by a newer version of p2pfruit")
        raise BadInvitation("version", why, _("update p2pfruit to the version of the host"))
    if 0 < data[0] < VERSION:
        why = _("this invitation was made by an older version of p2pfruit")
        raise BadInvitation("version", why, _("ask the host to update p2pfruit"))
    try:
        invitation = _decode(data)
    except ValueError:
        raise no_invitation() from None
    if _encode(invitation) != data or prefix not in ("", PREFIXES[invitation.watching]):
        raise no_invitation()
    return invitation


def no_invitation() -> BadInvitation:
    hint = _("an invitation begins with FRUIT- or WATCH-; ask the host of the table for one")
    return BadInvitation("form", _("this is not an invitation"), hint)


def _copy_whole() -> str:
    return _("copy the whole line again, or ask for it as a file and use @FILE")


# Conversion to bytes and back.


def _encode(invitation: Invitation) -> bytes:
    head = bytes([VERSION, invitation.watching])
    addresses = b"".join(map(_pack, invitation.addresses))
    return head + invitation.secret + invitation.host + addresses


def _decode(data: bytes) -> Invitation:
    """Return the invitation of these bytes. Raises ValueError.

    Other bytes may mean the same invitation, so the caller encodes it again and compares.
    """
    if data[:1] != bytes([VERSION]) or data[1:2] not in (b"\0", b"\1"):
        raise ValueError("another kind")
    watching = data[1] == 1
    reader = _Reader(data[2:])
    secret = reader.take(PSK_SIZE if watching else SECRET_SIZE)
    host = reader.take(HOST_SIZE)
    addresses = []
    while reader.rest:
        addresses.append(_unpack(reader))
    return Invitation(secret=secret, host=host, addresses=tuple(addresses), watching=watching)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, size: int) -> bytes:
        if len(self.rest) < size:
            raise ValueError("cut")
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken


def _pack(text: str) -> bytes:
    """Return an address as bytes. Raises ValueError for one that other machines cannot call."""
    address = Address.parse(text)
    if str(address) != text or not address.host or not address.port or "%" in address.host:
        raise ValueError(f"{text} cannot be called from elsewhere")
    port = address.port.to_bytes(_PORT_SIZE)
    ip = as_ip(address.host)
    if ip is not None:
        return bytes([ip.version]) + ip.packed + port
    name = address.host.encode("ascii")  # Address allows at most 253 letters
    return bytes([0, len(name)]) + name + port


def _unpack(reader: _Reader) -> str:
    match reader.take(1)[0]:
        case 4:
            host = str(ipaddress.IPv4Address(reader.take(4)))
        case 6:
            host = str(ipaddress.IPv6Address(reader.take(16)))
        case 0:  # a name
            host = reader.take(reader.take(1)[0]).decode("ascii")
        case _:
            raise ValueError("another kind of address")
    return str(Address(host, int.from_bytes(reader.take(_PORT_SIZE))))


# Invitations in files.


def write_file(path: Path, text: str) -> None:
    """Write an invitation whole, because another program may wait for it.

    The file is readable by its owner only, because an invitation opens the table.
    """
    write_whole(path, f"{text}\n".encode(), replace=True)
