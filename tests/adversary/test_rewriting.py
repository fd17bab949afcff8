"""A finished game is rewritten: two losers cut the winner's feed short, vote it gone, and play on.

Each of the two files is in order. Together they show who signed two histories.
"""

from typing import NamedTuple

import pytest

from protocol.feed.entries import BESIDE, Entry
from protocol.file.gamefile import hold, read, write
from protocol.file.report import Verdict, report
from protocol.file.union import Claim, contradicting, find_forks, read_together
from tests.adversary.courses import finished
from tests.adversary.hall import Hall, blamed
from tests.quick import slow_but


class Story(NamedTuple):
    winner: int
    ours: bytes
    theirs: bytes


def answers(game: str) -> list[int]:
    """The places of the winner's answers in what was said, but for the last, its signature."""
    hall = finished(game)
    said = [
        at
        for at, (speaker, data) in enumerate(hall.said)
        if speaker.me == winner(game) and Entry.decode(data).kind not in BESIDE
    ]
    return said[:-1]


def winner(game: str) -> int:
    table = finished(game).parties[0].table
    return table.play.seats[report(table).places.index(1)]


def rewritten(game: str, at: int) -> Story:
    """Everything up to this answer of the winner is left as it was."""
    hall, absent = finished(game), winner(game)
    again = Hall(hall.setup.game, len(hall.parties), number=1, setup=hall.setup)
    again.memory = hall.memory
    again.silent.add(absent)
    for party in again.others(absent):
        for _, data in hall.said[:at]:
            party.take(data)
    again.run()
    losers = again.others(absent)
    for loser in losers:
        again.tell(loser, *loser.vote(absent))
    again.run()
    return Story(absent, write(hall.parties[0].table), write(losers[0].table))


@pytest.mark.parametrize("back", slow_but(lambda back: back in (1, 4, 12), range(1, 13)))
def test_33_a_finished_game_is_rewritten(back: int) -> None:
    story = rewritten("punnet", answers("punnet")[-back])
    files = (story.ours, story.theirs)
    shown = [report(read(data)) for data in files]
    assert [one.verdict for one in shown] == [Verdict.FINAL] * 2
    assert [(one.cheats, one.late_forks) for one in shown] == [((), ())] * 2
    for order in (files, files[::-1]):
        held = [hold(data) for data in order]
        union = read_together(held)
        said = Claim.of(union)
        forks = find_forks(held, union.feeds)
        standing = [Claim.of(read(data)).stands(said) for data in order]
        assert contradicting(forks, standing)
        assert [fork.player for fork in forks] == [p for p in range(3) if p != story.winner]
        assert story.winner not in {player for player, _, _ in blamed(union.lost)}
        assert dict(zip(order, standing, strict=True)) == {story.ours: True, story.theirs: False}
        # Of two last words of a forker, the one with the lowest id is read. If that is a vote and
        # not the signature, the union still waits for a signature.
        assert report(union).places in (shown[0].places, ())
