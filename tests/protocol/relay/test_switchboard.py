"""The switchboard: hosts, callers, links and bytes, on a clock of its own."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.crypto.identity import Identity, Verifier
from protocol.relay import frames
from protocol.relay.frames import Caller, Gone, Pong, Registered
from protocol.relay.switchboard import Action, Drop, Join, Quota, Send, Switchboard
from tests.protocol.relay.ends import OTHER_TABLE, TABLE
from tests.protocol.tables import secret

KEY = TABLE.key
HOST, GUEST, CAME = 1, 2, 3  # streams


class Desk:
    """A switchboard, and a clock."""

    def __init__(self, **quota: int) -> None:
        self.now_ms = 1000
        self.board = Switchboard(quota=Quota(**quota), tag_key=bytes(32), now_ms=self.now_ms)

    def register(
        self, stream: int = HOST, table: Identity = TABLE, at: str = "host"
    ) -> list[Action]:
        return self.board.register(stream, at, Verifier(table.key), self.now_ms)

    def call(self, stream: int = GUEST, at: str = "guest", key: bytes = KEY) -> list[Action]:
        return self.board.call(stream, at, key, self.now_ms)

    def accept(self, stream: int = CAME, number: int = 0, key: bytes = KEY) -> list[Action]:
        return self.board.accept(stream, key, number, self.now_ms)

    def carried(self, stream: int, size: int) -> list[Action]:
        return self.board.carried(stream, size, self.now_ms)

    def later(self, ms: int) -> list[Action]:
        self.now_ms += ms
        return self.board.tick(self.now_ms)

    def join(self) -> None:
        self.register()
        self.call()
        assert self.accept() == [Join(GUEST, CAME)]

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.board.registered, self.board.waiting, self.board.joined


def tag(action: Action) -> bytes:
    assert isinstance(action, Send)
    assert isinstance(action.message, Caller)
    return action.message.tag


def test_a_caller_and_a_host_are_joined() -> None:
    desk = Desk()
    assert desk.register() == [Send(HOST, Registered())]
    [announced] = desk.call()
    assert announced == Send(HOST, Caller(0, tag(announced)))
    assert len(tag(announced)) == frames.TAG_SIZE
    assert desk.counts == (1, 1, 0)
    assert desk.accept() == [Join(GUEST, CAME)]
    assert desk.counts == (1, 0, 1)
    assert desk.board.closed(GUEST) == [Drop(CAME, frames.GONE)]
    assert desk.board.closed(CAME) == []
    assert desk.board.closed(HOST) == []
    assert desk.counts == (0, 0, 0)


def test_nobody_waits_for_nobody() -> None:
    desk = Desk()
    assert desk.board.known(KEY) is None
    assert desk.call() == [Drop(GUEST, frames.NOBODY)]
    desk.register()
    known = desk.board.known(KEY)
    assert known is not None
    assert known.key == KEY
    assert desk.call(key=OTHER_TABLE.key) == [Drop(GUEST, frames.NOBODY)]


def test_a_tag_is_that_of_an_address_at_one_table() -> None:
    desk = Desk()
    desk.register()
    desk.register(10, OTHER_TABLE)
    one, again, other = desk.call(20, "a"), desk.call(21, "a"), desk.call(22, "b")
    elsewhere = desk.call(23, "a", OTHER_TABLE.key)
    tags = [tag(actions[-1]) for actions in (one, again, other, elsewhere)]
    assert tags[0] == tags[1]
    assert len(set(tags)) == 3


def test_of_two_hosts_the_newer_one_counts() -> None:
    desk = Desk()
    desk.join()
    [announced] = desk.call(20)
    new = desk.register(10, at="elsewhere")
    assert new == [
        Drop(HOST, frames.REPLACED),
        Send(10, Registered()),
        Send(10, Caller(1, tag(announced))),
    ]
    assert desk.board.closed(HOST) == []
    assert desk.counts == (1, 1, 1)
    assert desk.accept(30, 1) == [Join(20, 30)]
    assert desk.call(21) == [Send(10, Caller(2, tag(announced)))]


def test_a_host_that_goes_turns_away_who_waits_and_keeps_who_is_joined() -> None:
    desk = Desk()
    desk.join()
    desk.call(20)
    assert desk.board.closed(HOST) == [Drop(20, frames.NOBODY)]
    assert desk.counts == (0, 0, 1)


def test_a_caller_that_hangs_up_is_gone() -> None:
    desk = Desk()
    desk.register()
    desk.call()
    assert desk.board.closed(GUEST) == [Send(HOST, Gone(0))]
    assert desk.accept() == [Drop(CAME, frames.GONE)]
    assert desk.accept(key=OTHER_TABLE.key) == [Drop(CAME, frames.GONE)]


def test_a_host_refuses_a_caller() -> None:
    desk = Desk()
    desk.register()
    desk.call()
    assert desk.board.refuse(HOST, 0, desk.now_ms) == [Drop(GUEST, frames.BUSY)]
    assert desk.board.refuse(HOST, 0, desk.now_ms) == []
    assert desk.counts == (1, 0, 0)


def test_a_host_does_not_come_in_time() -> None:
    desk = Desk()
    desk.register()
    desk.call()
    assert desk.later(limits.RELAY_WAIT_MS - 1) == []
    assert desk.later(1) == [Drop(GUEST, frames.SILENT), Send(HOST, Gone(0))]


def test_a_host_that_says_nothing_is_gone() -> None:
    desk = Desk()
    desk.register()
    desk.now_ms += limits.RELAY_SILENT_MS - 1
    assert desk.board.ping(HOST, 7, desk.now_ms) == [Send(HOST, Pong(7))]
    assert desk.later(limits.RELAY_SILENT_MS - 1) == []
    assert desk.later(1) == [Drop(HOST, frames.SILENT)]


def test_an_idle_link_ends_and_a_busy_one_lasts() -> None:
    desk = Desk()
    desk.join()
    desk.now_ms += limits.RELAY_IDLE_MS - 1
    assert desk.carried(CAME, 1) == []
    assert [drop for drop in desk.later(limits.RELAY_IDLE_MS - 1) if drop[0] != HOST] == []
    assert desk.later(1) == [Drop(GUEST, frames.SILENT), Drop(CAME, frames.SILENT)]


def test_nothing_lasts_longer_than_a_day() -> None:
    desk = Desk()
    desk.join()
    ended: list[Action] = []
    while desk.board.registered or desk.board.joined:
        desk.board.carried(GUEST, 1, desk.now_ms)
        if desk.board.registered:
            desk.board.ping(HOST, 0, desk.now_ms)
        ended += desk.later(10_000)
    assert ended == [Drop(HOST, "time"), Drop(GUEST, "time"), Drop(CAME, "time")]
    assert desk.now_ms == 1000 + limits.RELAY_LASTING_MS


@pytest.mark.parametrize("what", ["ping", "refuse"])
def test_a_host_that_floods_is_dropped(what: str) -> None:
    desk = Desk()
    desk.register()
    say = getattr(desk.board, what)
    for _ in range(limits.RELAY_WORDS_MOST):
        assert Drop(HOST, frames.FLOOD) not in say(HOST, 0, desk.now_ms)
    desk.now_ms += limits.RELAY_WORD_EVERY_MS
    assert Drop(HOST, frames.FLOOD) not in say(HOST, 0, desk.now_ms)
    assert say(HOST, 0, desk.now_ms) == [Drop(HOST, frames.FLOOD)]
    assert desk.counts == (0, 0, 0)


# Bounds.


def test_tables_are_bounded_and_a_known_one_comes_back() -> None:
    desk = Desk(tables=1)
    tables = [Identity(secret("table", number)) for number in range(3)]
    for number, table in enumerate(tables[:2]):  # for players, and for spectators
        assert desk.register(number, table) == [Send(number, Registered())]
    assert desk.register(7, tables[2]) == [Drop(7, frames.FULL)]
    assert desk.register(8, tables[0])[0] == Drop(0, frames.REPLACED)


def test_tables_of_one_address_are_bounded() -> None:
    desk = Desk()
    most = 2 * limits.RELAY_TABLES_PER_ADDRESS_MOST
    for number in range(most):
        desk.register(number, Identity(secret("table", number)))
    assert desk.register(100, TABLE) == [Drop(100, frames.FULL)]
    assert desk.register(101, TABLE, "elsewhere") == [Send(101, Registered())]


def test_tables_of_one_day_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RELAY_COUNTED_MOST", 1)
    desk = Desk()
    desk.register()
    assert desk.register(10, OTHER_TABLE) == [Drop(10, frames.FULL)]
    desk.board.closed(HOST)
    assert desk.register(11) == [Send(11, Registered())]
    desk.board.closed(11)
    desk.later(limits.RELAY_DAY_MS)
    assert desk.register(10, OTHER_TABLE) == [Send(10, Registered())]


def test_one_address_pushes_out_its_own_callers() -> None:
    desk = Desk()
    desk.register()
    desk.call(50, "honest")
    most = limits.RELAY_WAITING_PER_ADDRESS_MOST
    for number in range(most):
        assert len(desk.call(100 + number, "crowd")) == 1
    assert desk.call(200, "crowd")[:2] == [Drop(100, frames.FULL), Send(HOST, Gone(1))]
    assert desk.board.waiting == most + 1


def test_a_crowd_at_one_table_pushes_out_itself() -> None:
    desk = Desk()
    desk.register()
    desk.call(50, "honest")
    for number in range(limits.RELAY_WAITING_PER_TABLE_MOST):
        desk.call(100 + number, f"crowd {number // 3}")
    assert desk.board.waiting == limits.RELAY_WAITING_PER_TABLE_MOST
    assert desk.board.closed(50) == [Send(HOST, Gone(0))]


def test_callers_are_bounded_in_all() -> None:
    desk = Desk()
    for table in range(20):
        identity = Identity(secret("table", table))
        desk.register(table, identity, f"host {table}")
        for number in range(8):
            at = "crowd" if number < 4 else f"{table} {number}"
            desk.call(100 + 10 * table + number, at, identity.key)
    assert desk.board.waiting == limits.RELAY_WAITING_MOST
    assert desk.board.closed(100) == []  # the first of the crowd
    assert desk.board.closed(104) != []


@pytest.mark.parametrize("bound", ["RELAY_LINKS_MOST", "RELAY_LINKS_PER_TABLE_MOST"])
def test_links_are_bounded(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, bound, 1)
    desk = Desk()
    desk.join()
    desk.call(20)
    assert desk.accept(30, 1) == [
        Drop(20, frames.FULL),
        Send(HOST, Gone(1)),
        Drop(30, frames.FULL),
    ]


def test_the_bytes_of_a_table_are_bounded_for_a_day() -> None:
    desk = Desk(table_bytes=10)
    desk.join()
    desk.register(10, OTHER_TABLE)
    desk.call(11, key=OTHER_TABLE.key)
    desk.accept(12, 0, OTHER_TABLE.key)
    desk.call(20)
    assert desk.carried(GUEST, 10) == []
    assert desk.carried(CAME, 1) == [
        Drop(GUEST, frames.BYTES),
        Drop(CAME, frames.BYTES),
        Drop(HOST, frames.BYTES),
        Drop(20, frames.NOBODY),
    ]
    assert desk.carried(CAME, 1) == []  # they are gone
    assert desk.board.carried_bytes == desk.board.carried_today(KEY) == 11
    assert desk.register(40) == [Drop(40, frames.BYTES)]
    assert desk.counts == (1, 0, 1)
    desk.later(limits.RELAY_DAY_MS)
    assert desk.register(40) == [Send(40, Registered())]


def test_the_bytes_of_all_are_bounded_for_a_day() -> None:
    desk = Desk(bytes=10)
    desk.join()
    desk.register(10, OTHER_TABLE)
    assert Drop(10, frames.BYTES) in desk.carried(GUEST, 11)
    assert desk.counts == (0, 0, 0)
    assert desk.register(40) == [Drop(40, frames.BYTES)]


def test_a_link_without_its_host_is_counted_too() -> None:
    """The host has gone, and all that it carried on the day before is forgotten."""
    desk = Desk(table_bytes=10)
    desk.now_ms += limits.RELAY_IDLE_MS
    desk.join()
    desk.board.closed(HOST)
    for _ in range(limits.RELAY_DAY_MS // limits.RELAY_IDLE_MS):
        desk.now_ms += limits.RELAY_IDLE_MS - 1
        desk.carried(GUEST, 0)
    desk.board.tick(1000 + limits.RELAY_DAY_MS)
    assert Drop(GUEST, frames.BYTES) in desk.carried(GUEST, 11)


def test_a_caller_hears_that_its_table_has_used_up_its_bytes() -> None:
    """A link ends with the byte that was too much, its host with it; so this takes a host that is
    not yet gone for the switchboard."""
    desk = Desk(table_bytes=10)
    desk.register()
    desk.board._today[KEY] = 11
    assert desk.call() == [Drop(GUEST, frames.BYTES)]


# Anything, in any order.

STEP = st.tuples(
    st.sampled_from(["register", "call", "accept", "refuse", "ping", "closed", "carried", "tick"]),
    st.integers(0, 2),  # a table
    st.integers(0, 5),  # an address, the number of a caller, or how many streams ago
    st.sampled_from([0, 1, 1000, 7000, 61_000, 90_000_000]),  # how much later
)
TABLES = [Identity(secret("table", number)) for number in range(3)]


class Model:
    """What whoever does as the switchboard says believes."""

    def __init__(self) -> None:
        self.desk = Desk(tables=1, table_bytes=5000, bytes=9000)
        self.hosts: dict[int, bytes] = {}
        self.callers: set[int] = set()
        self.links: dict[int, int] = {}

    def act(self, stream: int, what: str, table: int, number: int) -> list[Action]:
        desk, key = self.desk, TABLES[table].key
        match what:
            case "register":
                return desk.register(stream, TABLES[table], f"at {number}")
            case "call":
                self.callers.add(stream)
                return desk.call(stream, f"at {number}", key)
            case "accept":
                return desk.accept(stream, number, key)
            case "refuse" | "ping" if self.hosts:
                say = getattr(desk.board, what)
                actions: list[Action] = say(next(iter(self.hosts)), number, desk.now_ms)
                return actions
            case "closed":
                self.forget(stream - number)
                return desk.board.closed(stream - number)
            case "carried":
                return desk.carried(stream - number, 100 * number)
        return desk.board.tick(desk.now_ms)

    def forget(self, stream: int) -> None:
        self.callers.discard(stream)
        self.hosts.pop(stream, None)
        self.links.pop(stream, None)

    def obey(self, action: Action, key: bytes) -> None:
        match action:
            case Send(stream, Registered()):
                self.hosts[stream] = key
            case Send(stream, _message):
                assert stream in self.hosts
            case Join(caller, host):
                self.callers.remove(caller)
                self.links |= {caller: host, host: caller}
            case Drop(stream, _code):
                self.forget(stream)


@given(st.lists(STEP, max_size=60))
def test_whatever_happens_all_is_bounded_and_nobody_waits_for_nobody(steps: list[Any]) -> None:
    model = Model()
    for stream, (what, table, number, ms) in enumerate(steps):
        model.desk.now_ms += ms
        for action in model.act(stream, what, table, number):
            model.obey(action, TABLES[table].key)
        hosts = model.hosts
        assert model.desk.counts == (len(hosts), len(model.callers), len(model.links) // 2)
        assert len(set(hosts.values())) == len(hosts) <= 2
        assert all(model.links[other] == one for one, other in model.links.items())
        assert hosts or not model.callers
        assert model.desk.board._today_bytes == sum(model.desk.board._today.values())
