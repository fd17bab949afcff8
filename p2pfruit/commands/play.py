"""p2pfruit play: a game against bots, or between bots where nobody sits at a terminal."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from shutil import get_terminal_size
from typing import Any, TextIO

from engine.dealer import Dealer
from engine.game import Game
from engine.moves import Event, Move
from engine.needs import Done, Seat
from p2pfruit import limits
from p2pfruit.bots import LEVELS, Bot, make_bot
from p2pfruit.bots import limits as bot_limits
from p2pfruit.commands.shared import add_game_arguments, build_game, check_seats, read_levels
from p2pfruit.exits import ENDED_EARLY, FINE, USAGE, Goodbye, Refusal
from p2pfruit.games.about import about
from p2pfruit.language import text as _
from p2pfruit.line import LinePlayer, Quit, fold
from p2pfruit.telling import Teller, teller_for

BOT_NAMES = ("Ada", "Bruno", "Chloe", "Davor", "Emeka", "Freja", "Goran", "Hana")


def summary() -> str:
    return _("play against bots; without a terminal the bots play among themselves")


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument("--seats", type=int, metavar="N", help=_("how many play, you included (4)"))
    parser.add_argument(
        "--level", choices=LEVELS, default="expert", help=_("how well all bots play (expert)")
    )
    parser.add_argument(
        "--bots", metavar="LEVEL,…", help=_("the level of each bot, instead of --seats")
    )
    parser.add_argument("--auto", choices=LEVELS, help=_("a bot of this level plays for you"))
    parser.add_argument("--seed", type=int, help=_("the same seed deals the same cards again"))
    parser.add_argument(
        "--json", action="store_true", help=_("one event a line as JSON; a bot plays for you")
    )


def run(arguments: argparse.Namespace) -> int:
    game = build_game(arguments)
    levels = _levels(arguments, game)
    seed = SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    if arguments.json:
        return _play_as_json(Table(game, levels, seed), arguments)
    title = _("{game}, {seats} players, seed {seed}")
    print(title.format(game=game.name, seats=len(levels) + 1, seed=seed))
    if arguments.auto is None and _terminal(sys.stdin) and _terminal(sys.stdout):
        return _play_at_terminal(Table(game, levels, seed, bot_limits.LIVE_LIMIT_S))
    return _play_in_lines(Table(game, levels, seed), arguments)


def _levels(arguments: argparse.Namespace, game: Game[Any]) -> list[str]:
    """The level of each bot beside me."""
    if arguments.bots is None:
        seats = 4 if arguments.seats is None else arguments.seats
        check_seats(game, seats, hint=_("say --seats N"))
        return [arguments.level] * (seats - 1)
    if arguments.seats is not None:
        message = _("--bots and --seats both say how many play")
        raise Refusal(message, hint=_("leave one of them out"), code=USAGE)
    levels = read_levels(arguments.bots)
    check_seats(game, len(levels) + 1, hint=_("name one bot less than there are players"))
    return levels


def _terminal(stream: TextIO | None) -> bool:
    """A stream that was closed before we started is None."""
    return stream is not None and stream.isatty()


def _play_as_json(table: "Table", arguments: argparse.Namespace) -> int:
    table.seat_bot(arguments.auto or arguments.level)
    print(json.dumps(_opening(table)))
    table.play(_print_json)
    print(json.dumps(_result(table.dealer)))
    return FINE


def _play_in_lines(table: "Table", arguments: argparse.Namespace) -> int:
    table.seat_bot(arguments.auto or arguments.level)
    _play(table, teller_for(table.game, table.names))
    return FINE


def _play_at_terminal(table: "Table") -> int:
    print(_("type ? for help, rules for the rules, quit to leave"))
    teller = teller_for(table.game, table.names, table.me)
    rules = about(table.game.name).rules
    table.players[table.me] = LinePlayer(teller, rules, _print_lines, input)
    try:
        _play(table, teller)
    except Quit:
        raise Goodbye(_("you left the game, nothing was kept"), ENDED_EARLY) from None
    return FINE


def _play(table: "Table", teller: Teller) -> None:
    table.play(lambda events: _print_lines(teller.tell(events)))
    _print_lines(["", *teller.ranking(table.dealer.state)])


class Table:
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


def _print_lines(lines: Sequence[str]) -> None:
    # Asked each time: a terminal changes its size.
    width = max(get_terminal_size().columns, limits.COLUMNS_LEAST)
    for line in lines:
        print(fold(line, width))


def _print_json(events: list[Event]) -> None:
    for event in events:
        print(json.dumps(event._asdict()))


def _opening(table: Table) -> dict[str, object]:
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
