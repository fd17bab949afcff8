"""How a game is shown: a view becomes a scene, events become moments and reckonings.

Presenter works for any game, with what its narrator says; a game that shows more has a Presenter of
its own, in p2pfruit/games/<game>/presenting.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.game import Game
from engine.moves import Event
from engine.needs import ABANDONED, Choose, Done, Face, Seat, Slot
from engine.record import State
from engine.views import View
from p2pfruit import games
from p2pfruit.games.narrator import Narrator, narrator_for
from p2pfruit.games.scenes import Moment, Mood, Option, PlayerRow, Reckoning, Scene, Tile
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown

Hands = Mapping[Slot, Face]


class Presenter:
    def __init__(self, narrator: Narrator) -> None:
        self.narrator = narrator
        self.game = narrator.game

    def scene(self, view: View[Any], shown: Hands | None = None) -> Scene:
        """`shown`: faces of closed cards beside those that the view knows, for replays."""
        state = view.state
        known = {**view.known, **(shown or {})}
        return Scene(
            title=self.title(state),
            players=tuple(self.row(view, seat, known) for seat in range(len(state.hands))),
        )

    def title(self, state: State) -> tuple[str, ...]:
        need = state.need
        if not isinstance(need, Done):
            return tuple(self.narrator.place(state))
        return (_("the game was abandoned") if need.ended == ABANDONED else _("final ranking"),)

    def row(self, view: View[Any], seat: Seat, known: Hands) -> PlayerRow:
        state = view.state
        return PlayerRow(
            seat=seat,
            name=self.narrator.name(seat),
            me=seat == view.seat,
            cells=(),
            hand=self.hand(state, seat, known),
            score=state.total(seat),
            gone=seat not in state.seated,
        )

    def hand(self, state: State, seat: Seat, known: Hands) -> tuple[Tile, ...]:
        """The cards of a seat: those that are known in order, then the closed ones."""
        faces = [known[slot] for slot in state.hands[seat] if slot in known]
        closed = len(state.hands[seat]) - len(faces)
        return (*self.tiles(faces), *([self.closed()] * closed))

    def barred_hand(self, view: View[Any], seat: Seat, known: Hands) -> tuple[Tile, ...]:
        """The same; in my own hand, while a card is asked of me alone, what must stay is barred.

        A peer may be asked before all shares of its cards have come: then it waits for its faces.
        """
        tiles = self.hand(view.state, seat, known)
        need = view.state.need
        asked = seat == view.seat and isinstance(need, Choose) and need.seats == (seat,)
        if not asked or any(slot not in view.known for slot in view.hand):
            return tiles
        free = {self.tile(view.known[slot]) for move in view.moves() for slot in move.cards}
        if not free:
            return tiles
        return tuple([tile if tile in free else replace(tile, mood=Mood.BARRED) for tile in tiles])

    def tiles(self, faces: Sequence[Face]) -> list[Tile]:
        """Cards in the order in which a hand is held."""
        return [self.tile(face) for face in sorted(faces)]

    def tile(self, face: Face) -> Tile:
        return Tile(name=shown(face), text=shown(face))

    def closed(self) -> Tile:
        return Tile(name=_("closed card"))

    def question(self, view: View[Any]) -> str:
        return self.narrator.question(view)

    def options(self, view: View[Any]) -> list[Option]:
        """What the seat can answer, in the order of its hand."""
        return [Option(label=label, move=move) for label, move in self.narrator.choices(view)]

    def moment(self, events: Sequence[Event]) -> Moment | None:
        """The reveal among the events of one step, if there is one."""
        return None

    def reckoning(self, events: Sequence[Event], state: State) -> Reckoning | None:
        """How the points of a round came about, if the events of one step end one."""
        return None


def presenter_for(game: Game[Any], names: Sequence[str], me: Seat | None = None) -> Presenter:
    """The game's own presenter, or the plain one."""
    kind: type[Presenter] = games.part(game.name, "presenter", "PRESENTER") or Presenter
    return kind(narrator_for(game, names, me))
