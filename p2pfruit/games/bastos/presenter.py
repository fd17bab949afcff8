"""What Bastos looks like: the prices, each Bastos, the trick, and how a round was scored.

A trick is played over several steps, so a presenter listens: `moment` is given all events of a
table, in order, a step or more at a time.

What lies in won tricks is not shown, only how many cards: no player may look through them before
the end of the round (B19). The story tells every card all the same, for those who leaf back.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.bastos.cards import TRUMP_COSTS, clamped
from engine.bastos.rules import Bastos, Market
from engine.bastos.trick import decided, leading
from engine.moves import Event, Move
from engine.needs import Done, Face, Seat
from engine.record import State
from engine.tricks import suit
from engine.views import View
from p2pfruit.games.bastos.narrator import BastosNarrator, pairs, signed
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
from p2pfruit.language import plural
from p2pfruit.language import text as _


class BastosPresenter(StallPresenter):
    game: Bastos
    narrator: BastosNarrator

    # The table.

    def strips(self, state: Market) -> list[Strip]:
        if isinstance(state.need, Done):
            return []
        prices = [self._price(state, fruit) for fruit in self.game.in_play(state)]
        strips = [Strip(label=_("prices"), tiles=tuple(prices))]
        if played := self._playing(state):
            holder = self._holder(state)
            tiles = [
                self.tile(face, Mood.WINS if seat == holder else Mood.PLAIN)
                for seat, face in played.items()
            ]
            owners = tuple(map(self.narrator.name, played))
            strips.append(Strip(label=_("this trick"), tiles=tuple(tiles), owners=owners))
        return strips

    def headings(self, state: Market) -> list[Heading]:
        return [Heading(text=text) for text in ("Bastos", _("plays"), _("cards won"))]

    def _price(self, state: Market, fruit: str) -> Tile:
        price = signed(self.game.price(state, fruit))
        trump = " " + _("trump") if fruit == state.trump else ""
        return Tile(
            name=f"{self.narrator.fruit(fruit)} {price}{trump}",
            text=f" {price}",
            suit=self.suit(fruit),
            mark=trump,
        )

    def _playing(self, state: Market) -> dict[Seat, Face]:
        """Return the running trick, in the order played."""
        if isinstance(state.need, Done):
            return {}
        return dict(zip(self.game.players(state), state.trick, strict=False))

    def _holder(self, state: Market) -> Seat | None:
        """Return the seat that holds the running trick so far."""
        played = self._playing(state)
        if not played:
            return None
        bastos = [state.bastos[seat] for seat in played]
        best, _passed = decided(state.trick, bastos, state.trump, state.since)
        return None if best is None else list(played)[best]

    def cells(self, state: Market, seat: Seat) -> list[Cell]:
        """Return the Bastos, the card in the running trick, and how many cards were won."""
        face = self._playing(state).get(seat, "")
        star = "★" if seat == self._holder(state) else ""
        count = len(state.won[seat])
        won = plural("{count} card won", "{count} cards won", count)
        return [
            self._cell(state.bastos[seat], ""),
            self._cell(face, star),
            Cell(text=str(count), name=won),
        ]

    def _cell(self, face: Face, sign: str) -> Cell:
        if not face:
            return Cell(text="·", name=_("nothing"), words="-")
        tile = self.tile(face)
        assert tile.suit is not None
        short = f"{tile.suit.shape}{tile.suit.letters}{tile.text}"
        return Cell(text=short, sign=sign, name=tile.name, words=tile.name)

    # The question.

    def option_tile(self, view: View[Market], label: str, move: Move) -> Tile | None:
        if not move.cards:
            return None
        tile = self.tile(view.known[move.cards[0]])
        return replace(tile, mark=" " + _("trump")) if move.words else tile

    def hint(self, view: View[Market], move: Move) -> str:
        state = view.state
        if not move.cards:
            return ""
        face = view.known[move.cards[0]]
        if move.verb == "bastos":
            held = [suit(view.known[slot]) for slot in view.hand]
            count = held.count(suit(face)) - 1
            return plural("you keep {count} card of it", "you keep {count} cards of it", count)
        if move.words:
            price = clamped(self.game.price(state, suit(face)) - TRUMP_COSTS)
            return _("its price falls to {price}").format(price=signed(price))
        assert view.seat is not None
        if suit(face) == suit(state.bastos[view.seat]):
            if leading(state.trick, face, state.trump, state.since):
                return _("your Bastos: cannot win, moves a price")
            return _("your Bastos: cannot win")
        if not state.trick:
            return _("trump") if suit(face) == state.trump else ""
        players = self.game.players(state)[: len(state.trick) + 1]
        bastos = [state.bastos[seat] for seat in players]
        best, _passed = decided((*state.trick, face), bastos, state.trump, state.since)
        return _("would hold the trick") if best == len(state.trick) else _("would lose")

    # The reveal, and the trick.

    def moment(self, events: Sequence[Event]) -> Moment | None:
        """Return the last reveal or trick, where several are told at once."""
        found = None
        for event in events:
            if event.what in ("round", "again"):
                self._trick, self._number = [], 0
            elif event.what == "trick":
                self._trick, self._number = [], int(str(event.data[0]))
            elif event.what == "prices":
                found = self._revealed(events, event)
            elif event.what in ("plays", "trump", "price", "passed_over"):
                self._trick.append(event)
            elif event.what in ("wins", "nobody_wins"):
                found = self._taken(event)
        return found

    def _revealed(self, events: Sequence[Event], end: Event) -> Moment:
        """Return the reveal of all Bastos, and the prices that they make."""
        prices = dict(pairs(end))
        played = []
        for event in events:
            if event.what == "bastos" and event.seat is not None:
                face = str(event.data[0])
                why = f"{self.narrator.fruit(suit(face))} {signed(prices[suit(face)])}"
                name = self.narrator.name(event.seat)
                played.append(Played(seat=event.seat, name=name, tile=self.tile(face), why=why))
        return Moment(
            sealed=False,
            title=_("every Bastos is turned up"),
            target=None,
            played=tuple(played),
            winner=None,
            verdict=_("prices: {prices}").format(prices=self.narrator.prices(prices.items())),
        )

    def _taken(self, end: Event) -> Moment:
        trick, self._trick = self._trick, []
        if end.seat is None:
            verdict = self.narrator.nobody()
        else:
            why, *faces = map(str, end.data)
            verdict = self.narrator.takes(end.seat, why, faces)
        plays = [event for event in trick if event.what == "plays"]
        return Moment(
            sealed=False,
            title=_("trick {trick}").format(trick=self._number) if self._number else _("the trick"),
            target=None,
            played=tuple(self._played(event, trick, end) for event in plays),
            winner=end.seat,
            verdict=verdict,
        )

    def _played(self, play: Event, trick: Sequence[Event], end: Event) -> Played:
        assert play.seat is not None
        face = str(play.data[0])
        return Played(
            seat=play.seat,
            name=self.narrator.name(play.seat),
            tile=self.tile(face, Mood.WINS if play.seat == end.seat else Mood.PLAIN),
            why=", ".join(self._why(play, trick)),
        )

    def _why(self, play: Event, trick: Sequence[Event]) -> list[str]:
        """Return what there is to say of a card: what it did, or that it did not follow."""
        told = []
        led = suit(str(trick[0].data[0]))
        for event in trick:
            if event.seat != play.seat:
                continue
            if event.what == "trump":
                told.append(_("declared trump"))
            elif event.what == "passed_over":
                told.append(_("own Bastos: cannot win"))
            elif event.what == "price":
                name, _step, price = event.data
                now = _("{fruit} now {price}")
                fruit = self.narrator.fruit(str(name))
                told.append(now.format(fruit=fruit, price=signed(int(str(price)))))
        if not told and suit(str(play.data[0])) != led:
            told.append(_("other fruit"))
        return told

    # The end of a round.

    def reckoning(self, events: Sequence[Event], state: State) -> Reckoning | None:
        prices: list[tuple[str, int]] = []
        accounts = []
        for event in events:
            if event.what == "final_prices":
                prices = pairs(event)
            elif event.what == "scores" and event.seat is not None:
                points, *counts = [int(str(count)) for count in event.data]
                account = Account(
                    seat=event.seat,
                    name=self.narrator.name(event.seat),
                    steps=tuple(self._steps(prices, counts)),
                    points=points,
                    total=state.total(event.seat),
                )
                accounts.append(account)
        if not accounts:
            return None
        title = _("the points of round {round}").format(round=len(state.scores))
        return Reckoning(title=title, accounts=tuple(accounts))

    def _steps(self, prices: Sequence[tuple[str, int]], counts: Sequence[int]) -> list[str]:
        told = _("{fruit}: {count} × {price} = {points}")
        steps = [
            told.format(
                fruit=self.narrator.fruit(name),
                count=count,
                price=signed(price),
                points=signed(count * price),
            )
            for (name, price), count in zip(prices, counts, strict=True)
            if count
        ]
        return steps or [_("no card won")]


PRESENTER = BastosPresenter
