"""What is said about Tindahan before it is played."""

from engine.tindahan.cards import KNOWN, LAST
from engine.tindahan.rules import BANANAS, LED_STALL, SPEND_CARD, STAYS
from p2pfruit.games.about import About
from p2pfruit.games.tindahan.words import fruit
from p2pfruit.language import text as _


def _fruits(word: str) -> list[str]:
    """Return the two fruits of a value of `out`; nothing if it is another word."""
    named = word.split("-")
    return named if set(named) <= set(KNOWN) else []


class TindahanAbout(About):
    def summary(self) -> str:
        return _("tricks or vendors on market stalls, and a donkey that marks trump")

    def length(self) -> str:
        return _("as many rounds as players, about 45 minutes")

    def credit(self) -> str:
        return _("by Peer Sylvester, published by Bambus Spieleverlag")

    def option(self, name: str, value: str) -> str:
        if pair := _fruits(value):
            one, two = pair
            told = _("without {one} with four players, and without {two} with three")
            return told.format(one=fruit(one), two=fruit(two))
        return {
            ("vendors", LED_STALL): _("instead of a card, on the stall of the fruit led"),
            ("vendors", SPEND_CARD): _("a card is spent, and the vendor goes to its fruit's stall"),
            ("donkey", BANANAS): _("every round begins with bananas as trump"),
            ("donkey", STAYS): _("the donkey stays where it stood when the last round ended"),
            ("out", LAST): _("with fewer than five players the last fruits stay away"),
        }[name, value]

    def called(self, word: str) -> str:
        if pair := _fruits(word):
            one, two = pair
            return _("{one}, then {two}").format(one=fruit(one), two=fruit(two))
        return {
            "vendors": _("vendors"),
            LED_STALL: _("instead of a card"),
            SPEND_CARD: _("for a card"),
            "donkey": _("donkey"),
            BANANAS: _("begins on bananas"),
            STAYS: _("stays where it is"),
            "out": _("left out"),
            LAST: _("the last ones"),
        }[word]

    def content_note(self) -> str:
        return _("the cards are those of 2009; this program and its words are ours")


ABOUT = TindahanAbout
