"""What every remark of a teacher claims, checked against what the engine said.

Nothing here asks the tutorial for facts: they are read from views and events, and counted anew. A
remark that is not listed is an error, so that none can be added without its check. For each game
that is taught there is a module with

    CLAIMS  by what a remark is about: whether it holds
    SCENE   what such a check is handed: Said, or a kind of it that knows the game
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

from engine.moves import Event
from engine.needs import Done, Face
from engine.record import S
from engine.views import View
from p2pfruit.games.course import Remark
from p2pfruit.lessons.lesson import Lesson, Step

ME = 0


class Said(Generic[S]):
    """One remark: the step in which it is made, and what the learner saw in the step before."""

    def __init__(self, lesson: Lesson, step: Step, before: View[S], text: str) -> None:
        self.step = step
        self.before = before
        self.view: View[S] = step.view
        self.text = text
        self.game = lesson.game
        self.narrator = lesson.narrator

    @property
    def state(self) -> S:
        return self.view.state

    @property
    def hand(self) -> list[Face]:
        return list(self.view.known.values())

    def events(self, what: str) -> list[Event]:
        return [event for event in self.step.events if event.what == what]

    @property
    def figures(self) -> list[int]:
        """All that are said, in their order."""
        return [int(figure) for figure in re.findall(r"\d+", self.text)]

    def says(self, *parts: object) -> bool:
        return all(str(part) in self.text for part in parts)


def fruit_of(face: Face) -> str:
    return face.split("-")[0]


def number_of(face: Face) -> int:
    return int(face.split("-")[1])


Scene = TypeVar("Scene", bound=Said[Any])
Claims = Mapping[str, Callable[[Scene], bool]]


def rule(said: Said[Any]) -> bool:
    """A rule or advice, which claims nothing of this table."""
    return bool(said.text)


def _row(said: Said[Any]) -> tuple[int, ...]:
    """The points of the only round."""
    assert isinstance(said.view.state.need, Done)
    [row] = said.view.state.scores
    return tuple(row)


# What is said alike in several lessons; not every lesson says all of it.
SHARED: Claims[Said[Any]] = {
    "next": rule,
    "arranged": rule,
    "behind": lambda at: max(_row(at)) > _row(at)[ME] and at.says(max(_row(at))),
    "shared": lambda at: max(_row(at)) == _row(at)[ME] and _row(at).count(_row(at)[ME]) > 1,
    "ahead": lambda at: all(_row(at)[ME] > score for score in _row(at)[1:]),
}


def claims_of(game: str) -> Claims[Any]:
    """Those of the game alone."""
    claims: Claims[Any] = import_module(f"tests.p2pfruit.lessons.claims.{game}").CLAIMS
    return claims


def untrue(lesson: Lesson, step: Step, before: View[Any]) -> Iterator[Remark]:
    """The remarks of a step that do not hold."""
    game = lesson.course.game
    claims = {**SHARED, **claims_of(game)}
    scene: type[Said[Any]] = import_module(f"tests.p2pfruit.lessons.claims.{game}").SCENE
    for remark in step.remarks:
        if not claims[remark.about](scene(lesson, step, before, remark.text)):
            yield remark
