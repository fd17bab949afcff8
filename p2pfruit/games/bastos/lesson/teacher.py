"""The teacher of Bastos.

A rule is explained when the learner first needs it: when following, without the fruit led, when
leading, when moving a price. So the learner hears it whatever was played before.

The last trick of a round is explained together with the points: by then the cards of the next round
are dealt, and the table no longer shows the trick.
"""

from collections.abc import Iterator

from engine.bastos import Bastos
from engine.bastos.rules import TRUMP, Market
from engine.moves import Event, Move
from engine.needs import Face, Seat
from engine.tricks import suit
from engine.views import View
from p2pfruit.games.bastos.lesson.proposals import Adviser
from p2pfruit.games.bastos.lesson.text import say, title
from p2pfruit.games.bastos.lesson.trick import Trick
from p2pfruit.games.bastos.narrator import BastosNarrator, pairs, signed
from p2pfruit.games.course import ME, Happening, Passage, Remark, Teacher
from p2pfruit.games.remarks import arranged, their_void, whose


class BastosTeacher(Teacher[Market]):
    narrator: BastosNarrator
    game: Bastos

    # The beginning.

    def opening(self, view: View[Market]) -> Iterator[Passage]:
        yield Passage(title("welcome"), self._welcome(view))
        yield Passage(title("table"), self._table(view))
        yield Passage(title("bastos"), self._bastos(view))

    def _welcome(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        yield say("welcome", names=", ".join(self.narrator.name(seat) for seat in _others(state)))
        yield say("joined", over=state.turn - 1, left=self._left(state))
        yield arranged()

    def _table(self, view: View[Market]) -> Iterator[Remark]:
        prices = self.narrator.prices(self._prices(view.state))
        yield say("prices", prices=prices)
        yield say("tricks")

    def _bastos(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        mine = state.bastos[ME]
        yield say("bastos")
        yield say(
            "my_weakness", card=self.narrator.card(mine), fruit=self.narrator.fruit(suit(mine))
        )
        theirs = [
            f"{self.narrator.name(seat)} {self.narrator.fruit(suit(state.bastos[seat]))}"
            for seat in _others(state)
        ]
        yield say("weaknesses", theirs=", ".join(theirs))

    def _prices(self, state: Market) -> list[tuple[str, int]]:
        return [(fruit, self.game.price(state, fruit)) for fruit in self.game.in_play(state)]

    def _left(self, state: Market) -> int:
        """Return how many tricks are left, including this one."""
        return self.game.tricks(state) - state.turn + 1

    # Before a decision.

    def before(self, view: View[Market]) -> Iterator[Passage]:
        state = view.state
        match state.need.what:
            case "bastos":
                yield Passage(title("your_bastos"), self._secret())
                yield Passage(title("your_bastos"), self._proposal(view))
            case "price":
                yield Passage(title("price"), [self._move(view), *self._proposal(view)])
            case _card:
                yield from self._before_card(view)

    def _before_card(self, view: View[Market]) -> Iterator[Passage]:
        state = view.state
        if self._left(state) == 1:
            heading, remarks = title("last_trick"), [say("last_trick")]
        elif state.led is None:
            heading, remarks = title("leading"), [*self._lead(view)]
        elif any(suit(face) == state.led for face in view.known.values()):
            heading, remarks = title("following"), [self._follow(view, state.led)]
        else:
            heading, remarks = title("void"), [*self._void(state, state.led)]
        choice = [*self._may_declare(view)]
        if choice and self.first("declare"):
            yield Passage(heading, [*remarks, self._declare(state)])
            heading, remarks = title("trump"), []
        yield Passage(heading, [*remarks, *choice, *self._proposal(view)])

    def _lead(self, view: View[Market]) -> Iterator[Remark]:
        yield say("lead")
        own = suit(view.state.bastos[ME])
        mine = [face for face in view.known.values() if suit(face) == own]
        if mine and self.first("own_lead"):
            yield say("own_lead", cards=self.narrator.cards(mine))
        elif not mine:
            yield say("free")

    def _follow(self, view: View[Market], led: str) -> Remark:
        held = [face for face in view.known.values() if suit(face) == led]
        return say(
            "follow",
            name=self.narrator.name(view.state.leader),
            fruit=self.narrator.fruit(led),
            cards=self.narrator.cards(held),
        )

    def _void(self, state: Market, led: str) -> Iterator[Remark]:
        name, fruit = self.narrator.name(state.leader), self.narrator.fruit(led)
        yield say("void", name=name, fruit=fruit)
        if self.first("proof"):
            yield say("proof")

    def _declare(self, state: Market) -> Remark:
        return say("declare", fruits=self._free_fruits(state))

    def _free_fruits(self, state: Market) -> str:
        """List the fruits that are not a Bastos."""
        weak = list(map(suit, state.bastos))
        free = [fruit for fruit in self.game.in_play(state) if fruit not in weak]
        return ", ".join(map(self.narrator.fruit, free))

    def _may_declare(self, view: View[Market]) -> Iterator[Remark]:
        faces = [view.known[move.cards[0]] for move in view.moves() if move.words == TRUMP]
        if faces:
            yield say("may_declare", cards=self.narrator.cards(faces))

    def _move(self, view: View[Market]) -> Remark:
        return say("move", card=self.narrator.card(view.state.trick[-1]))

    def _secret(self) -> Iterator[Remark]:
        yield say("secret")
        yield say("cost")

    # What is suggested.

    def suggested(self, view: View[Market]) -> Move | None:
        found = Adviser(self.narrator, view).proposal()
        return found[0] if found else None

    def _proposal(self, view: View[Market]) -> Iterator[Remark]:
        found = Adviser(self.narrator, view).proposal()
        if found:
            yield found[1]

    # After a decision.

    def after(self, happened: Happening[Market]) -> Passage | None:
        whats = [event.what for event in happened.events]
        if "prices" in whats:
            return Passage(title("happened"), self._revealed(happened.after.state))
        if "final_prices" in whats:
            return None
        trick = Trick.of(self.game, happened)
        if trick is not None:
            return Passage(title("happened"), self._after_trick(trick, happened.after.state))
        moved = [*self._moved(happened)]
        return Passage(title("price_moves"), moved) if moved else None

    def _moved(self, happened: Happening[Market]) -> Iterator[Remark]:
        """Explain the first price that another player moves."""
        for event in happened.events:
            if event.what == "price" and event.seat != ME and self.first("their_price"):
                yield self._their_price(event, happened.before.state.trick[-1])

    def _their_price(self, event: Event, face: Face) -> Remark:
        fruit, _step, price = event.data
        assert event.seat is not None
        return say(
            "their_price",
            name=self.narrator.name(event.seat),
            card=self.narrator.card(face),
            fruit=self.narrator.fruit(str(fruit)),
            price=signed(int(str(price))),
        )

    def _after_trick(self, trick: Trick, state: Market) -> Iterator[Remark]:
        yield from self._passed(trick)
        if trick.declared:
            yield self._declared(trick, state)
        if trick.winner is not None and trick.why == "trump" and self.first("trumped"):
            card = self.narrator.card(trick.played[trick.winner])
            yield say("trumped", fruit=self.narrator.fruit(trick.led), card=card)
        for seat in trick.strays():
            yield from self._stray(seat, trick)
        yield self._taken(trick, state)

    def _passed(self, trick: Trick) -> Iterator[Remark]:
        if trick.passed and trick.winner is not None and self.first("passed"):
            cards = [
                whose(self.narrator, seat, self.narrator.card(trick.played[seat]))
                for seat in trick.passed
            ]
            yield say("passed", cards=", ".join(cards))

    def _declared(self, trick: Trick, state: Market) -> Remark:
        return say(
            "declared",
            fruit=self.narrator.fruit(trick.trump),
            price=signed(self.game.price(state, trick.trump)),
        )

    def _stray(self, seat: Seat, trick: Trick) -> Iterator[Remark]:
        led = self.narrator.fruit(trick.led)
        if seat == ME and self.first("my_void"):
            yield say("my_void", fruit=led)
        elif seat != ME and self.first("their_void"):
            card = self.narrator.card(trick.played[seat])
            yield their_void(self.narrator.name(seat), card, led)

    def _taken(self, trick: Trick, state: Market) -> Remark:
        points = signed(sum(self.game.price(state, suit(face)) for face in trick.faces))
        if trick.winner is None:
            self.first("nobody")
            return say("nobody", fruit=self.narrator.fruit(trick.led))
        if trick.winner == ME:
            return say("takes", points=points)
        return say("leads", name=self.narrator.name(trick.winner), points=points)

    def _revealed(self, state: Market) -> Iterator[Remark]:
        yield say("weak_now", fruit=self.narrator.fruit(suit(state.bastos[ME])))
        yield say("trumps_now", fruits=self._free_fruits(state))

    # The end.

    def points(self, happened: Happening[Market]) -> Passage:
        return Passage(title("points"), self._scored(happened))

    def _scored(self, happened: Happening[Market]) -> Iterator[Remark]:
        trick = Trick.of(self.game, happened)
        assert trick is not None
        yield self._last(trick)
        scores = {event.seat: event for event in happened.events if event.what == "scores"}
        points, *counts = [int(str(count)) for count in scores[ME].data]
        yield say("score", points=points)
        [prices] = [pairs(event) for event in happened.events if event.what == "final_prices"]
        below = [
            self.narrator.fruit(fruit)
            for (fruit, price), count in zip(prices, counts, strict=True)
            if count and price < 0
        ]
        if below:
            yield say("below", fruits=", ".join(below))

    def _last(self, trick: Trick) -> Remark:
        turns = ", ".join(
            f"{self.narrator.name(seat)} {self.narrator.card(face)}"
            for seat, face in trick.played.items()
        )
        if trick.winner is None:
            return say("last.nobody", turns=turns)
        end = self.narrator.takes(trick.winner, trick.why, trick.faces)
        return say("last", turns=turns, end=end)

    def farewell(self, view: View[Market]) -> Passage:
        return Passage(title("next"), self._farewell())

    def _farewell(self) -> Iterator[Remark]:
        if self.first("nobody"):
            yield say("unseen")
        yield say("rounds")


def _others(state: Market) -> list[Seat]:
    return [seat for seat in state.seated if seat != ME]
