"""What a player can ask about a table at any time, in lines: rules, story, last points.

A table that is shown in lines tells its history here. On the full screen the same is a page away.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from engine.moves import Event
from engine.record import State
from p2pfruit import limits
from p2pfruit.games.about import About, about
from p2pfruit.games.presenter import Presenter
from p2pfruit.games.scenes import Reckoning
from p2pfruit.language import text as _
from p2pfruit.text.plain import in_ascii

Word = Callable[[str], list[str]]  # gets the rest of the line, gives lines to show


class TableHistory:
    """Keeps what was told. `game` is empty until the game is known."""

    def __init__(self, game: str = "") -> None:
        self.game = game
        self._story: deque[str] = deque(maxlen=limits.STORY_LINES_MOST)
        self._reckoning: Reckoning | None = None

    def told(self, lines: Iterable[str]) -> None:
        """Keep what was told; a blank line is no news."""
        self._story.extend(line for line in lines if line.strip())

    def happened(self, presenter: Presenter, events: Sequence[Event], state: State) -> None:
        found = presenter.reckoning(events, state)
        if found is not None:
            self._reckoning = found

    def words(self) -> dict[str, Word]:
        """Return the commands by the words that can be typed, in both languages."""
        return {
            **dict.fromkeys(("rules", "regles", "règles"), self._rules),
            **dict.fromkeys(("short", "bref"), self._short),
            **dict.fromkeys(("story", "recit", "récit"), self._told_again),
            **dict.fromkeys(("score", "points"), self._score_lines),
        }

    def _rules(self, _rest: str) -> list[str]:
        return self._read(lambda words: words.rules())

    def _short(self, _rest: str) -> list[str]:
        return self._read(lambda words: words.short())

    def _read(self, page: Callable[[About], str]) -> list[str]:
        if not self.game:
            return [_("the table has not begun yet")]
        return page(about(self.game)).splitlines()

    def _told_again(self, rest: str) -> list[str]:
        """Return the last lines, as many as the player asks for."""
        count = int(rest[:4]) if rest.isascii() and rest.isdecimal() else limits.STORY_LINES_SHOWN
        lines = list(self._story)[-count:] if count else []
        return lines or [_("nothing happened so far")]

    def _score_lines(self, _rest: str) -> list[str]:
        if self._reckoning is None:
            return [_("no round has ended so far")]
        return score_lines(self._reckoning)


def history_help() -> list[str]:
    return [
        _("short  the rules on one screen"),
        _("story  what happened last; story 100 tells more of it"),
        _("score  how the last round was scored"),
    ]


def score_lines(reckoning: Reckoning) -> list[str]:
    """Return how points came about, step by step."""
    lines = [reckoning.title]
    for account in reckoning.accounts:
        points = _("{points} points, {total} in all").format(
            points=account.points, total=account.total
        )
        lines.append(f"{account.name}: {points}")
        lines += [f"  {in_ascii(step)}" for step in account.steps]
    return lines
