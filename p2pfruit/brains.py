"""Who decides for a seat: a bot of ours, a program from outside, or a person."""

import time
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

import trio

from engine.game import Game
from engine.moves import Move
from engine.views import View
from p2pfruit.bots import Bot, make_bot
from p2pfruit.bots import limits as bot_limits
from protocol.peer import Question, Reply


class Brain(Protocol):
    async def choose(self, view: View[Any]) -> Move:
        """A legal move; cancelled when the question has become void."""

    async def absent(self, question: Question) -> Reply:
        """What to do about players for whom the table has waited long enough."""


# A brain is made when it is known what is played.
MakeBrain = Callable[[Game[Any]], Brain]


class BotBrain:
    """A bot of ours. It thinks in a thread, so that its peer stays awake; about those who are not
    there it answers as the table would by itself."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def choose(self, view: View[Any]) -> Move:
        return await trio.to_thread.run_sync(self._bot, view)

    async def absent(self, question: Question) -> Reply:
        return question.default


def bot_brain(level: str, rng: Random) -> MakeBrain:
    def make(game: Game[Any]) -> Brain:
        limit_s = bot_limits.LIVE_LIMIT_S
        return BotBrain(make_bot(level, game, rng, limit_s=limit_s, clock=time.monotonic))

    return make
