"""What the page shows of real peers: who has chosen, the links, the clock, the work they do."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from p2pfruit import limits
from p2pfruit.home.settings import Settings
from p2pfruit.home.store import Known, Meeting
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.screen.peers import PeersModel
from p2pfruit.ui.wording import clock, progress
from protocol.peer.peer import Peer
from protocol.table.events import Again
from protocol.table.phases import Phase
from tests.protocol.conftest import games_of_tests
from tests.protocol.peer.peers import Company

__all__ = ["games_of_tests"]


class Table:
    """Peers of Fruitoplay, one of whom is watched."""

    def __init__(self, count: int = 4, at: int = 0, *, watches: bool = False) -> None:
        self.company = Company(count, game="fruitoplay")
        if watches:
            self.company.spectator()
            at = count
        self.company.mesh()
        self.peer: Peer = self.company.peers[at]
        self.observer = TableObserver(self.company.key(0), known)
        self.model = TableModel(Settings(motion=False), self.observer.talk)
        self.peers = PeersModel(self.observer, self.model)
        self.observer.view = self.view()
        self.observer.began(sitting_of(self.peer))
        self.seen: list[str] = []

    def view(self) -> Any:
        """No clock runs but the one of the company, at which a table is told to look."""
        return SimpleNamespace(
            began=lambda _lines: self.peers.began(0),
            happened=lambda events, lines: self.peers.happened(events, lines, 0),
            ticked=lambda now_ms, _lines: self.peers.tick(now_ms),
        )

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Until that holds, looking all the time."""

        def looked() -> bool:
            self.look()
            return until()

        self.company.run(looked)
        self.look()

    def run_to(self, phase: Phase, done: int = 0) -> None:
        """To where so many have answered in a phase."""
        table = self.peer.table
        self.run(
            lambda: (
                table.play.phase is phase and len(table.play.owing) - len(table.waiting_for) >= done
            )
        )
        assert table.play.phase is phase

    def look(self) -> None:
        self.observer.happened(self.peer.take_events())
        self.observer.ticked(self.peer, self.company.now_ms)
        if self.model.progress not in self.seen:
            self.seen.append(self.model.progress)

    def status(self, player: int) -> Status:
        return self.model.status[self.peer.table.play.seats.index(player)]


def sitting_of(peer: Peer) -> Any:
    return SimpleNamespace(peer=peer)


def known(_player: object) -> Meeting:
    return Meeting(known=Known.KNOWN)


# The work.


def test_the_proof_work_is_told_as_it_goes_on() -> None:
    table = Table()
    table.run(lambda: table.peer.table.play.step > 14)
    for words in (
        "taking seats: 1 of 4",
        "drawing seats by lot: 1 of 4",
        "all sign for the same cards: 1 of 4",
        "opening cards, each share proved: 1 of 4",
        "sealed choices: 1 of 4",
        "all seals compared: 1 of 4",
        "turning up: 1 of 4",
    ):
        assert words in table.seen
    # One of the four is the player's own turn to shuffle, which is told in other words.
    shuffled = [words for words in table.seen if words.startswith("shuffled and proved: ")]
    assert len(set(shuffled)) >= 3


def test_the_end_is_told() -> None:
    company = Company(2)
    company.mesh()
    peer = company.peers[0]
    company.run(lambda: peer.table.play.phase is Phase.SIGNING)
    assert progress(peer).startswith("signing the result: ")
    company.run()
    assert peer.table.over
    assert progress(peer) == ""


# The players.


def test_who_has_chosen_is_shown_and_who_thinks() -> None:
    table = Table()
    table.run_to(Phase.COMMITTING, done=1)
    chosen = [player for player in range(4) if not table.peer.table.owes(player)]
    assert 0 < len(chosen) < 4
    for player in range(4):
        assert table.status(player).sign == ("✓" if player in chosen else "…")
    waiting = [player for player in range(1, 4) if player not in chosen]
    assert sorted(table.model.waiting.split(", ")) == [f"player {player}" for player in waiting]
    table.company.now_ms += 7_000
    table.look()
    assert table.status(waiting[0]).words.startswith("7 s")


def test_while_the_table_waits_the_page_is_drawn_only_when_it_looks_different() -> None:
    table = Table(2)
    table.run_to(Phase.COMMITTING)
    drawn: list[tuple[str, str]] = []
    table.model.changed = lambda: drawn.append((table.model.clock, table.status(1).words[:5]))
    for _ in range(4 * 120):
        table.company.now_ms += 250
        table.look()
    shown = [(clock, words.partition(" ")[0]) for clock, words in drawn]
    assert [int(wait) for _clock, wait in shown[:14]] == list(range(1, 15))
    assert shown[14:20] == [
        ("1:45", "15"), ("1:30", "30"), ("1:15", "45"), ("1:00", "60"),
        ("0:45", "75"), ("0:30", "90"),
    ]  # fmt: skip
    assert shown[-1] == ("! reserve 3:00", "120")
    for _ in range(4 * 180):
        table.company.now_ms += 250
        table.look()
    clocks = [clock for clock, _words in drawn]
    assert clocks[-31:] == [f"! reserve 0:{s:02}" for s in range(30, -1, -1)]
    assert len(drawn) < 100


def test_while_seals_are_compared_all_have_chosen() -> None:
    table = Table()
    table.run_to(Phase.READYING, done=1)
    done = [player for player in range(4) if not table.peer.table.owes(player)]
    assert done
    assert {table.status(player).sign for player in done} == {"✓"}


def test_while_nobody_chooses_nobody_has_chosen() -> None:
    table = Table()
    table.run_to(Phase.COMMITTING)
    table.run_to(Phase.SHARING, done=1)
    assert "✓" not in [status.sign for status in table.model.status.values()]


def test_whoever_is_gone_is_shown_as_gone() -> None:
    table = Table(3)
    table.run_to(Phase.COMMITTING)
    table.company.peers[2].leave(table.company.now_ms)
    table.run(lambda: 2 in table.peer.table.ended)
    assert table.status(2) == Status("✗", "gone")
    assert table.status(1).sign != "✗"


def test_links_have_a_sign_and_words() -> None:
    table = Table(3)
    table.run_to(Phase.COMMITTING)
    assert table.model.links[0] == "player 0: that is you"
    assert table.model.links[1].startswith("● player 1: connected, ")
    assert table.status(0).words.endswith("s")  # nobody is linked to himself
    table.company.wait(10_000)
    table.look()
    assert table.model.links[1] == "● player 1: connected, 0 ms there and back"
    [link] = [number for number, ends in table.company.links.items() if set(ends) == {0, 1}]
    table.company.cut(link)
    table.look()
    assert table.model.links[1].startswith("○ player 1: no direct connection")
    assert table.status(1).words.endswith("○")
    assert "●" in table.status(2).words


def test_with_no_connection_at_all_nobody_is_reached_through_others() -> None:
    table = Table(2)
    table.run_to(Phase.COMMITTING)
    [link] = table.company.links
    table.company.cut(link)
    table.look()
    assert table.model.links[1] == "✗ player 1: no connection; p2pfruit keeps trying"
    assert table.status(1).words.endswith("offline")


def test_a_clock_is_mine_and_only_while_i_am_asked() -> None:
    table = Table(3)
    table.run(lambda: bool(table.peer.asked))
    left = table.peer.clocks.time_left(0, table.company.now_ms)
    assert left is not None
    assert table.model.clock == clock(left.limit_ms) != ""
    table.run(lambda: not table.peer.table.owes(0))
    assert table.model.clock == ""


@pytest.mark.parametrize(
    ("left_ms", "shown"),
    [
        (None, ""),
        (limits.CLOCK_SHOWN_MS + 1, ""),
        (61_999, "1:01"),
        (9_000, "0:09"),
        (-5_000, "0:00"),
    ],
)
def test_a_clock_in_minutes_and_seconds(left_ms: int | None, shown: str) -> None:
    assert clock(left_ms) == shown


# The game.


def test_seats_are_known_once_they_are_drawn() -> None:
    table = Table(2)
    assert table.model.game == "fruitoplay"
    assert table.model.status == {}
    table.run_to(Phase.COMMITTING)
    presenter, view = table.model.presenter, table.model.view
    assert presenter is not None
    assert view is not None
    me = table.peer.table.play.seat(0)
    assert presenter.narrator.name(me) == "you"
    assert view.seat == me
    assert len(view.known) == len(view.state.hands[me])


def test_a_reveal_and_the_end_of_a_round_come_to_the_page() -> None:
    table = Table(2)
    table.run(lambda: table.model.reckoning is not None)
    assert table.model.moment is not None
    assert table.model.round_ended.is_set()
    assert table.model.reckoning is not None
    assert len(table.model.reckoning.accounts) == 2


def test_whoever_watches_sees_no_hand_and_has_no_clock() -> None:
    table = Table(2, watches=True)
    table.run_to(Phase.COMMITTING)
    assert table.model.view is not None
    assert table.model.view.seat is None
    assert table.model.view.known == {}
    assert table.model.clock == ""
    assert all("that is you" not in words for words in table.model.links)


def test_when_the_round_begins_again_the_seats_are_looked_at_again() -> None:
    table = Table(2)
    table.run_to(Phase.COMMITTING)
    before = table.model.presenter
    table.observer.happened([Again()])
    assert table.model.presenter is None
    table.run(lambda: table.model.presenter is not None)
    assert table.model.presenter is not before
