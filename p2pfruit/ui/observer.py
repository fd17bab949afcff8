"""The one observer of a table of peers, and what it knows of the table.

It hears every event once, keeps who plays, what was told and the presenter of the game, and hands
each event on with its words to the one view: lines, the full screen, or JSON.
"""

from collections.abc import Callable, Sequence, Set
from itertools import groupby
from typing import Any, Protocol

import trio

from engine.moves import Event
from engine.views import View
from p2pfruit import limits
from p2pfruit.games import terms
from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.home.store import Meeting
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Reach
from p2pfruit.replay import verdict
from p2pfruit.replay.transcript import ballot_end, beside, played
from p2pfruit.seat.lobby import Gathering
from p2pfruit.seat.news import WayNews
from p2pfruit.seat.node import Node
from p2pfruit.seat.seat import SeatRunner
from p2pfruit.text.safe import shown, shown_names
from p2pfruit.ui.chat import Talk
from p2pfruit.ui.history import TableHistory
from p2pfruit.ui.lateness import Lateness
from p2pfruit.ui.lobby import LobbyRoom
from p2pfruit.ui.wording import (
    code_lines,
    introduced,
    question_lines,
    reply_line,
    waiting_line,
    wish_lines,
)
from protocol.feed.entries import FORK, VOTE, Entry
from protocol.feed.roster import Player, Terms
from protocol.link.codes import Renewed
from protocol.link.notes import AGAIN
from protocol.peer.absence import Question, Reply
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer
from protocol.table.events import (
    Again,
    BallotEnded,
    Chatted,
    Differs,
    Happened,
    Linked,
    Lost,
    Said,
    Wished,
)

Meet = Callable[[Player], Meeting]
ShowNames = Callable[[Sequence[str]], list[str]]


class TableView(Protocol):
    """Shows a table. `lines` are what has happened, in words."""

    @property
    def stays(self) -> bool:
        """Return True if a person stays for a while when the game is over."""

    def gathered(self, lobby: Gathering, lines: Sequence[str]) -> None: ...

    def overheard(self, key: bytes, text: str, lines: Sequence[str]) -> None:
        """Show what was said in the lobby. `lines` are empty if it is not to be shown."""

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None: ...

    def way(self, news: WayNews) -> None:
        """Show what has become of a way to the table."""

    @property
    def answers_knocks(self) -> bool:
        """Return True if there is a person who can be asked."""

    def coded(
        self, code: str, failures: int, renewed: Renewed | None, lines: Sequence[str]
    ) -> None: ...

    async def knocked(self, key: bytes, name: str) -> bool:
        """Ask whether this player may sit down; `name` is fit to print."""

    def knocking(self, line: str) -> None: ...

    def began(self, lines: Sequence[str]) -> None: ...

    def happened(self, events: Sequence[Happened], lines: Sequence[str]) -> None:
        """Show events of the game in a row, or one event beside it."""

    def spoke(self, line: str) -> None:
        """Show what the player at this view has said."""

    def asked_about(self, question: Question, lines: Sequence[str]) -> None: ...

    def replied(self, question: Question, reply: Reply, *, given: bool, line: str) -> None:
        """Show the reply to such a question: as it was `given`, or the default."""

    def ticked(self, now_ms: int, lines: Sequence[str]) -> None: ...

    def log(self, address: str, why: str) -> None: ...


class TableObserver:
    """`meet` looks up the address book, for every key but the player's own. `chat`: what others
    say is wanted. `show_names` makes names fit to print. `bots` has the keys of the bots that this
    program plays; it may grow while players gather."""

    def __init__(
        self,
        key: bytes,
        meet: Meet,
        *,
        chat: bool = True,
        show_names: ShowNames = shown_names,
        bots: Set[bytes] = frozenset(),
    ) -> None:
        self.view: TableView  # set before the table is run
        self.key = key
        self.talk = Talk(wanted=chat)
        self.room = LobbyRoom(key, show_names, chat=chat)
        self.history = TableHistory()
        self.node: Node | None = None
        self.invitation = self.to_watch = ""  # of the host
        self.reach = Reach.ANYWHERE  # from where they work
        self.names: list[str] = []  # by player, fit to print
        self.meetings: list[Meeting | None] = []  # by player; None is the player's own
        self.presenter: Presenter | None = None  # once the seats are drawn
        self._bots = bots
        self._meet = meet
        self.show_names = show_names
        self._terms: object = None  # that were told
        self._peer: Peer | None = None
        self._lateness: Lateness | None = None
        self._said: list[int] = []  # by player: how many of its entries were told
        self.spoken: Entry | None = None  # the last of them
        self._down: set[int] = set()
        self._reminded_ms = 0
        self.over = trio.Event()  # the game is over, and the seat is kept for now
        self.parting = trio.Event()  # the time after the game is over for the player
        self.next_game = ""  # what another game would be, if that is known
        self.again = False  # the player goes on to another game with those who stay
        self.wished = False  # the player has asked for another game like this one
        self._offer: Offer | None = None  # for another game, as it was told

    # What is known.

    @property
    def stays(self) -> bool:
        return self.view.stays or self.peer.table.roster.series is not None

    @property
    def runner(self) -> SeatRunner | None:
        return None if self.node is None else self.node.runner

    @property
    def peer(self) -> Peer:
        """Return the peer of a table that has begun."""
        assert self._peer is not None
        return self._peer

    @property
    def lateness(self) -> Lateness:
        """Return what is known of late players at a table that has begun."""
        assert self._lateness is not None
        return self._lateness

    @property
    def left(self) -> Peer | None:
        """Return the peer of a table that the player left before its end."""
        runner = self.runner
        return runner.peer if runner is not None and runner.peer.given_up else None

    @property
    def hearing(self) -> Talk:
        """Return the chat that is heard now: that of the lobby, and later that of the table."""
        return self.room.talk if self._peer is None else self.talk

    @property
    def among_bots(self) -> bool:
        """Return True if all other players of the table are bots of this program.

        The roster decides: nothing that a player says can make a person a bot.
        """
        if self._peer is None or self._peer.me is None:
            return False
        keys = {player.key for player in self._peer.table.roster.players}
        return keys - {self.key} <= self._bots

    def part(self) -> None:
        """Leave the table after the game."""
        if self.runner is not None:
            self.runner.part()

    def offered(self, offer: Offer) -> None:
        """Hear, after a game, that the host offers another one."""
        assert self.node is not None
        roster = self.peer.table.roster
        if self._offer is not None and offer.same_conditions(self._offer):
            return
        self._offer = offer
        host = roster.find(self.node.host_key or b"")
        words = _("{name} offers another game: {game}, for {seats}").format(
            name=_("the host") if host is None else self.names[host],
            game=shown(offer.game),
            seats=plural("{count} player", "{count} players", offer.seats),
        )
        self.view.happened([], [words])
        if self.wished:
            self._go_on_if_wanted(offer)

    def ask_for_another(self) -> None:
        """Ask the host for another game. If it offers the same, or the next of the series, that is
        joined at once."""
        self.wished = True
        if self.runner is not None:
            self.runner.wish(AGAIN)
        if self.node is not None and self.node.offer is not None:
            self._go_on_if_wanted(self.node.offer)

    def _go_on_if_wanted(self, offer: Offer) -> None:
        roster = self.peer.table.roster
        same = Offer(*roster.terms, len(roster.players)).same_conditions(offer)
        signed = None if offer.series is None else offer.series.signed
        id = None if signed is None else signed.contract.id
        if same or (roster.series is not None and roster.series.contract == id):
            self.go_on()

    def go_on(self) -> None:
        """Go on to another game; the time after this one is over."""
        self.again = True
        self.parting.set()

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

    def gathered(self, lobby: Gathering) -> None:
        self._terms = lobby.offer.terms
        self.view.gathered(lobby, self.room.gathered(lobby))

    def overheard(self, key: bytes, text: str) -> None:
        self.view.overheard(key, text, self.room.overheard(key, text))

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None:
        self.invitation, self.to_watch, self.reach = invitation, to_watch or "", reach
        self.view.invited(invitation, to_watch, reach)

    def way(self, news: WayNews) -> None:
        self.view.way(news)

    @property
    def answers_knocks(self) -> bool:
        return self.view.answers_knocks

    def coded(self, code: str, failures: int, renewed: Renewed | None) -> None:
        self.view.coded(code, failures, renewed, code_lines(failures, renewed))

    async def knocked(self, key: bytes, name: str) -> bool:
        return await self.view.knocked(key, self.show_names([name])[0])

    def knocking(self, host: str) -> None:
        words = _("waiting for {name} to let you in")
        self.view.knocking(words.format(name=self.show_names([host])[0]))

    def began(self, runner: SeatRunner) -> None:
        self._peer = peer = runner.peer
        roster = peer.table.roster
        self.names = self.show_names([player.name for player in roster.players])
        self.meetings = [
            None if player.key == self.key else self._meet(player) for player in roster.players
        ]
        self._lateness = Lateness(peer, self.names)
        self._said = [0] * len(self.names)
        self.history.game = roster.game
        self.talk.begin(self.names, me=peer.me, allowed=peer.chatting)
        for number, player in enumerate(roster.players):
            if player.key in self.room.muted:
                self.talk.mute(number)
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
        self._tell(events)
        if lines := self.lateness.look():
            self.history.told(lines)
            self.view.happened([], lines)

    def _tell(self, events: Sequence[Happened]) -> None:
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
            case BallotEnded(_step, named, answered):
                if answered:
                    self.lateness.told(named)
                return [ballot_end(event, self.names)]
            case Wished(player, wish):
                return wish_lines(wish, self.names[player])
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
        self.spoken = feed[at] if at < len(feed) else None
        if kind in (VOTE, FORK) and self.spoken is not None:
            return list(beside(player, self.spoken, self.names))
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
        self.lateness.asked_about(question.players)
        self.view.asked_about(question, question_lines(question, self.names))

    def replied(self, question: Question, reply: Reply, *, given: bool) -> None:
        line = reply_line(question, reply, self.names, given=given)
        self.view.replied(question, reply, given=given, line=line)

    def ticked(self, peer: Peer, now_ms: int) -> None:
        """Say from time to time, ever less often, which players the table waits for."""
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        waited_ms = max([peer.clocks.waited_ms(player, now_ms) for player in waiting], default=0)
        lines = []
        if waited_ms < limits.REMIND_MS:
            self._reminded_ms = 0
        elif waited_ms >= max(2 * self._reminded_ms, limits.REMIND_MS):
            self._reminded_ms = waited_ms
            lines = [waiting_line(peer, self.names, waiting, now_ms)]
        lines += self.lateness.look(now_ms)
        self.view.ticked(now_ms, lines)

    def settled(self) -> None:
        self.over.set()

    def log(self, address: str, why: str) -> None:
        self.view.log(address, why)
