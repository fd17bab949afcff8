"""Lines broken between words where the screen ends."""

from textwrap import wrap

NO_BREAK = "\N{NO-BREAK SPACE}"


def fold(line: str, width: int) -> str:
    """Break a line between words at this width, and indent the rest.

    Words held together by a NO-BREAK SPACE stay together. A word that is too long, such as a path,
    is not broken: the terminal does that, and it can still be copied whole.
    """
    lines = wrap(
        line, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace(NO_BREAK, " ") or line


def unbroken(text: str) -> str:
    """Return a text that fold() keeps together."""
    return text.replace(" ", NO_BREAK)
