"""The entrance of an announced table, as a link sees it; protocol/link/codes.py has its rules.

It stands apart because every link knows it, and the group behind a code takes long to load.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from protocol.crypto.identity import KEY_SIZE
from protocol.version import VERSION

ENTRANCE_ID_SIZE = 8
OFFER_ID_SIZE = 32
SHARE_SIZE = 33  # a point

# What a caller says first: its identity key, and with a code its share of the exchange.
KNOCK_SIZE = KEY_SIZE
HELLO_SIZE = KEY_SIZE + SHARE_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """What an announcement says about the way in. No one vouches for it: the keys depend on it."""

    id: bytes
    host: bytes
    offer: bytes  # the id of the offer

    def about(self, caller: bytes) -> bytes:
        """Return what both sides must agree on besides the code."""
        return bytes([VERSION]) + caller + self.host + self.offer


class Entry(Protocol):
    """A caller's way through an entrance."""

    entrance: Entrance
    hello: bytes

    @property
    def psk(self) -> bytes | None:
        """Return the key of the link, if it does not depend on an answer."""

    def answered(self, share: bytes) -> bytes:
        """Return the key of the link."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Run:
    """A caller at the entrance, as far as the host has answered it."""

    caller: bytes  # the identity key that it claims
    psk: bytes = field(repr=False)
    share: bytes  # the host's answer; empty for a knock
    confirm: Callable[["Run"], None]  # called when the caller has shown that it has the key

    @property
    def knocks(self) -> bool:
        return not self.share
