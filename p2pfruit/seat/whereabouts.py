"""Where a node can be called: on what it listens, and what else leads to it.

A node listens on addresses of its machine. When the machine gets others, as a laptop does that is
carried to another room, a node that may roam listens there, too. Sockets at an address that is gone
are kept, because the address may come back. Ports of a router, onion services and relays are
advertised beside what the node listens on. A hidden node tells only what is advertised.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

import trio

from p2pfruit.exits import Refusal
from p2pfruit.home.ways import Ways
from p2pfruit.net import limits
from p2pfruit.net.addresses import (
    Address,
    Kind,
    Reach,
    callable_at,
    own_addresses,
    reach_of,
    readable,
)
from p2pfruit.net.dialling import Dialler, Missed, Onions
from p2pfruit.net.probing import CallBacks
from p2pfruit.net.relay.crossing import crossing
from protocol.relay.keys import rendezvous


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """How a node is reached, and reaches others."""

    binds: tuple[Address, ...] = ()  # where it listens; nowhere: it only calls
    advertised: tuple[str, ...] = ()  # said to others beside what it listens on
    proxy: str | None = None
    onions: Onions | None = None  # the way to onion addresses
    missed: Missed | None = None  # hears of onions that could not be reached
    by_tor: bool = False  # everything goes that way
    any_port: bool = False  # if another program has the port by now, any will do
    roams: bool = False  # if this machine gets other addresses, listens there, too
    resumes: bool = False  # and if it has others already, there in their place
    hides: bool = False  # tells no address of this machine
    answers_probes: bool = True  # calls back who asks whether it can be reached
    stays: bool = False  # calls nobody but the nodes of its own program
    far: bool = False  # a router or a relay may lead here from elsewhere

    @classmethod
    def of(
        cls,
        ways: Ways,
        binds: Sequence[Address],
        *,
        any_port: bool = False,
        resumes: bool = False,
    ) -> Self:
        return cls(
            binds=tuple(binds),
            advertised=ways.advertised,
            proxy=ways.proxy or None,
            by_tor=ways.tor,
            any_port=any_port or resumes,
            roams=ways.roams,
            resumes=resumes,
            answers_probes=ways.probes,
            far=ways.internet or bool(ways.relay),
        )

    @property
    def hidden(self) -> bool:
        """Return True if others must not learn an address of this machine."""
        return self.hides or self.by_tor or self.proxy is not None

    def call_backs(self) -> CallBacks:
        return CallBacks(allowed=self.answers_probes and not self.hidden)

    def dialler(self, psk: bytes) -> Dialler:
        """Return how such a node calls. `psk` opens the links."""
        cross = crossing(rendezvous(psk))
        return Dialler(
            proxy=self.proxy,
            onions=self.onions,
            missed=self.missed,
            by_tor=self.by_tor,
            cross=cross,
        )


Listen = Callable[[Sequence[Address]], Awaitable[list[Address]]]


class Whereabouts:
    """The whereabouts of one node. `listen` opens sockets until the node ends."""

    def __init__(self, network: Network, listen: Listen) -> None:
        self.listening: list[Address] = []
        self._network = network
        self._listen = listen
        self._advertised = list(network.advertised)
        self._hosts = own_addresses()
        self._gone: set[str] = set()  # hosts that this machine had, and has no longer
        self._changed = trio.Event()  # set, and made anew, when others have to be told
        self._moved = trio.Event()  # the same, when this machine has other addresses

    @property
    def told(self) -> tuple[str, ...]:
        """Return where others can call this node, as far as it knows."""
        if self._network.hidden:
            return tuple(self._advertised)
        here = callable_at(at for at in self.listening if at.host not in self._gone)
        others = [at for at in here if at.kind is not Kind.LOOPBACK]
        # Other machines cannot call a loopback address, and programs on this one can call the rest.
        return tuple(dict.fromkeys((*self._advertised, *map(str, others or here))))

    @property
    def told_far(self) -> bool:
        """Return True if players on other machines may call this node."""
        network = self._network
        return network.hidden or network.far or reach_of(readable(self.told)) is not Reach.MACHINE

    @property
    def hidden(self) -> bool:
        """Return True if others must not learn an address of this machine."""
        return self._network.hidden

    def is_long_way(self, caller: str) -> bool:
        """Return True if who calls from this address comes through Tor or by a relay."""
        kinds = {at.kind for at in readable([caller])}
        if Kind.LOOPBACK in kinds:  # where a Tor of this computer hands callers on
            kinds = {at.kind for at in readable(self._advertised)}
        return not kinds.isdisjoint((Kind.ONION, Kind.RELAY))

    def advertise(self, address: str) -> None:
        """Tell others that they can call this node there, too."""
        if address not in self._advertised:
            self._advertised.insert(0, address)
            self._change()

    def withdraw(self, address: str) -> None:
        """Tell others no longer that they can call this node there."""
        if address in self._advertised:
            self._advertised.remove(address)
            self._change()

    async def changed(self) -> None:
        """Wait until this node can be called elsewhere than before."""
        await self._changed.wait()

    async def moved(self) -> None:
        """Wait until this machine has other addresses than before."""
        await self._moved.wait()

    async def start(self) -> None:
        """Listen where the network says, or as near to it as that allows. Raises Refusal."""
        network = self._network
        if not network.binds:
            return
        try:
            self.listening = await self._listen(network.binds)
            return
        except Refusal:
            if not network.any_port:
                raise
        places = tuple(Address(bind.host, 0) for bind in network.binds)
        if network.resumes:
            await self._listen_where_possible(tuple(map(self._elsewhere, places)))
        else:
            self.listening = await self._listen(places)

    async def _listen_where_possible(self, places: Sequence[Address]) -> None:
        """Listen at those of these addresses that there are.

        A node that cannot listen can still call the others.
        """
        for place in dict.fromkeys(places):
            with suppress(Refusal):
                self.listening += await self._listen([place])

    async def follow(self, moved: Callable[[Sequence[str]], Awaitable[None]]) -> None:
        """Notice when the machine has other addresses; never return.

        `moved` hears those that are gone.
        """
        while True:
            await trio.sleep(limits.LOOK_MOVED_S)
            try:
                hosts = own_addresses()
            except OSError:  # too many files are open at the moment
                continue
            if hosts == self._hosts:
                continue
            gone = [host for host in self._hosts if host not in hosts]
            self._hosts = hosts
            here = {at.host for at in self.listening}
            self._gone = ((self._gone | set(gone)) - set(hosts)) & here
            if self._network.roams:
                await self._listen_here_too()
            await moved(gone)
            self._moved.set()
            self._moved = trio.Event()
            self._change()

    async def _listen_here_too(self) -> None:
        """Listen at addresses that take the place of those where the node listened, or would have
        if the machine had had a network. Their number is bounded."""
        for old in dict.fromkeys((*self.listening, *self._network.binds)):
            place = self._elsewhere(old)
            if place.host not in self._hosts or self._listens_at(place.host):
                continue
            if len(self.listening) >= limits.LISTENING_MOST:
                return
            for wanted in (place, Address(place.host, 0)):
                try:
                    self.listening += await self._listen([wanted])
                except Refusal:  # another program has the port, or the address is gone again
                    continue
                break

    def _listens_at(self, host: str) -> bool:
        return any(at.host == host for at in self.listening)

    def _elsewhere(self, place: Address) -> Address:
        """Return an address of this machine in the place of one that it may not have.

        One of a network that a program has put over the others, as Tailscale does, has no
        substitute: the player has chosen it for the players who are there.
        """
        if place.host in self._hosts or place.kind not in (Kind.PRIVATE, Kind.GLOBAL):
            return place
        for host in self._hosts:
            other = Address(host, place.port)
            if other.kind is not Kind.LOOPBACK and (":" in host) == (":" in place.host):
                return other
        return place

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
