"""What becomes of a packet between two hosts. No input or output; time is passed in, in seconds.

- A packet arrives `delay_s` after it was sent, and up to `jitter_s` later; never before one that
  was sent earlier between the same two hosts.
- `loss` is the share of packets that are lost, drawn for each pair of hosts from a generator of its
  own: what happens to one pair does not depend on the traffic of another.
- `flap` is a host whose link is down for the last `down_s` of every `period_s`: it neither sends
  nor receives.
- A pair that is cut has no link at all.
"""

import heapq
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from itertools import count
from random import Random
from typing import Any, NamedTuple, Self

NETWORK = "10.77.0."

# More waiting than any test means: what exceeds it is lost, as in a router.
WAITING_MOST = 20_000


class Flap(NamedTuple):
    host: int
    down_s: float
    period_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    hosts: int
    delay_s: float = 0.0
    jitter_s: float = 0.0
    loss: float = 0.0
    flap: Flap | None = None
    seed: int = 1

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def parse(cls, plain: dict[str, Any]) -> Self:
        flap = plain["flap"]
        return cls(**plain | {"flap": None if flap is None else Flap(*flap)})


@dataclass(slots=True)
class Count:
    """Of the packets from one host to another."""

    packets: int = 0
    bytes: int = 0
    lost: int = 0


class Pair(NamedTuple):
    sender: int
    receiver: int


@dataclass(slots=True)
class _Direction:
    rng: Random
    arrived: float = 0.0  # when the last packet arrives
    count: Count = field(default_factory=Count)


class Wire:
    def __init__(self, weather: Weather, began: float) -> None:
        self.weather = weather
        self.began = began
        self._cut: set[frozenset[int]] = set()
        self._waiting: list[tuple[float, int, Pair, bytes]] = []
        self._order = count()
        hosts = range(1, weather.hosts + 1)
        self._directions = {
            Pair(one, other): _Direction(Random(f"{weather.seed} {one} {other}"))
            for one in hosts
            for other in hosts
            if one != other
        }

    def cut(self, one: int, other: int) -> None:
        self._cut.add(frozenset((one, other)))

    def mend(self, one: int, other: int) -> None:
        self._cut.discard(frozenset((one, other)))

    def counts(self) -> Iterable[tuple[Pair, Count]]:
        return ((pair, direction.count) for pair, direction in self._directions.items())

    def send(self, sender: int, packet: bytes, now: float) -> None:
        """Takes a packet from a host; one that is for nobody here goes nowhere."""
        pair = _pair(packet)
        if pair is None or pair.sender != sender or pair not in self._directions:
            return
        direction = self._directions[pair]
        direction.count.packets += 1
        direction.count.bytes += len(packet)
        # Both are drawn for every packet: what befalls the next one is the same either way.
        lost = direction.rng.random() < self.weather.loss
        late_s = direction.rng.random() * self.weather.jitter_s
        full = len(self._waiting) >= WAITING_MOST
        if lost or full or self._is_cut(pair) or self._is_down(sender, now):
            direction.count.lost += 1
        else:
            due = max(now + self.weather.delay_s + late_s, direction.arrived)
            direction.arrived = due
            heapq.heappush(self._waiting, (due, next(self._order), pair, packet))

    def next_due(self) -> float | None:
        return self._waiting[0][0] if self._waiting else None

    def arrivals(self, now: float) -> list[tuple[int, bytes]]:
        """The packets that have come to the end of the wire, each with the host it is for."""
        arrived = []
        while self._waiting and self._waiting[0][0] <= now:
            due, _, pair, packet = heapq.heappop(self._waiting)
            if self._is_cut(pair) or self._is_down(pair.receiver, due):
                self._directions[pair].count.lost += 1
            else:
                arrived.append((pair.receiver, packet))
        return arrived

    def _is_cut(self, pair: Pair) -> bool:
        return frozenset(pair) in self._cut

    def _is_down(self, host: int, now: float) -> bool:
        flap = self.weather.flap
        if flap is None or flap.host != host:
            return False
        return (now - self.began) % flap.period_s >= flap.period_s - flap.down_s


def address(host: int) -> str:
    return f"{NETWORK}{host}"


def _pair(packet: bytes) -> Pair | None:
    """From whom to whom an IPv4 packet goes, if both are in our network."""
    if len(packet) < 20 or packet[0] >> 4 != 4:
        return None
    network = bytes([10, 77, 0])
    if packet[12:15] != network or packet[16:19] != network:
        return None
    return Pair(packet[15], packet[19])
