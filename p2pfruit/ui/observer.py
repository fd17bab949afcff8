"""The one observer of a table of peers, and what it knows of the table.

It hears every event once, keeps who plays, what was told and the presenter of the game, and hands
each event on with its words to the one view: lines, the full screen, or JSON.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, Protocol

from engine.moves import Event
from engine.views import View
from p2pfruit import limits
from p2pfruit.games import terms
from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.home.store import Meeting
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.replay.transcript import beside, played
from p2pfruit.seat.lobby import People
from p2pfruit.seat.node import Node
from p2pfruit.seat.seat import SeatRunner
from p2pfruit.text.safe import shown, shown_names
from p2pfruit.ui.chat import Talk
from p2pfruit.ui.history import TableHistory
from p2pfruit.ui.wording import introduced, question_lines, waiting_line
from protocol.feed.entries import FORK, VOTE
from protocol.feed.roster import Player, Terms
from protocol.peer.absence import Question
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Again, Chatted, Differs, Happened, Linked, Lost, Said

Meet = Callable[[Player], Meeting]
ShowNames = Callable[[Sequence[str]], list[str]]


class TableView(Protocol):
    """Shows a table. `lines` are what has happened, in words."""

    def gathered(self, offer: Offer, people: People, lines: Sequence[str]) -> None: ...

    def invited(self, invitation: str, to_watch: str | None) -> None: ...

    def began(self, lines: Sequence[str]) -> None: ...

    def happened(self, events: Sequence[Happened], lines: Sequence[str]) -> None:
        """Show events of the game in a row, or one event beside it."""

    def spoke(self, line: str) -> None:
        """Show what the player at this view has said."""

    def asked_about(self, question: Question, lines: Sequence[str]) -> None: ...

    def ticked(self, now_ms: int, lines: Sequence[str]) -> None: ...

    def log(self, address: str, why: str) -> None: ...


class TableObserver:
    """`meet` looks up the address book, for every key but the player's own. `chat`: what others
    say is wanted. `show_names` makes names fit to print."""

    def __init__(
        self, key: bytes, meet: Meet, *, chat: bool = True, show_names: ShowNames = shown_names
    ) -> None:
        self.view: TableView  # set before the table is run
        self.key = key
        self.talk = Talk(wanted=chat)
        self.history = TableHistory()
        self.node: Node | None = None
        self.names: list[str] = []  # by player, fit to print
        self.meetings: list[Meeting | None] = []  # by player; None is the player's own
        self.presenter: Presenter | None = None  # once the seats are drawn
        self._meet = meet
        self.show_names = show_names
        self._lobby = ""
        self._terms: object = None  # that were told
        self._peer: Peer | None = None
        self._said: list[int] = []  # by player: how many of its entries were told
        self._down: set[int] = set()
        self._reminded_ms = 0

    # What is known.

    @property
    def runner(self) -> SeatRunner | None:
        return None if self.node is None else self.node.runner

    @property
    def peer(self) -> Peer:
        """Return the peer of a table that has begun."""
        assert self._peer is not None
        return self._peer

    @property
    def left(self) -> Peer | None:
        """Return the peer of a table that the player left before its end."""
        runner = self.runner
        return runner.peer if runner is not None and runner.peer.given_up else None

    def look(self) -> View[Any]:
        """Return the game as the player sees it, or a spectator."""
        party, play = self.peer.party, self.peer.table.play
        return View(play.game, play.state, None, {}) if party is None else party.view()

    def present(self) -> Presenter:
        """Return the presenter of the game; the seats are drawn."""
        if self.presenter is None:
            table, me = self.peer.table, self.peer.me
            seated = [self.names[player] for player in table.play.seats]
            seat = None if me is None else table.play.seat(me)
            self.presenter = presenter_for(table.game, seated, seat)
        return self.presenter

    # The lobby.

    def attached(self, node: Node) -> None:
        self.node = node

    def gathered(self, offer: Offer, people: People) -> None:
        names = ", ".join(self.show_names([name for _key, name in people]))
        line = _("{count} of {seats} players are here: {names}").format(
            count=len(people), seats=offer.seats, names=names
        )
        news = [line] if line != self._lobby else []
        self._lobby = line
        news = [*self._told_terms(offer, offer.seats), *news]
        self.view.gathered(offer, people, news)

    def invited(self, invitation: str, to_watch: str | None) -> None:
        self.view.invited(invitation, to_watch)

    def began(self, runner: SeatRunner) -> None:
        self._peer = peer = runner.peer
        roster = peer.table.roster
        self.names = self.show_names([player.name for player in roster.players])
        self.meetings = [
            None if player.key == self.key else self._meet(player) for player in roster.players
        ]
        self._said = [0] * len(self.names)
        self.history.game = roster.game
        self.talk.begin(self.names, me=peer.me, allowed=peer.chatting)
        count = plural("{count} player", "{count} players", len(self.names))
        title = _("{game}, {players}: {names}")
        lines = [title.format(game=roster.game, players=count, names=", ".join(self.names))]
        lines += self._told_terms(roster, len(self.names))
        for player, name, meeting in zip(roster.players, self.names, self.meetings, strict=True):
            if meeting is not None:
                lines += introduced(player, meeting, self.key, name)
        self.view.began(lines)

    def _told_terms(self, offered: Terms, players: int) -> list[str]:
        """Tell the terms when they are first seen; a lobby and its table have the same."""
        if self._terms == offered.terms:
            return []
        self._terms = offered.terms
        return terms.lines(offered, players)

    # The table.

    def happened(self, events: Sequence[Happened]) -> None:
        for of_game, some in groupby(events, lambda event: isinstance(event, Event)):
            if of_game:
                self._play([event for event in some if isinstance(event, Event)])
            else:
                for event in some:
                    lines = self._told(event)
                    self.history.told(lines)
                    self.view.happened([event], lines)

    def _play(self, events: Sequence[Event]) -> None:
        presenter = self.present()
        lines = list(played(events, presenter.narrator))
        self.history.told(lines)
        self.history.happened(presenter, events, self.peer.table.play.state)
        self.view.happened(events, lines)

    def _told(self, event: Happened) -> list[str]:
        match event:
            case Lost():
                return ["", shown(verdict.loss(self.peer.table, event, self.names))]
            case Said(player, kind):
                return self._spoken(player, kind)
            case Linked(player, there):
                return self._linked(player, there=there)
            case Chatted(player, text):
                return self._chatted(player, text)
            case Differs(player):
                words = _("WARNING: {name} has a different end of this game than we have")
                return [words.format(name=self.names[player])]
            case Again():
                self.presenter = None
                self._said = [0] * len(self.names)
                return [_("a player was gone sooner than it seemed; the table from the beginning:")]
        return []

    def _chatted(self, player: int, text: str) -> list[str]:
        """Tell what is new, after what is to be said about the lines before."""
        talk = self.talk
        last = talk.spoken[-1] if talk.spoken else None
        said = talk.heard(player, text)
        if said is None:
            return []
        again = [] if last is None else talk.told_again(last)
        return [*again, *talk.told_unshown(player), talk.told(said)]

    def _spoken(self, player: int, kind: str) -> list[str]:
        """Tell votes and forks; the game tells everything else."""
        at = self._said[player]
        self._said[player] += 1
        feed = self.peer.table.read[player]
        if kind in (VOTE, FORK) and at < len(feed):
            return list(beside(player, feed[at], self.names))
        return []

    def _linked(self, player: int, *, there: bool) -> list[str]:
        """Tell of a link that breaks or comes back; the first one is no news."""
        if there and player in self._down:
            self._down.discard(player)
            return [_("the connection to {name} is back").format(name=self.names[player])]
        if not there:
            self._down.add(player)
            if not (self.peer.table.over or self.peer.given_up):
                return [_("the connection to {name} is down").format(name=self.names[player])]
        return []

    def asked_about(self, question: Question) -> None:
        self.view.asked_about(question, question_lines(question, self.names))

    def ticked(self, peer: Peer, now_ms: int) -> None:
        """Say from time to time which players the table waits for."""
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        waited_ms = max([peer.clocks.waited_ms(player, now_ms) for player in waiting], default=0)
        lines = []
        if waited_ms < limits.REMIND_MS:
            self._reminded_ms = 0
        elif waited_ms >= self._reminded_ms + limits.REMIND_MS:
            self._reminded_ms = waited_ms
            lines = [waiting_line(peer, self.names, waiting, now_ms)]
        self.view.ticked(now_ms, lines)

    def log(self, address: str, why: str) -> None:
        self.view.log(address, why)
