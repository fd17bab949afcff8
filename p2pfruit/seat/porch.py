"""The porch of an announced table: callers without an invitation come in with a code, or knock.

protocol/link/codes.py has the rules of the code. Here callers wait for their turn, the person at
the screen is asked about friends who knock, and whoever may come in gets the secret of the table.
"""

import secrets
from collections.abc import Callable
from typing import Protocol

import trio

from p2pfruit import limits
from p2pfruit.net import limits as net_limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.door import neighbour_of
from p2pfruit.net.turnstile import Turnstile
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import RemoteProtocolError
from protocol.link.codes import Doorkeeper, Renewed
from protocol.link.entrance import Entrance, Run
from protocol.link.messages import Bye, Seat, encode_message

NO = "the host did not let you in"
BUSY = "too many players want to come in at once"

KnownAs = Callable[[bytes], str | None]  # the name that belongs to a key in the address book


class Host(Protocol):
    """Shows the host what happens on the porch."""

    @property
    def answers_knocks(self) -> bool:
        """Return True if there is a person who can be asked."""

    def coded(self, code: str, failures: int, renewed: Renewed | None) -> None:
        """Hear the code, when it is new or when somebody has typed a wrong one."""

    async def knocked(self, key: bytes, name: str) -> bool:
        """Ask whether this player may sit down."""


class TablePorch:
    """It opens for one lobby after the other, and wrong codes count through all of them.

    `key` is that of the host, `secret` that of the table. `known_as` looks up the address book.
    """

    def __init__(self, *, key: bytes, secret: bytes, known_as: KnownAs) -> None:
        self._host: Host
        self._secret = secret
        self._known_as = known_as
        self._turnstile = Turnstile()
        self._asking = trio.Lock()  # one question after the other
        self._knocking: set[bytes] = set()
        self._shut = trio.Event()
        self._keeper = Doorkeeper(
            host=key,
            offer=b"",  # until a lobby is open
            draw=secrets.token_bytes,
            knows=self._may_knock,
            renewed=self._tell,
        )

    def open(self, offer: bytes, host: Host) -> None:
        """Let players in to the lobby with this offer; `host` shows it."""
        self._host = host
        self._shut = trio.Event()
        self.offer_changed(offer)
        self._tell(None)

    @property
    def id(self) -> bytes:
        return self.entrance.id

    @property
    def entrance(self) -> Entrance:
        return self._keeper.entrance

    def offer_changed(self, offer: bytes) -> None:
        self._keeper.offer_changed(offer)

    def close(self) -> None:
        """Ask no more: the table has begun, or is given up."""
        self._shut.set()

    async def admit(self, address: str, id: bytes, hello: bytes) -> Run:
        await self._turnstile.wait(neighbour_of(Address.parse(address).host))
        return self._keeper.answer(id, hello)

    def closed(self, run: Run) -> None:
        digits = self._keeper.digits
        if self._keeper.closed(run) and self._keeper.digits == digits:  # a new code was told
            self._tell(None)

    async def attend(self, wire: Wire) -> None:
        """Hand over the secret to a caller who has shown the code, or whom the host lets in."""
        run = wire.run
        assert run is not None
        try:
            refused = await self._refused(wire, run) if run.knocks else None
            answer = Seat(self._secret) if refused is None else Bye(refused)
            with trio.move_on_after(limits.GOODBYE_S):
                await wire.send([encode_message(answer)])
                await wire.hang_up()
        except Closed:
            pass  # the caller is gone

    def _tell(self, renewed: Renewed | None) -> None:
        self._host.coded(self._keeper.digits, self._keeper.failures, renewed)

    def _may_knock(self, key: bytes) -> bool:
        return self._host.answers_knocks and self._known_as(key) is not None

    async def _refused(self, wire: Wire, run: Run) -> str | None:
        """Ask the host about a player; return why it may not come in, or None."""
        name = self._known_as(run.caller)
        if name is None:
            return NO
        if run.caller in self._knocking or len(self._knocking) >= net_limits.KNOCKS_MOST:
            return BUSY
        self._knocking.add(run.caller)
        try:
            return None if await self._ask(wire, run.caller, name) else NO
        finally:
            self._knocking.discard(run.caller)

    async def _ask(self, wire: Wire, key: bytes, name: str) -> bool:
        """Ask until the host answers, the time is over, or the caller has gone."""
        yes = False
        async with trio.open_nursery() as nursery:
            nursery.cancel_scope.deadline = trio.current_time() + limits.QUESTION_S
            nursery.start_soon(_until_gone, wire, nursery.cancel_scope)
            nursery.start_soon(self._until_shut, nursery.cancel_scope)
            async with self._asking:
                yes = await self._host.knocked(key, name)
            nursery.cancel_scope.cancel()
        return yes

    async def _until_shut(self, scope: trio.CancelScope) -> None:
        await self._shut.wait()
        scope.cancel()


async def _until_gone(wire: Wire, scope: trio.CancelScope) -> None:
    try:
        while True:
            await wire.receive()  # a caller who waits has nothing to say
    except (Closed, RemoteProtocolError):
        scope.cancel()
