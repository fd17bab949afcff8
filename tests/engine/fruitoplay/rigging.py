"""Rounds arranged in advance, and a table that plays them through the real engine.

A card is a letter and a number: b6 is the banana 6, and likewise s, f and a. A round is written
as its tricks, a line each: the target, then the card of every seat, with a star at the one that
wins and a dash for a seat that sits out.

    b6: b2* a8 f7
    f3: s1  a9 s5

Round.deck() works out the order of the eighty cards that lets everybody hold these cards when
they are needed: the hands hold what is kept, the draw pile brings what is played later. `keep`
says what each seat still holds after the last trick, `last` what lies on top of the pile then.
Whatever is not said is filled with the cards left over, in the order of fruits and numbers.

Round.won_by() finds tricks for a list of winners (None: nobody), where only that matters.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from random import Random

from engine.content import Content, read_content
from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.rules import Orchard
from engine.moves import Event, Move, Outcome
from engine.needs import EVERYONE, Choose, Done, Face, Lot, Seat, Shuffle, Slot
from engine.views import View

NAMES = {"b": "banana", "s": "strawberry", "f": "fig", "a": "apple"}
DECK = tuple(f"{fruit}-{number}" for fruit in NAMES.values() for number in range(1, 21))
TURNS = 7

# Sizes of groups of equal numbers: that many players, and nobody wins.
TIED = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3)}


def card(short: str) -> Face:
    """The face that b6 stands for."""
    return f"{NAMES[short[0]]}-{int(short[1:])}"


def cards(text: str) -> tuple[Face, ...]:
    return tuple(card(short) for short in text.split())


def fruit_of(face: Face) -> str:
    return face.rpartition("-")[0]


def number_of(face: Face) -> int:
    return int(face.rpartition("-")[2])


def hand_size(seats: int) -> int:
    return 7 if seats <= 3 else 6


@dataclass(frozen=True)
class Trick:
    target: Face
    played: tuple[Face | None, ...]  # by seat; None sits out
    winner: Seat | None

    @classmethod
    def parse(cls, line: str) -> "Trick":
        target, _, rest = line.partition(":")
        shorts = rest.split()
        stars = [seat for seat, short in enumerate(shorts) if short.endswith("*")]
        assert len(stars) <= 1, f"one star at most: {line}"
        played = tuple(None if short == "-" else card(short.rstrip("*")) for short in shorts)
        return cls(card(target.strip()), played, stars[0] if stars else None)

    def faces(self) -> Iterator[Face]:
        yield self.target
        yield from (face for face in self.played if face is not None)


@dataclass(frozen=True)
class Round:
    tricks: tuple[Trick, ...]
    keep: tuple[tuple[Face, ...], ...]  # by seat
    last: tuple[Face, ...] = ()  # on top of the pile after the last trick

    @classmethod
    def of(cls, text: str, keep: Sequence[str] = (), last: str = "") -> "Round":
        tricks = tuple(Trick.parse(line) for line in text.splitlines() if line.strip())
        return cls(tricks, _kept(keep, len(tricks[0].played)), cards(last))

    @classmethod
    def won_by(
        cls, winners: Sequence[Seat | None], seats: int, keep: Sequence[str] = (), last: str = ""
    ) -> "Round":
        kept = _kept(keep, seats)
        reserved = {face for hand in kept for face in hand} | set(cards(last))
        return cls(_tricks(winners, seats, reserved), kept, cards(last))

    @property
    def seats(self) -> int:
        return len(self.keep)

    def deck(self) -> list[Face]:
        """Eighty faces in the order of slots: hands by seat, the river as laid, the pile."""
        named = [face for trick in self.tricks for face in trick.faces()]
        named += [face for hand in self.keep for face in hand] + list(self.last)
        assert len(named) == len(set(named)), "a card is named twice"
        spare = deque(face for face in DECK if face not in named)

        to_play = [deque[Face]() for _ in self.keep]
        for trick in self.tricks:
            for seat, face in enumerate(trick.played):
                if face is not None:
                    to_play[seat].append(face)
        to_keep = [deque(hand) for hand in self.keep]

        def next_card(seat: Seat) -> Face:
            for source in (to_play[seat], to_keep[seat], spare):
                if source:
                    return source.popleft()
            raise AssertionError("eighty cards are not enough")

        stacked: list[Face] = []
        for seat in range(self.seats):
            wins = sum(trick.winner == seat for trick in self.tricks[: TURNS - 1])
            early = min(len(to_play[seat]), 1 + wins)
            hand = [to_play[seat].popleft() for _ in range(early)]
            while len(hand) < hand_size(self.seats):
                hand.append((to_keep[seat] or spare).popleft())
            stacked += hand
        targets = [trick.target for trick in self.tricks]
        while len(targets) < TURNS:
            targets.append(spare.popleft())
        stacked += reversed(targets)
        for trick in self.tricks[: TURNS - 1]:
            start = 0 if trick.winner is None else trick.winner + 1
            for offset in range(self.seats):
                seat = (start + offset) % self.seats
                if seat != trick.winner:
                    stacked.append(next_card(seat))
        assert not any([*to_play, *to_keep]), "somebody was to hold more than they can"
        return [*stacked, *self.last, *spare]


def _kept(keep: Sequence[str], seats: int) -> tuple[tuple[Face, ...], ...]:
    assert len(keep) <= seats
    return tuple(cards(text or "") for _, text in zip_longest(range(seats), keep))


def _tricks(winners: Sequence[Seat | None], seats: int, reserved: set[Face]) -> tuple[Trick, ...]:
    """Tricks with these winners, made of cards that are not reserved."""
    free = [face for face in DECK if face not in reserved]
    found: dict[int, Trick] = {}
    # Ties are harder to find, so they choose first.
    for turn in sorted(range(len(winners)), key=lambda turn: winners[turn] is not None):
        absent = _six_wins(winners) if turn == TURNS - 1 and seats > 3 else None
        playing = [seat for seat in range(seats) if seat != absent]
        winner = winners[turn]
        found[turn] = (
            _tie(free, playing, seats) if winner is None else _win(free, playing, seats, winner)
        )
        used = set(found[turn].faces())
        free = [face for face in free if face not in used]
    return tuple(found[turn] for turn in range(len(winners)))


def _six_wins(winners: Sequence[Seat | None]) -> Seat | None:
    """Who won the first six tricks, if one seat did."""
    first = set(winners[: TURNS - 1])
    return first.pop() if len(first) == 1 else None


def _tie(free: Sequence[Face], playing: Sequence[Seat], seats: int) -> Trick:
    """Equal numbers of fruits that are not the target's."""
    for target in free:
        others = [face for face in free if fruit_of(face) != fruit_of(target)]
        chosen: list[Face] = []
        for size in TIED[len(playing)]:
            for number in range(1, 21):
                equal = [face for face in others if number_of(face) == number]
                if len(equal) >= size and not set(equal) & set(chosen):
                    chosen += equal[:size]
                    break
        if len(chosen) == len(playing):
            return _trick(target, playing, chosen, seats, None)
    raise AssertionError("no tie is left in these cards")


def _win(free: Sequence[Face], playing: Sequence[Seat], seats: int, winner: Seat) -> Trick:
    """The winner alone has the target's fruit, and a distance that nobody shares."""
    for target in free:
        for best in free:
            if best == target or fruit_of(best) != fruit_of(target):
                continue
            away = abs(number_of(best) - number_of(target))
            chosen = [
                face
                for face in reversed(free)
                if fruit_of(face) != fruit_of(target)
                and abs(number_of(face) - number_of(target)) != away
            ][: len(playing) - 1]
            if len(chosen) == len(playing) - 1:
                chosen.insert(playing.index(winner), best)
                return _trick(target, playing, chosen, seats, winner)
    raise AssertionError("no such trick is left in these cards")


def _trick(
    target: Face, playing: Sequence[Seat], chosen: Sequence[Face], seats: int, winner: Seat | None
) -> Trick:
    by_seat = dict(zip(playing, chosen, strict=True))
    return Trick(target, tuple(by_seat.get(seat) for seat in range(seats)), winner)


@cache
def content() -> Content:
    return read_content("engine.fruitoplay", "fruitoplay.toml")


@cache
def fruitoplay(ties: str = "contending") -> Fruitoplay:
    return Fruitoplay(content(), {"ties": ties})


class Table:
    """Runs a game whose first rounds are arranged; later ones are shuffled from the seed.

    It meets the needs by itself, with the contract of a game alone: how the dealer of the engine
    shuffles is of no concern here.
    """

    def __init__(
        self,
        *rounds: Round,
        seats: int = 0,
        ties: str = "contending",
        lots: Iterable[int] = (),
        seed: int = 0,
    ) -> None:
        self.rounds = rounds
        self.game = fruitoplay(ties)
        self.decks = deque(each.deck() for each in rounds)
        self.lots = deque(lots)
        self.rng = Random(seed)
        self.faces: dict[Slot, Face] = {}
        self.decided: dict[Seat, Move] = {}
        self.events: list[Event] = []
        self.state: Orchard = self.game.start(seats or rounds[0].seats)
        self._run()

    def _run(self) -> None:
        """Meets every need that asks nobody."""
        while not isinstance(need := self.state.need, Choose | Done):
            if isinstance(need, Shuffle):
                self._shuffle(need)
                self._step(Outcome())
            elif isinstance(need, Lot):
                [below] = need.below
                lot = self.lots.popleft() if self.lots else self.rng.randrange(below)
                self._step(Outcome(lots=(lot,)))
            else:
                opened = [slot for slot, seat in need.cards if seat == EVERYONE]
                self._step(Outcome(faces=tuple(self.faces[slot] for slot in opened)))

    def _shuffle(self, need: Shuffle) -> None:
        [pile] = need.piles
        deck = list(pile)
        if self.decks:
            deck = self.decks.popleft()
            assert sorted(deck) == sorted(pile)
        else:
            self.rng.shuffle(deck)
        self.faces.update(enumerate(deck, self.state.made))

    def _step(self, outcome: Outcome) -> None:
        step = self.game.step(self.state, outcome)
        self.state = step.state
        self.events += step.events

    @property
    def asked(self) -> tuple[Seat, ...]:
        need = self.state.need
        return need.seats if isinstance(need, Choose) else ()

    @property
    def waiting(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.asked if seat not in self.decided)

    def view(self, seat: Seat | None) -> View[Orchard]:
        hand = () if seat is None else self.state.hands[seat]
        return View(self.game, self.state, seat, {slot: self.faces[slot] for slot in hand})

    def decide(self, seat: Seat, move: Move) -> None:
        """Checked at once; with the last of them the game goes on."""
        faces = [self.faces.get(slot, "") for slot in move.cards]
        assert self.game.check(self.state, seat, move, faces) == (), "nothing is ever claimed"
        self.decided[seat] = move
        if not self.waiting:
            moves = [self.decided[seat] for seat in self.asked]
            self.decided.clear()
            shown = [self.faces[slot] for move in moves for slot in move.cards]
            self._step(Outcome(tuple(moves), tuple(shown)))
            self._run()

    def retire(self, *seats: Seat) -> None:
        step = self.game.retire(self.state, seats)
        self.decided.clear()
        self.state = step.state
        self.events += step.events
        self._run()

    def take_events(self) -> list[Event]:
        events, self.events = self.events, []
        return events

    def play_on(self, rng: Random) -> None:
        """Anything legal, to the end of the game."""
        while asked := self.asked:
            for seat in asked:
                self.decide(seat, rng.choice(self.view(seat).moves()))

    @property
    def asks(self) -> str:
        """What the table waits for; nothing when the game is over."""
        need = self.state.need
        return need.what if isinstance(need, Choose) else ""

    def hand(self, seat: Seat) -> set[Face]:
        return set(self.view(seat).known.values())

    def choose(self, *texts: str) -> list[Event]:
        """The moves of all who are asked, in the order of seats; what happened then."""
        self.take_events()
        for seat, text in zip(self.asked, texts, strict=True):
            self.decide(seat, Move.parse(text))
        return self.take_events()

    def play(self, *faces: Face) -> list[Event]:
        """All who are asked play these cards."""
        return self.choose(
            *(
                f"play #{self.slot(seat, face)}"
                for seat, face in zip(self.asked, faces, strict=True)
            )
        )

    def slot(self, seat: Seat, face: Face) -> int:
        known = self.view(seat).known
        assert face in known.values(), f"seat {seat} holds {sorted(known.values())}, not {face}"
        return next(slot for slot, shown in known.items() if shown == face)

    def trick(self) -> list[Event]:
        """The trick that the running round has arranged; the engine must find the same winner."""
        assert self.asks == "card", self.asks
        trick = self.rounds[self.state.round - 1].tricks[self.state.turn - 1]
        assert self.state.target == trick.target
        assert self.asked == tuple(
            seat for seat, face in enumerate(trick.played) if face is not None
        )
        events = self.play(*(face for face in trick.played if face is not None))
        winners = [event.seat for event in events if event.what in ("wins", "nobody_wins")]
        assert winners == [trick.winner], f"{trick}: {winners}"
        return events

    def tricks(self, count: int = TURNS) -> list[Event]:
        return [event for _ in range(count) for event in self.trick()]

    def last_draw(self, *drawing: Seat) -> list[Event]:
        """These seats wish to draw, the others do not."""
        assert self.asks == "last_draw", self.asks
        assert set(drawing) <= set(self.asked)
        return self.choose(*("draw" if seat in drawing else "pass" for seat in self.asked))

    def finish_round(self, *, rotten: str = "", collect: str = "collect fig") -> list[Event]:
        """Plays on to the end of the running round; nobody draws after the last trick."""
        events = self.choose(collect) if self.asks == "collective" else []
        while self.asks == "card":
            events += self.trick()
        events += self.last_draw()
        if self.asks == "rotten":
            events += self.choose(*(rotten or str(_first(self, seat)) for seat in self.asked))
        return events

    @property
    def places(self) -> tuple[int, ...]:
        need = self.state.need
        assert isinstance(need, Done)
        return need.places


def _first(table: Table, seat: Seat) -> Move:
    return table.view(seat).moves()[0]


def only(events: Iterable[Event], what: str) -> list[Event]:
    return [event for event in events if re.fullmatch(what, event.what)]
