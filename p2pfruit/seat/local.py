"""Me and bots on the trusted dealer inside this program: quick, and the same again from a seed."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from random import Random, SystemRandom
from typing import Any

from engine.dealer import Dealer
from engine.game import Game
from engine.moves import Event, Move
from engine.needs import Done, Seat
from p2pfruit.bots import LEVELS, Bot, make_bot
from p2pfruit.bots import limits as bot_limits
from p2pfruit.exits import ENDED_EARLY, FINE, USAGE, Goodbye, Refusal
from p2pfruit.games.about import about
from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.home.settings import current
from p2pfruit.language import text as _
from p2pfruit.text.names import BOT_NAMES
from p2pfruit.ui.fronts import print_lines
from p2pfruit.ui.history import TableHistory, history_help
from p2pfruit.ui.lines.player import LinePlayer, Quit
from p2pfruit.ui.screen.fitness import full_screen


def run(arguments: argparse.Namespace, game: Game[Any], levels: list[str], decider: str) -> int:
    if arguments.bot is not None or arguments.record is not None:
        message = _("the dealer knows neither --bot nor --record")
        raise Refusal(message, hint=_("leave --dealer out"), code=USAGE)
    seed = SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    if arguments.json:
        return _play_as_json(DealtTable(game, levels, seed), decider)
    title = _("{game}, {seats} players, seed {seed}")
    print(title.format(game=game.name, seats=len(levels) + 1, seed=seed))
    if decider in LEVELS:
        return _play_in_lines(DealtTable(game, levels, seed), decider)
    table = DealtTable(game, levels, seed, bot_limits.LIVE_LIMIT_S)
    settings = current(arguments, os.environ)
    if arguments.plain or not full_screen(settings):
        return _play_at_terminal(table)
    from p2pfruit.ui.screen import dealt

    return dealt.play(table, settings)


def _play_as_json(table: "DealtTable", level: str) -> int:
    table.seat_bot(level)
    print(json.dumps(_opening(table)))
    table.play(_print_json)
    print(json.dumps(_result(table.dealer)))
    return FINE


def _play_in_lines(table: "DealtTable", level: str) -> int:
    table.seat_bot(level)
    _play(table, presenter_for(table.game, table.names), TableHistory())
    return FINE


def _play_at_terminal(table: "DealtTable") -> int:
    print(_("type ? for help, rules for the rules, quit to leave"))
    presenter = presenter_for(table.game, table.names, table.me)
    rules = about(table.game.name).rules
    history = TableHistory(table.game.name)
    table.players[table.me] = LinePlayer(
        presenter, rules, print_lines, input, history_help(), history.words()
    )
    try:
        _play(table, presenter, history)
    except Quit:
        raise Goodbye(_("you left the game, nothing was kept"), ENDED_EARLY) from None
    return FINE


def _play(table: "DealtTable", presenter: Presenter, history: TableHistory) -> None:
    def show(events: list[Event]) -> None:
        told = presenter.narrator.tell(events)
        history.told(told)
        history.happened(presenter, events, table.dealer.state)
        print_lines(told)

    table.play(show)
    print_lines(["", *presenter.narrator.ranking(table.dealer.state)])


class DealtTable:
    """Me and the bots on the trusted dealer, in seats drawn by lot; all follows from the seed.

    Unless a bot is cut short: `limit_s` keeps a person from waiting on a slow machine.
    """

    def __init__(
        self, game: Game[Any], levels: list[str], seed: int, limit_s: float | None = None
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
        """A bot plays for me."""
        self._seat(self.me, level)

    def play(self, show: Callable[[list[Event]], None]) -> None:
        dealer = self.dealer
        show(dealer.take_events())
        while asked := dealer.asked:
            # A person is asked before the bots think, so that nobody waits for the question.
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


def _print_json(events: list[Event]) -> None:
    for event in events:
        print(json.dumps(event._asdict()))


def _opening(table: DealtTable) -> dict[str, object]:
    """What is needed to play the same game again."""
    return {
        "what": "table",
        "game": table.game.name,
        "rules_id": table.game.rules_id,
        "options": table.game.chosen,
        "content": table.game.content.title,
        "seats": len(table.names),
        "names": table.names,
        "me": table.me,
        "seed": table.seed,
    }


def _result(dealer: Dealer[Any]) -> dict[str, object]:
    need = dealer.state.need
    assert isinstance(need, Done)
    return {
        "what": "done",
        "ended": need.ended,
        "places": need.places,
        "scores": dealer.state.scores,
    }
