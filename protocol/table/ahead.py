"""Piles that are shuffled ahead, while the round before them is played.

A hop is one player's shuffle of such piles, and travels with a choice of that player. Of each step,
one player may make a hop, on top of the hops of closed steps. So what a hop says never depends on
which of two entries arrived first, and all hops together are a chain like any other shuffle.

The hops count when the game needs exactly these piles in exactly this round. They never count after
a seat was lost, because the cards are then encrypted for other players.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.game import Game
from engine.needs import Face, Shuffle
from engine.record import State
from protocol import limits
from protocol.crypto.proofs.deck import Deck
from protocol.table.phases import Phase

Piles = tuple[tuple[Face, ...], ...]


class Hops(NamedTuple):
    """The hops of closed steps for certain piles."""

    round: int
    piles: Piles
    decks: tuple[Deck, ...] = ()  # after the last hop; nothing before the first
    done: tuple[int, ...] = ()  # the players who have made a hop

    def after(self, player: int, decks: tuple[Deck, ...]) -> "Hops":
        return self._replace(decks=decks, done=(*self.done, player))


def piles_ahead(game: Game[Any], state: State, phase: Phase) -> tuple[int, Piles]:
    """Return the piles for which a hop may be made in this phase, and their round."""
    number: int = state.round
    piles: Piles = ()
    if phase is Phase.SEATING and isinstance(state.need, Shuffle):
        piles = state.need.piles
    elif phase in (Phase.COMMITTING, Phase.MOVING):
        number, piles = state.round + 1, game.ahead(state)
    claimed = limits.CLAIMED_SIZE * game.claimed_most(len(state.hands))
    fits = claimed + _hop_size(piles) <= limits.CARRIED_SIZE_MOST
    return number, piles if fits else ()


def _hop_size(piles: Sequence[Sequence[Face]]) -> int:
    cards = sum(len(pile) for pile in piles)
    return limits.SHUFFLED_CARD_SIZE * cards + limits.SHUFFLED_PILE_SIZE * len(piles)
