import socket

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from p2pfruit.exits import Refusal
from p2pfruit.net import beacon, limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.beacon import Announcement, Found, Tables, announce, listen
from protocol.codec import Value, encode
from protocol.errors import RemoteProtocolError
from protocol.link.entrance import Entrance
from protocol.link.keys import key_id
from tests.p2pfruit.net.wires import KEY

TABLE = Announcement(
    key_id=key_id(KEY), name="Anna", game="fruitoplay", taken=2, seats=4, port=4242
)
LOOPBACK = Address("127.0.0.1", 0)

ANNOUNCEMENTS = st.integers(1, 255).flatmap(
    lambda seats: st.builds(
        Announcement,
        key_id=st.binary(min_size=8, max_size=8),
        name=st.text(max_size=32),
        game=st.text(min_size=1, max_size=32),
        taken=st.integers(0, seats),
        seats=st.just(seats),
        port=st.integers(1, 65535),
        entrance=st.none()
        | st.builds(
            Entrance,
            id=st.binary(min_size=8, max_size=8),
            host=st.binary(min_size=32, max_size=32),
            offer=st.binary(min_size=32, max_size=32),
        ),
    )
)


@given(ANNOUNCEMENTS)
def test_encode_and_decode_are_a_pair(announcement: Announcement) -> None:
    data = announcement.encode()
    assert len(data) <= limits.BEACON_SIZE_MOST
    assert Announcement.decode(data) == announcement


@given(st.binary(max_size=600))
def test_any_bytes_are_an_announcement_or_refused(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        Announcement.decode(data)


def fields(**changes: Value) -> tuple[Value, ...]:
    good: dict[str, Value] = {
        "magic": beacon.MAGIC,
        "version": 2,
        "key_id": bytes(8),
        "name": "Anna",
        "game": "snap",
        "taken": 1,
        "seats": 4,
        "port": 5,
        "entrance": (),
    }
    return tuple((good | changes).values())


def test_the_fields_are_right_before_they_are_changed() -> None:
    assert Announcement.decode(encode(fields())).name == "Anna"


@pytest.mark.parametrize(
    "value",
    [
        None,
        (),
        fields()[:-1],
        (*fields(), 0),
        fields(magic=b"another"),
        fields(version=1),
        fields(version=None),
        fields(key_id=bytes(7)),
        fields(key_id="8 letter"),
        fields(name="a" * 33),
        fields(name=b"Anna"),
        fields(game=""),
        fields(game="a" * 33),
        fields(taken=5),
        fields(taken=True),
        fields(seats=256),
        fields(seats=None),
        fields(port=0),
        fields(port=65536),
        fields(port="5"),
        fields(entrance=None),
        fields(entrance=(bytes(8), bytes(32))),
        fields(entrance=(bytes(7), bytes(32), bytes(32))),
        fields(entrance=(bytes(8), bytes(31), bytes(32))),
        fields(entrance=(bytes(8), bytes(32), bytes(33))),
    ],
)
def test_refused(value: Value) -> None:
    with pytest.raises(RemoteProtocolError):
        Announcement.decode(encode(value))


def test_the_secret_is_not_in_it() -> None:
    assert KEY not in TABLE.encode()


async def test_who_announces_is_heard_and_says_what_is_new(mock_clock: MockClock) -> None:
    tell, hear = trio.open_memory_channel[Found](10)
    taken = iter(range(1, 4))

    def describe() -> Announcement:
        return Announcement(
            key_id=bytes(8), name="Anna", game="snap", taken=next(taken), seats=4, port=4242
        )

    async with trio.open_nursery() as nursery:
        where = await nursery.start(listen, tell.send_nowait, LOOPBACK)
        unreachable = Address("127.0.0.1", 0)  # nobody can be sent anything there
        nursery.start_soon(announce, describe, [unreachable, where])
        for count in (1, 2):
            found = await hear.receive()
            assert found.announcement.taken == count
            assert found.address == Address("127.0.0.1", 4242)
            await trio.testing.wait_all_tasks_blocked()
            mock_clock.jump(limits.BEACON_INTERVAL_S)
        nursery.cancel_scope.cancel()


async def test_noise_is_not_heard() -> None:
    tell, hear = trio.open_memory_channel[Found](10)
    async with trio.open_nursery() as nursery:
        where = await nursery.start(listen, tell.send_nowait, LOOPBACK)
        with trio.socket.socket(type=socket.SOCK_DGRAM) as line:
            for noise in (b"", b"noise", TABLE.encode() + b"\0", bytes(5000), TABLE.encode()):
                await line.sendto(noise, where)
        assert (await hear.receive()).announcement == TABLE
        assert hear.statistics().current_buffer_used == 0
        nursery.cancel_scope.cancel()


async def test_several_programs_of_one_machine_hear_a_broadcast() -> None:
    tell, hear = trio.open_memory_channel[Found](10)
    everyone = Address("127.255.255.255", 0)  # of loopback
    async with trio.open_nursery() as nursery:
        where = await nursery.start(listen, tell.send_nowait, everyone)
        await nursery.start(listen, tell.send_nowait, where)
        nursery.start_soon(announce, lambda: TABLE, [where])
        assert [(await hear.receive()).announcement for _ in range(2)] == [TABLE, TABLE]
        nursery.cancel_scope.cancel()


def test_everyone_is_told_where_nobody_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon, "broadcast_addresses", lambda: ["127.255.255.255"])
    assert beacon._everyone() == [Address("127.255.255.255", limits.BEACON_PORT)]


async def test_a_port_of_somebody_else_is_refused() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as other:
        other.bind(LOOPBACK)
        with pytest.raises(Refusal, match="cannot listen for tables") as refused:
            await listen(Tables().add, Address(*other.getsockname()))
    assert "UDP port" in str(refused.value.hint)


def found(host: str, number: int, taken: int = 0) -> Found:
    table = Announcement(
        key_id=number.to_bytes(8, "big"), name="", game="snap", taken=taken, seats=4, port=5
    )
    return Found(announcement=table, host=host)


def test_the_newest_word_of_each_table_counts() -> None:
    tables = Tables()
    for one in (found("10.0.0.1", 1), found("10.0.0.2", 1), found("10.0.0.1", 1, taken=3)):
        tables.add(one)
    assert tables.all() == [found("10.0.0.1", 1, taken=3), found("10.0.0.2", 1)]


def test_a_flood_of_tables_is_bounded_and_one_machine_cannot_hide_another() -> None:
    tables = Tables()
    for number in range(1000):
        tables.add(found("10.0.0.1", number))
    assert len(tables.all()) == limits.TABLES_PER_HOST_MOST
    tables.add(found("10.0.0.2", 1))
    assert tables.all()[-1].host == "10.0.0.2"
    for number in range(1000):
        tables.add(found(f"10.0.1.{number}", 1))
    assert len(tables.all()) == limits.TABLES_MOST
