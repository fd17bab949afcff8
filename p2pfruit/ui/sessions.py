"""A session: one command that plays from a home, from the lock to the file."""

import argparse
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from p2pfruit.exits import USAGE, Refusal, say
from p2pfruit.home.ending import conclude
from p2pfruit.home.folder import Home
from p2pfruit.home.journal import Journal
from p2pfruit.home.settings import current
from p2pfruit.home.store import Known, Meeting, Store
from p2pfruit.language import text as _
from p2pfruit.seat.node import Chair, Network, Node
from p2pfruit.text.names import is_bot
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.fronts import Front, front_for
from protocol.feed.roster import Player
from protocol.peer.peer import Peer


@dataclass(frozen=True, slots=True)
class Session:
    home: Home
    store: Store
    front: Front
    record: str
    mine: set[bytes]  # keys of bots that came with me

    def journal(self, secret: bytes) -> Journal:
        return Journal(self.store, secret, self.record)

    def node(self, psk: bytes, network: Network, journal: Journal) -> Node:
        """The node of the player at the front."""
        assert self.front.decider_factory is not None
        chair = Chair(
            identity=self.home.identity(),
            name=self.home.name(),
            decider_factory=self.front.decider_factory,
            decider=self.front.decider,
        )
        node = Node(chair, psk, network, self.front.screen, journal)
        self.front.node = node
        return node


def run(
    arguments: argparse.Namespace, decider: str, play: Callable[[Session], Awaitable[Peer]]
) -> int:
    """Plays a table to its end; the exit code."""
    home = Home.find(arguments.home, os.environ)
    record = check_record(arguments.record)
    with home.lock(), home.open_store(int(time.time())) as store:
        mine: set[bytes] = set()

        def meet(player: Player) -> Meeting:
            if player.key in mine or is_bot(player.name):
                return Meeting(known=Known.KNOWN)
            return store.meet(player.key, player.name, int(time.time()))

        key = home.identity().key
        front = front_for(arguments, current(arguments, os.environ), key, meet, decider)
        session = Session(home, store, front, record, mine)
        try:
            return front.run(partial(_session, session, play))
        except Refusal:
            if (left := front.left) is not None:  # what was played is kept all the same
                conclude(home, store, left, record)
            raise
        except KeyboardInterrupt:
            if store.unfinished():
                say("\n" + _("the table is kept: p2pfruit resume goes on with it"))
            raise


async def _session(session: Session, play: Callable[[Session], Awaitable[Peer]]) -> int:
    front = session.front
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.read_keys)
        peer = await play(session)
        nursery.cancel_scope.cancel()
    end = partial(conclude, session.home, session.store, peer, session.record)
    ended = await front.checking(end)
    await front.ended(ended, peer)
    return ended.code


def check_record(record: str | None) -> str:
    """Where the copy goes, if it can be written there: better now than after the game."""
    if not record:
        return ""
    folder = Path(record).absolute().parent
    if not os.access(folder, os.W_OK) or Path(record).is_dir():
        message = _("cannot write {path}").format(path=shown_path(record))
        raise Refusal(message, hint=_("name a file in a folder that you can write to"), code=USAGE)
    return str(Path(record).absolute())
