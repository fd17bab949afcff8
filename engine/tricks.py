"""What trick games share: following suit with a hidden hand, and which card is the strongest.

A card of such a game is a suit and a number: its face is "mango-7". Whoever has a card of the suit
that was led plays one; whoever has none plays any. Nobody sees the hand, so a player who does not
follow claims that none of the cards still in it shows that suit.

    playable   the cards of a hand that may be played, for the one who knows their faces
    unable     the claim of one who did not follow, for everybody else
    force      what compares two cards of a trick
"""

from collections.abc import Iterable, Mapping, Sequence

from engine.needs import Face, Seat, Slot
from engine.record import Claim, State

FOLLOW = "follow"  # the rule that such a claim rests on


def suit(face: Face) -> str:
    return face.rpartition("-")[0]


def number(face: Face) -> int:
    return int(face.rpartition("-")[2])


def around(state: State, start: Seat) -> list[Seat]:
    """Those seated, from this seat to the left; if it is empty, from the next one."""
    return sorted(state.seated, key=lambda seat: (seat - start) % len(state.hands))


def playable(hand: Iterable[Slot], known: Mapping[Slot, Face], led: str | None) -> list[Slot]:
    """The cards that may be played, sorted: those of the suit that was led, if there is one."""
    slots = sorted(hand)
    return [slot for slot in slots if suit(known[slot]) == led] or slots


def unable(
    hand: Iterable[Slot], card: Slot, face: Face, led: str | None, deck: Sequence[Face]
) -> tuple[Claim, ...]:
    """What a card played out of this hand claims. Its last card has nothing left to hide."""
    kept = tuple([slot for slot in hand if slot != card])
    if led is None or suit(face) == led or not kept:
        return ()
    return (Claim(FOLLOW, kept, tuple([other for other in deck if suit(other) == led])),)


def force(face: Face, led: str, trump: str | None) -> tuple[bool, bool, int]:
    """The strongest card is the largest: trump beats the suit that was led, that beats the rest."""
    return suit(face) == trump, suit(face) == led, number(face)
