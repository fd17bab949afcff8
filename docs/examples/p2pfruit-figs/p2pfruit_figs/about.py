"""The words about Figs before it is played. Its rules page lies beside this file."""

from p2pfruit.games.about import About


class FigsAbout(About):
    def summary(self) -> str:
        return "the highest card takes the trick, unless two players play it"

    def length(self) -> str:
        return "two minutes"


ABOUT = FigsAbout
