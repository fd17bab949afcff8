"""What Pixies looks like: the open cards, the nine places of each player, and how a round was
scored."""

from collections.abc import Sequence
from typing import Any, cast

from engine.moves import Event, Move
from engine.needs import Done, Face, Seat
from engine.pixies.areas import ACROSS, Area, Place
from engine.pixies.rules import Meadow, Pixies
from engine.pixies.scoring import reckon
from engine.record import State
from engine.views import View
from p2pfruit.games.pixies.narrator import PixiesNarrator
from p2pfruit.games.presenter import Hands, Presenter
from p2pfruit.games.scenes import (
    Account,
    Board,
    Cell,
    Colour,
    Heading,
    Mood,
    Reckoning,
    Strip,
    Suit,
    Tile,
)
from p2pfruit.language import text as _

SPECIAL = "☆"
VALIDATED = "✓"

_LOOKS = {
    "blue": ("◆", Colour.BLUE),
    "green": ("●", Colour.GREEN),
    "yellow": ("■", Colour.YELLOW),
    "red": ("▲", Colour.RED),
    "multicolour": ("◇", Colour.PINK),
}


class PixiesPresenter(Presenter):
    game: Pixies
    narrator: PixiesNarrator
    handless = True

    # Cards.

    def suit(self, colour: str) -> Suit:
        """Return how a colour looks. One letter is enough: there are many cells, and the first of
        each name differs in every language we speak."""
        name = self.narrator.colour(colour)
        shape, painted = _LOOKS[colour]
        return Suit(key=colour, name=name, letters=name[0].upper(), shape=shape, colour=painted)

    def tile(self, face: Face, *, validated: bool = False) -> Tile:
        card = self.game.cards[face]
        symbols = SPECIAL if card.star else f"{card.symbols:+}" if card.symbols else ""
        name = self.narrator.card(face)
        return Tile(
            name=f"{name}, " + _("validated") if validated else name,
            text=str(card.number),
            suit=self.suit(card.colour),
            mark=symbols + (VALIDATED if validated else ""),
        )

    def _short(self, face: Face) -> str:
        tile = self.tile(face)
        assert tile.suit is not None
        return f"{tile.suit.shape}{tile.suit.letters}{tile.text}{tile.mark}"

    # The table.

    def strips(self, state: Meadow) -> list[Strip]:
        """Return the cards that can be taken, while no player is asked about a taken one."""
        faces = self.narrator.ordered(state.row)
        tiles = tuple(map(self.tile, faces))
        return [Strip(label=_("open cards"), tiles=tiles)] if tiles else []

    def headings(self, state: Meadow) -> list[Heading]:
        words = (_("validated"), _("symbols"), _("zone"), _("took"))
        return [Heading(text=word) for word in words]

    def projection(self, state: Meadow, seat: Seat, known: Hands) -> int | None:
        playing = seat in state.seated and bool(state.turn)
        over = isinstance(state.need, Done)
        return self.game.sheet(state, seat).points if playing and not over else None

    def boards(self, view: View[Meadow]) -> list[Board]:
        return [self._board(view, seat) for seat in view.state.seated]

    def notes(self, view: View[Meadow], known: Hands) -> list[str]:
        return self.narrator.endings(view.state)

    def cells(self, state: Meadow, seat: Seat) -> list[Cell]:
        sheet = self.game.sheet(state, seat)
        symbols = sheet.spirals - sheet.crosses
        taken = [face for who, face in state.drafted if who == seat]
        took = ", ".join(map(self.narrator.card, taken))
        return [
            Cell(text=str(sum(sheet.validated)), name=self.narrator.validated(sheet)),
            Cell(text=f"{symbols:+}", name=self.narrator.counted(sheet)),
            Cell(text=f"{len(sheet.zone)}×{sheet.worth}", name=self.narrator.zone(sheet)),
            Cell(
                text=" ".join(map(self._short, taken)) or "–",
                name=took or _("nothing"),
                words=took or "-",
            ),
        ]

    def _board(self, view: View[Meadow], seat: Seat) -> Board:
        area = view.state.areas[seat]
        tiles = [self._place(at, place) for at, place in enumerate(area, 1)]
        rows = [tuple(tiles[at : at + ACROSS]) for at in range(0, len(tiles), ACROSS)]
        me = seat == view.seat
        return Board(label=self.narrator.name(seat), rows=tuple(rows), me=me)

    def _place(self, number: int, place: Place) -> Tile:
        """Return the tile of a place. An empty one shows its number."""
        up, down = place
        if up is not None:
            return self.tile(up, validated=down is not None)
        name = self.narrator.place_name(number) + ", "
        if down is not None:
            return Tile(name=name + _("face down"))
        return Tile(name=name + _("empty"), text=str(number), mood=Mood.PAST)

    # The question.

    def option_tile(self, view: View[Meadow], label: str, move: Move) -> Tile | None:
        return None if move.verb == "lay" else self.tile(move.words[0])

    def hint(self, view: View[Meadow], move: Move) -> str:
        assert view.seat is not None
        word = move.words[0]
        if move.verb == "take":
            return self.narrator.becomes(view.state, view.seat, word)
        if move.verb == "keep":
            return _("stays up, validated")
        return _("the next {number} will be validated at once").format(number=word)

    # The end of a round.

    def reckoning(self, events: Sequence[Event], state: State) -> Reckoning | None:
        scored = [event for event in events if event.what == "scores"]
        if not scored:
            return None
        return Reckoning(
            title=_("the points of round {round}").format(round=len(state.scores)),
            accounts=tuple(self._account(event, state) for event in scored),
        )

    def _account(self, event: Event, state: State) -> Account:
        """Return how one player scored. The area is in the event: the state has gone on."""
        points, *_parts, worth, area = cast(Any, event.data)
        sheet = reckon(cast(Area, area), self.game.cards, worth - 1)
        seat = event.seat
        assert seat is not None
        return Account(
            seat=seat,
            name=self.narrator.name(seat),
            steps=(
                self.narrator.validated(sheet),
                self.narrator.counted(sheet),
                self.narrator.zone(sheet),
            ),
            points=points,
            total=state.total(seat),
        )


PRESENTER = PixiesPresenter
