"""Who decides for a seat: a bot of ours, a program from outside, or a person at the keyboard."""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random
from typing import Any, Protocol

import trio

from engine.moves import Event, Move
from engine.record import State
from engine.views import View
from p2pfruit.bots import Bot, make_bot
from p2pfruit.bots import limits as bot_limits
from p2pfruit.bots.external import ExternalBot
from p2pfruit.games.about import about
from p2pfruit.games.presenter import presenter_for
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_names
from p2pfruit.ui.history import Word, history_help
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.lines.player import LinePlayer, Quit, Say, paused
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer


class Leaves(Exception):
    """Whoever decides leaves the table."""


class Decider(Protocol):
    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        """A legal move, or Leaves; cancelled when the question has become void.

        `events`: what happened in the game since it was last asked.
        """

    async def absent(self, question: Question) -> Reply:
        """What to do about players for whom the table has waited long enough."""

    async def done(self, state: State, events: Sequence[Event]) -> None:
        """The game is over."""


# Makes a decider for a peer that has just sat down, and lets it go at the end.
DeciderFactory = Callable[[Peer], AbstractAsyncContextManager[Decider]]


# Bots of ours.


class BotDecider:
    """It thinks in a thread, so that its peer stays awake; about those who are not there it
    answers as the table would by itself."""

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
    """Started when it is first asked: only then has it a seat. It lives in a task of its own, since
    a question may be cancelled and the program is not."""

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
        """It hears how the game ended, and has a moment to end by itself."""
        if self._bot is not None:
            await self._bot.tell(events)
            await self._bot.done(state)
            self._all_said.set()
            await self._gone.wait()


def external_decider(command: str, complain: Callable[[str], None]) -> DeciderFactory:
    @asynccontextmanager
    async def make(peer: Peer) -> AsyncIterator[Decider]:
        async with trio.open_nursery() as nursery:
            yield ExternalDecider(peer, command, complain, nursery)

    return make


# People.


def talk_help(*, speaks: bool = True) -> list[str]:
    """What can be typed at a table of peers, whether something is asked or not. `speaks`: who only
    looks on does not."""
    return [
        *([_("say TEXT  tell everybody something")] if speaks else []),
        _("mute NAME, unmute NAME  hide what somebody says, and show it again"),
        _("who    the links, the clocks, and whom the table waits for"),
    ]


class PersonDecider:
    """`words`: what can be typed beside an answer."""

    def __init__(
        self,
        peer: Peer,
        keyboard: Keyboard,
        say: Say,
        words: Mapping[str, Word] | None = None,
    ) -> None:
        self._peer = peer
        self._keyboard = keyboard
        self._say = say
        self._words = words or {}
        self._player: LinePlayer | None = None

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        player = self._player = self._player or self._sit(view)
        try:
            with self._keyboard.expected():
                return await trio.to_thread.run_sync(player, view)
        except Quit:
            raise Leaves from None

    def _sit(self, view: View[Any]) -> LinePlayer:
        table = self._peer.table
        names = shown_names([player.name for player in table.roster.players])
        seated = [names[player] for player in table.play.seats]
        presenter = presenter_for(table.game, seated, view.seat)
        rules = about(table.game.name).rules
        more = [*history_help(), *talk_help()]
        return LinePlayer(presenter, rules, self._say, self._ask, more, self._words, kept=True)

    def _ask(self, prompt: str) -> str:
        """For the player in its thread; whoever cancels the player cancels this, too."""
        return trio.from_thread.run(self._keyboard.ask, prompt)

    async def absent(self, question: Question) -> Reply:
        replies = {
            "1": Reply.WAIT,
            "2": Reply.GO_ON if question.can_go_on else Reply.STOP,
            "3": Reply.STOP,
        }
        choices = [_("[1] wait"), _("[2] stop the table")]
        if question.can_go_on:
            choices = [_("[1] wait"), _("[2] go on without"), _("[3] stop the table")]
        self._say([_("what now?"), "  " + "  ".join(choices)])
        while True:
            try:
                typed = (await self._keyboard.ask("> ")).strip()
            except EOFError:
                return question.default
            if typed in replies and int(typed) <= len(choices):
                return replies[typed]
            if typed.lower() == "pause":
                raise paused()
            word, _space, rest = typed.lower().partition(" ")
            if word in self._words:
                self._say(self._words[word](rest.strip()))
            self._say(["  " + "  ".join(choices)])

    async def done(self, state: State, events: Sequence[Event]) -> None:
        pass


def person_decider(
    keyboard: Keyboard, say: Say, words: Mapping[str, Word] | None = None
) -> DeciderFactory:
    @asynccontextmanager
    async def make(peer: Peer) -> AsyncIterator[Decider]:
        yield PersonDecider(peer, keyboard, say, words)

    return make
