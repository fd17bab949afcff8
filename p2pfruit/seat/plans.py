"""The ways to a table, each a plan that says everything beforehand: host, join, watch, resume."""

import secrets
from dataclasses import dataclass, field
from typing import Protocol

import trio

from p2pfruit.home.store import SavedSeat, SavedTable
from p2pfruit.net.addresses import Address
from p2pfruit.net.invitations import Invitation
from p2pfruit.seat import household
from p2pfruit.seat.doors import Doors, open_doors
from p2pfruit.seat.household import Household
from p2pfruit.seat.node import Network, Node, NullObserver, Observer, Places, readable
from p2pfruit.text.names import BOT_PREFIX
from protocol.feed.roster import Roster
from protocol.link.link import SECRET_SIZE, seat_key
from protocol.peer.lobby import Offer
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
    levels: tuple[str, ...] = ()
    doors: Doors | None = None

    async def play(self, me: Household) -> Peer:
        secret = secrets.token_bytes(SECRET_SIZE)
        psk, journal, name = seat_key(secret), me.journal(secret), me.chair.name
        prefix = "" if self.doors is None else BOT_PREFIX
        bots = household.bot_chairs(self.levels, name, prefix)
        me.bots.update(bot.identity.key for bot in bots)
        node = me.node(psk, self.network, journal)
        async with trio.open_nursery() as nursery:
            if self.doors is not None:
                nursery.start_soon(
                    open_doors, self.doors, node, self.offer, name, secret, me.observer
                )
            peer = await household.host(node, self.offer, psk, bots, journal)
            nursery.cancel_scope.cancel()
        return peer


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPlan:
    """A seat at the table of an invitation. `hosts`: where it can be called."""

    invitation: Invitation
    hosts: tuple[Address, ...]
    network: Network

    async def play(self, me: Household) -> Peer:
        invitation = self.invitation
        node = me.node(invitation.psk, self.network, me.journal(invitation.secret))
        return await node.join(self.hosts, invitation.is_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPlan:
    """A table that is only watched. A spectator has no identity: one is made up."""

    invitation: Invitation
    hosts: tuple[Address, ...]
    network: Network

    async def watch(self, observer: Observer) -> Peer:
        node = Node(None, self.invitation.psk, self.network, observer)
        return await node.join(self.hosts, self.invitation.is_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumePlan:
    """A table that was kept, with the player's own seat there and those of the bots."""

    saved: SavedTable = field(repr=False)
    seat: SavedSeat = field(repr=False)
    proxy: str | None = None

    async def play(self, me: Household) -> Peer:
        saved = self.saved
        roster, psk = Roster.decode(saved.roster), seat_key(saved.secret)
        journal = me.journal(saved.secret)
        mine = me.node(psk, self._network(self.seat, self.proxy), journal)
        names = {player.key: player.name for player in roster.players}
        bots = [seat for seat in saved.seats if seat.secret is not None]
        me.bots.update(bot.key for bot in bots)
        nodes = [
            Node(
                household.bot_chair(bot.decider, names[bot.key], bot.secret),
                psk,
                self._network(bot, None),
                NullObserver(),
                journal,
            )
            for bot in bots
        ]
        places: Places = {}
        for key, address in saved.addresses:
            places.setdefault(key, []).extend(readable([address]))

        async def others() -> None:
            async with trio.open_nursery() as nursery:
                for node, bot in zip(nodes, bots, strict=True):
                    nursery.start_soon(node.resume, roster, bot.seed, places)

        resumed = mine.resume(roster, self.seat.seed, places)
        return await household.run_with_bots(resumed, others, nodes)

    def _network(self, seat: SavedSeat, proxy: str | None) -> Network:
        """Listen where this seat listened before, so that others find it again."""
        binds = [address for key, address in self.saved.binds if key == seat.key]
        return Network(binds=tuple(readable(binds)), proxy=proxy, any_port=True)
