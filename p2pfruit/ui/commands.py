"""Commands that a player or a spectator can type at a table of peers, in lines and on the screen.

Each command gets the rest of the line, and returns lines to show.
"""

from p2pfruit.language import text as _
from p2pfruit.net.awake import now_ms
from p2pfruit.seat.lobby import left_lobby
from p2pfruit.text.folding import unbroken
from p2pfruit.ui.lobby_commands import LobbyCommands
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.wording import clock, link_line, progress, reach_lines, waiting_line
from protocol.errors import LocalProtocolError


class TableCommands:
    def __init__(self, table: TableObserver) -> None:
        self._table = table
        self.lobby = LobbyCommands(table)

    def chat(self, text: str) -> list[str]:
        if (runner := self._table.runner) is None:
            return self.lobby.say(text)
        if not runner.peer.chatting:
            return [_("chat is off at this table")]
        if not runner.running:
            return [_("the connections to the others are closed")]
        try:
            runner.act(runner.peer.chat, text)
        except LocalProtocolError as error:
            return [error.why]
        self._table.talk.mine(text)
        self._table.view.spoke(self._table.talk.lines[-1])
        return []

    def who(self, _rest: str = "") -> list[str]:
        """Return the links, the clock, and the players that the table waits for."""
        if (runner := self._table.runner) is None:
            return self.lobby.who()
        peer, names = runner.peer, self._table.names
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        lines = [link_line(peer, player, names) for player in range(len(names))]
        if peer.me is not None and peer.table.owes(peer.me):
            left = clock(peer.clocks.left_ms(peer.me, now_ms()))
            lines += [_("you have {left} left to choose").format(left=left)] if left else []
        if waiting:
            lines.append(waiting_line(peer, names, waiting, now_ms()))
        return [*lines, *filter(None, [progress(peer)])]

    def mute(self, typed: str) -> list[str]:
        return self._table.hearing.mute_typed(typed)

    def unmute(self, typed: str) -> list[str]:
        return self._table.hearing.unmute_typed(typed)

    def invite(self, _rest: str = "") -> list[str]:
        """Return the lines with which others join and watch; only the host's program has them."""
        table = self._table
        if not table.invitation:
            return [_("the host's program shows the invitations to this table")]
        lines = []
        if table.runner is None:
            lines += [_("others join with:"), unbroken(f"  p2pfruit join {table.invitation}")]
        if table.to_watch:
            lines += [_("others watch with:"), unbroken(f"  p2pfruit watch {table.to_watch}")]
        elif table.runner is not None:
            lines.append(_("this table allows no spectators"))
        return [*lines, *reach_lines(table.reach)]

    def leave(self, _rest: str = "") -> list[str]:
        """Leave for good."""
        if self._table.node is None:  # the host has not let us in yet
            raise left_lobby()
        self._table.node.leave()
        return []


def talk_help(*, speaks: bool = True) -> list[str]:
    """List what can be typed at any time; a spectator does not speak."""
    return [
        *([_("say TEXT  say something to everyone")] if speaks else []),
        _("mute NAME, unmute NAME  hide what a player says, and show it again"),
        _("who    the connections, the clocks, and who the table is waiting for"),
        _("invite  the lines with which others join and watch"),
    ]
