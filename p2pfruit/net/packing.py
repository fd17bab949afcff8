"""Addresses in few bits, for lines that people copy.

    tag   2 bits for the host (a name, IPv4, IPv6, onion), 1 bit for a relay, 2 bits for the port
    host  32 bits of IPv4, 128 of IPv6, 256 of an onion service's key;
          6 bits for each character of a name, and 6 zero bits at its end
    port  16 bits, if it is neither the usual one nor the one that was written last

Bits are a text of 0 and 1, most significant first. One list of addresses has one form.
"""

import ipaddress
from collections.abc import Iterable
from enum import IntEnum

from p2pfruit import limits
from p2pfruit.net import limits as net_limits
from p2pfruit.net.addresses import Address, Kind, as_ip
from p2pfruit.net.onions import KEY_SIZE, BadOnion, pack, unpack

TAG_BITS = 5
PORT_BITS = 16
_HOST_AT, _RELAYED = 3, 1 << 2  # in a tag


class Host(IntEnum):
    NAME = 0
    IPV4 = 1
    IPV6 = 2
    ONION = 3


class Port(IntEnum):
    USUAL = 0
    LAST = 1  # that was written
    WRITTEN = 2


_SIZES = {Host.IPV4: 32, Host.IPV6: 128, Host.ONION: 8 * KEY_SIZE}

_CHARACTERS = "-.0123456789_abcdefghijklmnopqrstuvwxyz"
_CHARACTER_BITS = 6


def bits_of(number: int, count: int) -> str:
    return f"{number:0{count}b}"


class BitReader:
    """Takes numbers and bytes off the beginning of some bits. Raises ValueError at their end."""

    def __init__(self, bits: str) -> None:
        self._bits = bits
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._bits) - self._at

    def number(self, count: int) -> int:
        if self.left < count:
            raise ValueError("cut")
        taken = self._bits[self._at : self._at + count]
        self._at += count
        return int(taken, 2)

    def bytes(self, size: int) -> bytes:
        return self.number(8 * size).to_bytes(size)


def pack_addresses(texts: Iterable[str]) -> str:
    """Return addresses as bits.

    Raises ValueError for one that other machines cannot call, or that is not written as usual.
    """
    packed, last = [], 0
    for text in texts:
        address = Address.parse(text)
        if str(address) != text or not address.port or _is_only_here(address):
            raise ValueError(f"{text} cannot be called from elsewhere")
        form, host = _packed_host(address.relay or address)
        if address.port == _usual_port(address):
            rule, port = Port.USUAL, ""
        elif address.port == last:
            rule, port = Port.LAST, ""
        else:
            rule, port, last = Port.WRITTEN, bits_of(address.port, PORT_BITS), address.port
        relayed = _RELAYED if address.relay else 0
        packed += [bits_of(form << _HOST_AT | relayed | rule, TAG_BITS), host, port]
    return "".join(packed)


def _is_only_here(address: Address) -> bool:
    called = address.relay or address
    return called.kind is Kind.ANY or "%" in called.host


def _usual_port(address: Address) -> int:
    return net_limits.RELAY_PORT if address.relay else limits.TABLE_PORT


def _packed_host(address: Address) -> tuple[Host, str]:
    ip = as_ip(address.host)
    if ip is not None:
        form = Host.IPV4 if ip.version == 4 else Host.IPV6
        return form, bits_of(int(ip), _SIZES[form])
    try:
        return Host.ONION, bits_of(int.from_bytes(pack(address.host)), _SIZES[Host.ONION])
    except BadOnion:
        places = [_CHARACTERS.index(one) + 1 for one in address.host]
        return Host.NAME, "".join(bits_of(place, _CHARACTER_BITS) for place in [*places, 0])


def unpack_addresses(reader: BitReader) -> list[str]:
    """Return the addresses that the rest of some bits are. Raises ValueError.

    Other bits may mean the same addresses, so the caller packs them again and compares.
    """
    found, last = [], 0
    while reader.left >= TAG_BITS:
        tag = reader.number(TAG_BITS)
        host = _unpacked_host(Host(tag >> _HOST_AT), reader)
        address = Address(host, 0).behind() if tag & _RELAYED else Address(host, 0)
        match Port(tag % _RELAYED):
            case Port.USUAL:
                port = _usual_port(address)
            case Port.LAST:
                port = last
            case _:
                port = last = reader.number(PORT_BITS)
        found.append(str(address._replace(port=port)))
    return found


def _unpacked_host(form: Host, reader: BitReader) -> str:
    match form:
        case Host.NAME:
            return _unpacked_name(reader)
        case Host.IPV4:
            return str(ipaddress.IPv4Address(reader.number(_SIZES[form])))
        case Host.IPV6:
            return str(ipaddress.IPv6Address(reader.number(_SIZES[form])))
        case Host.ONION:
            return unpack(reader.bytes(KEY_SIZE))


def _unpacked_name(reader: BitReader) -> str:
    name = ""
    while place := reader.number(_CHARACTER_BITS):
        if place > len(_CHARACTERS) or len(name) == net_limits.NAME_LENGTH_MOST:
            raise ValueError("not a name")
        name += _CHARACTERS[place - 1]
    return name
