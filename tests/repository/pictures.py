"""The pictures in the documentation: what the program shows, on a screen of 80x24.

A picture stands in a page between ``` and ```, below a comment that names it, as in
`<!-- picture: menu -->`. Each is drawn by the program's own pages, so nobody has to draw one:

    GOLDEN=write .venv/bin/pytest tests/repository/test_docs_pictures.py

draws them all anew. Look at the difference before you keep it.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import trio

from engine import registry
from p2pfruit import language
from p2pfruit.games.course import find_course
from p2pfruit.home.folder import Home
from p2pfruit.home.results import GameResult, file_name
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.net import invitations
from p2pfruit.net.addresses import Reach
from p2pfruit.net.invitations import Invitation
from p2pfruit.net.reachability import reach_words
from p2pfruit.replay.verdict import player_names
from p2pfruit.seat.local import DealtTable
from p2pfruit.ui.menu.entries import Menu
from p2pfruit.ui.screen.dealt import Dealt
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.final import FinalPage
from p2pfruit.ui.screen.front import checked_final
from p2pfruit.ui.screen.lesson import LessonPage
from p2pfruit.ui.screen.lobby import LobbyModel, LobbyPage
from p2pfruit.ui.screen.menu import ScreenAsker
from p2pfruit.ui.screen.overlays import LinesPage, ScoringPage
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.replay import ReplayPage
from p2pfruit.ui.screen.styled import Size, text_of
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import Words, pages_for
from protocol.link.keys import Access
from tests.p2pfruit.replay.tables import four, replay_of
from tests.p2pfruit.ui.gatherings import Acts, here
from tests.p2pfruit.ui.screen.tables import Shown
from tests.p2pfruit.ui.screen.test_final import talking

SIZE = Size(80, 24)

# What is played in the pictures; the README and the tutorial name the command.
COMMAND = "p2pfruit play --dealer --seed 5 --level greedy"
SEED, LEVELS = 5, ["greedy"] * 3
STILL = Settings(motion=False)

NAME = "Ada"
FILE = "~/.local/share/p2pfruit/games/"

# An address that is nobody's, and a secret that is none.
INVITATION = Invitation(
    secret=Access.hosting(bytes(32), bytes(16)).secret, addresses=("192.0.2.7:24977",)
)

Pictures = dict[str, str]


def pictures(code: str) -> Pictures:
    """All of them, in one language."""
    with spoken(code):
        return {**trio.run(_menu_pictures), **trio.run(_game_pictures), **_still_pictures()}


@contextmanager
def spoken(code: str) -> Iterator[None]:
    before = language.current()
    language.use(code)
    try:
        yield
    finally:
        language.use(before)


# Pages that are driven by keys.


class Screen(Stage):
    """A stage that can be waited for."""

    def __init__(self) -> None:
        super().__init__(SIZE)
        self._redrawn = trio.Event()
        self.redraw = self._set

    def _set(self) -> None:
        self._redrawn.set()

    async def wait_until(self, ready: Callable[[], bool]) -> None:
        while not ready():
            self._redrawn = trio.Event()
            await self._redrawn.wait()

    async def shows(self, kind: type[Page] = Page, *, but: Page | None = None) -> Page:
        """Until a page of this kind is on top, and not this one."""
        await self.wait_until(lambda: isinstance(self.page, kind) and self.page is not but)
        assert self.page is not None
        return self.page

    async def press_all(self, *keys: str) -> Page:
        """The last key leads to another page."""
        before = self.page
        for key in keys:
            self.press(key)
        return await self.shows(but=before)

    def picture(self) -> str:
        return text_of(self.draw())


@asynccontextmanager
async def running(main: Callable[[Screen], Any]) -> AsyncIterator[Screen]:
    async with trio.open_nursery() as nursery:
        screen = Screen()
        nursery.start_soon(main, screen)
        yield screen
        nursery.cancel_scope.cancel()


async def _menu_pictures() -> Pictures:
    found: Pictures = {}
    with TemporaryDirectory() as folder:
        menu = Menu(Home(Path(folder) / "home"), None)
        async with running(lambda stage: menu.choose(ScreenAsker(stage))) as screen:
            await screen.shows()
            for key in ("c-u", *NAME):
                screen.press(key)
            found["name"] = screen.picture()
            await screen.press_all("enter")
            found["welcome"] = screen.picture()
            await screen.press_all("escape")
            found["menu"] = screen.picture()
            await screen.press_all("1")
            found["play"] = screen.picture()
            await screen.press_all("escape")
            page = await screen.press_all("3")
            page.paste(invitations.format(INVITATION))
            found["join"] = screen.picture()
    return found


async def _game_pictures() -> Pictures:
    """A game of the dealer: the keys 5 and Enter, then always the first card."""
    entry = registry.find("fruitoplay")
    table = DealtTable(entry.game(entry.content(), {}), LEVELS, SEED)
    dealt = Dealt(table, replace(STILL, confirm=True))
    found: Pictures = {}
    async with running(dealt.run) as screen:
        await _asked(screen, dealt)
        found["table"] = screen.picture()
        screen.press("5")
        found["picked"] = screen.picture()
        await _play(screen, dealt)
        found["reveal"] = screen.picture()
        while not isinstance(screen.page, ScoringPage):
            await _play(screen, dealt)
        found["scoring"] = screen.picture()
    return found


async def _play(screen: Screen, dealt: Dealt) -> None:
    answered = dealt.model.inquiry
    screen.press("enter")
    await screen.wait_until(lambda: dealt.model.inquiry is not answered)
    await _asked(screen, dealt)


async def _asked(screen: Screen, dealt: Dealt) -> None:
    """Until it is my turn and every bot has chosen, or a round is over."""
    model, me = dealt.model, dealt.table.me

    def ready() -> bool:
        if isinstance(screen.page, ScoringPage):
            return True
        others = [status for seat, status in model.status.items() if seat != me]
        return model.inquiry is not None and all(status.sign == "✓" for status in others)

    await screen.wait_until(ready)


# Pages that are only looked at.


def _still_pictures() -> Pictures:
    return {
        "lesson": _drawn(LessonPage(find_course("fruitoplay")), "enter", "enter"),
        "lobby": _drawn(_lobby_page()),
        "friends": _drawn(_friends_page()),
        "final": _drawn(_final_page()),
        "replay": _drawn(ReplayPage(replay_of(four), motion=False), *"5", "enter"),
    }


def _drawn(page: Page, *keys: str) -> str:
    stage = Stage(SIZE)
    stage.put(page)
    for key in keys:
        stage.press(key)
    return text_of(stage.draw())


def _lobby_page() -> Page:
    near = _("this network {host}").format(host="192.168.1.7")
    people = [here(NAME, mine=True), here("Bruno", whence=near)]
    model = LobbyModel(game="fruitoplay", seats=4, people=people, hosting=True)
    model.reach = [reach_words(Reach.NETWORK)]
    model.invitation = invitations.format(INVITATION)
    model.to_watch = invitations.format(INVITATION.to_watch(bytes(32)))
    return LobbyPage(model, Acts(), lambda _text: None)


def _friends_page() -> Page:
    """A table of peers, at which two of the others have chosen."""
    shown = Shown(4)
    shown.play(2)
    model = shown.model
    shown.say(
        {
            0: Status("…", _("{seconds} s").format(seconds=4)),
            1: Status("✓", "● 12 ms"),
            2: Status("…", _("{seconds} s").format(seconds=4) + " ● 40 ms"),
            3: Status("✓", "○"),
        }
    )
    model.clock = "1:32"
    model.progress = _("sealed choices: {done} of {of}").format(done=2, of=4)
    model.told(["<Bruno> " + ("good luck!" if language.current() == "en" else "bonne chance !")])
    model._inquiries.append(shown.inquiry())
    words: Words = {"say": lambda _text: []}  # a player: whoever looks on says nothing
    return TablePage(model, words, {**pages_for(model), "f3": lambda: LinesPage("", list)})


def _final_page() -> Page:
    replay = replay_of(four)
    file = Path(FILE) / file_name(replay.table.roster)
    peer: Any = SimpleNamespace(table=replay.table, me=0)
    ended = GameResult(replay.report, file, verified=True, code=0)
    final = checked_final(ended, peer, player_names(replay.report))
    _after, below, _said = talking(friend="Chloé")
    return FinalPage(final, below)


# The pages they stand in.

_BLOCK = re.compile(r"(<!-- picture: ([a-z]+) -->\n```\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


def names_in(page: str) -> Sequence[str]:
    return [name for _head, name, _text in _BLOCK.findall(page)]


def picture_in(page: str, name: str) -> str:
    [text] = [text for _head, found, text in _BLOCK.findall(page) if found == name]
    return str(text)


def redrawn(page: str, drawn: Pictures) -> str:
    """The page with these pictures in the place of its own."""
    return _BLOCK.sub(lambda block: f"{block[1]}{drawn[block[2]].rstrip()}\n", page)
