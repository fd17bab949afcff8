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


def wanted(arguments: Sequence[str], environment: Mapping[str, str], setting: str = "auto") -> str:
    """The language asked for on the command line, else in the settings, else by the locale, else
    English.

    Needed before the command line is parsed, because the parser's own help is in it; a language
    that we do not speak is refused there.
    """
    asked = said(arguments, "--lang")
    if asked is not None:
        return asked if asked in LANGUAGES else "en"
    if setting in LANGUAGES:
        return setting
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := environment.get(name):
            break
    else:
        locale = "C"
    if _code(locale) in ("C", "POSIX"):  # then gettext does not look at LANGUAGE either
        return "en"
    wishes = [*environment.get("LANGUAGE", "").split(":"), locale]
    return next((code for code in map(_code, wishes) if code in LANGUAGES), "en")


def said(arguments: Sequence[str], option: str) -> str | None:
    """What follows an option on a command line that is not parsed yet."""
    for at, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == option:
            return value if equals else "".join(arguments[at + 1 : at + 2])
    return None


def _code(locale: str) -> str:
    """fr_FR.UTF-8 is French."""
    return locale.replace(".", "_").replace("@", "_").split("_")[0]


def text(message: str) -> str:
    return _Current.catalogue.gettext(message)


def plural(one: str, many: str, count: int) -> str:
    """Return the form for a count; one below zero has the form of its size."""
    return _Current.catalogue.ngettext(one, many, abs(count)).format(count=count)
