"""What goes wrong in a run: all of it drawn from the seed, before anything begins.

After `calm_ms` nothing new goes wrong: links work, who crashed for a while is back, and rogues only
go on with what they began. From then on the table has to come to an end.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, pairwise
from random import Random

from engine import registry

# Those of tests, and those that are shipped.
GAMES = ("punnet", "brambles", *registry.names())

# The clocks of these tables, in seconds: short, so that absence matters in every second run.
TABLE_LIMITS = (("duty_s", 6), ("reserve_s", 10), ("turn_s", 12))

FOREVER_MS = 10**9


class Stage(StrEnum):
    """The moment of a crash."""

    ANY = "at any moment"
    HELD = "something is signed and not saved"
    SAVED = "something is saved and not sent"


class Mischief(StrEnum):
    FORK = "fork"  # a second story for one listener
    HEADS = "two heads"  # two programs that play on, each with other listeners
    FALSE = "false"  # an answer with a bit turned
    GARBAGE = "garbage"  # bytes, and messages that nobody asked for
    REPLAY = "replay"  # what it once heard, again and again
    MUTE = "mute"  # linked, and says nothing more
    CENSOR = "censor"  # passes nothing on of one player
    LIAR = "liar"  # says that it holds what does not exist, and is linked to everybody


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    player: int
    at_ms: int
    stage: Stage
    down_ms: int
    forgets: int  # so many of the last entries are missing on the disk: an old backup


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    from_ms: int
    until_ms: int
    side: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    at_ms: int
    edge: tuple[int, int]
    silent: bool  # neither end is told


@dataclass(frozen=True, slots=True, kw_only=True)
class Sleep:
    """The program stands still, and then its clock has jumped: a laptop that was closed."""

    player: int
    at_ms: int
    for_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    seed: int
    game: str
    players: int
    edges: tuple[tuple[int, int], ...]
    spectator: int | None  # to whom somebody is linked who only watches
    calm_ms: int
    delay_ms: int
    jitter_ms: int
    loss: float = 0.0
    repetition: float = 0.0
    disorder: float = 0.0
    tick_ms: int = 500  # how often a program looks at its clocks and lines
    window: int = 64  # messages in flight on a link, each way
    crashes: tuple[Crash, ...] = ()
    partitions: tuple[Partition, ...] = ()
    cuts: tuple[Cut, ...] = ()
    sleeps: tuple[Sleep, ...] = ()
    limits: tuple[tuple[str, int], ...] = TABLE_LIMITS
    slow: frozenset[int] = frozenset()
    dreamer: int | None = None  # sometimes thinks longer than its clock allows
    leaver: tuple[int, int] | None = None  # who leaves, and when
    twin: tuple[int, int] | None = None  # whose home is copied and started elsewhere, and when
    rogues: tuple[tuple[int, Mischief], ...] = ()  # at most two
    moody: float = 0.0  # how often the question about absence is answered by chance
    late: frozenset[int] = field(default_factory=frozenset)  # who starts only after a while

    @property
    def suspects(self) -> frozenset[int]:
        """Players of whom two programs run, or one that does not keep the rules."""
        found = [one[0] for one in (self.twin, *self.rogues) if one is not None]
        return frozenset(found)


def draw(seed: int, game: str = "punnet") -> Plan:
    rng = Random(f"plan {game} {seed}")
    players = _players(rng, game)
    everybody = range(players)
    edges = _edges(rng, players)
    calm_ms = rng.choice([5_000, 20_000, 40_000, 60_000])
    trouble = rng.choice(["none", "network", "network", "crash", "crash", "crash", "all", "all"])
    network = trouble in ("network", "all")
    crashing = trouble in ("crash", "all")
    twin = None
    rogues: tuple[tuple[int, Mischief], ...] = ()
    fate = rng.random()
    if fate < 0.35:
        rogues = ((rng.randrange(players), rng.choice(list(Mischief))),)
        rogues += _second(Random(f"second {game} {seed}"), players, rogues[0][0])
    elif fate < 0.45:
        twin = rng.randrange(players), rng.randrange(1_000, calm_ms)
    return Plan(
        seed=seed,
        game=game,
        players=players,
        edges=edges,
        spectator=rng.randrange(players) if rng.random() < 0.25 else None,
        calm_ms=calm_ms,
        delay_ms=rng.choice([1, 20, 20, 80, 300]),
        jitter_ms=rng.choice([1, 10, 100]),
        loss=rng.choice([0.0, 0.02, 0.1]) if network else 0.0,
        repetition=rng.choice([0.0, 0.05, 0.3]) if network else 0.0,
        disorder=rng.choice([0.0, 0.1]) if network else 0.0,
        window=rng.choice([1, 4, 64]),
        crashes=_crashes(rng, players, calm_ms) if crashing else (),
        partitions=_partitions(rng, players, calm_ms) if network else (),
        cuts=tuple(_cut(rng, edges, calm_ms) for _ in range(rng.randrange(6)) if network),
        sleeps=_sleeps(Random(f"sleep {game} {seed}"), players, calm_ms),
        slow=frozenset(p for p in everybody if rng.random() < 0.1),
        dreamer=rng.randrange(players) if rng.random() < 0.2 else None,
        leaver=(rng.randrange(players), rng.randrange(calm_ms)) if rng.random() < 0.08 else None,
        twin=twin,
        rogues=rogues,
        moody=rng.choice([0.0, 0.0, 0.5]),
        late=frozenset(p for p in everybody if rng.random() < 0.05),
    )


def _second(rng: Random, players: int, first: int) -> tuple[tuple[int, Mischief], ...]:
    """A second rogue, at half of the tables where two honest players are left."""
    if players < 4 or rng.random() < 0.5:
        return ()
    return ((rng.choice([p for p in range(players) if p != first]), rng.choice(list(Mischief))),)


def _players(rng: Random, game: str) -> int:
    if game == "fruitoplay":
        return rng.choice([2, 2, 2, 3, 3, 4, 5, 6])
    if game in ("punnet", "brambles"):
        return rng.choice([2, 2, 3, 3, 3, 4])
    seats = list(registry.find(game).game.seats)
    return rng.choice(seats[:2] * 2 + seats)  # larger tables take long


def _edges(rng: Random, players: int) -> tuple[tuple[int, int], ...]:
    order = list(range(players))
    rng.shuffle(order)
    shape = rng.choice(["mesh", "mesh", "star", "line", "ring"])
    if shape == "star":
        pairs = [(order[0], other) for other in order[1:]]
    elif shape == "mesh":
        pairs = list(combinations(order, 2))
    else:
        pairs = list(pairwise(order))
        if shape == "ring" and players > 2:
            pairs.append((order[-1], order[0]))
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def _crashes(rng: Random, players: int, calm_ms: int) -> tuple[Crash, ...]:
    found = []
    for _ in range(rng.randrange(1, 5)):
        at_ms = rng.randrange(calm_ms)
        for_good = rng.random() < 0.2
        found.append(
            Crash(
                player=rng.randrange(players),
                at_ms=at_ms,
                stage=rng.choice(list(Stage)),
                down_ms=FOREVER_MS if for_good else rng.choice([10, 1_000, 5_000, 40_000]),
                forgets=rng.choice([0, 0, 0, 2, 15]),
            )
        )
    return tuple(sorted(found, key=lambda crash: crash.at_ms))


def _partitions(rng: Random, players: int, calm_ms: int) -> tuple[Partition, ...]:
    found = []
    for _ in range(rng.randrange(3)):
        from_ms = rng.randrange(calm_ms)
        side = frozenset(p for p in range(players) if rng.random() < 0.5)
        until_ms = min(calm_ms, from_ms + rng.choice([2_000, 20_000, 50_000]))
        found.append(Partition(from_ms=from_ms, until_ms=until_ms, side=side))
    return tuple(found)


def _sleeps(rng: Random, players: int, calm_ms: int) -> tuple[Sleep, ...]:
    """At some tables one or two laptops are closed for a while."""
    if rng.random() < 0.85:
        return ()
    durations_ms = [4_000, 10_000, 40_000, 600_000]
    return tuple(
        Sleep(
            player=rng.randrange(players),
            at_ms=rng.randrange(calm_ms),
            for_ms=rng.choice(durations_ms),
        )
        for _ in range(rng.randrange(1, 3))
    )


def _cut(rng: Random, edges: tuple[tuple[int, int], ...], calm_ms: int) -> Cut:
    return Cut(at_ms=rng.randrange(calm_ms), edge=rng.choice(edges), silent=rng.random() < 0.5)
