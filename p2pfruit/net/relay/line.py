"""The line of a relay: whoever has it can register tables there.

    RELAY-…   the prefix, for people
    letters   bits as letters (text/base32.py) and check letters, in groups
    bits      the protocol's version (5), the secret of the relay (128), then its addresses as those
              of tables behind it (packing.py), so that the usual port takes no room

It is made, grouped and read like an invitation. No address occurs twice, and there is at least one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.net import limits as net_limits
from p2pfruit.net.addresses import Address, Kind, Reach, reach_of
from p2pfruit.net.invitations import CHECK, GROUP
from p2pfruit.net.packing import BitReader, bits_of, pack_addresses, unpack_addresses
from p2pfruit.text import base32
from p2pfruit.text.safe import shown
from protocol.relay.keys import RELAY_SECRET_SIZE, RelayKeys
from protocol.version import VERSION

PREFIX = "RELAY"
_VERSION_BITS = 5
_SECRET_BITS = 8 * RELAY_SECRET_SIZE


class BadLine(Refusal):
    """The text is not the line of a relay that this program can read.

    `what` is `form` (no such line at all), `check` (mistyped or incomplete) or `version`.
    """

    def __init__(self, what: str, message: str, hint: str) -> None:
        super().__init__(message, hint=hint, code=USAGE)
        self.what = what


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayLine:
    secret: bytes = field(repr=False)
    addresses: tuple[Address, ...]  # at which the relay listens

    def __post_init__(self) -> None:
        if len(self.secret) != RELAY_SECRET_SIZE:
            raise ValueError("a secret of another size")
        if len(set(self.addresses)) != len(self.addresses):
            raise ValueError("an address stands once")
        if not 0 < len(self.addresses) <= net_limits.RELAY_ADDRESSES_MOST:
            raise ValueError("too few or too many addresses")
        if any(address.relay is not None for address in self.addresses):
            raise ValueError("a relay behind a relay")
        _encode(self)

    @property
    def keys(self) -> RelayKeys:
        return RelayKeys(self.secret)

    @property
    def tables(self) -> tuple[Address, ...]:
        """Return the addresses of a table that is registered at this relay."""
        return tuple(address.behind() for address in self.addresses)

    @property
    def reach(self) -> Reach:
        """Return from where the relay can be called."""
        return reach_of(self.addresses)

    def __str__(self) -> str:
        return f"{PREFIX}-{base32.grouped(_spelled(self), GROUP)}"

    @classmethod
    def parse(cls, text: str) -> "RelayLine":
        """Return the line of a text, forgiving what people and programs do to texts.

        Raises BadLine.
        """
        folded = base32.fold(text[: limits.INVITATION_SIZE_MOST])
        prefix = base32.fold(PREFIX)
        if not folded.startswith(prefix):
            raise _no_line()
        body = folded.removeprefix(prefix)
        if (letter := base32.stray(body)) is not None:
            why = _("this line is mistyped: no line of a relay contains {letter}")
            raise BadLine("check", why.format(letter=shown(letter)), _copy_whole())
        if not base32.fits(body, CHECK):
            why = _("this line is mistyped or incomplete: its check letters do not match")
            raise BadLine("check", why, _copy_whole())
        return _checked(body)


def _checked(body: str) -> RelayLine:
    bits = base32.read_bits(body[:-CHECK])
    version = int(bits[:_VERSION_BITS], 2)
    if version > VERSION:
        why = _("this line was made by a newer version of p2pfruit")
        raise BadLine("version", why, _("update p2pfruit to the version of the relay"))
    if 0 < version < VERSION:
        why = _("this line was made by an older version of p2pfruit")
        raise BadLine("version", why, _("ask whoever runs the relay to update p2pfruit"))
    try:
        line = _decode(bits)
    except ValueError:
        raise _no_line() from None
    if body != _spelled(line):
        raise _no_line()
    return line


def _no_line() -> BadLine:
    hint = _("the line of a relay begins with RELAY-; `p2pfruit relay` prints it")
    return BadLine("form", _("this is not the line of a relay"), hint)


def _copy_whole() -> str:
    return _("copy the whole line again")


def _spelled(line: RelayLine) -> str:
    return base32.with_check(base32.spell_bits(_encode(line)), CHECK)


def _encode(line: RelayLine) -> str:
    secret = bits_of(int.from_bytes(line.secret), _SECRET_BITS)
    return bits_of(VERSION, _VERSION_BITS) + secret + pack_addresses(map(str, line.tables))


def _decode(bits: str) -> RelayLine:
    """Return the line of these bits. Raises ValueError.

    Other bits may mean the same line, so the caller encodes it again and compares.
    """
    reader = BitReader(bits)
    reader.number(_VERSION_BITS)
    secret = reader.bytes(RELAY_SECRET_SIZE)
    tables = [Address.parse(text) for text in unpack_addresses(reader)]
    return RelayLine(secret=secret, addresses=tuple(table.relay or table for table in tables))


def worth_telling(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Return the addresses of a relay that belong into its line: those that reach farthest."""
    usable = [one for one in dict.fromkeys(addresses) if one.host and "%" not in one.host]
    for near in ({Kind.LOOPBACK}, {Kind.PRIVATE, Kind.LINK, Kind.CARRIER}):
        usable = [one for one in usable if one.kind not in near] or usable
    return tuple(usable[: net_limits.RELAY_ADDRESSES_MOST])
