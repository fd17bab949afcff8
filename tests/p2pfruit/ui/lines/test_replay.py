"""LineReplay through a replay, and line mode."""

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit import language
from p2pfruit.games.about import About
from p2pfruit.replay.frames import Frame, Replay
from p2pfruit.ui.lines.replay import Cursor, LineReplay
from tests.p2pfruit.cli import gamefiles
from tests.p2pfruit.replay.tables import four, replay_of, watched


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = language.current()
    language.use("en")
    yield
    language.use(before)


@pytest.fixture
def place() -> Cursor:
    return Cursor(replay_of(four).frames())


@cache
def some_frames() -> list[Frame]:
    return watched("punnet", 3, 4).replay.frames()


ACTS = st.sampled_from(["forward", "back", "round_forward", "round_back"])


@given(acts=st.lists(ACTS, max_size=80))
def test_nobody_gets_beyond_the_ends(acts: list[str]) -> None:
    place = Cursor(some_frames())
    for act in acts:
        before = place.at
        if act in ("forward", "back"):
            place.step(1 if act == "forward" else -1)
        else:
            getattr(place, act)()
        assert 0 <= place.at < len(place.frames)
        assert place.at >= before if act.endswith("forward") else place.at <= before


def test_rounds_are_jumped_to(place: Cursor) -> None:
    place.round_forward()
    assert (place.frame.round, place.frames[place.at - 1].round) == (2, 1)
    start = place.at
    place.step(5)
    place.round_back()
    assert place.at == start
    place.round_back()
    assert place.at == 0
    assert place.go_round(3)
    assert (place.frame.round, place.frames[place.at - 1].round) == (3, 2)
    place.round_forward()
    assert place.at_end
    assert not place.go_round(4)
    assert place.at_end


class Typist:
    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.seen: list[str] = []

    def ask(self, prompt: str) -> str:
        assert prompt == "> "
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


class Pages(About):
    def rules(self) -> str:
        return "THE RULES"

    def short(self) -> str:
        return "THE GIST"


def leaf(replay: Replay, *lines: str) -> str:
    typist = Typist(*lines)
    LineReplay(replay, Pages("fruitoplay"), typist.seen.extend, typist.ask).run()
    assert typist.lines == []
    return "\n".join(typist.seen)


def test_frame_after_frame() -> None:
    text = leaf(replay_of(four), "", "n", "next", "p")
    assert text.startswith("final: the game ended, and everyone still seated signed the result")
    numbers = [line.split()[2] for line in text.splitlines() if line.startswith("--- frame ")]
    assert numbers == ["1", "2", "3", "4", "3"]


def test_a_frame_says_everything() -> None:
    text = leaf(replay_of(four), "go 4", "n")
    for words in ("river: ", "target ", "banana", "hands:", "  Ada: ", "takes 5 cards"):
        assert words in text


def test_hands_are_hidden_and_shown() -> None:
    assert leaf(replay_of(four), "4").count("hands:") == 1
    assert leaf(replay_of(four), "4", "hands").count("hands:") == 1
    assert leaf(replay_of(four), "4", "hands", "h").count("hands:") == 2


def test_what_was_never_opened_is_said() -> None:
    assert "cards stay closed: the record never opens them" in leaf(
        replay_of(gamefiles.unfinished), "last"
    )


def test_a_reckoning_and_the_ranking() -> None:
    text = leaf(replay_of(four), "round 2", "p", "last")
    assert "largest" in text
    assert "final ranking" in text


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("go 999", "there are frames 1 to "),
        ("0", "there are frames 1 to "),
        ("9" * 5000, "there are frames 1 to "),
        ("go", "there are frames 1 to "),
        ("round 9", "there are rounds 1 to 3"),
        ("round x", "there are rounds 1 to 3"),
        ("dance", "the next frame"),
        ("?", "the next frame"),
        ("rules", "THE RULES"),
        ("bref", "THE GIST"),
    ],
)
def test_what_else_can_be_typed(typed: str, says: str) -> None:
    assert says in leaf(replay_of(four), typed)


def test_the_end_says_how_to_leave() -> None:
    assert leaf(replay_of(four), "last", "n", "q").endswith("this is the last frame; q leaves")


@pytest.mark.parametrize("typed", ["q", "quit", "QUIT", "quitter"])
def test_leaving(typed: str) -> None:
    assert leaf(replay_of(four), typed).count("--- frame ") == 1


def test_a_game_without_a_presenter_or_a_narrator() -> None:
    replay = watched("brambles", 3, 5).replay
    text = leaf(replay, *["n"] * (len(replay.frames()) - 1))
    assert "trump" in text
    assert "raspberry" in text
    assert "final ranking" in text
