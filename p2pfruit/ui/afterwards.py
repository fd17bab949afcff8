"""What a player can do when a game is over: actions as values, for the last page and for lines.

An action says what it is called, how it can be typed, why it is not possible now if it is not, and
what it does. The last page on the full screen shows all of them as a list, and line mode as numbers
and words; neither knows any action by name. To add one, write a method of AfterGame that returns it
and name the method in `AfterGame.actions`, where it is to stand. The list is made anew whenever it
is shown, so labels and reasons may change with what the others want.

What the player wants of the others goes through the seat (p2pfruit/seat/seat.py): `SeatRunner.wish`
tells it in a note, and what the others have told is in `peer.notes.wish(player)`. A new kind of
wish needs a word of the protocol (docs/protocol.md, section 17) and a sentence in
`p2pfruit/ui/wording.py: wish_lines`. An action that ends the stay sets `AfterGame.left`; then the
session leaves the seat with `SeatRunner.part`.
"""

import os
import subprocess
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from p2pfruit.home import verification
from p2pfruit.home.results import GameResult
from p2pfruit.language import current
from p2pfruit.language import text as _
from p2pfruit.replay.frames import Replay
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.observer import TableObserver
from protocol.file.report import report

HTML = ".html"

ShowReplay = Callable[[Replay], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something that a player can do after a game.

    `words` can be typed in line mode, in each language. `why_not` is empty if it can be done now.
    `do` returns lines to show. `suggested`: on the last page it is picked first.
    """

    label: str
    words: tuple[str, ...]
    do: Callable[[], Awaitable[Sequence[str]]]
    why_not: str = ""
    suggested: bool = False


class AfterGame:
    """The time after one game, for the player at this program.

    `show_replay` steps through a replay, in the way of the front that shows the table.
    """

    def __init__(self, table: TableObserver, show_replay: ShowReplay) -> None:
        self.left = table.parting
        self.result: GameResult | None = None  # once the game file was checked
        self._table = table
        self._show_replay = show_replay

    def actions(self) -> list[Action]:
        return [*self._together(), *self._looking_back(), self._leave()]

    def find(self, typed: str) -> Action | None:
        """Return the action that was typed: its number in the list, or one of its words."""
        actions = self.actions()
        if typed.isascii() and typed.isdecimal() and 1 <= int(typed[:4]) <= len(actions):
            return actions[int(typed[:4]) - 1]
        named = [action for action in actions if typed.lower() in action.words]
        return named[0] if named else None

    async def perform(self, action: Action) -> list[str]:
        """Do what the player has chosen, and return lines about it."""
        if action.why_not:
            return [action.why_not]
        return list(await action.do())

    # What the others want.

    def others(self) -> list[str]:
        """Say which of the others are still here."""
        runner, peer, names = self._table.runner, self._table.peer, self._table.names
        if runner is None or not runner.running:
            return []
        others = [player for player in range(len(names)) if player != peer.me]
        here = [names[p] for p in others if peer.notes.stays(p) and self._reached(p)]
        if here:
            return [_("still here: {names}").format(names=", ".join(here))]
        gone = any(peer.notes.wish(player) is not None for player in others)
        return [_("nobody else is here any more")] if gone else []

    def _reached(self, player: int) -> bool:
        """Return True if there is a link to a player, or never was one: others may pass it on."""
        peer = self._table.peer
        return player in peer.linked or player not in peer.met

    # The actions.

    def _together(self) -> list[Action]:
        """Return what needs the other players."""
        node, peer = self._table.node, self._table.peer
        if node is None or peer.party is None or peer.given_up:
            return []
        words = ("again", "encore", "rematch", "revanche")
        label = self._table.next_game or _("another game")
        if node.hosts:
            return [Action(label=label, words=words, do=self._again, suggested=True)]
        if node.offer is not None:
            label = _("join the next game")
            return [Action(label=label, words=words, do=self._again, suggested=True)]
        host = peer.table.roster.find(node.host_key or b"")
        gone = host is None or not (peer.notes.stays(host) and self._reached(host))
        why_not = _("the host is not here any more, so no other game begins") if gone else ""
        return [
            Action(
                label=label,
                words=words,
                do=self._ask_for_another,
                why_not=why_not,
                suggested=not gone,
            )
        ]

    async def _again(self) -> Sequence[str]:
        self._table.go_on()
        return ()

    async def _ask_for_another(self) -> Sequence[str]:
        """Tell the host; if it offers the same game, that is joined at once."""
        self._table.ask_for_another()
        return [_("the host is asked for another game")]

    def _looking_back(self) -> list[Action]:
        if self.result is not None and self.result.file is None:
            return []
        wait = _("the game file is still being checked") if self.result is None else ""
        where = _("replay in the browser") if has_display() else _("write a replay for a browser")
        return [
            Action(label=_("replay"), words=("replay", "revoir"), do=self._replay, why_not=wait),
            Action(
                label=where, words=("browser", "navigateur"), do=self._open_browser, why_not=wait
            ),
            *self._analysis(wait),
            Action(
                label=_("save as HTML"),
                words=("save", "enregistrer"),
                do=self._save,
                why_not=wait,
            ),
        ]

    def _analysis(self, wait: str) -> list[Action]:
        """Return what compares a player's decisions with the expert's; a spectator has none."""
        if self._table.peer.me is None:
            return []
        label, words = _("how the expert would have played"), ("analyse", "analyser")
        return [Action(label=label, words=words, do=self._analyse, why_not=wait)]

    async def _analyse(self) -> Sequence[str]:
        home = self._file.parent.parent  # a player's games lie in a folder of the home
        command = ["--lang", current(), "--home", str(home), "analyse", str(self._file)]
        return await run_command(command)

    def _leave(self) -> Action:
        words = ("leave", "quitter", "q", "quit")
        return Action(label=_("leave the table"), words=words, do=self._end)

    async def _end(self) -> Sequence[str]:
        self.left.set()
        return ()

    @property
    def _file(self) -> Path:
        assert self.result is not None
        assert self.result.file is not None
        return self.result.file

    async def _replay(self) -> Sequence[str]:
        await self._show_replay(await trio.to_thread.run_sync(self._read_replay))
        return ()

    def _read_replay(self) -> Replay:
        """Read the game file; all its proofs were checked just now."""
        data = self._file.read_bytes()
        table = verification.open_table(data, _unseen, memory=verification.CHECKED)
        replay = Replay(table, report(table), self._table.names)
        replay.frames()
        return replay

    async def _open_browser(self) -> Sequence[str]:
        page = self._file.with_suffix(HTML)
        told = await self._write(page)
        if page.exists() and has_display() and webbrowser.open(page.as_uri()):
            return [_("the replay opens in the browser: {path}").format(path=shown_path(str(page)))]
        return told

    async def _save(self) -> Sequence[str]:
        """Write the page where the player is, or if that cannot be, beside the game file."""
        here = Path.cwd()
        folder = here if os.access(here, os.W_OK) else self._file.parent
        return await self._write(folder / self._file.with_suffix(HTML).name)

    async def _write(self, page: Path) -> list[str]:
        """Write the replay as a web page, in another process.

        The page is written in every language, and this process speaks one at a time.
        """
        home = self._file.parent.parent  # the page has an analysis of the player's decisions
        where = [] if self._table.peer.me is None else ["--home", str(home)]
        command = ["--lang", current(), *where, "replay", "--force", "--html", str(page)]
        return await run_command([*command, str(self._file)])


def _unseen(_done: int, _of: int) -> None:
    """Show no progress: the check takes a moment."""


async def run_command(arguments: Sequence[str]) -> list[str]:
    """Run a command of this program in another process, and return what it says."""
    ended = await trio.run_process(
        [sys.executable, "-m", "p2pfruit", *arguments],
        capture_stdout=True,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return ended.stdout.decode(errors="replace").splitlines()


def has_display() -> bool:
    """Return True if a browser can open a window here. A browser in the terminal would take it."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
