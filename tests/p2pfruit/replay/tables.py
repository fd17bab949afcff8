"""Tables to replay, each played once a session, with the truth about every hand beside it."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from engine.moves import Move
from engine.needs import Face, Slot
from engine.views import View
from p2pfruit.replay.frames import Replay
from p2pfruit.replay.html.page import page
from protocol.file import gamefile
from protocol.file.report import report
from protocol.table.proving import Proof
from protocol.table.table import Table
from tests.games import registered
from tests.p2pfruit.cli import gamefiles
from tests.p2pfruit.cli.gamefiles import Kind
from tests.protocol.tables import Room, Setup

KINDS: tuple[Kind, ...] = (
    gamefiles.final,
    gamefiles.unfinished,
    gamefiles.split,
    gamefiles.left_alone,
    gamefiles.gone,
    gamefiles.false_proof,
)
MORE_KINDS: tuple[Kind, ...] = (
    gamefiles.unsigned,
    gamefiles.stopped,
    gamefiles.given_up,
    gamefiles.left,
    gamefiles.bad,
    gamefiles.forged,
    gamefiles.forked,
)


def believe(proofs: Sequence[Proof]) -> list[bool]:
    """What honest players proved; a replay shows what was said, whoever has checked it."""
    return [True] * len(proofs)


@cache
def replay_of(kind: Kind) -> Replay:
    """As it is read from its file."""
    prover = gamefile.check_all if kind is gamefiles.false_proof else believe
    table = gamefile.read(gamefiles.file_of(kind), prover)
    return Replay(table, report(table))


page_of = cache(page)  # for tests that speak English


@cache
def four() -> Table:
    return gamefiles.played(gamefiles.setup("Ada", "Bruno", "Chloé", "Dimitri"))[0].table


# As bad as a roster lets through.
HOSTILE = (
    "</script><img src=x onerror=a()>",
    "\N{HEBREW LETTER SHIN}" * 16 + "<b>x</b>&amp;",
    "\N{CJK UNIFIED IDEOGRAPH-6C34}" * 32,
    "<!--{{script}}${1}\\u003c",
)


def hostile() -> Table:
    return gamefiles.begun(gamefiles.setup(*HOSTILE))[0][0].table


class Watched(NamedTuple):
    replay: Replay
    truth: dict[Slot, Face]  # what was in the hands, as their holders saw it


@cache
def watched(game: str, seats: int, number: int, steps: int | None = None) -> Watched:
    """A table of a game, to its end or for so many steps."""
    truth: dict[Slot, Face] = {}

    def choose(view: View[Any], rng: Random) -> Move:
        truth.update(view.known)
        return rng.choice(view.moves())

    with registered():
        made = Setup(game, seats, number)
        parties = [made.party(at, gamefiles.Trusting) for at in range(seats)]
        room = Room(parties, number, choose)
        room.run(lambda: steps is not None and parties[0].table.play.step >= steps)
        table = gamefile.read(gamefile.write(parties[0].table), believe)
        return Watched(Replay(table, report(table)), truth)
