"""Who plays for a seat: a person, a bot of ours, or a program from outside."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any, Protocol

import trio

from engine.moves import Event, Move
from engine.needs import Done
from engine.record import State
from engine.views import View
from p2pfruit.bots import Bot, make_bot
from p2pfruit.bots import limits as bot_limits
from p2pfruit.bots.external import ExternalBot
from protocol.crypto.identity import Identity
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer

OUTSIDE = "outside: "  # before the command, where a decider is written down


class Leaves(Exception):
    """The decider leaves the table."""


class Decider(Protocol):
    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        """Return a legal move, or raise Leaves; cancelled when the question has become void.

        `events`: what happened in the game since the decider was last asked.
        """

    async def absent(self, question: Question) -> Reply:
        """Say what to do about players that the table has waited for long enough."""

    async def done(self, state: State, events: Sequence[Event]) -> None:
        """Hear that the table is over, with the last state of the game."""


# Makes a decider for a peer that has just sat down, and lets it go at the end.
DeciderFactory = Callable[[Peer], AbstractAsyncContextManager[Decider]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """Who sits: an identity, what it is called, who decides, and how that is written down."""

    identity: Identity
    name: str
    decider_factory: DeciderFactory
    decider: str = ""  # as the store has it
    secret: bytes | None = field(default=None, repr=False)  # of an identity made for this table


# Bots of ours.


class BotDecider:
    """Thinks in a thread, so that its peer stays awake. About absent players it answers as the
    table would by itself."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        return await trio.to_thread.run_sync(self._bot, view)

    async def absent(self, question: Question) -> Reply:
        return question.default

    async def done(self, state: State, events: Sequence[Event]) -> None:
        pass


def bot_decider(level: str, rng: Random) -> DeciderFactory:
    @asynccontextmanager
    async def make(peer: Peer) -> AsyncIterator[Decider]:
        limit_s = bot_limits.LIVE_LIMIT_S
        game = peer.table.game
        yield BotDecider(make_bot(level, game, rng, limit_s=limit_s, clock=time.monotonic))

    return make


# Programs from outside.


class ExternalDecider:
    """Starts the program when it is first asked: only then has it a seat. The program lives in a
    task of its own, since a question may be cancelled and the program is not."""

    def __init__(
        self, peer: Peer, command: str, complain: Callable[[str], None], nursery: trio.Nursery
    ) -> None:
        self._peer = peer
        self._command = command
        self._complain = complain
        self._nursery = nursery
        self._bot: ExternalBot | None = None
        self._all_said = trio.Event()
        self._gone = trio.Event()

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        if self._bot is None:
            self._bot = await self._nursery.start(self._run, view)
        await self._bot.tell(events)
        return await self._bot.choose(view)

    async def _run(self, view: View[Any], task_status: trio.TaskStatus[ExternalBot]) -> None:
        assert view.seat is not None
        table = self._peer.table
        seats = len(table.play.seats)
        async with ExternalBot.run(
            self._command, table.game, seat=view.seat, seats=seats, complain=self._complain
        ) as bot:
            task_status.started(bot)
            await self._all_said.wait()
        self._gone.set()

    async def absent(self, question: Question) -> Reply:
        return question.default

    async def done(self, state: State, events: Sequence[Event]) -> None:
        """Tell the program how the game ended, and give it a moment to end by itself."""
        if self._bot is not None:
            await self._bot.tell(events)
            if isinstance(state.need, Done):
                await self._bot.done(state)
            self._all_said.set()
            await self._gone.wait()


def external_decider(command: str, complain: Callable[[str], None]) -> DeciderFactory:
    @asynccontextmanager
    async def make(peer: Peer) -> AsyncIterator[Decider]:
        async with trio.open_nursery() as nursery:
            yield ExternalDecider(peer, command, complain, nursery)

    return make


def written_decider(decider: str, complain: Callable[[str], None]) -> DeciderFactory:
    """Return the decider that is written down so: a level, or OUTSIDE and a command."""
    if decider.startswith(OUTSIDE):
        return external_decider(decider.removeprefix(OUTSIDE), complain)
    return bot_decider(decider, SystemRandom())
