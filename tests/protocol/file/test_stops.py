"""What was owed when a player stopped the table, and how many can be voted out together."""

import pytest

from protocol.file.report import report
from protocol.limits import drop_most
from protocol.table.phases import Phase
from tests.protocol.file import scenes


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("phase", "kind"),
    [(Phase.SITTING, "seat"), (Phase.COMMITTING, "commit"), (Phase.REVEALING, "reveal")],
)
def test_a_stop_says_what_was_owed(phase: Phase, kind: str) -> None:
    room = scenes.silenced(phase)
    room.send(0, room.parties[0].stop())
    room.run()
    [stop] = report(room.parties[1].table).stops
    assert (stop.player, stop.owed, stop.kind) == (0, (2,), kind)


def test_where_a_fork_may_be_unanswered_nothing_is_said() -> None:
    """The forker was lost in the step that it held up; later steps are those of the others."""
    table = scenes.forked().parties[0].table
    [lost] = table.lost
    assert table.kind_in(lost.step, [1]) == ""
    later = next(step for step in range(table.play.step) if 2 not in table.seated_in(step))
    assert table.kind_in(later, table.seated_in(later)) != ""
    assert table.kind_in(later, [2]) == ""


def test_more_than_half_must_be_left() -> None:
    assert [drop_most(seats) for seats in range(1, 9)] == [1, 1, 1, 1, 2, 2, 3, 3]
    assert all(2 * (seats - drop_most(seats)) > seats for seats in range(3, 9))
