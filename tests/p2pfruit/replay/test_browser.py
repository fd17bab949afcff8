"""The page of a replay in a real browser, opened from disk."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from p2pfruit.replay.analysis import Analysis, analyse
from p2pfruit.replay.frames import Replay
from p2pfruit.replay.html.page import page
from p2pfruit.replay.judged import remarks
from p2pfruit.text.safe import shown_names
from tests.p2pfruit.cli import gamefiles
from tests.p2pfruit.replay.browser import Browser, Tab, browsing
from tests.p2pfruit.replay.tables import HOSTILE, four, hostile, page_of, replay_of, watched

pytestmark = pytest.mark.needs("chromium")

Open = Callable[..., Tab]
Tabs = Callable[[int, int, bool], Tab]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture(scope="module")
def tabs(browser: Browser) -> Tabs:
    """One of each shape; a page that is opened again begins from nothing."""
    return cache(lambda width, height, dark: Tab(browser, width=width, height=height, dark=dark))


@pytest.fixture
def show(tabs: Tabs, tmp_path: Path) -> Iterator[Open]:
    """Opens a replay, at its first frame unless `first` says otherwise; afterwards nothing was
    complained of, and nothing asked for but the page."""
    path = tmp_path / "page.html"
    opened: list[Tab] = []

    def open_tab(
        replay: Replay,
        *,
        width: int = 1100,
        height: int = 900,
        dark: bool = False,
        first: bool = True,
        found: Analysis | None = None,
    ) -> Tab:
        text = page_of(replay) if found is None else page(replay, found)
        path.write_text(text, encoding="utf-8")
        tab = tabs(width, height, dark)
        assert tab not in opened
        opened.append(tab)
        tab.open(path)
        if first:
            tab.press("Home")
        return tab

    yield open_tab
    for tab in opened:
        assert tab.complaints() == []
        assert tab.requests() == [path.as_uri()]


def frame(tab: Tab) -> str:
    return tab.text(".progress")


def numbers(tab: Tab) -> list[str]:
    """Return the numbers of the frame, which are the same in all languages."""
    return re.findall(r"[0-9]+", frame(tab))


def wait_for_frame(tab: Tab, number: int) -> None:
    """A browser tells a page of a link to itself a moment later."""
    shown = (frame(tab).startswith(f"frame {number} of ") for _ in range(2000))
    assert any(shown)


def places(replay: Replay) -> tuple[list[str], list[int]]:
    """The words of every frame, and the frame before which each later round begins."""
    frames = replay.frames()
    words = [f"frame {one.number} of {len(frames)}, round {one.round}" for one in frames]
    return words, [frames.index(next(one for one in frames if one.round == r)) for r in (2, 3)]


def background(tab: Tab) -> str:
    return str(tab.evaluate("getComputedStyle(document.body).backgroundColor"))


def too_wide(tab: Tab) -> list[str]:
    """The frames, from the first to the last, that are wider than the window."""
    found = tab.evaluate(
        """(() => {
            const press = (key) => document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key, bubbles: true }));
            const all = document.documentElement, seen = new Set(), wide = [];
            const place = () => document.querySelector(".progress").innerText;
            for (press("Home"); !seen.has(place()); press("ArrowRight")) {
                seen.add(place());
                if (all.scrollWidth > all.clientWidth) wide.push(place());
            }
            return [seen.size, wide];
        })()"""
    )
    assert found[0] == int(tab.evaluate("document.querySelector('nav input').max"))
    return list(found[1])


def test_it_opens_on_the_ranking_and_leads_to_the_first_card(show: Open) -> None:
    replay = replay_of(four)
    tab = show(replay, first=False)
    words, _rounds = places(replay)
    assert frame(tab) == words[-1]
    assert "final ranking" in tab.text("main").lower()
    tab.click("#start")
    [first, *_later] = [one for one in replay.frames() if one.moment is not None]
    assert frame(tab) == words[first.number - 1]
    assert not tab.evaluate("document.querySelector('#start').checkVisibility()")
    tab.press("End")
    assert tab.evaluate("document.querySelector('#start').checkVisibility()")


def test_stepping_by_keys(show: Open) -> None:
    tab = show(replay_of(four))
    words, (second, third) = places(replay_of(four))
    assert frame(tab) == words[0]
    for key, says in [
        ("ArrowRight", words[1]),
        ("ArrowLeft", words[0]),
        ("ArrowLeft", words[0]),
        ("PageDown", words[second]),
        ("PageDown", words[third]),
        ("PageUp", words[second]),
        ("End", words[-1]),
        ("ArrowRight", words[-1]),
        ("Home", words[0]),
    ]:
        tab.press(key)
        assert frame(tab) == says


def test_stepping_by_clicks(show: Open) -> None:
    tab = show(replay_of(four))
    words, (second, third) = places(replay_of(four))
    for button, says in [
        ("#forward", words[1]),
        ("#round_forward", words[second]),
        ("#back", words[second - 1]),
        ("#last", words[-1]),
        ("#round_back", words[third]),
        ("#first", words[0]),
    ]:
        tab.click(button)
        assert frame(tab) == says
    tab.click("nav input")
    middle = int(frame(tab).split()[1])
    assert abs(middle - len(words) / 2) <= 6
    tab.press("ArrowRight")  # the slider has the focus: still one frame, not two
    assert frame(tab) == words[middle]


def test_a_frame_shows_what_the_scene_says(show: Open) -> None:
    replay = replay_of(four)
    tab = show(replay)
    for made in replay.frames()[:6]:
        shown = tab.text("main")
        for row in made.scene.players:
            assert row.name in shown
        if made.moment is not None:
            assert made.moment.verdict in shown
        for part in made.scene.title:
            assert part in shown
        names = tab.evaluate("[...document.querySelectorAll('.player .tile')].map(t => t.title)")
        assert names == [tile.name for row in made.scene.players for tile in row.hand]
        tab.press("ArrowRight")
    tab.press("End")
    assert "final ranking" in tab.text(".result")
    assert tab.evaluate("document.querySelectorAll('.chart svg rect').length") == 12


def test_boards_are_read_in_one_line_and_their_signs_explained(show: Open) -> None:
    replay = watched("frutopia", 2, 5, 30).replay
    tab = show(replay, width=360, height=640)
    tab.press("End")
    made = replay.frames()[-1]
    texts = tab.evaluate(
        "[...document.querySelectorAll('.board .tile .text')].map(t => t.innerText)"
    )
    assert texts == [
        tile.text for board in made.scene.boards for row in board.rows for tile in row if tile
    ]
    narrow = tab.evaluate(
        """[...document.querySelectorAll('.board .tile .text')].filter(
            t => t.getClientRects()[0].height > 30 || t.scrollWidth > t.parentElement.clientWidth
        ).map(t => t.innerText)"""
    )
    assert narrow == []
    tab.evaluate("document.querySelector('.legend').closest('details').open = true")
    for tile in made.scene.legend:
        assert tile.name in tab.text(".legend")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_target_is_marked_by_more_than_colour(show: Open) -> None:
    tab = show(replay_of(four))
    tab.evaluate("location.hash = '#4'")
    tab.evaluate("new Promise(requestAnimationFrame)")
    target = tab.evaluate("document.querySelector('.tile.mood-target').ariaLabel")
    assert str(target).endswith(", target")
    assert "▶" in tab.text(".tile.mood-target")


def test_hands_are_hidden_and_shown(show: Open) -> None:
    tab = show(replay_of(four))
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    closed = "document.querySelectorAll('.player .tile.closed').length"
    assert tab.evaluate(closed) == 0
    tab.press("h")
    assert tab.evaluate(closed) == 24
    assert tab.evaluate("document.getElementById('hands').ariaPressed") == "false"
    tab.click("#hands")
    assert tab.evaluate(closed) == 0


def test_what_was_never_opened(show: Open) -> None:
    tab = show(replay_of(gamefiles.unfinished))
    tab.press("End")
    assert tab.evaluate("document.querySelectorAll('.player .tile.closed').length") == 9
    assert "never opened: 9" in tab.text("main")
    assert tab.text(".headline").startswith("! unfinished")


def test_an_analysis_leads_to_the_decisions(show: Open) -> None:
    """The list has a link to each decision, and the decision a mark."""
    replay = watched("punnet", 3, 2).replay
    found = analyse(replay, 1, watched("punnet", 3, 2).truth)
    told = remarks(replay, found)
    assert told
    tab = show(replay, found=found)
    tab.click(".analysis summary")
    rows = tab.texts(".analysis li")
    assert rows == [f"frame {one.frame} {one.text}" for one in told]
    for one in told:
        link = f'.analysis a[href="#{one.frame}"]'
        tab.evaluate(f"document.querySelector('{link}').click()")  # it may be scrolled away
        wait_for_frame(tab, one.frame)
        assert one.text in tab.texts(".judged")
        assert tab.text(".analysis summary")  # it stays unfolded


def test_both_languages(show: Open) -> None:
    tab = show(replay_of(four))
    tab.press("PageDown")
    english, shown = tab.text("main"), numbers(tab)
    tab.click("#speak-fr")
    assert tab.evaluate("document.documentElement.lang") == "fr"
    assert "définitive : " in tab.text(".headline")
    assert tab.text("main") != english
    assert numbers(tab) == shown
    tab.click("#speak-en")
    assert tab.text("main") == english


def test_light_and_dark(show: Open) -> None:
    light, dark = show(replay_of(four)), show(replay_of(four), dark=True)
    assert background(light) != background(dark)
    before = background(light)
    light.click("#dark")
    assert background(light) == background(dark)
    light.click("#dark")
    assert background(light) == before
    dark.click("#dark")
    assert background(dark) == before


@pytest.mark.parametrize("replay", [four, hostile])
def test_nothing_is_wider_than_a_phone(replay: gamefiles.Kind, show: Open) -> None:
    tab = show(replay_of(replay), width=360, height=640)
    assert too_wide(tab) == []
    tab.click("#speak-fr")
    assert too_wide(tab) == []


def test_it_plays_by_itself_until_it_is_stopped(show: Open) -> None:
    tab = show(replay_of(four))
    tab.evaluate(
        "window.timers = 0; window.setInterval = (act) => { window.act = act; return ++timers; };"
    )
    tab.press(" ")
    assert "pause" in tab.evaluate("document.getElementById('play').title")
    tab.evaluate("act(); act()")
    assert frame(tab) == places(replay_of(four))[0][2]
    tab.press(" ")
    assert "play" in tab.evaluate("document.getElementById('play').title")
    assert tab.evaluate("timers") == 1


def test_hostile_names_are_only_names(show: Open) -> None:
    tab = show(replay_of(hostile))
    tab.press("End")
    names = tab.evaluate("[...document.querySelectorAll('.player .name')].map(n => n.textContent)")
    assert sorted(names) == sorted(shown_names(HOSTILE))
    assert tab.evaluate("document.images.length") == 0
    assert tab.evaluate("document.querySelectorAll('script').length") == 2
    assert tab.evaluate("document.querySelectorAll('#replay b i, #replay img').length") == 0


def test_a_game_in_the_engines_words(show: Open) -> None:
    replay = watched("brambles", 3, 5).replay
    tab = show(replay, width=360, height=640)
    assert too_wide(tab) == []
    assert tab.evaluate("document.querySelectorAll('.bar').length") == 3


def test_everything_that_can_be_pressed_has_a_name(show: Open) -> None:
    tab = show(replay_of(four))
    unnamed = tab.evaluate(
        "[...document.querySelectorAll('button, input')]"
        ".filter(e => !(e.ariaLabel || e.textContent.trim())).length"
    )
    assert unnamed == 0
    assert tab.evaluate("document.querySelector('.progress').ariaLive") == "polite"
