"""A table of peers on the full screen: lobby, table, scoring and final ranking.

A front in lines stands behind it. When the window becomes too small the table goes on in lines, and
comes back when there is room again.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import trio

from engine.moves import Event, Move
from engine.needs import NO_PLACE
from engine.record import State
from engine.views import View
from p2pfruit.games import terms
from p2pfruit.games.scenes import Option
from p2pfruit.home.results import GameResult
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.net.qr import qr_lines
from p2pfruit.replay import verdict
from p2pfruit.seat.lobby import People
from p2pfruit.seat.players import Decider
from p2pfruit.seat.seat import now_ms
from p2pfruit.text.places import ranked
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.commands import TableCommands, talk_help
from p2pfruit.ui.lines.front import LineFront
from p2pfruit.ui.lines.player import paused
from p2pfruit.ui.lines.printing import print_lines
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.screen import fitness
from p2pfruit.ui.screen.final import Final, FinalPage
from p2pfruit.ui.screen.lobby import LobbyModel, LobbyPage
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.overlays import ChoicePage, Deciding, LinesPage
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.peers import PeersModel
from p2pfruit.ui.screen.tableside import Pages, TableSide, Words
from p2pfruit.ui.wording import question_lines, reply_words, trouble_line
from protocol.file.gamefile import without_seat
from protocol.file.report import Report
from protocol.peer.absence import Question, Reply
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Happened

Result = TypeVar("Result")


class ScreenFront:
    """`lines` is what stands behind; it says who plays. `verbose`: troubles of connections are
    told. `qr`: an invitation has its code."""

    def __init__(
        self,
        table: TableObserver,
        lines: LineFront,
        settings: Settings,
        *,
        verbose: bool = False,
        qr: bool = False,
    ) -> None:
        self.table = table
        self.model = TableModel(settings, table.talk)
        self.decider_factory = None if lines.decider_factory is None else self._decider
        self._lines = lines
        self._settings = settings
        self._verbose = verbose
        self._qr = qr
        self._commands = TableCommands(table)
        self._lobby = LobbyModel()
        self._peers = PeersModel(table, self.model)
        self._window = _Window(lines)
        self._stage: Stage | None = None
        self._side: TableSide | None = None
        self._page: FinalPage | None = None  # once the table is over
        self._summary: list[str] = []  # what stays in the terminal when the screen is gone

    @property
    def _watches(self) -> bool:
        return self.decider_factory is None

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        from p2pfruit.ui.screen import driver

        async def on_stage(stage: Stage) -> Result:
            self._stage = stage
            self._side = TableSide(self, stage)
            stage.put(LobbyPage(self._lobby, self._leave_lobby, stage.copy))
            return await self._side.run(main)

        result = driver.run(on_stage, self._settings)
        if not driver.held():
            print_lines(self._summary)
        return result

    async def read_keys(self) -> None:
        """Watch the size of the window, and read lines while it is too small."""
        assert self._stage is not None
        await self._window.run(self._stage)

    # What is shown.

    def gathered(self, offer: Offer, people: People, lines: Sequence[str]) -> None:
        names = self.table.show_names([name for _key, name in people])
        told = [] if self._lobby.terms else terms.lines(offer, offer.seats)
        self._lobby.gathered(offer.game, offer.seats, names, told)
        self.model.told(lines, news=False)
        if self._window.aside:
            self._lines.gathered(offer, people, lines)

    def invited(self, invitation: str, to_watch: str | None) -> None:
        self._lobby.invitation = invitation
        self._lobby.to_watch = to_watch or ""
        self._lobby.qr = self._code(invitation) if self._qr else ()
        self.model.changed()

    def _code(self, text: str) -> list[str]:
        plain = fitness.plain_glyphs(self._settings)
        return qr_lines(text, encoding="ascii" if plain else "utf-8")

    def began(self, lines: Sequence[str]) -> None:
        assert self._side is not None
        self._peers.began(now_ms())
        self.model.told(lines)
        self._side.lay()
        if self._window.aside:
            self._lines.began(lines)

    def happened(self, events: Sequence[Happened], lines: Sequence[str]) -> None:
        self._peers.happened(events, lines, now_ms())
        if self._window.aside:
            self._lines.happened(events, lines)

    def spoke(self, line: str) -> None:
        self.model.told([line])

    def asked_about(self, question: Question, lines: Sequence[str]) -> None:
        self.model.told(lines)
        if self._window.aside:
            self._lines.asked_about(question, lines)

    def ticked(self, now_ms: int, lines: Sequence[str]) -> None:
        if lines:
            self.model.told(lines)
        self._peers.tick(now_ms)
        if self._window.aside:
            self._lines.ticked(now_ms, lines)

    def log(self, address: str, why: str) -> None:
        """Tell troubles of connections in the story: stderr lies below the screen."""
        if self._verbose:
            self.model.told([trouble_line(address, why)], news=False)
        if self._window.aside:
            self._lines.log(address, why)

    def progress(self, done: int, of: int) -> None:
        """Show how far the check of the game file is, from the thread that checks it."""
        trio.from_thread.run_sync(self._show_progress, done, of)

    def _show_progress(self, done: int, of: int) -> None:
        words = _("checking every proof of the game file: {done} of {of}")
        self.model.progress = words.format(done=done, of=of)
        if self._page is not None:
            self._page.final = replace(self._page.final, checking=self.model.progress)
        self.model.changed()

    async def over(self, found: Report, peer: Peer) -> None:
        assert self._side is not None
        final = final_of(found, peer, self.table.names)
        self._page = FinalPage(replace(final, checking=_("checking the game file")))
        await self._side.finish(self._page)

    def checked(self, ended: GameResult, peer: Peer) -> None:
        final = checked_final(ended, peer, self.table.names)
        self._summary = summary_of(final)
        if self._page is not None:
            self._page.final = final
        self.model.changed()

    # What this table has beside others.

    def pages(self) -> Pages:
        links = _("the players and the connections to them")
        return {
            "f3": lambda: LinesPage(links, lambda: self.model.links),
            "escape": self._menu_page,
        }

    def words(self) -> Words:
        talk = self.table.talk
        return {
            **({} if self._watches else {"say": self._commands.chat}),
            "mute": talk.mute_typed,
            "unmute": talk.unmute_typed,
            "pause": self._pause,
        }

    def help(self) -> list[tuple[str, str]]:
        links = ("F3", _("the players and the connections to them"))
        if self._watches:
            return [links, ("Ctrl-C", _("end the program"))]
        words = [text.split("  ", 1) for text in talk_help()]
        return [
            ("Tab", _("say something to everyone")),
            links,
            ("Ctrl-C", _("end the program; the table is kept for p2pfruit resume")),
            *((word, means.strip()) for word, means in words),
        ]

    # Leaving.

    def _menu_page(self) -> Page:
        if self._watches:
            return Deciding(
                ChoicePage(_("stop watching?"), "", [_("continue watching"), _("stop")]),
                [None, self._leave],
            )
        words = _("leaving for good ends the game for you, and the others begin the round again")
        choices = [_("back to the table"), _("leave for now; p2pfruit resume continues it")]
        page = ChoicePage(_("the table"), words, [*choices, _("leave for good")])
        return Deciding(page, [None, self._leave_for_now, self._leave])

    def _leave_for_now(self) -> None:
        assert self._side is not None
        self._side.leave(paused())

    def _pause(self, _rest: str) -> list[str]:
        self._leave_for_now()
        return []

    def _leave(self) -> None:
        self._commands.leave()

    def _leave_lobby(self) -> None:
        if self.table.node is not None:  # else it comes into being at this moment
            self._commands.leave()

    # Deciding.

    @asynccontextmanager
    async def _decider(self, peer: Peer) -> AsyncIterator[Decider]:
        assert self._lines.decider_factory is not None
        async with self._lines.decider_factory(peer) as in_lines:
            yield _ScreenDecider(self.table, self.model, self._window, in_lines)


class _Window:
    """The window of the terminal: while it is too small, lines are used."""

    def __init__(self, lines: LineFront) -> None:
        self.aside = False  # lines are used for now
        self._lines = lines
        self._moved = trio.Event()  # from the screen to lines, or back

    async def run(self, stage: Stage) -> None:
        while True:
            await stage.wait_small()
            async with stage.aside():
                self._move(aside=True)
                print_lines([_("the window is too small for the full screen: line mode")])
                try:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._lines.read_keys)
                        await stage.wait_large()
                        nursery.cancel_scope.cancel()
                finally:  # also when the game has ended meanwhile
                    self._move(aside=False)

    def _move(self, *, aside: bool) -> None:
        self.aside = aside
        self._moved.set()
        self._moved = trio.Event()

    async def answer(
        self, on_screen: Callable[[], Awaitable[Any]], in_lines: Callable[[], Awaitable[Any]]
    ) -> Any:
        """Ask on the screen, or in lines while it is put aside; what was asked at one place is
        asked again at the other."""
        while True:
            moved = self._moved
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_after, moved, nursery.cancel_scope)
                found = await (in_lines if self.aside else on_screen)()
                nursery.cancel_scope.cancel()
                return found


async def _cancel_after(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


class _ScreenDecider:
    """A person at the screen, or at the lines behind it."""

    def __init__(
        self, table: TableObserver, model: TableModel, window: _Window, in_lines: Decider
    ) -> None:
        self._table = table
        self._model = model
        self._window = window
        self._in_lines = in_lines

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        inquiry = self._model.question(view)
        if len(inquiry.options) == 1:
            [only] = inquiry.options
            words = _("the only answer left is given for you: {label}")
            self._model.told([words.format(label=only.label)])
            return only.move
        move: Move = await self._window.answer(
            partial(self._model.ask, inquiry), partial(self._in_lines.choose, view, events)
        )
        return move

    async def absent(self, question: Question) -> Reply:
        labels = reply_words(question)
        moves = {Reply.WAIT: Move("wait"), Reply.GO_ON: Move("go"), Reply.STOP: Move("stop")}
        replies = {moves[reply]: reply for reply in labels}
        options = [Option(label=labels[reply], move=move) for move, reply in replies.items()]
        words = question_lines(question, self._table.names)[0]

        async def ask() -> Reply:
            return replies[await self._model.ask(Inquiry(words, options, careful=True))]

        found: Reply = await self._window.answer(ask, partial(self._in_lines.absent, question))
        return found

    async def done(self, state: State, events: Sequence[Event]) -> None:
        pass


def checked_final(ended: GameResult, peer: Peer, names: Sequence[str]) -> Final:
    """Return what the last page shows once the game file was checked."""
    file = "" if ended.file is None else shown_path(str(ended.file))
    return replace(final_of(ended.report, peer, names), verified=ended.verified, file=file)


def final_of(found: Report, peer: Peer, names: Sequence[str]) -> Final:
    """Return what the last page shows of a result. `names`: by player, as they are shown."""
    me = found.seats.index(peer.me) if peer.me is not None and peer.me in found.seats else None
    return Final(
        names=[names[player] for player in found.seats],
        places=found.places if found.scores else (),
        rounds=found.scores,
        me=me,
        headline=verdict.headline(found, names),
        why=verdict.losses(without_seat(peer.table), found, names),
        verified=None,
        file="",
    )


def summary_of(final: Final) -> list[str]:
    names = ", ".join(_ranked(final, seat) for seat in ranked(final.places))
    verified = _("verified ✓") if final.verified else _("NOT verified")
    file = [_("the game is in {path}").format(path=final.file)] if final.file else []
    return [*([names] if names else []), f"{final.headline}; {verified}", *final.why, *file]


def _ranked(final: Final, seat: int) -> str:
    name = final.names[seat]
    if final.places[seat] == NO_PLACE:
        return _("no place: {name}").format(name=name)
    return f"{final.places[seat]}. {name}"
