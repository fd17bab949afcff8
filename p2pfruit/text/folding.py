"""Lines broken between words where the screen ends."""

from textwrap import wrap

NO_BREAK = "\N{NO-BREAK SPACE}"


def fold(line: str, width: int) -> str:
    """Break a line between words at this width, and indent the rest.

    Words held together by a NO-BREAK SPACE stay together.
    """
    return "\n".join(wrap(line, width, subsequent_indent="    ")).replace(NO_BREAK, " ") or line
