"""What is said about Bastos before it is played."""

from engine.bastos.rules import CLOCKWISE, COUNTERCLOCKWISE, LAST, LOT
from p2pfruit.games.about import About
from p2pfruit.language import text as _


class BastosAbout(About):
    def summary(self) -> str:
        return _("tricks at prices that move")

    def length(self) -> str:
        return _("6 or 8 rounds, about 45 minutes")

    def credit(self) -> str:
        return _("by Peer Sylvester, published by Bambus Spieleverlag")

    def option(self, name: str, value: str) -> str:
        return {
            ("direction", COUNTERCLOCKWISE): _("a trick goes round to the right, as is printed"),
            ("direction", CLOCKWISE): _("a trick goes round to the left, as is usual"),
            ("removed", LOT): _("with three players one fruit goes back to the box, by lot"),
            ("removed", LAST): _("with three players the last fruit listed goes back to the box"),
        }[name, value]

    def called(self, word: str) -> str:
        return {
            "direction": _("direction"),
            COUNTERCLOCKWISE: _("to the right"),
            CLOCKWISE: _("to the left"),
            "removed": _("left out"),
            LOT: _("by lot"),
            LAST: _("the last one"),
        }[word]

    def content_note(self) -> str:
        return _("the cards are those of 2009; this program and its words are ours")


ABOUT = BastosAbout
