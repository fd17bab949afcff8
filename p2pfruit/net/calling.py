"""Calling players of the table who are not connected, again and again, more and more rarely.

In each pair of players the one with the smaller key calls first. The other waits a little, because
often one call is enough. But either of them may be unreachable, so both try. A player who answers
and hangs up soon is called no more often than one who does not answer.
"""

import random
from collections.abc import Awaitable, Callable, Iterable, Sequence

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Kind
from p2pfruit.net.connections import Connections
from p2pfruit.net.dialling import CannotDial, Dialler, no_answer
from p2pfruit.net.wire import Closed, Wire, call
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.link.keys import Access, Expected, only

Trouble = CannotDial | Closed | RemoteProtocolError


class Caller:
    """The way in which a node calls: its identity, what it knows of the table, the dialler.

    `watches`: it has no seat at the table.
    """

    def __init__(
        self,
        *,
        identity: Identity,
        instance: bytes,
        access: Access,
        dialler: Dialler,
        log: Callable[[str, str], None],
        watches: bool = False,
    ) -> None:
        self.key = identity.key
        self.access = access
        # Why each address could not be reached, the last time that it was called.
        self.troubles: dict[Address, Trouble] = {}
        self.moved = trio.Event()  # set, and made anew, when this machine has another address
        self.moves = 0
        self._identity = identity
        self._instance = instance
        self._watches = watches
        self._dialler = dialler
        self._log = log

    async def call(self, addresses: Sequence[Address], expected: Expected) -> Wire | None:
        """Return an opened wire to the expected player, or None.

        An address is called when the one before it has failed, or has not answered for a moment.
        The first wire that opens is used.
        """
        found: list[Wire] = []

        async def attempt(address: Address, failed: trio.Event) -> None:
            if (wire := await self._attempt(address, expected)) is None:
                failed.set()
            elif found:
                await wire.aclose()
            else:
                found.append(wire)
                nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for address in addresses:
                failed = trio.Event()
                nursery.start_soon(attempt, address, failed)
                with trio.move_on_after(limits.CALL_NEXT_S):
                    await failed.wait()
        return found[0] if found else None

    async def _attempt(self, address: Address, expected: Expected) -> Wire | None:
        try:
            stream = await self._dialler.dial(address)
            wire = await call(
                stream,
                str(address),
                key=self.access.psk,
                identity=self._identity,
                instance=self._instance,
                expected=expected,
            )
        except (CannotDial, Closed, RemoteProtocolError) as error:
            self.troubles[address] = error
            self._log(str(address), str(error))
            return None
        except trio.Cancelled:
            self.troubles.setdefault(address, no_answer(address))
            raise
        self.troubles.pop(address, None)
        wire.slow = self._dialler.is_slow(address)
        return wire

    def expects(self, key: bytes, opening: bytes) -> bool:
        """Return True if this is the host of the table."""
        return self.access.expects(key, opening)

    def is_host(self, key: bytes) -> bool:
        """Return True if this is the key of the host, as far as it is known by now."""
        return key == self.access.host

    def met(self, host: bytes) -> bool:
        """Learn the host's key; return False if the host has to be called again.

        Only with that key a spectator knows how to watch who was invited to play.
        """
        self.access = self.access.of(host)
        if not self._watches or self.access.watching:
            return True
        self.access = self.access.to_watch()
        return False

    def has_moved(self) -> None:
        """Call again at once: what could not be reached before may be reached from here."""
        self.moves += 1
        self.moved.set()
        self.moved = trio.Event()


class Pause:
    """A pause between calls. It doubles after each failure, and is random so that calls spread."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._moves = caller.moves
        self._seconds = limits.CALL_AGAIN_S

    async def wait(self) -> None:
        """Wait for a while, but no longer than until this machine has another address than at the
        last wait. It may have moved while a call was on its way."""
        if self._moves == self._caller.moves:
            with trio.move_on_after(self._seconds * random.uniform(0.75, 1.25)):
                await self._caller.moved.wait()
        if self._moves == self._caller.moves:
            self._seconds = min(2 * self._seconds, limits.CALL_AGAIN_MOST_S)
        else:
            self._moves = self._caller.moves
            self.shorten()

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
    pause, look_s = Pause(caller), limits.LOOK_S
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
        elif (wire := await caller.call(addresses, only(key))) is not None:
            await pause.after(connections.attend, wire)
        else:
            await pause.wait()


async def keep_calling(
    caller: Caller,
    addresses: Sequence[Address],
    expected: Expected,
    attend: Callable[[Wire], Awaitable[None]],
    enough: Callable[[], bool],
    *,
    patience_s: float,
) -> None:
    """Call the host until it is `enough`, again whenever the connection ends.

    This also returns if no one answers, or only for a moment each time. `caller.troubles` has the
    reasons. A host that was never reached is given up when every address has failed for a while, or
    after `patience_s`. One that was reached has time to come back.
    """
    pause = Pause(caller)
    since, enough_s = trio.current_time(), min(patience_s, limits.CALL_FIRST_S)
    while not enough():
        waited_s = trio.current_time() - since
        failed = all(address in caller.troubles for address in addresses)
        if waited_s >= (enough_s if failed else patience_s):
            break
        wire = None
        with trio.move_on_after(patience_s - waited_s):
            wire = await caller.call(addresses, expected)
        if wire is None:
            await pause.wait()
        elif await pause.after(attend, wire):
            since = trio.current_time()
            patience_s = enough_s = limits.CALL_HOST_S
        else:
            caller.troubles[addresses[0]] = Closed(_("the other side hung up"))


def first_patience_s(addresses: Iterable[Address], *, anonymous: bool) -> float:
    """Return how long a host that was never reached is called at these addresses at most.

    `anonymous`: through Tor, or another proxy that may take as long.
    """
    by_tor = anonymous or any(address.kind is Kind.ONION for address in addresses)
    return limits.CALL_FIRST_TOR_S if by_tor else limits.CALL_FIRST_S
