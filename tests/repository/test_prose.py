"""Docstrings say what a thing is or does, with its subject: two figures, held per package.

A docstring that begins with "Whether" or "What" leaves out its verb. One that says "somebody"
leaves out who acts. Neither is wrong in every case, so both are counted rather than forbidden.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.repository.sources import PACKAGES, sources

FRAGMENTS = {
    *("Whether", "What", "Who", "Whom", "Whose", "Where", "How", "Of", "That", "Those", "The"),
    *("Also", "All", "As", "Nothing", "Until", "By", "For", "With", "Without", "In", "At", "From"),
}
VAGUE = re.compile(r"\b(whoever|somebody|nobody|whom|whatever|everybody|anybody)\b", re.IGNORECASE)

FRAGMENTS_PERCENT_MOST = 20
VAGUE_PER_1000_MOST = 3


def docstrings(source: str) -> Iterator[str]:
    """Yield the docstrings of functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            text := ast.get_docstring(node)
        ):
            yield text


def is_fragment(text: str) -> bool:
    return text.split(maxsplit=1)[0].strip("`,.:") in FRAGMENTS


def vague_words(text: str) -> list[str]:
    return VAGUE.findall(text)


@cache
def of_package(package: str) -> list[str]:
    return [text for path in sources(package) for text in docstrings(path.read_text("utf-8"))]


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_begin_with_a_verb_or_a_subject(package: str) -> None:
    texts = of_package(package)
    fragments = [text for text in texts if is_fragment(text)]
    assert 100 * len(fragments) <= FRAGMENTS_PERCENT_MOST * len(texts), fragments[:20]


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_name_who_acts(package: str) -> None:
    texts = of_package(package)
    vague = [word for text in texts for word in vague_words(text)]
    words = sum(len(text.split()) for text in texts)
    assert 1000 * len(vague) <= VAGUE_PER_1000_MOST * words, [t for t in texts if vague_words(t)]


@pytest.mark.parametrize(
    ("source", "fragments", "vague"),
    [
        ('def f():\n    """Whether it is so."""', 1, 0),
        ('async def f():\n    """Return True if it is so."""', 0, 0),
        ('class C:\n    def f(self):\n        """What nobody, or somebody, said."""', 1, 2),
        ('"""What a module says."""\nclass C:\n    """Whoever."""', 0, 0),
        ("def f():\n    pass", 0, 0),
    ],
)
def test_the_figures_are_counted(source: str, fragments: int, vague: int) -> None:
    texts = list(docstrings(source))
    assert sum(map(is_fragment, texts)) == fragments
    assert sum(len(vague_words(text)) for text in texts) == vague
