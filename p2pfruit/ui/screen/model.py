"""What the table page knows. A source fills it: peers, the dealer, a lesson, or a test.

Everything is by seat, in words that can be shown. Nothing here knows peers, links or clocks.

What is being shown is shown to its end: while a reveal has its beats, or the end of a round is on
its way, the table looks as it did before, and nothing is asked. So the player answers nothing that
is not on the screen yet.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import trio

from engine.moves import Event
from engine.needs import Seat
from engine.views import View
from p2pfruit.games.presenter import Presenter
from p2pfruit.games.scenes import Moment, Option, Reckoning, Scene
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.limits import ARMED_S, STORY_LINES_MOST
from p2pfruit.ui.chat import Talk
from p2pfruit.ui.hints import hint, no_hints
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.drawing import Status

# The beats of a reveal: closed cards, cards turned up, and who wins.
CLOSED, OPEN, TOLD = range(3)


class Inquiry:
    """Something that is asked: one of the options is the answer. `read` understands what is typed,
    and raises telling.Misread. `until_s`: the question comes up at any moment, and is open until
    then. A number answers it at once, but only when it is `armed`: before, a key may have been
    meant for something else."""

    def __init__(
        self,
        question: str,
        options: Sequence[Option],
        read: Callable[[str], Any] | None = None,
        *,
        until_s: float | None = None,
    ) -> None:
        self.until_s = until_s
        self.armed = until_s is None
        self.question = question
        self.options = options
        self.read = read
        self.picked = 0
        self.moved = False  # the player has picked it
        self.answer: Any = None
        self.answered = trio.Event()

    def move(self, by: int) -> None:
        self.moved = True
        self.picked = (self.picked + by) % len(self.options)

    def take(self, answer: Any) -> None:
        self.answer = answer
        self.answered.set()


class TableModel:
    def __init__(self, settings: Settings, talk: Talk | None = None) -> None:
        self.settings = settings
        self.talk = Talk(wanted=settings.chat) if talk is None else talk
        self.changed: Callable[[], None] = lambda: None
        self.ring: Callable[[], None] = lambda: None
        self.game = ""
        self.presenter: Presenter | None = None  # once it is known who sits where
        self._view: View[Any] | None = None
        self._before: View[Any] | None = None  # the game as it stood before its last step
        self._held: View[Any] | None = None  # what is looked at while something is being shown
        self.status: dict[Seat, Status] = {}
        self.clock = ""  # my own, while I am asked
        self.hurry = False  # it is used up, and my reserve is running
        self.alarm = ""  # what happens because my time runs out
        self.given = ""  # my answer about players who are late
        self.waiting = ""  # whom the table waits for
        self.progress = ""  # what the peers are working on
        self.links: list[str] = []  # one line for each player
        self._inquiries: list[Inquiry] = []
        self.advised = False  # hints are given: the table has no other people
        self.hint: list[str] = []  # the last one
        self.hint_wanted = trio.Event()
        self.moment: Moment | None = None
        self.beat = TOLD
        self.reckoning: Reckoning | None = None
        self.story: deque[str] = deque(maxlen=STORY_LINES_MOST)  # everything
        self._untold = 0  # lines of the story that a reveal still holds back
        self.news: deque[str] = deque(maxlen=STORY_LINES_MOST)  # what the game does not tell
        self.turned = trio.Event()  # cards were turned up
        self.round_ended = trio.Event()  # a round has ended
        self.laid = trio.Event()  # how it ended lies on the table
        self.laid.set()

    @property
    def view(self) -> View[Any] | None:
        return self._view

    @view.setter
    def view(self, view: View[Any]) -> None:
        if self._view is not None and self._view.state is not view.state:
            self._before = self._view
        self._view = view

    @property
    def looked_at(self) -> View[Any] | None:
        return self._held or self._view

    def scene(self) -> Scene | None:
        if self.presenter is None or self.looked_at is None:
            return None
        return self.presenter.scene(self.looked_at)

    @property
    def showing(self) -> bool:
        return self.beat < TOLD or not self.laid.is_set()

    @property
    def inquiry(self) -> Inquiry | None:
        """Return what is asked now; a later question comes first."""
        asked = [inquiry for inquiry in self._inquiries if not inquiry.answered.is_set()]
        return asked[-1] if asked and not self.showing else None

    def open_for(self) -> str:
        """Say how long the question is open that is asked now."""
        inquiry = self.inquiry
        if inquiry is None or inquiry.until_s is None:
            return ""
        seconds = max(0, round(inquiry.until_s - trio.current_time()))
        return _("answer within {seconds} s").format(seconds=seconds - seconds % limits.OPEN_STEP_S)

    def told(self, lines: Sequence[str], *, news: bool = True) -> None:
        self.story.extend(lines)
        self._untold += len(lines)
        if news:
            self.news.extend(lines)
        self.changed()

    def story_told(self) -> list[str]:
        """Return what happened, up to what is being shown."""
        if not self.showing:
            self._untold = 0
        return list(self.story)[: len(self.story) - self._untold]

    def happened(self, events: Sequence[Event]) -> None:
        """Take events of the game that are to be shown."""
        assert self.presenter is not None
        assert self.view is not None
        moment = self.presenter.moment(events)
        if moment is not None:
            self.moment = moment
            self.beat = (CLOSED if moment.sealed else OPEN) if self.settings.motion else TOLD
            self.turned.set()
            self._held = None
            self._hold()
        reckoning = self.presenter.reckoning(events, self.view.state)
        if reckoning is not None:
            me = self.presenter.narrator.me
            mine_first = sorted(reckoning.accounts, key=lambda account: account.seat != me)
            self.reckoning = replace(reckoning, accounts=tuple(mine_first))
            self.round_ended.set()
            self.laid = trio.Event()
            self._hold()
        self.changed()

    def show_step(self, view: View[Any], events: Sequence[Event]) -> None:
        """Show one step of the game at once: its reveal or its points, and nothing before it."""
        self.view = view
        self.forget_moment()
        self.reckoning = None
        self.happened(events)
        self.beat = TOLD
        self.laid.set()
        self.let_go()

    def _hold(self) -> None:
        if self.showing:
            self._held = self._held or self._before

    def let_go(self) -> None:
        """Go on after something was shown to its end."""
        if not self.showing:
            self._held = None
        self.changed()

    def begin_again(self) -> None:
        """Forget the game: the seats are drawn anew."""
        self.presenter = self._view = self._before = None
        self.forget_moment()

    def forget_moment(self) -> None:
        """Forget what was turned up last."""
        self.moment = self._held = None
        self.beat = TOLD

    def question(self, view: View[Any]) -> Inquiry:
        """Return what the game asks of the seat of this view."""
        assert self.presenter is not None
        read = partial(self.presenter.narrator.read, view)
        return Inquiry(self.presenter.question(view), self.presenter.options(view), read)

    async def ask(self, inquiry: Inquiry) -> Any:
        """Wait for the answer; when this is cancelled, nothing is asked any more."""
        self._inquiries.append(inquiry)
        if self.settings.bell:
            self.ring()
        self.changed()
        try:
            if not inquiry.armed:
                await trio.sleep(ARMED_S)
                inquiry.armed = True
                self.changed()
            await inquiry.answered.wait()
        finally:
            self._inquiries.remove(inquiry)
            self.changed()
        return inquiry.answer

    def want_hint(self) -> None:
        """Begin to find out what the expert would choose, if the table allows it."""
        if not self.advised:
            self.hint = [no_hints()]
        elif self.inquiry is None:
            self.hint = [_("nothing is asked of you now")]
        else:
            self.hint = [_("the expert is thinking …")]
            self.hint_wanted.set()

    async def give_hints(self) -> None:
        """Answer the wishes for a hint, in a thread; never return."""
        while True:
            await self.hint_wanted.wait()
            self.hint_wanted = trio.Event()
            view = self.view
            if self.advised and self.presenter is not None and view is not None:
                self.hint = await trio.to_thread.run_sync(
                    hint, self.presenter, view, abandon_on_cancel=True
                )
                self.changed()

    async def turn_up(self) -> None:
        """Give a reveal its beats; never return."""
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
                self.let_go()
