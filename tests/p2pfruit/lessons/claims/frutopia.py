"""What the remarks of Frutopia's teacher claim."""

from collections.abc import Callable

from engine.frutopia import Frutopia
from engine.frutopia.state import Islands
from engine.moves import Event, Move, Outcome
from engine.needs import Done
from p2pfruit.games.frutopia import words
from p2pfruit.games.frutopia.lesson.course import MARKET
from p2pfruit.games.frutopia.narrator import FrutopiaNarrator
from tests.p2pfruit.lessons.claims import ME, Claims, Said, rule

BRUNO = 1
LETTERS = "abcde"
KINDS = ("banana", "lime", "pomegranate", "orange", "mangosteen")
SIDES = (("b1", "c1", "d1"), ("e2", "e3", "e4"), ("b5", "c5", "d5"), ("a2", "a3", "a4"))

Stock = tuple[int, ...]


class Scene(Said[Islands]):
    game: Frutopia
    narrator: FrutopiaNarrator

    @property
    def stock(self) -> Stock:
        return self.state.stocks[ME]

    @property
    def permit(self) -> int:
        return self.state.permit

    def names_bruno(self) -> bool:
        return self.says(self.narrator.name(BRUNO))

    def says_fruits(self, fruits: Stock) -> bool:
        return self.says(words.basket(fruits))

    def verbs(self) -> set[str]:
        return {move.verb for move in self.view.moves()}

    # The island.

    def island(self, state: Islands | None = None) -> dict[str, str]:
        row = (state or self.state).islands[ME]
        return {f"{LETTERS[at % 5]}{at // 5 + 1}": name for at, name in enumerate(row)}

    def ship_sides(self, state: Islands) -> int:
        """Beaches where a ship lies."""
        island, ships = self.island(state), self.game.catalogue.ships
        return sum(any(island[cell] in ships for cell in side) for side in SIDES)

    def reach(self, island: dict[str, str], cell: str) -> list[str]:
        """Cells that can be slid to, found by walking."""
        found = []
        column, row = LETTERS.index(cell[0]), int(cell[1])
        for right, down in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            x, y = column + right, row + down
            while 0 <= x < 5 and 1 <= y <= 5 and not island[f"{LETTERS[x]}{y}"]:
                found.append(f"{LETTERS[x]}{y}")
                x, y = x + right, y + down
        return found

    def sliding(self, island: dict[str, str]) -> list[str]:
        """The cells of tokens that slide."""
        tokens = self.game.catalogue.tokens
        mobile = {name for name, token in tokens.items() if token.kind in ("mixed", "cart")}
        return [cell for cell, name in island.items() if name in mobile or name in KINDS]

    def longest(self) -> int:
        island = self.island()
        ways = [(cell, self.reach(island, cell)) for cell in self.sliding(island)]
        return max(far(cell, target) for cell, targets in ways for target in targets)

    # What happened in my turn and in Bruno's.

    def points(self, seat: int) -> int:
        return sum(row[seat] for row in self.state.scores) + self.state.gained[seat]

    @property
    def round_points(self) -> int:
        """Mine, in the round that has just ended; shops are a row of their own."""
        shops = isinstance(self.state.need, Done)
        return self.state.scores[-2 if shops else -1][ME]

    def mine(self, *whats: str) -> list[Event]:
        return [event for event in self.step.events if event.what in whats and event.seat == ME]

    def theirs(self, *whats: str) -> list[Event]:
        return [event for event in self.step.events if event.what in whats and event.seat == BRUNO]

    def counted(self, state: Islands, seat: int) -> int:
        """With the shops as they stand: they are checked where the game ends."""
        shops = [points for _shop, points in self.game.shops(state, seat)]
        return sum(row[seat] for row in state.scores) + state.gained[seat] + sum(shops)

    def next_state(self, move: Move) -> Islands:
        return self.game.step(self.state, Outcome(moves=(move,))).state


def far(cell: str, target: str) -> int:
    """From one cell of a row or a column to another."""
    return abs(ord(cell[0]) - ord(target[0])) + abs(ord(cell[1]) - ord(target[1]))


def number(value: object) -> int:
    return int(str(value))


def cost_of(at: Scene, name: str) -> tuple[Stock, int]:
    [row] = [n for n, names in enumerate(at.state.market) if name in names]
    return at.game.catalogue.rows[row].cost, at.game.catalogue.rows[row].points


def pays(stock: Stock, cost: Stock) -> bool:
    return all(have >= want for have, want in zip(stock, cost, strict=True))


# Before a decision.


def _island(at: Scene) -> bool:
    ships = at.game.catalogue.ships
    orders = [ships[name].order for name in at.island().values() if name in ships]
    return (
        any(at.says(words.short(order)) and at.says_fruits(order) for order in orders)
        and "deck-chairs" in at.island().values()
        and at.says(words.token(at.game, "deck-chairs"))
    )


def _offer(at: Scene) -> bool:
    row = at.game.catalogue.rows[-1]
    return at.says_fruits(row.cost) and at.figures[-1] == row.points


def _place(at: Scene) -> bool:
    """What may be turned or slides later is said to do so, in bold."""
    token = at.game.catalogue.tokens[at.state.token]
    size = len(token.shape)
    return (
        {len(move.words) for move in at.view.moves()} == {size}
        and ("**" in at.text) == (size > 1 or token.kind in ("mixed", "cart"))
        and (size == 1 or (at.says(words.shape(token)) and at.figures == [size]))
    )


def _cart(at: Scene) -> bool:
    [name] = [name for name in set(at.island().values()) if name.startswith("cart-")]
    colour = at.game.catalogue.tokens[name].colour
    return at.says(words.colour(colour)) and at.says_fruits(at.game.catalogue.recipes[colour])


# What is proposed.


def _try(at: Scene) -> bool:
    assert at.step.suggested is not None
    checks: dict[str, Callable[..., bool]] = {
        "slide": _try_slide,
        "ship": _try_ship,
        "take": _try_take,
        "place": _try_place,
        "ice": _try_ice,
    }
    return checks[at.step.suggested.verb](at, *at.step.suggested.words)


def _try_slide(at: Scene, name: str, target: str) -> bool:
    island = at.island()
    [start] = [cell for cell, one in island.items() if one == name]
    distance = far(start, target)
    if not at.says(words.token(at.game, name), target) or target not in at.reach(island, start):
        return False
    if name not in KINDS:
        recipe = at.game.catalogue.recipes[at.game.catalogue.tokens[name].colour]
        return at.says(distance) and pays(at.stock, recipe)
    brought = tuple(distance if kind == name else 0 for kind in KINDS)
    stock = tuple(a + b for a, b in zip(at.stock, brought, strict=True))
    return at.says_fruits(brought) and _payable(at, stock, at.text.rpartition(":")[2])


def _payable(at: Scene, stock: Stock, what: str) -> bool:
    """Whether what is named at the end of a remark can be paid with that."""
    ships, island = at.game.catalogue.ships, at.island()
    for cell, name in island.items():
        if name in ships and what.rstrip(".").endswith(cell):
            return pays(stock, ships[name].order)
    offers = [name for names in at.state.market for name in names if name]
    [named] = [name for name in offers if words.token(at.game, name) == what.strip(" .")]
    return pays(stock, cost_of(at, named)[0])


def _try_ship(at: Scene, cell: str) -> bool:
    ship = at.game.catalogue.ships[at.island()[cell]]
    cleared = at.ship_sides(at.state) - at.ship_sides(at.next_state(Move("ship", (), (cell,))))
    more = [4 * cleared] if cleared else []
    return pays(at.stock, ship.order) and at.figures == [int(cell[1]), ship.points, *more]


def _try_take(at: Scene, name: str) -> bool:
    cost, points = cost_of(at, name)
    own = at.game.catalogue.tokens[name].points
    said = at.says(words.token(at.game, name))
    return said and pays(at.stock, cost) and at.figures == [points, *([own] if own else [])]


def _try_place(at: Scene, *cells: str) -> bool:
    def room(places: tuple[str, ...]) -> int:
        island = at.island() | dict.fromkeys(places, at.state.token)
        return sum(len(at.reach(island, cell)) for cell in at.sliding(island))

    best = max(room(move.words) for move in at.view.moves())
    return at.says(" ".join(cells)) and room(cells) == best


def _try_ice(at: Scene, pile: str) -> bool:
    at_pile = [one.name for one in at.game.catalogue.piles].index(pile)
    points = at.game.catalogue.piles[at_pile].points
    offered = [move.words[0] for move in at.view.moves() if move.verb == "ice"]
    if at.permit == 1 and at.state.ices[at_pile] == 1:
        after = at.next_state(Move("ice", (), (pile,)))
        mine, theirs = [at.counted(after, seat) for seat in (ME, BRUNO)]
        return after.permit == 0 and mine > theirs and at.figures == [points]
    return at.figures == [points] and points == max(int(one.split("-")[1]) for one in offered)


# What happened.


def _took(at: Scene) -> bool:
    [taken] = at.mine("takes")
    name, row, points = str(taken.data[0]), number(taken.data[1]), number(taken.data[2])
    printed = at.game.catalogue.rows[row - 1].points
    return at.says(words.token(at.game, name)) and at.figures == [points] == [printed]


def _moved(at: Scene) -> bool:
    """By the last of the steps that are told."""
    steps = [number(event.data[0]) for event in at.events("permit")]
    return bool(steps) and at.figures == [steps[-1]] == [at.permit]


def _delivered(at: Scene) -> bool:
    [event] = at.mine("delivers")
    cell, name, points = event.data
    printed = at.game.catalogue.ships[str(name)].points
    free = at.island()[str(cell)] == "" and str(name) not in at.state.islands[ME]
    return free and at.says(cell) and at.figures[1:] == [number(points)] == [printed]


def _beach(at: Scene) -> bool:
    [event] = at.mine("delivers")
    [side] = [side for side in SIDES if event.data[0] in side]
    left = [cell for cell in side if at.island()[cell] in at.game.catalogue.ships]
    return not left and "deck-chairs" in at.state.islands[ME] and at.figures == [4]


def _built(at: Scene) -> bool:
    [event] = at.mine("places")
    token = at.game.catalogue.tokens[str(event.data[0])]
    return (
        token.kind in ("small", "plan")
        and at.says(words.token(at.game, str(event.data[0])))
        and at.figures == [token.points]
    )


def _made(at: Scene) -> bool:
    """All points of the round that came neither of a ship nor of a business."""
    other = sum(number(event.data[2]) for event in at.mine("delivers"))
    for event in at.mine("places"):
        name = str(event.data[0])
        row = at.game.catalogue.rows[MARKET.index(name) // 2]
        other += row.points + at.game.catalogue.tokens[name].points
    return at.figures == [at.round_points - other]


def _their_business(at: Scene) -> bool:
    [event] = at.theirs("takes")
    return at.names_bruno() and at.says(words.token(at.game, str(event.data[0])))


def _their_ship(at: Scene) -> bool:
    [event] = at.theirs("delivers")
    printed = at.game.catalogue.ships[str(event.data[1])].points
    return at.names_bruno() and at.figures == [printed]


# The end.


def _score(at: Scene) -> bool:
    [event] = at.mine("scores")
    shops = sum(number(shop.data[1]) for shop in at.mine("shop"))
    total = at.points(ME)
    return number(event.data[1]) == total and at.figures == [total, total - shops, shops]


def _chairs(at: Scene) -> bool:
    free = 4 - at.ship_sides(at.state)
    [event] = [event for event in at.mine("shop") if event.data[0] == "deck-chairs"]
    return at.figures == [free, 4 * free] and event.data[1] == 4 * free


def _named(at: Scene, *figures: int) -> bool:
    return at.names_bruno() and at.figures == list(figures)


CLAIMS: Claims[Scene] = {
    # The beginning.
    "welcome": lambda at: at.names_bruno(),
    "joined": lambda at: _named(at, len(at.state.scores), at.points(ME), at.points(BRUNO)),
    "ready": lambda at: at.names_bruno(),
    "island": _island,
    "stock": lambda at: at.says_fruits(at.stock),
    "offer": _offer,
    "aim": rule,
    "clock": lambda at: at.figures == [at.permit],
    # Before a decision.
    "slide": lambda at: at.verbs() == {"slide"},
    "longest": lambda at: at.verbs() == {"slide"} and at.figures == [at.longest()],
    "trade": lambda at: "pass" in at.verbs(),
    "spend": lambda at: "pass" in at.verbs() and at.says_fruits(at.stock),
    "business": lambda at: "take" in at.verbs(),
    "kinds": rule,
    "place": _place,
    "cart": _cart,
    "piles": rule,
    "make": lambda at: at.figures[0] == at.state.amount and at.says_fruits(at.stock),
    "pick": lambda at: (
        at.verbs() == {"pick"} and at.game.catalogue.tokens[at.state.token].kind == "mixed"
    ),
    "try": _try,
    "free": lambda at: at.step.suggested is None,
    # What happened.
    "took": _took,
    "step": _moved,
    "last_round": lambda at: at.permit == 0 and not isinstance(at.state.need, Done),
    "kept": lambda at: at.round_points == 0,
    "delivered": _delivered,
    "beach": _beach,
    "built": _built,
    "made": _made,
    "emptied": lambda at: 0 in (*at.state.ices, at.state.shakes),
    "their_business": _their_business,
    "their_ship": _their_ship,
    "their_pass": lambda at: at.names_bruno() and len(at.theirs("passes")) == 1,
    "cross": lambda at: at.permit == 0 and isinstance(at.state.need, Done),
    # The end.
    "score": _score,
    "chairs": _chairs,
    "left": lambda at: _named(at, sum(at.stock), sum(at.state.stocks[BRUNO])),
    "won": lambda at: at.points(ME) > at.points(BRUNO) and _named(at, at.points(BRUNO)),
    "lost": lambda at: at.points(ME) <= at.points(BRUNO) and _named(at, at.points(BRUNO)),
    "whole": rule,
    "factory": rule,
}

SCENE = Scene
