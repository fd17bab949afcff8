"""What the remarks of Bastos' teacher claim."""

import re

from engine.bastos import Bastos
from engine.bastos.rules import Market
from engine.moves import Move
from engine.needs import Face, Seat
from p2pfruit.games.bastos.narrator import BastosNarrator
from tests.p2pfruit.lessons.claims import ME, Claims, Said, fruit_of, number_of, rule

FRUITS = ("banana", "mango", "pineapple", "durian", "lanzones")
SEATS = (0, 1, 2)
TRICKS = 11


class Scene(Said[Market]):
    game: Bastos
    narrator: BastosNarrator

    @property
    def signed(self) -> list[int]:
        """All figures with a sign."""
        return [int(figure) for figure in re.findall(r"[+-]\d+", self.text)]

    def fruits(self, *names: str) -> bool:
        """These are named, and no others."""
        others = [fruit for fruit in FRUITS if fruit not in names]
        return self.says(*map(self.narrator.fruit, names)) and not any(
            self.says(self.narrator.fruit(fruit)) for fruit in others
        )

    def names(self, *seats: Seat) -> bool:
        """Of the others these are named, and nobody else."""
        others = {1, 2} - set(seats)
        return self.says(*map(self.narrator.name, seats)) and not any(
            self.says(self.narrator.name(seat)) for seat in others
        )

    def cards(self, *faces: Face) -> bool:
        """These are named, and no others."""
        every = {f"{fruit}-{number}" for fruit in FRUITS for number in range(1, 10)}
        said = {face for face in every if self.says(self.narrator.card(face))}
        return said == set(faces)

    def price(self, fruit: str) -> int:
        return self.state.prices[FRUITS.index(fruit)]

    def weak(self, seat: Seat) -> str:
        """The fruit with which it cannot win."""
        return fruit_of(self.state.bastos[seat])

    @property
    def free(self) -> list[str]:
        """The fruits that are nobody's Bastos."""
        weak = {self.weak(seat) for seat in SEATS}
        return [f for f in FRUITS if f not in weak and f != self.state.removed]

    def won(self, seat: Seat, fruit: str) -> int:
        return sum(fruit_of(face) == fruit for face in self.state.won[seat])

    def whose(self, verb: str, *words: str) -> list[Face]:
        """The cards of my hand with which this can be done."""
        moves = [move for move in self.view.moves() if (move.verb, move.words) == (verb, words)]
        return [self.view.known[move.cards[0]] for move in moves]

    # The trick that is over.

    @property
    def played(self) -> dict[Seat, Face]:
        """What lay there in the step before, and what came then. To the right: 0, 2, 1."""
        leader = self.before.state.leader
        there = dict(zip([leader, (leader + 2) % 3], self.before.state.trick, strict=False))
        later = {e.seat: str(e.data[0]) for e in self.events("plays") if e.seat is not None}
        return there | later

    @property
    def led(self) -> str:
        return fruit_of(next(iter(self.played.values())))

    @property
    def trumps(self) -> dict[Seat, Face]:
        """Those that count: who declares trump plays the first."""
        trump, since = self.before.state.trump, self.before.state.since
        if declared := self.events("trump"):
            trump = str(declared[0].data[0])
            seats: list[Seat | None] = [*self.played]
            since = seats.index(declared[0].seat)
        late = list(self.played.items())[since:]
        return {seat: face for seat, face in late if fruit_of(face) == trump}

    @property
    def winner(self) -> Seat | None:
        follows = {s: f for s, f in self.played.items() if fruit_of(f) == self.led}
        for cards in (self.trumps, follows):
            weak = self.before.state.bastos
            able = [seat for seat in cards if fruit_of(cards[seat]) != fruit_of(weak[seat])]
            if able:
                return max(able, key=lambda seat: number_of(cards[seat]))
        return None

    @property
    def worth(self) -> int:
        return sum(self.price(fruit_of(face)) for face in self.played.values())

    def proved(self, seat: Seat) -> bool:
        """Whether claims of this round have shown that no card of a hand is of the fruit led."""
        about = [c for c in self.state.claims if {fruit_of(face) for face in c.faces} == {self.led}]
        hand = set(self.state.hands[seat])
        return bool(hand) and hand <= {slot for claim in about for slot in claim.slots}


# The beginning.


def _prices(at: Scene) -> bool:
    inside = [fruit for fruit in FRUITS if fruit != at.state.removed]
    listed = [(at.narrator.fruit(f), f"{at.price(f):+d}" if at.price(f) else "0") for f in inside]
    return at.fruits(*inside) and all(at.says(f"{name} {price}") for name, price in listed)


def _weaknesses(at: Scene) -> bool:
    told = [f"{at.narrator.name(seat)} {at.narrator.fruit(at.weak(seat))}" for seat in (1, 2)]
    return at.says(*told)


# Before a decision.


def _follow(at: Scene) -> bool:
    led = fruit_of(at.state.trick[0])
    mine = [face for face in at.hand if fruit_of(face) == led]
    return bool(mine) and set(at.whose("play")) == {*mine} and at.cards(*mine) and _led(at)


def _led(at: Scene) -> bool:
    """Who led, and what."""
    fruit = at.narrator.fruit(fruit_of(at.state.trick[0]))
    return at.names(at.state.leader) and at.says(fruit)


def _void(at: Scene) -> bool:
    led = fruit_of(at.state.trick[0])
    none = all(fruit_of(face) != led for face in at.hand)
    return none and set(at.whose("play")) == {*at.hand} and at.fruits(led) and _led(at)


def _own_lead(at: Scene) -> bool:
    mine = [face for face in at.hand if fruit_of(face) == at.weak(ME)]
    return not at.state.trick and bool(mine) and at.cards(*mine)


def _may_declare(at: Scene) -> bool:
    mine = [face for face in at.hand if fruit_of(face) in at.free]
    return at.cards(*mine) and {*at.whose("play", "trump")} == {*mine}


def _move(at: Scene) -> bool:
    card = at.state.trick[-1]
    led = [number_of(f) for f in at.state.trick if fruit_of(f) == fruit_of(card)]
    strongest = fruit_of(card) == fruit_of(at.state.trick[0]) and number_of(card) == max(led)
    return strongest and fruit_of(card) == at.weak(ME) and at.cards(card)


def _try(at: Scene) -> bool:
    move = at.step.suggested
    assert move is not None
    match move.verb:
        case "bastos":
            return _try_bastos(at, at.view.known[move.cards[0]])
        case "lower" | "raise":
            return _try_price(at, move)
    face, declares = at.view.known[move.cards[0]], move.words == ("trump",)
    [label] = [told for told, one in at.narrator.choices(at.view) if one == move]
    if not at.cards(face) or not at.says(label):
        return False
    if not at.state.trick:
        return fruit_of(face) == at.weak(ME)
    return _try_card(at, face, declares)


def _try_bastos(at: Scene, face: Face) -> bool:
    held = [fruit_of(other) for other in at.hand]
    fewest = min(held.count(fruit) for fruit in set(held))
    same = [other for other in at.hand if fruit_of(other) == fruit_of(face)]
    return len(same) == fewest and at.cards(*same)


def _try_price(at: Scene, move: Move) -> bool:
    [fruit] = move.words
    mine, theirs = at.won(ME, fruit), {seat: at.won(seat, fruit) for seat in (1, 2)}
    most = max(theirs.values())
    if move.verb == "raise":
        return at.fruits(fruit) and mine > most and at.figures == [mine]
    [named] = [seat for seat in theirs if at.says(at.narrator.name(seat))]
    return at.fruits(fruit) and mine == 0 and theirs[named] == most > 0 and at.figures == [most]


def _try_card(at: Scene, face: Face, declares: bool) -> bool:
    """Sure to win, or the lowest where nothing can."""
    playable = at.whose("play")
    if _takes(at, face, declares):
        return len(at.state.trick) == 2
    return face == min(playable, key=number_of) and not any(
        _takes(at, other, declares=False) for other in playable
    )


def _takes(at: Scene, face: Face, declares: bool) -> bool:
    """Whether this card of mine beats all that lies there and can win."""
    state = at.state
    if fruit_of(face) == at.weak(ME):
        return False
    players = [state.leader, (state.leader + 2) % 3]
    lying = list(zip(players, state.trick, range(len(state.trick)), strict=False))
    trump = fruit_of(face) if declares else state.trump
    since = len(state.trick) if declares else state.since

    def rank(other: Face, place: int) -> tuple[bool, bool, int]:
        is_trump = fruit_of(other) == trump and place >= since
        return is_trump, fruit_of(other) == fruit_of(state.trick[0]), number_of(other)

    mine = rank(face, len(state.trick))
    able = [(f, place) for seat, f, place in lying if fruit_of(f) != at.weak(seat)]
    return any(mine[:2]) and all(mine > rank(f, place) for f, place in able)


# After a decision.


def _their_price(at: Scene) -> bool:
    moved = next(event for event in at.events("price") if event.seat != ME)
    assert moved.seat is not None
    fruit, _step, price = moved.data
    card = at.played[moved.seat]
    return (
        fruit_of(card) == at.weak(moved.seat)
        and at.names(moved.seat)
        and at.cards(card)
        and at.says(at.narrator.fruit(str(fruit)))
        and price == at.price(str(fruit))
        and (at.signed == [price] if price else at.figures[-1] == 0)
    )


def _passed(at: Scene) -> bool:
    """The cards above the winner's, each of them of its player's Bastos."""
    assert at.winner is not None
    best = at.played[at.winner]
    higher = {
        seat: face
        for seat, face in at.played.items()
        if fruit_of(face) == fruit_of(best) and number_of(face) > number_of(best)
    }
    weak = all(fruit_of(face) == at.weak(seat) for seat, face in higher.items())
    return bool(higher) and weak and at.cards(*higher.values())


def _declared(at: Scene) -> bool:
    price = at.price(at.state.trump)
    told = at.signed == [price] if price else at.figures == [0]
    return at.state.trump in at.free and at.fruits(at.state.trump) and told


def _trumped(at: Scene) -> bool:
    assert at.winner is not None
    card = at.trumps[at.winner]
    return fruit_of(card) != at.led and at.cards(card) and at.says(at.narrator.fruit(at.led))


def _my_void(at: Scene) -> bool:
    return fruit_of(at.played[ME]) != at.led and at.proved(ME) and at.fruits(at.led)


def _their_void(at: Scene) -> bool:
    strays = [seat for seat in (1, 2) if fruit_of(at.played[seat]) != at.led]
    [seat] = [seat for seat in strays if at.names(seat)]
    return at.proved(seat) and at.cards(at.played[seat]) and at.says(at.narrator.fruit(at.led))


def _worth(at: Scene) -> bool:
    return at.signed == [at.worth] if at.worth else at.figures == [0]


def _nobody(at: Scene) -> bool:
    again = at.state.leader == at.before.state.leader
    return at.winner is None and again and at.fruits(at.led)


# The end of the round.


def _last(at: Scene) -> bool:
    turns = [
        f"{at.narrator.name(seat)} {at.narrator.card(face)}" for seat, face in at.played.items()
    ]
    if at.winner is None:
        return at.says(", ".join(turns)) and bool(at.events("nobody_wins"))
    [wins] = at.events("wins")
    end = at.text.partition(";")[2]
    return (
        at.says(", ".join(turns)) and wins.seat == at.winner and at.narrator.name(at.winner) in end
    )


def _final(at: Scene) -> dict[str, tuple[int, int]]:
    """By fruit: how many I won, and the price."""
    [event] = at.events("final_prices")
    prices = {str(f): int(str(p)) for f, p in zip(event.data[::2], event.data[1::2], strict=True)}
    won = list(at.before.state.won[ME])
    won += at.played.values() if at.winner == ME else ()
    mine = [fruit_of(face) for face in won]
    return {fruit: (mine.count(fruit), price) for fruit, price in prices.items()}


def _score(at: Scene) -> bool:
    points = sum(count * price for count, price in _final(at).values())
    return at.state.scores[0][ME] == points and at.figures == [abs(points)]


def _below(at: Scene) -> bool:
    cheap = [fruit for fruit, (count, price) in _final(at).items() if count and price < 0]
    return bool(cheap) and at.fruits(*cheap)


CLAIMS: Claims[Scene] = {
    # The beginning.
    "welcome": lambda at: at.names(1, 2),
    "joined": lambda at: (
        at.figures == [(36 - 3 - sum(map(len, at.state.hands))) // 3, len(at.hand)]
        and sum(map(len, at.state.won)) == 18
    ),
    "prices": _prices,
    "tricks": lambda at: at.state.trump == "",
    "bastos": lambda at: all(at.price(at.weak(seat)) == 1 for seat in SEATS),
    "my_weakness": lambda at: at.cards(at.state.bastos[ME]) and at.fruits(at.weak(ME)),
    "weaknesses": _weaknesses,
    # Before a decision.
    "lead": lambda at: not at.state.trick and set(at.whose("play")) == {*at.hand},
    "own_lead": _own_lead,
    "free": lambda at: at.step.suggested is None,
    "follow": _follow,
    "void": _void,
    "proof": lambda at: len(at.hand) > 1,  # with the last card there is nothing to prove
    "declare": lambda at: not at.state.trump and at.fruits(*at.free),
    "may_declare": _may_declare,
    "last_trick": lambda at: (at.state.turn, len(at.hand)) == (TRICKS, 1),
    "move": _move,
    "secret": lambda at: not any(at.state.prices) and at.state.round == 2,
    "cost": rule,
    "try": _try,
    # After a decision.
    "their_price": _their_price,
    "passed": _passed,
    "declared": _declared,
    "trumped": _trumped,
    "my_void": _my_void,
    "their_void": _their_void,
    "takes": lambda at: at.winner == at.state.leader == ME and _worth(at),
    "leads": lambda at: (
        at.winner == at.state.leader != ME and at.names(at.state.leader) and _worth(at)
    ),
    "nobody": _nobody,
    "weak_now": lambda at: at.fruits(at.weak(ME)) and at.price(at.weak(ME)) > 0,
    "trumps_now": lambda at: at.fruits(*at.free),
    # The end.
    "last": _last,
    "score": _score,
    "below": _below,
    "unseen": rule,
    "rounds": rule,
}

SCENE = Scene
