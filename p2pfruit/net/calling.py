"""Calling players of the table who are not connected, again and again, more and more rarely.

In each pair of players the one with the smaller key calls first. The other waits a little, because
often one call is enough. But either of them may be unreachable, so both try. A player who answers
and hangs up soon is called no more often than one who does not answer.
"""

import random
from collections.abc import Awaitable, Callable, Sequence

import trio

from p2pfruit.exits import NO_CONNECTION, Refusal
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Reach, reach_of
from p2pfruit.net.connections import Connections
from p2pfruit.net.dialling import CannotDial, Dialler
from p2pfruit.net.wire import Closed, Wire, call
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError

Expected = Callable[[bytes], bool]


class Caller:
    """The way in which a node calls: its identity, the key of the table, the dialler."""

    def __init__(
        self,
        *,
        identity: Identity,
        instance: bytes,
        psk: bytes,
        dialler: Dialler,
        log: Callable[[str, str], None],
    ) -> None:
        self.key = identity.key
        self._identity = identity
        self._instance = instance
        self._psk = psk
        self._dialler = dialler
        self._log = log
        # The error of the last call.
        self.trouble: CannotDial | Closed | RemoteProtocolError | None = None

    async def call(self, addresses: Sequence[Address], expected: Expected) -> Wire | None:
        """Return an opened wire to the first address where the expected player answers, or None."""
        for address in addresses:
            try:
                stream = await self._dialler.dial(address)
                return await call(
                    stream,
                    str(address),
                    key=self._psk,
                    identity=self._identity,
                    instance=self._instance,
                    expected=expected,
                )
            except (CannotDial, Closed, RemoteProtocolError) as error:
                self.trouble = error
                self._log(str(address), str(error))
        return None


class Pause:
    """A pause between calls. It doubles after each failure, and is random so that calls spread."""

    def __init__(self) -> None:
        self._seconds = limits.CALL_AGAIN_S

    async def wait(self) -> None:
        await trio.sleep(self._seconds * random.uniform(0.75, 1.25))
        self._seconds = min(2 * self._seconds, limits.CALL_AGAIN_MOST_S)

    def shorten(self) -> None:
        self._seconds = limits.CALL_AGAIN_S

    async def after(self, attend: Callable[[Wire], Awaitable[None]], wire: Wire) -> bool:
        """Attend to a wire; return True if it lasted long enough to be useful, else wait."""
        since = trio.current_time()
        await attend(wire)
        if trio.current_time() - since < limits.LASTING_S:
            await self.wait()
            return False
        self.shorten()
        return True


async def keep_linked(
    caller: Caller, connections: Connections, key: bytes, where: Callable[[], Sequence[Address]]
) -> None:
    """Call one player whenever there is an address but no connection; never return."""
    pause, look_s = Pause(), limits.LOOK_S
    if caller.key > key:
        await trio.sleep(limits.RELUCTANCE_S)
    while True:
        if connections.to(key):
            await connections.wait_without(key)
            pause.shorten()
            look_s = limits.LOOK_S
            await trio.sleep(look_s)  # the other end may be calling again
        elif not (addresses := where()):
            pause.shorten()
            await trio.sleep(look_s)
            look_s = min(2 * look_s, limits.LOOK_MOST_S)
        elif (wire := await caller.call(addresses, key.__eq__)) is not None:
            await pause.after(connections.attend, wire)
        else:
            await pause.wait()


async def keep_calling(
    caller: Caller,
    addresses: Sequence[Address],
    expected: Expected,
    attend: Callable[[Wire], Awaitable[None]],
    enough: Callable[[], bool],
) -> None:
    """Call the host until it is `enough`, again whenever the connection ends.

    This also returns if no one answered for a while, or only for a moment each time. Then
    `caller.trouble` has the reason.
    """
    pause = Pause()
    since = trio.current_time()
    while not enough() and trio.current_time() - since < limits.CALL_HOST_S:
        wire = await caller.call(addresses, expected)
        if wire is None:
            await pause.wait()
        elif await pause.after(attend, wire):
            since = trio.current_time()
        else:
            caller.trouble = Closed(_("the other side hung up"))


def unreachable(caller: Caller, addresses: Sequence[Address]) -> Refusal:
    """Return what to say when the host was called for long enough."""
    trouble = caller.trouble
    message = _("the host cannot be reached: {why}").format(why=trouble or _("no answer"))
    hint = getattr(trouble, "hint", None) or _only_near(reach_of(addresses))
    hint = hint or _("ask whether the table is still open; `p2pfruit doctor` checks this side")
    return Refusal(message, hint=hint, code=NO_CONNECTION)


def _only_near(reach: Reach) -> str | None:
    """Return a hint for the guest if an invitation with this reach works near the host only."""
    match reach:
        case Reach.MACHINE:
            return _(
                "this invitation only works on the host's own computer: ask for one that was made"
                " for the network, with --bind ADDRESS or --public"
            )
        case Reach.NETWORK:
            return _(
                "this invitation only works on the host's own network: join that network, or ask"
                " the host to host for the internet"
            )
    return None
