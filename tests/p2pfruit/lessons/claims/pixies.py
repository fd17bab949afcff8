"""What the remarks of Pixies' teacher claim."""

import re
from typing import NamedTuple

from engine.moves import Event
from engine.needs import Done, Face, Seat
from engine.pixies import Pixies
from engine.pixies.rules import Meadow
from p2pfruit.games.pixies.narrator import PixiesNarrator
from tests.p2pfruit.lessons.claims import ME, Claims, Said, rule

BRUNO = 1

Place = tuple[Face | None, Face | None]
Area = tuple[Place, ...]
EMPTY: Place = (None, None)


def colour_of(face: Face) -> str:
    return face.split("-")[0]


def number_of(face: Face) -> int:
    return int(face.split("-")[1])


def is_special(face: Face) -> bool:
    return face.endswith("-star")


def symbols_of(face: Face) -> int:
    """Spirals, or crosses below zero; none that a special card gives."""
    printed = re.fullmatch(r"(plus|minus)(\d)", face.split("-")[2])
    if printed is None:
        return 0
    return int(printed[2]) * (1 if printed[1] == "plus" else -1)


class Count(NamedTuple):
    """An area in a first round."""

    validated: int
    symbols: int
    zone: int  # cards
    colours: set[str]  # in which there is a zone of that size

    @property
    def points(self) -> int:
        return self.validated + self.symbols + 2 * self.zone


def ups(area: Area) -> dict[int, Face]:
    return {at: up for at, (up, _down) in enumerate(area, 1) if up is not None}


def like(area: Area, colour: str) -> set[int]:
    """The places of cards face up that count as this colour."""
    return {at for at, face in ups(area).items() if colour_of(face) in (colour, "multicolour")}


def zone_from(start: int, places: set[int]) -> set[int]:
    """By flooding: neighbours are one apart in a row, or three."""
    zone: set[int] = set()
    waiting = [start]
    while waiting:
        at = waiting.pop()
        if at not in places or at in zone:
            continue
        zone.add(at)
        waiting += [at - 3, at + 3]
        waiting += [at - 1] if at % 3 != 1 else []
        waiting += [at + 1] if at % 3 != 0 else []
    return zone


def count(area: Area) -> Count:
    sizes = {
        colour: max((len(zone_from(at, like(area, colour))) for at in range(1, 10)), default=0)
        for colour in ("blue", "green", "yellow", "red")
    }
    zone = max(sizes.values())
    return Count(
        validated=sum(at for at, place in enumerate(area, 1) if None not in place),
        symbols=sum(symbols_of(face) for face in ups(area).values())
        + sum(len(like(area, colour_of(f))) for f in ups(area).values() if is_special(f)),
        zone=zone if zone > 1 else 0,
        colours={colour for colour, size in sizes.items() if size == zone},
    )


def put(area: Area, at: int, place: Place) -> Area:
    return (*area[: at - 1], place, *area[at:])


class Scene(Said[Meadow]):
    game: Pixies
    narrator: PixiesNarrator

    @property
    def mine(self) -> Area:
        return self.state.areas[ME]

    @property
    def mine_before(self) -> Area:
        return self.before.state.areas[ME]

    def names(self, *seats: Seat) -> bool:
        return self.says(*map(self.narrator.name, seats))

    # What is said: cards by their whole names, and the numbers beside them.

    def _cards(self) -> re.Pattern[str]:
        names = sorted(map(self.narrator.card, self.game.cards), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, names)))

    @property
    def named(self) -> list[Face]:
        faces = {self.narrator.card(face): face for face in self.game.cards}
        return [faces[name] for name in self._cards().findall(self.text)]

    @property
    def numbers(self) -> list[int]:
        return [int(one) for one in re.findall(r"[+-]?\d+", self._cards().sub("", self.text))]

    # What happened.

    def mine_of(self, what: str) -> Event:
        [event] = [event for event in self.events(what) if event.seat == ME]
        return event

    def open(self, number: int) -> list[Face]:
        return [face for face in self.state.row if number_of(face) == number]

    def may_come(self, number: int) -> bool:
        """Open, and this is not my last card of the turn, nor of the round."""
        return bool(self.open(number)) and self.state.order.count(ME) == 2 and not self.fillers

    def filled(self, seat: Seat) -> int:
        return 9 - self.state.areas[seat].count(EMPTY)

    @property
    def fillers(self) -> list[Seat]:
        return [seat for seat in (ME, BRUNO) if self.filled(seat) == 9]


# The beginning, and who takes when.


def _validated(at: Scene) -> bool:
    [number] = [n for n, place in enumerate(at.mine, 1) if None not in place]
    return at.named == [at.mine[number - 1][0]]


def _joined(at: Scene) -> bool:
    return at.names(BRUNO) and at.numbers == [at.state.turn - 1, at.filled(ME), at.filled(BRUNO)]


def _draft(at: Scene) -> bool:
    return at.names(BRUNO) and at.state.order == (ME, BRUNO, ME, BRUNO)


def _you_begin(at: Scene) -> bool:
    """I took the last card of every turn that Bruno began."""
    return at.state.turn % 2 == 1 and at.numbers == [4] == [len(at.state.row)]


def _they_begin(at: Scene) -> bool:
    last = [face for seat, face in at.state.drafted if seat == BRUNO][-1]
    turn = at.state.turn % 2 == 0 and at.state.order == (ME, BRUNO, ME)
    return turn and at.names(BRUNO) and at.named == [last] and at.numbers == [len(at.state.row)]


def _stand(at: Scene) -> bool:
    return at.numbers == [count(at.state.areas[seat]).points for seat in (ME, BRUNO)]


# Rules that open cards call for.


def _number(at: Scene) -> bool:
    return any(at.mine[number_of(face) - 1] == EMPTY for face in at.state.row)


def _second(at: Scene) -> bool:
    [number] = set(at.numbers)
    up, down = at.mine[number - 1]
    return bool(at.open(number)) and up is not None and down is None


def _third(at: Scene) -> bool:
    [number] = set(at.numbers)
    return bool(at.open(number)) and None not in at.mine[number - 1]


def _covers(at: Scene) -> bool:
    [face], [number] = at.named, at.numbers
    up, down = at.mine[number - 1]
    return face in at.open(number) and up is None and down is not None


def _special(at: Scene) -> bool:
    [face] = at.named
    return face in at.state.row and is_special(face)


def _multicolour(at: Scene) -> bool:
    [face] = at.named
    return face in at.state.row and colour_of(face) == "multicolour"


def _choose(at: Scene) -> bool:
    [number] = at.numbers
    return at.mine[number - 1] == (at.named[0], None) and at.named[1:] == [at.state.taken]


def _lay(at: Scene) -> bool:
    [face], [number] = at.named, at.numbers
    return face == at.state.taken and number_of(face) == number and None not in at.mine[number - 1]


# What is proposed.


def _try(at: Scene) -> bool:
    move = at.step.suggested
    assert move is not None
    match move.verb:
        case "take":
            return at.named == [*move.words] and _try_to_take(at, move.words[0])
        case "keep":
            return at.named == [*move.words] and _try_to_keep(at, move.words[0])
    [place] = at.numbers
    return move.words == (str(place),) and at.may_come(place) and at.mine[place - 1] == EMPTY


def _try_to_take(at: Scene, face: Face) -> bool:
    number = number_of(face)
    up, down = at.mine[number - 1]
    if up is None:
        after = put(at.mine, number, (face, down))
        given = [len(like(after, colour_of(face)))] if is_special(face) else []
        zone = count(after).zone
        return zone > count(at.mine).zone and at.numbers == [*given, zone]
    if down is None:
        return at.numbers == [number, number]
    [place] = set(at.numbers)
    return at.may_come(place) and at.mine[place - 1] == EMPTY


def _try_to_keep(at: Scene, face: Face) -> bool:
    number = number_of(face)
    old, new = at.mine[number - 1][0], at.state.taken
    other = old if face == new else new
    best, less = [count(put(at.mine, number, (one, one))).points for one in (face, other)]
    return best > less and at.numbers == [best, less]


# What became of a card.


def _up(at: Scene) -> bool:
    face, number, _how = at.mine_of("puts_up").data
    return (
        at.mine[int(str(number)) - 1] == (face, None)
        and at.named == [face]
        and at.numbers == [number]
    )


def _over(at: Scene) -> bool:
    face = str(at.mine_of("puts_up").data[0])
    number = number_of(face)
    _up, down = at.mine_before[number - 1]
    return (
        down is not None
        and at.mine[number - 1] == (face, down)
        and at.named == [face]
        and at.numbers == [number, number]
    )


def _kept(at: Scene) -> bool:
    number = number_of(str(at.mine_of("keeps").data[0]))
    kept, other = at.mine[number - 1]
    return (
        at.named == [kept, other]
        and at.mine_before[number - 1] in ((kept, None), (other, None))
        and at.numbers == [number, number]
    )


def _laid(at: Scene) -> bool:
    face, number = at.mine_of("lays").data
    place = int(str(number))
    return (
        at.mine[place - 1] == (None, face)
        and at.mine_before[place - 1] == EMPTY
        and at.named == [face]
        and at.numbers == ([number] if at.fillers else [number, number])  # what may come later
    )


def _left_for_me(at: Scene) -> bool:
    """Of a turn that Bruno began."""
    face = at.mine_of("takes").data[0]
    before = at.before.state
    return before.turn % 2 == 0 and face in before.row and at.named == [face]


def _zone(at: Scene) -> bool:
    before, after = count(at.mine_before), count(at.mine)
    figures = [after.zone, 2, 2 * after.zone]
    spoken = [colour for colour in after.colours if at.says(f"({at.narrator.colour(colour)})")]
    told = at.numbers in ([after.zone, *figures], [after.zone, 2, *figures])
    return after.zone > before.zone and bool(spoken) and told


def _spirals(at: Scene) -> bool:
    """It is one of mine, and gave less, or was not there."""
    specials = {colour_of(face) for face in ups(at.mine).values() if is_special(face)}
    had = {colour_of(face) for face in ups(at.mine_before).values() if is_special(face)}
    [colour] = [one for one in specials if at.says(f"({at.narrator.colour(one)})")]
    before = len(like(at.mine_before, colour)) if colour in had else 0
    return at.numbers == [len(like(at.mine, colour))] and at.numbers[0] > before


# The end.


def _names_fillers(at: Scene) -> bool:
    beginning = at.text.split(".")[0]
    return [seat for seat in (ME, BRUNO) if at.narrator.name(seat) in beginning] == at.fillers


def _full(at: Scene) -> bool:
    taken = [sum(card is not None for both in area for card in both) for area in at.state.areas]
    return (
        isinstance(at.state.need, Done)
        and bool(at.fillers)
        and _names_fillers(at)
        and at.numbers == [taken[ME]] == [taken[BRUNO]]
    )


def _nearly(at: Scene) -> bool:
    [full] = at.fillers
    other = BRUNO if full == ME else ME
    waiting = not isinstance(at.state.need, Done) and at.state.order[0] == other
    return waiting and _names_fillers(at) and at.narrator.name(other) in at.text.split(".")[1]


def _score(at: Scene) -> bool:
    mine = count(at.mine)
    [event] = [event for event in at.events("scores") if event.seat == ME]
    figures = [mine.points, mine.validated, mine.symbols, 2 * mine.zone]
    return event.data[0] == mine.points and at.numbers == figures


def _waiting(at: Scene) -> bool:
    alone = {up for up, down in at.mine if down is None and up is not None}
    return len(at.named) == len(alone) > 0 and {*at.named} == alone


CLAIMS: Claims[Scene] = {
    # The beginning.
    "welcome": lambda at: at.names(BRUNO) and at.numbers == [1, len(at.mine)],
    "joined": _joined,
    "places": lambda at: at.numbers == [1, 3, 4, 6, 7, 9],
    "symbols": rule,
    "validated": _validated,
    "aim": rule,
    # Before a card is taken.
    "draft": lambda at: _draft(at) and at.numbers == [len(at.state.row)],
    "begins": _draft,
    "number": _number,
    "you_begin": _you_begin,
    "they_begin": _they_begin,
    "stand": _stand,
    "second": _second,
    "third": _third,
    "covers": _covers,
    "special": _special,
    "multicolour": _multicolour,
    # Before it is placed.
    "choose": _choose,
    "lay": _lay,
    "try": _try,
    # What happened.
    "left_for_me": _left_for_me,
    "up": _up,
    "over": _over,
    "kept": _kept,
    "laid": _laid,
    "zone": _zone,
    "spirals": _spirals,
    "full": _full,
    "nearly": _nearly,
    # The end.
    "score": _score,
    "waiting": _waiting,
    "worth": lambda at: at.numbers == [2, 1, 3, 2, 4, 3],
    "rounds": rule,
    "more": rule,
}

SCENE = Scene
