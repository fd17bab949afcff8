"""A tor that runs already, used through its control port.

Other users of this machine may listen where a tor could be, and lie. They would learn which tables
are called, and the key of a table's address. So a control port is believed in two ways only:

- It shows that it knows a cookie, which is a file of 32 bytes that strangers cannot read, owned by
  us, by root or by the system's user for tor (SAFECOOKIE). The cookie itself is never sent. Every
  tor since 2012 can do this, so plain COOKIE is not used.
- It asks for nothing (NULL), and the one who listens there is one of these users.
"""

import os
import secrets
import stat
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, BadAddress, Kind
from p2pfruit.net.tor.child import TORRC
from p2pfruit.net.tor.connection import Control
from p2pfruit.net.tor.control import (
    NONCE_SIZE,
    ControlError,
    Reply,
    client_hash,
    fields,
    quoted_list,
    server_hash,
)
from p2pfruit.net.tor.listeners import is_trusted, listener_owner
from p2pfruit.net.tor.progress import NoTor, Phase
from p2pfruit.net.tor.tasks import background
from p2pfruit.text.safe import shortened

CONTROL = "P2PFRUIT_TOR_CONTROL"

Place = Path | Address

PLACES: tuple[Place, ...] = (
    Path("/run/tor/control"),
    Address("127.0.0.1", 9051),
    Address("127.0.0.1", 9151),
)


def places(environ: Mapping[str, str]) -> tuple[Place, ...]:
    """Return where a tor is looked for. Raises NoTor."""
    if text := environ.get(CONTROL):
        return (_place(text),)
    return () if environ.get(TORRC) else PLACES


def _place(text: str) -> Place:
    if text.startswith("/"):
        return Path(text)
    try:
        address = Address.parse(text)
    except BadAddress as error:
        raise _unusable(text, error) from None
    if address.kind is not Kind.LOOPBACK:
        raise _unusable(text, _("it is not on this computer"))
    return address


def _unusable(place: object, why: object) -> NoTor:
    message = _("the control port {place} cannot be used: {why}")
    return NoTor(
        message.format(place=shortened(str(place)), why=shortened(str(why))),
        _("set {variable} to host:port or to the path of a socket, or not at all").format(
            variable=CONTROL
        ),
    )


@asynccontextmanager
async def running(environ: Mapping[str, str]) -> AsyncIterator[Control | None]:
    """Provide the control connection of a tor that runs already and is connected, or None.

    Raises NoTor if the environment names a control port that cannot be used.
    """
    wanted = places(environ)
    async with background() as nursery:
        for place in wanted:
            try:
                control = await _opened(place, nursery)
            except ControlError as error:
                if CONTROL in environ:
                    raise _unusable(place, error) from None
                continue
            try:
                yield control
            finally:
                await control.aclose()
            return
        yield None


async def _opened(place: Place, nursery: trio.Nursery) -> Control:
    """Return a control connection that may give commands. Raises ControlError."""
    control = Control(await _called(place))
    nursery.start_soon(control.run)
    try:
        await _authenticate(control, place)
        reply = await control.ask("GETINFO", "status/bootstrap-phase")
        if not Phase.parse(reply.value("status/bootstrap-phase")).is_done:
            raise ControlError(_("it is not connected to the Tor network"))
        await socks_port(control)
    except BaseException:
        await control.aclose()
        raise
    return control


async def _called(place: Place) -> trio.SocketStream:
    try:
        with trio.fail_after(limits.TOR_GREETING_S):
            if isinstance(place, Path):
                return await trio.open_unix_socket(place)
            return await trio.open_tcp_stream(*place)
    except trio.TooSlowError:
        raise ControlError(_("it does not answer")) from None
    except OSError as error:
        raise ControlError(error.strerror or str(error)) from None


async def socks_port(control: Control) -> Address:
    """Return where this tor's SOCKS port listens. Raises ControlError."""
    reply = await control.ask("GETINFO", "net/listeners/socks")
    for text in quoted_list(reply.value("net/listeners/socks")):
        with suppress(BadAddress):
            address = Address.parse(text)
            if address.kind is Kind.ANY:
                address = Address("::1" if ":" in address.host else "127.0.0.1", address.port)
            if address.kind is Kind.LOOPBACK and address.port:
                return address
    raise ControlError(_("it has no SOCKS port on this computer"))


# Who we are, and who it is.


async def _authenticate(control: Control, place: Place) -> None:
    reply = await control.ask("PROTOCOLINFO", "1", wait_s=limits.TOR_GREETING_S)
    said = fields(reply.line("AUTH"))
    methods = said.get("METHODS", "").split(",")
    if "SAFECOOKIE" in methods:
        await _show_cookie(control, said.get("COOKIEFILE", ""))
    elif "NULL" in methods:
        if not _is_ours(place):
            raise ControlError(_("anybody may be listening there"))
        await control.ask("AUTHENTICATE")
    else:
        raise ControlError(_("it asks for a password"))


def _is_ours(place: Place) -> bool:
    """Return True if the one who listens there is trusted."""
    if isinstance(place, Path):
        with suppress(OSError):
            return is_trusted(place.stat().st_uid)
        return False
    owner = listener_owner(place)
    return owner is not None and is_trusted(owner)


async def _show_cookie(control: Control, name: str) -> None:
    cookie = _cookie(name)
    ours = secrets.token_bytes(NONCE_SIZE)
    reply = await control.ask("AUTHCHALLENGE", "SAFECOOKIE", ours.hex())
    theirs, proof = _challenge(reply)
    if not secrets.compare_digest(proof, server_hash(cookie, ours, theirs)):
        raise ControlError(_("it does not know its own cookie"))
    await control.ask("AUTHENTICATE", client_hash(cookie, ours, theirs).hex())


def _challenge(reply: Reply) -> tuple[bytes, bytes]:
    said = fields(reply.line("AUTHCHALLENGE"))
    try:
        theirs = bytes.fromhex(said.get("SERVERNONCE", ""))
        proof = bytes.fromhex(said.get("SERVERHASH", ""))
    except ValueError:
        raise ControlError(_("it does not know its own cookie")) from None
    return theirs, proof


def _cookie(name: str) -> bytes:
    """Return the cookie in a file that a stranger may have named. Raises ControlError."""
    path = os.fsdecode(name.encode("latin-1"))
    why = _("its cookie cannot be read")
    if not path.startswith("/") or "\0" in path:
        raise ControlError(why)
    try:
        # A pipe would keep us waiting, and a link may lead anywhere.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise ControlError(f"{why}: {error.strerror}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size != limits.TOR_COOKIE_SIZE:
            raise ControlError(_("its cookie is none"))
        if status.st_mode & stat.S_IROTH or not is_trusted(status.st_uid):
            raise ControlError(_("others can know its cookie"))
        cookie = os.read(descriptor, limits.TOR_COOKIE_SIZE)
    except OSError as error:
        raise ControlError(f"{why}: {error.strerror}") from None
    finally:
        os.close(descriptor)
    if len(cookie) != limits.TOR_COOKIE_SIZE:
        raise ControlError(_("its cookie is none"))
    return cookie
