"""Figures as the language in use writes them."""

from fractions import Fraction

from p2pfruit.language import text as _

NONE = "-"  # where there is no figure


def decimal(value: Fraction | float | None, digits: int = 1) -> str:
    """Return a figure, rounded to so many digits, at least one."""
    if value is None:
        return NONE
    whole, _point, rest = f"{float(value):.{digits}f}".partition(".")
    return _("{whole}.{rest}").format(whole=whole, rest=rest)
