"""One game of the arena, between bots and programs from outside.

Each program is started for this game and ended with it, as at a table (external.py). The first
program that fails ends the game.
"""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from typing import Any

import trio

from engine.dealer import Dealer
from engine.needs import Seat
from p2pfruit.bots import Bot, limits
from p2pfruit.bots.external import ExternalBot
from p2pfruit.exits import Refusal, run_trio
from p2pfruit.language import text as _

Remark = Callable[[Seat, str], None]

TERMINATED = 128 + signal.SIGTERM  # the exit code of a process that this signal has ended


class ProgramFailed(Refusal):
    """The program at this seat cannot go on playing."""

    def __init__(self, seat: Seat, cause: Refusal) -> None:
        super().__init__(str(cause), hint=cause.hint, code=cause.code)
        self.seat = seat


def play(
    dealer: Dealer[Any], bots: Mapping[Seat, Bot], commands: Mapping[Seat, str], remark: Remark
) -> None:
    """Play to the end, or raise ProgramFailed, or Refusal if the game has no end.

    Every seat has a bot or the command of a program. `remark` gets what a program writes to stderr,
    line by line.
    """
    if commands:
        ended = run_trio(partial(_play_unless_terminated, dealer, bots, commands, remark))
        if not ended:
            sys.exit(TERMINATED)
        return
    for asked in _questions(dealer):
        dealer.answer([bots[seat](dealer.view(seat)) for seat in asked])


def _questions(dealer: Dealer[Any]) -> Iterator[tuple[Seat, ...]]:
    """Yield the seats that are asked, as long as there is a question."""
    for _asked in range(limits.CHOICES_MOST):
        if not dealer.asked:
            return
        yield dealer.asked
    raise Refusal(
        _("the game has not ended after {count} choices").format(count=limits.CHOICES_MOST),
        hint=_("play with options that let it end"),
    )


async def _play_unless_terminated(
    dealer: Dealer[Any], bots: Mapping[Seat, Bot], commands: Mapping[Seat, str], remark: Remark
) -> bool:
    """Return False if this process was told to end; all programs have been ended by then."""
    ended = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_heed_termination, nursery.cancel_scope)
        await _play(dealer, bots, commands, remark)
        ended = True
        nursery.cancel_scope.cancel()
    return ended


async def _heed_termination(scope: trio.CancelScope) -> None:
    """Wait for the signal with which the arena ends its processes."""
    with trio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _number in signals:
            scope.cancel()


async def _play(
    dealer: Dealer[Any], bots: Mapping[Seat, Bot], commands: Mapping[Seat, str], remark: Remark
) -> None:
    seats = len(dealer.state.hands)
    heard = dict.fromkeys(commands, 0)  # how many events the program at a seat was told
    programs: dict[Seat, ExternalBot] = {}

    async def tell(seat: Seat) -> None:
        await programs[seat].tell(dealer.events[heard[seat] :])
        heard[seat] = len(dealer.events)

    async with AsyncExitStack() as stack:
        for seat, command in commands.items():
            with _of(seat):
                programs[seat] = await stack.enter_async_context(
                    ExternalBot.run(
                        command, dealer.game, seat=seat, seats=seats, complain=partial(remark, seat)
                    )
                )
        for asked in _questions(dealer):
            moves = []
            for seat in asked:
                view = dealer.view(seat)
                if seat in bots:
                    moves.append(bots[seat](view))
                    continue
                with _of(seat):
                    await tell(seat)
                    moves.append(await programs[seat].choose(view))
            dealer.answer(moves)
        for seat, program in programs.items():
            with _of(seat):
                await tell(seat)
                await program.done(dealer.state)


@contextmanager
def _of(seat: Seat) -> Iterator[None]:
    """Let a failure name the seat of the program."""
    try:
        yield
    except Refusal as cause:
        raise ProgramFailed(seat, cause) from None
