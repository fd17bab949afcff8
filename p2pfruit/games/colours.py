"""The colours of suits."""

from enum import StrEnum


class Colour(StrEnum):
    """Eight that stay apart for colour-blind eyes, after Okabe and Ito."""

    ORANGE = "orange"
    SKY = "sky"
    GREEN = "green"
    YELLOW = "yellow"
    BLUE = "blue"
    RED = "red"
    PINK = "pink"
    GREY = "grey"
