"""The lesson pages: well formed, alike in every language, and in step with the teachers."""

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from p2pfruit import games, language
from p2pfruit.games import remarks
from p2pfruit.games.course import Remark, taught
from p2pfruit.games.lesson_text import (
    LessonText,
    LessonTextError,
    check,
    languages,
    parse,
    placeholders,
    read,
)

SHARED = "p2pfruit.games"
PACKAGES = [SHARED, *(f"{games.__name__}.{game}" for game in taught())]

packages = pytest.mark.parametrize("package", PACKAGES)


def speakers(package: str) -> list[Path]:
    """The modules that speak from the page of a package."""
    if package == SHARED:
        return [Path(remarks.__file__)]
    spec = find_spec(f"{package}.lesson")
    assert spec is not None
    assert spec.origin is not None
    return sorted(Path(spec.origin).parent.glob("*.py"))


def calls(package: str) -> Iterator[tuple[str, set[str]]]:
    """Every heading that a module asks for, with the values that it supplies."""
    marks = {"say": "###", "title": "##"}
    for path in speakers(package):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(ast.Name(name), [ast.Constant(str(section))], keywords) if (
                    name in marks
                ):
                    assert all(keyword.arg for keyword in keywords), f"{path}: {section}: **"
                    yield f"{marks[name]} {section}", {str(keyword.arg) for keyword in keywords}
                case ast.Call(ast.Name("say" | "title")):
                    pytest.fail(f"{path}:{node.lineno}: the name of the section is no literal")


@packages
def test_every_language_has_the_same_sections_with_the_same_placeholders(package: str) -> None:
    assert languages(package) == language.LANGUAGES
    check(package)


@packages
def test_no_section_is_missing_and_none_is_unused(package: str) -> None:
    page = read(package, "en")
    asked = dict(calls(package))
    assert asked.keys() == page.sections.keys()
    for heading, values in calls(package):
        wanted = placeholders(page.find(heading)) if heading.startswith("### ") else set()
        assert values == wanted, heading


@packages
@pytest.mark.parametrize("code", language.LANGUAGES)
def test_a_page_begins_with_a_word_to_its_editor(package: str, code: str) -> None:
    module = find_spec(package)
    assert module is not None
    assert module.origin is not None
    text = (Path(module.origin).parent / f"lesson.{code}.md").read_text(encoding="utf-8")
    title, intro, *_rest = text.split("\n\n")
    assert title.startswith("# ")
    assert "{card}" in intro
    assert all(len(line) <= 79 for line in text.splitlines())


# A game from elsewhere.

GOOD = """# A lesson

Above the first heading there is room for {anything}.

## start: step 1: how it starts

### card

You take
{card}.

### try.last

Try **it**.
"""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package outside the program; its name is new for each test, because pages are cached."""
    name = f"lesson_of_{tmp_path.name}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def write(tmp_path: Path, package: str, code: str, text: str) -> None:
    (tmp_path / package / f"lesson.{code}.md").write_text(text, encoding="utf-8")


def test_a_package_from_elsewhere_speaks_its_own_words(tmp_path: Path, elsewhere: str) -> None:
    write(tmp_path, elsewhere, "en", GOOD)
    write(tmp_path, elsewhere, "fr", GOOD.replace("You take", "Vous prenez"))
    check(elsewhere)
    text = LessonText(elsewhere)
    assert text.title("start") == "step 1: how it starts"
    assert text.say("card", card="{a}") == Remark("card", "You take {a}.")
    assert text.say("try.last") == Remark("try", "Try **it**.")
    language.use("fr")
    assert text.say("card", card=7) == Remark("card", "Vous prenez 7.")


def test_a_package_without_the_language_speaks_english(tmp_path: Path, elsewhere: str) -> None:
    write(tmp_path, elsewhere, "en", GOOD)
    check(elsewhere)
    language.use("fr")
    assert LessonText(elsewhere).say("card", card=7).text == "You take 7."


def test_a_package_without_any_page(elsewhere: str) -> None:
    with pytest.raises(
        LessonTextError, match=rf"^{elsewhere}/lesson\.en\.md: there is no such file"
    ):
        LessonText(elsewhere).title("start")


def test_a_teacher_that_asks_for_something_else(tmp_path: Path, elsewhere: str) -> None:
    write(tmp_path, elsewhere, "en", GOOD)
    text = LessonText(elsewhere)
    with pytest.raises(LessonTextError, match=r"lesson\.en\.md: there is no section `### start`"):
        text.say("start")
    with pytest.raises(LessonTextError, match=r"lesson\.en\.md: there is no section `## card`"):
        text.title("card")
    found = r"`### card` has \['card'\], the teacher supplies \['fruit'\]"
    with pytest.raises(LessonTextError, match=found):
        text.say("card", fruit="fig")


@pytest.mark.parametrize(
    ("now", "then", "message"),
    [
        ("{card}", "{carte}", r"lesson\.fr\.md: `### card` has other placeholders than in"),
        ("### card", "### carte", r"lesson\.fr\.md: there is no section `### card`"),
        ("## start: ", "## début: ", r"lesson\.fr\.md: `## début: .*` does not begin with a name"),
        (
            "## start: ",
            "## start: x\n\n## more: ",
            r"lesson\.en\.md: there is no section `## more`",
        ),
    ],
)
def test_pages_that_differ(
    tmp_path: Path, elsewhere: str, now: str, then: str, message: str
) -> None:
    write(tmp_path, elsewhere, "en", GOOD)
    write(tmp_path, elsewhere, "fr", GOOD.replace(now, then))
    with pytest.raises(LessonTextError, match=message):
        check(elsewhere)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("## start\n", "page: `## start` needs a title after a colon, and no text"),
        ("## start: one\n\ntwo\n", "page: `## start` needs a title after a colon, and no text"),
        ("### card\n\n## start: one\n", "page: `### card` needs a text below it, and no title"),
        ("### card: one\n\ntwo\n", "page: `### card` needs a text below it, and no title"),
        ("### card\none\n### card\ntwo\n", "page: there are two sections `### card`"),
        ("### card\n{card\n", "page: `### card`: expected '}' before end of string"),
        ("### My card\none\n", "page: `### My card` does not begin with a name like `last_card`"),
    ],
)
def test_a_page_that_is_malformed(text: str, message: str) -> None:
    with pytest.raises(LessonTextError) as caught:
        parse("page", text)
    assert str(caught.value) == message
