"""A table of peers in lines: printed as it happens, and answered by typing."""

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

import trio

from p2pfruit import exits
from p2pfruit.games.about import about
from p2pfruit.games.narrator import narrator_for
from p2pfruit.home.results import GameResult, placed
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Reach
from p2pfruit.net.invitations import ungrouped
from p2pfruit.net.qr import qr_lines
from p2pfruit.replay import verdict
from p2pfruit.replay.frames import Replay
from p2pfruit.seat.lobby import Gathering
from p2pfruit.seat.news import WayNews
from p2pfruit.seat.players import DeciderFactory, written_decider
from p2pfruit.text.folding import NO_BREAK
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.afterwards import AfterGame
from p2pfruit.ui.commands import TableCommands, talk_help
from p2pfruit.ui.history import history_help
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.lines.person import person_decider
from p2pfruit.ui.lines.player import leaving_help, paused
from p2pfruit.ui.lines.printing import print_lines
from p2pfruit.ui.lines.replay import LineReplay
from p2pfruit.ui.lines.scene import scene_lines
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.terminal import at_terminal
from p2pfruit.ui.wording import YES_OR_NO, knock_question, spaced_code, trouble_line, way_lines
from protocol.file.gamefile import without_seat
from protocol.file.report import Report
from protocol.link.codes import Renewed
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from protocol.table.events import Happened

Result = TypeVar("Result")


class LineFront:
    """`decider`: who plays, as it is written down: "" a person, a level, or a command; None for a
    spectator. `verbose`: troubles of connections go to stderr. `qr`: an invitation has its code."""

    progress = None  # the check of the file takes a moment

    def __init__(
        self, table: TableObserver, decider: str | None, *, verbose: bool = False, qr: bool = False
    ) -> None:
        self.table = table
        self.keyboard: Keyboard | None = None
        self.decider_factory: DeciderFactory | None = None
        self._commands = TableCommands(table)
        self._in_lobby = {} if decider is None else self._commands.lobby.words()
        self._verbose = verbose
        self._qr = qr
        self._greeted = False  # the player knows how to get help
        self._shown: Report | None = None  # the result, once it was told
        self._code = ""  # that was shown last
        self._way_told = ""
        self.after: AfterGame | None = None  # once the table is over
        if decider:
            self.decider_factory = written_decider(decider, exits.say)
        elif decider is not None:
            self.keyboard = keyboard = self._make_keyboard()
            keyboard.commands["say"] = self._commands.chat
            keyboard.idle["pause"] = self._pause
            self.decider_factory = person_decider(table, keyboard, print_lines)
        elif at_terminal():
            self.keyboard = self._make_keyboard()

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        return exits.run_trio(main)

    async def follow(self, _before: "LineFront", main: Callable[[], Awaitable[None]]) -> None:
        """Run another table in these lines."""
        await main()

    @property
    def stays(self) -> bool:
        """Return True if a person reads and types here."""
        return self.keyboard is not None and at_terminal()

    # What is typed.

    def _make_keyboard(self) -> Keyboard:
        keyboard = Keyboard(
            print_lines, sys.stdin.fileno(), sys.stdin.encoding, person=sys.stdin.isatty()
        )
        commands = self._commands
        keyboard.commands |= {
            **dict.fromkeys(("who", "qui", "links", "liens"), commands.who),
            **dict.fromkeys(("invite", "inviter"), commands.invite),
            "mute": commands.mute,
            "unmute": commands.unmute,
            **self._in_lobby,
        }
        keyboard.idle |= {
            **self.table.history.words(),
            **dict.fromkeys(("t", "table"), self._table),
            **dict.fromkeys(("?", "h", "help", "aide"), self._help),
            **dict.fromkeys(("q", "quit", "quitter"), commands.leave),
        }
        return keyboard

    async def read_keys(self) -> None:
        if self.keyboard is not None:
            if not self._greeted:
                print_lines([_("type ? for help, rules for the rules, quit to leave")])
                self._greeted = True
            await self.keyboard.run()

    def _help(self, _rest: str) -> list[str]:
        plays = self.decider_factory is not None
        return [
            *self._commands.lobby.help(),
            _("table  the table again"),
            _("rules  the rules of this game"),
            *history_help(),
            *talk_help(speaks=plays),
            *leaving_help(kept=plays),
        ]

    def _table(self, _rest: str) -> list[str]:
        if self.table.presenter is None:
            return [_("the table has not begun yet")]
        return scene_lines(self.table.presenter.scene(self.table.look()))

    def _pause(self, _rest: str) -> list[str]:
        if self.table.runner is None:
            return [_("there is no table to keep yet; quit leaves")]
        raise paused()

    # What is shown.

    def gathered(self, lobby: Gathering, lines: Sequence[str]) -> None:
        print_lines(lines)
        if lobby.asked and self.decider_factory is not None and self.keyboard is None:
            print_lines(self._commands.lobby.agree())  # there is no person to ask
        elif lobby.asked and lines:
            print_lines([_("type agree to play on, or quit to leave")])

    def overheard(self, key: bytes, text: str, lines: Sequence[str]) -> None:
        print_lines(lines)

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None:
        print_lines(self._commands.invite())
        if self._qr:
            colour, encoding = sys.stdout.isatty(), sys.stdout.encoding
            for line in qr_lines(ungrouped(invitation), encoding=encoding, colour=colour):
                print(line, flush=True)

    def way(self, news: WayNews) -> None:
        if news.what != self._way_told:  # each step of a start once, not each percent
            self._way_told = news.what
            print_lines(way_lines(news))

    @property
    def answers_knocks(self) -> bool:
        return self.keyboard is not None and at_terminal()  # lines of a pipe are for the game

    def coded(
        self, code: str, failures: int, renewed: Renewed | None, lines: Sequence[str]
    ) -> None:
        print_lines(lines)
        if spaced_code(code) != self._code:
            self._code = spaced_code(code)
            print_lines([_("people on this network join with `p2pfruit lan` and this code:")])
            print_lines(["", "  " + _("CODE {code}").format(code=self._code), ""])

    async def knocked(self, key: bytes, name: str) -> bool:
        if self.keyboard is None:
            return False
        print_lines(["", knock_question(name)])
        while True:
            try:
                typed = await self.keyboard.ask(_("yes or no") + " > ")
            except EOFError:
                return False
            if (answer := YES_OR_NO.get(typed.strip().lower())) is not None:
                return answer

    def knocking(self, line: str) -> None:
        print_lines([line])

    def began(self, lines: Sequence[str]) -> None:
        if self.keyboard is not None:
            for word in self._in_lobby:
                self.keyboard.commands.pop(word, None)
        print_lines(lines)

    def happened(self, events: Sequence[Happened], lines: Sequence[str]) -> None:
        print_lines(lines)

    def spoke(self, line: str) -> None: ...

    def asked_about(self, question: Question, lines: Sequence[str]) -> None:
        print_lines(lines)

    def replied(self, question: Question, reply: Reply, *, given: bool, line: str) -> None:
        print_lines([line])

    def ticked(self, now_ms: int, lines: Sequence[str]) -> None:
        print_lines(lines)

    def log(self, address: str, why: str) -> None:
        if self._verbose and sys.stderr is not None:
            print(trouble_line(address, why), file=sys.stderr)

    async def over(self, found: Report, peer: Peer) -> None:
        self.after = AfterGame(self.table, self._show_replay)
        await self.stay(found, peer, self.after)

    async def stay(self, found: Report, peer: Peer, after: AfterGame) -> None:
        """Show the result; where a person types, ask what to do next until the table is left."""
        self._shown = found
        self._show_result(found, peer)
        if not self.stays or peer.given_up:
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._ask_what_next, after)
            await after.left.wait()
            nursery.cancel_scope.cancel()

    async def _ask_what_next(self, after: AfterGame) -> None:
        assert self.keyboard is not None
        with self.keyboard.expected():
            while not after.left.is_set():
                self._list_actions(after)
                try:
                    typed = (await self.keyboard.ask("> ")).strip()
                except EOFError:
                    typed = "leave"
                if (action := after.find(typed)) is not None:
                    print_lines(await after.perform(action))

    def _list_actions(self, after: AfterGame) -> None:
        labels = [f"[{at}] {action.label}" for at, action in enumerate(after.actions(), 1)]
        items = [label.replace(" ", NO_BREAK) for label in labels]
        talk = [_("say TEXT  say something to everyone")] if self.decider_factory else []
        print_lines(["", *after.others(), _("what now?"), "  " + "  ".join(items), *talk])

    async def _show_replay(self, replay: Replay) -> None:
        assert self.keyboard is not None
        keyboard = self.keyboard

        def ask(prompt: str) -> str:
            return trio.from_thread.run(keyboard.ask, prompt)

        words = about(replay.table.game.name)
        await trio.to_thread.run_sync(LineReplay(replay, words, print_lines, ask).run)

    def _show_result(self, found: Report, peer: Peer) -> None:
        table, names = without_seat(peer.table), verdict.player_names(found)
        lines = [""]
        if found.places:
            me = found.seats.index(peer.me) if peer.me in found.seats else None
            narrator = narrator_for(peer.table.game, [names[p] for p in found.seats], me)
            state = placed(table.play.state, found)
            lines += [*narrator.ranking(state), *filter(None, [narrator.decided(state)]), ""]
        print_lines([*lines, verdict.headline(found, names), *verdict.losses(table, found, names)])

    def standings(self, lines: Sequence[str], fields: Mapping[str, Any]) -> None:
        print_lines(["", *lines])

    def checked(self, ended: GameResult, peer: Peer) -> None:
        if self.after is not None:
            self.after.result = ended
        if ended.report != self._shown:  # the file holds less than was said at the table
            self._show_result(ended.report, peer)
        lines = []
        if ended.verified:
            means = verdict.verified_means(ended.report)
            lines.append(_("verified: {means}").format(means=means))
        else:
            lines.append(_("WARNING: the game file failed verification; please report this"))
        print_lines(lines)
        if ended.file is not None:
            print(_("the game is in {path}").format(path=shown_path(str(ended.file))), flush=True)
