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
from protocol.table.proving import Memory, Proof
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
    checker = Checker(done.set, Memory())

    def holds() -> bool:
        threads.append(threading.get_ident())
        return True

    proof = Proof(b"one", holds)
    assert checker.check(proof) is None
    assert checker.check(proof) is None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(checker.run)
        await done.wait()
        nursery.cancel_scope.cancel()
    assert checker.check(proof) is True
    assert len(threads) == 1
    assert threads != [threading.get_ident()]


@pytest.mark.parametrize("holds", [True, False])
async def test_peers_of_one_program_check_a_true_proof_once(holds: bool) -> None:
    """What is false is found false by each of them."""
    memory, runs = Memory(), []
    done = [trio.Event() for _ in range(3)]
    checkers = [Checker(event.set, memory) for event in done]

    def check() -> bool:
        runs.append(holds)
        return holds

    proof = Proof(b"one", check)
    async with trio.open_nursery() as nursery:
        for checker in checkers:
            assert checker.check(proof) is None
            nursery.start_soon(checker.run)
        for event in done:
            await event.wait()
        nursery.cancel_scope.cancel()
    assert [checker.check(proof) for checker in checkers] == [holds] * 3
    assert len(runs) == (1 if holds else 3)
    assert (b"one" in memory) is holds


async def test_a_peer_that_ends_leaves_its_proofs_to_the_others() -> None:
    memory, done = Memory(), trio.Event()
    begun, go_on = threading.Event(), threading.Event()
    first, second = Checker(lambda: None, memory), Checker(done.set, memory)
    runs: list[int] = []

    def check() -> bool:
        runs.append(len(runs))
        begun.set()
        go_on.wait()
        if len(runs) == 1:
            raise OSError  # of this machine; the peer that met it ends
        return True

    proof = Proof(b"one", check)
    first.check(proof)
    second.check(proof)

    async def fail() -> None:
        with pytest.RaisesGroup(OSError):
            await first.run()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(fail)
        await trio.to_thread.run_sync(begun.wait)
        nursery.start_soon(second.run)
        go_on.set()
        await done.wait()
        nursery.cancel_scope.cancel()
    assert runs == [0, 1]
    assert second.check(proof) is True


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
