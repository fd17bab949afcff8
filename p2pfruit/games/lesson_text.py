"""The words of a lesson, read from lesson.<language>.md in the package of a game.

A teacher decides what to say and supplies the values; the page holds how it is said. On a page

    ## table: the table     names a passage and gives its title
    ### kept                names a remark; its text follows
    ### try.zone            names one wording of the remark `try`

A text has named placeholders, such as {card}; every language uses the same names. Whatever stands
above the first of these headings is for the people who edit the page.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter

from p2pfruit import language
from p2pfruit.games.course import Remark

FALLBACK = "en"  # for a game that does not speak the player's language

_NAME = re.compile(r"[a-z_]+(\.[a-z_]+)?")


class LessonTextError(ValueError):
    """The author of a game made a mistake on a lesson page, or in the teacher that reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    name: str  # of the package and the file, for errors
    sections: Mapping[str, str]  # by heading without its title: "## table", "### kept"

    def find(self, heading: str) -> str:
        if heading not in self.sections:
            raise LessonTextError(f"{self.name}: there is no section `{heading}`")
        return self.sections[heading]


class LessonText:
    """The pages of one game, in the language that is current when something is said."""

    def __init__(self, package: str) -> None:
        self.package = package

    def title(self, name: str) -> str:
        return self._page().find(f"## {name}")

    def say(self, name: str, /, **values: object) -> Remark:
        """Return a remark with its values filled in; the page must use all of them."""
        page = self._page()
        text = page.find(f"### {name}")
        wanted = placeholders(text)
        if wanted != values.keys():
            found = f"has {sorted(wanted)}, the teacher supplies {sorted(values)}"
            raise LessonTextError(f"{page.name}: `### {name}` {found}")
        return Remark(name.partition(".")[0], text.format(**values))

    def _page(self) -> Page:
        code = language.current()
        return read(self.package, code if code in languages(self.package) else FALLBACK)


@cache
def languages(package: str) -> tuple[str, ...]:
    """Return the languages that a package has a lesson page in."""
    folder = files(package)
    return tuple(code for code in language.LANGUAGES if folder.joinpath(_file(code)).is_file())


def _file(code: str) -> str:
    return f"lesson.{code}.md"


@cache
def read(package: str, code: str) -> Page:
    """Read one page of a package; raise LessonTextError if it is missing or malformed."""
    name = f"{package}/{_file(code)}"
    try:
        text = files(package).joinpath(_file(code)).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LessonTextError(f"{name}: there is no such file") from None
    return parse(name, text)


def parse(name: str, text: str) -> Page:
    sections: dict[str, str] = {}
    for heading, body in _split(text):
        level, _space, rest = heading.partition(" ")
        section, _colon, title = rest.partition(": ")
        if not _NAME.fullmatch(section):
            raise LessonTextError(
                f"{name}: `{heading}` does not begin with a name like `last_card`"
            )
        key = f"{level} {section}"
        if key in sections:
            raise LessonTextError(f"{name}: there are two sections `{key}`")
        if level == "##" and (body or not title):
            raise LessonTextError(f"{name}: `{key}` needs a title after a colon, and no text")
        if level == "###" and (title or not body):
            raise LessonTextError(f"{name}: `{key}` needs a text below it, and no title")
        try:
            placeholders(body)
        except ValueError as error:
            raise LessonTextError(f"{name}: `{key}`: {error}") from None
        sections[key] = title or body
    return Page(name=name, sections=sections)


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Yield each heading with the text below it, as one line."""
    _intro, *parts = re.split(r"^(?=###? )", text, flags=re.MULTILINE)
    for part in parts:
        heading, _newline, body = part.partition("\n")
        yield heading.strip(), " ".join(body.split())


def placeholders(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def check(package: str) -> None:
    """Raise LessonTextError unless all pages have the same sections with the same placeholders."""
    pages = [read(package, code) for code in languages(package)]
    for here in pages:
        for there in pages:
            for heading, text in here.sections.items():
                if placeholders(there.find(heading)) != placeholders(text):
                    raise LessonTextError(
                        f"{there.name}: `{heading}` has other placeholders than in {here.name}"
                    )
