"""What Tindahan and Bastos share around the rules: they come in one box, with the same fruits.

A fruit is called the same and looks the same in both; a card of a hand is told and typed alike, and
what happened in a trick is told in lines that begin with a name.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.moves import Event, Move
from engine.needs import Face
from engine.tricks import number, suit
from engine.views import View
from p2pfruit.games.colours import Colour
from p2pfruit.games.narrator import Narrator
from p2pfruit.games.presenter import Presenter
from p2pfruit.games.scenes import Mood, Suit, Tile
from p2pfruit.games.tindahan.words import card, fruit
from p2pfruit.language import text as _
from p2pfruit.text.safe import width

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
        """Of this box, in its order."""
        return list(self.game.content.tables["fruits"])

    def fruit(self, name: str) -> str:
        return fruit(name)

    def card(self, face: Face) -> str:
        return card(face)

    def cards(self, faces: Iterable[Face]) -> str:
        return ", ".join(map(card, sorted(faces, key=self.rank))) or _("nothing")

    def rank(self, face: Face) -> tuple[int, int]:
        """By fruit and number, as a hand is held."""
        return self.fruits.index(suit(face)), number(face)

    # Columns.

    def _line(self, event: Event, told: str) -> str:
        return f"  {self._padded(self._who(event))}  {told}"

    def _sheet(self, titles: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
        """A table with a row for each name, its columns as wide as they must be."""
        wide = [
            max(map(width, (title, *(cells[at] for _name, cells in rows))))
            for at, title in enumerate(titles)
        ]
        return [
            f"  {self._padded(name)}"
            + "".join(
                f"  {' ' * (most - width(cell))}{cell}"
                for most, cell in zip(wide, cells, strict=True)
            )
            for name, cells in [("", titles), *rows]
        ]

    # What is typed.

    def _read_card(
        self,
        view: View[Any],
        verb: str,
        beginning: str,
        number: int,
        words: tuple[str, ...] = (),
    ) -> Move:
        """The move with the card of my hand whose fruit begins so."""
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
        """The fruits whose name begins so, in this language or in English."""
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

    def suit(self, name: str) -> Suit:
        called = fruit(name)
        shape, colour, letters = _LOOKS[name]
        return Suit(
            key=name, name=called, letters=letters or called[:2].title(), shape=shape, colour=colour
        )

    def tile(self, face: Face, mood: Mood = Mood.PLAIN) -> Tile:
        return Tile(name=card(face), text=str(number(face)), suit=self.suit(suit(face)), mood=mood)

    def tiles(self, faces: Sequence[Face]) -> list[Tile]:
        """By fruit and number."""
        return [self.tile(face) for face in sorted(faces, key=self.narrator.rank)]
