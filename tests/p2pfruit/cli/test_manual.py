"""The manual page: it says what the command line says, and every reader of such pages takes it."""

import subprocess

import pytest

from p2pfruit import language
from p2pfruit.cli import manual, overview
from tests.repository.sources import ROOT

PAGE = ROOT / "docs" / "p2pfruit.1"
LIMIT_S = 60


def read(*command: str) -> str:
    """What a reader prints; it complains about nothing."""
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT_S,
        check=False,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANWIDTH": "200"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual.page(), "make manual writes it anew"


def test_it_is_english_and_ascii_whatever_is_spoken() -> None:
    english = manual.page()
    language.use("fr")
    try:
        assert manual.page() == english
        assert language.current() == "fr"
    finally:
        language.use("en")
    assert english.isascii()


def test_every_command_and_option_is_on_it() -> None:
    page = manual.page().replace("\\-", "-")
    for name in overview.COMMANDS:
        assert f"\n.SS {name}\n" in page
    assert "\n.SS id book\n" in page
    for option in ("--no-chat", "--passphrase-file", "--lang", "--version", "--turn-limit"):
        assert option in page
    _before, completion = page.split("\n.SS completion\n")
    assert "--tables" not in completion.partition("\n.SS ")[0]  # only scripts ask for it
    assert page.count("--lang en|fr") == 1  # what all commands have is said once


def test_words_are_never_taken_for_commands_of_roff() -> None:
    text = manual._text('.it\'s `a-b` \\n "…"')
    assert text == r"\&.it\(aqs \(gaa\-b\(ga \en \(dq\[u2026]\(dq"


@pytest.mark.needs("groff")
def test_groff_has_nothing_to_say() -> None:
    assert read("groff", "-man", "-ww", "-z", "-Tutf8", str(PAGE)) == ""


@pytest.mark.needs("man")
def test_man_shows_it() -> None:
    shown = read("man", "--warnings", "-P", "cat", "-l", str(PAGE))
    titles = [line for line in shown.splitlines() if line and not line.startswith(" ")]
    for title in ("NAME", "SYNOPSIS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES"):
        assert title in titles
    assert "p2pfruit verify [OPTION…] FILE…" in shown
    assert "a player cheated; the game file is the evidence" in shown
