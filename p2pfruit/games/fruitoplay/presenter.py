"""Fruitoplay as it looks: the river, the columns, the reveal, and how points came about.

What is said of a step may lie several steps back: a reveal names the turn that its target opened, a
reckoning the cards of the whole round. So a presenter listens: `moment` and `reckoning` are each
given all events of a table, in order, a step or more at a time.
"""

from collections.abc import Callable, Iterable, Sequence

from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import Fruitoplay, Orchard
from engine.fruitoplay.scoring import points
from engine.moves import Event, Move
from engine.needs import Choose, Done, Face, Seat
from engine.record import State
from engine.views import View
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from p2pfruit.games.fruitoplay.reckoning import Harvest
from p2pfruit.games.narrator import Narrator
from p2pfruit.games.presenter import Hands, Presenter
from p2pfruit.games.scenes import (
    Account,
    Cell,
    Colour,
    Heading,
    Moment,
    Mood,
    Option,
    Played,
    PlayerRow,
    Reckoning,
    Scene,
    Strip,
    Suit,
    Tile,
)
from p2pfruit.language import plural
from p2pfruit.language import text as _

ROTTEN = "☠"

_LOOKS = {
    "banana": ("◗", Colour.YELLOW),
    "strawberry": ("▲", Colour.RED),
    "fig": ("◆", Colour.BLUE),
    "apple": ("●", Colour.GREEN),
}


class FruitoplayPresenter(Presenter):
    game: Fruitoplay
    narrator: FruitoplayNarrator

    def __init__(self, narrator: Narrator) -> None:
        super().__init__(narrator)
        self._order = {face: at for at, face in enumerate(self.game.cards)}
        self._turn = 0  # whose target was turned up last; 0: not heard
        self._harvest = Harvest(self.narrator)

    # Cards.

    def suit(self, fruit: str) -> Suit:
        """The letters are the first two of the name: they differ in every language we speak."""
        name = self.narrator.fruit(fruit)
        shape, colour = _LOOKS[fruit]
        return Suit(key=fruit, name=name, letters=name[:2].title(), shape=shape, colour=colour)

    def tile(self, face: Face, mood: Mood = Mood.PLAIN) -> Tile:
        card = self.game.cards[face]
        return Tile(
            name=self.narrator.card(face),
            text=str(card.number),
            suit=self.suit(card.fruit),
            mark={0: ROTTEN, 1: "", 2: "×2"}[card.worth],
            mood=mood,
        )

    def tiles(self, faces: Sequence[Face]) -> list[Tile]:
        """By fruit and number."""
        return [self.tile(face) for face in sorted(faces, key=self._order.__getitem__)]

    # The table.

    def scene(self, view: View[Orchard], shown: Hands | None = None) -> Scene:
        state = view.state
        known = {**view.known, **(shown or {})}
        rows = tuple(self.row(view, seat, known) for seat in range(len(state.hands)))
        return Scene(
            title=self._title(state),
            strips=self._strips(state),
            headings=tuple(Heading(text=suit.name, suit=suit) for suit in map(self.suit, FRUITS)),
            players=rows,
            notes=(*self._sitting_out(state), *self._projected(view, known)),
        )

    def _title(self, state: Orchard) -> tuple[str, ...]:
        if isinstance(state.need, Done):
            return self.title(state)
        pile = [_("pile {count}").format(count=state.made - state.pile)] if state.piles else []
        return (*self.title(state), *pile, *self.narrator.collective(state))

    def _strips(self, state: Orchard) -> tuple[Strip, ...]:
        """The target, while it is played for, and the targets that follow."""
        coming = state.river[: len(state.river) - state.turn]
        tiles = [self.tile(face) for face in reversed(coming)]
        if state.need.what == "card":
            tiles.insert(0, self.tile(state.target, Mood.TARGET))
        return (Strip(label=_("river"), tiles=tuple(tiles)),) if tiles else ()

    def row(self, view: View[Orchard], seat: Seat, known: Hands) -> PlayerRow:
        state = view.state
        columns = self._columns(state, seat, known)
        return PlayerRow(
            seat=seat,
            name=self.narrator.name(seat),
            me=seat == view.seat,
            cells=self._cells(state, seat),
            hand=self.hand(state, seat, known),
            score=state.total(seat),
            projection=None if columns is None else points(columns),
            gone=seat not in state.seated,
        )

    def _columns(self, state: Orchard, seat: Seat, known: Hands) -> tuple[int, ...] | None:
        """What a seat would count if the round ended now; only of a hand that is known."""
        hand = [known[slot] for slot in state.hands[seat] if slot in known]
        closed = len(hand) < len(state.hands[seat])
        over = isinstance(state.need, Done)
        if closed or over or not (hand or state.won[seat]):
            return None
        return self.narrator.best(state, seat, hand)

    def _cells(self, state: Orchard, seat: Seat) -> tuple[Cell, ...]:
        """What lies in each column, and beside it the collective card, which lies in everyone's."""
        cards = [self.game.cards[face] for face in state.won[seat]]
        cells = []
        for fruit in FRUITS:
            worths = [card.worth for card in cards if card.fruit == fruit]
            rotten = 0 in worths
            extra = self.game.collective_worth(state) if fruit == state.collective else 0
            name = f"{self.narrator.fruit(fruit)} {sum(worths)}"
            name += " " + _("rotten") if rotten else ""
            name += f" +{extra}" if extra else ""
            sign = (ROTTEN if rotten else "") + (f"+{extra}" if extra else "")
            cells.append(Cell(text=str(sum(worths)), sign=sign, name=name))
        return tuple(cells)

    def _sitting_out(self, state: Orchard) -> list[str]:
        need = state.need
        if not isinstance(need, Choose) or need.what != "card":
            return []
        return [
            _("{name}: no card left, sits out").format(name=self.narrator.name(seat))
            for seat in state.seated
            if seat not in need.seats
        ]

    def _projected(self, view: View[Orchard], known: Hands) -> list[str]:
        """What my projection is made of."""
        if view.seat is None or (found := self._columns(view.state, view.seat, known)) is None:
            return []
        told = (
            _("at best you score {points}")
            if view.state.need.what == "rotten"
            else _("if hands were laid down now you would score {points}")
        )
        counting = [total for total in found if total]
        product = f" ({max(counting)} × {min(counting)})" if counting else ""
        return [told.format(points=points(found)) + product]

    # The question.

    def options(self, view: View[Orchard]) -> list[Option]:
        hint: Callable[[View[Orchard], Move], str] = {
            "card": self._card_hint,
            "collective": self._collective_hint,
            "last_draw": self._last_draw_hint,
            "rotten": self._rotten_hint,
        }.get(view.state.need.what, lambda _view, _move: "")
        return [
            Option(
                label=label,
                move=move,
                tile=self.tile(view.known[move.cards[0]]) if move.cards else None,
                hint=hint(view, move),
            )
            for label, move in self.narrator.choices(view)
        ]

    def _card_hint(self, view: View[Orchard], move: Move) -> str:
        return self._distance(view.known[move.cards[0]], view.state.target)

    def _distance(self, face: Face, target: Face) -> str:
        return self.narrator.distance(self.game.cards[face], self.game.cards[target])

    def _collective_hint(self, view: View[Orchard], move: Move) -> str:
        held = [self.game.cards[face].fruit for face in view.known.values()]
        count = held.count(move.words[0])
        return plural("you hold {count} card of it", "you hold {count} cards of it", count)

    def _last_draw_hint(self, view: View[Orchard], move: Move) -> str:
        if move.verb == "draw":
            return _("it joins your columns, whatever it is")
        assert view.seat is not None
        kept = points(self.narrator.best(view.state, view.seat, list(view.known.values())))
        return plural("{count} point", "{count} points", kept)

    def _rotten_hint(self, view: View[Orchard], move: Move) -> str:
        assert view.seat is not None
        sheet = self.game.columns(view.state, view.seat)
        chosen = set(move.words)  # a column with one kind of victim needs no word
        victims = next(way for way in sheet.cancelling() if chosen <= set(map(str, way)))
        return plural("{count} point", "{count} points", points(sheet.after(victims)))

    # The reveal.

    def moment(self, events: Sequence[Event]) -> Moment | None:
        """The last one, where several steps are told at once."""
        found = None
        reveal: list[Event] = []
        for event in events:
            if event.what == "target":
                self._turn = int(str(event.data[0]))
            elif event.what in ("plays", "void"):
                reveal.append(event)
            elif event.what in ("wins", "nobody_wins"):
                found = self._moment(reveal, event)
                reveal = []
        return found

    def _moment(self, reveal: Sequence[Event], end: Event) -> Moment:
        target = str(end.data[-1])
        void = {event.seat for event in reveal if event.what == "void"}
        return Moment(
            title=_("turn {turn} of {turns}").format(turn=self._turn, turns=self.game.river_length)
            if self._turn
            else _("the cards are turned up"),
            target=self.tile(target, Mood.TARGET),
            played=tuple(self._played(reveal, target, void, end.seat)),
            winner=end.seat,
            verdict=self._verdict(end, reveal),
        )

    def _played(
        self, reveal: Iterable[Event], target: Face, void: set[Seat | None], winner: Seat | None
    ) -> Iterable[Played]:
        for event in reveal:
            if event.what != "plays" or event.seat is None:
                continue
            face = str(event.data[0])
            mood = Mood.VOID if event.seat in void else Mood.PLAIN
            yield Played(
                seat=event.seat,
                name=self.narrator.name(event.seat),
                tile=self.tile(face, Mood.WINS if event.seat == winner else mood),
                why=self._distance(face, target),
            )

    def _verdict(self, end: Event, reveal: Sequence[Event]) -> str:
        if end.seat is None:
            return _("nobody wins: these cards are out of the round")
        _why, _distance, *taken = end.data
        told = self.narrator.takes(end.seat, len(taken))
        return f"{told} ({self.narrator.reason(end, reveal)})"

    # The end of a round.

    def reckoning(self, events: Sequence[Event], state: State) -> Reckoning | None:
        """The state may have gone on: several rounds are told at once to whoever comes back."""
        found = self._harvest.hear(events)
        if found is None:
            return None
        rounds = state.scores[: found.round or len(state.scores)]
        return Reckoning(
            title=_("the points of round {round}").format(round=len(rounds)),
            accounts=tuple(
                Account(
                    seat=seat,
                    name=self.narrator.name(seat),
                    steps=told,
                    points=rounds[-1][seat],
                    total=sum(row[seat] for row in rounds),
                )
                for seat, told in found.steps.items()
            ),
        )


PRESENTER = FruitoplayPresenter
