"""Agreement as the machine runs it: real tables, and gossip in an order that a number decides.

Some players are slow, absent, late, leave, or tell two stories; everybody else is honest, votes as
a number decides, and in the end hears everything. Then those who are still there agree, nobody
honest was called a cheat, and whoever only watched, in whatever order, concludes the same.
"""

from collections import Counter
from random import Random

import pytest

from protocol import limits
from protocol.feed.entries import LEAVE, VOTE, Entry
from protocol.file import gamefile
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.proving import Proof
from protocol.table.table import Table
from tests.protocol.tables import Setup


def believe(_proof: Proof) -> bool:
    """Proofs are not what is tested here."""
    return True


class World:
    def __init__(self, players: int, number: int, *, forking: bool = False) -> None:
        self.rng = Random(number)
        self.setup = Setup("fruitoplay", players, number % 7)
        self.parties = [
            Party(identity, seed, self.setup.roster, self.setup.game, believe)
            for identity, seed in zip(self.setup.identities, self.setup.seeds, strict=True)
        ]
        self.odd = self.rng.randrange(players)  # the one who is late, absent, leaving or forking
        self.forking = forking
        self.seen: Counter[str] = Counter()
        self.stories: list[list[bytes]] = []  # what the forker tells, branch by branch

    @property
    def honest(self) -> list[Party]:
        return [party for party in self.parties if not (self.forking and party.me == self.odd)]

    def gossip(self, a: Party, b: Party) -> bool:
        """One entry that a holds and b lacks goes over, of whatever feed."""
        ours = [feed.by_id for feed in a.table.feeds.feeds]
        theirs = [feed.by_id for feed in b.table.feeds.feeds]
        fitting = [
            entry
            for mine, held in zip(ours, theirs, strict=True)
            for entry in mine.values()
            if entry.id not in held and (not entry.prev or entry.prev in held)
        ]
        if fitting:
            b.take(self.rng.choice(fitting).data)
        return bool(fitting)

    def speak(self, party: Party) -> bool:
        """Says what is owed, or votes about whoever alone owes something."""
        table = party.table
        if table.play.phase is Phase.SHUFFLING:  # as far as this goes: shuffling takes long
            return bool(party.keep_late())
        if party.answer():
            return True
        waiting = [player for player in table.waiting_for if player != party.me]
        votes = table.ballots.current
        if not party.can_sign or party.me in votes or not (len(waiting) == 1 or votes):
            return False
        if table.ballots.number == limits.BALLOTS_MOST:
            return False
        name = party.can_name(table.waiting_for) and self.rng.random() < 0.7
        self.seen["named" if name else "kept"] += 1
        return bool(party.vote(*waiting[: bool(name)]))

    def settle(self, parties: list[Party]) -> None:
        """Everybody hears everything, and answers, until nobody has anything to say."""
        for _ in range(200):
            moved = False
            for a in parties:
                for b in parties:
                    while a is not b and self.gossip(a, b):
                        moved = True
            speaking = [party for party in parties if self.speak(party)]
            if not speaking and not moved:
                return
        raise AssertionError("they vote for ever")

    def tell_two_stories(self) -> None:
        """The forker's next entry twice, differently; its own table is of no more use."""
        forker = self.parties[self.odd]
        held = forker.table.read[forker.me]
        heads = list(forker.table.heads())
        heads[forker.me] = None
        for kind, body in ((VOTE, (0, ())), (LEAVE, ())):
            entry = Entry.sign(
                forker.identity,
                table=self.setup.roster.table,
                seq=len(held),
                prev=held[-1].id if held else b"",
                seen=tuple(heads),
                step=forker.table.play.step,
                kind=kind,
                body=body,
            )
            self.stories.append([*(earlier.data for earlier in held), entry.data])

    def hear(self, party: Party, story: list[bytes]) -> None:
        for data in story:
            party.take(data)


def run(world: World) -> None:
    rng = world.rng
    present = [party for party in world.parties if party.me != world.odd]
    odd = world.parties[world.odd]
    fate = "fork" if world.forking else rng.choice(["absent", "late", "late", "leaves"])
    if fate != "absent" and rng.random() < 0.8:
        odd.answer()
    active = list(present)
    for moment in range(rng.randrange(10, 80)):
        if moment == 20 and fate == "leaves" and odd.can_sign:
            odd.leave()
        if moment == 10 and fate == "fork":
            world.tell_two_stories()
        if world.stories and rng.random() < 0.2:
            world.hear(rng.choice(present), rng.choice(world.stories))
        speaker = rng.choice(active)
        if rng.random() < 0.3:
            world.speak(speaker)
        sources = active if fate in ("absent", "fork") or moment < 15 else world.parties
        a, b = rng.choice(sources), rng.choice(sources)
        if a is not b:
            world.gossip(a, b)
    if fate == "fork":
        for story in world.stories or [[]]:
            world.hear(rng.choice(present), story)
    reached = present if fate in ("absent", "fork") else world.parties
    world.settle(reached)
    check(world, reached, fate)


def check(world: World, reached: list[Party], fate: str) -> None:
    odd = world.odd
    tables = [party.table for party in reached]
    endings = [ending for table in tables for ending in table.ended.items()]
    for player, ending in endings:
        assert ending.why is not Why.BAD
        assert ending.why is Why.GONE or player == odd
        world.seen[ending.why] += 1
    stopped = {table.split for table in tables} - {None}
    assert stopped <= {odd}
    if stopped and any(ending.why is Why.GONE for _, ending in endings):
        # Two faults at once: somebody who had acted on one story was voted out by those who had
        # acted on the other. Some see the table stop, and the forker is named; nobody else is.
        world.seen["stopped for some"] += 1
        return
    assert len({table.split for table in tables}) == 1
    if tables[0].split is None:
        assert len({table.play.digest() for table in tables}) == 1
        assert len({gamefile.write(table) for table in tables}) == 1
    world.seen["split" if tables[0].split is not None else tables[0].play.phase] += 1
    world.seen["again"] += sum(table.readings > 1 for table in tables)
    if tables[0].play.phase is Phase.SITTING and tables[0].split is None:
        # Stuck: only if somebody is really missing, and no ballot can still be answered.
        assert fate in ("absent", "fork")
        assert tables[0].waiting_for == (odd,)
    watch(world, tables[0])


def watch(world: World, table: Table) -> None:
    """A spectator hears it all in another order."""
    entries = [entry for feed in table.feeds.feeds for entry in feed.by_id.values()]
    spectator = Table(world.setup.roster, world.setup.game, check=believe)
    while entries:
        held = [feed.by_id for feed in spectator.feeds.feeds]
        fitting = [e for e in entries if not e.prev or any(e.prev in one for one in held)]
        entry = world.rng.choice(fitting)
        entries.remove(entry)
        spectator.take(entry.data)
    if spectator.split != table.split:
        # A fork and a vote at once: who only watches cannot tell which was noticed first.
        assert {spectator.split, table.split} == {world.odd, None}
        endings = [*table.ended.values(), *spectator.ended.values()]
        assert Why.GONE in {ending.why for ending in endings}
        return
    if table.split is None:
        assert spectator.play.digest() == table.play.digest()
        assert spectator.ended.keys() == table.ended.keys()
    assert all(ending.why is not Why.BAD for ending in spectator.ended.values())


def sweep(numbers: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for number in numbers:
        for forking in (False, True):
            world = World(3 + number % 3, number, forking=forking)
            try:
                run(world)
            except Exception as error:
                error.add_note(f"World({3 + number % 3}, {number}, forking={forking})")
                raise
            seen += world.seen
    return seen


REACHED = ("named", "kept", Why.GONE, Why.LEFT, Why.FORKED, "split", Phase.SHUFFLING, "again")


@pytest.mark.no_cover
def test_honest_players_agree_in_any_order() -> None:
    seen = sweep(range(25))
    assert all(seen[what] > 0 for what in REACHED), seen


# Worlds in which players came to different conclusions once.
HARD = [
    (3, 1434, False),
    (3, 1434, True),
    (4, 1156, True),
    (4, 1285, True),
    (4, 1315, True),
    (4, 1492, True),
    (4, 1495, True),
    (4, 1744, True),
    (4, 1915, True),
    (4, 3277, True),
    (4, 3346, True),
    (4, 3556, True),
    (5, 3959, True),
]


@pytest.mark.parametrize(("players", "number", "forking"), HARD)
def test_a_hard_world(players: int, number: int, forking: bool) -> None:
    run(World(players, number, forking=forking))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 3_000, 250))
def test_honest_players_agree_in_many_orders(first: int) -> None:
    sweep(range(first, first + 250))
