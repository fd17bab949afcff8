"""How many links, one after another, have to be crossed for a turn, a set-up, the next round.

Every link takes one unit of time, and nothing else takes any. A turn goes from the moment when all
players can choose a card, which they do at once, to the moment when all can choose the next.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from engine.fruitoplay.rules import Orchard
from engine.needs import Choose
from protocol.table.table import Table
from tests.protocol.peer.peers import Company

TURNS = 3


class Measured(Company):
    """What is sent at one moment arrives at the next. `winners` are those before each turn."""

    winners: list[int | None]

    def moment(self) -> None:
        for at in range(len(self.peers)):
            while self._act(at):
                pass
        sent = list(self._sent())
        self.now_ms += 1
        for receiver, link, data in sent:
            self.peers[receiver].receive(link, data, self.now_ms)

    def _sent(self) -> Iterator[tuple[int, int, bytes]]:
        for link, (one, other) in self.links.items():
            for sender, receiver in ((one, other), (other, one)):
                while (data := self.peers[sender].outgoing(link, self.now_ms)) is not None:
                    yield receiver, link, data

    def turns(self) -> list[int]:
        """How long each of the first turns takes."""
        began: dict[int, int] = {}  # when the last player was asked for a card, by step
        winners: dict[int, int | None] = {}
        for peer in self.peers:
            peer.look(self.now_ms)
        while len(began) <= TURNS + 1:
            for peer in self.peers:
                if peer.asked and _asks_for_card(peer.table):
                    began[peer.table.play.step] = self.now_ms
                    state = peer.table.play.state
                    assert isinstance(state, Orchard)
                    winners[peer.table.play.step] = state.winner
            self.moment()
        self.winners = list(winners.values())
        return [after - before for before, after in pairwise(began.values())][:TURNS]

    def choices(self, rounds: int) -> list[tuple[int, int]]:
        """When all who are asked for a choice can make it, and in which round, up to a round."""
        asked: dict[int, tuple[int, int]] = {}  # by step
        table = self.peers[0].table
        for peer in self.peers:
            peer.look(self.now_ms)
        while table.play.state.round <= rounds and not table.over:
            for peer in self.peers:
                if peer.asked:
                    play = peer.table.play
                    asked[play.step] = self.now_ms, play.state.round
            self.moment()
        return list(asked.values())


def _asks_for_card(table: Table) -> bool:
    need = table.play.state.need
    return isinstance(need, Choose) and need.what == "card"


def mesh(company: Company) -> None:
    company.mesh()


def star(company: Company) -> None:
    """Everybody is linked to the first player alone."""
    for at in range(1, len(company.peers)):
        company.link(0, at)


@pytest.mark.parametrize("players", [3, 4])
def test_four_in_a_mesh(players: int) -> None:
    assert _turns(players, mesh) == [4] * TURNS


@pytest.mark.parametrize("players", [3, 4])
def test_eight_in_a_star(players: int) -> None:
    assert _turns(players, star) == [8] * TURNS


def test_two_players_need_no_word_that_they_hold_the_same() -> None:
    """And the winner, who draws no card, commits the next while the other's share is on its way.

    So a turn takes two crossings if the player who won the turn before wins it, too.
    """
    found = 0
    for number in range(4):
        company = Measured(2, game="fruitoplay", number=number)
        mesh(company)
        turns = company.turns()
        assert max(turns) <= 3
        for cost, before, winner in zip(turns, company.winners, company.winners[1:], strict=False):
            if before == winner is not None:
                assert cost == 2
                found += 1
    assert found


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_first_choice_takes_as_few_as_it_can(players: int) -> None:
    """One for the keys, one for each shuffle, one to agree and one to share.

    All shuffle one after the other, all sign before any shares, and no player can shuffle before it
    has all keys. So there is no shorter way; the seats are drawn while the first one shuffles.
    """
    company = Measured(players, game="punnet" if players < 5 else "fruitoplay")
    mesh(company)
    for peer in company.peers:
        peer.look(company.now_ms)
    began, choosing = company.now_ms, set[int]()
    while len(choosing) < players:
        choosing |= {at for at, peer in enumerate(company.peers) if peer.asked}
        company.moment()
    assert company.now_ms - 1 - began == players + 3


def test_no_shuffle_stands_between_two_rounds() -> None:
    """The last trick is played, the next cards are agreed on, and dealt; then trump is drawn."""
    company = Measured(3, game="brambles")
    mesh(company)
    choices = company.choices(rounds=2)
    last = max(at for at, number in choices if number == 1)
    first = min(at for at, number in choices if number == 2)
    # the move, agreeing, sharing the hands, the lot, and sharing the first jar
    assert first - last == 5


# At the last of these tables a lot is drawn for the third round.
@pytest.mark.slow
@pytest.mark.parametrize(("players", "number"), [(2, 0), (3, 0), (6, 0), (4, 1)])
def test_rounds_of_fruitoplay(players: int, number: int) -> None:
    """A secret choice of three parts, the hands laid open, agreeing, sharing."""
    company = Measured(players, game="fruitoplay", number=number)
    mesh(company)
    choices = company.choices(rounds=3)
    for played in (1, 2):
        last = max(at for at, of in choices if of == played)
        first = min(at for at, of in choices if of == played + 1)
        assert first - last <= 6


def _turns(players: int, connect: Callable[[Company], None]) -> list[int]:
    company = Measured(players, game="fruitoplay")
    connect(company)
    return company.turns()
