"""The pictures in the documentation are what the program shows."""

import os

import pytest

from tests.repository.pictures import COMMAND, names_in, pictures, redrawn
from tests.repository.sources import ROOT

PAGES = {
    "en": (ROOT / "README.md", ROOT / "docs/tutorial.md"),
    "fr": (ROOT / "docs/tutorial.fr.md",),
}


@pytest.mark.parametrize("code", PAGES)
def test_the_pictures_are_what_the_program_shows(code: str) -> None:
    drawn = pictures(code)
    for path in PAGES[code]:
        page = path.read_text("utf-8")
        true = redrawn(page, drawn)
        if os.environ.get("GOLDEN") == "write":
            path.write_text(true, encoding="utf-8")
            page = true
        assert page == true, f"{path.name} shows something else; tests/repository/pictures.py"
        assert COMMAND in page


def test_both_languages_show_the_same() -> None:
    _readme, english = PAGES["en"]
    [french] = PAGES["fr"]
    shown = names_in(english.read_text("utf-8"))
    assert shown == names_in(french.read_text("utf-8"))
    assert len(shown) == len(set(shown)) >= 10
