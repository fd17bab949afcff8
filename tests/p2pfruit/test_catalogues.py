"""Every message is translated, and what is compiled is what was written.

`make translations` brings the catalogues up to date with the code.
"""

import gettext
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from p2pfruit.language import DOMAIN, LANGUAGES, LOCALE

KEYWORDS = {"_": None, "plural": (1, 2)}
TRANSLATED = [code for code in LANGUAGES if code != "en"]


def written(code: str) -> Catalog:
    with (LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=code)


def spoken() -> set[str]:
    """The first form of every message in the code."""
    found = extract_from_dir(str(Path("p2pfruit")), keywords=KEYWORDS, comment_tags=())
    return {ids[0] if isinstance(ids, tuple) else ids for _, _, ids, _, _ in found}


def forms(message: Message) -> tuple[list[str], list[str]]:
    ids, texts = message.id, message.string
    return (
        [*ids] if isinstance(ids, (tuple, list)) else [ids],
        [*texts] if isinstance(texts, (tuple, list)) else [texts or ""],
    )


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated_and_none_is_left_over(code: str) -> None:
    messages = [message for message in written(code) if message.id]
    assert {forms(message)[0][0] for message in messages} == spoken()
    for message in messages:
        assert all(forms(message)[1]), f"no {code} for {message.id!r}"
        assert not message.fuzzy


@pytest.mark.parametrize("code", TRANSLATED)
def test_placeholders_are_the_same(code: str) -> None:
    def names(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    for message in written(code):
        ids, texts = forms(message)
        if message.id:
            assert {frozenset(names(text)) for text in texts} == {frozenset(names(ids[0]))}


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_compiled_catalogue_is_the_written_one(code: str, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.mo"
    with fresh.open("wb") as file:
        write_mo(file, written(code))
    with fresh.open("rb") as file:
        expected = gettext.GNUTranslations(file)
    shipped = gettext.translation(DOMAIN, LOCALE, [code])
    assert vars(shipped)["_catalog"] == vars(expected)["_catalog"]
