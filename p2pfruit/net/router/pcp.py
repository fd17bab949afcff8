"""The bytes of the Port Control Protocol, version 2 (RFC 6887), as far as one TCP port needs them.

A request to map a port (MAP), 60 bytes; `lifetime` 0 takes the mapping away:

    version 2, operation 1, 2 zeros, lifetime in seconds (4), the asking address (16)
    nonce (12), protocol 6, 3 zeros, port here (2), port wanted outside (2), address wanted (16)

The answer:

    version 2, operation 129, a zero, result, lifetime (4), epoch (4), 12 zeros
    nonce (12), protocol 6, 3 zeros, port here (2), port outside (2), address outside (16), options

IPv4 addresses are written as IPv6 addresses (::ffff:0:0/96). For an IPv4 address the router maps a
port of its own; for an IPv6 address it opens its firewall. The epoch counts the seconds since the
router last forgot its mappings. The nonce is chosen by who maps a port first: no one else can
change that mapping, and no one who has not seen the request can answer it.
"""

import ipaddress
import struct
from dataclasses import dataclass
from typing import ClassVar

from p2pfruit.net import limits
from p2pfruit.net.addresses import IPAddress
from protocol.errors import RemoteProtocolError

VERSION = 2
NONCE_SIZE = 12
SUCCESS = 0
UNKNOWN_VERSION = 1

_ANNOUNCE, _MAP, _ANSWER = 0, 1, 0x80
_TCP = 6
_REQUEST = struct.Struct("!BBxxL16s12sBxxxHH16s")
_RESULT = struct.Struct("!BBxBLL12x")
_MAPPED = struct.Struct("!12sBxxxHH16s")


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRequest:
    SIZE: ClassVar = _REQUEST.size

    lifetime_s: int
    client: IPAddress
    nonce: bytes
    port: int
    external_port: int = 0  # any
    external: IPAddress

    def encode(self) -> bytes:
        return _REQUEST.pack(
            *(VERSION, _MAP, self.lifetime_s, _packed(self.client), self.nonce, _TCP),
            *(self.port, self.external_port, _packed(self.external)),
        )

    @classmethod
    def decode(cls, data: bytes) -> "MapRequest":
        """Return the request of these bytes. Raises RemoteProtocolError, and nothing else."""
        if len(data) != _REQUEST.size:
            raise _odd("not the size of a request")
        version, operation, lifetime_s, client, nonce, protocol, port, external_port, external = (
            _REQUEST.unpack(data)
        )
        if (version, operation, protocol) != (VERSION, _MAP, _TCP):
            raise _odd("not a request to map a TCP port")
        return cls(
            lifetime_s=lifetime_s,
            client=_address(client),
            nonce=nonce,
            port=port,
            external_port=external_port,
            external=_address(external),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MapAnswer:
    result: int
    lifetime_s: int  # of the mapping, or of the error
    epoch_s: int
    nonce: bytes
    port: int
    external_port: int
    external: IPAddress

    def encode(self) -> bytes:
        head = _RESULT.pack(VERSION, _ANSWER | _MAP, self.result, self.lifetime_s, self.epoch_s)
        return head + _MAPPED.pack(
            self.nonce, _TCP, self.port, self.external_port, _packed(self.external)
        )

    @classmethod
    def decode(cls, data: bytes) -> "MapAnswer":
        """Return the answer of these bytes. Raises RemoteProtocolError, and nothing else."""
        size = _RESULT.size + _MAPPED.size
        # Options may follow. None was asked for, so none is read.
        if not size <= len(data) <= limits.PCP_SIZE_MOST or len(data) % 4:
            raise _odd("not the size of an answer")
        version, operation, result, lifetime_s, epoch_s = _RESULT.unpack_from(data)
        nonce, protocol, port, external_port, external = _MAPPED.unpack_from(data, _RESULT.size)
        if (version, operation, protocol) != (VERSION, _ANSWER | _MAP, _TCP):
            raise _odd("not an answer about a TCP port")
        return cls(
            result=result,
            lifetime_s=lifetime_s,
            epoch_s=epoch_s,
            nonce=nonce,
            port=port,
            external_port=external_port,
            external=_address(external),
        )


def is_other_version(data: bytes) -> bool:
    """Return True if a router answers so that it does not speak this version.

    Routers that know only NAT-PMP do so in the form of NAT-PMP, which has the result in its place.
    """
    return (
        len(data) >= 4
        and data[0] != VERSION
        and bool(data[1] & _ANSWER)
        and data[3] == UNKNOWN_VERSION
    )


def is_announcement(data: bytes) -> bool:
    """Return True if a router says to all that it has just begun, and may have forgotten ports."""
    if not _RESULT.size <= len(data) <= limits.PCP_SIZE_MOST or len(data) % 4:
        return False
    version, operation, result, _lifetime_s, _epoch_s = _RESULT.unpack_from(data)
    return (version, operation, result) == (VERSION, _ANSWER | _ANNOUNCE, SUCCESS)


def _packed(address: IPAddress) -> bytes:
    return address.packed if address.version == 6 else bytes(10) + b"\xff\xff" + address.packed


def _address(packed: bytes) -> IPAddress:
    sixth = ipaddress.IPv6Address(packed)
    return sixth.ipv4_mapped or sixth


def _odd(why: str) -> RemoteProtocolError:
    return RemoteProtocolError("pcp", why)
