"""What came of asking the router: ports that were granted, and why others were not."""

from dataclasses import dataclass
from enum import Enum, StrEnum

from p2pfruit.net.addresses import Address, Kind


class How(StrEnum):
    """The protocol by which a router was asked."""

    PCP = "pcp"
    NAT_PMP = "nat-pmp"
    UPNP = "upnp"

    @property
    def shown(self) -> str:
        return {How.PCP: "PCP", How.NAT_PMP: "NAT-PMP", How.UPNP: "UPnP"}[self]


class Reason(Enum):
    """Why a port was not granted, for programs."""

    SILENT = "silent"  # no answer, or none that counts
    UNKNOWN = "unknown"  # the router does not speak that protocol
    REFUSED = "refused"  # it speaks it, and says no
    NO_ADDRESS = "no-address"  # it has no address of the internet itself
    ODD = "odd"  # it grants what cannot be
    MISSING = "missing"  # this machine lacks what is needed to ask


class NotGranted(Exception):
    """A router was asked in vain. `why` is for people."""

    def __init__(self, reason: Reason, why: str) -> None:
        super().__init__(why)
        self.reason = reason
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A port is open: calls to `address` arrive at this machine.

    If the address is not global, they do so only from the network behind the router.
    """

    address: Address
    how: How


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The router did not grant a port for this address of the machine."""

    how: How
    inside: str
    reason: Reason
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    granted: tuple[Grant, ...] = ()
    tried: tuple[Attempt, ...] = ()

    @property
    def carrier(self) -> bool:
        """Return True if the router has no IPv4 address of the internet, as far as it tells.

        The provider then shares one address among many customers, or there is a second router
        behind the first. No port of this router leads here from the internet.
        """
        fourth = [grant.address for grant in self.granted if ":" not in grant.address.host]
        if fourth:
            return all(address.kind is not Kind.GLOBAL for address in fourth)
        return any(
            attempt.reason is Reason.NO_ADDRESS or Address(attempt.inside, 0).kind is Kind.CARRIER
            for attempt in self.tried
        )

    @property
    def reachable(self) -> tuple[Address, ...]:
        """Return the granted addresses that can be called from the internet."""
        found = (grant.address for grant in self.granted)
        return tuple(address for address in found if address.kind is Kind.GLOBAL)
