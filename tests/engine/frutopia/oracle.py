"""Frutopia once more, from the record of needs and outcomes and the content's bare tables.

The island is a dictionary of coordinates, fruits are counters, moves are texts. What leaves no
choice is not in the record, so the whole game is played along: for every question the answers are
found anew, and the record must ask exactly where there are two of them.
"""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from itertools import product
from typing import Any

from engine.game import Game
from engine.moves import Outcome
from engine.needs import Choose, Need, Seat

FRUITS = ("banana", "lime", "pomegranate", "orange", "mangosteen")
SHOPS = ("deck-chairs", "catering", "tourist-office", "lemonade-seller")
DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0))
BEACHES = ["b1 c1 d1", "e2 e3 e4", "d5 c5 b5", "a4 a3 a2"]
PONDS = ["b2", "d2", "c3", "b4", "d4"]

Cell = tuple[str, int]
Asking = Generator[tuple[str, list[str]], str, None]  # questions with their answers
EVERY = [(letter, number) for number in range(1, 6) for letter in "abcde"]


def cell(text: str) -> Cell:
    return text[0], int(text[1])


def beside(at: Cell, right: int, down: int) -> Cell:
    return chr(ord(at[0]) + right), at[1] + down


def fruits(entry: Mapping[str, Any]) -> Counter[str]:
    return Counter({name: count for name, count in entry.items() if name in FRUITS})


class Box:
    """What the content says, by name."""

    def __init__(self, game: Game[Any]) -> None:
        tables = game.content.tables
        self.ships = {
            f"{bag}-{number}": ship
            for bag in ("green", "orange")
            for number, ship in enumerate(tables["ships"][bag], 1)
        }
        self.rows = tables["rows"]
        self.buildings = tables["buildings"] | tables["plans"]
        self.mixed = tables["mixed"]
        self.carts = {
            f"cart-{colour}-{number}": colour
            for colour, count in tables["carts"].items()
            for number in range(1, count + 1)
        }
        self.recipes = tables["recipes"]
        self.piles = {f"{pile['colour']}-{pile['points']}": pile for pile in tables["piles"]}
        self.catering = tables["catering"]["tokens"]
        self.track = tables["track"]
        self.places = tables["factory"]["places"]
        self.arrows = tables["factory"]["arrows"]
        small = ("tower", "museum", "observatory")
        large = ("zip-lines", "diving-club", "spa", "crocodile-farm", "aviary", "eco-hotel")
        self.tokens = [*small, *large, *SHOPS, *self.mixed, *self.carts]

    def circles(self, place: str) -> dict[str, int]:
        points = self.places[place]["points"]
        if len(points) == 1:
            return {place: points[0]}
        return {f"{place}-{number}": worth for number, worth in enumerate(points, 1)}

    def shapes(self, name: str) -> list[set[tuple[int, int]]]:
        """The four ways to turn it."""
        lines = self.buildings.get(name, {}).get("shape", ["x"])
        found = []
        for _ in range(4):
            found.append(
                {(x, y) for y, line in enumerate(lines) for x, s in enumerate(line) if s == "x"}
            )
            lines = ["".join(line[at] for line in reversed(lines)) for at in range(len(lines[0]))]
        return found


class Player:
    def __init__(self) -> None:
        self.island: dict[Cell, str] = {}
        self.stock: Counter[str] = Counter()
        self.discs: list[str] = []
        self.points = 0


class Along:
    """The table, played along."""

    def __init__(self, game: Game[Any], seats: int, record: Sequence[tuple[Need, Outcome]]) -> None:
        self.box = Box(game)
        self.chosen = game.chosen
        self.record = list(record)
        self.seated = list(range(seats))
        self.players = [Player() for _ in range(seats)]
        self.rows: list[tuple[int, ...]] = []
        self.asked: list[list[str]] = []  # all the answers to each question of a turn

    def leaving(self) -> bool:
        """Takes those away who leave here together; whether somebody did."""
        if not self.record or self.record[0][0].what != "leave":
            return False
        need, _ = self.record.pop(0)
        assert isinstance(need, Choose)
        self.seated = [seat for seat in self.seated if seat not in need.seats]
        return True

    def those_who_leave(self) -> None:
        while self.leaving():
            pass

    def over(self) -> bool:
        return len(self.seated) < 2

    def take(self, what: str, *seats: Seat) -> Outcome:
        need, outcome = self.record.pop(0)
        assert need.what == what
        assert not isinstance(need, Choose) or need.seats == seats
        return outcome

    # Set-up.

    def set_up(self) -> None:
        self.those_who_leave()
        bags: dict[Seat, str] = {}
        if not self.over() and self.chosen["ships"] == "two-bags":
            outcome = self.take("bag", *self.seated)
            bags = {s: move.words[0] for s, move in zip(self.seated, outcome.moves, strict=True)}
            self.those_who_leave()
        if self.over():
            return
        lots = iter(self.take("set_up").lots)
        here = self.seated
        lemonade = self.chosen["factory"] == "with"
        left = [name for name in self.box.tokens if lemonade or name != "lemonade-seller"]
        self.market = [[left.pop(next(lots)) for _ in here] for _ in range(5)]
        for seat in here:
            fruit = list(FRUITS)
            for pond in PONDS:
                self.players[seat].island[cell(pond)] = fruit.pop(next(lots) if fruit[1:] else 0)
        shore = " ".join(BEACHES).split()
        whole = [f"{bag}-{n}" for bag in ("green", "orange") for n in range(1, 26)]
        halves = {bag: [name for name in whole if bag in name] for bag in ("green", "orange")}
        for seat in here:
            if self.chosen["ships"] == "one-bag":
                order = [(at, whole) for at in shore]
            else:
                first = bags[seat]
                [other] = set(halves) - {first}
                order = [(at, halves[first]) for at in shore[::2]]
                order += [(at, halves[other]) for at in shore[1::2]]
            for at, bag in order:
                self.players[seat].island[cell(at)] = bag.pop(next(lots))
        for seat, player in enumerate(self.players):
            player.discs = [f"start-{seat + 1}"] * 2
        self.ices = {name: pile["markers"] for name, pile in self.box.piles.items()}
        self.shakes = 4
        self.permit = self.box.track[{2: "two", 3: "three", 4: "four"}[len(here)]]

    # The game.

    def play(self) -> list[tuple[int, ...]]:
        self.set_up()
        quiet = 0
        while not self.over():
            before, points = self.permit, [player.points for player in self.players]
            for seat in range(len(self.players)):
                if seat in self.seated and not self.over():
                    self.turn(seat)
            if self.over():
                break
            self.rows.append(
                tuple(p.points - was for p, was in zip(self.players, points, strict=True))
            )
            quiet = quiet + 1 if before == self.permit else 0
            ending = self.permit if self.chosen["ending"] == "this-round" else before
            if ending <= 0 or str(quiet) == self.chosen["standstill"]:
                here = [s in self.seated for s in range(len(self.players))]
                self.rows.append(tuple(self.shops(s) if is_ else 0 for s, is_ in enumerate(here)))
                break
        assert not self.record
        return self.rows

    def turn(self, seat: Seat) -> None:
        """Each part of a turn yields its answers; it goes on with the one that was given."""
        questions = self.questions(self.players[seat])
        asked = next(questions)
        while True:
            what, answers = asked
            if len(answers) == 1:
                [answer] = answers
            elif self.leaving():
                if self.over() or seat not in self.seated:
                    return
                continue
            else:
                self.asked.append(sorted(answers))
                answer = str(self.take(what, seat).moves[0])
                assert answer in answers, f"{answer} is not in {answers}"
            try:
                asked = questions.send(answer)
            except StopIteration:
                return

    def questions(self, player: Player) -> Asking:
        slides = self.slides(player)
        if slides:
            answer = yield "slide", sorted(slides)
            name, start, target, far = slides[answer]
            player.island[target] = player.island.pop(start)
            if name in FRUITS:
                player.stock[name] += far
            elif name in self.box.mixed:
                yield from self.picking("pick", player, name, far + 1)
            else:
                yield from self.making(player, self.box.carts[name], far)
        yield from self.trading(player)
        if self.chosen["factory"] == "with":
            yield from self.advancing(player)

    def slides(self, player: Player) -> dict[str, tuple[str, Cell, Cell, int]]:
        found = {}
        for start, name in player.island.items():
            if name not in (*FRUITS, *self.box.mixed, *self.box.carts):
                continue
            for direction in DIRECTIONS:
                at, far = beside(start, *direction), 1
                while at in EVERY and at not in player.island:
                    found[f"slide {name} {at[0]}{at[1]}"] = (name, start, at, far)
                    at, far = beside(at, *direction), far + 1
        return found

    def picking(self, what: str, player: Player, name: str, count: int) -> Asking:
        ways = {}
        for picked in product(self.box.mixed[name], repeat=count):
            basket = Counter(picked)
            words = [f"{fruit}-{basket[fruit]}" for fruit in self.box.mixed[name] if basket[fruit]]
            ways[" ".join(["pick", *words])] = basket
        answer = yield what, sorted(ways)
        player.stock += ways[answer]

    def making(self, player: Player, colour: str, count: int) -> Asking:
        for _ in range(count):
            ways: dict[str, tuple[Counter[str], int]] = {}
            for name, pile in self.box.piles.items():
                recipe = fruits(self.box.recipes[colour])
                if pile["colour"] == colour and self.ices[name] > 0 and recipe <= player.stock:
                    ways[f"ice {name}"] = recipe, pile["points"]
            for fruit in FRUITS:
                if self.shakes > 0 and player.stock[fruit] > 1:
                    ways[f"shake {fruit}"] = Counter({fruit: 2}), 3
            answer = yield "make", [*ways, "stop"]
            if answer == "stop":
                return
            cost, points = ways[answer]
            player.stock -= cost
            player.points += points
            verb, name = answer.split()
            if verb == "shake":
                self.shakes -= 1
                self.permit -= self.shakes == 0
            else:
                self.ices[name] -= 1
                self.permit -= self.ices[name] == 0

    def trading(self, player: Player) -> Asking:
        answers = ["pass"]
        for at, name in player.island.items():
            if name in self.box.ships and fruits(self.box.ships[name]) <= player.stock:
                answers.append(f"ship {at[0]}{at[1]}")
        for row, names in zip(self.box.rows, self.market, strict=True):
            if fruits(row) <= player.stock:
                answers += [f"take {name}" for name in names if self.places_for(player, name)]
        answer = yield "trade", answers
        verb, _, word = answer.partition(" ")
        if verb == "ship":
            ship = self.box.ships[player.island.pop(cell(word))]
            player.stock -= fruits(ship)
            player.points += ship["points"]
        elif verb == "take":
            [row] = [
                row for row, names in zip(self.box.rows, self.market, strict=True) if word in names
            ]
            for names in self.market:
                if word in names:
                    names.remove(word)
            player.stock -= fruits(row)
            self.permit -= 1
            player.points += row["points"]
            answer = yield "place", self.places_for(player, word)
            for covered in answer.split()[1:]:
                player.island[cell(covered)] = word
            player.points += self.box.buildings.get(word, {}).get("points", 0)
            if word in self.box.mixed:
                yield from self.picking("gain", player, word, 1)

    def places_for(self, player: Player, name: str) -> list[str]:
        free = [at for at in EVERY if at not in player.island]
        found = set()
        for shape in self.box.shapes(name):
            for corner in EVERY:
                cells = {beside(corner, x, y) for x, y in shape}
                if cells <= set(free):
                    found.add(" ".join(f"{x}{y}" for x, y in EVERY if (x, y) in cells))
        return sorted(f"place {cells}" for cells in found)

    def advancing(self, player: Player) -> Asking:
        waiting = list(player.discs)
        together = waiting[0] == waiting[1]
        while waiting:
            ways: dict[str, tuple[dict[str, Any], str, str]] = {}
            for start, arrow in product(set(waiting), self.box.arrows):
                if (
                    start.partition("-")[0] == arrow["from"]
                    and fruits(arrow["cost"]) <= player.stock
                ):
                    for target in self.enterable(player, arrow["to"]):
                        if together and len(waiting) == 1 and target in player.discs:
                            continue  # together it would have cost once
                        ways[f"advance {start} {target}"] = arrow, start, target
                        if together and len(waiting) == 2:
                            ways[f"advance {start} {target} both"] = arrow, start, target
            answer = yield "advance", [*ways, "stay"]
            if answer == "stay":
                return
            arrow, start, target = ways[answer]
            player.stock -= fruits(arrow["cost"])
            if target not in player.discs:
                player.points += self.box.circles(arrow["to"])[target]
                self.permit -= self.box.places[arrow["to"]].get("last", 0)
            for _ in range(2 if answer.endswith("both") else 1):
                waiting.remove(start)
                player.discs.remove(start)
                player.discs.append(target)

    def enterable(self, player: Player, place: str) -> list[str]:
        """One circle for each number of points: the first that is free of others."""
        circles = self.box.circles(place)
        mine = [circle for circle in circles if circle in player.discs]
        others = [disc for other in self.players if other is not player for disc in other.discs]
        free = [circle for circle in circles if circle not in others]
        worths = {circles[circle]: circle for circle in free[::-1]}
        return mine or list(worths.values())

    def shops(self, seat: Seat) -> int:
        player = self.players[seat]
        have = set(player.island.values())
        points = 0
        if "deck-chairs" in have:
            for beach in BEACHES:
                points += 4 * all(
                    player.island.get(cell(c)) not in self.box.ships for c in beach.split()
                )
        if "catering" in have:
            points += 4 * len(have & set(self.box.catering))
        if "tourist-office" in have:
            points += sum(
                self.box.buildings[name]["stars"] for name in have & set(self.box.buildings)
            )
        if "lemonade-seller" in have:
            points += sum(
                self.box.places[disc.partition("-")[0]]["bottle"] for disc in player.discs
            )
        return points


def frutopia(
    game: Game[Any], seats: int, record: Sequence[tuple[Need, Outcome]]
) -> list[tuple[int, ...]]:
    return Along(game, seats, record).play()
