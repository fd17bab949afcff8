"""A table as JSON, one object a line; see docs/json.md."""

import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from engine.moves import Event
from engine.needs import Done
from p2pfruit import exits, limits
from p2pfruit.games import contracts, terms
from p2pfruit.home.results import GameResult
from p2pfruit.home.store import Meeting
from p2pfruit.net.addresses import Reach
from p2pfruit.net.reachability import whence
from p2pfruit.seat.lobby import Gathering
from p2pfruit.seat.news import WayNews
from p2pfruit.seat.players import written_decider
from p2pfruit.text import places
from p2pfruit.text.fingerprint import fingerprint, matches
from p2pfruit.ui.commands import TableCommands
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.wording import trouble_line
from protocol.feed.entries import VOTE
from protocol.feed.roster import Player
from protocol.file.gamefile import without_seat
from protocol.file.report import Report
from protocol.link.codes import Renewed
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from protocol.table.ballots import parse_vote
from protocol.table.events import (
    Again,
    Asked,
    BallotEnded,
    Chatted,
    Differs,
    Happened,
    Linked,
    Listens,
    Lost,
    Said,
    Wished,
)

Result = TypeVar("Result")


class JsonFront:
    """`decider`: a level or a command that plays; None for a spectator."""

    progress = None
    stays = False  # a program reads this

    def __init__(self, table: TableObserver, decider: str | None, *, verbose: bool = False) -> None:
        self.table = table
        self.decider_factory = None if decider is None else written_decider(decider, exits.say)
        self._verbose = verbose
        self._lobby: object = None
        self._commands = TableCommands(table)
        self._keyboard: Keyboard | None = None

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        return exits.run_trio(main)

    async def follow(self, _before: "JsonFront", main: Callable[[], Awaitable[None]]) -> None:
        await main()

    async def read_keys(self) -> None:
        """Read what a program says in the lobby; a terminal is left to the person there."""
        if self.decider_factory is None or sys.stdin is None or sys.stdin.isatty():
            self._agree_if_asked()
            return
        self._keyboard = Keyboard(self._reply, sys.stdin.fileno(), sys.stdin.encoding, person=True)
        self._keyboard.commands |= {
            **self._commands.lobby.words(),
            "say": self._commands.chat,
            **dict.fromkeys(("q", "quit"), self._commands.leave),
        }
        await self._keyboard.run()
        self._agree_if_asked()

    def _reply(self, lines: Sequence[str]) -> None:
        emit("reply", lines=list(lines))

    def _agree_if_asked(self) -> None:
        """Agree to what has changed if there is no program to ask."""
        asked = self.table.room.lobby is not None and self.table.room.lobby.asked
        if asked and (self._keyboard is None or self._keyboard.ended):
            self._commands.lobby.agree()

    def gathered(self, lobby: Gathering, lines: Sequence[str]) -> None:
        here = [
            {
                "name": one.name,
                "fingerprint": fingerprint(one.key),
                "agreed": one.agreed,
                "bot": one.bot,
                "from": None if (at := whence(lobby.places.get(one.key, ""))) is None else at.value,
            }
            for one in lobby.people
        ]
        told = {
            **terms.fields(lobby.offer),
            "series": contracts.offer_fields(lobby.offer),
            "seats": lobby.offer.seats,
            "offer": lobby.offer.id.hex(),
            "asked": lobby.asked,
            "players": here,
        }
        if told != self._lobby:
            self._lobby = told
            emit("lobby", **told)
        self._agree_if_asked()

    def overheard(self, key: bytes, text: str, lines: Sequence[str]) -> None:
        emit("lobby_chat", fingerprint=fingerprint(key), text=text)

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None:
        emit("invitation", seat=invitation, watch=to_watch, reach=reach.value)

    def way(self, news: WayNews) -> None:
        emit(
            "way",
            way=news.way,
            state=news.state.value,
            address=news.address,
            percent=news.percent,
            text=news.what,
            hint=news.hint,
        )

    @property
    def answers_knocks(self) -> bool:
        return self._keyboard is not None and not self._keyboard.ended

    def coded(
        self, code: str, failures: int, renewed: Renewed | None, lines: Sequence[str]
    ) -> None:
        why = None if renewed is None else renewed.value
        emit("code", code=code, failures=failures, renewed=why)

    async def knocked(self, key: bytes, name: str) -> bool:
        """Ask the program that reads this; it answers with a line on stdin."""
        emit("knock", name=name, fingerprint=fingerprint(key))
        if self._keyboard is None:
            return False
        with self._keyboard.expected():
            try:
                while (yes := _let_in(await self._keyboard.ask(""), key)) is None:
                    pass
            except EOFError:
                return False
        return yes

    def knocking(self, line: str) -> None:
        emit("knocking")

    def began(self, lines: Sequence[str]) -> None:
        roster = self.table.peer.table.roster
        players = zip(roster.players, self.table.meetings, strict=True)
        emit(
            "table",
            id=roster.table.hex(),
            **terms.fields(roster),
            me=self.table.peer.me,
            players=[_player(player, meeting) for player, meeting in players],
        )

    def happened(self, events: Sequence[Happened], lines: Sequence[str]) -> None:
        for event in events:
            match event:
                case Event():
                    emit_event(event)
                case Lost(player, step, ending):
                    emit(
                        "lost",
                        player=player,
                        step=step,
                        why=ending.why,
                        code=ending.code,
                        by=ending.by,
                    )
                case Linked(player, there):
                    emit("linked", player=player, there=there)
                case Chatted(player, text):
                    emit("chat", player=player, text=text)
                case Listens(player, addresses):
                    emit("listens", player=player, addresses=addresses)
                case Differs(player):
                    emit("differs", player=player)
                case Asked(player, step, players):
                    emit("asked", player=player, step=step, players=players)
                case BallotEnded(step, named, answered):
                    emit("ballot", step=step, players=named, answered=answered)
                case Wished(player, wish):
                    emit("wish", player=player, wish=wish)
                case Again():
                    emit("again")
                case Said(player, kind, step):
                    emit("said", player=player, kind=kind, step=step, **self._voted(kind))

    def _voted(self, kind: str) -> dict[str, object]:
        """Return the players that the vote which was said just now names."""
        spoken = self.table.spoken
        if kind != VOTE or spoken is None:
            return {}
        return {"players": sorted(parse_vote(spoken)[1].named)}

    def spoke(self, line: str) -> None: ...

    def asked_about(self, question: Question, lines: Sequence[str]) -> None:
        emit(
            "question",
            players=question.players,
            waited_s=question.waited_ms // 1000,
            can_go_on=question.can_go_on,
            direct=question.direct,
            signing=question.signing,
            default=question.default,
            open_s=int(limits.QUESTION_S),
        )

    def replied(self, question: Question, reply: Reply, *, given: bool, line: str) -> None:
        emit("reply", players=question.players, reply=reply, given=given)

    def ticked(self, now_ms: int, lines: Sequence[str]) -> None: ...

    def log(self, address: str, why: str) -> None:
        if self._verbose and sys.stderr is not None:
            print(trouble_line(address, why), file=sys.stderr)

    async def over(self, found: Report, peer: Peer) -> None: ...

    def standings(self, lines: Sequence[str], fields: Mapping[str, Any]) -> None:
        if fields:
            emit("standings", **fields)

    def checked(self, ended: GameResult, peer: Peer) -> None:
        found, need = ended.report, without_seat(peer.table).play.state.need
        assert self.table.node is not None
        sent, received = self.table.node.carried_bytes
        emit(
            "done",
            ended=need.ended if isinstance(need, Done) else None,
            places=places.plain(found.places),
            scores=found.scores,
            seats=found.seats,
            verdict=found.verdict,
            owing=found.owing,
            stopped=found.stopped,
            stopped_by=found.stopped_by,
            contested_by=found.contested_by,
            voting=found.voting,
            verified=ended.verified,
            **terms.fields(found.roster),
            file=None if ended.file is None else str(ended.file),
            sent_bytes=sent,
            received_bytes=received,
        )


def _let_in(line: str, key: bytes) -> bool | None:
    """Return the answer about this key that a line gives, or None if it gives none."""
    try:
        match json.loads(line):
            case {"let_in": bool(yes), "fingerprint": str(mark)} if matches(mark, key):
                return yes
    except ValueError:
        pass
    return None


def _player(player: Player, meeting: Meeting | None) -> dict[str, object]:
    known = "me" if meeting is None else meeting.known.value
    return {"name": player.name, "fingerprint": fingerprint(player.key), "known": known}


def emit(what: str, **fields: Any) -> None:
    print(json.dumps({"what": what, **fields}), flush=True)


def emit_event(event: Event) -> None:
    print(json.dumps(event._asdict()), flush=True)
