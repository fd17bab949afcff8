"""What is shown of a table while it runs: in lines for people, or in JSON for programs.

A screen hears everything and decides nothing. docs/json.md lists what the JSON says.
"""

import json
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from engine.moves import Event
from p2pfruit import limits
from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.home.store import Known, Meeting
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.replay.transcript import beside, played
from p2pfruit.seat.lobby import People
from p2pfruit.seat.seat import SeatRunner
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.safe import shortened, shown, shown_names
from p2pfruit.ui.chat import Talk
from p2pfruit.ui.history import TableHistory
from p2pfruit.ui.lines.player import Say
from protocol.feed.entries import FORK, VOTE
from protocol.feed.roster import Player
from protocol.peer.absence import Question
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Again, Chatted, Differs, Happened, Linked, Listens, Lost, Said
from protocol.table.phases import Phase

Meet = Callable[[Player], Meeting]


class _Log:
    """Troubles of lines go to stderr if somebody wants to see them."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted

    def log(self, address: str, why: str) -> None:
        if self._wanted and sys.stderr is not None:
            print(trouble_line(address, why), file=sys.stderr)


def trouble_line(address: str, why: str) -> str:
    return _("link {address}: {why}").format(address=address or "-", why=shown(why))


class LineObserver(_Log):
    """`meet` looks up the address book, for everybody but the own key; `talk` is where what the
    others say is heard; `say_game` says what the game tells, if that is to be said elsewhere;
    `history` is what can be asked about it later."""

    def __init__(
        self,
        say: Say,
        key: bytes,
        meet: Meet,
        *,
        verbose: bool = False,
        talk: Talk | None = None,
        say_game: Say | None = None,
        history: TableHistory | None = None,
    ) -> None:
        super().__init__(wanted=verbose)
        self._talk = Talk() if talk is None else talk
        self._recall = TableHistory() if history is None else history
        self._say = say
        self._say_game = say_game or say
        self._key = key
        self._meet = meet
        self._lobby = ""
        self._peer: Peer | None = None
        self._names: list[str] = []
        self.presenter: Presenter | None = None  # once the seats are drawn
        self._said: list[int] = []  # by player: how many of its entries were told
        self._down: set[int] = set()
        self._reminded_ms = 0

    # The lobby.

    def gathered(self, offer: Offer, people: People) -> None:
        names = ", ".join(shown_names([name for _key, name in people]))
        line = _("{count} of {seats} players are here: {names}").format(
            count=len(people), seats=offer.seats, names=names
        )
        if line != self._lobby:
            self._lobby = line
            self._say([line])

    def began(self, runner: SeatRunner) -> None:
        roster = runner.peer.table.roster
        self._peer = runner.peer
        self._names = shown_names([player.name for player in roster.players])
        self._said = [0] * len(self._names)
        self._recall.game = roster.game
        self._talk.begin(self._names, me=runner.peer.me, allowed=runner.peer.chatting)
        count = plural("{count} player", "{count} players", len(self._names))
        title = _("{game}, {players}: {names}")
        names = ", ".join(self._names)
        self._say([title.format(game=roster.game, players=count, names=names)])
        for player, name in zip(roster.players, self._names, strict=True):
            if player.key != self._key:
                self._say(introduced(player, self._meet(player), self._key, name))

    # The table.

    def happened(self, events: Sequence[Happened]) -> None:
        for of_game, some in groupby(events, lambda event: isinstance(event, Event)):
            if of_game:
                self._play([event for event in some if isinstance(event, Event)])
            else:
                for event in some:
                    told = self._told(event)
                    self._recall.told(told)
                    self._say(told)

    def _play(self, events: Sequence[Event]) -> None:
        assert self._peer is not None
        table, me = self._peer.table, self._peer.me
        if self.presenter is None:
            seated = [self._names[player] for player in table.play.seats]
            seat = None if me is None else table.play.seat(me)
            self.presenter = presenter_for(table.game, seated, seat)
        told = list(played(events, self.presenter.narrator))
        self._recall.told(told)
        self._recall.happened(self.presenter, events, table.play.state)
        self._say_game(told)

    def _told(self, event: Happened) -> list[str]:
        assert self._peer is not None
        match event:
            case Lost(player):
                return ["", shown(verdict.loss(self._peer.table, event, self._names))]
            case Said(player, kind):
                return self._spoken(player, kind)
            case Linked(player, there):
                return self._linked(player, there=there)
            case Chatted(player, text):
                return self._chatted(player, text)
            case Differs(player):
                words = _("WARNING: {name} holds another end of this game than we do")
                return [words.format(name=self._names[player])]
            case Again():
                self.presenter = None
                self._said = [0] * len(self._names)
                return [_("a player was gone sooner than it seemed; the table from the beginning:")]
        return []

    def _chatted(self, player: int, text: str) -> list[str]:
        """Something new, after what is to be said about the lines before."""
        talk = self._talk
        last = talk.spoken[-1] if talk.spoken else None
        said = talk.heard(player, text)
        if said is None:
            return []
        again = [] if last is None else talk.told_again(last)
        return [*again, *talk.told_unshown(player), talk.told(said)]

    def _spoken(self, player: int, kind: str) -> list[str]:
        """Votes and forks; all else is told by the game."""
        assert self._peer is not None
        at = self._said[player]
        self._said[player] += 1
        feed = self._peer.table.read[player]
        if kind in (VOTE, FORK) and at < len(feed):
            return list(beside(player, feed[at], self._names))
        return []

    def _linked(self, player: int, *, there: bool) -> list[str]:
        """A link that was never there is not missed, and one that comes first is no news."""
        if there and player in self._down:
            self._down.discard(player)
            return [_("the link to {name} is back").format(name=self._names[player])]
        if not there:
            self._down.add(player)
            assert self._peer is not None
            if not (self._peer.table.over or self._peer.given_up):
                return [_("the link to {name} is down").format(name=self._names[player])]
        return []

    def asked_about(self, question: Question) -> None:
        self._say(question_lines(question, self._names))

    def ticked(self, peer: Peer, now_ms: int) -> None:
        """Says whom the table waits for, from time to time."""
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        waited_ms = max([peer.clocks.waited_ms(player, now_ms) for player in waiting], default=0)
        if waited_ms < limits.REMIND_MS:
            self._reminded_ms = 0
        elif waited_ms >= self._reminded_ms + limits.REMIND_MS:
            self._reminded_ms = waited_ms
            self._say([waiting_line(peer, self._names, waiting, now_ms)])


def question_lines(question: Question, names: Sequence[str]) -> list[str]:
    missing = ", ".join(names[player] for player in question.players)
    words = _("the table has been waiting for {names} for {seconds} s")
    lines = [words.format(names=missing, seconds=question.waited_ms // 1000)]
    if not question.direct:
        lines.append(_("{names} was reached through other players only").format(names=missing))
    return lines


def link_line(peer: Peer, player: int, names: Sequence[str]) -> str:
    """How somebody is reached."""
    name = names[player]
    if player == peer.me:
        return _("{name}: that is you").format(name=name)
    if player not in peer.linked:
        return _("{name}: no direct link, reached through others if at all").format(name=name)
    ms = peer.round_trips_ms().get(player)
    return _("{name}: linked, {ms} ms there and back").format(
        name=name, ms="?" if ms is None else ms
    )


def waiting_line(peer: Peer, names: Sequence[str], waiting: Sequence[int], now_ms: int) -> str:
    said = []
    for player in waiting:
        waited = peer.clocks.waited_ms(player, now_ms) // 1000
        left_ms = max(0, peer.clocks.left_ms(player, now_ms) or 0)
        words = (
            _("{name} ({waited} s, {left} s left)")
            if left_ms <= limits.CLOCK_SHOWN_MS
            else _("{name} ({waited} s)")
        )
        said.append(words.format(name=names[player], waited=waited, left=left_ms // 1000))
    return _("waiting for {names}").format(names=", ".join(said))


def clock(left_ms: int | None) -> str:
    """Minutes and seconds; nothing where there is time enough."""
    if left_ms is None or left_ms > limits.CLOCK_SHOWN_MS:
        return ""
    seconds = max(0, left_ms) // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def progress(peer: Peer) -> str:
    """What the peers are doing, while nobody has to decide."""
    if not peer.knows_itself:
        return _("calling the others: I go on when one of them was reached")
    play = peer.table.play
    of = len(play.owing)
    done = of - len(peer.table.waiting_for)
    words = {
        Phase.SITTING: _("taking seats: {done} of {of}"),
        Phase.SEATING: _("drawing seats by lot: {done} of {of}"),
        Phase.SHUFFLING: _("shuffled and proved: {done} of {of} ✓"),
        Phase.AGREEING: _("all sign for the same cards: {done} of {of}"),
        Phase.SHARING: _("opening cards, each share proved: {done} of {of}"),
        Phase.COMMITTING: _("sealed choices: {done} of {of}"),
        Phase.READYING: _("all seals compared: {done} of {of}"),
        Phase.REVEALING: _("turning up: {done} of {of}"),
        Phase.DRAWING: _("drawing a lot together: {done} of {of}"),
        Phase.SIGNING: _("signing the result: {done} of {of}"),
    }.get(play.phase)
    if words is None:
        return ""
    if play.phase is Phase.SHUFFLING:
        done, of = play.shuffled
    return words.format(done=done, of=of)


def introduced(player: Player, meeting: Meeting, me: bytes, name: str = "") -> list[str]:
    """Who somebody is; loud if it is not whom the name belongs to. `name`: what they are called at
    this table, where others may look alike."""
    [known] = shown_names([player.name])
    name = name or known
    mark = fingerprint(player.key)
    match meeting.known:
        case Known.IMPOSTOR if meeting.owner == me:
            return [_("{name} has your name, and another key: {mark}").format(name=name, mark=mark)]
        case Known.IMPOSTOR:
            forget = f"p2pfruit id book {fingerprint(meeting.owner)} --forget"
            return [
                _("WARNING: {name} is NOT the {known} you know").format(name=name, known=known),
                *_both(meeting.owner, mark),
                _("  ask them on another channel; if they have a new key: {command}").format(
                    command=forget
                ),
            ]
        case Known.ALIKE if meeting.owner == me:
            words = _("{name} has a name that looks like yours, and another key: {mark}")
            return [words.format(name=name, mark=mark)]
        case Known.ALIKE:
            words = _("WARNING: {name} only looks like {known}, whom you know")
            return [
                words.format(name=name, known=shown_names([meeting.like])[0]),
                *_both(meeting.owner, mark),
                _("  ask them on another channel who they are"),
            ]
        case Known.RENAMED:
            words = _("{name} was called {old} before: {mark}")
            old = shortened(meeting.old_name)
            return [words.format(name=name, old=old, mark=mark), *_alike(name, meeting)]
        case Known.NEW:
            return [_("{name} is new to you: {mark}").format(name=name, mark=mark)]
    return _alike(name, meeting)


def _alike(name: str, meeting: Meeting) -> list[str]:
    """Of somebody who was met under this name before."""
    if not meeting.like:
        return []
    words = _("{name} is not {known}: the names look alike")
    return [words.format(name=name, known=shown_names([meeting.like])[0])]


def _both(owner: bytes, mark: str) -> list[str]:
    return [
        _("  the one you know has {mark}").format(mark=fingerprint(owner)),
        _("  this one has         {mark}").format(mark=mark),
    ]


class JsonObserver(_Log):
    """One object a line; see docs/json.md."""

    def __init__(self, key: bytes, meet: Meet, *, verbose: bool = False) -> None:
        super().__init__(wanted=verbose)
        self._key = key
        self._meet = meet
        self._lobby: object = None

    def gathered(self, offer: Offer, people: People) -> None:
        here = [{"name": name, "fingerprint": fingerprint(key)} for key, name in people]
        if here != self._lobby:
            self._lobby = here
            emit("lobby", game=offer.game, seats=offer.seats, players=here)

    def began(self, runner: SeatRunner) -> None:
        peer = runner.peer
        roster = peer.table.roster
        emit(
            "table",
            id=roster.table.hex(),
            game=roster.game,
            rules_id=roster.rules_id,
            options=dict(roster.options),
            limits=dict(roster.limits),
            me=peer.me,
            players=[self._player(player) for player in roster.players],
        )

    def _player(self, player: Player) -> dict[str, object]:
        known = "me" if player.key == self._key else self._meet(player).known.value
        return {"name": player.name, "fingerprint": fingerprint(player.key), "known": known}

    def happened(self, events: Sequence[Happened]) -> None:
        for event in events:
            match event:
                case Event():
                    print(json.dumps(event._asdict()), flush=True)
                case Lost(player, step, ending):
                    emit("lost", player=player, step=step, why=ending.why, code=ending.code)
                case Linked(player, there):
                    emit("linked", player=player, there=there)
                case Chatted(player, text):
                    emit("chat", player=player, text=text)
                case Listens(player, addresses):
                    emit("listens", player=player, addresses=addresses)
                case Differs(player):
                    emit("differs", player=player)
                case Again():
                    emit("again")
                case Said(player, kind, step):
                    emit("said", player=player, kind=kind, step=step)

    def asked_about(self, question: Question) -> None:
        emit(
            "question",
            players=question.players,
            waited_s=question.waited_ms // 1000,
            can_go_on=question.can_go_on,
            direct=question.direct,
            default=question.default,
        )

    def ticked(self, peer: Peer, now_ms: int) -> None: ...


def emit(what: str, **fields: Any) -> None:
    print(json.dumps({"what": what, **fields}), flush=True)
