"""A table of peers in lines: printed as it happens, and answered by typing."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from p2pfruit import exits
from p2pfruit.games.narrator import narrator_for
from p2pfruit.home.results import GameResult, placed
from p2pfruit.language import text as _
from p2pfruit.net.qr import qr_lines
from p2pfruit.replay import verdict
from p2pfruit.seat.lobby import People
from p2pfruit.seat.players import DeciderFactory, written_decider
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.commands import TableCommands, talk_help
from p2pfruit.ui.history import history_help
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.lines.person import person_decider
from p2pfruit.ui.lines.player import leaving_help, paused
from p2pfruit.ui.lines.printing import print_lines
from p2pfruit.ui.lines.scene import scene_lines
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.terminal import at_terminal
from p2pfruit.ui.wording import trouble_line
from protocol.file.gamefile import without_seat
from protocol.file.report import Report
from protocol.peer.absence import Question
from protocol.peer.lobby import Offer
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
        self._verbose = verbose
        self._qr = qr
        self._shown: Report | None = None  # the result, once it was told
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

    # What is typed.

    def _make_keyboard(self) -> Keyboard:
        keyboard = Keyboard(
            print_lines, sys.stdin.fileno(), sys.stdin.encoding, person=sys.stdin.isatty()
        )
        commands, talk = self._commands, self.table.talk
        keyboard.commands |= {
            **dict.fromkeys(("who", "qui", "links", "liens"), commands.who),
            "mute": talk.mute_typed,
            "unmute": talk.unmute_typed,
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
            print_lines([_("type ? for help, rules for the rules, quit to leave")])
            await self.keyboard.run()

    def _help(self, _rest: str) -> list[str]:
        plays = self.decider_factory is not None
        return [
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

    def gathered(self, offer: Offer, people: People, lines: Sequence[str]) -> None:
        print_lines(lines)

    def invited(self, invitation: str, to_watch: str | None) -> None:
        print_lines([_("others join with:")])
        print(f"  p2pfruit join {invitation}", flush=True)
        if to_watch is not None:
            print_lines([_("and watch with:")])
            print(f"  p2pfruit watch {to_watch}", flush=True)
        if self._qr:
            colour, encoding = sys.stdout.isatty(), sys.stdout.encoding
            for line in qr_lines(invitation, encoding=encoding, colour=colour):
                print(line, flush=True)

    def began(self, lines: Sequence[str]) -> None:
        print_lines(lines)

    def happened(self, events: Sequence[Happened], lines: Sequence[str]) -> None:
        print_lines(lines)

    def spoke(self, line: str) -> None: ...

    def asked_about(self, question: Question, lines: Sequence[str]) -> None:
        print_lines(lines)

    def ticked(self, now_ms: int, lines: Sequence[str]) -> None:
        print_lines(lines)

    def log(self, address: str, why: str) -> None:
        if self._verbose and sys.stderr is not None:
            print(trouble_line(address, why), file=sys.stderr)

    async def over(self, found: Report, peer: Peer) -> None:
        self._shown = found
        self._show_result(found, peer)

    def _show_result(self, found: Report, peer: Peer) -> None:
        table, names = without_seat(peer.table), verdict.player_names(found)
        lines = [""]
        if found.places:
            me = found.seats.index(peer.me) if peer.me in found.seats else None
            narrator = narrator_for(peer.table.game, [names[p] for p in found.seats], me)
            lines += [*narrator.ranking(placed(table.play.state, found)), ""]
        print_lines([*lines, verdict.headline(found, names), *verdict.losses(table, found, names)])

    def checked(self, ended: GameResult, peer: Peer) -> None:
        if ended.report != self._shown:  # the file holds less than was said at the table
            self._show_result(ended.report, peer)
        lines = []
        if ended.verified:
            lines.append(_("verified: every signature and every proof of this game holds"))
            lines.append(verdict.verified_means())
        else:
            lines.append(_("WARNING: the game file failed verification; please report this"))
        print_lines(lines)
        if ended.file is not None:
            print(_("the game is in {path}").format(path=shown_path(str(ended.file))), flush=True)
