"""Calling an address: directly, through a SOCKS5 proxy such as Tor's, or by a relay.

With a proxy everything goes through it, and the proxy looks up names. So no one else learns which
host we call. Name servers are never asked for an onion address.
"""

import errno
import os
import socket
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Kind
from p2pfruit.text.safe import shortened

TOR = "socks5://127.0.0.1:9050"


class Failure(Enum):
    """What went wrong with a call, as far as it helps to say what to do."""

    REFUSED = "refused"  # the machine is there, and nothing listens at the port
    SILENT = "silent"
    NO_ROUTE = "no route"  # this machine has no way there
    NO_NAME = "no name"
    WAY = "way"  # the proxy, Tor or the relay in between
    OTHER = "other"


class CannotDial(Exception):
    """The address could not be reached. `hint` says what to do about it, if that is known."""

    def __init__(
        self, why: str, hint: str | None = None, *, failure: Failure = Failure.OTHER
    ) -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint
        self.failure = failure


def no_answer(address: Address) -> CannotDial:
    why = _("{address} does not answer").format(address=address)
    return CannotDial(why, failure=Failure.SILENT)


class Proxy(NamedTuple):
    address: Address
    username: str | None
    password: str | None

    @classmethod
    def parse(cls, url: str) -> "Proxy":
        """Parse socks5://[user:password@]host:port; socks5h is the same. Raises CannotDial."""
        try:
            parts = urlsplit(url.strip())
            where, _slash, rest = url.strip().partition("://")[2].partition("/")
            address = Address.parse(where.rpartition("@")[2])
        except ValueError:
            raise _bad_proxy(url) from None
        half_secret = bool(parts.username) != bool(parts.password)
        if parts.scheme not in ("socks5", "socks5h") or rest or half_secret:
            raise _bad_proxy(url)
        if not (address.host and address.port):
            raise _bad_proxy(url)
        return cls(address, _plain(parts.username), _plain(parts.password))

    def __str__(self) -> str:
        """Return the URL for people to read, without the password."""
        return f"socks5://{self.address}"


def _bad_proxy(url: str) -> CannotDial:
    before, slashes, rest = url.rpartition("//")
    shown = before + slashes + rest.rpartition("@")[2]  # passwords are not for the screen
    return CannotDial(
        _("{url} is not a proxy URL").format(url=repr(shortened(shown))),
        _("use socks5://host:port or socks5://user:password@host:port"),
    )


def _plain(text: str | None) -> str | None:
    return unquote(text) if text else None


# Returns the URL of a proxy that reaches onion addresses. Raises CannotDial.
Onions = Callable[[], Awaitable[str]]

# Hears that an onion address could not be reached, so that the next call looks for it anew.
Missed = Callable[[], Awaitable[None]]

# Asks the relay at the other end of this stream for the table. Raises CannotDial.
Cross = Callable[[trio.SocketStream, Address], Awaitable[None]]


class Dialler:
    """How one program calls addresses.

    With a proxy everything goes through it. Without one, `onions` finds the way to onion addresses
    when the first of them is called, and `missed` hears of those that could not be reached;
    `by_tor`: everything goes that way. `cross` asks a relay for the table.
    """

    def __init__(
        self,
        *,
        proxy: str | None = None,
        onions: Onions | None = None,
        missed: Missed | None = None,
        by_tor: bool = False,
        cross: Cross | None = None,
    ) -> None:
        self._proxy = proxy
        self._onions = onions
        self._missed = missed
        self._by_tor = by_tor
        self._cross = cross

    def is_slow(self, address: Address) -> bool:
        """Return True if the way to this address is a long one: through a proxy or a relay."""
        hidden = self._proxy is not None or self._by_tor
        return hidden or address.kind in (Kind.ONION, Kind.RELAY)

    async def dial(self, address: Address) -> trio.SocketStream:
        """Open a connection to this address. Raises CannotDial."""
        if not address.host or not address.port:
            raise CannotDial(_("{address} cannot be called").format(address=address))
        relay = address.relay
        if relay is None:
            return await self._reach(address)
        if self._cross is None:
            raise CannotDial(_("{address} leads to no table").format(address=address))
        stream = await self._reach(relay)
        try:
            await self._cross(stream, address)
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    async def _reach(self, address: Address) -> trio.SocketStream:
        if self._proxy is not None:
            return await _through(Proxy.parse(self._proxy), address)
        if address.kind is not Kind.ONION and not self._by_tor:
            return await _directly(address)
        if self._onions is None:
            raise CannotDial(
                _("{address} can only be reached through Tor").format(address=address),
                _("start Tor and use --proxy {proxy}").format(proxy=TOR),
                failure=Failure.WAY,
            )
        proxy = Proxy.parse(await self._onions())
        try:
            return await _through(proxy, address)
        except CannotDial:
            if self._missed is not None and address.kind is Kind.ONION:
                await self._missed()
            raise


async def dial(address: Address, proxy: str | None = None) -> trio.SocketStream:
    """Open a connection to an address that is no onion and no relay. Raises CannotDial."""
    return await Dialler(proxy=proxy).dial(address)


async def _directly(address: Address) -> trio.SocketStream:
    try:
        with trio.fail_after(limits.DIAL_S):
            return await trio.open_tcp_stream(address.host, address.port)
    except trio.TooSlowError:
        raise no_answer(address) from None
    except OSError as error:
        failure, why = _failure(error)
        raise CannotDial(f"{address}: {why}", failure=failure) from None


_FAILURES = {
    errno.ECONNREFUSED: Failure.REFUSED,
    errno.ETIMEDOUT: Failure.SILENT,
    errno.ENETUNREACH: Failure.NO_ROUTE,
    errno.EHOSTUNREACH: Failure.NO_ROUTE,
    errno.EADDRNOTAVAIL: Failure.NO_ROUTE,
}


def _failure(error: OSError) -> tuple[Failure, str]:
    """Return what the system says went wrong; of several attempts, the first."""
    if isinstance(error, socket.gaierror):
        return Failure.NO_NAME, _("no such host")
    tried = error.__cause__
    first = tried.exceptions[0] if isinstance(tried, BaseExceptionGroup) else error
    number = getattr(first, "errno", None)
    if number is None:
        return Failure.OTHER, str(first)
    return _FAILURES.get(number, Failure.OTHER), os.strerror(number)


async def _through(proxy: Proxy, address: Address) -> trio.SocketStream:
    from python_socks import ProxyConnectionError, ProxyError, ProxyType
    from python_socks.async_.trio.v2 import Proxy as Socks

    if "%" in address.host:
        why = _("{address} is valid on this computer only").format(address=address)
        raise CannotDial(why, _("connect without a proxy"))
    host, port = proxy.address
    socks = Socks(ProxyType.SOCKS5, host, port, proxy.username, proxy.password, rdns=True)
    onion = address.kind is Kind.ONION
    try:
        with trio.fail_after(limits.DIAL_ONION_S if onion else limits.DIAL_PROXY_S):
            connected = await socks.connect(
                address.host, address.port, timeout=2 * limits.DIAL_PROXY_S
            )
    except trio.TooSlowError:
        if onion:
            raise _silent_onion(address) from None
        why = _("{address} does not answer through the proxy").format(address=address)
        raise CannotDial(why, failure=Failure.SILENT) from None
    except ProxyConnectionError:
        why = _("the proxy {proxy} cannot be reached").format(proxy=proxy)
        raise CannotDial(why, _("check that it is running"), failure=Failure.WAY) from None
    except (ProxyError, OSError, trio.BrokenResourceError, ValueError) as error:
        # A ValueError means that the answer is not even text.
        if onion and (told := _about_onion(address, error)) is not None:
            raise told from None
        why = _("the proxy cannot reach {address}: {why}").format(
            address=address, why=shortened(str(error)).lower()
        )
        raise CannotDial(why) from None
    stream = connected.trio_stream
    assert isinstance(stream, trio.SocketStream)
    return stream


# What tor answers about an onion service that it cannot reach: in SOCKS5's own codes, or in those
# that it has of its own (ExtendedErrors).
_UNREACHABLE = frozenset((1, 3, 4, 6))
_NO_MEETING = tuple(f"Invalid reply code: 0XF{digit}" for digit in "237")
_NO_DESCRIPTOR = "Invalid reply code: 0XF0"
_NO_ADDRESS = "Invalid reply code: 0XF6"


def _about_onion(address: Address, error: Exception) -> CannotDial | None:
    """Return what tor says about an onion address, or None if it speaks of something else."""
    if str(error) in _NO_MEETING or getattr(error, "error_code", None) in _UNREACHABLE:
        return _silent_onion(address)
    if str(error) == _NO_DESCRIPTOR:
        why = _("Tor knows no table at {address}").format(address=address)
        return CannotDial(why, failure=Failure.SILENT)
    if str(error) == _NO_ADDRESS:
        return CannotDial(_("{address} can be no onion address").format(address=address))
    return None


def _silent_onion(address: Address) -> CannotDial:
    why = _("{address} does not answer through Tor").format(address=address)
    return CannotDial(why, failure=Failure.SILENT)
