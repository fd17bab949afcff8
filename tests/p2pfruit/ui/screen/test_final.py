"""The end of a game."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit import language
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.replay.verdict import headline, losses, player_names, verified_means
from p2pfruit.ui.afterwards import Action
from p2pfruit.ui.screen.after import AfterScreen
from p2pfruit.ui.screen.final import Final, FinalPage
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.screen.styled import Size
from protocol.file.report import report
from tests.p2pfruit.cli import gamefiles as made
from tests.p2pfruit.ui.screen.golden import check
from tests.p2pfruit.ui.screen.tables import NAMES, SMALL, WIDE, on_stage, press, screen

ROUNDS = ((12, 30, 8, 20, 4, 9), (24, 6, 0, 20, 15, 9), (10, 10, 10, 10, 10, 9))


def final(seats: int = 4) -> Final:
    rounds = [row[:seats] for row in ROUNDS]
    totals = [sum(row[seat] for row in rounds) for seat in range(seats)]
    return Final(
        names=NAMES[:seats],
        places=[1 + sum(other > total for other in totals) for total in totals],
        rounds=rounds,
        me=0,
        headline=_("final: the game ended, and everyone still seated signed the result"),
        verified=True,
        means=verified_means(report(made.table_of(made.final))),
        file="/home/ada/.local/share/p2pfruit/games/fruitoplay-0123456789abcdef.fruit",
    )


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize(("seats", "size"), [(2, SMALL), (4, SMALL), (6, SMALL), (4, WIDE)])
def test_the_end_as_it_was_looked_at(code: str, seats: int, size: Size) -> None:
    language.use(code)
    stage = on_stage(FinalPage(final(seats)), size=size)
    check(f"final-{seats}-{size.columns}-{code}", screen(stage))


def of_kind(kind: made.Kind) -> Final:
    """The end of a table, as a player who did not leave is told."""
    table = made.table_of(kind)
    found = report(table)
    names = player_names(found)
    return Final(
        names=[names[player] for player in found.seats],
        places=found.places,
        rounds=found.scores,
        me=found.seats.index(1),
        headline=headline(found, names),
        verified=True,
        means=verified_means(found),
        file="/home/ada/.local/share/p2pfruit/games/fruitoplay-0123456789abcdef.fruit",
        why=losses(table, found, names),
    )


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("kind", [made.dropped, made.contested, made.withheld, made.given_up])
def test_an_end_that_is_not_agreed_as_it_was_looked_at(kind: made.Kind, code: str) -> None:
    language.use(code)
    end = of_kind(kind)
    shown = screen(on_stage(FinalPage(end)))
    check(f"final-{kind.__name__}-{code}", shown)
    assert end.file in shown.replace("\n", "")
    for name, place in zip(end.names, end.places, strict=False):
        [row] = [line for line in shown.splitlines() if re.search(rf"^[★ ] \S+ +{name}\b", line)]
        assert row.split()[0 if place != 1 else 1] == (str(place) if place else "-")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("code", ["en", "fr"])
def test_everything_is_on_the_smallest_screen(seats: int, code: str) -> None:
    language.use(code)
    end = final(seats)
    shown = screen(on_stage(FinalPage(end)))
    for name in end.names:
        assert name in shown
    assert end.file in shown.replace("\n", "")
    assert "✓" in shown


def test_a_file_that_does_not_hold_is_said_so_in_words() -> None:
    shown = screen(on_stage(FinalPage(replace(final(), verified=False))))
    assert "WARNING: the game file failed verification" in shown
    assert "verified ✓" not in shown


def test_a_table_without_a_file_says_nothing_about_one() -> None:
    shown = screen(on_stage(FinalPage(replace(final(), verified=None, file=""))))
    assert "verified" not in shown
    assert "WARNING" not in shown
    assert "the game is in" not in shown


def test_a_game_without_an_end_has_no_ranking() -> None:
    shown = screen(on_stage(FinalPage(replace(final(), places=(), rounds=()))))
    assert "★" not in shown
    assert shown.startswith("final: ")


@pytest.mark.parametrize("key", ["enter", "escape", "q", " "])
def test_it_is_left_with_a_key(key: str) -> None:
    page = FinalPage(final())
    press(on_stage(page), ["x"])
    assert not page.left.is_set()
    press(on_stage(page), [key])
    assert page.left.is_set()


@given(
    st.builds(Size, st.integers(1, 200), st.integers(1, 60)),
    st.integers(2, 6),
    st.booleans(),
    st.sampled_from([True, False, None]),
)
def test_it_fits_whatever_the_window_is(
    size: Size, seats: int, over: bool, verified: bool | None
) -> None:
    end = replace(final(seats), verified=verified)
    page = FinalPage(end if over else replace(end, places=()))
    assert len(page.draw(size)) <= size.lines


class Talking:
    """In the place of what can be done after a game, at a table where a friend is still here."""

    def __init__(self, labels: Sequence[str], friend: str, *, checked: bool = True) -> None:
        self.labels = labels
        self._friend = friend
        self.why_not = "" if checked else _("the game file is still being checked")
        self.done: list[str] = []

    def actions(self) -> list[Action]:
        async def do() -> Sequence[str]:
            return ()

        return [
            Action(
                label=label,
                words=(label,),
                do=do,
                why_not=self.why_not,
                suggested=label == self.labels[0],
            )
            for label in self.labels
        ]

    def others(self) -> list[str]:
        return [_("still here: {names}").format(names=self._friend)]

    async def perform(self, action: Action) -> list[str]:
        self.done.append(action.label)
        return [action.why_not] if action.why_not else []


def talking(*, checked: bool = True, friend: str = "Bo") -> tuple[Talking, AfterScreen, list[str]]:
    labels = [
        _("another game"),
        _("replay"),
        _("write a replay for a browser"),
        _("how the expert would have played"),
        _("save as HTML"),
        _("leave the table"),
    ]
    model = TableModel(Settings(motion=False))
    after: Any = Talking(labels, friend, checked=checked)
    said: list[str] = []

    def say(text: str) -> Sequence[str]:
        said.append(text)
        return ()

    below = AfterScreen(after, model, say, lambda *_page: None)
    model.told([f"<{friend}> gg"])
    return after, below, said


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("size", [SMALL, WIDE])
def test_the_page_after_a_game_as_it_was_looked_at(code: str, size: Size) -> None:
    language.use(code)
    _after, below, _said = talking()
    words = _("{name} wins with {points}, {more} more than {second}")
    decided = words.format(name="Davor", points="50 points", more=4, second="Ada")
    stage = on_stage(FinalPage(replace(final(), decided=decided), below), size=size)
    check(f"after-{size.columns}-{code}", screen(stage))


async def test_an_action_is_chosen_by_its_number_or_picked() -> None:
    after, below, _said = talking()
    stage = on_stage(FinalPage(final(), below))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(below.run)
        for keys in (["2"], ["left", "enter"], ["q"], ["right", "enter"]):
            await trio.testing.wait_all_tasks_blocked()
            press(stage, keys)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    labels = after.labels
    assert after.done == [labels[1], labels[0], labels[-1], labels[1]]


async def test_what_is_said_there_is_no_choice() -> None:
    after, below, said = talking(checked=False)
    stage = on_stage(FinalPage(final(), below))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(below.run)
        await trio.testing.wait_all_tasks_blocked()
        press(stage, ["tab", "1"])
        stage.paste(" gg")
        assert "say> 1 gg" in screen(stage)
        press(stage, ["enter", "tab", "x", "escape", "tab", "enter"])
        await trio.testing.wait_all_tasks_blocked()
        assert (said, after.done) == (["1 gg"], [])
        press(stage, ["1"])
        await trio.testing.wait_all_tasks_blocked()
        assert "the game file is still being checked" in screen(stage)
        nursery.cancel_scope.cancel()


@given(st.builds(Size, st.integers(1, 200), st.integers(1, 60)), st.integers(2, 6))
def test_the_page_after_a_game_fits_whatever_the_window_is(size: Size, seats: int) -> None:
    _after, below, _said = talking()
    page = FinalPage(final(seats), below)
    assert len(page.draw(size)) <= size.lines
