"""The bytes of NAT-PMP (RFC 6886), as far as one TCP port needs them.

    what is your address?   version 0, operation 0
    answer                  version 0, operation 128, result (2), epoch (4), IPv4 address (4)

    map a port              version 0, operation 2, 2 zeros, port here (2), port wanted outside (2),
                            lifetime in seconds (4); 0 takes the mapping away
    answer                  version 0, operation 130, result (2), epoch (4), port here (2),
                            port outside (2), lifetime (4)

An answer that says no may end after the epoch. There is no nonce: an answer counts if it comes from
the router to the port from which it was asked.
"""

import ipaddress
import struct
from dataclasses import dataclass

from protocol.errors import RemoteProtocolError

VERSION = 0
SUCCESS = 0

_ADDRESS, _MAP_TCP, _ANSWER = 0, 2, 0x80
_REQUEST = struct.Struct("!BBxxHHL")
_HEAD = struct.Struct("!BBHL")
_MAPPED = struct.Struct("!HHL")

ADDRESS_REQUEST = bytes([VERSION, _ADDRESS])


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAnswer:
    result: int
    epoch_s: int
    external: ipaddress.IPv4Address

    def encode(self) -> bytes:
        return _head(_ADDRESS, self.result, self.epoch_s) + self.external.packed

    @classmethod
    def decode(cls, data: bytes) -> "AddressAnswer":
        """Return the answer of these bytes. Raises RemoteProtocolError, and nothing else."""
        result, epoch_s, rest = _read(data, _ADDRESS, 4)
        return cls(result=result, epoch_s=epoch_s, external=ipaddress.IPv4Address(rest))


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRequest:
    port: int
    external_port: int
    lifetime_s: int

    def encode(self) -> bytes:
        return _REQUEST.pack(VERSION, _MAP_TCP, self.port, self.external_port, self.lifetime_s)

    @classmethod
    def decode(cls, data: bytes) -> "MapRequest":
        """Return the request of these bytes. Raises RemoteProtocolError, and nothing else."""
        if len(data) != _REQUEST.size or data[:2] != bytes([VERSION, _MAP_TCP]):
            raise _odd("not a request to map a TCP port")
        _version, _operation, port, external_port, lifetime_s = _REQUEST.unpack(data)
        return cls(port=port, external_port=external_port, lifetime_s=lifetime_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapAnswer:
    result: int
    epoch_s: int
    port: int
    external_port: int
    lifetime_s: int

    def encode(self) -> bytes:
        mapped = _MAPPED.pack(self.port, self.external_port, self.lifetime_s)
        return _head(_MAP_TCP, self.result, self.epoch_s) + mapped

    @classmethod
    def decode(cls, data: bytes) -> "MapAnswer":
        """Return the answer of these bytes. Raises RemoteProtocolError, and nothing else."""
        result, epoch_s, rest = _read(data, _MAP_TCP, _MAPPED.size)
        port, external_port, lifetime_s = _MAPPED.unpack(rest)
        return cls(
            result=result,
            epoch_s=epoch_s,
            port=port,
            external_port=external_port,
            lifetime_s=lifetime_s,
        )


def _head(operation: int, result: int, epoch_s: int) -> bytes:
    return _HEAD.pack(VERSION, _ANSWER | operation, result, epoch_s)


def _read(data: bytes, operation: int, size: int) -> tuple[int, int, bytes]:
    """Return the result, the epoch and what follows; zeros, if an error is all that there is."""
    if len(data) not in (_HEAD.size, _HEAD.size + size):
        raise _odd("not the size of an answer")
    version, answered, result, epoch_s = _HEAD.unpack_from(data)
    if (version, answered) != (VERSION, _ANSWER | operation):
        raise _odd("not the answer to this question")
    if len(data) == _HEAD.size and result == SUCCESS:
        raise _odd("an answer without content")
    return result, epoch_s, data[_HEAD.size :].ljust(size, b"\0")


def _odd(why: str) -> RemoteProtocolError:
    return RemoteProtocolError("nat-pmp", why)
