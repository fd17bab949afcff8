"""Finds whose decisions are to be analysed, and what the home knows about them.

An analysis takes some seconds. That of the home's own player is kept in the home, and the next time
it is there at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.needs import Face, Seat, Slot
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.folder import Home
from p2pfruit.home.store import Store, folded_name
from p2pfruit.language import text as _
from p2pfruit.replay.analysis import Analysis, Progress, analyse, kept, recalled
from p2pfruit.replay.frames import Replay
from p2pfruit.text.safe import shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyst:
    """Analyses the decisions of one seat. `hand` and `before` are what the home remembers."""

    replay: Replay
    seat: Seat
    home: Home | None = None  # where the analysis is kept, if it is the home's own player's
    hand: Mapping[Slot, Face] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)

    def analyse(self, progress: Progress | None = None) -> Analysis:
        """Return the analysis that is kept, or make it and keep it."""
        found = recalled(self.before, self.replay, self.seat, self.hand)
        if found is None:
            found = analyse(self.replay, self.seat, self.hand, progress)
            if self.home is not None:
                _keep(self.home, self.replay.report.roster.table, found)
        return found


def _keep(home: Home, table: bytes, found: Analysis) -> None:
    """Keep an analysis, unless another program plays from this home."""
    try:
        with home.lock(), Store(home.database) as store:
            store.keep_analysis(table, kept(found))
    except Refusal:
        return


def own(replay: Replay, home: Home) -> Analyst | None:
    """Return the analyst of the home's own player; None if that player has no seat here."""
    identity = home.known_identity()
    player = None if identity is None else replay.report.roster.find(identity.key)
    if player is None or player not in replay.report.seats:
        return None
    seat = replay.report.seats.index(player)
    table = replay.report.roster.table
    store = home.look()
    if store is None:
        return Analyst(replay=replay, seat=seat)
    with store:
        hand, before = store.hand(table), store.analysis(table)
    return Analyst(replay=replay, seat=seat, home=home, hand=hand, before=before)


def of_seat(replay: Replay, name: str, home: Home) -> Analyst:
    """Return the analyst of the player who is called so."""
    names = replay.seated
    meant = [seat for seat, shown in enumerate(names) if folded_name(shown) == folded_name(name)]
    if len(meant) != 1:
        message = _("no player at this table is called {name}").format(name=repr(shortened(name)))
        hint = _("the players: {names}").format(names=", ".join(names) or "-")
        raise Refusal(message, hint=hint, code=USAGE)
    mine = own(replay, home)
    if mine is not None and mine.seat == meant[0]:
        return mine
    return Analyst(replay=replay, seat=meant[0])


def chosen(replay: Replay, name: str | None, home: Home) -> Analyst:
    """Return the analyst of the player who is called so, or else of the home's own player."""
    if name is not None:
        return of_seat(replay, name, home)
    found = own(replay, home)
    if found is None:
        hint = _("choose a player: --seat NAME, one of {names}")
        raise Refusal(
            _("you have no seat in this game"),
            hint=hint.format(names=", ".join(replay.seated) or "-"),
            code=USAGE,
        )
    return found
