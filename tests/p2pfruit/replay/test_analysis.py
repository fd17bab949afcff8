"""An analysis: which decisions, with which knowledge, and what it says about them."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.moves import Move
from engine.needs import Face, Slot
from engine.record import digest
from engine.views import View
from p2pfruit.bots import limits
from p2pfruit.replay import analysis, judged
from p2pfruit.replay.analysis import Analysis, Judged, analyse, decisions
from p2pfruit.replay.frames import Replay
from protocol.file import gamefile
from protocol.file.report import report
from tests.games import registered
from tests.games.punnet import Punnet
from tests.p2pfruit.bots.expectation import expected
from tests.p2pfruit.cli import gamefiles
from tests.p2pfruit.replay.tables import believe
from tests.protocol.tables import Room, Setup


@pytest.fixture(autouse=True)
def _games_of_tests() -> Iterator[None]:
    with registered():
        yield


class Asked(NamedTuple):
    """A question as its player saw it, and the answer."""

    state: bytes  # its digest
    known: dict[Slot, Face]
    move: Move


class Played(NamedTuple):
    replay: Replay
    asked: dict[int, list[Asked]]  # by seat: the choices between several moves
    hands: dict[int, dict[Slot, Face]]  # by seat: every closed card that it held


@cache
def played(game: str, seats: int, number: int) -> Played:
    """A table that is played by chance, with what each player saw beside it."""
    asked: dict[int, list[Asked]] = {seat: [] for seat in range(seats)}
    hands: dict[int, dict[Slot, Face]] = {seat: {} for seat in range(seats)}

    def choose(view: View[Any], rng: Random) -> Move:
        move = rng.choice(view.moves())
        assert view.seat is not None
        hands[view.seat].update(view.known)
        if len(view.moves()) > 1:
            asked[view.seat].append(Asked(digest(view.state), dict(view.known), move))
        return move

    made = Setup(game, seats, number)
    parties = [made.party(at, gamefiles.Trusting) for at in range(seats)]
    Room(parties, number, choose).run()
    table = gamefile.read(gamefile.write(parties[0].table), believe)
    return Played(Replay(table, report(table)), asked, hands)


TABLES = [("fruitoplay", 2, 1), ("tindahan", 3, 1), ("punnet", 3, 2), ("brambles", 3, 1)]


# What the player knew.


@pytest.mark.parametrize(("game", "seats", "number"), TABLES)
def test_every_decision_with_what_the_player_knew(game: str, seats: int, number: int) -> None:
    """The views are those that the players really had: no card less, and above all none more."""
    table = played(game, seats, number)
    for seat in range(seats):
        found, left_out = decisions(table.replay, seat, table.hands[seat])
        told = [Asked(digest(one.view.state), dict(one.view.known), one.played) for one in found]
        assert told == table.asked[seat]
        assert left_out == 0


@pytest.mark.parametrize(("game", "seats", "number"), TABLES)
def test_the_file_alone_shows_what_was_opened(game: str, seats: int, number: int) -> None:
    """A decision is left out if the file does not show the hand, and never guessed at."""
    table = played(game, seats, number)
    for seat in range(seats):
        found, left_out = decisions(table.replay, seat, {})
        assert 0 <= len(table.asked[seat]) - len(found) <= left_out
        for one in found:
            assert set(one.view.known) == set(one.view.state.hands[seat])
            assert dict(one.view.known).items() <= table.hands[seat].items()


def test_some_hands_are_never_opened() -> None:
    """Otherwise the test above would show nothing."""
    table = played("tindahan", 3, 1)
    assert sum(decisions(table.replay, seat, {})[1] for seat in range(3)) > 10


# What is said about it.


def test_the_same_file_gives_the_same_analysis() -> None:
    table = played("punnet", 3, 2)
    first, second = [analyse(table.replay, 1, table.hands[1]) for _ in range(2)]
    assert first == second
    assert len(first.judged) > 1


def test_what_is_called_worse_is_worse() -> None:
    """Compared with trying out everything, where a game is near its end."""
    compared = clear = 0
    for number in range(5):
        table = played("punnet", 2, number)
        for seat in range(2):
            for one in analyse(table.replay, seat, table.hands[seat]).judged:
                view = one.decision.view
                if one.same or view.state.turn < Punnet.river_length:
                    continue
                more = expected(view, one.choice) - expected(view, one.decision.played)
                assert one.points == pytest.approx(
                    float(more), abs=one.error * 4 / limits.ERRORS_SURE + 1e-9
                )
                assert not one.clear or more > 0
                compared += 1
                clear += one.clear
    assert 0 < clear < compared


def of(*figures: tuple[float, float]) -> Analysis:
    """An analysis with these differences and errors; the first decision is the expert's own."""
    table = played("fruitoplay", 2, 1)
    found, _left_out = decisions(table.replay, 1, table.hands[1])
    same = Judged(decision=found[0], choice=found[0].played)
    others = [
        Judged(decision=decision, choice=Move("other"), points=points, error=error)
        for decision, (points, error) in zip(found[1:], figures, strict=False)
    ]
    return Analysis(seat=1, judged=(same, *others), left_out=0)


def test_the_worst_come_first_and_noise_last() -> None:
    found = of((1.0, 2.0), (3.0, 1.0), (5.0, 1.0))
    assert [one.points for one in found.worst] == [5.0, 3.0, 1.0]
    assert [one.clear for one in found.worst] == [True, True, False]
    assert found.lost == 8.0
    noise = of((9.0, 9.5), (3.0, 1.0))
    assert [one.points for one in noise.worst] == [3.0, 9.0]
    assert noise.lost == 3.0


def test_words() -> None:
    replay = played("fruitoplay", 2, 1).replay
    clear, none = of((3.0, 1.0), (0.5, 1.0)), of((0.5, 1.0))
    assert judged.headline(clear, "Ada") == [
        "3 decisions of Ada; 1 is clearly worse than the expert's: 3.0 points given away",
        "1 other choice differs from the expert's by no more than noise",
    ]
    assert judged.headline(none, "Ada")[0].endswith("none is clearly worse than the expert's")
    first, second = judged.remarks(replay, clear)
    assert first.text.endswith(": 3.0 points more, give or take 1.0")
    assert "no clear difference" in second.text
    assert len(judged.lines(replay, clear)) + 1 == len(judged.lines(replay, clear, everything=True))


def test_the_frame_shows_the_decision() -> None:
    table = played("fruitoplay", 2, 1)
    found = analyse(table.replay, 0, table.hands[0])
    frames = table.replay.frames()
    for one in judged.remarks(table.replay, found):
        frame = frames[one.frame - 1]
        assert frame.step >= one.judged.decision.step
        before = [other for other in frames if other.step == one.judged.decision.step]
        assert not before or before[0] == frame


# In a home.


def test_what_is_kept_is_recalled() -> None:
    table = played("punnet", 3, 2)
    found = analyse(table.replay, 1, table.hands[1])
    kept = analysis.kept(found)
    assert analysis.recalled(kept, table.replay, 1, table.hands[1]) == found
    assert (kept["decisions"], kept["clear"]) == (len(found.judged), len(found.clear))


def test_an_analysis_that_was_made_in_another_way_is_not_recalled() -> None:
    table = played("punnet", 3, 2)
    kept = analysis.kept(analyse(table.replay, 1, table.hands[1]))
    for other in ({**kept, "made": []}, {**kept, "seat": 0}, {}, {**kept, "rows": []}):
        assert analysis.recalled(other, table.replay, 1, table.hands[1]) is None
