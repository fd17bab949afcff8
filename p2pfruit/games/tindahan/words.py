"""The fruits of Tindahan in the language that is spoken."""

from engine.needs import Face
from engine.tricks import number, suit
from p2pfruit.language import text as _


def fruit(fruit: str) -> str:
    return {
        "banana": _("banana"),
        "mango": _("mango"),
        "pineapple": _("pineapple"),
        "durian": _("durian"),
        "lanzones": _("lanzones"),
        "passion": _("passion fruit"),
        "orange": _("orange"),
        "mangosteen": _("mangosteen"),
        "rambutan": _("rambutan"),
    }[fruit]


def card(face: Face) -> str:
    return f"{fruit(suit(face))} {number(face)}"
