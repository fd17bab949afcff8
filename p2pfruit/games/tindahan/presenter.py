"""What Tindahan looks like: the trick, the stalls with all vendors, and how a round was scored.

A trick is played over several steps, so a presenter listens: `moment` is given all events of a
table, in order, a step or more at a time.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.moves import Event, Move
from engine.needs import Seat
from engine.record import State
from engine.tindahan import scoring
from engine.tindahan.rules import Market, Tindahan
from engine.tricks import around, suit
from engine.views import View
from p2pfruit.games.presenter import Hands
from p2pfruit.games.scenes import (
    Account,
    Cell,
    Heading,
    Moment,
    Mood,
    Played,
    Reckoning,
    Strip,
    Tile,
)
from p2pfruit.games.stalls import StallPresenter
from p2pfruit.games.tindahan.narrator import Count, TindahanNarrator
from p2pfruit.language import plural
from p2pfruit.language import text as _

VENDOR = "+1"  # behind a stall: one more stands there
DONKEY = "→"  # behind a stall: there it goes


class TindahanPresenter(StallPresenter):
    game: Tindahan
    narrator: TindahanNarrator

    def _vendor(self, stall: str) -> Tile:
        return Tile(name=self.narrator.vendor(stall), text=VENDOR, suit=self.suit(stall))

    def _donkey(self, stall: str) -> Tile:
        return Tile(name=self.narrator.donkey(stall), text=DONKEY, suit=self.suit(stall))

    # The table.

    def strips(self, state: Market) -> list[Strip]:
        """Return the trick in the order played; the star is with the card that holds it so far."""
        if not state.turn:
            return []
        tiles = self._turns(state)
        in_order = around(state.seated, state.leader)[: state.turn]
        mine = state.leader == self.narrator.me
        told = _("you lead") if mine else _("{name} leads")
        return [
            Strip(
                label=told.format(name=self.narrator.name(state.leader)),
                tiles=tuple(tiles[seat] for seat in in_order),
                owners=tuple(map(self.narrator.name, in_order)),
            )
        ]

    def _turns(self, state: Market) -> dict[Seat, Tile]:
        """Return what each seat did in the running trick."""
        played = dict(state.trick)
        tiles = {}
        for seat in around(state.seated, state.leader)[: state.turn]:
            if seat in played:
                mood = Mood.WINS if seat == state.winning else Mood.PLAIN
                tiles[seat] = self.tile(played[seat], mood)
            elif seat == state.leader:
                tiles[seat] = self._donkey(state.donkey)
            else:
                tiles[seat] = Tile(name=_("vendor"), text=_("vendor"))
        return tiles

    def headings(self, state: Market) -> list[Heading]:
        stalls = [Heading(text=suit.name, suit=suit) for suit in map(self.suit, state.fruits)]
        return [*stalls, Heading(text=_("tricks"))]

    def projection(self, state: Market, seat: Seat, known: Hands) -> int | None:
        return self.narrator.projections(state).get(seat)

    def cells(self, state: Market, seat: Seat) -> list[Cell]:
        """Return the vendors on each stall, a star where they are the most, and the tricks."""
        cells = []
        for at, fruit in enumerate(state.fruits):
            count = state.placed[seat][at]
            most = count and count == max(mine[at] for mine in state.placed)
            vendors = plural("{count} vendor", "{count} vendors", count)
            name = f"{self.narrator.fruit(fruit)}: {vendors}"
            cells.append(
                Cell(
                    text=str(count) if count else "·",
                    sign="★" if most else "",
                    name=name + (", " + _("the most") if most else ""),
                    words="" if count else "-",
                )
            )
        tricks = state.tricks[seat]
        name = plural("{count} trick", "{count} tricks", tricks)
        return [*cells, Cell(text=str(tricks), name=name)]

    def notes(self, view: View[Market], known: Hands) -> list[str]:
        """Return how many vendors I have left, and what I would score."""
        state = view.state
        if view.seat is None or view.seat not in state.seated or not any(state.hands):
            return []
        left = _("vendors left: {count}").format(count=state.vendors_left(view.seat))
        now = self.projection(state, view.seat, known)
        if now is None:
            return [left]
        points = plural("{count} point", "{count} points", now)
        return [left + " · " + _("if the round ended now: {points}").format(points=points)]

    # The question.

    def option_tile(self, view: View[Market], label: str, move: Move) -> Tile | None:
        if not move.cards:
            return None
        tile = self.tile(view.known[move.cards[0]])
        if move.verb == "play":
            return tile
        return replace(tile, mark=VENDOR)

    def hint(self, view: View[Market], move: Move) -> str:
        state = view.state
        match move.verb:
            case "vendor":
                return self._vendor_hint(view, move)
            case "donkey":
                return _("{fruit} becomes trump, the next must play").format(
                    fruit=self.narrator.fruit(move.words[0])
                )
        face = view.known[move.cards[0]]
        if not state.trick:
            return _("trump") if suit(face) == state.donkey else ""
        assert view.seat is not None
        after = replace(state, trick=(*state.trick, (view.seat, face)))
        return _("would hold the trick") if after.winning == view.seat else _("would lose")

    def _vendor_hint(self, view: View[Market], move: Move) -> str:
        state = view.state
        assert view.seat is not None
        stall = suit(view.known[move.cards[0]]) if move.cards else state.led
        assert stall is not None
        at = state.fruits.index(stall)
        mine = state.placed[view.seat][at] + 1
        others = [state.placed[seat][at] for seat in state.seated if seat != view.seat]
        told = _("vendors there: you {mine}, the most of the others {most}")
        return told.format(mine=mine, most=max(others))

    # The trick.

    def moment(self, events: Sequence[Event]) -> Moment | None:
        """Return the last trick, where several are told at once."""
        found = None
        for event in events:
            if event.what in ("round", "again"):
                self._trick, self._number = [], 0
            elif event.what in ("plays", "vendor", "donkey"):
                self._trick.append(event)
            elif event.what == "takes":
                self._number += 1
                found = self._moment(self._trick, event)
                self._trick = []
        return found

    def _moment(self, turns: Sequence[Event], end: Event) -> Moment:
        face, led, trump, count = end.data
        assert end.seat is not None
        return Moment(
            sealed=False,
            title=_("trick {trick}").format(trick=self._number),
            target=None,
            played=tuple(self._played(turn, end) for turn in turns),
            winner=end.seat,
            verdict=self.narrator.takes(end.seat, str(face), str(led), str(trump), int(str(count))),
        )

    def _played(self, turn: Event, end: Event) -> Played:
        assert turn.seat is not None
        face, led, trump = map(str, end.data[:3])
        if turn.what == "plays":
            shown = str(turn.data[0])
            tile = self.tile(shown, Mood.WINS if shown == face else Mood.PLAIN)
            why = _("trump") if suit(shown) == trump else ""
            why = why or ("" if suit(shown) == led else _("other fruit"))
        elif turn.what == "vendor":
            stall, *spent = map(str, turn.data)
            tile = self._vendor(stall)
            why = _("{card} is spent").format(card=self.narrator.card(spent[0])) if spent else ""
        else:
            tile, why = self._donkey(str(turn.data[1])), _("trump")
        return Played(seat=turn.seat, name=self.narrator.name(turn.seat), tile=tile, why=why)

    # The end of a round.

    def reckoning(self, events: Sequence[Event], state: State) -> Reckoning | None:
        counts = {
            event.seat: self.narrator.count(event)
            for event in events
            if event.what == "scores" and event.seat is not None
        }
        if not counts:
            return None
        return Reckoning(
            title=_("the points of round {round}").format(round=len(state.scores)),
            accounts=tuple(
                Account(
                    seat=seat,
                    name=self.narrator.name(seat),
                    steps=tuple(self._steps(count)),
                    points=count.points,
                    total=state.total(seat),
                )
                for seat, count in counts.items()
            ),
        )

    def _steps(self, count: Count) -> list[str]:
        steps = []
        if count.tricks:
            told = _("tricks: {count} × {worth} = {points}")
            points = scoring.TRICK * count.tricks
            steps.append(told.format(count=count.tricks, worth=scoring.TRICK, points=points))
        if any(count.vendors):
            steps.append(_("stalls: {points}").format(points=", ".join(self._stalls(count))))
        if count.left:
            points = scoring.LEFT * count.left
            steps.append(_("cards left in the hand: -{points}").format(points=points))
        if count.blank:
            told = _("no vendor and no trick: as many points as the best, {points}")
            steps.append(told.format(points=count.points))
        return steps

    def _stalls(self, count: Count) -> list[str]:
        """Return the points of each stall with vendors, and how many stand there."""
        told = []
        for stall, vendors, points in zip(count.stalls, count.vendors, count.worth, strict=True):
            if vendors:
                trump = " " + _("(trump)") if stall == count.trump else ""
                standing = plural("{count} vendor", "{count} vendors", vendors)
                told.append(f"{self.narrator.fruit(stall)}{trump} {points} ({standing})")
        return told


PRESENTER = TindahanPresenter
