"""A peer at a table: a player's party, or a spectator's table, over any number of links.

The caller has the clock, the disk and the sockets. It tells the peer what happens, and fetches what
is to be sent, saved, decided and shown:

    opened, closed, receive, tick     tell the peer what happens; so do heard and slept
    outgoing(link)                    the next message for a link
    unsaved, saved                    entries to be saved; a peer sends them only after that
    take_drops                        links to be closed
    question                          an absent player: wait, go on, or stop?
    take_events                       the events since the last call

A peer that starts again after a crash signs nothing before it holds its own feed as the others do
(protocol/link/own_feed.py). If it hears before that of another program that plays with its
identity, it stops. Afterwards no peer can stop it by saying so.
"""

from typing import Any

from engine.moves import Move
from protocol import limits
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import Entry, identify
from protocol.link.gossip import Gossip
from protocol.link.messages import (
    Bye,
    Carried,
    Heads,
    Message,
    Near,
    Noted,
    Ping,
    Playing,
    Pong,
    Twin,
    encode_message,
    parse_message,
)
from protocol.link.neighbours import Drop, Neighbour, Neighbours
from protocol.link.notes import AFTER, ASKED, AT, CHAT, DONE, STAY, Note, Notes, check_chat
from protocol.link.own_feed import OwnFeed
from protocol.peer.absence import Absence, Question, Reply
from protocol.peer.clocks import Clocks
from protocol.peer.ends import Ends
from protocol.table.events import (
    Again,
    Asked,
    Chatted,
    Differs,
    Happened,
    Linked,
    Listens,
    Why,
    Wished,
)
from protocol.table.party import Party
from protocol.table.table import Table

# The limit that turns chat off at a table, if it is 0.
CHATTING = "chat"

# Codes of refusals for which no peer is to blame: others hold more of a feed than is kept here, or
# the link carries another table, before or after this one.
_NATURAL = ("gap", "branches", "feed-full", "table")


class TwinFound(LocalProtocolError):
    """Another program plays with this identity at this table."""


class Peer:
    def __init__(
        self,
        table: Table,
        party: Party | None = None,
        *,
        now_ms: int,
        resumed: bool = False,
        first_note: int = 0,
    ) -> None:
        """Create a peer. `first_note` is above the numbers of all notes that this player signed."""
        self.table = table
        self.party = party
        self.clocks = Clocks(table)
        self.chatting = dict(table.roster.limits).get(CHATTING, 1) != 0
        self.notes = Notes(table.roster, chatting=self.chatting)
        self._ends = Ends(table, self.notes, self.me)
        self.met: set[int] = set()  # players to whom there ever was a link
        self._absence = Absence(table, party, self.clocks, self.met)
        self._gossip = Gossip(table.feeds)
        self._neighbours = Neighbours()
        self._events: list[Happened] = []
        self._own = None if party is None else OwnFeed(table.feeds, party.me, known=not resumed)
        self._fresh = party is not None and not resumed  # nothing was said here before
        self._over_ms: int | None = None
        self.settled = False  # the file is being written
        self._twin = False
        self._left = False
        self._first_note = first_note
        self._readings = table.readings
        self._news, self._news_ms = len(table.feeds.log), now_ms  # entries, and when they last grew
        self.clocks.look(now_ms)

    @property
    def me(self) -> int | None:
        return None if self.party is None else self.party.me

    # Links.

    def opened(
        self,
        link: int,
        key: bytes,
        instance: bytes,
        watching: bool,
        now_ms: int,
        *,
        slow: bool = False,
    ) -> None:
        """Add a link. A peer that has no seat, or came with the watch key, is a spectator.

        `slow`: it leads a long way round, such as through Tor.
        """
        player = None if watching else self.table.roster.find(key)
        linked = self.linked
        neighbour = self._neighbours.open(link, player, instance, now_ms, slow=slow)
        if neighbour.doubts is None:
            self._greet(neighbour, linked, now_ms)

    def _greet(self, neighbour: Neighbour, linked: frozenset[int], now_ms: int) -> None:
        fresh = self._fresh and neighbour.player is not None
        self._gossip.open(neighbour.link, fresh=fresh)
        tell = self._neighbours.tell
        if neighbour.player is None:
            tell(neighbour, Playing(self.table.roster.encode()))
        tell(neighbour, self._heads())
        for note in self.notes.kept():
            tell(neighbour, Noted(note.data))
        neighbour.ask(now_ms)
        if neighbour.player is not None and neighbour.player not in linked:
            self.met.add(neighbour.player)
            self._events.append(Linked(neighbour.player, there=True))
        self._tell_near(linked, neighbour)

    def closed(self, link: int, now_ms: int) -> None:
        if link not in self._neighbours.by_link:
            return
        gone = self._neighbours.by_link[link]
        linked = self.linked
        freed = self._neighbours.close(link, now_ms)
        if gone.doubts is None:
            self._gossip.close(link)
            if gone.player is not None and gone.player not in self.linked:
                self._events.append(Linked(gone.player, there=False))
            self._tell_near(linked)
        for neighbour in freed:
            self._greet(neighbour, linked, now_ms)

    def _tell_near(self, before: frozenset[int], new: Neighbour | None = None) -> None:
        """Tell the new neighbour to which players there are links; tell all others if that changed.

        Links to spectators change nothing.
        """
        now = self.linked
        for neighbour in self._neighbours.usable():
            if neighbour is new or now != before:
                self._neighbours.tell(neighbour, Near(tuple(sorted(now))))

    def _heads(self) -> Heads:
        return Heads(self.table.feeds.table, self._gossip.tips())

    @property
    def linked(self) -> frozenset[int]:
        """Return the players to whom there is a link."""
        return self._neighbours.players()

    def round_trips_ms(self) -> dict[int, int | None]:
        """Return how long an answer over the link takes, for each linked player."""
        return self._neighbours.round_trips_ms()

    def take_drops(self) -> list[Drop]:
        return self._neighbours.take_drops()

    # Messages.

    def heard(self, link: int, at_ms: int) -> None:
        """Note when the last byte came over a link, if only of a part of a message."""
        self._neighbours.heard(link, at_ms)

    def receive(self, link: int, data: bytes, now_ms: int) -> None:
        """Take a message.

        Raises RemoteProtocolError if the link is to be closed; then nothing has changed.
        """
        neighbour = self._neighbours.by_link[link]
        message = parse_message(data)
        neighbour.patience.message(now_ms)
        if neighbour.doubts is not None:  # it tells again what it holds from time to time
            if isinstance(message, Ping):  # and shall not take me for dead
                self._take(neighbour, message, now_ms)
            return
        self._take(neighbour, message, now_ms)
        self.look(now_ms)

    def _take(self, neighbour: Neighbour, message: Message, now_ms: int) -> None:
        if isinstance(message, Ping | Heads | Near):
            neighbour.useless(now_ms)  # each of these costs us something and brings no news
        match message:
            case Ping(number):
                self._neighbours.tell(neighbour, Pong(number))
            case Pong():
                if not self._neighbours.answered(neighbour, message, now_ms):
                    neighbour.useless(now_ms)
            case Heads():
                self._take_heads(neighbour, message, now_ms)
            case Bye(_why):
                self._neighbours.drop(neighbour.link, "said goodbye")
            case _ if neighbour.player is None:
                neighbour.useless(now_ms)  # a spectator has nothing to tell
            case Near(players):
                near = {*players, neighbour.player} - {self.me}
                self._gossip.near(neighbour.link, frozenset(near))
            case Carried(entry):
                self._take_entry(neighbour, entry, now_ms)
            case Noted(note):
                self._take_note(neighbour, note, now_ms)
            case Twin() if self._own is not None and not self._own.known:
                self._twin = True
            case _:
                neighbour.useless(now_ms)  # a message of the lobby, or a twin message too late

    def _take_heads(self, neighbour: Neighbour, heads: Heads, now_ms: int) -> None:
        if heads.table != self.table.feeds.table:
            return  # of another game of the same people
        if len(heads.tips) != len(self.table.read):
            raise RemoteProtocolError("table", "speaks of other players than the table has")
        self._gossip.told(neighbour.link, heads.tips, now_ms)
        if self._own is not None and neighbour.player is not None:
            self._own.told(neighbour.player, heads.tips[self._own.me], now_ms)

    def _take_entry(self, neighbour: Neighbour, data: bytes, now_ms: int) -> None:
        if self.settled:
            neighbour.useless(now_ms)
            return
        try:
            new = self.table.take(data)
        except RemoteProtocolError as error:
            if error.code not in _NATURAL:
                raise
            neighbour.useless(now_ms)
            return
        self._gossip.carried(neighbour.link, identify(data))
        if not new:
            neighbour.useless(now_ms)

    def _take_note(self, neighbour: Neighbour, data: bytes, now_ms: int) -> None:
        try:
            taken = self.notes.accept(data, now_ms)
        except RemoteProtocolError as error:
            if error.code not in _NATURAL:
                raise
            taken = None
        if taken is None:
            neighbour.useless(now_ms)
            return
        player, note = taken
        self._tell_note(note, neighbour)
        if note.kind == CHAT:
            self._events.append(Chatted(player, str(note.body[0])))
        elif note.kind == AT:
            self._events.append(Listens(player, note.addresses))
        elif note.kind == ASKED:
            self._events.append(Asked(player, *note.question))
        elif note.kind == AFTER:
            self._events.append(Wished(player, str(note.body[0])))

    def _tell_note(self, note: Note, source: Neighbour | None = None) -> None:
        for neighbour in self._neighbours.usable():
            if neighbour is not source:
                self._neighbours.tell(neighbour, Noted(note.data))

    def has_outgoing(self, link: int) -> bool:
        """Return True if outgoing() may have a message for this link."""
        neighbour = self._neighbours.by_link.get(link)
        if neighbour is None:
            return False
        if neighbour.waiting:
            return True
        return self._passes_on(neighbour) and self._gossip.has_next(link)

    def _passes_on(self, neighbour: Neighbour) -> bool:
        """Return True if entries are sent over a link. A spectator sends none to players."""
        return neighbour.doubts is None and self.party is not None

    def outgoing(self, link: int, now_ms: int) -> bytes | None:
        """Return the next message for a link, or None."""
        neighbour = self._neighbours.by_link.get(link)
        if neighbour is None:
            return None
        if neighbour.waiting:
            return neighbour.waiting.popleft()
        if not self._passes_on(neighbour):
            return None
        entry = self._gossip.next(link, now_ms)
        return None if entry is None else encode_message(Carried(entry.data))

    # Saving.

    @property
    def unsaved(self) -> list[tuple[int, Entry]]:
        return self._gossip.unsaved

    def saved(self, count: int) -> None:
        """Note that this many more of the held entries are safe on disk."""
        self._gossip.saved += count
        self._say_done()

    # Acting.

    def look(self, now_ms: int) -> None:
        """Sign what is owed and update the clocks. It is called whenever something has changed."""
        if self.settled:
            self._neighbours.press(now_ms, owing=False)
            return
        if self._twin:
            raise TwinFound("twin", "another program plays with this identity at this table")
        if self.party is not None and self._may_sign(now_ms):
            self.party.answer()
        self.clocks.look(now_ms)
        if len(self.table.feeds.log) > self._news:
            self._news, self._news_ms = len(self.table.feeds.log), now_ms
        if self._absence.called_to_vote or self._absence.voted_in_vain:
            self.clocks.hurry()
        if self.table.over and self._over_ms is None:
            self._over_ms = now_ms
            self._say_done()
        others = any(player != self.me for player in self.table.waiting_for)
        self._neighbours.press(now_ms, owing=others or not self.knows_itself)

    def slept(self, slept_ms: int, now_ms: int) -> None:
        """Begin anew to wait: I did not run for so long, and `now_ms` leaves that out."""
        self._neighbours.anew(now_ms)
        self.clocks.slept(self.me, slept_ms, now_ms)

    def tick(self, now_ms: int) -> None:
        for neighbour in self._neighbours.tick(now_ms, self._gossip.awaited_ms):
            self._neighbours.tell(neighbour, self._heads())
        self.look(now_ms)
        if not self.unsaved and self._ends.changed():
            self._say(DONE, self._ends.hash())
        if self._over_ms is not None and now_ms - self._over_ms >= limits.EXCHANGE_MS:
            self._events += [Differs(player) for player in self._ends.differing()]

    def _may_sign(self, now_ms: int) -> bool:
        assert self._own is not None
        players = range(len(self.table.read))
        others = [p for p in players if p != self.me and p not in self.table.ended]
        self._own.look(others, now_ms)
        return self._own.known and not self._left

    @property
    def can_play(self) -> bool:
        """Return True if I have a seat and the table is not over."""
        return self.me is not None and self.me not in self.table.ended and not self.table.over

    @property
    def asked(self) -> bool:
        """Return True if the table waits for a choice of mine."""
        return self.party is not None and self.knows_itself and self.party.asked

    @property
    def knows_itself(self) -> bool:
        """Return True if I hold all that I ever said at this table."""
        return self._own is None or self._own.known

    def decide(self, move: Move, now_ms: int) -> None:
        assert self.party is not None
        self.party.decide(move)
        self.look(now_ms)

    def leave(self, now_ms: int) -> None:
        """Leave the table. Nothing is signed while I do not know my own feed."""
        assert self.party is not None
        if self.knows_itself:
            self.party.leave()
        self._left = True
        self.look(now_ms)

    def go_on(self, now_ms: int) -> None:
        """Read on, after proofs have been checked elsewhere."""
        if not self.settled:
            self.table.go_on()
        self.look(now_ms)

    # Notes.

    def chat(self, text: str) -> None:
        """Send a line of chat to all. Raises LocalProtocolError if this table has no chat."""
        check_chat(text, chatting=self.chatting)
        self._say(CHAT, text)

    def listens_at(self, addresses: tuple[str, ...]) -> None:
        self._say(AT, addresses[: limits.ADDRESSES_MOST])

    def addresses(self, player: int) -> tuple[str, ...]:
        note = self.notes.latest(player, AT)
        return () if note is None else note.addresses

    def _say(self, kind: str, *body: Any) -> None:
        assert self.party is not None
        identity, table = self.party.identity, self.table.feeds.table
        number = self.notes.number(self.party.me, self._first_note)
        note = Note.sign(identity, table, number, kind, *body)
        self.notes.add(note)
        self._tell_note(note)

    # Absence.

    def question(self, now_ms: int) -> Question | None:
        """Return the question about the players for whom the table waits, once all are late."""
        return self._absence.question(now_ms) if self.knows_itself else None

    def asks(self, question: Question) -> None:
        """Tell the others that my player is being asked this."""
        self._say(ASKED, question.step, question.players)

    def reply(self, question: Question, reply: Reply, now_ms: int) -> None:
        """Do what the player decided, if the question still stands."""
        if self.knows_itself and self._absence.reply(question, reply, now_ms):
            self._say(ASKED, question.step, ())
        self.look(now_ms)

    # The end.

    def _say_done(self) -> None:
        """Say that the table is over for me, when all that I hold is safe on disk.

        The others may go then. After a crash nobody would be there to send what was not saved.
        """
        if self.me is None or self._over_ms is None or self.unsaved:
            return
        if self.notes.latest(self.me, DONE) is None:
            self._say(DONE, self._ends.hash())

    @property
    def given_up(self) -> bool:
        """Return True if I have left or stopped the table."""
        ending = None if self.me is None else self.table.ended.get(self.me)
        return self._left or (ending is not None and ending.why in (Why.LEFT, Why.STOPPED))

    def finished(self, now_ms: int) -> bool:
        """Return True if there is nothing more to do, and all other peers have what they need."""
        if self._over_ms is None:
            return (self.given_up and self._all_sent()) or self._stranded(now_ms)
        if not self._all_sent():
            return now_ms - self._over_ms > limits.LINGER_MS
        done = self._all_done() and self._ends.agreed()
        return done or now_ms - self._over_ms > limits.LINGER_MS

    def _stranded(self, now_ms: int) -> bool:
        """Return True if I cannot sign any more, and there is no hope of news.

        Nothing new has arrived for longer than a player may take to answer.
        """
        if self.party is None or self.party.can_sign:
            return False
        return now_ms - self._news_ms > self.clocks.longest_ms + limits.STRANDED_MS

    def _all_sent(self) -> bool:
        waiting = any(neighbour.waiting for neighbour in self._neighbours.usable())
        return not self.unsaved and not waiting and (self.party is None or self._gossip.idle)

    def _all_done(self) -> bool:
        ended = self.table.ended
        live = [p for p in self.table.play.seated if p != self.me and p not in ended]
        return all(self.notes.latest(player, DONE) is not None for player in live)

    def settle(self) -> None:
        """Stay at a table that is over, for its player to talk with the others.

        From now on no more entries are taken, so that the file can be written meanwhile. Peers that
        lack entries still get them, and notes travel on.
        """
        assert self.table.over
        self.settled = True
        if self.party is not None:
            self.wish(STAY)

    def wish(self, wish: str) -> None:
        """Tell the others what my player wants after the game."""
        self._say(AFTER, wish)

    def take_events(self) -> list[Happened]:
        events, self._events = [*self._events, *self._read_again(), *self.table.take_events()], []
        return events

    def _read_again(self) -> list[Happened]:
        again = self.table.readings != self._readings
        self._readings = self.table.readings
        return [Again()] if again else []
