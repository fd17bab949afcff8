"""One player says whatever comes to its mind, to whom it likes; entries arrive in any order.

Whatever it is: nobody honest is blamed, nothing but protocol errors is raised, what the honest
write can be read again, and if all that they hold reaches all of them, they come to one end.
"""

from random import Random

import pytest

from protocol.codec import Value
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import Entry, Head
from protocol.file.gamefile import read, write
from protocol.table.party import Party
from protocol.table.phases import PHASES
from tests.adversary.courses import few, games
from tests.adversary.hall import Hall, blamed, forge, hear
from tests.quick import slow_but

KINDS = ("seat", "lot", "shuffle", "agree", "shares", "commit", "ready", "reveal", "move")


class Storm:
    def __init__(self, number: int, players: int = 3, game: str = "punnet") -> None:
        self.rng = Random(number)
        self.hall = Hall(game, players, number % 4)
        self.cheat = self.hall.parties[self.rng.randrange(players)]
        self.honest = self.hall.others(self.cheat)
        self.mischief = self.rng.randrange(1, 6)
        self.heads: list[Party] = [self.cheat]  # the stories that the cheat tells
        self.stopped: set[int] = set()

    # What the cheat does.

    def cheating(self) -> None:
        """Now and then something wrong, else what an honest player would say."""
        head = self.rng.choice(self.heads)
        if not self.mischief or self.rng.random() < 0.8:
            said = self.says(head)
        else:
            self.mischief -= 1
            said = [self.forged(head)]
        listeners = self.honest
        if self.rng.random() < 0.3:
            listeners = self.rng.sample(self.honest, self.rng.randrange(len(self.honest) + 1))
        for data in said:
            for party in listeners:
                hear(party, data)

    def says(self, party: Party) -> list[bytes]:
        said = party.answer()
        if not said and party.asked:
            said = party.decide(self.rng.choice(party.view().moves()))
        return said

    def forged(self, head: Party) -> bytes:
        rng, table = self.rng, head.table
        kind = rng.choice(
            [*KINDS, PHASES[table.play.phase].kind, "vote", "vote", "vote", "fork", "leave", "stop"]
        )
        body: tuple[Value, ...] = ()
        if kind == "vote":
            body = rng.choice([0, 0, 0, 1, 2]), rng.choice([None, *range(len(table.read))])
        elif kind == "fork":
            accused = rng.choice(self.honest).me
            ids = sorted(entry.id for entry in table.read[accused])
            body = (accused, *rng.sample(ids, min(2, len(ids))))
        elif kind not in ("leave", "stop") and rng.random() < 0.5:
            body = (bytes(32),)
        step = max(0, table.play.step - rng.choice([0, 0, 0, 1, 2, 5]))
        feed = table.read[head.me]
        back = rng.choice([0, 0, 1, 2, 4]) if feed else 0
        place = max(0, len(feed) - back)
        heads: list[Head | None] = list(table.heads())
        if rng.random() < 0.3:
            other = rng.randrange(len(heads))
            shorter = table.read[other][: rng.randrange(len(table.read[other]) + 1)]
            heads[other] = shorter[-1].head if shorter else None
        heads[head.me] = None
        if rng.random() < 0.4:
            self.heads.append(self.hall.twin(head))
        data = forge(
            head,
            kind,
            body,
            step=step,
            seq=place,
            prev=feed[place - 1].id if place else b"",
            seen=tuple(heads),
        )
        hear(head, data)
        return data

    # What the honest do.

    def play(self) -> None:
        for _ in range(400):
            self.cheating()
            for party in self.rng.sample(self.honest, len(self.honest)):
                if self.rng.random() < 0.7:
                    self.says(party)
                self.gossip(self.rng.randrange(6))
            if all(party.table.over for party in self.honest):
                return

    def gossip(self, count: int) -> None:
        """Some entries travel, each from one who holds it to one who does not."""
        for _ in range(count):
            source = self.rng.choice([*self.honest, *self.heads])
            target = self.rng.choice([*self.honest, *self.heads])
            if source.me == target.me:
                continue
            news = [data for data in self.hall._held([source]) if not holds(target, data)]
            if target in self.heads:  # a story hears nothing of the others
                news = [data for data in news if author(target, data) != target.me]
            if news:
                hear(target, news[0])

    def settle(self) -> None:
        """The cheat is silent. All that the honest hold reaches all; the cheat, if they wait for
        it, is voted out, or the table is given up. They never wait for each other."""
        self.hall.silent.add(self.cheat.me)
        for _ in range(12):
            self.hall.heal()
            waiting = [p for p in self.honest if not p.table.over and p.me not in self.stopped]
            if not waiting:
                return
            for party in waiting:
                assert set(party.table.waiting_for) <= {self.cheat.me, *self.stopped}
                self.give_up_or_vote(party)
        raise AssertionError("the table does not come to an end")

    def give_up_or_vote(self, party: Party) -> None:
        owing = party.table.waiting_for
        try:
            if owing == (self.cheat.me,):
                party.vote(self.cheat.me)
                return
        except LocalProtocolError:
            pass
        party.stop()
        self.stopped.add(party.me)

    def check(self) -> None:
        honest = {party.me for party in self.honest}
        for party in self.honest:
            assert not {player for player, _, _ in blamed(party.table.lost)} & honest
            table = read(write(party.table))
            assert not {player for player, _, _ in blamed(table.lost)} & honest
            assert table.play.digest() == party.table.play.digest()


def holds(party: Party, data: bytes) -> bool:
    feeds = party.table.feeds.feeds
    return Entry.decode(data).id in feeds[author(party, data)].by_id


def author(party: Party, data: bytes) -> int:
    player = party.table.roster.find(Entry.decode(data).author)
    assert player is not None
    return player


def storm(number: int, players: int = 3, game: str = "punnet") -> None:
    one = Storm(number, players, game)
    try:
        one.play()
    except RemoteProtocolError as error:
        raise AssertionError(f"an honest player chokes on its own words: {error}") from error
    one.settle()
    one.check()


@pytest.mark.parametrize("number", slow_but(lambda number: number == 30, [0, 1, 30]))
def test_storm(number: int) -> None:
    storm(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2, 60))
def test_storm_of_three(number: int) -> None:
    storm(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_storm_of_four(number: int) -> None:
    storm(number, 4)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("game", games())
def test_storm_in_every_game(game: str, number: int) -> None:
    storm(number, few(game), game)
