"""A front: how somebody sees a table and plays at it.

It is shown on the full screen (terminal/front.py), in lines or as JSON; moves come from a person,
from a bot of ours, or from a program. Without a terminal nobody is asked: then a bot or a program
plays, or `--plain` says that lines on stdin are the answers.
"""

import argparse
import sys
from collections.abc import Awaitable, Callable, Sequence
from random import SystemRandom
from shutil import get_terminal_size
from typing import Any, TypeVar

import trio

from engine.needs import Done
from engine.views import View
from p2pfruit import limits, running
from p2pfruit.bots import LEVELS
from p2pfruit.bots.external import split_command
from p2pfruit.complaints import say as say_aside
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.games.narrator import narrator_for
from p2pfruit.home.ending import Ended
from p2pfruit.home.gamefiles import Progress
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.net.qr import qr_lines
from p2pfruit.replay import verdict
from p2pfruit.seat.node import Node, Observer
from p2pfruit.seat.players import (
    DeciderFactory,
    bot_decider,
    external_decider,
    person_decider,
    talk_help,
)
from p2pfruit.seat.seat import SeatRunner, now_ms
from p2pfruit.text.safe import shown_names, shown_path
from p2pfruit.ui.chat import Talk
from p2pfruit.ui.history import TableHistory, history_help
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.lines.observer import (
    JsonObserver,
    LineObserver,
    Meet,
    clock,
    emit,
    link_line,
    progress,
    waiting_line,
)
from p2pfruit.ui.lines.player import fold, leaving_help, paused
from p2pfruit.ui.lines.scene import scene_lines
from p2pfruit.ui.screen.fitness import at_terminal, full_screen
from protocol.errors import LocalProtocolError
from protocol.peer.peer import Peer

Result = TypeVar("Result")

OUTSIDE = "outside: "  # before the command, where a decider is written down


def add_front_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--auto", choices=LEVELS, help=_("a bot of this level plays for you"))
    parser.add_argument(
        "--bot", metavar=_("COMMAND"), help=_("a program of yours plays, over stdin and stdout")
    )
    add_view_arguments(parser)
    parser.add_argument(
        "--plain", action="store_true", help=_("lines on stdin are your answers, in a pipe too")
    )


def add_view_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("one event a line as JSON"))
    parser.add_argument("--record", metavar=_("FILE"), help=_("put a copy of the game file there"))
    parser.add_argument(
        "--verbose", action="store_true", help=_("tell what happens on the links, on stderr")
    )


class Front:
    """In lines, or as JSON. `decider`: who plays, as it is written down: "" a person, a level, or a
    command; None: nobody, this front only shows."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        settings: Settings,
        key: bytes,
        meet: Meet,
        decider: str | None,
    ) -> None:
        self.decider = decider or ""
        self._json: bool = arguments.json
        self._keyboard: Keyboard | None = None
        self.node: Node | None = None  # whose table it is
        self.talk = Talk(wanted=settings.chat)
        self.history = TableHistory()
        verbose: bool = arguments.verbose
        self.lines = LineObserver(
            self.say,
            key,
            meet,
            verbose=verbose,
            talk=self.talk,
            say_game=self.say_game,
            history=self.history,
        )
        self.screen: Observer = self.lines
        if self._json:
            self.screen = JsonObserver(key, meet, verbose=verbose)
        self.decider_factory = None if decider is None else self._decider_factory(decider)
        if decider is None and not self._json and at_terminal():
            self._keyboard = self._make_keyboard()

    def say(self, lines: Sequence[str]) -> None:
        print_lines(lines)

    def say_game(self, lines: Sequence[str]) -> None:
        """What the game itself tells."""
        self.say(lines)

    def run(self, main: Callable[[], Awaitable[Result]]) -> Result:
        """Runs a table in front of whoever looks."""
        return running.run(main)

    async def checking(self, check: Callable[[Progress | None], Ended]) -> Ended:
        """Has the game file checked at the end."""
        return await trio.to_thread.run_sync(check, None)

    def _decider_factory(self, decider: str) -> DeciderFactory:
        if decider.startswith(OUTSIDE):
            return external_decider(decider.removeprefix(OUTSIDE), say_aside)
        if decider:
            return bot_decider(decider, SystemRandom())
        self._keyboard = keyboard = self._make_keyboard()
        keyboard.commands["say"] = self._chat
        keyboard.idle["pause"] = self._pause
        return person_decider(keyboard, self.say, self.history.words())

    def _make_keyboard(self) -> Keyboard:
        keyboard = Keyboard(
            self.say, sys.stdin.fileno(), sys.stdin.encoding, person=sys.stdin.isatty()
        )
        keyboard.commands |= {
            **dict.fromkeys(("who", "qui", "links", "liens"), self._who),
            "mute": self.talk.mute_typed,
            "unmute": self.talk.unmute_typed,
        }
        keyboard.idle |= {
            **self.history.words(),
            **dict.fromkeys(("t", "table"), self._table),
            **dict.fromkeys(("?", "h", "help", "aide"), self._help),
            **dict.fromkeys(("q", "quit", "quitter"), self._quit),
        }
        return keyboard

    async def read_keys(self) -> None:
        if self._keyboard is not None:
            self.say([_("type ? for help, rules for the rules, quit to leave")])
            await self._keyboard.run()

    @property
    def _runner(self) -> SeatRunner | None:
        return None if self.node is None else self.node.runner

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
        runner, presenter = self._runner, self.lines.presenter
        if runner is None or presenter is None:
            return [_("nobody is there yet")]
        party, play = runner.peer.party, runner.peer.table.play
        view: View[Any] = View(play.game, play.state, None, {}) if party is None else party.view()
        return scene_lines(presenter.scene(view))

    def _pause(self, _rest: str) -> list[str]:
        if self._runner is None:
            return [_("there is no table to keep yet; quit leaves")]
        raise paused()

    def _quit(self, _rest: str) -> list[str]:
        assert self.node is not None
        self.node.leave()
        return []

    @property
    def left(self) -> Peer | None:
        """The peer of a table that was left before its end."""
        runner = self._runner
        return runner.peer if runner is not None and runner.peer.given_up else None

    def _chat(self, text: str) -> list[str]:
        if (runner := self._runner) is None:
            return [_("nobody is there yet")]
        if not runner.peer.chatting:
            return [_("this table plays in silence")]
        try:
            runner.act(runner.peer.chat, text)
        except LocalProtocolError as error:
            return [error.why]
        self.talk.mine(text)
        return []

    def _who(self, _rest: str) -> list[str]:
        if (runner := self._runner) is None:
            return [_("nobody is there yet")]
        peer = runner.peer
        names = shown_names([player.name for player in peer.table.roster.players])
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        lines = [link_line(peer, player, names) for player in range(len(names))]
        if peer.me is not None and peer.table.owes(peer.me):
            left = clock(peer.clocks.left_ms(peer.me, now_ms()))
            lines += [_("you have {left} left to choose").format(left=left)] if left else []
        if waiting:
            lines.append(waiting_line(peer, names, waiting, now_ms()))
        return [*lines, *filter(None, [progress(peer)])]

    # What is said at the ends.

    def code(self, text: str) -> list[str]:
        """A QR code as it can be shown here."""
        return qr_lines(text, encoding=sys.stdout.encoding, colour=sys.stdout.isatty())

    def invite(self, invitation: str, to_watch: str | None, qr: Sequence[str]) -> None:
        if self._json:
            emit("invitation", seat=invitation, watch=to_watch)
            return
        self.say([_("others join with:")])
        print(f"  p2pfruit join {invitation}", flush=True)
        if to_watch is not None:
            self.say([_("and watch with:")])
            print(f"  p2pfruit watch {to_watch}", flush=True)
        for line in qr:
            print(line, flush=True)

    async def ended(self, ended: Ended, peer: Peer) -> None:
        found = ended.report
        if self._json:
            need = peer.table.play.state.need
            assert self.node is not None
            sent, received = self.node.carried_bytes
            emit(
                "done",
                ended=need.ended if isinstance(need, Done) else None,
                places=found.places,
                scores=found.scores,
                seats=found.seats,
                verdict=found.verdict,
                verified=ended.verified,
                file=None if ended.file is None else str(ended.file),
                sent_bytes=sent,
                received_bytes=received,
            )
            return
        names = verdict.player_names(found)
        lines = [""]
        if found.seats and isinstance(peer.table.play.state.need, Done):
            me = found.seats.index(peer.me) if peer.me in found.seats else None
            narrator = narrator_for(peer.table.game, [names[p] for p in found.seats], me)
            lines += [*narrator.ranking(peer.table.play.state), ""]
        lines.append(verdict.headline(found, names))
        if ended.verified:
            lines.append(_("verified: every signature and every proof of this game holds"))
            lines.append(verdict.verified_means())
        else:
            lines.append(_("WARNING: the game file does not hold; please report this"))
        self.say(lines)
        if ended.file is not None:
            print(_("the game is in {path}").format(path=shown_path(str(ended.file))), flush=True)


def chosen_decider(arguments: argparse.Namespace, *, otherwise: str | None = None) -> str:
    """Who plays, as the command line says; `otherwise`: if it says nothing and nobody is there."""
    if arguments.auto and arguments.bot:
        message = _("--auto and --bot both say who plays")
        raise Refusal(message, hint=_("leave one of them out"), code=USAGE)
    if arguments.auto:
        return str(arguments.auto)
    if arguments.bot is not None:
        split_command(arguments.bot)
        return OUTSIDE + str(arguments.bot)
    if not arguments.json and (arguments.plain or at_terminal()):
        return ""
    if otherwise is not None:
        return otherwise
    raise Refusal(
        _("nobody sits at this terminal"),
        hint=_("say who plays: --auto LEVEL, --bot COMMAND, or --plain for lines on stdin"),
        code=USAGE,
    )


def front_for(
    arguments: argparse.Namespace,
    settings: Settings,
    key: bytes,
    meet: Meet,
    decider: str | None,
) -> Front:
    """The full screen where a person plays or looks on and the terminal can show it."""
    plain = arguments.json or getattr(arguments, "plain", False)
    if decider or plain or not full_screen(settings):
        return Front(arguments, settings, key, meet, decider)
    from p2pfruit.ui.screen.front import FullFront

    return FullFront(arguments, settings, key, meet, decider)


def print_lines(lines: Sequence[str]) -> None:
    # Asked each time: a terminal changes its size.
    width = max(get_terminal_size().columns, limits.COLUMNS_LEAST)
    for line in lines:
        print(fold(line, width), flush=True)
