"""Who is registered at a relay, who waits, who is joined with whom, and how much was carried.

A stream is a number that the caller of this module chooses, and never uses again. Each method says
what is to be done now: something is sent, a stream is dropped, or two streams are joined. A stream
that is dropped is forgotten here already; so is one of which `closed` was told.

The rules:

1. A stream waits for a host that is registered, or is turned away. So nobody waits for nothing.
2. Of two hosts at one rendezvous the newer one counts. A host that comes back is never locked out
   by its own dead line. Who waits is announced to the new one, and who is joined stays so.
3. All counts are bounded, in all, for each rendezvous and for each address. Of callers that wait
   the oldest of the largest crowd goes; of hosts and links, which have shown a key, the newest is
   turned away.
4. Bytes are counted for each rendezvous and in all, from day to day. When they are used up, streams
   end until the next day.
5. Nothing lasts forever: not a caller that waits, a link that is idle, a silent host, nor any
   stream that is a day old.
"""

import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from protocol import limits
from protocol.crypto.identity import Verifier
from protocol.relay import frames
from protocol.relay.crowd import one_too_many
from protocol.relay.frames import Caller, Gone, Message, Pong, Registered


class Send(NamedTuple):
    stream: int
    message: Message


class Drop(NamedTuple):
    """Close a stream. If it is not joined, say `no` with this code first."""

    stream: int
    code: str


class Join(NamedTuple):
    """Say `go` to both, and carry bytes between them from here on."""

    caller: int
    host: int


Action = Send | Drop | Join


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """What the owner of a relay gives."""

    tables: int = limits.RELAY_TABLES_MOST
    table_bytes: int = limits.RELAY_TABLE_BYTES_MOST  # in a day
    bytes: int = limits.RELAY_BYTES_MOST


@dataclass(slots=True, eq=False)
class _Waiting:
    stream: int
    neighbour: str
    since_ms: int


@dataclass(slots=True, eq=False)
class _Host:
    stream: int
    neighbour: str
    verifier: Verifier
    since_ms: int
    heard_ms: int
    next_number: int = 0
    words: int = 0  # that count against a flood
    waiting: dict[int, _Waiting] = field(default_factory=dict)  # by the number of the caller


@dataclass(slots=True, eq=False)
class _Link:
    key: bytes
    caller: int
    host: int
    since_ms: int
    moved_ms: int


class Switchboard:
    """`tag_key` is random: nobody can compute an address from its tag."""

    def __init__(self, *, quota: Quota, tag_key: bytes, now_ms: int) -> None:
        self.carried_bytes = 0  # in all, since the relay has begun
        self._quota = quota
        self._tag_key = tag_key
        self._day_ms = now_ms
        self._today: dict[bytes, int] = {}  # bytes, by rendezvous
        self._today_bytes = 0
        self._hosts: dict[bytes, _Host] = {}
        self._registered: dict[int, bytes] = {}  # the rendezvous of each host, by its stream
        self._calling: dict[int, tuple[bytes, int]] = {}  # rendezvous and number of who waits
        self._links: dict[int, _Link] = {}  # each of them under both of its streams

    # What there is.

    @property
    def registered(self) -> int:
        return len(self._hosts)

    @property
    def waiting(self) -> int:
        return len(self._calling)

    @property
    def joined(self) -> int:
        return len(self._links) // 2

    def known(self, key: bytes) -> Verifier | None:
        """Return the checker of this rendezvous, if a host is registered there."""
        host = self._hosts.get(key)
        return None if host is None else host.verifier

    def carried_today(self, key: bytes) -> int:
        """Return how many bytes have come from the ends of this table."""
        return self._today.get(key, 0)

    # What happens.

    def register(
        self, stream: int, neighbour: str, verifier: Verifier, now_ms: int
    ) -> list[Action]:
        key, old = verifier.key, self._hosts.get(verifier.key)
        if self._is_used_up(key):
            return [Drop(stream, frames.BYTES)]
        if old is None and self._is_full(key, neighbour):
            return [Drop(stream, frames.FULL)]
        host = _Host(stream, neighbour, verifier, now_ms, now_ms)
        actions: list[Action] = [Send(stream, Registered())]
        if old is not None:
            del self._registered[old.stream]
            actions.insert(0, Drop(old.stream, frames.REPLACED))
            host.next_number, host.waiting = old.next_number, old.waiting
        self._hosts[key] = host
        self._registered[stream] = key
        self._today.setdefault(key, 0)
        return actions + [self._announced(key, number) for number in host.waiting]

    def _is_full(self, key: bytes, neighbour: str) -> bool:
        here = sum(host.neighbour == neighbour for host in self._hosts.values())
        return (
            len(self._hosts) >= 2 * self._quota.tables
            or here >= 2 * limits.RELAY_TABLES_PER_ADDRESS_MOST
            or (key not in self._today and len(self._today) >= limits.RELAY_COUNTED_MOST)
        )

    def call(self, stream: int, neighbour: str, key: bytes, now_ms: int) -> list[Action]:
        host = self._hosts.get(key)
        if host is None:
            return [Drop(stream, frames.NOBODY)]
        if self._is_used_up(key):
            return [Drop(stream, frames.BYTES)]
        actions = self._make_room(host, neighbour)
        number, host.next_number = host.next_number, host.next_number + 1
        host.waiting[number] = _Waiting(stream, neighbour, now_ms)
        self._calling[stream] = key, number
        return [*actions, self._announced(key, number)]

    def _make_room(self, host: _Host, neighbour: str) -> list[Action]:
        actions = []
        place = one_too_many(
            [one.neighbour for one in host.waiting.values()],
            neighbour,
            most=limits.RELAY_WAITING_PER_TABLE_MOST,
            per_neighbour_most=limits.RELAY_WAITING_PER_ADDRESS_MOST,
        )
        if place is not None:
            actions += self._turn_away(list(host.waiting.values())[place].stream, frames.FULL)
        if len(self._calling) >= limits.RELAY_WAITING_MOST:
            waiting = [self._one(stream) for stream in self._calling]
            place = one_too_many(
                [one.neighbour for one in waiting],
                neighbour,
                most=limits.RELAY_WAITING_MOST,
                per_neighbour_most=limits.RELAY_WAITING_MOST,
            )
            assert place is not None
            actions += self._turn_away(waiting[place].stream, frames.FULL)
        return actions

    def _one(self, stream: int) -> _Waiting:
        key, number = self._calling[stream]
        return self._hosts[key].waiting[number]

    def _announced(self, key: bytes, number: int) -> Action:
        host = self._hosts[key]
        neighbour = host.waiting[number].neighbour.encode()
        tag = hmac.digest(self._tag_key, key + neighbour, "sha256")[: frames.TAG_SIZE]
        return Send(host.stream, Caller(number, tag))

    def accept(self, stream: int, key: bytes, number: int, now_ms: int) -> list[Action]:
        host = self._hosts.get(key)
        waiting = None if host is None else host.waiting.get(number)
        if host is None or waiting is None:
            return [Drop(stream, frames.GONE)]
        here = sum(link.key == key for link in self._links.values()) // 2
        if self.joined >= limits.RELAY_LINKS_MOST or here >= limits.RELAY_LINKS_PER_TABLE_MOST:
            return [*self._turn_away(waiting.stream, frames.FULL), Drop(stream, frames.FULL)]
        del host.waiting[number], self._calling[waiting.stream]
        link = _Link(key, waiting.stream, stream, now_ms, now_ms)
        self._links[link.caller] = self._links[link.host] = link
        return [Join(link.caller, link.host)]

    def refuse(self, stream: int, number: int, now_ms: int) -> list[Action]:
        """Hear that a host does not want a caller who waits."""
        host = self._hosts[self._registered[stream]]
        if self._floods(host, now_ms):
            return self._unregister(host, frames.FLOOD)
        waiting = host.waiting.get(number)
        if waiting is None:
            return []
        self._forget_caller(waiting.stream)
        return [Drop(waiting.stream, frames.BUSY)]

    def ping(self, stream: int, number: int, now_ms: int) -> list[Action]:
        host = self._hosts[self._registered[stream]]
        if self._floods(host, now_ms):
            return self._unregister(host, frames.FLOOD)
        return [Send(stream, Pong(number))]

    def _floods(self, host: _Host, now_ms: int) -> bool:
        forgiven = (now_ms - host.heard_ms) // limits.RELAY_WORD_EVERY_MS
        host.words = max(host.words - forgiven, 0) + 1
        host.heard_ms = now_ms
        return host.words > limits.RELAY_WORDS_MOST

    def carried(self, stream: int, size: int, now_ms: int) -> list[Action]:
        """Count bytes that have come over a stream that is joined, if it still is."""
        link = self._links.get(stream)
        if link is None:
            return []
        link.moved_ms = now_ms
        self.carried_bytes += size
        self._today[link.key] = self._today.get(link.key, 0) + size
        self._today_bytes += size
        if self._today_bytes > self._quota.bytes:
            return self._end(lambda _key: True, frames.BYTES)
        if self._is_used_up(link.key):
            return self._end(link.key.__eq__, frames.BYTES)
        return []

    def _is_used_up(self, key: bytes) -> bool:
        here = self._today.get(key, 0) > self._quota.table_bytes
        return here or self._today_bytes > self._quota.bytes

    def _end(self, is_meant: Callable[[bytes], bool], code: str) -> list[Action]:
        """End all links and registrations of these rendezvous."""
        actions: list[Action] = []
        for link in dict.fromkeys(self._links.values()):
            if is_meant(link.key):
                actions += self._part(link, code)
        for key in list(filter(is_meant, self._hosts)):
            actions += self._unregister(self._hosts[key], code)
        return actions

    def closed(self, stream: int) -> list[Action]:
        """Hear that a stream is gone, for whatever reason."""
        if stream in self._registered:
            return self._unregister(self._hosts[self._registered[stream]], None)
        if stream in self._calling:
            host, number = self._forget_caller(stream)
            return [Send(host.stream, Gone(number))]
        if stream in self._links:
            dropped = self._part(self._links[stream], frames.GONE)
            return [drop for drop in dropped if drop.stream != stream]
        return []

    def tick(self, now_ms: int) -> list[Action]:
        """End what has lasted or been silent for too long. To be called every second or so."""
        if now_ms - self._day_ms >= limits.RELAY_DAY_MS:
            self._day_ms = now_ms
            self._today, self._today_bytes = dict.fromkeys(self._hosts, 0), 0
        late = self._late_hosts, self._late_callers, self._late_links
        return [action for found in late for action in found(now_ms)]

    def _late_hosts(self, now_ms: int) -> Iterator[Action]:
        for host in list(self._hosts.values()):
            if now_ms - host.since_ms >= limits.RELAY_LASTING_MS:
                yield from self._unregister(host, frames.TIME)
            elif now_ms - host.heard_ms >= limits.RELAY_SILENT_MS:
                yield from self._unregister(host, frames.SILENT)

    def _late_callers(self, now_ms: int) -> Iterator[Action]:
        for stream in list(self._calling):
            if now_ms - self._one(stream).since_ms >= limits.RELAY_WAIT_MS:
                yield from self._turn_away(stream, frames.SILENT)

    def _late_links(self, now_ms: int) -> Iterator[Action]:
        for link in dict.fromkeys(self._links.values()):
            if now_ms - link.since_ms >= limits.RELAY_LASTING_MS:
                yield from self._part(link, frames.TIME)
            elif now_ms - link.moved_ms >= limits.RELAY_IDLE_MS:
                yield from self._part(link, frames.SILENT)

    # What goes.

    def _turn_away(self, stream: int, code: str) -> list[Action]:
        """Give up a caller that waits, and tell its host."""
        host, number = self._forget_caller(stream)
        return [Drop(stream, code), Send(host.stream, Gone(number))]

    def _forget_caller(self, stream: int) -> tuple[_Host, int]:
        key, number = self._calling.pop(stream)
        host = self._hosts[key]
        del host.waiting[number]
        return host, number

    def _unregister(self, host: _Host, code: str | None) -> list[Action]:
        """Forget a host, and turn away who waits for it. Links that are joined stay."""
        key = self._registered.pop(host.stream)
        del self._hosts[key]
        actions: list[Action] = [] if code is None else [Drop(host.stream, code)]
        for waiting in host.waiting.values():
            del self._calling[waiting.stream]
            actions.append(Drop(waiting.stream, frames.NOBODY))
        return actions

    def _part(self, link: _Link, code: str) -> list[Drop]:
        for stream in (link.caller, link.host):
            del self._links[stream]
        return [Drop(link.caller, code), Drop(link.host, code)]
