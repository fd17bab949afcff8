"""Rules that trick games share: following suit with a hidden hand, and finding the strongest card.

A card of such a game is a suit and a number: its face is "mango-7". A player who has a card of the
suit that was led plays one; a player who has none plays any card. The others cannot see the hand,
so a player who does not follow claims that no card still in it shows that suit.

    play       the move that plays a card
    playable   the cards of a hand that may be played, for the player who knows their faces
    unable     the claim of a player who did not follow, for the other players
    force      the key by which cards of a trick are compared
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.record import Claim

FOLLOW = "follow"  # the rule that such a claim rests on


# The rules ask this of the same faces again and again. There are as many as decks have cards.


@cache
def suit(face: Face) -> str:
    return face.rpartition("-")[0]


@cache
def number(face: Face) -> int:
    return int(face.rpartition("-")[2])


@lru_cache(maxsize=64)
def around(seated: tuple[Seat, ...], start: Seat) -> tuple[Seat, ...]:
    """Return the seated players from this seat to the left; if it is empty, from the next one."""
    first = bisect_left(seated, start)
    return seated[first:] + seated[:first]


@cache
def play(slot: Slot) -> Move:
    return Move("play", (slot,))


def playable(hand: Iterable[Slot], known: Mapping[Slot, Face], led: str | None) -> list[Slot]:
    """List the playable cards, sorted: cards of the suit that was led, or else the whole hand."""
    slots = sorted(hand)
    if led is None:
        return slots
    return [slot for slot in slots if suit(known[slot]) == led] or slots


def unable(
    hand: Iterable[Slot], card: Slot, face: Face, led: str | None, deck: tuple[Face, ...]
) -> tuple[Claim, ...]:
    """Return the claim of a card played out of this hand. The last card of a hand needs none."""
    if led is None or suit(face) == led:
        return ()
    kept = tuple([slot for slot in hand if slot != card])
    return (Claim(FOLLOW, kept, _of_suit(deck, led)),) if kept else ()


@lru_cache(maxsize=64)
def _of_suit(deck: tuple[Face, ...], wanted: str) -> tuple[Face, ...]:
    return tuple([face for face in deck if suit(face) == wanted])


def force(face: Face, led: str, trump: str | None) -> tuple[bool, bool, int]:
    """Return a key, largest for the strongest card: trump, then the suit led, then the rest."""
    own = suit(face)
    return own == trump, own == led, number(face)
