"""A table as JSON, one object a line; see docs/json.md."""

import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from engine.moves import Event
from engine.needs import Done
from p2pfruit import exits
from p2pfruit.games import terms
from p2pfruit.home.results import GameResult
from p2pfruit.home.store import Meeting
from p2pfruit.seat.lobby import People
from p2pfruit.seat.players import written_decider
from p2pfruit.text import places
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.wording import trouble_line
from protocol.feed.roster import Player
from protocol.file.gamefile import without_seat
from protocol.file.report import Report
from protocol.peer.absence import Question
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Again, Chatted, Differs, Happened, Linked, Listens, Lost, Said

Result = TypeVar("Result")


class JsonFront:
    """`decider`: a level or a command that plays; None for a spectator."""

    progress = None

    def __init__(self, table: TableObserver, decider: str | None, *, verbose: bool = False) -> None:
        self.table = table
        self.decider_factory = None if decider is None else written_decider(decider, exits.say)
        self._verbose = verbose
        self._lobby: object = None

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        return exits.run_trio(main)

    async def read_keys(self) -> None: ...

    def gathered(self, offer: Offer, people: People, lines: Sequence[str]) -> None:
        here = [{"name": name, "fingerprint": fingerprint(key)} for key, name in people]
        if here != self._lobby:
            self._lobby = here
            emit("lobby", **terms.fields(offer), seats=offer.seats, players=here)

    def invited(self, invitation: str, to_watch: str | None) -> None:
        emit("invitation", seat=invitation, watch=to_watch)

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
                case Again():
                    emit("again")
                case Said(player, kind, step):
                    emit("said", player=player, kind=kind, step=step)

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
        )

    def ticked(self, now_ms: int, lines: Sequence[str]) -> None: ...

    def log(self, address: str, why: str) -> None:
        if self._verbose and sys.stderr is not None:
            print(trouble_line(address, why), file=sys.stderr)

    async def over(self, found: Report, peer: Peer) -> None: ...

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


def _player(player: Player, meeting: Meeting | None) -> dict[str, object]:
    known = "me" if meeting is None else meeting.known.value
    return {"name": player.name, "fingerprint": fingerprint(player.key), "known": known}


def emit(what: str, **fields: Any) -> None:
    print(json.dumps({"what": what, **fields}), flush=True)


def emit_event(event: Event) -> None:
    print(json.dumps(event._asdict()), flush=True)
