"""Codes as people type them: four to twelve digits, perhaps with spaces or dashes between them."""

from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from protocol import limits


def read_code(text: str) -> str:
    """Return the digits of a code. Raises Refusal."""
    digits = "".join(text.split()).replace("-", "")
    lengths = range(limits.CODE_DIGITS_LEAST, limits.CODE_DIGITS_MOST + 1, limits.CODE_DIGITS_STEP)
    if not (digits.isascii() and digits.isdigit() and len(digits) in lengths):
        raise Refusal(
            _("this is not a code: a code has {least} digits, or up to {most}").format(
                least=limits.CODE_DIGITS_LEAST, most=limits.CODE_DIGITS_MOST
            ),
            hint=_("the screen of the host shows it"),
            code=USAGE,
        )
    return digits
