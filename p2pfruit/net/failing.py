"""What to tell a player whose calls to a host have failed, at one address or another.

Of several addresses one failure says most. A program that answers and hangs up says more than a
machine that refuses, and that more than silence. What a private address says is of little worth
to a guest who is not on the host's network, and a loopback address leads to the guest's own
computer.
"""

from collections.abc import Mapping, Sequence

from p2pfruit.exits import NO_CONNECTION, Refusal
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Address, Kind, Reach, reach_of
from p2pfruit.net.calling import Trouble
from p2pfruit.net.dialling import CannotDial, Failure
from p2pfruit.net.wire import Closed
from protocol.errors import RemoteProtocolError

_WORTH = {
    Failure.WAY: 5,
    Failure.REFUSED: 4,
    Failure.SILENT: 3,
    Failure.OTHER: 2,
    Failure.NO_NAME: 1,
    Failure.NO_ROUTE: 0,
}
_NEAR = {Kind.PRIVATE: 1, Kind.LINK: 1, Kind.CARRIER: 1, Kind.LOOPBACK: 0, Kind.ANY: 0}
_FAR = 2


def most_telling(troubles: Mapping[Address, Trouble]) -> tuple[Address, Trouble] | None:
    """Return the failure that says most about why the host cannot be reached, and where."""
    if not troubles:
        return None
    return max(troubles.items(), key=lambda one: _worth(*one))


def _worth(address: Address, trouble: Trouble) -> tuple[int, int, int]:
    near = _NEAR.get((address.relay or address).kind, _FAR)
    match trouble:
        case RemoteProtocolError():
            return 2, near, 0
        case Closed():
            return 1, near, 0
        case CannotDial(failure=failure):
            return 0, near, _WORTH[failure]


def unreachable(addresses: Sequence[Address], troubles: Mapping[Address, Trouble]) -> Refusal:
    """Return what to say when the host was called at these addresses for long enough."""
    telling = most_telling({at: troubles[at] for at in addresses if at in troubles})
    if telling is None:
        why, hint = _("no answer"), None
    else:
        why, hint = str(telling[1]), _hint(*telling)
    hint = _only_near(reach_of(addresses), telling) or hint or _ask_the_host()
    message = _("the host cannot be reached: {why}").format(why=why)
    return Refusal(message, hint=hint, code=NO_CONNECTION)


def _hint(address: Address, trouble: Trouble) -> str | None:
    if not isinstance(trouble, CannotDial):
        return _(
            "this invitation may be of another table, or of one that is over: ask for a new one"
        )
    if trouble.hint is not None:
        return trouble.hint
    kind = address.kind
    if kind is Kind.RELAY and trouble.failure is not Failure.NO_ROUTE:
        return _("ask the host whether the relay still runs, and can be called from elsewhere")
    if kind is Kind.CARRIER:
        return _(
            "that address belongs to the host's provider, and cannot be called from outside: ask"
            " the host to use `p2pfruit host --tor`"
        )
    match trouble.failure:
        case Failure.REFUSED if kind is not Kind.LOOPBACK:
            return _(
                "nothing listens there: ask whether the table is still open, and whether the host's"
                " router forwards the port"
            )
        case Failure.SILENT if kind is Kind.ONION:
            return _("ask whether the table is still open, and the host still connected to Tor")
        case Failure.SILENT:
            return _(
                "a firewall or a router in front of the host blocks it, or the host has gone: ask"
                " the host to use `p2pfruit host --internet` or `--tor`"
            )
        case Failure.NO_ROUTE if ":" in address.host:
            return _("this computer has no IPv6: ask the host for an IPv4 address, or to use --tor")
        case Failure.NO_ROUTE:
            return _("check the network of this computer with `p2pfruit doctor`")
    return None


def _ask_the_host() -> str:
    return _("ask whether the table is still open; `p2pfruit doctor` checks this side")


def _only_near(reach: Reach, telling: tuple[Address, Trouble] | None) -> str | None:
    """Return a hint for the guest if an invitation with this reach works near the host only."""
    if telling is not None and not isinstance(telling[1], CannotDial):
        return None  # a program has answered there
    match reach:
        case Reach.MACHINE:
            return _(
                "this invitation only works on the host's own computer: ask for one that was made"
                " for the network, with --lan or --internet"
            )
        case Reach.NETWORK:
            return _(
                "this invitation only works on the host's own network: join that network, or ask"
                " the host to use `p2pfruit host --internet`"
            )
    return None
