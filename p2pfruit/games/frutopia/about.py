"""What is said about Frutopia before it is played."""

from engine.frutopia.rules import (
    NEVER,
    ONE_BAG,
    ONE_MORE,
    THIS_ROUND,
    TWO_BAGS,
    WITH,
    WITHOUT,
)
from p2pfruit.games.about import About
from p2pfruit.language import text as _


class FrutopiaAbout(About):
    def summary(self) -> str:
        return _("harvest, ship and build on your own island, all open")

    def length(self) -> str:
        return _("about 45 minutes")

    def credit(self) -> str:
        return _("by Christian Stöhr, published by Deep Print Games and Gigamic")

    def option(self, name: str, value: str) -> str:
        return {
            ("factory", WITHOUT): _("without the juice factory"),
            ("factory", WITH): _("with the juice factory: a third step, two discs each"),
            ("ships", TWO_BAGS): _("six ships from each of two bags"),
            ("ships", ONE_BAG): _("all ships from one bag: the random set-up"),
            ("standstill", "20"): _("ends after 20 rounds without a step of the marker (ours)"),
            ("standstill", "10"): _("ends after 10 rounds without a step of the marker (ours)"),
            ("standstill", NEVER): _("does not end while the marker stands still"),
            ("ending", THIS_ROUND): _("ends with the round in which the marker reaches the cross"),
            ("ending", ONE_MORE): _("one more round after that, against the last seat's advantage"),
        }[name, value]

    def called(self, word: str) -> str:
        return {
            "factory": _("factory"),
            WITHOUT: _("without"),
            WITH: _("with"),
            "ships": _("ships"),
            TWO_BAGS: _("from two bags"),
            ONE_BAG: _("from one bag"),
            "standstill": _("deadlock"),
            "20": _("20 rounds"),
            "10": _("10 rounds"),
            NEVER: _("never ends it"),
            "ending": _("end"),
            THIS_ROUND: _("with the round"),
            ONE_MORE: _("one round later"),
        }[word]

    def content_note(self) -> str:
        return _(
            "the printed figures are not public: ships, costs, shapes, ice, track and factory are "
            "ours, save the few in the rulebook's examples; no solo mode, as its rules are on a "
            "sheet that we do not know"
        )


ABOUT = FrutopiaAbout
