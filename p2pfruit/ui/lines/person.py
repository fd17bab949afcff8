"""A person at the keyboard decides for a seat, in lines."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio

from engine.moves import Event, Move
from engine.record import State
from engine.views import View
from p2pfruit.games.about import about
from p2pfruit.games.narrator import narrator_for
from p2pfruit.language import text as _
from p2pfruit.seat.players import Decider, DeciderFactory, Leaves
from p2pfruit.text.safe import shown_names
from p2pfruit.ui.history import Word, history_help
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.lines.player import LinePlayer, Quit, Say, paused
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer


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
        narrator = narrator_for(table.game, seated, view.seat)
        rules = about(table.game.name).rules
        more = [*history_help(), *talk_help()]
        return LinePlayer(narrator, rules, self._say, self._ask, more, self._words, kept=True)

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
