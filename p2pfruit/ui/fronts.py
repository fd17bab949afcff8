"""Fronts: how a player or a spectator sees a table of peers and plays at it.

A table is shown on the full screen, in lines or as JSON. Moves come from a person, from a bot of
ours, or from a program.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from p2pfruit.home.results import GameResult
from p2pfruit.home.settings import Settings
from p2pfruit.home.verification import Progress
from p2pfruit.seat.players import DeciderFactory
from p2pfruit.text.plain import plain_name
from p2pfruit.text.safe import shown_names
from p2pfruit.ui.lines.front import LineFront
from p2pfruit.ui.lines.json_lines import JsonFront
from p2pfruit.ui.observer import Meet, TableObserver, TableView
from p2pfruit.ui.screen.fitness import full_screen, plain_glyphs
from protocol.file.report import Report
from protocol.peer.peer import Peer

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """How a table is to be shown, as the command line says."""

    json: bool = False
    plain: bool = False
    verbose: bool = False
    qr: bool = False


class Front(TableView, Protocol):
    @property
    def table(self) -> TableObserver: ...

    @property
    def decider_factory(self) -> DeciderFactory | None:
        """Return what decides for the player; None for a spectator."""

    @property
    def progress(self) -> Progress | None:
        """Return what hears how far the check of the game file is."""

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        """Run a table in front of the player."""

    async def follow(self, before: Any, main: Callable[[], Awaitable[None]]) -> None:
        """Run another table in the place of a front of the same kind, whose game is over."""

    async def read_keys(self) -> None: ...

    async def over(self, found: Report, peer: Peer) -> None:
        """Show the result as the peer saw it, while the game file is still being checked.

        It returns when the player has seen enough.
        """

    def checked(self, ended: GameResult, peer: Peer) -> None:
        """Tell what the check of the game file has found."""

    def standings(self, lines: Sequence[str], fields: Mapping[str, Any]) -> None:
        """Tell how a series, or the evening, stands after a game."""


def front_for(
    looks: Looks,
    settings: Settings,
    key: bytes,
    meet: Meet,
    decider: str | None,
    bots: Set[bytes] = frozenset(),
) -> Front:
    """Make the full screen where a person plays or watches and the terminal can show it.

    `decider`: who plays, as it is written down: "" a person, a level, or a command; None for a
    spectator. `bots`: the keys of the bots that this program plays.
    """
    on_screen = not (decider or looks.json or looks.plain) and full_screen(settings)

    def show_names(names: Sequence[str]) -> list[str]:
        clean = shown_names(names)
        plain = on_screen and plain_glyphs(settings)
        return [plain_name(name) for name in clean] if plain else clean

    table = TableObserver(key, meet, chat=settings.chat, show_names=show_names, bots=bots)
    table.view = front = _front(looks, settings, table, decider, on_screen=on_screen)
    return front


def _front(
    looks: Looks, settings: Settings, table: TableObserver, decider: str | None, *, on_screen: bool
) -> Front:
    if looks.json:
        return JsonFront(table, decider, verbose=looks.verbose)
    lines = LineFront(table, decider, verbose=looks.verbose, qr=looks.qr)
    if not on_screen:
        return lines
    from p2pfruit.ui.screen.front import ScreenFront

    return ScreenFront(table, lines, settings, verbose=looks.verbose, qr=looks.qr)
