"""Remembers the cards that a player held: a game file does not show those that were never opened.

They are kept in the home of that player and nowhere else, for an analysis after the game. What the
bots of the home held is not kept.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio

from engine.moves import Event, Move
from engine.record import State
from engine.views import View
from p2pfruit.home.store import Store
from p2pfruit.seat.players import Decider, DeciderFactory
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer


class RememberingDecider:
    """Another decider, whose cards are saved before it chooses."""

    def __init__(self, decider: Decider, store: Store, table: bytes) -> None:
        self._decider = decider
        self._store = store
        self._table = table
        self._seen: set[int] = set()

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        new = {slot: face for slot, face in view.known.items() if slot not in self._seen}
        if new:
            await trio.to_thread.run_sync(self._store.see, self._table, new)
            self._seen |= set(new)
        return await self._decider.choose(view, events)

    async def absent(self, question: Question) -> Reply:
        return await self._decider.absent(question)

    async def done(self, state: State, events: Sequence[Event]) -> None:
        await self._decider.done(state, events)


def remembering(factory: DeciderFactory, store: Store) -> DeciderFactory:
    @asynccontextmanager
    async def make(peer: Peer) -> AsyncIterator[Decider]:
        async with factory(peer) as decider:
            yield RememberingDecider(decider, store, peer.table.roster.table)

    return make
