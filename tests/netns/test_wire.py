"""What becomes of packets, without hosts and without waiting."""

import pytest

from tests.netns import wire
from tests.netns.wire import Count, Flap, Pair, Weather, Wire

NOW = 1000.0


def packet(sender: int, receiver: int, text: bytes = b"") -> bytes:
    head = bytearray(20)
    head[0] = 0x45
    head[12:16] = bytes([10, 77, 0, sender])
    head[16:20] = bytes([10, 77, 0, receiver])
    return bytes(head) + text


def a_wire(**weather: object) -> Wire:
    return Wire(Weather(hosts=3, **weather), NOW)  # type: ignore[arg-type]


def fates(line: Wire, sender: int, receiver: int, packets: int = 1000) -> list[bool]:
    """Whether each of some packets arrives in the end."""
    arrived = []
    for number in range(packets):
        line.send(sender, packet(sender, receiver, b"%d" % number), NOW)
        arrived.append(bool(line.arrivals(NOW + 60)))
    return arrived


def test_a_packet_arrives_after_the_delay() -> None:
    line = a_wire(delay_s=0.25)
    assert line.next_due() is None
    line.send(1, packet(1, 2), NOW)
    assert line.next_due() == NOW + 0.25
    assert line.arrivals(NOW + 0.2) == []
    assert line.arrivals(NOW + 0.25) == [(2, packet(1, 2))]
    assert line.arrivals(NOW + 9) == []


def test_jitter_delays_and_keeps_the_order() -> None:
    line = a_wire(delay_s=0.25, jitter_s=0.5)
    sent = [packet(1, 2, b"%d" % number) for number in range(100)]
    for each in sent:
        line.send(1, each, NOW)
    assert line.arrivals(NOW + 0.25) == []
    early = line.arrivals(NOW + 0.5)
    late = line.arrivals(NOW + 0.75)
    assert [each for _, each in early + late] == sent


@pytest.mark.parametrize("loss", [0.0, 0.05, 0.5, 1.0])
def test_loss_is_the_share_that_is_lost(loss: float) -> None:
    line = a_wire(loss=loss)
    lost = fates(line, 1, 2).count(False)
    assert lost == pytest.approx(1000 * loss, abs=50)
    assert dict(line.counts())[Pair(1, 2)].lost == lost


def test_what_is_lost_depends_on_the_seed_and_the_pair_alone() -> None:
    alone = fates(a_wire(loss=0.3), 1, 2)
    busy = a_wire(loss=0.3)
    others = fates(busy, 2, 1)
    assert fates(busy, 1, 2) == alone
    assert others != alone
    assert fates(a_wire(loss=0.3, jitter_s=1.0), 1, 2) == alone
    assert fates(a_wire(loss=0.3, seed=2), 1, 2) != alone


@pytest.mark.parametrize(("at_s", "up"), [(0, True), (7.9, True), (8, False), (9.9, False)])
@pytest.mark.parametrize("cycle", [0, 1, 7])
def test_a_link_flaps_both_ways(at_s: float, up: bool, cycle: int) -> None:
    line = a_wire(flap=Flap(3, 2.0, 10.0))
    now = NOW + 10 * cycle + at_s
    line.send(3, packet(3, 1), now)
    line.send(1, packet(1, 3), now)
    line.send(1, packet(1, 2), now)
    arrived = [host for host, _ in line.arrivals(now)]
    assert arrived == ([1, 3, 2] if up else [2])


def test_what_arrives_at_a_link_that_is_down_is_lost() -> None:
    line = a_wire(delay_s=1.0, flap=Flap(3, 2.0, 10.0))
    line.send(1, packet(1, 3), NOW + 7.5)
    line.send(1, packet(1, 3), NOW + 9.5)
    assert line.arrivals(NOW + 20) == [(3, packet(1, 3))]
    assert dict(line.counts())[Pair(1, 3)] == Count(packets=2, bytes=40, lost=1)


def test_a_cut_pair_is_cut_both_ways_until_it_is_mended() -> None:
    line = a_wire()
    line.send(1, packet(1, 2), NOW)
    line.cut(2, 1)
    assert line.arrivals(NOW) == []
    assert fates(line, 1, 2, 1) + fates(line, 2, 1, 1) + fates(line, 1, 3, 1) == [
        False,
        False,
        True,
    ]
    line.mend(1, 2)
    assert fates(line, 2, 1, 1) == [True]


@pytest.mark.parametrize(
    "stray",
    [
        b"",
        packet(1, 2)[:19],
        b"\x60" + packet(1, 2)[1:],  # IPv6
        packet(1, 9),
        packet(1, 255),
        packet(1, 1),
        packet(2, 3),  # in another's name
        packet(1, 2)[:16] + bytes([192, 0, 2, 1]),
        packet(1, 2)[:12] + bytes([192, 0, 2, 1]) + packet(1, 2)[16:],
    ],
)
def test_what_is_for_nobody_goes_nowhere(stray: bytes) -> None:
    line = a_wire()
    line.send(1, stray, NOW)
    assert line.next_due() is None
    assert all(count == Count() for _, count in line.counts())


def test_no_more_wait_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "WAITING_MOST", 3)
    line = a_wire()
    for _ in range(5):
        line.send(1, packet(1, 2), NOW)
    assert len(line.arrivals(NOW)) == 3
    assert dict(line.counts())[Pair(1, 2)].lost == 2


@pytest.mark.parametrize("flap", [None, Flap(3, 2.0, 10.0)])
def test_weather_is_told_to_another_process(flap: Flap | None) -> None:
    import json

    weather = Weather(hosts=4, delay_s=0.15, jitter_s=0.02, loss=0.05, flap=flap, seed=7)
    assert Weather.parse(json.loads(json.dumps(weather.plain()))) == weather
