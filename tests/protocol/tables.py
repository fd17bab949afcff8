"""Whole tables in one process: parties that exchange nothing but entries.

Everything follows from a number: keys, seeds, moves, and the order in which entries arrive.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from engine import registry
from engine.game import Game
from engine.moves import Move
from engine.views import View
from protocol.crypto.identity import Identity
from protocol.feed.roster import Player, Roster
from protocol.table.party import Party, table_nonce

Chooser = Callable[[View[Any], Random], Move]


def secret(*words: object) -> bytes:
    """Thirty-two bytes that are always the same for the same words."""
    return sha256(repr(words).encode()).digest()


def any_move(view: View[Any], rng: Random) -> Move:
    return rng.choice(view.moves())


class Setup:
    """Identities, seeds and the roster of a table, in the roster's order."""

    def __init__(self, game: str | Game[Any], count: int, number: int = 0) -> None:
        self.game = registry.build(game) if isinstance(game, str) else game
        people = [Identity(secret("identity", number, at)) for at in range(count)]
        self.identities = sorted(people, key=lambda identity: identity.key)
        self.seeds = [secret("seed", number, at) for at in range(count)]
        self.roster = Roster.of(
            self.game,
            tuple(
                Player(identity.key, table_nonce(seed), f"player {at}")
                for at, (identity, seed) in enumerate(zip(self.identities, self.seeds, strict=True))
            ),
        )

    def party(self, at: int, kind: type[Party] = Party, *, ahead: bool = True) -> Party:
        return kind(self.identities[at], self.seeds[at], self.roster, self.game, ahead=ahead)

    def parties(self, *, ahead: bool = True) -> list[Party]:
        return [self.party(at, ahead=ahead) for at in range(len(self.seeds))]


class Room:
    """Carries entries between parties, in an order that a number decides, some of them twice."""

    def __init__(
        self, parties: Sequence[Party], number: int = 0, choose: Chooser = any_move
    ) -> None:
        self.parties = list(parties)
        self.rng = Random(number)
        self.choose = choose
        self.said: list[tuple[int, bytes]] = []  # everything, in the order it was said
        count = len(self.parties)
        self.inboxes: dict[tuple[int, int], list[bytes]] = {
            (a, b): [] for a in range(count) for b in range(count) if a != b
        }
        self.silent: set[int] = set()

    def send(self, speaker: int, said: Sequence[bytes]) -> None:
        for data in said:
            self.said.append((speaker, data))
            for (a, b), inbox in self.inboxes.items():
                if a == speaker and b not in self.silent:
                    inbox.append(data)

    def act(self, at: int) -> bool:
        """One party says what it owes, or decides."""
        party = self.parties[at]
        said = party.answer()
        if not said and party.asked:
            said = party.decide(self.choose(party.view(), self.rng))
        self.send(at, said)
        return bool(said)

    def deliver(self) -> bool:
        """One waiting entry arrives."""
        waiting = [pair for pair, inbox in self.inboxes.items() if inbox]
        if not waiting:
            return False
        pair = self.rng.choice(waiting)
        data = self.inboxes[pair].pop(0)
        self.parties[pair[1]].take(data)
        if self.rng.random() < 0.05:
            self.parties[pair[1]].take(data)
        return True

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Until nobody has anything to say and nothing is under way."""
        while not until():
            speaking = [at for at in range(len(self.parties)) if at not in self.silent]
            self.rng.shuffle(speaking)
            acted = [at for at in speaking if self.act(at)]
            if not self.deliver() and not acted:
                return
            for _ in range(self.rng.randrange(len(self.inboxes) + 1)):
                self.deliver()
