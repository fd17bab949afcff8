"""p2pfruit arena: bots play each other; their win rates are printed with confidence intervals."""

import argparse
import json
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any

from p2pfruit import limits
from p2pfruit.bots import arena
from p2pfruit.bots import limits as bot_limits
from p2pfruit.cli.commands.arguments import add_game_arguments
from p2pfruit.cli.commands.shared import build_game, check_seats
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FAILED, FINE, INTERRUPTED, USAGE, Refusal, complain, say
from p2pfruit.games import parts
from p2pfruit.language import text as _
from p2pfruit.levels import LEVELS
from p2pfruit.text.safe import shortened, shown

BAR_LENGTH = 30
NAME_COLUMNS = 30
BOTS = "expert,greedy,greedy,greedy"


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
        (
            'p2pfruit arena --bots "python mybot.py",expert,greedy',
            _("try a program of your own against two bots"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--bots",
        metavar=_("BOT,…"),
        help=_(
            "a level or the command of a program for each player; a comma within a command stands "
            "in quotation marks (default: {bots})"
        ).format(bots=BOTS),
    )
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar=_("COMMAND"),
        help=_("one more player, a program of your own; may be repeated"),
    )
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        default=500,
        help=_("how many games to play (default: 500)"),
    )
    parser.add_argument(
        "--first",
        type=int,
        metavar="N",
        default=1,
        help=_("the number of the first game, to play one of them again (default: 1)"),
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
        "--by-seat", action="store_true", help=_("print the wins of each seat, too")
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object instead of a table")
    )


def run(arguments: argparse.Namespace) -> int:
    contest = _contest(arguments)
    jobs = arguments.jobs or min(os.cpu_count() or 1, contest.games)
    start = time.perf_counter()
    results: list[arena.Result] = []
    failure, code = None, FINE
    try:
        with closing(arena.run(contest, jobs)) as played:
            for result in _watched(played, contest):
                results.append(result)
    except KeyboardInterrupt:
        if not results:
            raise
        code = INTERRUPTED
    except arena.ContestFailed as failed:
        failure, code = failed.failure, FAILED
    seconds = time.perf_counter() - start
    if results or arguments.json:
        _print(contest, results, arguments, jobs=jobs, seconds=seconds, failure=failure)
    if code == INTERRUPTED:
        told = _("interrupted: these are {played} of {games} games")
        say(told.format(played=len(results), games=contest.games))
    if failure is not None:
        _complain(contest, failure)
    return code


# What is played.


def _contest(arguments: argparse.Namespace) -> arena.Contest:
    game = build_game(arguments)
    bots = _bots(arguments.bots, arguments.bot)
    check_seats(game, len(bots), hint=_("--bots names one bot for each player"))
    _check("--games", arguments.games, 1, limits.ARENA_GAMES_MOST)
    _check("--first", arguments.first, 1, limits.ARENA_GAMES_MOST)
    _check("--samples", arguments.samples, 1, bot_limits.SAMPLES_MOST)
    if arguments.jobs is not None:
        _check("--jobs", arguments.jobs, 1, limits.ARENA_JOBS_MOST)
    return arena.Contest(
        game=game.name,
        options=game.chosen,
        content=game.content,
        bots=bots,
        games=arguments.games,
        seed=arguments.seed,
        samples=arguments.samples,
        first=arguments.first - 1,
    )


def _bots(listed: str | None, commands: Sequence[str]) -> tuple[str, ...]:
    """Return the bots of --bot and --bots, each a level or a command."""
    if listed is None:
        listed = "" if commands else BOTS
    named = _split(listed) if listed or not commands else []
    for command in commands:
        _check_command(command)
    for bot in named:
        if bot not in LEVELS:
            _check_program(bot)
    return (*commands, *named)


def _split(text: str) -> list[str]:
    """Split at commas, but not at those in quotation marks: they are part of a command."""
    parts, quote = [""], ""
    for letter in text:
        if letter == "," and not quote:
            parts.append("")
            continue
        if letter in ("'", '"') and quote in ("", letter):
            quote = "" if quote else letter
        parts[-1] += letter
    return [part.strip() for part in parts]


def _check_command(command: str) -> None:
    from p2pfruit.bots.external import split_command

    split_command(command)


def _check_program(bot: str) -> None:
    """Refuse what is neither a level nor a program that can be started."""
    try:
        _check_command(bot)
    except Refusal:
        if len(bot.split()) > 1:
            raise
        hint = _("the levels are {levels}; a program is given with its arguments: {example}")
        raise Refusal(
            _("there is no bot level {level}, and no such program").format(
                level=repr(shortened(bot))
            ),
            hint=hint.format(levels=", ".join(LEVELS), example='"python mybot.py"'),
            code=USAGE,
        ) from None


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        message = _("{option} must be between {least} and {most}, not {value}")
        message = message.format(option=name, least=least, most=most, value=value)
        raise Refusal(message, code=USAGE)


# What is seen meanwhile.


def _watched(results: Iterator[arena.Result], contest: arena.Contest) -> Iterator[arena.Result]:
    """Yield the results. Pass on what programs wrote to stderr, and draw a bar if that is a
    terminal."""
    bar = _Bar(contest.games) if sys.stderr.isatty() else None
    passed: Counter[int] = Counter()
    try:
        for number, result in zip(contest.numbers, results, strict=False):
            if bar and result.remarks:
                bar.clear()
            _pass_on(number, result.remarks, passed)
            if bar:
                bar.draw(number - contest.first + 1)
            yield result
    except arena.ContestFailed as failed:
        if bar:
            bar.clear()
        _pass_on(failed.failure.number, failed.failure.remarks, passed)
        raise
    finally:
        if bar:
            bar.end()


def _pass_on(number: int, remarks: arena.Remarks, passed: "Counter[int]") -> None:
    """Show what programs wrote to stderr, up to a number of lines for each of them."""
    for entrant, said in remarks:
        passed[entrant] += 1
        if passed[entrant] <= bot_limits.EXTERNAL_REMARKS_MOST:
            told = _("game {game}, player {player}, {said}")
            say(told.format(game=number + 1, player=entrant + 1, said=said))
        elif passed[entrant] == bot_limits.EXTERNAL_REMARKS_MOST + 1:
            told = _("player {player}: any more output is not shown")
            say(told.format(player=entrant + 1))


class _Bar:
    """A progress bar in one line of stderr, with an estimate of the time left."""

    def __init__(self, games: int, clock: Callable[[], float] = time.perf_counter) -> None:
        self._games = games
        self._clock = clock
        self._start = clock()
        self._columns = 0  # of what stands there now

    def draw(self, done: int) -> None:
        left_s = (self._clock() - self._start) / done * (self._games - done)
        filled = BAR_LENGTH * done // self._games
        told = f"[{'#' * filled:{BAR_LENGTH}}] {done}/{self._games}"
        if done < self._games:
            told += "  " + _("about {time} left").format(time=_rough(left_s))
        print(f"\r{told:{self._columns}}", end="", file=sys.stderr, flush=True)
        self._columns = len(told)

    def clear(self) -> None:
        print(f"\r{'':{self._columns}}\r", end="", file=sys.stderr, flush=True)
        self._columns = 0

    def end(self) -> None:
        if self._columns:
            print(file=sys.stderr)


def _rough(seconds: float) -> str:
    """Return a time in words, as exact as an estimate is."""
    if seconds < 90:
        return _("{seconds} s").format(seconds=max(1, round(seconds)))
    minutes = round(seconds / 60)
    if minutes < 90:
        return _("{minutes} min").format(minutes=minutes)
    hours, minutes = divmod(minutes, 60)
    return _("{hours} h {minutes} min").format(hours=hours, minutes=minutes)


# What came of it.


def _complain(contest: arena.Contest, failure: arena.Failure) -> None:
    game = _("game {game}, seed {seed}").format(game=failure.number + 1, seed=contest.seed)
    message = f"{game}: {failure.why}"
    if failure.entrant is not None:
        command = shortened(contest.bots[failure.entrant])
        told = _("{game}: player {player}, {command}: {why}")
        message = told.format(
            game=game, player=failure.entrant + 1, command=command, why=failure.why
        )
    complain(message, failure.hint)
    again = f"--seed {contest.seed} --first {failure.number + 1} --games 1"
    say(
        _("hint: {hint}").format(
            hint=_("to play this game again, add {options}").format(options=again)
        )
    )


def _print(
    contest: arena.Contest,
    results: Sequence[arena.Result],
    arguments: argparse.Namespace,
    *,
    jobs: int,
    seconds: float,
    failure: arena.Failure | None,
) -> None:
    rows = arena.standings(contest.bots, results) if results else []
    seats = arena.by_seat(contest, results) if results else []
    about: dict[str, Any] = {
        "game": contest.game,
        "package": parts.origin_fields(contest.game),
        "options": dict(contest.options),
        "content": contest.content.title,
        "games": contest.games,
        "played": len(results),
        "first": contest.first + 1,
        "seed": contest.seed,
        "samples": contest.samples,
        "jobs": jobs,
        "seconds": round(seconds, 1),
        "games_per_s": round(len(results) / seconds, 1),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
    }
    if arguments.json:
        failed = None if failure is None else _failure_fields(contest, failure)
        places = [{"seat": at, **_without_bot(row)} for at, row in enumerate(seats)]
        bots = [asdict(row) for row in rows]
        print(json.dumps({**about, "failed": failed, "bots": bots, "seats": places}))
        return
    _print_rows("", rows)
    if arguments.by_seat:
        _print_rows(_("seat"), seats)
    options = ", ".join(f"{name}={value}" for name, value in about["options"].items())
    game = parts.titled(about["game"]) + (f" ({options})" if options else "")
    print(
        _("{game}, {played} games, seed {seed}, expert budget {samples} samples").format(
            **{**about, "game": game}
        )
    )
    print(
        _(
            "{seconds} s on {jobs} of {cpus} CPUs, Python {python}, {games_per_s} games per second"
        ).format(**about)
    )


def _failure_fields(contest: arena.Contest, failure: arena.Failure) -> dict[str, Any]:
    at = failure.entrant
    bot = None if at is None else contest.bots[at]
    return {"game": failure.number + 1, "player": at, "bot": bot, "why": failure.why}


def _without_bot(row: arena.Standing) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "bot"}


def _named(bot: str) -> str:
    """Return a level, or the end of a command: that is where the program stands."""
    told = shown(bot)
    return told if len(told) <= NAME_COLUMNS else "..." + told[3 - NAME_COLUMNS :]


def _print_rows(title: str, rows: Sequence[arena.Standing]) -> None:
    cells = [[title, _("wins"), _("interval (95 %)"), _("place"), _("points")]]
    for row in rows:
        sure = f"{100 * row.low:.1f} - {100 * row.high:.1f} %"
        numbers = [f"{100 * row.rate:.1f} %", sure, f"{row.place:.2f}", f"{row.points:.1f}"]
        cells.append([_named(row.bot), *numbers])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for name, *numbers in cells:
        right = [f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True)]
        print("   ".join([f"{name:{widths[0]}}", *right]))
