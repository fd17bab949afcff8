"""Forms: a row a field, and an answer is always one of those that are offered."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from p2pfruit import language
from p2pfruit.cli.commands.shared import build_game
from p2pfruit.cli.main import build_parser
from p2pfruit.exits import Refusal
from p2pfruit.games.about import about
from p2pfruit.home import settings
from p2pfruit.home.folder import Home
from p2pfruit.home.settings import DEFAULTS
from p2pfruit.net import addresses
from p2pfruit.ui.forms import Answers, Field, Filling, Form
from p2pfruit.ui.menu import forms
from p2pfruit.ui.menu.forms import (
    file_form,
    host_form,
    join_form,
    name_form,
    play_form,
    settings_form,
)
from p2pfruit.ui.screen.forms import AdjustPage, FormPage
from p2pfruit.ui.screen.styled import Size
from tests.games import registered
from tests.p2pfruit.ui.screen import golden
from tests.p2pfruit.ui.screen.pages import WHOLE, press, shown

KEYS = ("up", "down", "left", "right", " ", "enter", "tab", "2", "9", "a", "backspace", "row 1")


def check_fruit(answers: Answers) -> str:
    if "apple" not in answers["text"]:
        raise Refusal("there is no apple in it", hint="write apple")
    return "an apple"


@pytest.fixture
def form() -> Form:
    return Form(
        title="Fruit",
        take="eat",
        fields=(
            Field(
                name="count",
                label="how many",
                start=4,
                offered=lambda _answers: [(count, str(count)) for count in (2, 3, 4)],
            ),
            Field(
                name="less",
                label="fewer than that",
                start=0,
                offered=lambda answers: [(n, str(n)) for n in range(answers["count"])],
                asked=lambda answers: bool(answers["count"] > 2),
            ),
            Field(
                name="peeled",
                label="peeled",
                start=True,
                offered=lambda _answers: [(True, "on"), (False, "off")],
                about="with a knife",
            ),
            Field(name="text", label="which", start="apple"),
        ),
        check=check_fruit,
    )


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "local_addresses", lambda: ["192.168.1.20"])


# The page.


def test_answers_turn_and_begin_again(form: Form) -> None:
    page = FormPage(form)
    press(page, "right")
    assert page.filling.answers["count"] == 2
    press(page, "left")
    assert page.filling.answers["count"] == 4
    press(page, "3")
    assert page.filling.answers["count"] == 3  # what is called so comes before what is numbered so
    press(page, "1")
    assert page.filling.answers["count"] == 2
    press(page, "9", "x")
    assert page.filling.answers["count"] == 2


def test_questions_that_do_not_matter_are_not_there(form: Form) -> None:
    page = FormPage(form)
    assert "fewer" in shown(page)
    press(page, "2")
    assert "fewer" not in shown(page)
    press(page, "down")
    assert page.field.name == "peeled"


def test_an_answer_that_is_no_longer_offered_gives_way_to_the_nearest(form: Form) -> None:
    page = FormPage(form)
    press(page, "down", "left")
    assert page.filling.answers["less"] == 3
    press(page, "up", "left")
    assert page.filling.answers["less"] == 2


def test_a_switch_turns_by_space_and_shows_it_without_colour(form: Form) -> None:
    page = FormPage(form, at=2)
    assert "[✓] on" in shown(page)
    press(page, " ")
    assert "[ ] off" in shown(page)
    assert "with a knife" in shown(page)


def test_enter_takes_it_from_any_row_if_it_is_good(form: Form) -> None:
    page = FormPage(form)
    press(page, "enter")
    assert page.left.is_set()
    assert page.result == {"count": 4, "less": 0, "peeled": True, "text": "apple"}


def test_what_is_refused_is_said_while_it_is_typed_and_not_taken(form: Form) -> None:
    page = FormPage(form, at=3)
    assert "✓ an apple" in shown(page)
    press(page, "backspace")
    assert "✗ there is no apple in it" in shown(page)
    assert "write apple" in shown(page)
    press(page, "enter")
    assert not page.left.is_set()
    page.paste("e!\n")
    assert "✓ an apple" in shown(page)
    press(page, "enter")
    assert page.result["text"] == "apple!"


def test_escape_goes_back_with_nothing(form: Form) -> None:
    page = FormPage(form, at=3)
    press(page, "x", "escape")
    assert page.left.is_set()
    assert page.result is None


def test_a_click_is_the_key_of_what_was_clicked(form: Form) -> None:
    page = FormPage(form)
    keys = {span.key for spans in page.draw(WHOLE) for span in spans}
    assert {"row 0", "row 3", "left", "right", "enter", "escape"} <= keys
    press(page, "row 3")
    assert page.field.name == "text"


def test_the_cursor_stands_in_the_text(form: Form) -> None:
    page = FormPage(form)
    assert page.cursor(WHOLE) is None
    press(page, "down", "down", "down", "left")
    column, row = page.cursor(WHOLE) or (0, 0)
    line = shown(page).splitlines()[row]
    assert line[column - 4 : column + 1] == "apple"
    assert page.cursor(Size(3, 3)) is None


@given(
    keys=st.lists(st.sampled_from(KEYS), max_size=30),
    columns=st.integers(1, 130),
    lines=st.integers(1, 50),
)
def test_any_keys_in_any_size(keys: Sequence[str], columns: int, lines: int) -> None:
    page = FormPage(host_form())
    size = Size(columns, lines)
    for key in keys:
        page.press(key)
        assert len(page.draw(size)) == lines
        assert page.cursor(size) is None
    for field in page.filling.form.fields:
        assert page.filling.answers[field.name] in dict(page.filling.offered(field))


@given(text=st.text(max_size=60), columns=st.integers(1, 90), lines=st.integers(1, 30))
def test_any_text_in_any_size(text: str, columns: int, lines: int) -> None:
    page = FormPage(join_form())
    page.paste(text)
    size = Size(columns, lines)
    assert len(page.draw(size)) == lines
    cursor = page.cursor(size)
    assert cursor is None or (cursor[0] < columns and cursor[1] < lines)


# The forms of the menu.


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.usefixtures("no_network")
def test_every_form_fits_the_smallest_screen(code: str, tmp_path: Path) -> None:
    language.use(code)
    home = Home(tmp_path)
    for form in (
        play_form(DEFAULTS),
        host_form(),
        join_form(),
        file_form(),
        name_form(home),
        settings_form(home),
    ):
        for at in range(len(Filling(form).fields)):
            page = FormPage(form, at)
            text = shown(page)
            for field in page.filling.fields:
                assert field.label in text
            assert page.filling.about(page.field)[:40] in text
            assert form.take in text.splitlines()[-1]


@pytest.mark.usefixtures("no_network")
def test_golden_forms(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.set_name("Ada")
    golden.check("form-name", shown(FormPage(name_form(home))))
    golden.check("form-play", shown(FormPage(play_form(DEFAULTS))))
    page = FormPage(host_form())
    press(page, "right", "down")
    golden.check("form-host", shown(page))
    page = AdjustPage(lambda: settings_form(home), Kept().change, at=3)
    golden.check("form-settings", shown(page))
    page = FormPage(join_form())
    page.paste("FRUIT-0404HP")
    golden.check("form-join", shown(page))


# Readings of the rules.


@pytest.fixture
def more_games() -> Iterator[None]:
    with registered():
        yield


def labels(page: FormPage) -> list[str]:
    return [field.label for field in page.filling.fields]


@pytest.mark.usefixtures("no_network", "more_games")
def test_a_form_offers_the_options_of_the_game_that_is_chosen() -> None:
    page, line = FormPage(play_form(DEFAULTS)), forms.play_argv
    assert labels(page)[-1] == "ties"
    page.move(len(page.filling.fields) - 1)
    assert "◀ among contenders ▶" in shown(page)
    assert "among contenders: only cards that contend for the trick can tie" in shown(page)
    assert "--option" not in line(page.filling.answers)
    press(page, "right")
    assert line(page.filling.answers)[1:5] == ["--game", "fruitoplay", "--option", "ties=all"]
    for game in registry.names():
        page.filling.put(page.form.fields[0], game)
        options = registry.find(game).game.options
        asked = [field for field in page.filling.fields if field.name.startswith(f"{game} ")]
        assert len(asked) == len(options)
        assert {about(game).called(option.name) for option in options} <= set(labels(page))
        for field, option in zip(asked, options, strict=True):
            page.filling.put(field, option.values[1])
            assert f"{option.name}={option.values[1]}" in line(page.filling.answers)
            page.filling.put(field, option.default)
            assert "--option" not in line(page.filling.answers)


@pytest.mark.usefixtures("no_network")
def test_what_a_form_says_is_a_command_line() -> None:
    for value in ("contending", "all"):
        filling = Filling(play_form(DEFAULTS))
        filling.put(filling.fields[-1], value)
        typed = forms.play_argv(filling.answers)
        arguments = build_parser().parse_args(typed)
        assert build_game(arguments).chosen == {"ties": value}


def test_an_answer_is_kept_while_another_game_is_looked_at() -> None:
    filling = Filling(play_form(DEFAULTS))
    game, option = filling.fields[0], filling.fields[-1]
    filling.put(option, "all")
    filling.put(game, "pixies")
    assert option not in filling.fields
    filling.put(game, "fruitoplay")
    assert "ties=all" in forms.play_argv(filling.answers)


ONE_GAME = """
import sys
from dataclasses import replace
from p2pfruit.ui.menu import forms
from p2pfruit.ui.forms import Filling
from p2pfruit.home.settings import DEFAULTS
filling = Filling(forms.play_form(replace(DEFAULTS, game="pixies")))
assert filling.fields
loaded = {module.split(".")[1] for module in sys.modules if module.startswith("engine.")}
from engine import registry
assert loaded & set(registry.names()) == {"pixies"}, loaded
"""


def test_a_form_opens_with_one_game_and_does_not_wait_for_the_others() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ONE_GAME], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


# Changes that take effect one by one.


class Kept:
    """What was changed; `anew` is what a front is built with."""

    def __init__(self, anew: str = "") -> None:
        self.changes: list[tuple[str, Any]] = []
        self.anew = anew

    def change(self, field: Field, value: Any) -> bool:
        if value == "full":
            raise Refusal("the disk is full", hint="make room")
        self.changes.append((field.name, value))
        return field.name == self.anew


def test_every_change_is_kept_at_once_and_a_text_when_it_is_left(form: Form) -> None:
    kept = Kept()
    page = AdjustPage(lambda: form, kept.change)
    press(page, "right")
    assert kept.changes == [("count", 2)]
    page.move(3)
    press(page, "end", "s")
    assert kept.changes == [("count", 2)]
    press(page, "up")
    assert kept.changes == [("count", 2), ("text", "apples")]
    press(page, "down", "escape")
    assert len(kept.changes) == 2
    assert page.left.is_set()
    assert page.result is None


def test_a_text_that_is_refused_is_not_left(form: Form) -> None:
    kept = Kept()
    page = AdjustPage(lambda: form, kept.change, at=3)
    press(page, "backspace", "escape", "enter", "up")
    assert not page.left.is_set()
    assert page.field.name == "text"
    assert "✗ there is no apple in it" in shown(page)
    assert kept.changes == []
    press(page, "e", "escape")
    assert page.left.is_set()


def test_what_cannot_be_kept_is_said() -> None:
    form = Form(title="", take="", fields=(Field(name="text", label="", start=""),))
    page = AdjustPage(lambda: form, Kept().change)
    page.paste("full")
    press(page, "escape")
    assert not page.left.is_set()
    assert "✗ the disk is full" in shown(page)
    assert "make room" in shown(page)


def test_a_front_that_must_be_built_anew_comes_back_to_the_same_row(form: Form) -> None:
    page = AdjustPage(lambda: form, Kept(anew="peeled").change, at=2)
    press(page, " ")
    assert page.left.is_set()
    assert page.result == 2


def test_settings_are_saved_by_the_page(tmp_path: Path) -> None:
    home = Home(tmp_path)

    def change(field: Field, value: Any) -> bool:
        settings.change(home.path, field.name, value)
        return False

    page = AdjustPage(lambda: settings_form(home), change)
    names = [field.name for field in page.filling.fields]
    page.move(names.index("bell"))
    press(page, " ")
    assert settings.load(tmp_path).bell is False
    assert page.filling.answers["bell"] is False
    page.move(names.index("seats"))
    press(page, "5")
    assert settings.load(tmp_path).seats == 5


def test_a_filling_says_what_an_answer_is_called(form: Form) -> None:
    filling = Filling(form)
    assert [filling.said(field) for field in filling.fields] == ["4", "0", "on", "apple"]
