"""The language of everything a person reads. Records and moves stay language-neutral.

English is written in the code; other languages are gettext catalogues in locale/. Messages are
looked up when they are shown, never when a module is imported.
"""

import gettext
from collections.abc import Mapping, Sequence
from pathlib import Path

LANGUAGES = ("en", "fr")
LOCALE = Path(__file__).parent / "locale"
DOMAIN = "p2pfruit"


class _Current:
    code = "en"
    catalogue = gettext.NullTranslations()


def use(code: str) -> None:
    _Current.code = code
    _Current.catalogue = gettext.translation(DOMAIN, LOCALE, [code], fallback=True)


def current() -> str:
    return _Current.code


def wanted(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language asked for on the command line, else by the locale, else English.

    Needed before the command line is parsed, because the parser's own help is in it; a language
    that we do not speak is refused there.
    """
    for at, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            asked = value or "".join(arguments[at + 1 : at + 2])
            return asked if asked in LANGUAGES else "en"
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if spoken := environment.get(name, "")[:2]:
            return spoken if spoken in LANGUAGES else "en"
    return "en"


def text(message: str) -> str:
    return _Current.catalogue.gettext(message)


def plural(one: str, many: str, count: int) -> str:
    return _Current.catalogue.ngettext(one, many, count).format(count=count)
