"""The ways to the tables of a session from outside: the router's port, an onion service, a relay.

The router is asked again whenever the machine has moved. The key of the onion
service is kept with the table, so the address stays the same after a crash and on every network. If
the router does not help, Tor does. Only a table that is played over Tor ends if there is no Tor:
every other one goes on with the ways that it has.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import trio

from p2pfruit.home.ways import Ways
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Kind, own_addresses
from p2pfruit.net.dialling import Dialler
from p2pfruit.net.relay.line import RelayLine
from p2pfruit.net.relay.registering import News, Standing, keep_registered
from p2pfruit.net.router.answers import Answer, Reason
from p2pfruit.net.router.asking import asked
from p2pfruit.net.tor.finding import Finder, onions_found
from p2pfruit.net.tor.progress import NoTor, Progress
from p2pfruit.net.tor.service import Tor, running_tor
from p2pfruit.seat.news import WayNews, WayState
from p2pfruit.seat.node import Node
from p2pfruit.seat.observing import Observer
from p2pfruit.seat.whereabouts import Network
from protocol.relay.keys import rendezvous

ROUTER, TOR, RELAY = "router", "tor", "relay"

_ROUTER = b"p2pfruit router 2\n"

# Why a router gives no port: what says most comes first.
_TELLING = (Reason.REFUSED, Reason.ODD, Reason.NO_ADDRESS)


@asynccontextmanager
async def ways_of(
    ways: Ways, secret: bytes, home: Path, keep: Callable[[Ways], None], observer: Observer
) -> AsyncIterator["SessionWays"]:
    """Provide the ways of a session; what was started for them ends with it.

    `secret` is that of the table, or of its spectators. `keep` saves ways that have changed.
    """
    session = SessionWays(ways, secret, home / "tor", keep, observer)
    async with onions_found(session.folder, session.told) as session.find:
        yield session


class SessionWays:
    find: Finder  # another Tor than the one with our onion service

    def __init__(
        self,
        ways: Ways,
        secret: bytes,
        folder: Path,
        keep: Callable[[Ways], None],
        observer: Observer,
    ) -> None:
        self.folder = folder
        self._ways = ways
        # A program that was killed gets its port again from a router that asks for the same nonce.
        self._router_secret = sha256(_ROUTER + secret).digest()
        self._keep = keep
        self._observer = observer  # until there is a node, whose observer changes with each game
        self._node: Node | None = None
        self._tor: Tor | None = None  # the one with our onion service
        self._answer = Answer()  # of the router
        self._reached = False  # the table can be called from the internet
        self._lost = trio.Event()  # it cannot

    def for_calls(self, network: Network) -> Network:
        """Return this network with the way to onion addresses."""
        return replace(network, onions=self.onions, missed=self.missed)

    async def onions(self) -> str:
        """Return the way to onion addresses. Raises CannotDial."""
        return await self.find() if self._tor is None else self._tor.socks

    async def missed(self) -> None:
        """Have onions looked for anew, since one could not be reached."""
        await (self.find if self._tor is None else self._tor).missed()

    async def open(
        self, node: Node, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Open the ways to this node, until this is cancelled; started when they are known.

        Raises NoTor if the table is to be played over Tor and cannot be.
        """
        self._keep(self._ways)
        self._node = node
        ways = self._ways
        # Whoever has an onion address of the table can call it at no other, however it was opened.
        wanted = ways.tor or bool(ways.onion)
        async with trio.open_nursery() as nursery:
            if ways.internet and ways.proxy:  # the router's address is one of this player
                wanted = True
            elif ways.internet:
                reached = await nursery.start(self._ask_router, node)
                wanted = wanted or not reached
                if not wanted:
                    nursery.start_soon(self._publish_when_lost, node)
            if wanted:
                await nursery.start(self._publish, node)
            if ways.relay:
                await nursery.start(self._register, node)
            task_status.started()

    # The router.

    async def _ask_router(
        self, node: Node, *, task_status: trio.TaskStatus[bool] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep a port of the router, on every network on which the machine is; never return.

        Started with True if the table can be called from the internet now.
        """
        self._say(ROUTER, WayState.OPENING, _("asking the router for a port"))
        heard = partial(self._heard, _Mapped(node))
        port = node.listening[0].port
        async with asked(port, heard, secret=self._router_secret) as answer:
            heard(answer)
            task_status.started(self._reached)
            while True:
                await node.whereabouts.moved()
                if self._reached != _is_reached(self._answer):
                    heard(self._answer)  # the router has said nothing new

    def _heard(self, mapped: "_Mapped", answer: Answer) -> None:
        """Use what the router has granted, and say in one line what that is worth."""
        mapped.use(answer.reachable)
        self._answer = answer
        self._reached = _is_reached(answer)
        if not self._reached:
            self._lost.set()
        if answer.reachable:
            granted = [one for one in answer.granted if one.address in answer.reachable]
            where = ", ".join(f"{one.address} ({one.how.shown})" for one in granted)
            what = _("the router has opened {where}: it says that anyone can call there")
            self._say(
                ROUTER, WayState.OPEN, what.format(where=where), address=str(granted[0].address)
            )
        elif _is_global():
            what = _("this computer has an address of the internet itself; nobody has tested it")
            self._say(ROUTER, WayState.OPEN, what)
        elif answer.carrier:
            what = _("your provider shares one address among many: no port of the router helps")
            self._say(ROUTER, WayState.FAILED, what)
        else:
            self._say(ROUTER, WayState.FAILED, _refused(answer))

    # A relay.

    async def _register(
        self, node: Node, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Stay registered at a relay; never return. Started when it has answered, or cannot."""
        line, access = RelayLine.parse(self._ways.relay), node.access
        answered = trio.Event()

        def heard(news: News) -> None:
            address = news.relay.behind()
            if news.standing is Standing.REGISTERED:
                node.whereabouts.advertise(str(address))
                what = _("players join through the relay {relay}").format(relay=news.relay)
                self._say(RELAY, WayState.OPEN, what, address=str(address))
            else:  # it is tried again; who calls meanwhile hears of it from the relay
                hint = news.hint or _("ask whether the relay still runs; it is tried again")
                self._say(RELAY, WayState.FAILED, news.why, hint=hint)
            answered.set()

        async with trio.open_nursery() as nursery:
            for one, hear in ((access, heard), (access.to_watch(), lambda _news: None)):
                enter = node.door.entry_by(line.addresses[0], watching=one.watching)
                dialler = self._dialler()
                keeping = partial(keep_registered, moved=node.whereabouts.moved)
                nursery.start_soon(keeping, line, rendezvous(one.psk), dialler, enter, hear)
            await answered.wait()
            task_status.started()

    def _dialler(self) -> Dialler:
        ways = self._ways
        return Dialler(proxy=ways.proxy or None, onions=self.onions, by_tor=ways.tor)

    # Tor.

    async def _publish_when_lost(self, node: Node) -> None:
        """Use Tor when the machine has gone to where no router helps; never return."""
        while True:
            await self._lost.wait()
            await trio.sleep(limits.ROUTER_LOST_S)
            if not self._reached:
                break
            self._lost = trio.Event()
        await self._publish(node)

    async def _publish(
        self, node: Node, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep an onion service for the table; never return. Started when it is there, or cannot
        be. Without Tor to begin with, it is tried again when the machine is elsewhere."""
        port = node.listening[0].port
        first = True
        while True:
            try:
                async with running_tor(self.folder, self.told) as tor:
                    address = await self._published(tor, port)
                    node.whereabouts.advertise(str(address))
                    self._tor = tor
                    what = _("players anywhere can join over Tor")
                    self._say(TOR, WayState.OPEN, what, address=str(address))
                    if first:
                        task_status.started()
                        first = False
                    try:
                        why = await tor.ended()
                    finally:
                        self._tor = None
                node.whereabouts.withdraw(str(address))
                what = _("Tor has ended: {why}").format(why=why)
                self._say(TOR, WayState.FAILED, what, hint=_("it is started again"))
            except NoTor as error:
                if first and self._ways.tor:
                    raise
                self._say(TOR, WayState.FAILED, str(error), hint=error.hint)
                if first:
                    task_status.started()
                    first = False
                    await node.whereabouts.moved()
            await trio.sleep(limits.TOR_AGAIN_S)

    async def _published(self, tor: Tor, port: int) -> Address:
        onion = await tor.publish(self._ways.onion or None, port)
        if onion.key != self._ways.onion:
            self._ways = replace(self._ways, onion=onion.key)
            self._keep(self._ways)
        return onion.address

    def _say(
        self, way: str, state: WayState, what: str, *, hint: str | None = None, address: str = ""
    ) -> None:
        self._tell(WayNews(way=way, state=state, what=what, hint=hint, address=address))

    def told(self, progress: Progress) -> None:
        """Hear how far Tor is."""
        self._tell(
            WayNews(way=TOR, state=WayState.OPENING, what=progress.words, percent=progress.percent)
        )

    def _tell(self, news: WayNews) -> None:
        observer = self._observer if self._node is None else self._node.observer
        observer.way(news)


class _Mapped:
    """The addresses that a router has granted, as a node tells them to others."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._addresses: tuple[Address, ...] = ()

    def use(self, addresses: tuple[Address, ...]) -> None:
        before, self._addresses = self._addresses, addresses
        for address in before:
            if address not in addresses:
                self._node.whereabouts.withdraw(str(address))
        for address in reversed(addresses):
            self._node.whereabouts.advertise(str(address))


def _is_reached(answer: Answer) -> bool:
    """Return True if the table can be called from the internet."""
    return bool(answer.reachable) or _is_global()


def _is_global() -> bool:
    """Return True if this machine itself has an IPv4 address of the internet."""
    return any(Address(host, 0).kind is Kind.GLOBAL for host in own_addresses() if ":" not in host)


def _refused(answer: Answer) -> str:
    """Say why the router gives no port; of several protocols, what says most."""
    known = [one for one in answer.tried if one.reason in _TELLING]
    if not known:
        return _(
            "no router here answers: it may not open ports on request, or that is switched off"
        )
    telling = min(known, key=lambda one: _TELLING.index(one.reason))
    why = f"{telling.how.shown}, {telling.why}"
    return _("the router gives no port: {why}").format(why=why)
