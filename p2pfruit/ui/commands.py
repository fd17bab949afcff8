"""Commands that a player or a spectator can type at a table of peers, in lines and on the screen.

Each command gets the rest of the line, and returns lines to show.
"""

from p2pfruit.language import text as _
from p2pfruit.seat.seat import now_ms
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.wording import clock, link_line, progress, waiting_line
from protocol.errors import LocalProtocolError


class TableCommands:
    def __init__(self, table: TableObserver) -> None:
        self._table = table

    def chat(self, text: str) -> list[str]:
        if (runner := self._table.runner) is None:
            return [_("the table has not begun yet")]
        if not runner.peer.chatting:
            return [_("this table plays in silence")]
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
            return [_("the table has not begun yet")]
        peer, names = runner.peer, self._table.names
        waiting = [player for player in peer.table.waiting_for if player != peer.me]
        lines = [link_line(peer, player, names) for player in range(len(names))]
        if peer.me is not None and peer.table.owes(peer.me):
            left = clock(peer.clocks.left_ms(peer.me, now_ms()))
            lines += [_("you have {left} left to choose").format(left=left)] if left else []
        if waiting:
            lines.append(waiting_line(peer, names, waiting, now_ms()))
        return [*lines, *filter(None, [progress(peer)])]

    def leave(self, _rest: str = "") -> list[str]:
        """Leave for good."""
        assert self._table.node is not None
        self._table.node.leave()
        return []


def talk_help(*, speaks: bool = True) -> list[str]:
    """List what can be typed at any time; a spectator does not speak."""
    return [
        *([_("say TEXT  tell everybody something")] if speaks else []),
        _("mute NAME, unmute NAME  hide what a player says, and show it again"),
        _("who    the links, the clocks, and who the table is waiting for"),
    ]
