"""Who listens at a port of this machine, and whether that user may stand in for tor."""

import ipaddress
import os
import struct
from functools import cache
from pathlib import Path

from p2pfruit.net.addresses import Address

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING = "0A"

# What systems call their user for tor: Debian, Fedora, Arch and others, the BSDs.
_USERS = ("debian-tor", "toranon", "tor", "_tor")


def is_trusted(user: int) -> bool:
    """Return True if this user could do what they want here anyway, or runs the system's tor."""
    return user in (0, os.geteuid()) or user in _system_users()


@cache
def _system_users() -> frozenset[int]:
    import pwd

    return frozenset(one.pw_uid for one in pwd.getpwall() if one.pw_name in _USERS)


def listener_owner(address: Address, tables: tuple[Path, ...] = _TABLES) -> int | None:
    """Return the user who listens at this address of the machine; None if that is not known.

    A program that listens at exactly this address goes before one that listens at all of them.
    """
    found: dict[bool, int] = {}
    host = ipaddress.ip_address(address.host)
    for table in tables:
        try:
            lines = table.read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            where, _far, state, *_more = line.split()[1:]
            spelled, port = where.split(":")
            if state != _LISTENING or int(port, 16) != address.port:
                continue
            at = _host(spelled)
            if at == host or at.is_unspecified:
                found.setdefault(at == host, int(line.split()[7]))
    return found.get(True, found.get(False))


def _host(spelled: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address as Linux spells it: words of 32 bits in the byte order of the machine."""
    words = [int(spelled[at : at + 8], 16) for at in range(0, len(spelled), 8)]
    packed = struct.pack(f"={len(words)}I", *words)
    address = ipaddress.ip_address(packed)
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
