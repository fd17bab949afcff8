"""The ways to a table, each a plan that says everything beforehand: host, join, watch, resume."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import trio

from p2pfruit.exits import Refusal
from p2pfruit.home.store import SavedEvening, SavedSeat, SavedTable
from p2pfruit.home.ways import DIRECT, Ways
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Address, readable
from p2pfruit.net.beacon import Found
from p2pfruit.net.invitations import Invitation
from p2pfruit.seat import household
from p2pfruit.seat.doors import Doors, open_doors
from p2pfruit.seat.entering import enter, entrance_of
from p2pfruit.seat.household import Household
from p2pfruit.seat.node import Node, Places
from p2pfruit.seat.observing import NullObserver, Observer
from p2pfruit.seat.ways import SessionWays, ways_of
from p2pfruit.seat.whereabouts import Network
from p2pfruit.text.names import BOT_PREFIX
from protocol.feed.roster import Roster
from protocol.link.keys import SALT_SIZE, Access
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer


class Plan(Protocol):
    async def play(self, me: Household) -> Peer:
        """Play a table to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPlan:
    """A table of one's own. Without doors only the bots that come along play there; with doors
    they are named as bots."""

    offer: Offer
    network: Network
    ways: Ways = DIRECT
    levels: tuple[str, ...] = ()
    doors: Doors | None = None
    salt: bytes | None = field(default=None, repr=False)  # of an evening that goes on

    async def play(self, me: Household) -> Peer:
        salt = self.salt or secrets.token_bytes(SALT_SIZE)
        access = Access.hosting(me.chair.identity.key, salt)
        if self.doors is not None:  # before anything is kept that could be resumed
            me.store.keep_ways(access.secret, self.ways)
        async with me.ways(self.ways, access.secret) as ways:
            return await self._play(me, access, ways)

    async def _play(self, me: Household, access: Access, ways: SessionWays) -> Peer:
        name, journal = me.chair.name, me.journal(access.secret)
        prefix = "" if self.doors is None else BOT_PREFIX
        node = me.node(access, ways.for_calls(self.network), journal)
        bots = household.HostBots(node, access, journal, me.bots, prefix)
        async with trio.open_nursery() as nursery:
            if self.doors is not None:
                about = self.doors, node, name, access, me.store.known_as
                nursery.start_soon(open_doors, *about, node.open, ways.open)
                nursery.start_soon(self._remember, self.doors, me, node, access)
            peer = await household.host(node, self.offer, bots, self.levels)
            nursery.cancel_scope.cancel()
        return peer

    async def _remember(self, doors: Doors, me: Household, node: Node, access: Access) -> None:
        """Save what it takes to open the lobby again at the same place."""
        await node.open.wait()
        me.store.open_evening(
            SavedEvening(
                secret=access.secret,
                host=access.host,
                salt=access.salt,
                offer=self.offer.encode(),
                binds=tuple(map(str, node.listening)),
                levels=self.levels,
                doors=doors.words,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPlan:
    """A seat at the table of an invitation. `hosts`: where it can be called. `host`: whose table
    it must be, where that is known beforehand."""

    invitation: Invitation
    hosts: tuple[Address, ...]
    network: Network
    ways: Ways = DIRECT
    host: bytes = b""

    async def play(self, me: Household) -> Peer:
        access = self.invitation.access.of(self.host)
        me.store.keep_ways(access.secret, self.ways)
        async with me.ways(self.ways, access.secret) as ways:
            network = ways.for_calls(self.network)
            node = me.node(access, network, me.journal(access.secret))
            return await node.join(self.hosts)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlan:
    """A seat at a table that was heard announced; without a code, the host is asked."""

    found: Found
    code: str | None = field(repr=False)
    network: Network
    ways: Ways = DIRECT

    async def play(self, me: Household) -> Peer:
        if self.code is None:
            me.observer.knocking(self._host(me))
        invitation = await enter(self.found, me.chair.identity, self.code)
        seat = JoinPlan(
            invitation=invitation,
            hosts=(self.found.address,),
            network=self.network,
            ways=self.ways,
            host=entrance_of(self.found).host,
        )
        return await seat.play(me)

    def _host(self, me: Household) -> str:
        """Return the name that belongs to the host's key: anyone can announce any name."""
        name = me.store.known_as(entrance_of(self.found).host)
        if name is None:
            raise Refusal(
                _("you need the code of this table: its host is not in your address book"),
                hint=_("the host's screen shows it; use --code"),
            )
        return name


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPlan:
    """A table that is only watched. A spectator has no identity: one is made up."""

    invitation: Invitation
    hosts: tuple[Address, ...]
    network: Network

    async def watch(self, observer: Observer, home: Path) -> Peer:
        async with ways_of(
            DIRECT, self.invitation.secret, home, lambda _ways: None, observer
        ) as ways:
            network = ways.for_calls(self.network)
            node = Node(None, self.invitation.access, network, observer)
            return await node.join(self.hosts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumePlan:
    """A table that was kept, with the player's own seat there and those of the bots."""

    saved: SavedTable = field(repr=False)
    seat: SavedSeat = field(repr=False)
    ways: Ways

    async def play(self, me: Household) -> Peer:
        me.store.keep_ways(self.saved.secret, self.ways)
        async with me.ways(self.ways, self.saved.secret) as ways:
            return await self._play(me, ways)

    async def _play(self, me: Household, ways: SessionWays) -> Peer:
        saved = self.saved
        roster = Roster.decode(saved.roster)
        access = Access(secret=saved.secret, host=saved.host, salt=saved.salt)
        journal = me.journal(saved.secret)
        evening = me.store.evening()
        hosts = evening is not None and evening.secret == saved.secret
        network = Network.of(self.ways, self._binds(self.seat), resumes=True)
        mine = me.node(access, ways.for_calls(network), journal)
        names = {player.key: player.name for player in roster.players}
        bots = [seat for seat in saved.seats if seat.secret is not None]
        me.bots.update(bot.key for bot in bots)
        nodes = [
            Node(
                household.bot_chair(bot.decider, names[bot.key], bot.secret),
                access,
                Network(binds=self._binds(bot), any_port=True, hides=True, stays=network.hidden),
                NullObserver(),
                journal,
            )
            for bot in bots
        ]
        places: Places = {}
        for key, address in saved.addresses:
            places.setdefault(key, []).extend(readable([address]))
        home: Places = {node.key: [] for node in (mine, *nodes)} if network.hidden else places
        places |= home

        async def others() -> None:
            async with trio.open_nursery() as nursery:
                for node, bot in zip(nodes, bots, strict=True):
                    nursery.start_soon(node.resume, roster, bot.seed, home)

        resumed = mine.resume(roster, self.seat.seed, places, hosts=hosts)
        async with trio.open_nursery() as nursery:
            if evening is not None and hosts and access.host:
                doors = Doors.of(evening.doors), mine, me.chair.name, access
                nursery.start_soon(open_doors, *doors, me.store.known_as, mine.begun, ways.open)
            elif saved.host == mine.key:  # another table was hosted since, and has the doors

                async def open_ways() -> None:
                    await mine.begun.wait()
                    await ways.open(mine)

                nursery.start_soon(open_ways)
            peer = await household.run_with_bots(resumed, others, nodes)
            nursery.cancel_scope.cancel()
        return peer

    def _binds(self, seat: SavedSeat) -> tuple[Address, ...]:
        """Return where this seat listened before, so that others find it again."""
        return tuple(readable([address for key, address in self.saved.binds if key == seat.key]))
