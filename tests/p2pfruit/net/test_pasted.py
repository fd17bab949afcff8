"""Invitations in whatever people paste: nothing is lost, and nothing is made up."""

import io
import os
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.net import invitations, pasted
from p2pfruit.net.invitations import BadInvitation, Invitation
from tests.p2pfruit.net.test_invitations import HOST, RICH, SIMPLE, any_invitation

QUOTES = ["{}", '"{}"', "'{}'", "`{}`", "“{}”", "„{}“", "« {} »", "‹{}›", "<{}>", "```\n{}\n```"]
PROSE = ["", "hi!", "come at 8, it is fun:", "¿Vienes? Trae fruta", "OK", "à ce soir / bye", "💛"]


def boxed(text: str) -> str:
    wide = max(map(len, text.split("\n")))
    rows = [f"│ {row:{wide}} │" for row in text.split("\n")]
    return "\n".join([f"┌{'─' * (wide + 2)}┐", *rows, f"└{'─' * (wide + 2)}┘"])


FRAMES: list[Callable[[str], str]] = [
    str,
    str.lower,
    boxed,
    lambda text: "\n".join(f"> {row}" for row in text.split("\n")),
    lambda text: "\n".join(f"| {row} |" for row in text.split("\n")),
    lambda text: "\n".join(f"    {row}" for row in text.split("\n")),
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", " \\\n"),
    lambda text: text.replace("\n", " "),
]


@st.composite
def wrapped(draw: st.DrawFn, text: str) -> str:
    """What becomes of an invitation on its way through terminals, mails and chats."""
    command = draw(st.sampled_from(["", "p2pfruit join ", "$ p2pfruit watch ", "p2pfruit  join\n"]))
    text = draw(st.sampled_from(QUOTES)).format(command + text)
    if draw(st.booleans()):
        width = draw(st.integers(10, 120))
        text = "\n".join(
            piece
            for row in text.split("\n")
            for piece in textwrap.wrap(row, width, drop_whitespace=False) or [""]
        )
    text = draw(st.sampled_from(FRAMES))(text)
    before, after = draw(st.sampled_from(PROSE)), draw(st.sampled_from(PROSE))
    return f"{before}\n{text}\n{after}"


@given(any_invitation(), st.data())
def test_an_invitation_survives_every_wrapping(invitation: Invitation, data: st.DataObject) -> None:
    text = data.draw(wrapped(invitations.format(invitation)))
    assume(len(text) <= limits.INVITATION_SIZE_MOST)
    assert pasted.found(text) == [invitation]
    assert pasted.is_whole(text)


@given(st.text(max_size=400) | st.text("FRUITWACHfruitwach0123456789 -\n", max_size=400))
def test_no_text_is_taken_for_an_invitation(text: str) -> None:
    with pytest.raises(BadInvitation):
        pasted.found(text)
    assert not pasted.is_whole(text)


@given(any_invitation(), st.data())
def test_a_wrong_letter_is_found_in_a_message_as_well(
    invitation: Invitation, data: st.DataObject
) -> None:
    text = invitations.format(invitation)
    at = data.draw(st.integers(6, len(text) - 1).filter(lambda at: text[at] != "-"))
    wrong = data.draw(st.sampled_from("ABCXYZ789U").filter(lambda letter: letter != text[at]))
    message = f"hello, p2pfruit join {text[:at]}{wrong}{text[at + 1 :]}"
    with pytest.raises(BadInvitation) as caught:
        pasted.found(message)
    assert caught.value.what == "check"


HOSTED = f"""others join with:
  p2pfruit join {invitations.format(SIMPLE)}
others watch with:
  p2pfruit watch {invitations.format(SIMPLE.to_watch(HOST))}
"""


def test_the_one_that_fits_is_taken() -> None:
    play, remark = pasted.chosen(HOSTED, watching=False)
    assert (play, remark.split(";")[0]) == (SIMPLE, "the text also has an invitation to watch")
    watch, remark = pasted.chosen(HOSTED, watching=True)
    assert (watch, remark.split(";")[0]) == (
        SIMPLE.to_watch(HOST),
        "the text also has an invitation to play",
    )
    assert pasted.chosen(invitations.format(SIMPLE), watching=True) == (SIMPLE, "")


def test_of_two_tables_none_is_taken() -> None:
    text = f"{invitations.format(SIMPLE)} or {invitations.format(RICH)}, as you like"
    with pytest.raises(Refusal, match="2 different invitations") as caught:
        pasted.chosen(text, watching=False)
    assert caught.value.code == USAGE
    assert "FRUIT-4000G… (at 192.0.2.7:24977); FRUIT-4EDSQ…" in str(caught.value.hint)
    twice = f"{invitations.format(SIMPLE)}\n> {invitations.format(SIMPLE)}"
    assert pasted.chosen(twice, watching=False) == (SIMPLE, "")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("hello", "form"),
        ("p2pfruit join hello", "form"),
        ("p2pfruit join FRUIT-080000", "check"),
        ("x" * (limits.INVITATION_SIZE_MOST + 1), "form"),
    ],
)
def test_what_is_wrong(text: str, what: str) -> None:
    with pytest.raises(BadInvitation) as caught:
        pasted.found(text)
    assert caught.value.what == what


# At the terminal.


def test_lines_are_read_until_there_is_an_invitation(monkeypatch: pytest.MonkeyPatch) -> None:
    text = invitations.format(SIMPLE)
    typed = iter(["hi there", text[:30], text[30:], "see you"])
    monkeypatch.setattr("builtins.input", lambda _prompt="": next(typed))
    assert pasted.found(pasted.ask("> ")) == [SIMPLE]
    assert next(typed) == "see you"
    typed = iter(["hi there", "", text])
    assert pasted.ask("> ") == "hi there\n"


# Where the text comes from.


def test_the_argument_itself() -> None:
    assert pasted.read_argument("FRUIT-1") == "FRUIT-1"


def test_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "invitation"
    path.write_text("before")
    invitations.write_file(path, invitations.format(RICH))
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["invitation"]
    assert invitations.parse(pasted.read_argument(f"@{path}")) == RICH


def test_a_file_from_an_editor(tmp_path: Path) -> None:
    path = tmp_path / "invitation"
    path.write_text(invitations.format(RICH) + "\r\n", encoding="utf-8-sig")
    assert invitations.parse(pasted.read_argument(f"@{path}")) == RICH


def test_a_film_is_no_invitation(tmp_path: Path) -> None:
    path = tmp_path / "film"
    path.write_bytes(b"\xff" * 1_000_000)
    with pytest.raises(BadInvitation):
        invitations.parse(pasted.read_argument(f"@{path}"))


@pytest.mark.parametrize("argument", ["@", "@/nowhere/invitation", "@/"])
def test_a_file_that_cannot_be_read(argument: str) -> None:
    with pytest.raises(Refusal, match="cannot read") as caught:
        pasted.read_argument(argument)
    assert caught.value.hint


def test_the_next_line_of_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    text = invitations.format(SIMPLE)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"hello!\n{text[:50]}\n{text[50:]}\nplay #3\n"))
    assert pasted.found(pasted.read_argument("-")) == [SIMPLE]
    assert sys.stdin.readline() == "play #3\n"


@pytest.mark.parametrize("stdin", [None, io.StringIO(""), io.StringIO("\n")])
def test_nothing_on_stdin(stdin: io.StringIO | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(Refusal, match="no invitation on stdin"):
        pasted.read_argument("-")
