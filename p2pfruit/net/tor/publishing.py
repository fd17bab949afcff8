"""The onion service of a table: its key, and the wait until guests can find it.

A key that is kept is 96 bytes: the public key, which is the address, and tor's own form of the
secret one. Whoever has it can stand in for the table's address, though not for the table itself:
guests expect the host's identity key there.
"""

import base64
import binascii
from dataclasses import dataclass, field

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits, onions
from p2pfruit.net.addresses import Address
from p2pfruit.net.onions import BadOnion
from p2pfruit.net.tor.connection import Control
from p2pfruit.net.tor.control import ControlError, Reply
from p2pfruit.net.tor.progress import NoTor, Progress, Told
from p2pfruit.text.safe import shortened

_SECRET_SIZE = 64
KEY_SIZE = onions.KEY_SIZE + _SECRET_SIZE
_KIND = "ED25519-V3"
_SUFFIX = ".onion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Onion:
    """`key` is to be kept with the table, and gives the same address again."""

    address: Address
    key: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """Return tor's name of the service."""
        return self.address.host.removesuffix(_SUFFIX)


def address_of(key: bytes) -> Address:
    """Return the address of a table whose onion service has this kept key. Raises BadOnion."""
    if len(key) != KEY_SIZE:
        raise BadOnion("a kept key of another size")
    return Address(onions.unpack(key[: onions.KEY_SIZE]), limits.ONION_PORT)


async def publish(control: Control, key: bytes | None, port: int, told: Told) -> Onion:
    """Make the onion service of a table that listens at this port of 127.0.0.1.

    Return when guests can find it. Raises NoTor.
    """
    told(Progress(percent=0, words=_words()))
    try:
        with control.events("HS_DESC") as events:
            await control.ask("SETEVENTS", "HS_DESC")
            try:
                onion = await _add(control, key, port)
                await _wait_for_uploads(control, onion, events, told)
            finally:
                await _forget_events(control)
    except BadOnion:
        raise NoTor(
            _("the kept key of the table's onion address is damaged"),
            _("host a new table; its invitation will have a new address"),
        ) from None
    except ControlError as error:
        raise NoTor(
            _("tor did not publish the onion address: {why}").format(why=shortened(str(error))),
            _("end that tor and try again: p2pfruit then starts one of its own"),
        ) from None
    return onion


def _words() -> str:
    return _("publishing the table's onion address")


async def withdraw(control: Control, onion: Onion) -> None:
    """End an onion service. Tor does the same when the control connection closes."""
    try:
        await control.ask("DEL_ONION", onion.name, wait_s=limits.TOR_END_S)
    except ControlError:
        return


async def _forget_events(control: Control) -> None:
    with trio.CancelScope(shield=True):
        try:
            await control.ask("SETEVENTS", wait_s=limits.TOR_END_S)
        except ControlError:
            return


async def _add(control: Control, key: bytes | None, port: int) -> Onion:
    known = None if key is None else address_of(key)
    secret = f"NEW:{_KIND}" if key is None else f"{_KIND}:{_spelled(key)}"
    where = f"Port={limits.ONION_PORT},127.0.0.1:{port}"
    # Without Detach the service ends with this connection.
    reply = await control.ask("ADD_ONION", secret, where)
    host = reply.value("ServiceID") + _SUFFIX
    try:
        public = onions.pack(host)
    except BadOnion:
        raise ControlError(_("it tells no onion address")) from None
    if key is None:
        key = public + _secret(reply)
    elif known is None or host != known.host:
        raise ControlError(_("it tells another address than that of the key"))
    return Onion(address=address_of(key), key=key)


def _spelled(key: bytes) -> str:
    return base64.b64encode(key[onions.KEY_SIZE :]).decode("ascii")


def _secret(reply: Reply) -> bytes:
    kind, _colon, spelled = reply.value("PrivateKey").partition(":")
    try:
        secret = base64.b64decode(spelled, validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if kind != _KIND or len(secret) != _SECRET_SIZE:
        raise ControlError(_("it tells no key"))
    return secret


async def _wait_for_uploads(
    control: Control, onion: Onion, events: trio.MemoryReceiveChannel[Reply], told: Told
) -> None:
    try:
        with trio.fail_after(limits.TOR_PUBLISH_S):
            await _uploaded(onion, events, told)
    except trio.TooSlowError:
        await withdraw(control, onion)
        raise NoTor(
            _("tor could not publish the onion address in time"),
            _("check the network of this computer, and try again"),
        ) from None
    except BaseException:
        with trio.CancelScope(shield=True):
            await withdraw(control, onion)
        raise


async def _uploaded(onion: Onion, events: trio.MemoryReceiveChannel[Reply], told: Told) -> None:
    """Wait until the descriptors are where guests look for them. Raises ControlError."""
    uploads = _Uploads(onion.name)
    with trio.CancelScope() as rest:
        async for event in events:
            uploads.take(event)
            if uploads.done:
                told(Progress(percent=uploads.percent, words=_words()))
                rest.deadline = min(rest.deadline, trio.current_time() + limits.TOR_PUBLISH_REST_S)
            if uploads.are_complete:
                return
        raise ControlError(_("it has ended"))


class _Uploads:
    """Counts the uploads of a service that tor has begun, and those that have arrived or failed.

    Tor makes a descriptor for this period and one for a neighbouring period, and uploads each to
    several relays. A guest asks for one of the two, so the first that arrives is not enough.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._unsent: set[str] = set()  # descriptors of which no upload has begun
        self._begun = 0
        self._failed = 0
        self.done = 0

    def take(self, event: Reply) -> None:
        match event.lines[0].split(" "):
            case ["HS_DESC", action, self._name, _, relay, *more]:
                self._count(action, more[0] if more else relay)

    def _count(self, action: str, descriptor: str) -> None:
        match action:
            case "CREATED" if len(self._unsent) < limits.TOR_DESCRIPTORS_MOST:
                self._unsent.add(descriptor)
            case "UPLOAD":
                self._unsent.discard(descriptor)
                self._begun += 1
            case "UPLOADED":
                self.done += 1
            case "FAILED":
                self._failed += 1

    @property
    def are_complete(self) -> bool:
        ended = self.done + self._failed
        return self.done > 0 and ended >= self._begun and not self._unsent

    @property
    def percent(self) -> int:
        expected = max(self._begun, 1) * (1 + len(self._unsent))
        return min(100, 100 * (self.done + self._failed) // expected)
