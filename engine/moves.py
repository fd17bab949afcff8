"""The answers of players and the replies of the rules: moves, outcomes, events, steps.

A move has one text, the same in every game: the verb, then the cards it turns up by slot, then
words. "play #31", "collect fig", "cancel apple-1 fig-2". Move.parse and str() are a pair.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Generic, NamedTuple, Protocol, Self

from engine import limits
from engine.codec import Plain
from engine.errors import BadMoveText
from engine.needs import Face, Seat, Slot
from engine.record import Claim, S

_VERB = re.compile(r"[a-z]+")
_WORD = re.compile(r"[a-z0-9][a-z0-9-]*")
_CARD = re.compile(r"#(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One decision of a player. `cards` are the slots of their hand that the move turns up."""

    verb: str
    cards: tuple[Slot, ...] = ()
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if type(self.verb) is not str or not _fits(_VERB, self.verb):
            raise BadMoveText(
                f"{self.verb!r} is not a verb: small letters, at most {limits.WORD_LENGTH_MOST}"
            )
        if type(self.cards) is not tuple or len(self.cards) > limits.MOVE_CARDS_MOST:
            raise BadMoveText(f"a move turns up at most {limits.MOVE_CARDS_MOST} cards")
        for slot in self.cards:
            if type(slot) is not int or not 0 <= slot <= limits.SLOT_MOST:
                raise BadMoveText(f"{slot!r} is not a card: write # and its number")
        if len(set(self.cards)) != len(self.cards):
            raise BadMoveText("a move names each card once")
        if type(self.words) is not tuple or len(self.words) > limits.MOVE_WORDS_MOST:
            raise BadMoveText(f"a move has at most {limits.MOVE_WORDS_MOST} words")
        for word in self.words:
            if type(word) is not str or not _fits(_WORD, word):
                raise BadMoveText(
                    f"{word!r} is not a word of a move: small letters, digits and "
                    f"dashes, at most {limits.WORD_LENGTH_MOST}"
                )

    def __str__(self) -> str:
        return " ".join([self.verb, *(f"#{slot}" for slot in self.cards), *self.words])

    @classmethod
    def parse(cls, text: str) -> Self:
        verb, *rest = text.split(" ")
        cards = []
        while rest and (card := _CARD.fullmatch(rest[0])) and len(rest[0]) <= 8:
            cards.append(int(card[1]))
            rest.pop(0)
        return cls(verb, tuple(cards), tuple(rest))


@cache
def move(verb: str, cards: tuple[Slot, ...] = (), words: tuple[str, ...] = ()) -> Move:
    """Return the one object for this move. Rules list the same moves again and again."""
    return Move(verb, cards, words)


def _fits(pattern: re.Pattern[str], text: str) -> bool:
    return len(text) <= limits.WORD_LENGTH_MOST and pattern.fullmatch(text) is not None


class Choice(NamedTuple):
    """One seat's part of a met Choose: its move, and the faces of the cards the move turned up."""

    seat: Seat
    move: Move
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a need, in the need's own order, so that the order of arrival leaves no trace.

    Deal: `faces` of the cards turned up for everyone. Choose: `moves` by need.seats, and `faces`
    of all the cards they turn up, move after move. Lot: `lots`. Shuffle: nothing.
    """

    moves: tuple[Move, ...] = ()
    faces: tuple[Face, ...] = ()
    lots: tuple[int, ...] = ()


class Event(NamedTuple):
    """An event to show to players: language-neutral, never read back by the rules."""

    what: str
    seat: Seat | None = None
    data: tuple[Plain, ...] = ()


class Tell(Protocol):
    """The function by which a rule reports an event."""

    def __call__(self, what: str, seat: Seat | None = None, *data: Plain) -> None: ...


class Step(NamedTuple, Generic[S]):
    """The result of a met need; the moves had to prove `claims`, in the need's order."""

    state: S
    events: tuple[Event, ...]
    claims: tuple[Claim, ...] = ()
