"""What Fruitoplay looks like: the river, the columns, the reveal, and how a round was scored.

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
    Played,
    Reckoning,
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
        """Return how a fruit looks. The first two letters of the names differ in every language."""
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
        return [self.tile(face) for face in sorted(faces, key=self._order.__getitem__)]

    # The table.

    def title(self, state: Orchard) -> tuple[str, ...]:
        place = super().title(state)
        if isinstance(state.need, Done):
            return place
        pile = [_("pile {count}").format(count=state.made - state.pile)] if state.piles else []
        return (*place, *pile, *self.narrator.collective(state))

    def strips(self, state: Orchard) -> list[Strip]:
        """Return the target, while it is played for, and the targets that follow."""
        coming = state.river[: len(state.river) - state.turn]
        tiles = [self.tile(face) for face in reversed(coming)]
        if state.need.what == "card":
            tiles.insert(0, self.tile(state.target, Mood.TARGET))
        return [Strip(label=_("river"), tiles=tuple(tiles))] if tiles else []

    def headings(self, state: Orchard) -> list[Heading]:
        return [Heading(text=suit.name, suit=suit) for suit in map(self.suit, FRUITS)]

    def projection(self, state: Orchard, seat: Seat, known: Hands) -> int | None:
        columns = self._columns(state, seat, known)
        return None if columns is None else points(columns)

    def _columns(self, state: Orchard, seat: Seat, known: Hands) -> tuple[int, ...] | None:
        """Return what a seat would count if the round ended now; None if its hand is not known."""
        hand = [known[slot] for slot in state.hands[seat] if slot in known]
        closed = len(hand) < len(state.hands[seat])
        over = isinstance(state.need, Done)
        if closed or over or not (hand or state.won[seat]):
            return None
        return self.narrator.best(state, seat, hand)

    def cells(self, state: Orchard, seat: Seat) -> list[Cell]:
        """Return what lies in each column, and beside it the collective card, which lies in
        everyone's."""
        cards = [self.game.cards[face] for face in state.won[seat]]
        cells = []
        for fruit in FRUITS:
            worths = [card.worth for card in cards if card.fruit == fruit]
            rotten = 0 in worths
            extra = self.game.collective_worth(state) if fruit == state.collective else 0
            more = f"+{extra}" if extra else ""
            words = f"{sum(worths)} {_('rotten') if rotten else ''} {more}"
            cells.append(
                Cell(
                    text=str(sum(worths)),
                    sign=(ROTTEN if rotten else "") + more,
                    name=" ".join([self.narrator.fruit(fruit), *words.split()]),
                    words=" ".join(words.split()),
                )
            )
        return cells

    def notes(self, view: View[Orchard], known: Hands) -> list[str]:
        return [*self._sitting_out(view.state), *self._projected(view, known)]

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
        """Return what I would score, and what it is made of."""
        if view.seat is None or (found := self._columns(view.state, view.seat, known)) is None:
            return []
        told = (
            _("at best: {points}")
            if view.state.need.what == "rotten"
            else _("if the round ended now: {points}")
        )
        counting = [total for total in found if total]
        product = f" ({max(counting)} × {min(counting)})" if counting else ""
        scored = plural("{count} point", "{count} points", points(found))
        return [told.format(points=scored) + product]

    # The question.

    def option_tile(self, view: View[Orchard], label: str, move: Move) -> Tile | None:
        return self.tile(view.known[move.cards[0]]) if move.cards else None

    def hint(self, view: View[Orchard], move: Move) -> str:
        hints: dict[str, Callable[[View[Orchard], Move], str]] = {
            "card": self._card_hint,
            "collective": self._collective_hint,
            "last_draw": self._last_draw_hint,
            "rotten": self._rotten_hint,
        }
        return hints[view.state.need.what](view, move)

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
        """Return the last reveal, where several steps are told at once."""
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
        """Return how the last round was scored. The state may have gone on: a player who comes back
        is told several rounds at once."""
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
