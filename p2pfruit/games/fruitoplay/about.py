"""What is said about Fruitoplay before it is played."""

from engine.fruitoplay.trick import ALL, CONTENDING
from p2pfruit.games.about import About
from p2pfruit.language import text as _


class FruitoplayAbout(About):
    def summary(self) -> str:
        return _("simultaneous tricks around a river of targets")

    def length(self) -> str:
        return _("3 rounds, about 20 minutes")

    def credit(self) -> str:
        return _("by Luc Rémond and Romaric Galonnier, published by Explor8")

    def option(self, name: str, value: str) -> str:
        return {
            ("ties", CONTENDING): _("only cards that contend for the trick can tie"),
            ("ties", ALL): _("any two cards at the same distance tie, whatever their fruit"),
        }[name, value]

    def called(self, word: str) -> str:
        return {
            "ties": _("ties"),
            CONTENDING: _("among contenders"),
            ALL: _("among all cards"),
        }[word]

    def content_note(self) -> str:
        return _(
            "which numbers are double or rotten is not public: these are ours, "
            "save apple 8 (double) and apple 12 (single)"
        )


ABOUT = FruitoplayAbout
