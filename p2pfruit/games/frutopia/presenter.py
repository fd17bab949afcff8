"""What Frutopia looks like: islands and businesses as boards, answers as small tiles.

On a board a ship is its order (2B1O), a collector a fruit's shape and letter, a mixed collector two
letters, a cart ☆ and its colour, a building ■ and a shop □ with two letters; the legend says it all
in words. The others' islands can stand aside. What the others did last is said in a note: a
presenter listens.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from engine.frutopia.baskets import FRUITS
from engine.frutopia.catalogue import CART, MIXED, SHOP
from engine.frutopia.factory import Place
from engine.frutopia.island import CELL, SIZE
from engine.frutopia.rules import Frutopia
from engine.frutopia.state import PLACE, SLIDE, Islands
from engine.moves import Event, Move
from engine.needs import Done, Seat
from engine.record import State
from engine.views import View
from p2pfruit.games.frutopia import words
from p2pfruit.games.frutopia.narrator import FrutopiaNarrator
from p2pfruit.games.narrator import Narrator
from p2pfruit.games.presenter import Hands, Presenter
from p2pfruit.games.scenes import (
    Account,
    Board,
    Cell,
    Colour,
    Heading,
    Moment,
    Reckoning,
    Scene,
    Strip,
    Suit,
    Tile,
)
from p2pfruit.language import text as _
from p2pfruit.text.safe import bounded

_LOOKS = {
    "banana": ("◗", Colour.YELLOW),
    "lime": ("▲", Colour.GREEN),
    "pomegranate": ("◆", Colour.RED),
    "orange": ("●", Colour.ORANGE),
    "mangosteen": ("◇", Colour.PINK),
}
_ICES = {
    "green": Colour.GREEN,
    "blue": Colour.BLUE,
    "pink": Colour.PINK,
    "white": Colour.GREY,
    "brown": Colour.ORANGE,
    "red": Colour.RED,
    "yellow": Colour.YELLOW,
}

# Of a name, before what its player has in the factory: four stand in one line.
_NAME_COLUMNS = 8


class FrutopiaPresenter(Presenter):
    game: Frutopia
    narrator: FrutopiaNarrator
    handless = True

    def __init__(self, narrator: Narrator) -> None:
        super().__init__(narrator)
        self._last: dict[Seat, list[str]] = {}  # what each did in its last turn

    # Tiles.

    def suit(self, fruit: str) -> Suit:
        shape, colour = _LOOKS[fruit]
        name = words.fruit(fruit)
        return Suit(key=fruit, name=name, letters=name[:2].title(), shape=shape, colour=colour)

    def ice(self, colour: str) -> Suit:
        name = words.colour(colour)
        letters = name[:2].capitalize()
        return Suit(key=colour, name=name, letters=letters, shape="☆", colour=_ICES[colour])

    def piece(self, name: str) -> Tile:
        """Return what lies on a cell or is on offer."""
        told = words.piece(self.game, name)
        if name in self.game.catalogue.ships:
            return Tile(name=told, text=words.short(self.game.catalogue.ships[name].order))
        if name in FRUITS:
            return self._alone(told, self.suit(name), words.initial(name))
        business = self.game.catalogue.tokens[name]
        if business.kind == MIXED:
            one, two = business.fruits
            text = f"{words.initial(one)}+{words.initial(two)}"
            return Tile(name=told, text=text)
        if business.kind == CART:
            suit = self.ice(business.colour)
            return self._alone(told, suit, suit.letters)
        shape = "□" if business.kind == SHOP else "■"
        return Tile(name=told, text=shape + words.letters(self.game, name))

    def _alone(self, name: str, suit: Suit, text: str) -> Tile:
        """Return a tile with the shape of the suit, and the text instead of its letters."""
        return Tile(name=name, text=text, suit=replace(suit, letters=""))

    # The table.

    def asked(self, view: View[Islands]) -> Scene:
        """Return the table before the first question of a turn, and only what changed before the
        others: my stock, my discs, and my island where a place is looked for."""
        state = view.state
        if not state.islands:
            return Scene(title=())
        scene = self.scene(view)
        if view.seat is None or state.need.what == SLIDE:
            boards = [
                self._market(state, words.token) if board.label == _("businesses") else board
                for board in scene.boards
            ]
            return replace(scene, boards=tuple(boards))
        return Scene(
            title=(),
            strips=(self._factory(state),) if state.discs else (),
            headings=scene.headings,
            players=(scene.players[view.seat],),
            boards=scene.boards[:1] if state.need.what == PLACE else (),
            legend=scene.legend,
            handless=True,
        )

    def title(self, state: Islands) -> tuple[str, ...]:
        set_up = not state.islands and not isinstance(state.need, Done)
        return (_("set-up"),) if set_up else super().title(state)

    def strips(self, state: Islands) -> list[Strip]:
        tiles = []
        for pile, left in zip(self.game.catalogue.piles, state.ices, strict=bool(state.ices)):
            if left:
                suit = self.ice(pile.colour)
                name = f"{suit.name} {pile.points} x{left}"
                tiles.append(Tile(name=name, text=str(pile.points), suit=suit, mark=f"×{left}"))
        if state.shakes:
            name = _("milkshake 3 x{count}").format(count=state.shakes)
            tiles.append(Tile(name=name, text=_("shake 3"), mark=f"×{state.shakes}"))
        ice = [Strip(label=_("ice"), tiles=tuple(tiles))] if tiles else []
        return [*ice, *([self._factory(state)] if state.discs else [])]

    def headings(self, state: Islands) -> list[Heading]:
        return [Heading(text=suit.name, suit=suit) for suit in map(self.suit, FRUITS)]

    def score(self, state: Islands, seat: Seat) -> int:
        return state.points(seat)

    def cells(self, state: Islands, seat: Seat) -> list[Cell]:
        stock = state.stocks[seat] if state.stocks else (0,) * len(FRUITS)
        return [
            Cell(text=str(count), name=f"{count} {words.fruit(fruit)}")
            for fruit, count in zip(FRUITS, stock, strict=True)
        ]

    def projection(self, state: Islands, seat: Seat, known: Hands) -> int | None:
        """Return the points with the shops as they stand; None where no player has one."""
        over = isinstance(state.need, Done)
        if over or not state.islands or not any(self._shops(state, each) for each in state.seated):
            return None
        return state.points(seat) + sum(points for _shop, points in self._shops(state, seat))

    def projected(self, state: Islands, seat: Seat) -> str:
        if isinstance(state.need, Done) or not (shops := self._shops(state, seat)):
            return ""
        told = ", ".join(f"{words.token(self.game, shop)} {points}" for shop, points in shops)
        return _("shops now: {shops}").format(shops=told)

    def _shops(self, state: Islands, seat: Seat) -> list[tuple[str, int]]:
        return self.game.shops(state, seat) if state.islands else []

    def boards(self, view: View[Islands]) -> list[Board]:
        state = view.state
        if not state.islands:
            return []
        others = [seat for seat in range(len(state.hands)) if seat != view.seat]
        mine = [] if view.seat is None else [replace(self._island(state, view.seat), me=True)]
        return [
            *mine,
            self._market(state, words.piece),
            *(replace(self._island(state, seat), aside=True) for seat in others),
        ]

    def legend(self, view: View[Islands]) -> list[Tile]:
        """Return what is on offer, my ships and businesses, and the ways through the factory."""
        state = view.state
        if not state.islands:
            return []
        mine = state.islands[view.seat] if view.seat is not None else ()
        ships = self.game.catalogue.ships
        tiles = [
            self.piece(name)
            for name in (*chain(*state.market), *mine)
            if name in self.game.catalogue.tokens
        ]
        tiles += [
            replace(self.piece(name), name=words.points(ships[name].points))
            for name in mine
            if name in ships
        ]
        if state.discs:
            tiles += map(self._place, self.game.catalogue.factory.places.values())
        return list(dict.fromkeys(tiles))

    def _place(self, place: Place) -> Tile:
        """Return a place of the factory, with the ways on and what they cost."""
        factory = self.game.catalogue.factory
        ways = ", ".join(
            f"{words.place_sign(factory.places[arrow.target])} {words.short(arrow.cost)}"
            for arrow in factory.arrows[place.name]
        )
        name = words.brings(place) + (f" → {ways}" if ways else "")
        return Tile(name=name, text=words.place_sign(place))

    def _island(self, state: Islands, seat: Seat) -> Board:
        tiles = [self.piece(name) if name else None for name in state.islands[seat]]
        rows = tuple([tuple(tiles[at : at + SIZE]) for at in range(0, len(tiles), SIZE)])
        return Board(label=self.narrator.name(seat), rows=rows, names=("abcde", "12345"))

    def _market(self, state: Islands, told: Callable[[Frutopia, str], str]) -> Board:
        """Return what a row costs and brings, then what is on offer."""
        rows: list[tuple[Tile | None, ...]] = []
        for row, names in zip(self.game.catalogue.rows, state.market, strict=True):
            basket, points = words.basket(row.cost), words.points(row.points)
            cost = Tile(name=_("costs {fruits}").format(fruits=basket), text=words.short(row.cost))
            brings = Tile(name=_("brings {points}").format(points=points), text=f"→{row.points}")
            offer = [
                replace(self.piece(name), name=told(self.game, name)) if name else None
                for name in names
            ]
            rows.append((cost, brings, *offer))
        return Board(label=_("businesses"), rows=tuple(rows))

    def _factory(self, state: Islands) -> Strip:
        """Return where the discs of each player stand."""
        tiles = []
        for seat in state.seated:
            discs = dict.fromkeys(state.discs[seat])
            signs = "/".join(words.circle_sign(self.game, disc) for disc in discs)
            short = bounded(self.narrator.name(seat), _NAME_COLUMNS)
            tiles.append(Tile(name=self.narrator.discs(state, seat), text=f"{short} {signs}"))
        return Strip(label=_("factory"), tiles=tuple(tiles))

    def notes(self, view: View[Islands], known: Hands) -> list[str]:
        return [
            f"{self.narrator.name(seat)}: {', '.join(did)}"
            for seat, did in sorted(self._last.items())
            if seat != view.seat and did
        ]

    # The question.

    def option_tile(self, view: View[Islands], label: str, move: Move) -> Tile:
        """Return a small tile, which leaves room for the table; the picked one is said in full."""
        draw: dict[str, Callable[[View[Islands], Move], Tile]] = {
            "slide": self._slide_tile,
            "pick": self._pick_tile,
            "ice": self._ice_tile,
            "shake": self._shake_tile,
            "ship": self._ship_tile,
            "take": lambda _view, move: self.piece(move.words[0]),
            "place": lambda _view, move: Tile(name=" ".join(move.words), text="".join(move.words)),
            "advance": self._advance_tile,
        }
        if move.verb in draw:
            return draw[move.verb](view, move)
        return Tile(name=label, text=label)

    def _slide_tile(self, view: View[Islands], move: Move) -> Tile:
        name, cell = move.words
        assert view.seat is not None
        piece = self.piece(name)
        way = _way(view.state.islands[view.seat].index(name), CELL[cell])
        return replace(piece, text=f"{piece.text}{way}")

    def _pick_tile(self, _view: View[Islands], move: Move) -> Tile:
        picked = [word.split("-") for word in move.words]
        text = "".join(f"{count}{words.initial(fruit)}" for fruit, count in picked)
        return Tile(name=text, text=text)

    def _ice_tile(self, _view: View[Islands], move: Move) -> Tile:
        [pile] = move.words
        colour, points = pile.split("-")
        return Tile(name=pile, text=points, suit=self.ice(colour))

    def _shake_tile(self, _view: View[Islands], move: Move) -> Tile:
        [fruit] = move.words
        return self._alone(words.fruit(fruit), self.suit(fruit), f"2{words.initial(fruit)}")

    def _ship_tile(self, view: View[Islands], move: Move) -> Tile:
        assert view.seat is not None
        [cell] = move.words
        name = view.state.islands[view.seat][CELL[cell]]
        piece = self.piece(name)
        points = self.game.catalogue.ships[name].points
        return replace(piece, text=f"{cell} {piece.text}", mark=f"→{points}")

    def _advance_tile(self, view: View[Islands], move: Move) -> Tile:
        start, target, *both = move.words
        signs = "→".join(words.circle_sign(self.game, circle) for circle in (start, target))
        points = self.narrator.marked(view, target)
        mark = f" +{points}" if points else ""
        return Tile(name=signs, text=f"{'2×' if both else ''}{signs}", mark=mark)

    # What happened.

    def moment(self, events: Sequence[Event]) -> Moment | None:
        """Return None: no card is turned up in Frutopia. Keep what each player did last, for the
        notes."""
        for event in events:
            if event.what == "turn" and event.seat is not None:
                self._last[event.seat] = []
            elif event.seat is not None and (did := self.narrator.brief(event)):
                self._last.setdefault(event.seat, []).append(did)
        return None

    # The end.

    def reckoning(self, events: Sequence[Event], state: State) -> Reckoning | None:
        """Return what the shops brought, on top of what was marked on the way."""
        accounts = []
        shops: dict[Seat, list[str]] = {}
        for event in events:
            if event.seat is None:
                continue
            if event.what == "shop":
                shop, points = event.data
                shops.setdefault(event.seat, []).append(self.narrator.shop(str(shop), points))
            elif event.what == "scores":
                gained, total = [int(str(number)) for number in event.data]
                marked = _("marked in the rounds: {points}").format(
                    points=words.points(total - gained)
                )
                accounts.append(
                    Account(
                        seat=event.seat,
                        name=self.narrator.name(event.seat),
                        steps=(marked, *(shops.get(event.seat) or [_("no shop")])),
                        points=gained,
                        total=total,
                    )
                )
        return Reckoning(title=_("shops"), accounts=tuple(accounts)) if accounts else None


def _way(start: int, target: int) -> str:
    """Return the direction and the distance of a slide."""
    (row, column), (to_row, to_column) = divmod(start, SIZE), divmod(target, SIZE)
    if row == to_row:
        return f"{'→' if to_column > column else '←'}{abs(to_column - column)}"
    return f"{'↓' if to_row > row else '↑'}{abs(to_row - row)}"


PRESENTER = FrutopiaPresenter
