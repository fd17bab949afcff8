"""The program, with the games of tests and with what a test wants to go wrong.

python -m tests.processes.program …     the same as p2pfruit …

P2PFRUIT_TEST_CRASH    WHEN:KIND:N, as in after:commit:1. It ends as by kill -9 around the Nth
                       entry of this kind that it signs itself (* is any kind): just `before`
                       that is saved, `after` that and before it is sent, or once it is `sent`.
P2PFRUIT_TEST_LIMITS   MODULE.NAME=NUMBER …, as in p2pfruit.net.limits.CALL_HOST_S=2
P2PFRUIT_TEST_MEET     any text: it chooses nothing before it has had a link to everybody
P2PFRUIT_TEST_WITHHOLD any text: it plays to the end, and never signs the result
P2PFRUIT_TEST_SEED     any text: it plays with the same secrets each time
"""

import hashlib
import importlib
import itertools
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NoReturn

import trio

from engine.moves import Event, Move
from engine.views import View
from p2pfruit.cli import main as cli
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import SavedSeat
from p2pfruit.net.wire import Wire
from p2pfruit.seat import household, players
from p2pfruit.seat.lobby import Sitter
from p2pfruit.seat.players import BotDecider
from protocol.feed.entries import Entry
from protocol.feed.roster import Player, Roster
from protocol.peer.peer import Peer
from protocol.table.party import Body, Party, table_nonce
from protocol.table.phases import Phase
from tests.games import registered

CRASH = "P2PFRUIT_TEST_CRASH"
LIMITS = "P2PFRUIT_TEST_LIMITS"
SEED = "P2PFRUIT_TEST_SEED"
GATE = "P2PFRUIT_TEST_GATE"
MEET = "P2PFRUIT_TEST_MEET"
WITHHOLD = "P2PFRUIT_TEST_WITHHOLD"

BEFORE, AFTER, SENT = "before", "after", "sent"
ANY, SIT = "*", "sit"

AT_THE_GATE = "at the gate"


class Crash:
    """Counts what this process signs, and ends it there."""

    def __init__(self, text: str) -> None:
        self._when, self._kind, number = text.split(":")
        self._left = int(number)
        self._mine: set[bytes] = set()  # keys of the seats of this process
        self._counted: set[bytes] = set()
        self._fatal: Entry | None = None

    def sits(self, key: bytes) -> None:
        self._mine.add(key)

    def saves(self, entries: Sequence[tuple[int, Entry]]) -> bool:
        """Whether the entry is among these."""
        for _player, entry in entries:
            if entry.author in self._mine and entry.id not in self._counted:
                self._counted.add(entry.id)
                self._left -= self._kind in (ANY, entry.kind)
                if not self._left and self._fatal is None:
                    self._fatal = entry
                    return True
        return False

    def sends(self, messages: Sequence[bytes]) -> bool:
        fatal = self._fatal
        return fatal is not None and any(fatal.data in message for message in messages)

    def is_due(self, when: str, kind: str | None = None) -> bool:
        return self._when == when and kind in (None, self._kind)


def kill_myself() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still here")


def crash(plan: Crash) -> None:
    """Patches what saves and what sends."""
    sit, entries, save, send = Journal.sit, Journal.entries, Journal.save, Wire.send

    def sit_too(
        self: Journal,
        roster: Roster,
        seat: SavedSeat,
        binds: Sequence[str],
        places: Sequence[tuple[bytes, str]],
        **host: bytes,
    ) -> None:
        plan.sits(seat.key)
        sit(self, roster, seat, binds, places, **host)
        if plan.is_due(AFTER, SIT):
            kill_myself()

    def entries_too(self: Journal, roster: Roster) -> list[bytes]:
        saved = self.store.table(roster.table)
        assert saved is not None
        for seat in saved.seats:
            plan.sits(seat.key)
        found = entries(self, roster)
        if plan.saves([(0, Entry.decode(data)) for data in found]) and not plan.is_due(SENT):
            kill_myself()
        return found

    async def save_too(self: Journal, some: Sequence[tuple[int, Entry]]) -> None:
        found = plan.saves(some)
        if found and plan.is_due(BEFORE):
            kill_myself()
        await save(self, some)
        if found and plan.is_due(AFTER):
            kill_myself()

    async def send_too(self: Wire, messages: Sequence[bytes]) -> None:
        await send(self, messages)
        if plan.is_due(SENT) and plan.sends(messages):
            kill_myself()

    for owner, name, patch in (
        (Journal, "sit", sit_too),
        (Journal, "entries", entries_too),
        (Journal, "save", save_too),
        (Wire, "send", send_too),
    ):
        setattr(owner, name, patch)


def change_limits(text: str) -> None:
    for change in text.split():
        place, number = change.split("=")
        module, _, name = place.rpartition(".")
        limits = importlib.import_module(module)
        assert hasattr(limits, name), place
        setattr(limits, name, type(getattr(limits, name))(number))


def fix_secrets(text: str) -> None:
    tries = itertools.count()

    def sit(self: Sitter) -> Player:
        key, name = self._identity.key, self._name
        self.seed = hashlib.sha256(f"{text} {key.hex()} {next(tries)}".encode()).digest()
        return Player(key, table_nonce(self.seed), name)

    setattr(Sitter, "sit", sit)  # noqa: B010 - mypy takes no method for a variable
    for module in (household, players):
        setattr(module, "SystemRandom", lambda: Random(text))  # noqa: B010


def wait_at(gate: str) -> None:
    choose = BotDecider.choose
    choices = itertools.count(1)

    def stand() -> None:
        with open(gate, "rb"):  # returns when somebody opens it for writing
            pass

    async def choose_too(self: BotDecider, view: View[Any], events: Sequence[Event]) -> Move:
        if next(choices) == 2:
            print(AT_THE_GATE, file=sys.stderr, flush=True)
            await trio.to_thread.run_sync(stand, abandon_on_cancel=True)
        return await choose(self, view, events)

    setattr(BotDecider, "choose", choose_too)  # noqa: B010


def meet_first() -> None:
    asked: property = vars(Peer)["asked"]

    def asked_among_friends(self: Peer) -> bool:
        return len(self.met) == len(self.table.read) - 1 and bool(asked.__get__(self))

    setattr(Peer, "asked", property(asked_among_friends))  # noqa: B010


def withhold() -> None:
    due = Party._due

    def due_but_the_result(self: Party) -> tuple[str, Body] | None:
        return None if self.table.play.phase is Phase.SIGNING else due(self)

    setattr(Party, "_due", due_but_the_result)  # noqa: B010


def main(environ: Mapping[str, str]) -> int:
    change_limits(environ.get(LIMITS, ""))
    if plan := environ.get(CRASH):
        crash(Crash(plan))
    if seed := environ.get(SEED):
        fix_secrets(seed)
    if gate := environ.get(GATE):
        wait_at(gate)
    if environ.get(MEET):
        meet_first()
    if environ.get(WITHHOLD):
        withhold()
    with registered():
        return cli.main()


if __name__ == "__main__":
    sys.exit(main(os.environ))
