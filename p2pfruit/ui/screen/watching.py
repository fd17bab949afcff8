"""A table of peers, watched for the full screen: what a peer knows becomes what the page shows."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from engine.moves import Event
from engine.views import View
from p2pfruit.games.presenter import presenter_for
from p2pfruit.language import text as _
from p2pfruit.seat.lobby import People
from p2pfruit.seat.seat import SeatRunner, now_ms
from p2pfruit.text.safe import shown_names
from p2pfruit.ui.lines.observer import clock, link_line, progress
from p2pfruit.ui.screen import glyphs
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.lobby import LobbyModel
from p2pfruit.ui.screen.model import TableModel
from protocol.peer.absence import Question
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Again, Happened, Lost
from protocol.table.phases import Phase


class Watching:
    """Beside a screen in lines, which tells what happens; here it is only looked at."""

    def __init__(self, model: TableModel, lobby: LobbyModel, *, plain: bool) -> None:
        self._model = model
        self._lobby = lobby
        self._plain = plain
        self._peer: Peer | None = None
        self.names: list[str] = []  # by player

    def gathered(self, offer: Offer, people: People) -> None:
        names = self._shown_names([name for _key, name in people])
        self._lobby.gathered(offer.game, offer.seats, names)
        self._model.changed()

    def _shown_names(self, names: Sequence[str]) -> list[str]:
        clean = shown_names(names)
        return [glyphs.plain_name(name) for name in clean] if self._plain else clean

    def began(self, runner: SeatRunner) -> None:
        roster = runner.peer.table.roster
        self._peer = runner.peer
        self.names = self._shown_names([player.name for player in roster.players])
        self._model.game = roster.game
        self._look(now_ms())

    def happened(self, events: Sequence[Happened]) -> None:
        for kind, some in groupby(events, type):
            if kind is Event:
                self._play([event for event in some if isinstance(event, Event)])
            elif kind is Again:
                self._model.begin_again()
            elif kind is Lost:
                self._model.forget_moment()  # the round begins again
        self._look(now_ms())

    def _play(self, events: Sequence[Event]) -> None:
        if self._model.presenter is None:
            self._sit()
        self._see()
        self._model.happened(events)

    def _sit(self) -> None:
        """The seats are drawn."""
        assert self._peer is not None
        play, me = self._peer.table.play, self._peer.me
        seated = [self.names[player] for player in play.seats]
        seat = None if me is None else play.seat(me)
        self._model.presenter = presenter_for(self._peer.table.game, seated, seat)

    def _see(self) -> None:
        assert self._peer is not None
        party, play = self._peer.party, self._peer.table.play
        view: View[Any] = View(play.game, play.state, None, {})
        self._model.view = view if party is None else party.view()

    def asked_about(self, question: Question) -> None: ...

    def ticked(self, peer: Peer, now_ms: int) -> None:
        self._look(now_ms)

    def log(self, address: str, why: str) -> None: ...

    # What is shown of it all the time.

    def _look(self, now_ms: int) -> None:
        peer, model = self._peer, self._model
        assert peer is not None
        model.progress = progress(peer)
        model.links = [self._link(peer, player) for player in range(len(self.names))]
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        model.waiting = ", ".join(self.names[player] for player in waiting)
        model.clock = ""
        if peer.me is not None and peer.table.owes(peer.me):
            model.clock = clock(peer.clocks.left_ms(peer.me, now_ms))
        if model.presenter is not None:
            self._see()
            model.status = {
                seat: self._status(peer, player, now_ms)
                for seat, player in enumerate(peer.table.play.seats)
            }
        model.changed()

    def _status(self, peer: Peer, player: int, now_ms: int) -> Status:
        table = peer.table
        if player in table.ended or player not in table.play.seated:
            return Status("✗", _("gone"))
        link = self._link_words(peer, player)
        if table.owes(player):
            seconds = peer.clocks.waited_ms(player, now_ms) // 1000
            words = _("{seconds} s").format(seconds=seconds)
            return Status("…", f"{words} {link}".strip())
        choosing = table.play.phase in (Phase.COMMITTING, Phase.READYING, Phase.REVEALING)
        chosen = choosing and player in table.play.owing
        return Status("✓" if chosen else " ", link)

    def _link_words(self, peer: Peer, player: int) -> str:
        if player == peer.me:
            return ""
        if player not in peer.linked:
            return "○"
        ms = peer.round_trips_ms().get(player)
        return "●" if ms is None else f"● {ms} ms"

    def _link(self, peer: Peer, player: int) -> str:
        words = link_line(peer, player, self.names)
        if player == peer.me:
            return words
        return ("● " if player in peer.linked else "○ ") + words
