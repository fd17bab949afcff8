"""The full screen as a front: lobby, table, scoring and final ranking, one after the other.

Behind it stands a front in lines, which hears everything and says nothing: when the window becomes
too small the table goes on in lines, and comes back when there is room again.
"""

import argparse
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import trio

from engine.moves import Event, Move
from engine.needs import Done
from engine.record import State
from engine.views import View
from p2pfruit.games.scenes import Option
from p2pfruit.home.ending import Ended
from p2pfruit.home.gamefiles import Progress
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.net.qr import qr_lines
from p2pfruit.replay import verdict
from p2pfruit.seat.lobby import People
from p2pfruit.seat.node import Observer
from p2pfruit.seat.players import Decider
from p2pfruit.seat.seat import SeatRunner
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.fronts import Front
from p2pfruit.ui.lines.observer import LineObserver, Meet, question_lines, trouble_line
from p2pfruit.ui.lines.person import talk_help
from p2pfruit.ui.lines.player import paused
from p2pfruit.ui.screen import fitness
from p2pfruit.ui.screen.final import Final, FinalPage
from p2pfruit.ui.screen.lobby import LobbyModel, LobbyPage
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.overlays import ChoicePage, Deciding, LinesPage
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import (
    Pages,
    Words,
    pages_for,
    rounds_seen,
    show_rounds,
    words_for,
)
from p2pfruit.ui.screen.watching import Watching
from protocol.peer.absence import Question, Reply
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Happened

Result = TypeVar("Result")


class FullFront(Front):
    def __init__(
        self,
        arguments: argparse.Namespace,
        settings: Settings,
        key: bytes,
        meet: Meet,
        decider: str | None,
    ) -> None:
        self._aside = False  # whether lines are used for now
        self._moved = trio.Event()  # from the screen to lines, or back
        self._settings = settings
        self._stage: Stage | None = None
        self._verbose: bool = arguments.verbose
        self._paused = trio.Event()
        self._watches = decider is None
        self._lobby = LobbyModel()
        self._summary: list[str] = []  # what stays in the terminal when the screen is gone
        self.model = TableModel(settings)
        super().__init__(arguments, settings, key, meet, decider)
        self.model.talk = self.talk
        plain = fitness.plain_glyphs(settings)
        self._watching = Watching(self.model, self._lobby, plain=plain)
        self.screen = _Both(self.lines, self._watching, self._begin, self._log)
        self._line_decider = self.decider_factory
        if decider is not None:
            self.decider_factory = self._screen_decider

    def say(self, lines: Sequence[str]) -> None:
        self.model.told(lines, news=bool(self.model.game))  # the lobby has a page of its own
        if self._aside:
            super().say(lines)

    def _chat(self, text: str) -> list[str]:
        """What I said stands among what the others say."""
        answer = super()._chat(text)
        if not answer:
            self.model.told(self.talk.lines[-1:])
        return answer

    def say_game(self, lines: Sequence[str]) -> None:
        self.model.told(lines, news=False)
        if self._aside:
            super().say(lines)

    def _log(self, address: str, why: str) -> None:
        """Troubles of lines belong to the story; stderr lies below the screen."""
        if self._verbose:
            self.model.told([trouble_line(address, why)], news=False)
        if self._aside:
            self.lines.log(address, why)

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        from p2pfruit.ui.screen import driver

        async def on_stage(stage: Stage) -> Result:
            self._stage = stage
            self.model.changed = stage.redraw
            self.model.ring = stage.ring
            stage.put(LobbyPage(self._lobby, self._leave_lobby, stage.copy))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.model.turn_up)
                nursery.start_soon(show_rounds, self.model, stage)
                nursery.start_soon(self._leave_for_now)
                result = await main()
                nursery.cancel_scope.cancel()
            return result

        result = driver.run(on_stage, self._settings)
        if not driver.held():
            super().say(self._summary)
        return result

    # The pages.

    def _begin(self) -> None:
        """The table has begun."""
        stage = self._stage
        assert stage is not None
        stage.clear()
        stage.put(TablePage(self.model, self._words(stage), self._pages()))

    def _pages(self) -> Pages:
        model = self.model
        links = _("the players and the links to them")
        return {
            **pages_for(model, self._more_help()),
            "f3": lambda: LinesPage(links, lambda: model.links),
            "escape": self._menu_page,
        }

    def _more_help(self) -> list[tuple[str, str]]:
        """Keys and words that only a table of peers has."""
        links = ("F3", _("the players and the links to them"))
        if self._watches:
            return [links, ("Ctrl-C", _("end the program"))]
        words = [text.split("  ", 1) for text in talk_help()]
        return [
            ("Tab", _("say something to everybody")),
            links,
            ("Ctrl-C", _("end the program; the table is kept for p2pfruit resume")),
            *((word, means.strip()) for word, means in words),
        ]

    def _words(self, stage: Stage) -> Words:
        """What can be typed, as in line mode."""
        return {
            **({} if self._watches else {"say": self._chat}),
            "mute": self.talk.mute_typed,
            "unmute": self.talk.unmute_typed,
            "pause": self._pause,
            **words_for(stage, self._pages()),
        }

    def _menu_page(self) -> Page:
        if self._watches:
            return Deciding(
                ChoicePage(_("stop watching?"), "", [_("go on watching"), _("stop")]),
                [None, self._leave],
            )
        words = _("leaving for good ends the game for you, and the others begin the round again")
        choices = [_("back to the table"), _("leave for now: p2pfruit resume goes on with it")]
        page = ChoicePage(_("the table"), words, [*choices, _("leave for good")])
        return Deciding(page, [None, self._paused.set, self._leave])

    async def _leave_for_now(self) -> None:
        await self._paused.wait()
        raise paused()

    def _pause(self, rest: str) -> list[str]:
        if self._runner is None:
            return super()._pause(rest)
        self._paused.set()
        return []

    def _leave(self) -> None:
        assert self.node is not None
        self.node.leave()

    def _leave_lobby(self) -> None:
        if self.node is not None:  # else it comes into being at this moment
            self.node.leave()

    # Deciding.

    @asynccontextmanager
    async def _screen_decider(self, peer: Peer) -> AsyncIterator[Decider]:
        assert self._line_decider is not None
        async with self._line_decider(peer) as in_lines:
            yield _ScreenDecider(self, in_lines)

    async def answer(
        self, on_screen: Callable[[], Awaitable[Any]], in_lines: Callable[[], Awaitable[Any]]
    ) -> Any:
        """Asks on the screen, or in lines while it is put aside; what was asked at one place is
        asked again at the other."""
        while True:
            moved = self._moved
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_after, moved, nursery.cancel_scope)
                found = await (in_lines if self._aside else on_screen)()
                nursery.cancel_scope.cancel()
                return found

    async def read_keys(self) -> None:
        """Minds the size of the window, and types lines while it is too small."""
        stage = self._stage
        assert stage is not None
        while True:
            await stage.wait_small()
            async with stage.aside():
                self._move(aside=True)
                super().say([_("the window is too small for the full screen: line mode")])
                try:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(super().read_keys)
                        await stage.wait_large()
                        nursery.cancel_scope.cancel()
                finally:  # also when the game has ended meanwhile
                    self._move(aside=False)

    def _move(self, *, aside: bool) -> None:
        self._aside = aside
        self._moved.set()
        self._moved = trio.Event()

    @property
    def names(self) -> Sequence[str]:
        """By player, as they are shown."""
        return self._watching.names

    # What is said at the ends.

    def code(self, text: str) -> list[str]:
        plain = fitness.plain_glyphs(self._settings)
        return qr_lines(text, encoding="ascii" if plain else "utf-8")

    def invite(self, invitation: str, to_watch: str | None, qr: Sequence[str]) -> None:
        self._lobby.invitation = invitation
        self._lobby.to_watch = to_watch or ""
        self._lobby.qr = qr
        self.model.changed()

    async def checking(self, check: Callable[[Progress | None], Ended]) -> Ended:
        def show(done: int, of: int) -> None:
            words = _("checking every proof of the game file: {done} of {of}")
            self.model.progress = words.format(done=done, of=of)
            self.model.changed()

        def progress(done: int, of: int) -> None:
            trio.from_thread.run_sync(show, done, of)

        return await trio.to_thread.run_sync(check, progress)

    async def ended(self, ended: Ended, peer: Peer) -> None:
        assert self._stage is not None
        await rounds_seen(self.model, self._stage)
        self._stage.clear()
        final = final_of(ended, peer, self.names)
        self._summary = summary_of(final)
        await self._stage.visit(FinalPage(final))


def final_of(ended: Ended, peer: Peer, names: Sequence[str]) -> Final:
    """`names`: by player, as they are shown."""
    found = ended.report
    over = bool(found.seats) and isinstance(peer.table.play.state.need, Done)
    me = found.seats.index(peer.me) if peer.me is not None and peer.me in found.seats else None
    return Final(
        names=[names[player] for player in found.seats],
        places=found.places if over and found.scores else (),
        rounds=found.scores,
        me=me,
        headline=verdict.headline(found, names),
        verified=ended.verified,
        file="" if ended.file is None else shown_path(str(ended.file)),
    )


def summary_of(final: Final) -> list[str]:
    ranked = sorted(zip(final.places, final.names, strict=False))
    names = ", ".join(f"{place}. {name}" for place, name in ranked)
    verified = _("verified ✓") if final.verified else _("NOT verified")
    file = [_("the game is in {path}").format(path=final.file)] if final.file else []
    return [*([names] if names else []), f"{final.headline}; {verified}", *file]


async def _cancel_after(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


class _ScreenDecider:
    """A person at the screen."""

    def __init__(self, front: FullFront, in_lines: Decider) -> None:
        self._front = front
        self.model = front.model
        self._in_lines = in_lines

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        presenter = self.model.presenter
        assert presenter is not None
        options = presenter.options(view)
        if len(options) == 1:
            words = _("the only answer left is given for you: {label}")
            self.model.told([words.format(label=options[0].label)])
            return options[0].move
        inquiry = Inquiry(presenter.question(view), options, partial(presenter.narrator.read, view))
        move: Move = await self._front.answer(
            partial(self.model.ask, inquiry), partial(self._in_lines.choose, view, events)
        )
        return move

    async def absent(self, question: Question) -> Reply:
        replies = {
            Move("wait"): (Reply.WAIT, _("wait")),
            Move("go"): (Reply.GO_ON, _("go on without")),
            Move("stop"): (Reply.STOP, _("stop the table")),
        }
        options = [
            Option(label=label, move=move)
            for move, (reply, label) in replies.items()
            if reply is not Reply.GO_ON or question.can_go_on
        ]
        words = question_lines(question, self._front.names)[0]

        async def ask() -> Reply:
            return replies[await self.model.ask(Inquiry(words, options, careful=True))][0]

        found: Reply = await self._front.answer(ask, partial(self._in_lines.absent, question))
        return found

    async def done(self, state: State, events: Sequence[Event]) -> None:
        pass


class _Both:
    """Lines and screen hear the same."""

    def __init__(
        self,
        lines: LineObserver,
        watching: Watching,
        begin: Callable[[], None],
        log: Callable[[str, str], None],
    ) -> None:
        self._observers: Sequence[Observer] = (lines, watching)
        self._begin = begin
        self.log = log

    def gathered(self, offer: Offer, people: People) -> None:
        for observer in self._observers:
            observer.gathered(offer, people)

    def began(self, runner: SeatRunner) -> None:
        for observer in reversed(self._observers):  # the screen first: it shows what lines say
            observer.began(runner)
        self._begin()

    def happened(self, events: Sequence[Happened]) -> None:
        for observer in self._observers:
            observer.happened(events)

    def asked_about(self, question: Question) -> None:
        for observer in self._observers:
            observer.asked_about(question)

    def ticked(self, peer: Peer, now_ms: int) -> None:
        for observer in self._observers:
            observer.ticked(peer, now_ms)
