"""A table of the trusted dealer inside this program: quick, and the same again from a seed."""

import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from engine.dealer import Dealer
from engine.game import Game
from engine.moves import Event, Move
from engine.needs import Seat
from p2pfruit.bots import Bot, make_bot
from p2pfruit.language import text as _
from p2pfruit.text.names import BOT_NAMES


class DealtTable:
    """Me and the bots on the trusted dealer, in seats drawn by lot; all follows from the seed.

    Unless a bot is cut short: `limit_s` keeps a person from waiting on a slow machine.
    """

    def __init__(
        self, game: Game[Any], levels: Sequence[str], seed: int, limit_s: float | None = None
    ) -> None:
        self.game = game
        self.seed = seed
        self.limit_s = limit_s
        rng = Random(f"table {seed}")
        self.me: Seat = rng.randrange(len(levels) + 1)
        self.names = BOT_NAMES[: len(levels) + 1]
        self.players: dict[Seat, Bot] = {}
        others = [seat for seat in range(len(self.names)) if seat != self.me]
        for seat, level in zip(others, levels, strict=True):
            self._seat(seat, level)
        self.dealer = Dealer(game, game.start(len(self.names)), rng)

    def _seat(self, seat: Seat, level: str) -> None:
        rng = Random(f"bot {self.seed} {seat}")
        self.players[seat] = make_bot(
            level, self.game, rng, limit_s=self.limit_s, clock=time.monotonic
        )

    def seat_bot(self, level: str) -> None:
        """Let a bot play for the person."""
        self._seat(self.me, level)

    def play(self, show: Callable[[list[Event]], None]) -> None:
        dealer = self.dealer
        show(dealer.take_events())
        while asked := dealer.asked:
            # A person is asked before the bots think, so that the question comes at once.
            first_me = sorted(asked, key=lambda seat: seat != self.me)
            moves = {seat: self._choose(seat) for seat in first_me}
            dealer.answer([moves[seat] for seat in asked])
            show(dealer.take_events())

    def _choose(self, seat: Seat) -> Move:
        player = self.players[seat]
        move = player(self.dealer.view(seat))
        if player.was_cut:
            note = _("note: {name} was cut short after {seconds} s")
            print(note.format(name=self.names[seat], seconds=self.limit_s), file=sys.stderr)
        return move
