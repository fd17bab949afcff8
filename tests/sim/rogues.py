"""Programs that do not keep the rules. Whatever becomes of themselves is nobody's concern."""

from collections.abc import Callable
from typing import Any

from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import LEAVE, NOTHING, VOTE, Entry, Head
from protocol.link import messages
from protocol.link.messages import Carried, Heads, Near, Noted, Ping, Playing, encode_message
from protocol.table.party import Body, Party
from tests.sim.line import Line
from tests.sim.plan import Mischief
from tests.sim.program import Program

MISCHIEF_MS = 700


class Rogue(Program):
    """An honest program, but for what it does from time to time while things go wrong."""

    def start(self, *, resumed: bool) -> None:
        super().start(resumed=resumed)
        self._later(self.rng.randrange(20 * MISCHIEF_MS), self._misbehave)

    def _misbehave(self) -> None:
        if self.world.troubled:
            self.mischief()
            self._later(MISCHIEF_MS, self._misbehave)

    def mischief(self) -> None: ...

    def act(self, change: Callable[..., None], *details: Any) -> None:
        try:
            super().act(change, *details)
        except RemoteProtocolError:
            raise
        except (LocalProtocolError, AssertionError, LookupError, ValueError):
            self.over = "lost in its own lies"
            self.end(self.over)

    def some_line(self) -> Line | None:
        return self.rng.choice(list(self.lines.values())) if self.lines else None


class Forker(Rogue):
    """Signs a rival of its last entry, or of an earlier one, and shows it to one listener."""

    done = 0

    def mischief(self) -> None:
        line = self.some_line()
        party = self.party
        assert party is not None
        feed = party.table.read[party.me]
        if line is None or not feed or self.done == 2:
            return
        self.done += 1
        self.world.saw("told two stories")
        self.send(line, encode_message(Carried(self._rival(party, feed))))

    def _rival(self, party: Party, feed: list[Entry]) -> bytes:
        at = max(0, len(feed) - self.rng.choice([0, 1, 1, 3]))
        kind, body = self.rng.choice([(VOTE, (0, ())), (LEAVE, ())])
        seen: list[Head | None] = list(party.table.heads())
        seen[party.me] = None
        return Entry.sign(
            party.identity,
            table=party.table.feeds.table,
            seq=at,
            prev=feed[at - 1].id if at else NOTHING,
            seen=tuple(seen) if at == len(feed) else feed[at].seen,
            step=feed[min(at, len(feed) - 1)].step,
            kind=kind,
            body=body,
        ).data


class TwoHeads(Rogue):
    """Plays honestly, and so does the other head: that is the mischief."""


class FalseParty(Party):
    """Turns a bit of what it says, once."""

    turn_at = -1

    def _say(self, kind: str, body: Body, step: int | None = None) -> bytes:
        self.turn_at -= 1
        if self.turn_at == 0:
            body = _turned(body)
        return super()._say(kind, body, step)


def _turned(body: Any) -> Any:
    """The same with one bit changed in the last bytes of it."""
    for at in reversed(range(len(body))):
        item = body[at]
        if isinstance(item, bytes) and item:
            return (*body[:at], item[:-1] + bytes([item[-1] ^ 1]), *body[at + 1 :])
        if isinstance(item, tuple) and (turned := _turned(item)) != item:
            return (*body[:at], turned, *body[at + 1 :])
    return body


class Falsifier(Rogue):
    def make_party(self) -> Party:
        assert self.player is not None
        party = self.world.make_party(FalseParty, self.player)
        assert isinstance(party, FalseParty)
        party.turn_at = self.rng.randrange(1, 16)
        return party


class Babbler(Rogue):
    """Sends bytes of no meaning, mutilated messages, and messages out of place."""

    def mischief(self) -> None:
        line = self.some_line()
        if line is not None:
            self.world.saw("garbage sent")
            line.send(self, self._garbage())

    def _garbage(self) -> bytes:
        rng = self.rng
        some = rng.randbytes(rng.randrange(200))
        table = self.table
        heads = encode_message(Heads(table.feeds.table, self.peer._gossip.tips()))
        log = table.feeds.log
        entry = rng.choice(log)[1].data if log else some
        return rng.choice(
            [
                some,
                heads[: rng.randrange(len(heads))],
                _mutilated(heads, rng.randrange(len(heads))),
                encode_message(Carried(some)),
                encode_message(Carried(_mutilated(entry, rng.randrange(max(1, len(entry)))))),
                encode_message(Noted(some)),
                encode_message(Heads(bytes(32), self.peer._gossip.tips())),
                encode_message(Heads(table.feeds.table, ())),
                encode_message(Playing(some)),
                encode_message(Near((2**40, -7))),
                encode_message(Ping(2**50)),
                encode_message(messages.Begin(bytes(32))),
            ]
        )


def _mutilated(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :] if data else data


class Repeater(Rogue):
    """Says again what it has said and heard, sometimes thousands of times at once."""

    heard: list[bytes]

    def __init__(self, *details: Any) -> None:
        super().__init__(*details)
        self.heard = []

    def hear(self, line: Line, data: bytes) -> None:
        self.heard.append(data)
        super().hear(line, data)

    def mischief(self) -> None:
        line = self.some_line()
        if line is None or not self.heard:
            return
        self.world.saw("replayed")
        flood = self.rng.random() < 0.05
        for _ in range(2_500 if flood else 20):
            line.send(self, self.rng.choice(self.heard[-200:]))


class Mute(Rogue):
    """Listens and passes on, and from some moment on says nothing itself."""

    def mischief(self) -> None:
        if self.party is not None and self.party.answer.__name__ == "answer":
            self.world.saw("fell mute")
            self.party.answer = lambda: []  # type: ignore[method-assign]

    def _think(self) -> None: ...

    def _ask(self, question: object) -> None: ...


class Censor(Rogue):
    """Passes nothing on of one other player."""

    def next_message(self, line: Line) -> bytes | None:
        while (data := super().next_message(line)) is not None:
            if not self._unwelcome(data):
                return data
            self.world.saw("censored")
        return None

    def _unwelcome(self, data: bytes) -> bool:
        assert self.player is not None
        message = messages.parse_message(data)
        victim = self.world.key((self.player + 1) % self.world.plan.players)
        return isinstance(message, Carried) and Entry.decode(message.entry).author == victim


class Liar(Rogue):
    """Says that everybody is linked to it, and that feeds are longer than they are."""

    def mischief(self) -> None:
        line = self.some_line()
        if line is None:
            return
        self.world.saw("lied about heads")
        everybody = tuple(range(self.world.plan.players))
        false = (Head(self.rng.randrange(50), self.rng.randbytes(32)),)
        tips = [self.rng.choice([own, false]) for own in self.peer._gossip.tips()]
        line.send(self, encode_message(Near(everybody)))
        line.send(self, encode_message(Heads(self.table.feeds.table, tuple(tips))))


ROGUES: dict[Mischief, type[Rogue]] = {
    Mischief.FORK: Forker,
    Mischief.HEADS: TwoHeads,
    Mischief.FALSE: Falsifier,
    Mischief.GARBAGE: Babbler,
    Mischief.REPLAY: Repeater,
    Mischief.MUTE: Mute,
    Mischief.CENSOR: Censor,
    Mischief.LIAR: Liar,
}
