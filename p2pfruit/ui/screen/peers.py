"""Fills the model of a table page from a table of peers."""

from collections.abc import Sequence

from engine.moves import Event
from p2pfruit.language import text as _
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.wording import clock, link_line, progress
from protocol.peer.peer import Peer
from protocol.table.events import Again, Happened, Lost
from protocol.table.phases import Phase


class PeersModel:
    def __init__(self, table: TableObserver, model: TableModel) -> None:
        self._table = table
        self._model = model
        self._shown: tuple[object, ...] = ()
        self._given_in = -1  # the step in which the answer about late players was given

    def began(self, now_ms: int) -> None:
        self._model.game = self._table.peer.table.roster.game
        self.look(now_ms)

    def happened(self, events: Sequence[Happened], lines: Sequence[str], now_ms: int) -> None:
        """Show events of the game in a row, or one event beside it."""
        model = self._model
        of_game = [event for event in events if isinstance(event, Event)]
        model.told(lines, news=not of_game)
        if of_game:
            model.presenter, model.view = self._table.presenter, self._table.look()
            model.happened(of_game)
        for event in events:
            if isinstance(event, Again):
                model.begin_again()
            elif isinstance(event, Lost):
                model.forget_moment()  # the round begins again
        self.look(now_ms)

    def tick(self, now_ms: int) -> None:
        """Show what has changed. While the table waits that is nothing most of the time, and a page
        that is drawn every second costs more than the game. So the time of an answer there and back
        is shown when something else changes."""
        if self._facts(now_ms) != self._shown:
            self.look(now_ms)

    def _facts(self, now_ms: int) -> tuple[object, ...]:
        peer = self._table.peer
        table, play = peer.table, peer.table.play
        waits = [_waited_s(peer, player, now_ms) for player in range(len(self._table.names))]
        seats = play.step, play.phase, play.seated, frozenset(table.ended), table.waiting_for
        clock = self._clock(now_ms), self._table.lateness.alarm(now_ms), self._model.open_for()
        return *seats, peer.linked, progress(peer), clock, waits

    def look(self, now_ms: int) -> None:
        """Bring up to date what is shown all the time."""
        peer, model, names = self._table.peer, self._model, self._table.names
        self._shown = self._facts(now_ms)
        model.progress = progress(peer)
        model.links = [_link(peer, player, names) for player in range(len(names))]
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        model.waiting = ", ".join(names[player] for player in waiting)
        model.clock, model.hurry = self._clock(now_ms)
        model.alarm = self._table.lateness.alarm(now_ms)
        if self._given_in != peer.table.play.step:
            self._given_in, model.given = peer.table.play.step, ""
        if model.presenter is not None:
            model.view = self._table.look()
            model.status = {
                seat: _status(peer, player, now_ms)
                for seat, player in enumerate(peer.table.play.seats)
            }
        model.changed()

    def _clock(self, now_ms: int) -> tuple[str, bool]:
        """Return my time for this choice, or when that is used up my reserve, and which it is."""
        peer = self._table.peer
        left = None if peer.me is None else peer.clocks.time_left(peer.me, now_ms)
        if left is None:
            return "", False
        hurry = left.limit_ms <= 0
        left_ms = left.reserve_ms if hurry else left.limit_ms
        # Rounded up: so it changes together with the wait, and the page is drawn once for both.
        text = clock(-_in_steps(-left_ms, limits.LEFT_STEPS_S))
        return _("! reserve {time}").format(time=text) if hurry else text, hurry


def _waited_s(peer: Peer, player: int, now_ms: int) -> int | None:
    """Return for how long the table waits for a player, as it is shown; None if it does not."""
    if not peer.table.owes(player):
        return None
    return _in_steps(peer.clocks.waited_ms(player, now_ms), limits.WAITED_STEPS_S) // 1000


def _in_steps(time_ms: int, steps: Sequence[tuple[int, int]]) -> int:
    """Return a time rounded down to its step."""
    wider = [step_s for below_s, step_s in steps if abs(time_ms) < 1000 * below_s]
    step_ms = 1000 * (wider[0] if wider else steps[-1][1])
    return time_ms - time_ms % step_ms


def _status(peer: Peer, player: int, now_ms: int) -> Status:
    table = peer.table
    if player in table.ended or player not in table.play.seated:
        return Status("✗", _("gone"))
    link = _link_words(peer, player)
    if (seconds := _waited_s(peer, player, now_ms)) is not None:
        words = _("{seconds} s").format(seconds=seconds)
        return Status("…", f"{words} {link}".strip())
    choosing = table.play.phase in (Phase.COMMITTING, Phase.READYING, Phase.REVEALING)
    chosen = choosing and player in table.play.owing
    return Status("✓" if chosen else " ", link)


def _link_words(peer: Peer, player: int) -> str:
    if player == peer.me:
        return ""
    if not peer.linked:  # not even through others
        return _("offline")
    if player not in peer.linked:
        return "○"
    ms = peer.round_trips_ms().get(player)
    return "●" if ms is None else f"● {ms} ms"


def _link(peer: Peer, player: int, names: Sequence[str]) -> str:
    words = link_line(peer, player, names)
    if player == peer.me:
        return words
    return ("● " if player in peer.linked else "○ " if peer.linked else "✗ ") + words
