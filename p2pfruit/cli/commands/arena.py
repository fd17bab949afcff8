"""p2pfruit arena: bots play each other; their win rates are printed with confidence intervals."""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from p2pfruit import limits
from p2pfruit.bots import arena
from p2pfruit.bots import limits as bot_limits
from p2pfruit.cli.commands.arguments import add_game_arguments
from p2pfruit.cli.commands.shared import build_game, check_seats, read_levels
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.games import parts
from p2pfruit.language import text as _

BAR_LENGTH = 30


def examples() -> list[Example]:
    return [
        (
            "p2pfruit arena --games 200",
            _("play 200 games between one expert and three greedy bots"),
        ),
        (
            "p2pfruit arena --game pixies --bots expert,random --json",
            _("print the results as JSON"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--bots",
        default="expert,greedy,greedy,greedy",
        metavar=_("LEVEL,…"),
        help=_("the level of each bot (default: expert,greedy,greedy,greedy)"),
    )
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        default=500,
        help=_("how many games to play (default: 500)"),
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        default=1,
        help=_("the same seed repeats the same games (default: 1)"),
    )
    parser.add_argument(
        "--samples",
        type=int,
        metavar="N",
        default=bot_limits.SAMPLES,
        help=_("samples that an expert examines for each decision (default: {samples})").format(
            samples=bot_limits.SAMPLES
        ),
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help=_("number of processes (default: one per core)")
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object instead of a table")
    )


def run(arguments: argparse.Namespace) -> int:
    contest = _contest(arguments)
    jobs = arguments.jobs or min(os.cpu_count() or 1, contest.games)
    start = time.perf_counter()
    results = list(_watched(arena.run(contest, jobs), contest.games))
    seconds = time.perf_counter() - start
    rows = arena.standings(contest.levels, results)
    about: dict[str, Any] = {
        "game": contest.game,
        "package": parts.origin_fields(contest.game),
        "options": dict(contest.options),
        "content": contest.content.title,
        "games": contest.games,
        "seed": contest.seed,
        "samples": contest.samples,
        "jobs": jobs,
        "seconds": round(seconds, 1),
        "games_per_s": round(contest.games / seconds, 1),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
    }
    if arguments.json:
        print(json.dumps({**about, "bots": [asdict(row) for row in rows]}))
    else:
        _print_table(rows, about)
    return FINE


def _contest(arguments: argparse.Namespace) -> arena.Contest:
    game = build_game(arguments)
    levels = tuple(read_levels(arguments.bots))
    check_seats(game, len(levels), hint=_("--bots names one level for each player"))
    _check("--games", arguments.games, 1, limits.ARENA_GAMES_MOST)
    _check("--samples", arguments.samples, 1, bot_limits.SAMPLES_MOST)
    if arguments.jobs is not None:
        _check("--jobs", arguments.jobs, 1, limits.ARENA_JOBS_MOST)
    return arena.Contest(
        game=game.name,
        options=game.chosen,
        content=game.content,
        levels=levels,
        games=arguments.games,
        seed=arguments.seed,
        samples=arguments.samples,
    )


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        message = _("{option} must be between {least} and {most}, not {value}")
        message = message.format(option=name, least=least, most=most, value=value)
        raise Refusal(message, code=USAGE)


def _watched(results: Iterator[arena.Result], games: int) -> Iterator[arena.Result]:
    """Yield the results and, if stderr is a terminal, draw a progress bar there."""
    bar = sys.stderr.isatty()
    try:
        for done, result in enumerate(results, 1):
            if bar:
                filled = BAR_LENGTH * done // games
                line = f"\r[{'#' * filled:{BAR_LENGTH}}] {done}/{games}"
                print(line, end="", file=sys.stderr, flush=True)
            yield result
    finally:
        if bar:
            print(file=sys.stderr)


def _print_table(rows: list[arena.Standing], about: dict[str, Any]) -> None:
    cells = [["", _("wins"), _("interval (95 %)"), _("place"), _("points")]]
    for row in rows:
        sure = f"{100 * row.low:.1f} - {100 * row.high:.1f} %"
        numbers = [f"{100 * row.rate:.1f} %", sure, f"{row.place:.2f}", f"{row.points:.1f}"]
        cells.append([row.level, *numbers])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for name, *numbers in cells:
        right = [f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True)]
        print("   ".join([f"{name:{widths[0]}}", *right]))
    options = ", ".join(f"{name}={value}" for name, value in about["options"].items())
    game = parts.titled(about["game"]) + (f" ({options})" if options else "")
    print(
        _("{game}, {games} games, seed {seed}, expert budget {samples} samples").format(
            **{**about, "game": game}
        )
    )
    print(
        _(
            "{seconds} s on {jobs} of {cpus} CPUs, Python {python}, {games_per_s} games per second"
        ).format(**about)
    )
