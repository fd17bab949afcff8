"""How a game is shown: a view becomes a scene, events become moments and reckonings.

Presenter works for any game, with what its narrator says. A game that shows more has a Presenter of
its own, in p2pfruit/games/<game>/presenter.py, with other answers to the questions of a scene: its
strips, headings, cells, boards, notes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.game import Game
from engine.moves import Event, Move
from engine.needs import ABANDONED, Done, Face, Seat, Slot
from engine.record import State
from engine.views import View
from p2pfruit.games import parts
from p2pfruit.games.narrator import Narrator, narrator_for
from p2pfruit.games.scenes import (
    Board,
    Cell,
    Heading,
    Moment,
    Option,
    PlayerRow,
    Reckoning,
    Scene,
    Strip,
    Tile,
)
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown

Hands = Mapping[Slot, Face]


class Presenter:
    handless = False  # whether players hold no cards

    def __init__(self, narrator: Narrator) -> None:
        self.narrator = narrator
        self.game = narrator.game

    # The table.

    def scene(self, view: View[Any], shown: Hands | None = None) -> Scene:
        """Return the table as the view sees it. `shown`: faces of closed cards that the view does
        not know, for replays."""
        state = view.state
        known = {**view.known, **(shown or {})}
        return Scene(
            title=self.title(state),
            strips=tuple(self.strips(state)),
            headings=tuple(self.headings(state)),
            players=tuple(self.row(view, seat, known) for seat in range(len(state.hands))),
            boards=tuple(self.boards(view)),
            legend=tuple(self.legend(view)),
            handless=self.handless,
            notes=tuple(self.notes(view, known)),
        )

    def asked(self, view: View[Any]) -> Scene:
        """Return what line mode shows before a question: the table, or less of it."""
        return self.scene(view)

    def title(self, state: Any) -> tuple[str, ...]:
        need = state.need
        if not isinstance(need, Done):
            return tuple(self.narrator.place(state))
        return (_("the game was abandoned") if need.ended == ABANDONED else _("final ranking"),)

    def strips(self, state: Any) -> Iterable[Strip]:
        return ()

    def headings(self, state: Any) -> Iterable[Heading]:
        """Return the headings of the cells."""
        return ()

    def row(self, view: View[Any], seat: Seat, known: Hands) -> PlayerRow:
        state = view.state
        return PlayerRow(
            seat=seat,
            name=self.narrator.name(seat),
            me=seat == view.seat,
            cells=tuple(self.cells(state, seat)),
            hand=self.hand(view, seat, known),
            score=self.score(state, seat),
            projection=self.projection(state, seat, known),
            projected=self.projected(state, seat),
            gone=seat not in state.seated,
        )

    def cells(self, state: Any, seat: Seat) -> Iterable[Cell]:
        return ()

    def score(self, state: Any, seat: Seat) -> int:
        total: int = state.total(seat)
        return total

    def projection(self, state: Any, seat: Seat, known: Hands) -> int | None:
        """Return what the seat would score if the round ended now, where that is known."""
        return None

    def projected(self, state: Any, seat: Seat) -> str:
        """Return what the projection is made of, where the cells do not say it."""
        return ""

    def boards(self, view: View[Any]) -> Iterable[Board]:
        return ()

    def legend(self, view: View[Any]) -> Iterable[Tile]:
        return ()

    def notes(self, view: View[Any], known: Hands) -> Iterable[str]:
        return ()

    # Cards.

    def hand(self, view: View[Any], seat: Seat, known: Hands) -> tuple[Tile, ...]:
        """Return the cards of a seat: the known ones in order, then the closed ones."""
        held = view.state.hands[seat]
        faces = [known[slot] for slot in held if slot in known]
        return (*self.tiles(faces), *([self.closed()] * (len(held) - len(faces))))

    def tiles(self, faces: Sequence[Face]) -> list[Tile]:
        """Return cards in the order in which a hand is held."""
        return [self.tile(face) for face in sorted(faces)]

    def tile(self, face: Face) -> Tile:
        return Tile(name=shown(face), text=shown(face))

    def closed(self) -> Tile:
        return Tile(name=_("closed card"))

    # The question.

    def question(self, view: View[Any]) -> str:
        return self.narrator.question(view)

    def options(self, view: View[Any]) -> list[Option]:
        """Return what the seat can answer, in the order of its hand."""
        return [
            Option(
                label=label,
                move=move,
                tile=self.option_tile(view, label, move),
                hint=self.hint(view, move),
            )
            for label, move in self.narrator.choices(view)
        ]

    def option_tile(self, view: View[Any], label: str, move: Move) -> Tile | None:
        """Return the tile that is picked to make this move; None: words are picked."""
        return None

    def hint(self, view: View[Any], move: Move) -> str:
        return ""

    # What happened.

    def moment(self, events: Sequence[Event]) -> Moment | None:
        """Return the reveal among the events of one step, if there is one."""
        return None

    def reckoning(self, events: Sequence[Event], state: State) -> Reckoning | None:
        """Return how a round was scored, if the events of one step end one."""
        return None


def presenter_for(game: Game[Any], names: Sequence[str], me: Seat | None = None) -> Presenter:
    """Return the game's own presenter, or the plain one."""
    kind: type[Presenter] = parts.part(game.name, "presenter", "PRESENTER") or Presenter
    return kind(narrator_for(game, names, me))
