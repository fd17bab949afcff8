"""Invitations: one line that a person can paste, read aloud or scan.

An invitation has the secret that opens links to a table, and the addresses at which the host may be
reached. The secret also fixes who the host is (protocol/link/keys.py). An invitation to play has
the secret of the seats. One to watch has the secret of spectators, with which no one can take a
seat.

    FRUIT-…, WATCH-…   the prefix, for people; the first letter says the same
    letters            bits as letters (text/base32.py) and 5 check letters, in groups of five
    bits               head (5): twice the protocol's version, and 1 to watch; secret (128);
                       then the addresses (packing.py)

No address occurs twice. Bits in any other form are refused. All later versions must keep the first
letter and the check, so that a newer version can be recognized; docs/protocol.md has all of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.language import text as _
from p2pfruit.net import limits as net_limits
from p2pfruit.net.addresses import Address, Kind, Reach, as_ip, leads_to_caller, reach_of
from p2pfruit.net.packing import BitReader, bits_of, pack_addresses, unpack_addresses
from p2pfruit.text import base32
from p2pfruit.text.safe import shown
from protocol.link.keys import SECRET_SIZE, Access
from protocol.version import VERSION

CHECK = 5
GROUP = 5
PREFIXES = ("FRUIT", "WATCH")
_HEAD_BITS = 5
_SECRET_BITS = 8 * SECRET_SIZE
LENGTH_LEAST = -(-(_HEAD_BITS + _SECRET_BITS) // 5) + CHECK


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
    addresses: tuple[str, ...]
    watching: bool = False

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_SIZE:
            raise ValueError("a secret of another size")
        if len(set(self.addresses)) != len(self.addresses):
            raise ValueError("an address stands once")
        if len(self.addresses) > limits.INVITATION_ADDRESSES_MOST:
            raise ValueError("too many addresses")
        pack_addresses(self.addresses)

    @property
    def access(self) -> Access:
        """Return what a guest knows of the table before it has called."""
        return Access(secret=self.secret, watching=self.watching)

    @property
    def reach(self) -> Reach:
        """Return from where this invitation can work."""
        return reach_of(map(Address.parse, self.addresses))

    def to_watch(self, host: bytes) -> "Invitation":
        """Return an invitation for spectators of the same table. `host`: the key of its host."""
        secret = self.access.of(host).to_watch().secret
        return Invitation(secret=secret, addresses=self.addresses, watching=True)


# Conversion to text and back.


def format(invitation: Invitation) -> str:
    return f"{PREFIXES[invitation.watching]}-{base32.grouped(_spelled(invitation), GROUP)}"


def _spelled(invitation: Invitation) -> str:
    return base32.with_check(base32.spell_bits(_encode(invitation)), CHECK)


def ungrouped(text: str) -> str:
    """Return an invitation without the dashes between its groups, for a code that is scanned."""
    prefix, dash, letters = text.partition("-")
    return prefix + dash + letters.replace("-", "")


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
    bits = base32.read_bits(body[:-CHECK])
    version = int(bits[:_HEAD_BITS], 2) >> 1
    if version > VERSION:
        why = _("this invitation was made by a newer version of p2pfruit")
        raise BadInvitation("version", why, _("update p2pfruit to the version of the host"))
    if 0 < version < VERSION:
        why = _("this invitation was made by an older version of p2pfruit")
        raise BadInvitation("version", why, _("ask the host to update p2pfruit"))
    try:
        invitation = _decode(bits)
    except ValueError:
        raise no_invitation() from None
    if body != _spelled(invitation) or prefix not in ("", PREFIXES[invitation.watching]):
        raise no_invitation()
    return invitation


def no_invitation() -> BadInvitation:
    hint = _("an invitation begins with FRUIT- or WATCH-; ask the host of the table for one")
    return BadInvitation("form", _("this is not an invitation"), hint)


def _copy_whole() -> str:
    return _("copy the whole line again, or ask for it as a file and use @FILE")


# Conversion to bits and back.


def _encode(invitation: Invitation) -> str:
    head = bits_of(2 * VERSION + invitation.watching, _HEAD_BITS)
    secret = bits_of(int.from_bytes(invitation.secret), _SECRET_BITS)
    return head + secret + pack_addresses(invitation.addresses)


def _decode(bits: str) -> Invitation:
    """Return the invitation of these bits. Raises ValueError.

    Other bits may mean the same invitation, so the caller encodes it again and compares.
    """
    reader = BitReader(bits)
    watching = bool(reader.number(_HEAD_BITS) % 2)
    secret = reader.bytes(SECRET_SIZE)
    addresses = tuple(unpack_addresses(reader))
    return Invitation(secret=secret, addresses=addresses, watching=watching)


# What is worth its letters.

# The likeliest to be reached at once comes first.
_LIKELY = (
    Kind.NAME,
    Kind.GLOBAL,
    Kind.PRIVATE,
    Kind.CARRIER,
    Kind.LINK,
    Kind.RELAY,
    Kind.ONION,
    Kind.LOOPBACK,
)
_ASKED_FOR = (Kind.NAME, Kind.RELAY, Kind.ONION)  # no machine has these by itself
_NEAR = (Kind.PRIVATE, Kind.LINK)


def worth_inviting(addresses: Iterable[Address]) -> list[Address]:
    """Return those of a host's addresses that belong into its invitation, the likeliest first.

    Left out is what leads nowhere: addresses that only mean something on one machine, beside a real
    one those of the loopback, and a second IPv6 address of one network. What the host has asked for
    comes in before all else. Of what is left, so much is taken as can be scanned from a small
    terminal. Among addresses of one kind those that stand first are preferred.
    """
    callable_ = [at for at in dict.fromkeys(addresses) if at.port and _has_meaning_elsewhere(at)]
    real = [at for at in callable_ if not leads_to_caller(at)]
    likely = _one_of_each_network(sorted(real or callable_, key=_likelihood))
    chosen: set[Address] = set()
    for at in sorted(likely, key=lambda at: at.kind not in _ASKED_FOR):
        wanted = [one for one in likely if one in chosen or one == at]
        if _has_room(wanted, at):
            chosen.add(at)
    return [at for at in likely if at in chosen]


def _has_meaning_elsewhere(address: Address) -> bool:
    called = address.relay or address
    sixth = ":" in called.host
    return called.kind is not Kind.ANY and not (sixth and called.kind is Kind.LINK)


def _likelihood(address: Address) -> tuple[int, bool]:
    return _LIKELY.index(address.kind), ":" in address.host


def _one_of_each_network(addresses: Iterable[Address]) -> list[Address]:
    """Return the first IPv6 address of each network, and all others."""
    found: dict[object, Address] = {}
    for at in addresses:
        ip = as_ip(at.host)
        is_sixth = ip is not None and ip.version == 6
        network = int(ip) >> 128 - net_limits.IPV6_NEIGHBOUR_BITS if ip and is_sixth else at
        found.setdefault(network, at)
    return list(found.values())


def _has_room(wanted: list[Address], last: Address) -> bool:
    """Return True if the last of these can be in an invitation with the others."""
    if len(wanted) > limits.INVITATION_ADDRESSES_MOST:
        return False
    if last.kind in _ASKED_FOR:
        return True
    near = sum(at.kind in _NEAR for at in wanted)
    bits = _HEAD_BITS + _SECRET_BITS + len(pack_addresses(map(str, wanted)))
    short = -(-bits // 5) + CHECK <= limits.INVITATION_LETTERS_MOST
    return short and (last.kind not in _NEAR or near <= limits.INVITATION_NEAR_MOST)


# Invitations in files.


def write_file(path: Path, text: str) -> None:
    """Write an invitation whole, because another program may wait for it.

    The file is readable by its owner only, because an invitation opens the table.
    """
    write_whole(path, f"{text}\n".encode(), replace=True)
