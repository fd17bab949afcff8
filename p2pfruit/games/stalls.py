"""What Tindahan and Bastos share around the rules: they come in one box, with the same fruits.

A fruit has the same name and the same looks in both. Cards are told and typed in the same way, and
what happened in a trick is told in lines that begin with a name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine.moves import Event, Move
from engine.needs import Choose, Face, Seat
from engine.tricks import number, suit
from engine.views import View
from p2pfruit.games.colours import Colour
from p2pfruit.games.narrator import Narrator
from p2pfruit.games.presenter import Hands, Presenter
from p2pfruit.games.scenes import Mood, Suit, Tile
from p2pfruit.games.tindahan.words import card, fruit
from p2pfruit.language import text as _

# Shape, colour, and letters where the first two of the name are not enough.
_LOOKS = {
    "banana": ("◗", Colour.YELLOW, ""),
    "mango": ("●", Colour.ORANGE, ""),
    "pineapple": ("▲", Colour.GREEN, ""),
    "durian": ("◆", Colour.BLUE, ""),
    "lanzones": ("■", Colour.PINK, ""),
    "passion": ("▼", Colour.RED, "Ps"),
    "orange": ("○", Colour.SKY, ""),
    "mangosteen": ("◇", Colour.GREY, "Mg"),
    "rambutan": ("□", Colour.RED, ""),
}


class StallNarrator(Narrator):
    # Words.

    @property
    def fruits(self) -> list[str]:
        """Return the fruits of this box, in its order."""
        return list(self.game.content.tables["fruits"])

    def fruit(self, name: str) -> str:
        return fruit(name)

    def card(self, face: Face) -> str:
        return card(face)

    def cards(self, faces: Iterable[Face]) -> str:
        return ", ".join(map(card, sorted(faces, key=self.rank))) or _("nothing")

    def rank(self, face: Face) -> tuple[int, int]:
        """Return the place of a card in a hand: by fruit, then by number."""
        return self.fruits.index(suit(face)), number(face)

    def _line(self, event: Event, told: str) -> str:
        return f"  {self._padded(self._who(event))}  {told}"

    # What is typed.

    def _read_card(
        self,
        view: View[Any],
        verb: str,
        beginning: str,
        number: int,
        words: tuple[str, ...] = (),
    ) -> Move:
        """Return the move with the card of my hand whose fruit begins with what was typed."""
        names = self._fruits(beginning)
        if len(names) > 1:
            told = _("{typed} can be: {names}")
            why = told.format(typed=repr(beginning), names=", ".join(map(fruit, names)))
            raise self.refusal(view, why)
        for slot in view.hand:
            if view.known[slot] in [f"{name}-{number}" for name in names]:
                return self._allowed(view, Move(verb, (slot,), words))
        name = f"{fruit(names[0]) if names else beginning} {number}"
        raise self.refusal(view, _("{card} is not in your hand (rule: hand)").format(card=name))

    def _allowed(self, view: View[Any], move: Move) -> Move:
        if move in view.moves():
            return move
        raise self.refusal(view, self._why(view, str(move)))

    def _fruits(self, typed: str) -> list[str]:
        """Return the fruits whose name begins with what was typed, in this language or in
        English."""
        typed = typed.strip().lower()
        if not typed:
            return []
        spoken = [name for name in self.fruits if fruit(name).startswith(typed)]
        return spoken or [name for name in self.fruits if name.startswith(typed)]


class StallPresenter(Presenter):
    narrator: StallNarrator

    def __init__(self, narrator: Narrator) -> None:
        super().__init__(narrator)
        self._trick: list[Event] = []  # what was heard of the running one
        self._number = 0  # of the last trick that was heard of; 0: none

    def hand(self, view: View[Any], seat: Seat, known: Hands) -> tuple[Tile, ...]:
        """Return the cards of a seat. In my own hand, while a card is asked of me alone, cards that
        I cannot play are barred.

        A peer may be asked before all shares of its cards have come: then it waits for its faces.
        """
        tiles = super().hand(view, seat, known)
        need = view.state.need
        asked = seat == view.seat and isinstance(need, Choose) and need.seats == (seat,)
        if not asked or any(slot not in view.known for slot in view.hand):
            return tiles
        free = {self.tile(view.known[slot]) for move in view.moves() for slot in move.cards}
        if not free:
            return tiles
        return tuple([tile if tile in free else replace(tile, mood=Mood.BARRED) for tile in tiles])

    def suit(self, name: str) -> Suit:
        called = fruit(name)
        shape, colour, letters = _LOOKS[name]
        return Suit(
            key=name, name=called, letters=letters or called[:2].title(), shape=shape, colour=colour
        )

    def tile(self, face: Face, mood: Mood = Mood.PLAIN) -> Tile:
        return Tile(name=card(face), text=str(number(face)), suit=self.suit(suit(face)), mood=mood)

    def tiles(self, faces: Sequence[Face]) -> list[Tile]:
        return [self.tile(face) for face in sorted(faces, key=self.narrator.rank)]
