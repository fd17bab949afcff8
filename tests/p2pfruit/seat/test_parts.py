"""The parts of a node one by one: deciders, journal, checker, the way out."""

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from engine.moves import Move
from p2pfruit import exits, limits
from p2pfruit.exits import Goodbye, Refusal
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import SavedSeat, Store
from p2pfruit.seat import players
from p2pfruit.seat.players import BotDecider, ExternalDecider
from p2pfruit.seat.proof_threads import Checker
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from tests.protocol.peer.peers import Company

# Deciders.


@pytest.fixture
def peer() -> Peer:
    """One that is asked for its first choice."""
    company = Company(3)
    company.mesh()
    company.run(lambda: company.peers[0].asked)
    return company.peers[0]


def question(*, can_go_on: bool) -> Question:
    return Question(step=1, players=(1,), waited_ms=1, can_go_on=can_go_on, direct=True)


async def test_a_bot_decides(peer: Peer) -> None:
    assert peer.party is not None
    view = peer.party.view()
    async with players.bot_decider("random", Random(1))(peer) as decider:
        assert await decider.choose(view, []) in view.moves()
        assert await decider.absent(question(can_go_on=True)) is Reply.GO_ON
        assert await decider.absent(question(can_go_on=False)) is Reply.STOP
        await decider.done(view.state, [])
        assert isinstance(decider, BotDecider)


async def test_a_program_decides(peer: Peer) -> None:
    assert peer.party is not None
    view = peer.party.view()
    said: list[str] = []
    command = "python docs/examples/mybot.py"
    async with players.external_decider(command, said.append)(peer) as decider:
        await decider.done(view.state, [])  # never asked, never started
        assert await decider.choose(view, []) in view.moves()
        assert await decider.choose(view, []) in view.moves()
        assert await decider.absent(question(can_go_on=True)) is Reply.GO_ON
        over = Company(3)
        over.mesh()
        over.run()
        await decider.done(over.peers[0].table.play.state, [])
        assert isinstance(decider, ExternalDecider)


# The journal.


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store") as store:
        yield store


async def test_each_entry_is_written_once(store: Store, peer: Peer) -> None:
    roster = peer.table.roster
    journal = Journal(store, bytes(16), "copy.fruit")
    for at, player in enumerate(roster.players):
        seat = SavedSeat(key=player.key, secret=None, seed=bytes(32), decider="")
        journal.sit(roster, seat, [f"127.0.0.1:{at}"] if at else [], [])
    journal.learn(roster, 1, ["a.example:1"])
    log = peer.table.feeds.log
    async with trio.open_nursery() as nursery:
        nursery.start_soon(journal.save, log[:5])
        nursery.start_soon(journal.save, log)
    await journal.save(log)
    assert journal.entries(roster) == [entry.data for _, entry in log]
    saved = store.table(roster.table)
    assert saved is not None
    assert len(saved.seats) == 3
    assert len(saved.binds) == 2
    assert saved.addresses == ((roster.players[1].key, "a.example:1"),)


# The checker.


async def test_proofs_are_checked_once_and_elsewhere() -> None:
    done = trio.Event()
    threads: list[int] = []
    checker = Checker(done.set)

    def proof() -> bool:
        threads.append(threading.get_ident())
        return True

    assert checker.check(b"one", proof) is None
    assert checker.check(b"one", proof) is None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(checker.run)
        await done.wait()
        nursery.cancel_scope.cancel()
    assert checker.check(b"one", proof) is True
    assert len(threads) == 1
    assert threads != [threading.get_ident()]


# The way out.


@pytest.mark.parametrize(
    "error", [Refusal("no"), Goodbye("bye", 5), KeyboardInterrupt(), BrokenPipeError()]
)
def test_what_is_meant_for_people_comes_out_alone(error: BaseException) -> None:
    async def fail() -> None:
        raise error

    async def other() -> None:
        raise ValueError

    async def main() -> None:
        async with trio.open_nursery() as outer, trio.open_nursery() as inner:
            outer.start_soon(other)
            inner.start_soon(fail)

    with pytest.raises(type(error)) as caught:
        exits.run_trio(main)
    assert caught.value is error


def test_our_own_mistakes_come_out_as_they_are() -> None:
    async def fail() -> None:
        raise ValueError

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(fail)

    with pytest.raises(ExceptionGroup):
        exits.run_trio(main)


def test_what_comes_of_it() -> None:
    async def main() -> Any:
        return Move("play", (1,), ())

    assert exits.run_trio(main) == Move("play", (1,), ())
    assert limits.SEED_SIZE == 32
