"""What is said about Bastos before it is played."""

from engine.bastos.rules import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    FROM_NOW,
    LAST,
    LOT,
    WHOLE_TRICK,
)
from engine.tindahan.cards import KNOWN
from p2pfruit.games.about import About
from p2pfruit.games.tindahan.words import fruit
from p2pfruit.language import text as _


class BastosAbout(About):
    def summary(self) -> str:
        return _("tricks at prices that move")

    def length(self) -> str:
        return _("6 or 8 rounds, about 45 minutes")

    def credit(self) -> str:
        return _("by Peer Sylvester, published by Bambus Spieleverlag")

    def option(self, name: str, value: str) -> str:
        if value in KNOWN:
            told = _("with three players {fruit} goes back to the box")
            return told.format(fruit=fruit(value))
        return {
            ("direction", COUNTERCLOCKWISE): _("a trick goes round to the right, as is printed"),
            ("direction", CLOCKWISE): _("a trick goes round to the left, as is usual"),
            ("removed", LOT): _("with three players one fruit goes back to the box, by lot"),
            ("removed", LAST): _("with three players the last fruit listed goes back to the box"),
            ("declared", FROM_NOW): _("cards thrown away before trump is declared stay worthless"),
            ("declared", WHOLE_TRICK): _(
                "cards of the fruit that lie in the trick already become trump, too"
            ),
        }[name, value]

    def called(self, word: str) -> str:
        if word in KNOWN:
            return fruit(word)
        return {
            "direction": _("direction"),
            COUNTERCLOCKWISE: _("to the right"),
            CLOCKWISE: _("to the left"),
            "removed": _("left out"),
            LOT: _("by lot"),
            LAST: _("the last one"),
            "declared": _("trump declared"),
            FROM_NOW: _("counts from now on"),
            WHOLE_TRICK: _("counts for the whole trick"),
        }[word]

    def content_note(self) -> str:
        return _("the cards are those of 2009; this program and its words are ours")


ABOUT = BastosAbout
