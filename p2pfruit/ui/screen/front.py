"""A table of peers on the full screen: lobby, table, scoring and final ranking.

A front in lines stands behind it. When the window becomes too small the table goes on in lines, and
comes back when there is room again.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import trio

from engine.moves import Event, Move
from engine.needs import NO_PLACE
from engine.record import State
from engine.views import View
from p2pfruit.games import contracts
from p2pfruit.games.narrator import narrator_for
from p2pfruit.games.scenes import Option
from p2pfruit.home.results import GameResult, placed
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.limits import QUESTION_S
from p2pfruit.net.addresses import Reach
from p2pfruit.net.awake import now_ms
from p2pfruit.net.invitations import ungrouped
from p2pfruit.net.qr import qr_lines
from p2pfruit.net.reachability import reach_words
from p2pfruit.replay import verdict
from p2pfruit.replay.frames import Replay
from p2pfruit.seat.lobby import Gathering, left_lobby
from p2pfruit.seat.news import WayNews, WayState
from p2pfruit.seat.players import Decider
from p2pfruit.text.folding import NO_BREAK, unbroken
from p2pfruit.text.places import ranked
from p2pfruit.text.plain import plain
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.afterwards import AfterGame
from p2pfruit.ui.commands import TableCommands, talk_help
from p2pfruit.ui.lines.front import LineFront
from p2pfruit.ui.lines.player import paused
from p2pfruit.ui.lines.printing import print_lines
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.screen import fitness
from p2pfruit.ui.screen.after import AfterScreen
from p2pfruit.ui.screen.final import Final, FinalPage
from p2pfruit.ui.screen.lobby import KeyQuestion, LobbyModel, LobbyPage
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.overlays import ChoicePage, Deciding, LinesPage
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.peers import PeersModel
from p2pfruit.ui.screen.replay import ReplayPage
from p2pfruit.ui.screen.tableside import Pages, TableSide, Words
from p2pfruit.ui.screen.window import Window
from p2pfruit.ui.wording import (
    knock_question,
    question_lines,
    reach_lines,
    reply_hints,
    reply_words,
    spaced_code,
    trouble_line,
    way_lines,
)
from protocol.file.gamefile import without_seat
from protocol.file.report import Report
from protocol.link.codes import Renewed
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from protocol.table.events import Happened

Result = TypeVar("Result")

_OFFER = "offer"  # the name of the question about a changed offer


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
        self._window = Window(lines)
        self._stage: Stage | None = None
        self._side: TableSide | None = None
        self._page: FinalPage | None = None  # once the table is over
        self._after: AfterGame | None = None
        self._summary: list[str] = []  # what stays in the terminal when the screen is gone

    @property
    def stays(self) -> bool:
        return True

    @property
    def _watches(self) -> bool:
        return self.decider_factory is None

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        from p2pfruit.ui.screen import driver

        result = driver.run(partial(self._on, main), self._settings)
        if not driver.held():
            print_lines(self._summary)
        return result

    async def follow(self, before: "ScreenFront", main: Callable[[], Awaitable[None]]) -> None:
        """Run another table on the stage of one that is over."""
        assert before._stage is not None
        self._summary = before._summary
        before._stage.clear()
        await self._on(main, before._stage)

    async def _on(self, main: Callable[[], Awaitable[Result]], stage: Stage) -> Result:
        self._stage = stage
        self._side = TableSide(self, stage)
        self._lobby.chat = lambda: self.table.room.talk.lines
        stage.put(LobbyPage(self._lobby, _Acts(self._commands, self._leave_lobby), stage.copy))
        return await self._side.run(main)

    async def read_keys(self) -> None:
        """Watch the size of the window, and read lines while it is too small."""
        assert self._stage is not None
        await self._window.run(self._stage)

    # What is shown.

    def gathered(self, lobby: Gathering, lines: Sequence[str]) -> None:
        offer, shown = lobby.offer, self._lobby
        shown.game, shown.seats, shown.people = offer.game, offer.seats, self.table.room.people
        shown.terms = contracts.offer_lines(offer)
        shown.hosting, shown.watching = lobby.hosting, self._watches
        shown.questions.pop(_OFFER, None)
        if lobby.asked:
            agree = partial(self._agree, offer.id.hex())
            words = [*self.table.room.news(), _("do you agree? if not, leave with Esc")]
            shown.questions[_OFFER] = KeyQuestion(words=words, keys=[(_("y"), _("agree"), agree)])
            if lines and self._settings.bell:
                self.model.ring()
        self.model.told(lines, news=False)
        if self._window.aside:
            self._lines.gathered(lobby, lines)

    def _agree(self, offer: str) -> list[str]:
        self._commands.lobby.agree(offer)
        return []  # the page shows who has agreed

    def overheard(self, key: bytes, text: str, lines: Sequence[str]) -> None:
        self.model.told(lines, news=False)
        if self._window.aside:
            self._lines.overheard(key, text, lines)

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None:
        self._lobby.invitation = invitation
        self._lobby.reach = [reach_words(reach), *reach_lines(reach)[1:]]
        self._lobby.to_watch = to_watch or ""
        self._lobby.qr = self._code(invitation) if self._qr else ()
        self.model.changed()

    def way(self, news: WayNews) -> None:
        done = "" if news.percent is None else f" ({news.percent} %)"
        told, *hint = way_lines(news)
        self._lobby.ways[news.way] = [told + done, *hint]
        self.model.told(way_lines(news) if news.state is not WayState.OPENING else [], news=False)

    def _code(self, text: str) -> list[str]:
        plain = fitness.plain_glyphs(self._settings)
        return qr_lines(ungrouped(text), encoding="ascii" if plain else "utf-8")

    answers_knocks = True

    def coded(
        self, code: str, failures: int, renewed: Renewed | None, lines: Sequence[str]
    ) -> None:
        self._lobby.code = spaced_code(code)
        self._lobby.code_news = " ".join(lines)
        self.model.told(lines, news=False)
        self.model.changed()
        if self._window.aside:
            self._lines.coded(code, failures, renewed, lines)

    async def knocked(self, key: bytes, name: str) -> bool:
        ask = partial(self._lobby.ask, knock_question(name), self.model.changed)
        let_in: bool = await self._window.answer(ask, partial(self._lines.knocked, key, name))
        return let_in

    def knocking(self, line: str) -> None:
        self._lobby.calling = line
        self.model.changed()

    def began(self, lines: Sequence[str]) -> None:
        assert self._side is not None
        self._peers.began(now_ms())
        self.model.advised = self.table.among_bots
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
        self.model.told(lines[:1], news=False)  # the question itself says it
        self.model.told(lines[1:])
        if self._window.aside:
            self._lines.asked_about(question, lines)

    def replied(self, question: Question, reply: Reply, *, given: bool, line: str) -> None:
        self.model.given = line
        self.model.told([line])
        if self._window.aside:
            self._lines.replied(question, reply, given=given, line=line)

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
        self._after = after = AfterGame(self.table, self._show_replay)
        say = None if self._watches else self._commands.chat
        below = AfterScreen(after, self.model, say, self._show_lines)
        self._page = page = FinalPage(replace(final, checking=_("checking the game file")), below)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(below.run)
            await self._window.answer(
                partial(self._side.finish, page, after.left.wait),
                partial(self._lines.stay, found, peer, after),
            )
            nursery.cancel_scope.cancel()

    def _show_lines(self, title: str, lines: Sequence[str]) -> None:
        assert self._stage is not None
        page = LinesPage(title, lambda: lines)
        page.press("home")
        self._stage.put(page)

    async def _show_replay(self, replay: Replay) -> None:
        assert self._stage is not None
        await ReplayPage(replay, motion=self._settings.motion).shown_on(self._stage)

    def standings(self, lines: Sequence[str], fields: Mapping[str, Any]) -> None:
        self.model.told(lines[:1])  # the page has little room, and this line says who leads
        if self._window.aside:
            self._lines.standings(lines, fields)

    def checked(self, ended: GameResult, peer: Peer) -> None:
        final = checked_final(ended, peer, self.table.names)
        self._summary[:] = summary_of(final, ascii=fitness.plain_glyphs(self._settings))
        if self._after is not None and self._page is not None:
            self._after.result = ended
            self._page.final = final
        if self._window.aside:
            self._lines.checked(ended, peer)
        self.model.changed()

    # What this table has beside others.

    def pages(self) -> Pages:
        links = _("the players and the connections to them")
        return {
            "f3": lambda: LinesPage(links, self._links),
            "escape": self._menu_page,
        }

    def _links(self) -> list[str]:
        """Return how the players are reached; and for the host, how others can watch."""
        invited = ["", *self._commands.invite()] if self.table.invitation else []
        return [line.replace(NO_BREAK, " ") for line in [*self.model.links, *invited]]

    def words(self) -> Words:
        return {
            **({} if self._watches else {"say": self._commands.chat}),
            "mute": self._commands.mute,
            "unmute": self._commands.unmute,
            "pause": self._pause,
        }

    def help(self) -> list[tuple[str, str]]:
        links = ("F3", _("the players, the connections to them, and how others can watch"))
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
        words = _("leaving for good ends the game for you, and the others go on without you")
        play = self.table.peer.table.play
        if len(play.seated) <= play.game.seats[0]:
            words = _("leaving for good ends the game: too few players would be left")
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

    def _leave_lobby(self) -> list[str]:
        assert self._side is not None
        if self.table.node is not None:
            return self._commands.leave()
        self._side.leave(left_lobby())  # the host has not let us in yet
        return []

    # Deciding.

    @asynccontextmanager
    async def _decider(self, peer: Peer) -> AsyncIterator[Decider]:
        assert self._lines.decider_factory is not None
        async with self._lines.decider_factory(peer) as in_lines:
            yield _ScreenDecider(self.table, self.model, self._window, in_lines)


class _Acts:
    """What the keys of the lobby do."""

    def __init__(self, commands: TableCommands, leave: Callable[[], list[str]]) -> None:
        self.leave = leave
        self.say = commands.lobby.say
        self.start = commands.lobby.start
        self.bot = commands.lobby.bot
        self.free = commands.lobby.free_key
        self.form = commands.lobby.form
        self.change = commands.lobby.change


class _ScreenDecider:
    """A person at the screen, or at the lines behind it."""

    def __init__(
        self, table: TableObserver, model: TableModel, window: Window, in_lines: Decider
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
        hints = reply_hints(question, self._table.peer)
        options = [
            Option(label=labels[reply], move=move, hint=hints[reply])
            for move, reply in replies.items()
        ]
        words = question_lines(question, self._table.names)[0]
        until_s = trio.current_time() + QUESTION_S

        async def ask() -> Reply:
            return replies[await self._model.ask(Inquiry(words, options, until_s=until_s))]

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
    seated, table = [names[player] for player in found.seats], without_seat(peer.table)
    narrator = narrator_for(table.game, seated, me)
    return Final(
        names=seated,
        places=found.places if found.scores else (),
        rounds=found.scores,
        me=me,
        headline=verdict.headline(found, names),
        decided=narrator.decided(placed(table.play.state, found)) if found.places else "",
        means=verdict.verified_means(found),
        why=verdict.losses(table, found, names),
        verified=None,
        file="",
    )


def summary_of(final: Final, *, ascii: bool = False) -> list[str]:
    """Return what stays in the terminal. The path of the file stays as it is: it can be copied."""
    names = ", ".join(_ranked(final, seat) for seat in ranked(final.places))
    verified = _("verified ✓") if final.verified else _("NOT verified")
    file = [_("the game is in {path}").format(path=unbroken(final.file))] if final.file else []
    won = filter(None, [names, final.decided])
    said = [*won, f"{final.headline}; {verified}", *final.why]
    return [*(map(plain, said) if ascii else said), *file]


def _ranked(final: Final, seat: int) -> str:
    name = final.names[seat]
    if final.places[seat] == NO_PLACE:
        return _("no place: {name}").format(name=name)
    return f"{final.places[seat]}. {name}"
