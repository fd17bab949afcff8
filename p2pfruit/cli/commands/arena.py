"""p2pfruit arena: bots against each other, with win rates and how sure they are."""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from p2pfruit import games, limits
from p2pfruit.bots import arena
from p2pfruit.bots import limits as bot_limits
from p2pfruit.cli.commands.shared import add_game_arguments, build_game, check_seats, read_levels
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.language import text as _

BAR_LENGTH = 30


def summary() -> str:
    return _("let bots play against each other and print who wins how often")


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--bots",
        default="expert,greedy,greedy,greedy",
        metavar="LEVEL,…",
        help=_("the level of each bot (expert,greedy,greedy,greedy)"),
    )
    parser.add_argument("--games", type=int, default=500, help=_("how many games (500)"))
    parser.add_argument("--seed", type=int, default=1, help=_("repeats the same games (1)"))
    parser.add_argument(
        "--samples",
        type=int,
        default=bot_limits.SAMPLES,
        help=_("worlds an expert looks at for a decision ({samples})").format(
            samples=bot_limits.SAMPLES
        ),
    )
    parser.add_argument("--jobs", type=int, help=_("processes that play (one a core)"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object instead of a table"))


def run(arguments: argparse.Namespace) -> int:
    contest = _contest(arguments)
    jobs = arguments.jobs or min(os.cpu_count() or 1, contest.games)
    start = time.perf_counter()
    results = list(_watched(arena.run(contest, jobs), contest.games))
    seconds = time.perf_counter() - start
    rows = arena.standings(contest.levels, results)
    about: dict[str, Any] = {
        "game": contest.game,
        "package": games.origin_fields(contest.game),
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
    check_seats(game, len(levels), hint=_("name as many bots as play"))
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
        message = _("{name} cannot be {value}").format(name=name, value=value)
        hint = _("from {least} to {most}").format(least=least, most=most)
        raise Refusal(message, hint=hint, code=USAGE)


def _watched(results: Iterator[arena.Result], games: int) -> Iterator[arena.Result]:
    """The results, with a bar on stderr where that is a terminal."""
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
    game = games.titled(about["game"]) + (f" ({options})" if options else "")
    print(
        _("{game}, {games} games, seed {seed}, expert budget {samples} samples").format(
            **{**about, "game": game}
        )
    )
    print(
        _(
            "{seconds} s on {jobs} of {cpus} CPUs, Python {python}, {games_per_s} games a second"
        ).format(**about)
    )
