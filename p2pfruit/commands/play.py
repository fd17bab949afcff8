"""p2pfruit play: a game against bots, or between bots where nobody sits at a terminal."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from shutil import get_terminal_size
from typing import Any

from engine.dealer import Dealer, Player
from engine.errors import BadSeats
from engine.game import Game
from engine.moves import Event
from engine.needs import Done, Seat
from p2pfruit.bots import LEVELS, make_bot
from p2pfruit.commands.shared import add_game_arguments, build_game, read_levels
from p2pfruit.exits import ENDED_EARLY, FINE, USAGE, Refusal
from p2pfruit.games.about import about
from p2pfruit.language import text as _
from p2pfruit.line import LinePlayer, Quit, fold
from p2pfruit.telling import teller_for

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
        "--bots", metavar="LEVEL,…", help=_("the level of each bot, instead of --seats and --level")
    )
    parser.add_argument("--auto", choices=LEVELS, help=_("a bot of this level plays for you"))
    parser.add_argument("--seed", type=int, help=_("the same seed deals the same cards again"))
    parser.add_argument(
        "--json", action="store_true", help=_("one event a line as JSON; a bot plays for you")
    )


def run(arguments: argparse.Namespace) -> int:
    game = build_game(arguments)
    levels = _levels(arguments)
    try:
        game.check_seats(len(levels) + 1)
    except BadSeats as error:
        raise Refusal(str(error), hint=_("say --seats N"), code=USAGE) from None
    seed = SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    table = Table(game, levels, seed)
    if arguments.json:
        table.seat_bot(arguments.auto or arguments.level)
        table.play(_print_json)
        print(json.dumps(_result(table.dealer)))
        return FINE
    print(
        _("{game}, {seats} players, seed {seed}").format(
            game=game.name, seats=len(levels) + 1, seed=seed
        )
    )
    # A person needs both ends of a terminal.
    person = arguments.auto is None and sys.stdin.isatty() and sys.stdout.isatty()
    teller = teller_for(game, table.names, table.me if person else None)
    width = get_terminal_size().columns
    if person:
        print(_("type ? for help, rules for the rules, quit to leave"))
        table.players[table.me] = LinePlayer(teller, about(game.name).rules, print, input, width)
    else:
        table.seat_bot(arguments.auto or arguments.level)
    try:
        table.play(lambda events: _print_lines(teller.tell(events), width))
    except Quit:
        raise Refusal(_("you left the game, nothing was kept"), code=ENDED_EARLY) from None
    _print_lines(["", *teller.ranking(table.dealer.state)], width)
    return FINE


def _levels(arguments: argparse.Namespace) -> list[str]:
    """The level of each bot beside me."""
    if arguments.bots is not None:
        if arguments.seats is not None:
            raise Refusal(
                _("--bots and --seats both say how many play"),
                code=USAGE,
                hint=_("leave one of them out"),
            )
        return read_levels(arguments.bots)
    seats = 4 if arguments.seats is None else arguments.seats
    return [arguments.level] * max(0, seats - 1)


class Table:
    """Me and the bots on the trusted dealer, in seats drawn by lot; all follows from the seed."""

    def __init__(self, game: Game[Any], levels: list[str], seed: int) -> None:
        self.game = game
        self.seed = seed
        rng = Random(f"table {seed}")
        self.me: Seat = rng.randrange(len(levels) + 1)
        names = list(BOT_NAMES[: len(levels) + 1])
        self.names = names
        self.players: dict[Seat, Player[Any]] = {}
        others = [seat for seat in range(len(names)) if seat != self.me]
        for seat, level in zip(others, levels, strict=True):
            self.players[seat] = self._bot(seat, level)
        self.dealer = Dealer(game, game.start(len(names)), rng)

    def _bot(self, seat: Seat, level: str) -> Player[Any]:
        return make_bot(level, self.game, Random(f"bot {self.seed} {seat}"))

    def seat_bot(self, level: str) -> None:
        """A bot plays for me."""
        self.players[self.me] = self._bot(self.me, level)

    def play(self, show: Callable[[list[Event]], None]) -> None:
        dealer = self.dealer
        show(dealer.take_events())
        while asked := dealer.asked:
            # A person is asked before the bots think, so that nobody waits for the question.
            first_me = sorted(asked, key=lambda seat: seat != self.me)
            moves = {seat: self.players[seat](dealer.view(seat)) for seat in first_me}
            dealer.answer([moves[seat] for seat in asked])
            show(dealer.take_events())


def _print_lines(lines: Sequence[str], width: int) -> None:
    for line in lines:
        print(fold(line, width))


def _print_json(events: list[Event]) -> None:
    for event in events:
        print(json.dumps(event._asdict()))


def _result(dealer: Dealer[Any]) -> dict[str, object]:
    need = dealer.state.need
    assert isinstance(need, Done)
    return {
        "what": "done",
        "ended": need.ended,
        "places": need.places,
        "scores": dealer.state.scores,
    }
