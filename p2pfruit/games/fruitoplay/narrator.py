"""Fruitoplay in words."""

import re
from collections.abc import Iterable, Sequence

from engine.errors import IllegalMove
from engine.fruitoplay.cards import FRUITS, Card
from engine.fruitoplay.rules import Fruitoplay, Orchard
from engine.fruitoplay.scoring import columns, points
from engine.moves import Event, Move
from engine.needs import Done, Face, Seat
from engine.record import State
from engine.views import View
from p2pfruit.games.narrator import Narrator, sheet
from p2pfruit.language import text as _

# A card by name, perhaps with what is printed behind it: fig 11, fig11, f 11, fig 8 x2.
_CARD = re.compile(r"([^\W\d_]+)\s*0*([1-9]\d?)(?:\s+(\S+))?")


class FruitoplayNarrator(Narrator):
    game: Fruitoplay
    _turn = ""  # the line that opens the next reveal

    # Words.

    def fruit(self, fruit: str) -> str:
        return {
            "banana": _("banana"),
            "strawberry": _("strawberry"),
            "fig": _("fig"),
            "apple": _("apple"),
        }[fruit]

    def card(self, face: Face) -> str:
        card = self.game.cards[face]
        kind = {0: " " + _("rotten"), 1: "", 2: " x2"}[card.worth]
        return f"{self.fruit(card.fruit)} {card.number}{kind}"

    def cards(self, faces: Sequence[Face]) -> str:
        ordered = sorted(faces, key=list(self.game.cards).index)
        return ", ".join(map(self.card, ordered)) or _("nothing")

    def distance(self, card: Card, target: Card) -> str:
        away = _("{distance} away").format(distance=abs(card.number - target.number))
        return away if card.fruit == target.fruit else away + ", " + _("other fruit")

    def takes(self, seat: Seat, count: int) -> str:
        told = _("you take {count} cards") if seat == self.me else _("{name} takes {count} cards")
        return told.format(name=self.name(seat), count=count)

    def reason(self, won: Event, reveal: Iterable[Event]) -> str:
        """Return why a player wins, judged by all the events of a reveal."""
        why, distance, *taken = won.data
        target = self.game.cards[str(taken[-1])]
        same_fruit = why == "same_fruit"
        void = [self.game.cards[str(one.data[0])] for one in reveal if one.what == "void"]
        closer = any(
            abs(card.number - target.number) < int(str(distance))
            for card in void
            if (card.fruit == target.fruit) == same_fruit
        )
        told = {
            (True, False): _("the closest {fruit}, {distance} away"),
            (True, True): _("the closest valid {fruit}, {distance} away"),
            (False, False): _("no valid {fruit}: the closest of the others, {distance} away"),
            (False, True): _("no valid {fruit}: the closest valid other, {distance} away"),
        }[same_fruit, closer]
        return told.format(fruit=self.fruit(target.fruit), distance=distance)

    # What happened.

    def _tell_other(self, event: Event, events: Sequence[Event]) -> list[str]:
        return []

    def _tell_round(self, event: Event, events: Sequence[Event]) -> list[str]:
        title = _("round {round} of {rounds}").format(round=event.data[0], rounds=self.game.rounds)
        return ["", f"=== {title} ==="]

    def _tell_river(self, event: Event, events: Sequence[Event]) -> list[str]:
        first = [str(face) for face in reversed(event.data)]
        return [_("river: {cards}").format(cards=", ".join(map(self.card, first)))]

    def _tell_collective(self, event: Event, events: Sequence[Event]) -> list[str]:
        fruit, worth = event.data
        card = f"{self.fruit(str(fruit))} +{worth}"
        if event.seat is None:
            return [_("collective fruit, drawn by lot: {card} for everyone").format(card=card)]
        return [
            _("collective fruit, chosen by {name}: {card} for everyone").format(
                name=self.name(event.seat), card=card
            )
        ]

    def _tell_target(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Keep the line for the reveal: a person sees the table and the question before it."""
        turn, face = event.data
        self._turn = _("turn {turn} of {turns}, target {card}").format(
            turn=turn, turns=self.game.river_length, card=self.card(str(face)).upper()
        )
        return []

    def _tell_sits_out(self, event: Event, events: Sequence[Event]) -> list[str]:
        return ["  " + _("{name}: no card left, sits out").format(name=self._who(event))]

    def _tell_plays(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell one line of the reveal: the player, the card, how far away, and a tie."""
        face = str(event.data[0])
        card = self.game.cards[face]
        distance = self.distance(card, self._target(events))
        void = any(other.what == "void" and other.seat == event.seat for other in events)
        mark = "  " + _("void: tied") if void else ""
        line = f"  {self._padded(self._who(event))}  {self.card(face):22} {distance}{mark}"
        return ["", self._turn, line] if self._first(event, events) else [line]

    def _tell_wins(self, event: Event, events: Sequence[Event]) -> list[str]:
        _why, _distance, *taken = event.data
        assert event.seat is not None
        return [f"  -> {self.takes(event.seat, len(taken))} ({self.reason(event, events)})"]

    def _tell_nobody_wins(self, event: Event, events: Sequence[Event]) -> list[str]:
        return ["  -> " + _("nobody wins: these cards are out of the round")]

    def _tell_passes(self, event: Event, events: Sequence[Event]) -> list[str]:
        return ["  " + _("{name}: no last draw").format(name=self._who(event))]

    def _tell_empty(self, event: Event, events: Sequence[Event]) -> list[str]:
        return ["  " + _("{name}: the pile has no card left to draw").format(name=self._who(event))]

    def _tell_pile_empty(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("the pile is empty: nobody can draw")]

    def _tell_lays(self, event: Event, events: Sequence[Event]) -> list[str]:
        faces = [str(face) for face in event.data]
        title = ["", _("hands are laid down")] if self._first(event, events) else []
        return [*title, f"  {self._padded(self._who(event))}  {self.cards(faces)}"]

    def _tell_scores(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell the whole sheet with the first of them; before it, what the rotten fruit did."""
        if not self._first(event, events):
            return []
        scores = [other for other in events if other.what == "scores"]
        rows = [(self._who(other), self._scored(other)) for other in scores]
        return [
            *(self._cancelled(other) for other in events if other.what == "cancels"),
            "",
            *sheet([*map(self.fruit, FRUITS), _("points")], rows),
        ]

    def _scored(self, event: Event) -> list[str]:
        scored, *totals = [int(str(number)) for number in event.data]
        counting = [total for total in totals if total]
        product = f"{max(counting)} x {min(counting)} = {scored}" if counting else "0"
        return [*map(str, totals), product]

    def _cancelled(self, event: Event) -> str:
        fruit, worth = event.data
        told = (
            _("{name}: rotten {fruit}, cancelled with two fruits")
            if worth == 2
            else _("{name}: rotten {fruit}, cancelled with one fruit")
        )
        return "  " + told.format(name=self._who(event), fruit=self.fruit(str(fruit)))

    def _target(self, events: Sequence[Event]) -> Card:
        for event in events:
            if event.what in ("wins", "nobody_wins"):
                return self.game.cards[str(event.data[-1])]
        raise AssertionError("a reveal ends with a winner or nobody")

    # The table.

    def drawn(self, view: View[Orchard], faces: Sequence[Face]) -> str:
        return _("you drew {cards}").format(cards=self.cards(faces))

    def place(self, state: Orchard) -> list[str]:
        told = _("round {round} of {rounds}").format(round=state.round, rounds=self.game.rounds)
        return [told, *self._moment(state)]

    def collective(self, state: Orchard) -> list[str]:
        """Return the fruit that counts for everyone, if there is one."""
        if state.collective is None:
            return []
        worth = self.game.collective_worth(state)
        fruit = self.fruit(state.collective)
        return [_("collective {fruit} +{worth}").format(fruit=fruit, worth=worth)]

    def _moment(self, state: Orchard) -> list[str]:
        """Return where in the round we are."""
        turn = _("turn {turn} of {turns}")
        return {
            "card": [turn.format(turn=state.turn, turns=self.game.river_length)],
            "collective": [_("before the first turn")],
            "last_draw": [_("after the last turn")],
            "rotten": [_("hands are laid down")],
        }.get(state.need.what, [])

    def best(self, state: Orchard, seat: Seat, hand: Sequence[Face]) -> tuple[int, ...]:
        """Return the columns of a seat if it laid down this hand now and cancelled rotten fruit in
        the best way."""
        cards = [self.game.cards[face] for face in (*state.won[seat], *hand)]
        sheet = columns(cards, state.collective, self.game.collective_worth(state))
        return max(map(sheet.after, sheet.cancelling()), key=points)

    # The question.

    def question(self, view: View[Orchard]) -> str:
        return {
            "card": _("which card do you play?"),
            "collective": _(
                "you trail: which collective fruit shall count +{worth} for everyone?"
            ).format(worth=self.game.collective_worth(view.state)),
            "last_draw": _("draw one last card, unseen, before hands are laid down?"),
            "rotten": _("what do your rotten cards take with them?"),
        }[view.state.need.what]

    def choices(self, view: View[Orchard]) -> list[tuple[str, Move]]:
        moves = view.moves()
        if view.state.need.what == "card":
            order = list(self.game.cards)
            moves.sort(key=lambda move: order.index(view.known[move.cards[0]]))
        if view.state.need.what == "collective":
            moves.sort(key=lambda move: FRUITS.index(move.words[0]))
        return [(self._label(view, move), move) for move in moves]

    def _label(self, view: View[Orchard], move: Move) -> str:
        match move.verb:
            case "play":
                return self.card(view.known[move.cards[0]])
            case "collect":
                return self.fruit(move.words[0])
            case "draw":
                return _("draw")
            case "pass":
                return _("pass")
        victims = []
        for word in move.words:
            fruit, worth = word.split("-")
            kind = _("double {fruit}") if worth == "2" else _("single {fruit}")
            victims.append(kind.format(fruit=self.fruit(fruit)))
        return " + ".join(victims)

    def read(self, view: View[Orchard], typed: str) -> Move:
        """Read a card by its name, too: fig 11, fig11, f 11; and a fruit by its beginning."""
        what = view.state.need.what
        card = _CARD.fullmatch(typed.strip().lower())
        if what == "card" and card and card[3] in (None, "x2", "rotten", _("rotten")):
            return self._read_card(view, card[1], int(card[2]))
        if what == "collective" and len(fruits := self._fruits(typed)) == 1:
            return Move("collect", (), tuple(fruits))
        return super().read(view, typed)

    def _read_card(self, view: View[Orchard], beginning: str, number: int) -> Move:
        fruits = self._fruits(beginning)
        if len(fruits) > 1:
            names = ", ".join(map(self.fruit, fruits))
            why = _("{typed} can be: {names}").format(typed=repr(beginning), names=names)
            raise self.refusal(view, why)
        for move in view.moves():
            if view.known[move.cards[0]] in [f"{fruit}-{number}" for fruit in fruits]:
                return move
        name = f"{self.fruit(fruits[0]) if fruits else beginning} {number}"
        raise self.refusal(view, _("{card} is not in your hand (rule: hand)").format(card=name))

    def breach(self, error: IllegalMove) -> str:
        rules = {
            "card": _("a turn is one card of your hand (rule: card)"),
            "hand": _("that card is not in your hand (rule: hand)"),
            "collective": _("the collective fruit is one of the four (rule: collective)"),
            "last_draw": _("you draw or you pass (rule: last_draw)"),
            "rotten": _("each rotten card takes one victim of its column (rule: rotten)"),
        }
        return rules.get(error.rule, str(error))

    def ranking(self, state: State) -> list[str]:
        """Return the final places, and say if the last round decided between equal totals."""
        lines = super().ranking(state)
        need = state.need
        assert isinstance(need, Done)
        decided = any(
            state.total(one) == state.total(two) and need.places[one] != need.places[two]
            for one in state.seated
            for two in state.seated
        )
        return [*lines, _("equal totals: the last round decides")] if decided else lines

    def tie_break(self, state: State, winner: Seat, rival: Seat) -> str:
        last = state.scores[-1]
        words = _("the last round decides, {more} to {less}")
        return words.format(more=last[winner], less=last[rival])

    def _fruits(self, typed: str) -> list[str]:
        """Return the fruits whose name begins with what was typed, in this language or in
        English."""
        typed = typed.strip().lower()
        if not typed:
            return []
        spoken = [fruit for fruit in FRUITS if self.fruit(fruit).startswith(typed)]
        return spoken or [fruit for fruit in FRUITS if fruit.startswith(typed)]


NARRATOR = FruitoplayNarrator
