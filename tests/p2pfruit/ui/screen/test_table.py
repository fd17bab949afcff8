"""The table page: what it shows, and what its keys do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from engine.moves import Move
from p2pfruit import language
from p2pfruit.games.scenes import Option
from p2pfruit.home.settings import Settings
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.model import CLOSED, OPEN, TOLD, Inquiry, TableModel
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import Size, plain_lines, text_of
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import Words, pages_for, words_for
from tests.p2pfruit.ui.screen.golden import check
from tests.p2pfruit.ui.screen.tables import SMALL, WIDE, Shown, on_stage, press, screen

STATUS = {
    0: Status("…", "4 s"),
    1: Status("✓", "● 12 ms"),
    2: Status("…", "4 s ● 40 ms"),
    3: Status("✓", "○"),
}


@contextmanager
def spoken(code: str) -> Iterator[None]:
    before = language.current()
    language.use(code)
    try:
        yield
    finally:
        language.use(before)


def page_of(model: TableModel, size: Size = SMALL) -> tuple[TablePage, Stage]:
    stage = Stage(size)
    pages = pages_for(model)
    words: Words = {**words_for(stage, pages), "say": lambda text: [f"said {text}"]}
    page = TablePage(model, words, pages)
    stage.put(page)
    model.changed = stage.redraw
    return page, stage


class Asked:
    """A table at which seat 0 is asked for a card."""

    def __init__(self, seats: int = 4, size: Size = SMALL, settings: Settings | None = None):
        self.shown = Shown(seats, settings=settings)
        self.shown.play(2)
        self.model = self.shown.model
        self.shown.say({seat: status for seat, status in STATUS.items() if seat < seats})
        self.model.clock = "1:32"
        self.model.progress = "sealed choices: 2 of 4"
        self.page, self.stage = page_of(self.model, size)
        self.inquiry = self.shown.inquiry()
        self.answers: list[Move] = []

    async def ask(self) -> None:
        self.answers.append(await self.model.ask(self.inquiry))


@contextmanager
def asked_now(asked: Asked) -> Iterator[None]:
    """For what is only drawn: the question stands, and nobody waits for its answer."""
    asked.model._inquiries.append(asked.inquiry)
    yield


# What it shows.


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize(("seats", "size"), [(2, SMALL), (4, SMALL), (6, SMALL), (4, WIDE)])
def test_the_table_as_it_was_looked_at(code: str, seats: int, size: Size) -> None:
    with spoken(code):
        asked = Asked(seats, size)
        asked.model.told(["<Bruno> well, well"])
        with asked_now(asked):
            check(f"table-{seats}-{size.columns}-{code}", screen(asked.stage))


def test_in_ascii_and_without_styles_every_fact_is_there() -> None:
    asked = Asked()
    with asked_now(asked):
        text = text_of(plain_lines(asked.stage.draw()))
    assert text.isascii()
    check("table-4-80-ascii", text)
    assert "target" in text  # the box around the target says so
    assert "> " in text  # what is picked is pointed at
    assert "wins" in text or "nobody" in text
    assert "your turn 1:32" in text
    for sign in ("+ o 12 ms", "~ 4 s"):  # who has chosen, and who thinks
        assert sign in text


def test_while_nothing_is_asked_my_hand_is_still_there() -> None:
    asked = Asked()
    asked.model.waiting = "Bruno, Davor"
    text = screen(asked.stage)
    assert "your hand" in text
    assert "waiting for Bruno, Davor" in text


def test_a_reveal_has_three_beats() -> None:
    shown = Shown(4, settings=Settings(motion=True))
    shown.play(1)
    model = shown.model
    _page, stage = page_of(model)
    assert model.beat == CLOSED
    closed = screen(stage)
    assert "▒" in closed
    assert "wins" not in closed
    model.beat = OPEN
    turned = screen(stage)
    assert "away" in turned
    assert "wins" not in turned
    model.beat = TOLD
    assert "→" in screen(stage)


def test_without_motion_a_reveal_is_told_at_once() -> None:
    shown = Shown(4)
    shown.play(1)
    assert shown.model.beat == TOLD


async def test_the_beats_come_by_themselves(autojump_clock: trio.testing.MockClock) -> None:
    shown = Shown(4, settings=Settings(motion=True))
    shown.play(1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shown.model.turn_up)
        await trio.sleep(limits.CLOSED_S + 0.01)
        assert shown.model.beat == OPEN
        await trio.sleep(limits.OPEN_S + 0.01)
        assert shown.model.beat == TOLD
        shown.play(1)
        await trio.sleep(limits.CLOSED_S / 2)
        assert shown.model.beat == CLOSED
        shown.play(1)  # another before the first was told
        await trio.sleep(limits.CLOSED_S + limits.OPEN_S + 0.02)
        assert shown.model.beat == TOLD
        nursery.cancel_scope.cancel()


@given(
    size=st.builds(Size, st.integers(1, 200), st.integers(1, 60)),
    seats=st.sampled_from([2, 4, 6]),
    typed=st.text(max_size=100),
)
def test_it_fits_whatever_the_window_is(size: Size, seats: int, typed: str) -> None:
    asked = Asked(seats, size)
    with asked_now(asked):
        asked.stage.paste(typed)
        lines = list(asked.page.draw(size))
        assert len(lines) <= size.lines
        at = asked.page.cursor(size)
        if at is not None and size.lines > 1:
            assert at[0] >= 0
            assert at[1] < size.lines


# What its keys do.


async def play(asked: Asked, keys: list[str]) -> list[Move]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(asked.ask)
        await trio.testing.wait_all_tasks_blocked()
        press(asked.stage, keys)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return asked.answers


async def test_arrows_pick_and_enter_plays() -> None:
    asked = Asked()
    options = asked.inquiry.options
    assert await play(asked, ["right", "right", "left", "enter"]) == [options[1].move]


async def test_picking_goes_round() -> None:
    asked = Asked()
    assert await play(asked, ["left", "enter"]) == [asked.inquiry.options[-1].move]


async def test_a_digit_picks_where_plays_are_confirmed() -> None:
    asked = Asked(settings=Settings(motion=False, confirm=True))
    assert await play(asked, ["3"]) == []
    assert asked.inquiry.picked == 2
    again = Asked(settings=Settings(motion=False, confirm=True))
    assert await play(again, ["3", "enter"]) == [again.inquiry.options[2].move]


async def test_a_digit_plays_at_once_where_they_are_not() -> None:
    asked = Asked(settings=Settings(motion=False, confirm=False))
    assert await play(asked, ["3"]) == [asked.inquiry.options[2].move]


async def test_a_click_on_a_card_is_its_number() -> None:
    asked = Asked(settings=Settings(motion=False, confirm=False))
    with asked_now(asked):
        keys = {span.key for line in asked.stage.draw() for span in line if span.key}
    assert {"1", "2", "3", "tab", "f1", "?", "escape", "enter"} <= keys


async def test_a_card_can_be_typed_by_its_name() -> None:
    asked = Asked()
    label = asked.inquiry.options[2].label
    fruit, number = label.split()[:2]
    assert await play(asked, [*fruit, " ", *number, "enter"]) == [asked.inquiry.options[2].move]


async def test_what_is_no_answer_is_said_so_and_nothing_is_lost() -> None:
    asked = Asked()
    assert await play(asked, [*"durian 4", "enter"]) == []
    assert "durian 4" in screen(asked.stage)


async def test_escape_takes_back_what_was_typed() -> None:
    asked = Asked()
    assert await play(asked, [*"fi", "escape", "enter"]) == [asked.inquiry.options[0].move]


async def test_more_than_nine_choices_are_typed() -> None:
    asked = Asked()
    options = [Option(label=f"choice {at}", move=Move("take", (), (str(at),))) for at in range(12)]
    asked.inquiry = Inquiry("which?", options)
    assert await play(asked, ["1", "1", "enter"]) == [Move("take", (), ("10",))]


async def test_a_later_question_comes_first_and_the_other_stays() -> None:
    asked = Asked()
    absent = Inquiry("what now?", [Option(label="wait", move=Move("wait"))])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(asked.ask)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(asked.model.ask, absent)
        await trio.testing.wait_all_tasks_blocked()
        assert "what now?" in screen(asked.stage)
        press(asked.stage, ["enter"])
        await trio.testing.wait_all_tasks_blocked()
        assert asked.answers == []
        press(asked.stage, ["enter"])
    assert asked.answers == [asked.inquiry.options[0].move]


async def test_signs_that_look_like_digits_are_no_numbers() -> None:
    """Such as the one beside the 1 of a French keyboard."""
    asked = Asked(settings=Settings(motion=False, confirm=False))
    assert await play(asked, ["²", "enter", "①", "enter"]) == []
    assert "①" in screen(asked.stage)


async def test_a_number_that_comes_before_its_question_is_forgotten() -> None:
    asked = Asked()
    press(asked.stage, ["1"])
    assert "> 1" not in screen(asked.stage)
    assert await play(asked, ["enter"]) == [asked.inquiry.options[0].move]


def test_the_bell_rings_when_i_am_asked_if_it_may() -> None:
    rung: list[str] = []

    async def ask(settings: Settings) -> None:
        asked = Asked(settings=settings)
        asked.model.ring = lambda: rung.append("ring")
        await play(asked, [])

    trio.run(ask, Settings(motion=False, bell=True))
    assert rung == ["ring"]
    trio.run(ask, Settings(motion=False, bell=False))
    assert rung == ["ring"]


# Around the table.


def test_tab_says_something() -> None:
    asked = Asked()
    press(asked.stage, ["tab", *"hi there"])
    assert "say> hi there" in screen(asked.stage)
    at = asked.page.cursor(SMALL)
    assert at == (len("say> hi there"), SMALL.lines - 2)
    press(asked.stage, ["enter"])
    assert "said hi there" in screen(asked.stage)


@pytest.mark.parametrize(
    ("told", "style"),
    [
        ("WARNING: Bruno is NOT the Bruno you know", "warning"),
        ("ATTENTION : Bruno n'est PAS Bruno, que vous connaissez", "warning"),
        ("Bruno is new to you: AXXRVK", "note"),
        ("<BRUNO> WARNING: nothing", "note"),
    ],
)
def test_a_warning_is_louder_than_other_news(told: str, style: str) -> None:
    asked = Asked(2)
    asked.model.told([told])
    spans = [span for line in asked.stage.draw() for span in line]
    assert [span.style for span in spans if span.text == told] == [style]


def test_a_silent_table_says_so() -> None:
    asked = Asked()
    asked.model.talk.allowed = False
    press(asked.stage, ["tab", "x"])
    assert "Tab" not in screen(asked.stage)
    press(asked.stage, ["escape", "tab"])
    assert "chat is off" in screen(asked.stage)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        (["f1"], "Fruitoplay in short"),
        (["f2"], "what happened"),
        (["?"], "keys, words and symbols at the table"),
        ([*"rules", "enter"], "Fruitoplay in short"),
        ([*"help", "enter"], "keys, words and symbols at the table"),
    ],
)
def test_pages_lie_on_the_table_and_go_again(keys: list[str], shown: str) -> None:
    asked = Asked()
    press(asked.stage, keys)
    assert shown in screen(asked.stage)
    press(asked.stage, ["escape"])
    assert "river" in screen(asked.stage)


def test_nothing_is_asked_and_something_is_typed() -> None:
    asked = Asked()
    press(asked.stage, [*"fig 3", "enter"])
    assert "nothing is asked of you now" in screen(asked.stage)


def test_settings_say_what_a_digit_does() -> None:
    for confirm, word in ((True, "pick"), (False, "play")):
        asked = Asked(settings=replace(Settings(motion=False), confirm=confirm))
        with asked_now(asked):
            assert f"1-{len(asked.inquiry.options)} {word}" in screen(asked.stage)


def test_before_the_seats_are_drawn_the_work_is_shown() -> None:
    model = TableModel(Settings())
    model.game = "fruitoplay"
    model.progress = "taking seats: 2 of 4"
    _page, stage = page_of(model)
    text = screen(stage)
    assert "Fruitoplay" in text
    assert "taking seats: 2 of 4" in text


def test_a_page_that_nobody_left_hears_the_keys() -> None:
    asked = Asked()
    other = Asked()
    stage = on_stage(asked.page, other.page)
    press(stage, [*"abc"])
    assert "> abc" in screen(stage)
    stage.take(other.page)
    assert "> abc" not in screen(stage)
