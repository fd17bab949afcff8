"""Lists to choose from, and the tables of this network, which come and go."""

from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.exits import Refusal
from p2pfruit.net.beacon import Found
from p2pfruit.net.invitations import Invitation
from p2pfruit.ui.forms import Item, Picking
from p2pfruit.ui.screen.menu import LanPage, ListPage, NoticePage, ScreenAsker, TopPage
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import Size, text_of
from protocol.link.keys import SECRET_SIZE
from tests.p2pfruit.ui.menu.lan import announced
from tests.p2pfruit.ui.screen.pages import WHOLE, press, shown


def picking(count: int, **more: Any) -> Picking:
    items = tuple(Item(label=f"item {at}", about=f"about {at}") for at in range(count))
    return Picking(title="Things", items=items, **more)


@pytest.mark.parametrize(
    ("keys", "picked"),
    [
        (("enter",), 0),
        (("down", "down", "enter"), 2),
        (("up", "enter"), 11),
        (("end", "home", "down", "enter"), 1),
        (("end", "down", "enter"), 0),
        (("pagedown", "enter"), 10),
        (("pagedown", "pageup", "tab", "backtab", "enter"), 0),
        (("3",), 2),
        (("item 10",), 10),
        (("0", "x", "escape"), None),
        (("q",), None),
    ],
)
def test_keys_of_a_list(keys: tuple[str, ...], picked: int | None) -> None:
    page = ListPage(picking(12))
    press(page, *keys)
    assert page.left.is_set()
    assert page.result == picked


def test_the_chosen_item_is_marked_and_explained_without_colour() -> None:
    page = ListPage(picking(3, at=1))
    text = shown(page)
    assert "▶ 2  item 1" in text
    assert "about 1" in text
    assert "about 0" not in text


def test_every_item_can_be_clicked() -> None:
    page = ListPage(picking(12))
    keys = [span.key for spans in page.draw(WHOLE) for span in spans if span.key]
    assert {"1", "9", "item 9", "item 11", "enter", "escape"} <= set(keys)


@given(
    count=st.integers(0, 40),
    at=st.integers(0, 40),
    columns=st.integers(1, 130),
    lines=st.integers(1, 50),
    top=st.booleans(),
)
def test_lists_fit_any_size_and_show_what_is_chosen(
    count: int, at: int, columns: int, lines: int, top: bool
) -> None:
    page = (TopPage if top else ListPage)(picking(count, at=at, top=top))
    drawn = page.draw(Size(columns, lines))
    assert len(drawn) == lines
    if count and lines >= WHOLE.lines:
        assert f"item {page.at}" in text_of(drawn)
    assert len(NoticePage("title", ["text"]).draw(Size(columns, lines))) == lines
    press(page, "up", "down", "pagedown", "end")


def test_help_lies_on_top_of_the_list() -> None:
    stage = Stage(WHOLE)
    page = ListPage(picking(2))
    stage.put(page)
    stage.press("?")
    assert "select the one with this number" in text_of(stage.draw())
    stage.press("escape")
    assert stage.page is page


# The tables of this network.


def test_tables_come_and_go_and_the_chosen_one_stays(invitation: Invitation) -> None:
    other = Invitation(secret=bytes(SECRET_SIZE), addresses=())
    page = LanPage()
    assert "listening" in shown(page)
    press(page, "enter", "down")
    page.heard(announced(invitation, "Bea", "192.0.2.7"))
    page.heard(announced(other, "Al\x1b[31m", "192.0.2.1"))
    text = shown(page)
    assert "▶ 2  Bea" in text  # chosen before the other came, and is not first any more
    assert r"Al\x1b[31m" in text
    assert "1 of 4 seats taken" in text
    assert "Enter asks for the code" in text
    page.forget()
    page.heard(announced(invitation, "Bea", "192.0.2.7"))
    page.forget()
    assert "Al" not in shown(page)
    press(page, "enter")
    assert page.result.announcement.name == "Bea"


async def test_the_page_listens_while_it_is_shown(
    invitation: Invitation,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def listen(found: Callable[[Found], None]) -> None:
        found(announced(invitation))
        await trio.sleep_forever()

    monkeypatch.setattr("p2pfruit.net.beacon.listen", listen)
    stage = Stage(WHOLE)
    asker = ScreenAsker(stage)
    results: list[Found | None] = []

    async def ask() -> None:
        results.append(await asker.listen())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        assert "Bea" in text_of(stage.draw())
        stage.press("1")
    assert results[0] is not None
    assert results[0].announcement.name == "Bea"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.sleep(20)  # of a clock that jumps: it was announced once
        assert "Bea" not in text_of(stage.draw())
        stage.press("escape")
    assert results[1] is None


async def test_where_nobody_can_listen_the_page_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen(_found: Callable[[Found], None]) -> None:
        raise Refusal("cannot listen", hint="end the other one")

    monkeypatch.setattr("p2pfruit.net.beacon.listen", listen)
    stage = Stage(WHOLE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ScreenAsker(stage).listen)
        await trio.testing.wait_all_tasks_blocked()
        assert "✗ cannot listen; end the other one" in text_of(stage.draw())
        stage.press("escape")
