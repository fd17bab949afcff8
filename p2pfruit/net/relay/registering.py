"""A host stays registered at a relay, and fetches the callers that the relay announces.

The registration is one stream; each caller is fetched over a stream of its own, which goes on when
the registration is lost. A registration that was lost is renewed: soon at first, then more and more
rarely, and at once when this machine has another address.
"""

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.connections import Wakeup
from p2pfruit.net.dialling import CannotDial, Dialler
from p2pfruit.net.door import Enter
from p2pfruit.net.relay.exchanging import (
    Refused,
    exchange,
    has_hung_up,
    is_another,
    next_message,
    no_answer_of,
)
from p2pfruit.net.relay.line import RelayLine
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.relay import frames
from protocol.relay.approach import Accepting, Approach, Registering
from protocol.relay.crowd import one_too_many
from protocol.relay.frames import Caller, Gone, No, Ping, Pong, Refuse


class Standing(Enum):
    REGISTERED = "registered"
    LOST = "lost"  # or never got; it is tried again
    REFUSED = "refused"  # by the relay, which is asked again later
    REPLACED = "replaced"  # another program has registered the same table


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """How a host stands with its relay. `why` and `hint` are for people."""

    standing: Standing
    relay: Address
    why: str = ""
    hint: str | None = None


async def keep_registered(
    line: RelayLine,
    rendezvous: Identity,
    dialler: Dialler,
    enter: Enter,
    news: Callable[[News], None],
    *,
    moved: Callable[[], Awaitable[None]] = trio.sleep_forever,
) -> None:
    """Register at the relay of a line, again and again, and hand each caller to `enter`; never
    return.

    `news` hears when something has changed. `moved` returns when this machine has another address.
    """
    async with trio.open_nursery() as nursery:
        keeper = _Keeper(line, rendezvous, dialler, enter, news, nursery)
        await keeper.keep(moved)


class _Keeper:
    def __init__(
        self,
        line: RelayLine,
        rendezvous: Identity,
        dialler: Dialler,
        enter: Enter,
        news: Callable[[News], None],
        callers: trio.Nursery,
    ) -> None:
        self.keys = line.keys
        self.rendezvous = rendezvous
        self.dialler = dialler
        self.enter = enter
        self.callers = callers  # who stay when a registration is lost
        self._relays = line.addresses
        self._news = news
        self._told: News | None = None

    async def keep(self, moved: Callable[[], Awaitable[None]]) -> None:
        pause_s = limits.REGISTER_AGAIN_S
        while True:
            since_s, moving = trio.current_time(), _Once(moved)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(moving.cancel, nursery.cancel_scope)
                news = await self._register_somewhere()
                self._tell(news)
                if news.standing is not Standing.LOST:
                    pause_s = limits.REGISTER_AGAIN_MOST_S
                elif trio.current_time() - since_s >= limits.LASTING_S:
                    pause_s = limits.REGISTER_AGAIN_S
                await trio.sleep(pause_s * random.uniform(0.75, 1.25))
                nursery.cancel_scope.cancel()
            longer_s = min(2 * pause_s, limits.REGISTER_AGAIN_MOST_S)
            pause_s = limits.REGISTER_AGAIN_S if moving.happened else longer_s

    def _tell(self, news: News) -> None:
        if news != self._told:
            self._told = news
            self._news(news)

    async def _register_somewhere(self) -> News:
        """Stay registered for as long as it lasts, and return how it has ended.

        The addresses of the relay are tried one after the other; the first failure is told.
        """
        failures = []
        for relay in self._relays:
            try:
                stream = await self.dialler.dial(relay)
            except CannotDial as error:
                failures.append(_news(relay, error))
                continue
            try:
                approach = await exchange(stream, relay, Registering(self.rendezvous, self.keys))
                self._tell(News(standing=Standing.REGISTERED, relay=relay))
                return _news(relay, await _Registration(self, stream, approach, relay).last())
            except CannotDial as error:
                return _news(relay, error)
            finally:
                await trio.aclose_forcefully(stream)
        return failures[0]


def _news(relay: Address, error: CannotDial) -> News:
    standing = Standing.LOST
    if isinstance(error, Refused):
        standing = _STANDINGS.get(error.code, Standing.LOST)
    return News(standing=standing, relay=relay, why=error.why, hint=error.hint)


# Whoever is told anything else may come again at once.
_STANDINGS = {
    frames.REPLACED: Standing.REPLACED,
    **dict.fromkeys((frames.STRANGER, frames.FULL, frames.BYTES, frames.FLOOD), Standing.REFUSED),
}


class _Once:
    """Cancels a scope when something happens, and remembers it."""

    def __init__(self, awaited: Callable[[], Awaitable[None]]) -> None:
        self.happened = False
        self._awaited = awaited

    async def cancel(self, scope: trio.CancelScope) -> None:
        await self._awaited()
        self.happened = True
        scope.cancel()


@dataclass(eq=False, slots=True)
class _Fetched:
    tag: str
    scope: trio.CancelScope


class _Registration:
    """One registration. Callers that it has fetched stay when it ends."""

    def __init__(
        self, keeper: _Keeper, stream: trio.SocketStream, approach: Approach, relay: Address
    ) -> None:
        self._keeper = keeper
        self._stream = stream
        self._approach = approach
        self._relay = relay
        self._sending = trio.Lock()
        self._ponged = Wakeup()
        self._fetched: dict[int, _Fetched] = {}  # by number, the oldest first
        self._left: float = limits.ANNOUNCED_AT_ONCE_MOST  # callers who may be announced
        self._counted_s = trio.current_time()

    async def last(self) -> CannotDial:
        """Serve callers until the registration is lost, and return the reason."""
        why = no_answer_of(self._relay)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stay_alive, nursery.cancel_scope)
            why = await self._listen()
            nursery.cancel_scope.cancel()
        return why

    async def _stay_alive(self, scope: trio.CancelScope) -> None:
        number = 0
        while True:
            await trio.sleep(limits.REGISTERED_PING_S)
            number += 1
            with trio.move_on_after(limits.REGISTERED_PONG_S):
                await self._say(Ping(number))
                await self._ponged.wait()
                continue
            scope.cancel()

    async def _listen(self) -> CannotDial:
        try:
            while True:
                message = await next_message(self._stream, self._approach)
                match message:
                    case No(code):
                        return Refused(self._relay, code)
                    case Pong():
                        self._ponged.set()
                    case Caller(number, tag):
                        await self._hear_of(number, tag.hex())
                    case Gone(number) if number in self._fetched:
                        self._fetched[number].scope.cancel()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return has_hung_up(self._relay)
        except RemoteProtocolError as error:
            return is_another(self._relay, error)

    async def _hear_of(self, number: int, tag: str) -> None:
        self._count()
        if number in self._fetched:
            raise RemoteProtocolError("message", "it announces a caller twice")
        place = one_too_many(
            [one.tag for one in self._fetched.values()],
            tag,
            most=limits.FETCHING_MOST,
            per_neighbour_most=limits.FETCHING_PER_TAG_MOST,
        )
        if place is not None:
            late = list(self._fetched)[place]
            self._fetched.pop(late).scope.cancel()
            await self._say(Refuse(late))
        fetched = self._fetched[number] = _Fetched(tag, trio.CancelScope())
        self._keeper.callers.start_soon(self._fetch, number, fetched)

    def _count(self) -> None:
        now_s = trio.current_time()
        earned = (now_s - self._counted_s) / limits.ANNOUNCED_EVERY_S
        self._left = min(self._left + earned, limits.ANNOUNCED_AT_ONCE_MOST) - 1
        self._counted_s = now_s
        if self._left < 0:
            raise RemoteProtocolError("flood", "it announces callers without end")

    async def _fetch(self, number: int, fetched: _Fetched) -> None:
        """Open a stream for a caller, and hand it over."""
        stream: trio.SocketStream | None = None
        try:
            with fetched.scope:
                stream = await self._come_for(number)
        finally:
            if self._fetched.get(number) is fetched:
                del self._fetched[number]
        if stream is not None:
            await self._keeper.enter(stream, fetched.tag)

    async def _come_for(self, number: int) -> trio.SocketStream | None:
        keeper = self._keeper
        try:
            stream = await keeper.dialler.dial(self._relay)
        except CannotDial:
            return None
        try:
            await exchange(stream, self._relay, Accepting(keeper.rendezvous, keeper.keys, number))
        except BaseException as error:
            await trio.aclose_forcefully(stream)
            if isinstance(error, CannotDial):  # the caller has gone, or the relay has
                return None
            raise
        return stream

    async def _say(self, message: Ping | Refuse) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # the reader notices
            async with self._sending:
                await self._stream.send_all(self._approach.say(message))
