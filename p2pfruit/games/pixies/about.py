"""What is said about Pixies before it is played."""

from p2pfruit.games.about import About
from p2pfruit.language import text as _


class PixiesAbout(About):
    def summary(self) -> str:
        return _("open cards drafted into nine places")

    def length(self) -> str:
        return _("3 rounds, 20 to 30 minutes")

    def credit(self) -> str:
        return _("by Johannes Goupy, published by Bombyx")

    def content_note(self) -> str:
        return _("the cards are those of the published game; the words and pictures are ours")


ABOUT = PixiesAbout
