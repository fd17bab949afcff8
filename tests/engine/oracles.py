"""Scores once more, from the record of needs and outcomes alone, by other means than the rules'.

An oracle reads what was asked and answered in finished rounds, and gives a row of points for each
of them. It never looks at a state.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import Any

from engine import limits
from engine.game import Game
from engine.moves import Outcome
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Seat, Shuffle, Slot
from p2pfruit.conformance.oracle import Oracle, Record, Row
from tests.engine.frutopia.oracle import frutopia


def rounds(record: Record) -> Iterator[list[tuple[Any, Outcome]]]:
    """The record cut at each new deck."""
    starts = [at for at, (need, _) in enumerate(record) if isinstance(need, Shuffle)]
    for start, end in pairwise([*starts, len(record)]):
        yield list(record[start:end])


def to_the_left(start: Seat) -> list[Seat]:
    return [*range(start, limits.SEATS_MOST), *range(start)]


# Fruitoplay, and Punnet, its cut-down sister.

FRUITS = ("banana", "strawberry", "fig", "apple")


def fruit(face: Face) -> str:
    return face.partition("-")[0]


def number(face: Face) -> int:
    return int(face.partition("-")[2])


def worths(tables: Mapping[str, Any]) -> dict[Face, int]:
    """What each card counts, straight from the content."""
    kinds = {"single": 1, "double": 2, "rotten": 0}
    return {
        f"{fruit}-{number}": kinds[kind]
        for fruit, lists in tables["cards"].items()
        for kind, numbers in lists.items()
        for number in numbers
    }


def best(target: Face, played: Mapping[Seat, Face], ties: str) -> Seat | None:
    """Who wins the trick: each pair that ties is struck out, then the best of the rest is taken."""

    def rank(seat: Seat) -> tuple[bool, int]:
        return fruit(played[seat]) != fruit(target), abs(number(played[seat]) - number(target))

    def tie(one: Seat, two: Seat) -> bool:
        return rank(one)[1] == rank(two)[1] if ties == "all" else rank(one) == rank(two)

    void = {seat for pair in combinations(played, 2) if tie(*pair) for seat in pair}
    return min((seat for seat in played if seat not in void), key=rank, default=None)


def ways(
    cards: Iterable[Face], worth: Mapping[Face, int], collective: str = "", extra: int = 0
) -> dict[tuple[str, ...], int]:
    """Every way to cancel rotten fruit, as the words of the move, with the points it leads to."""
    columns = {name: Counter[int]() for name in FRUITS}
    for face in cards:
        columns[fruit(face)][worth[face]] += 1
    if collective:
        columns[collective][extra] += 1
    choices: list[list[tuple[str, int]]] = []
    for name, column in columns.items():
        total = column[1] + 2 * column[2]
        lost = [worth for worth in (1, 2) if column[worth]] if column[0] else []
        if len(lost) == 2:
            choices.append([(f"{name}-1", total - 1), (f"{name}-2", total - 2)])
        else:
            choices.append([("", total - sum(lost))])
    found = {}
    for way in product(*choices):
        counting = [total for _, total in way if total]
        words = tuple(word for word, _ in way if word)
        found[words] = max(counting) * min(counting) if counting else 0
    return found


class FruitoplayRound:
    """What happened in a round; a method for each need whose answer matters."""

    def __init__(self, ties: str) -> None:
        self.ties = ties
        self.owner: dict[Slot, Seat] = {}
        self.held: dict[Seat, list[Face]] = {}
        self.targets: list[Face] = []
        self.winner: Seat | None = None
        self.collective_fruit = ""
        self.words: dict[Seat, tuple[str, ...]] = {}

    def river(self, need: Deal, outcome: Outcome) -> None:
        self.owner = dict(need.cards)
        self.held = {seat: [] for seat in self.owner.values() if seat != EVERYONE}
        self.targets = list(outcome.faces)

    def collective(self, need: Choose, outcome: Outcome) -> None:
        self.collective_fruit = outcome.moves[0].words[0]

    def collective_lot(self, need: Lot, outcome: Outcome) -> None:
        self.collective_fruit = FRUITS[outcome.lots[0]]

    def card(self, need: Choose, outcome: Outcome) -> None:
        target = self.targets.pop()
        played = dict(zip(need.seats, outcome.faces, strict=True))
        self.winner = best(target, played, self.ties)
        if self.winner is not None:
            self.held[self.winner] += [*outcome.faces, target]

    def draw(self, need: Deal, outcome: Outcome) -> None:
        self.owner |= need.cards

    def last_draw(self, need: Choose, outcome: Outcome) -> None:
        wishes = dict(zip(need.seats, map(str, outcome.moves), strict=True))
        for seat in to_the_left(0 if self.winner is None else self.winner + 1):
            if wishes.get(seat) == "draw":
                self.owner[max(self.owner) + 1] = seat

    def lay(self, need: Deal, outcome: Outcome) -> None:
        for (slot, _), face in zip(need.cards, outcome.faces, strict=True):
            self.held[self.owner[slot]].append(face)

    def rotten(self, need: Choose, outcome: Outcome) -> None:
        for seat, move in zip(need.seats, outcome.moves, strict=True):
            self.words[seat] = move.words

    def points(self, seat: Seat, worth: Mapping[Face, int], extra: int) -> int:
        if seat not in self.held:
            return 0
        found = ways(self.held[seat], worth, self.collective_fruit, extra)
        asked = seat in self.words
        assert asked == (len(set(found.values())) > 1), "asked if, and only if, it matters"
        return found[self.words[seat]] if asked else min(found.values())


def fruitoplay(game: Game[Any], seats: int, record: Record) -> list[Row]:
    worth = worths(game.content.tables)
    rows: list[Row] = []
    for part in rounds(record):
        played = FruitoplayRound(game.chosen["ties"])
        for need, outcome in part[1:]:
            getattr(played, need.what)(need, outcome)
        rows.append(tuple(played.points(seat, worth, len(rows)) for seat in range(seats)))
    return rows


# Brambles.


def brambles(game: Game[Any], seats: int, record: Record) -> list[Row]:
    rows = []
    for part in rounds(record):
        scores = dict.fromkeys(range(seats), 0)
        trump, jar = "", 0
        trick: dict[Seat, Face] = {}
        players = 0
        for need, outcome in part:
            match need.what:
                case "hands":
                    players = len({seat for _, seat in need.cards})
                case "trump":
                    trump = ("raspberry", "blackberry", "blueberry")[outcome.lots[0]]
                case "jar":
                    jar = number(outcome.faces[0])
                    trick = {}
                case "play":
                    trick[need.seats[0]] = outcome.faces[0]
            if len(trick) == players and need.what == "play":
                led = fruit(next(iter(trick.values())))
                suit = trump if trump in map(fruit, trick.values()) else led
                heights = {s: number(face) for s, face in trick.items() if fruit(face) == suit}
                winner = next(s for s in heights if heights[s] == max(heights.values()))
                scores[winner] += jar
        rows.append(tuple(scores.values()))
    return rows


# Tindahan.


def tindahan_trick(turns: Sequence[tuple[Seat, str, Face]], trump: str) -> Seat:
    """Who wins: the highest card of the trump if there is one, else of the fruit played first."""
    cards = [(seat, face) for seat, verb, face in turns if verb == "play"]
    fruits = [fruit(face) for _, face in cards]
    counts = trump if trump in fruits else fruits[0]
    heights = {number(face): seat for seat, face in cards if fruit(face) == counts}
    return heights[max(heights)]


def tindahan_stall(counts: Mapping[Seat, int], trump: bool) -> Counter[Seat]:
    """Prizes are laid out place by place, and each is shared by all who reach that far."""
    prizes = [6, 3] if trump else [5, 2]
    found: Counter[Seat] = Counter()
    at = 0
    for level in sorted({count for count in counts.values() if count}, reverse=True):
        equal = [seat for seat, count in counts.items() if count == level]
        share = sum(prizes[at : 2 if len(equal) > 1 or at else 1]) // len(equal)
        for seat in equal:
            found[seat] += share
        at += len(equal)
        if at >= 2:
            break
    return found


def tindahan(game: Game[Any], seats: int, record: Record) -> list[Row]:
    rows: list[Row] = []
    donkey = "banana"
    for part in rounds(record):
        stalls = {fruit(face) for face in part[0][0].piles[0]}
        if game.chosen["donkey"] == "bananas" or donkey not in stalls:
            donkey = "banana"
        hands = Counter(seat for _, seat in part[1][0].cards)
        players = len(hands)
        points: Counter[Seat] = Counter(dict.fromkeys(hands, 0))
        active: set[Seat] = set()  # with a vendor or a trick
        vendors: dict[str, Counter[Seat]] = {name: Counter() for name in stalls}
        asked = [(need.seats[0], outcome) for need, outcome in part[2:]]
        for start in range(0, len(asked), players):
            turns = []
            led = ""
            for seat, outcome in asked[start : start + players]:
                [move] = outcome.moves
                face = "".join(outcome.faces)
                hands[seat] -= len(outcome.faces)
                if move.verb == "donkey":
                    [donkey] = move.words
                elif move.verb == "vendor":
                    vendors[fruit(face) or led][seat] += 1
                    active.add(seat)
                led = led or (fruit(face) if move.verb == "play" else "")
                turns.append((seat, move.verb, face))
            winner = tindahan_trick(turns, donkey)
            points[winner] += 2
            active.add(winner)
        for name, counts in vendors.items():
            points.update(tindahan_stall(counts, name == donkey))
        points.subtract(hands)
        best = max(points[seat] for seat in active)
        for seat in set(hands) - active:
            points[seat] = max(points[seat], best)
        rows.append(tuple(points[seat] for seat in range(seats)))
    return rows


# Bastos.


def bastos_trick(
    trick: Mapping[Seat, Face], own: Mapping[Seat, str], trumps: Collection[Seat]
) -> Seat | None:
    """Who wins: cards of a player's own Bastos are struck out, then trumps and the fruit led."""
    led = fruit(next(iter(trick.values())))
    left = {seat: face for seat, face in trick.items() if fruit(face) != own[seat]}
    following = [seat for seat, face in left.items() if fruit(face) == led]
    for group in ([seat for seat in left if seat in trumps], following):
        if group:
            return max(group, key=lambda seat: number(left[seat]))
    return None


def bastos(game: Game[Any], seats: int, record: Record) -> list[Row]:
    rows: list[Row] = []
    for part in rounds(record):
        own: dict[Seat, str] = {}
        price: Counter[str] = Counter()
        trump = ""
        trick: dict[Seat, Face] = {}
        trumps: list[Seat] = []  # whose card was trump when it was played
        tricks: list[tuple[dict[Seat, Face], list[Seat]]] = []
        for need, outcome in part:
            match need.what:
                case "bastos":
                    own = dict(zip(need.seats, map(fruit, outcome.faces), strict=True))
                    price.update(own.values())
                    price = Counter({name: min(3, raised) for name, raised in price.items()})
                case "card":
                    [move], [face] = outcome.moves, outcome.faces
                    trick[need.seats[0]] = face
                    if move.words:
                        trump = fruit(face)
                        price[trump] = max(-2, price[trump] - 2)
                        if game.chosen["declared"] == "whole-trick":
                            earlier = [seat for seat in trick if seat != need.seats[0]]
                            trumps += [seat for seat in earlier if fruit(trick[seat]) == trump]
                    if fruit(face) == trump:
                        trumps.append(need.seats[0])
                    if len(trick) == len(own):
                        tricks.append((trick, trumps))
                        trick, trumps = {}, []
                case "price":
                    [move] = outcome.moves
                    for name in move.words:
                        price[name] += {"raise": 1, "lower": -1}[move.verb]
                        assert -2 <= price[name] <= 3
        row = [0] * seats
        for cards, ruling in tricks:
            winner = bastos_trick(cards, own, ruling)
            if winner is not None:
                row[winner] += sum(price[fruit(face)] for face in cards.values())
        rows.append(tuple(row))
    return rows


# Pixies.

PIXIES_COLOURS = ("blue", "green", "yellow", "red")


class PixiesRound:
    """A round once more, with what lies up and what lies down in two heaps for each seat. Forced
    cards are not in the record: they are found by playing along."""

    def __init__(self, players: Sequence[Seat], starter: Seat) -> None:
        self.players = players
        self.next = starter
        self.queue: list[Seat] = []
        self.open: list[Face] = []
        self.up: dict[Seat, dict[int, Face]] = {seat: {} for seat in players}
        self.down: dict[Seat, set[int]] = {seat: set() for seat in players}
        self.pending: Face = ""

    def row(self, need: Deal, outcome: Outcome) -> None:
        assert not self.queue
        assert not self.filled(), "a full area has ended the round"
        around = [seat for seat in to_the_left(self.next) if seat in self.players]
        self.queue = around * 2 if len(around) == 2 else around
        self.open = list(outcome.faces)
        assert len(self.open) == len(self.queue)
        self.go_on()

    def take(self, need: Choose, outcome: Outcome) -> None:
        assert need.seats == (self.queue[0],)
        self.get(outcome.moves[0].words[0])
        self.go_on()

    def keep(self, need: Choose, outcome: Outcome) -> None:
        seat = self.queue.pop(0)
        assert need.seats == (seat,)
        kept = outcome.moves[0].words[0]
        place = int(kept.split("-")[1])
        assert kept in (self.pending, self.up[seat][place])
        self.up[seat][place] = kept
        self.down[seat].add(place)
        self.done(seat)

    def lay(self, need: Choose, outcome: Outcome) -> None:
        seat = self.queue.pop(0)
        assert need.seats == (seat,)
        self.down[seat].add(int(outcome.moves[0].words[0]))
        self.done(seat)

    def get(self, face: Face) -> None:
        """Placed where there is no choice; else it waits for one."""
        self.open.remove(face)
        self.pending = face
        seat, place = self.queue[0], int(face.split("-")[1])
        free = set(range(1, 10)) - self.up[seat].keys() - self.down[seat]
        if place not in self.up[seat]:
            self.up[seat][place] = face
        elif place in self.down[seat] and len(free) == 1:
            self.down[seat] |= free
        else:
            return
        self.queue.pop(0)
        self.done(seat)

    def done(self, seat: Seat) -> None:
        self.pending, self.next = "", seat
        if len(self.players) == 2 and len(self.queue) == 2 and self.filled():
            self.queue, self.open = [], []
        self.go_on()

    def go_on(self) -> None:
        if len(self.open) == 1 and not self.pending:
            self.get(self.open[0])

    def filled(self) -> bool:
        return any(len(self.up[seat].keys() | self.down[seat]) == 9 for seat in self.players)

    def points(self, seat: Seat, worth: int) -> int:
        up = {place: face.split("-") for place, face in self.up[seat].items()}
        total = sum(set(up) & self.down[seat])
        for colour, _, symbols in up.values():
            if symbols == "star":
                total += sum(other[0] in (colour, "multicolour") for other in up.values())
            elif symbols != "plain":
                total += int(symbols.replace("plus", "+").replace("minus", "-"))
        return total + worth * max(
            pixies_zone({place for place, card in up.items() if card[0] in (one, "multicolour")})
            for one in PIXIES_COLOURS
        )


def pixies_zone(places: set[int]) -> int:
    """Of a colour's places the largest group that hangs together: islands are joined in pairs."""
    islands = [{place} for place in places]
    for low, high in product(places, repeat=2):
        side = high - low == 3 or (high - low == 1 and low % 3)
        one = next(island for island in islands if low in island)
        two = next(island for island in islands if high in island)
        if side and one is not two:
            islands.remove(two)
            one |= two
    most = max(map(len, islands), default=0)
    return most if most > 1 else 0


def pixies(game: Game[Any], seats: int, record: Record) -> list[Row]:
    rows: list[Row] = []
    last: Seat | None = 0
    for part in rounds(record):
        asked = [need.seats[0] for need, _ in part if isinstance(need, Choose)]
        players = sorted(set(asked))
        begins = next(seat for seat in to_the_left(last or 0) if seat in players)
        assert asked[0] == begins, "whoever played last begins, or the next to the left"
        played = PixiesRound(players, begins)
        for need, outcome in part[1:]:
            getattr(played, need.what)(need, outcome)
        deals = sum(isinstance(need, Deal) for need, _ in part)
        short = 70 - deals * len(part[1][1].faces) < len(part[1][1].faces)
        assert not played.queue
        assert played.filled() or short, "somebody is full, or the pile is short"
        worth = len(rows) + 2
        rows.append(
            tuple(played.points(seat, worth) if seat in players else 0 for seat in range(seats))
        )
        last = played.next
    return rows


def last_round(rows: Sequence[Row], seat: Seat) -> Row:
    """Break a tie of totals by the points of the last round."""
    return (rows[-1][seat],) if rows else ()


def later_seat(_rows: Sequence[Row], seat: Seat) -> Row:
    """Break a tie of totals by the order of turns: the later seat is ahead."""
    return (seat,)


ORACLES = {
    "fruitoplay": Oracle(fruitoplay, tie_break=last_round),
    "tindahan": Oracle(tindahan),
    "bastos": Oracle(bastos),
    "pixies": Oracle(pixies),
    # No card is closed, so the round goes on without the players who leave.
    "frutopia": Oracle(frutopia, tie_break=later_seat, goes_on=True),
    "punnet": Oracle(fruitoplay, tie_break=last_round),
    "brambles": Oracle(brambles),
}
