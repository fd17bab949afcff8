"""A person at the keyboard decides for a seat, in lines."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio

from engine.moves import Event, Move
from engine.record import State
from engine.views import View
from p2pfruit import limits
from p2pfruit.games.about import about
from p2pfruit.language import text as _
from p2pfruit.seat.players import Decider, DeciderFactory, Leaves
from p2pfruit.ui.commands import talk_help
from p2pfruit.ui.history import history_help
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.lines.player import LinePlayer, Quit, Say, paused
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.wording import reply_hints, reply_words
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer


class PersonDecider:
    def __init__(self, table: TableObserver, keyboard: Keyboard, say: Say) -> None:
        self._table = table
        self._keyboard = keyboard
        self._say = say
        self._words = table.history.words()
        self._player: LinePlayer | None = None

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        player = self._sit()
        try:
            with self._keyboard.expected():
                return await trio.to_thread.run_sync(player, view)
        except Quit:
            raise Leaves from None

    def _sit(self) -> LinePlayer:
        """Return the player of these seats; when they are drawn again it is another one."""
        presenter = self._table.present()
        if self._player is None or self._player.presenter is not presenter:
            rules = about(presenter.game.name).rules
            more = [*history_help(), *talk_help()]
            self._player = LinePlayer(
                presenter,
                rules,
                self._say,
                self._ask,
                more,
                self._words,
                kept=True,
                advised=lambda: self._table.among_bots,
            )
        return self._player

    def _ask(self, prompt: str) -> str:
        """Ask for the player in its thread; when the player is cancelled, this is, too."""
        return trio.from_thread.run(self._keyboard.ask, prompt)

    async def absent(self, question: Question) -> Reply:
        words = reply_words(question)
        replies = {str(number): reply for number, reply in enumerate(words, 1)}
        hints = reply_hints(question, self._table.peer)
        choices = [f"[{at}] {words[reply]}: {hints[reply]}" for at, reply in replies.items()]
        self._say([_("what now?"), *(f"  {choice}" for choice in choices)])
        armed_s = trio.current_time() + limits.ARMED_S
        while True:
            try:
                typed = (await self._keyboard.ask("> ")).strip()
            except EOFError:
                return question.default
            if typed in replies and self._keyboard.person and trio.current_time() < armed_s:
                self._say([_("this question has just come up: answer it once more")])
                continue
            if typed in replies:
                return replies[typed]
            if typed.lower() == "pause":
                raise paused()
            word, _space, rest = typed.lower().partition(" ")
            if word in self._words:
                self._say(self._words[word](rest.strip()))
            self._say([f"  {choice}" for choice in choices])

    async def done(self, state: State, events: Sequence[Event]) -> None:
        pass


def person_decider(table: TableObserver, keyboard: Keyboard, say: Say) -> DeciderFactory:
    @asynccontextmanager
    async def make(_peer: Peer) -> AsyncIterator[Decider]:
        yield PersonDecider(table, keyboard, say)

    return make
