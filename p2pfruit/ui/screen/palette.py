"""How each style is drawn. Suits are badges, dark on bright or bright on dark, so that they can be
read on any background of the terminal; without colour they are plain, and their letters
and shapes tell them apart."""

from p2pfruit.games.colours import Colour

_PLAIN = {
    "title": "bold",
    "dim": "",
    "key": "bold",
    "strong": "bold",
    "note": "italic",
    "warning": "bold reverse",
    "good": "bold",
    "bad": "bold underline",
    "cursor": "reverse bold",
    "target": "reverse bold",
    "wins": "bold",
    "void": "",
    "me": "bold",
    "input": "underline",
    "bar": "reverse",
    "code": "",
}

_COLOURED = _PLAIN | {
    "dim": "fg:#808080",
    "key": "bold",
    "note": "fg:#56b4e9",
    "warning": "bold bg:#d55e00 fg:#000000",
    "good": "fg:#009e73 bold",
    "bad": "fg:#d55e00 bold",
    "wins": "bg:#009e73 fg:#000000 bold",
    "void": "fg:#808080",
    "code": "bg:#000000 fg:#ffffff",  # light is drawn, and dark is left out
}

# Background and letters, after Okabe and Ito.
_SUITS = {
    Colour.ORANGE: ("#e69f00", "#000000"),
    Colour.SKY: ("#56b4e9", "#000000"),
    Colour.GREEN: ("#009e73", "#000000"),
    Colour.YELLOW: ("#f0e442", "#000000"),
    Colour.BLUE: ("#0072b2", "#ffffff"),
    Colour.RED: ("#d55e00", "#000000"),
    Colour.PINK: ("#cc79a7", "#000000"),
    Colour.GREY: ("#999999", "#000000"),
}


def styles(*, coloured: bool) -> dict[str, str]:
    """Return the styles as prompt_toolkit takes them."""
    if not coloured:
        return _PLAIN | {f"suit-{colour}": "" for colour in Colour}
    suits = {f"suit-{colour}": f"bg:{back} fg:{ink}" for colour, (back, ink) in _SUITS.items()}
    return _COLOURED | suits
