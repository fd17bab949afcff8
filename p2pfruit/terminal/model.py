"""What the table page knows. Whoever runs the table fills it; the page draws it and answers.

Everything is by seat, in words that can be shown. Nothing here knows peers, links or clocks, so a
table that a dealer runs, a lesson, or a test fills it just as well.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import trio

from engine.moves import Event
from engine.needs import Seat
from engine.views import View
from p2pfruit.presenting import Presenter
from p2pfruit.scenes import Moment, Option, Reckoning
from p2pfruit.settings import Settings
from p2pfruit.talk import Talk
from p2pfruit.terminal import limits
from p2pfruit.terminal.drawing import Status

# The beats of a reveal: closed cards, cards turned up, and who wins.
CLOSED, OPEN, TOLD = range(3)


class Inquiry:
    """Something that is asked: one of the options is the answer. `read` understands what is typed,
    and raises telling.Misread."""

    def __init__(
        self,
        question: str,
        options: Sequence[Option],
        read: Callable[[str], Any] | None = None,
    ) -> None:
        self.question = question
        self.options = options
        self.read = read
        self.picked = 0
        self.answer: Any = None
        self.answered = trio.Event()

    def move(self, by: int) -> None:
        self.picked = (self.picked + by) % len(self.options)

    def take(self, answer: Any) -> None:
        self.answer = answer
        self.answered.set()


class TableModel:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.talk = Talk(wanted=settings.chat)
        self.changed: Callable[[], None] = lambda: None
        self.ring: Callable[[], None] = lambda: None
        self.game = ""
        self.presenter: Presenter | None = None  # once it is known who sits where
        self.view: View[Any] | None = None
        self.status: dict[Seat, Status] = {}
        self.clock = ""  # my own, while I am asked
        self.waiting = ""  # whom the table waits for
        self.progress = ""  # what the peers are working on
        self.links: list[str] = []  # one line for each player
        self._inquiries: list[Inquiry] = []
        self.moment: Moment | None = None
        self.beat = TOLD
        self.reckoning: Reckoning | None = None
        self.story: deque[str] = deque(maxlen=limits.STORY_LINES_MOST)  # everything
        self.news: deque[str] = deque(maxlen=limits.STORY_LINES_MOST)  # what the game does not tell
        self.turned = trio.Event()  # cards were turned up
        self.reckoned = trio.Event()  # a round has ended

    @property
    def inquiry(self) -> Inquiry | None:
        """What is asked now; a later question comes first."""
        return self._inquiries[-1] if self._inquiries else None

    def told(self, lines: Sequence[str], *, news: bool = True) -> None:
        self.story.extend(lines)
        if news:
            self.news.extend(lines)
        self.changed()

    def happened(self, events: Sequence[Event]) -> None:
        """Events of the game, to be shown."""
        assert self.presenter is not None
        assert self.view is not None
        moment = self.presenter.moment(events)
        if moment is not None:
            self.moment = moment
            self.beat = CLOSED if self.settings.motion else TOLD
            self.turned.set()
        reckoning = self.presenter.reckoning(events, self.view.state)
        if reckoning is not None:
            self.reckoning = reckoning
            self.reckoned.set()
        self.changed()

    async def ask(self, inquiry: Inquiry) -> Any:
        """Waits for the answer; when it is cancelled, nothing is asked any more."""
        self._inquiries.append(inquiry)
        if self.settings.bell:
            self.ring()
        self.changed()
        try:
            await inquiry.answered.wait()
        finally:
            self._inquiries.remove(inquiry)
            self.changed()
        return inquiry.answer

    async def turn_up(self) -> None:
        """Gives a reveal its beats; never returns."""
        while True:
            await self.turned.wait()
            self.turned = trio.Event()
            for beat, after_s in ((OPEN, limits.CLOSED_S), (TOLD, limits.OPEN_S)):
                if self.beat >= beat:
                    continue
                with trio.move_on_after(after_s):
                    await self.turned.wait()
                    break
                self.beat = beat
                self.changed()
