"""The teacher of Fruitoplay.

Before each turn the teacher explains a rule, and for the first five turns it suggests a card. After
the turn it explains what happened. Every remark is derived from the cards on the table, so it is
true whatever was played. What needs to be said once is said the first time it happens.
"""

from collections.abc import Iterator

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS, Card
from engine.fruitoplay.rules import Orchard
from engine.moves import Move
from engine.needs import Face, Seat
from engine.views import View
from p2pfruit.games.course import ME, Happening, Passage, Remark, Teacher, playing
from p2pfruit.games.fruitoplay.lesson import ending
from p2pfruit.games.fruitoplay.lesson.reveal import Reveal
from p2pfruit.games.fruitoplay.lesson.text import say, title
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from p2pfruit.games.remarks import arranged, whose
from p2pfruit.language import plural

# The card to suggest, turn by turn; in the last turns the learner is on their own.
SUGGESTED: tuple[Face, ...] = ("apple-13", "strawberry-13", "banana-5", "banana-11", "apple-2")


class FruitoplayTeacher(Teacher[Orchard]):
    narrator: FruitoplayNarrator
    game: Fruitoplay

    def card(self, card: Card) -> str:
        return self.narrator.card(card.face)

    # The beginning.

    def opening(self, view: View[Orchard]) -> Iterator[Passage]:
        yield Passage(title("welcome"), self._welcome())
        yield Passage(title("table"), self._table(view))

    def _welcome(self) -> Iterator[Remark]:
        others = [self.narrator.name(seat) for seat in range(1, len(self.narrator.names))]
        yield say("welcome", names=", ".join(others))
        yield arranged()

    def _table(self, view: View[Orchard]) -> Iterator[Remark]:
        yield say("river", card=self.narrator.card(view.state.target))
        yield say("cards")
        yield say("aim")

    # Before a turn.

    def before(self, view: View[Orchard]) -> Iterator[Passage]:
        match view.state.need.what:
            case "card":
                yield self._before_turn(view)
            case "last_draw":
                yield Passage(title("last_draw"), ending.last_draw(self.narrator, view))
            case _rotten:
                yield Passage(title("rotten"), ending.rotten(self.narrator, view))

    def _before_turn(self, view: View[Orchard]) -> Passage:
        """Explain the rule of this turn."""
        rules = (
            (title("choosing"), self._choosing),
            (title("ties"), self._ties),
            (title("others"), self._others),
            (title("rotten"), self._rotten),
            (title("hands"), self._hands),
            (title("columns"), self._columns),
            (title("last"), self._last),
        )
        heading, rule = rules[view.state.turn - 1]
        return Passage(heading, [*rule(view), *self._proposal(view)])

    def _choosing(self, view: View[Orchard]) -> Iterator[Remark]:
        target = self.game.cards[view.state.target]
        yield say("rule.choosing", card=self.card(target))

    def _ties(self, view: View[Orchard]) -> Iterator[Remark]:
        yield say("rule.ties")

    def _others(self, view: View[Orchard]) -> Iterator[Remark]:
        target = self.game.cards[view.state.target]
        fruit = self.narrator.fruit(target.fruit)
        if all(self.game.cards[face].fruit != target.fruit for face in view.known.values()):
            yield say("none_of_it", fruit=fruit)
        yield say("rule.others", fruit=fruit)

    def _rotten(self, view: View[Orchard]) -> Iterator[Remark]:
        yield say("rule.rotten")
        for card in self._held_rotten(view):
            yield say("hold_rotten", card=self.card(card))

    def _held_rotten(self, view: View[Orchard]) -> list[Card]:
        cards = [self.game.cards[face] for face in view.known.values()]
        return [card for card in cards if card.worth == 0]

    def _hands(self, view: View[Orchard]) -> Iterator[Remark]:
        state = view.state
        others = [
            f"{self.narrator.name(seat)} {len(state.hands[seat])}"
            for seat in state.seated
            if seat != ME
        ]
        cards = plural("{count} card", "{count} cards", len(view.hand))
        yield say("hands", cards=cards, others=", ".join(others))
        yield say("rule.hands")

    def _columns(self, view: View[Orchard]) -> Iterator[Remark]:
        totals = self._laid_now(view)
        listed = ", ".join(
            f"{self.narrator.fruit(fruit)} {total}"
            for fruit, total in zip(FRUITS, totals, strict=True)
        )
        yield say("columns", columns=listed, product=ending.product(totals))
        empty = [fruit for fruit, total in zip(FRUITS, totals, strict=True) if not total]
        if empty:
            yield say("empty", fruit=self.narrator.fruit(empty[0]))
        yield say("free")

    def _laid_now(self, view: View[Orchard]) -> tuple[int, ...]:
        return self.narrator.best(view.state, ME, list(view.known.values()))

    def _last(self, view: View[Orchard]) -> Iterator[Remark]:
        yield say("rule.last")

    def suggested(self, view: View[Orchard]) -> Move | None:
        """Suggest a card while it is in the hand."""
        state = view.state
        if state.need.what != "card" or state.turn > len(SUGGESTED):
            return None
        return playing(view, SUGGESTED[state.turn - 1])

    def _proposal(self, view: View[Orchard]) -> Iterator[Remark]:
        move = self.suggested(view)
        if move is None:
            return
        card = self.game.cards[view.known[move.cards[0]]]
        target = self.game.cards[view.state.target]
        distance = abs(card.number - target.number)
        if card.worth == 0:
            yield say("try.rotten", card=self.card(card))
        elif card.fruit == target.fruit:
            yield say("try.same", card=self.card(card), distance=distance)
        else:
            yield say("try.other", card=self.card(card), distance=distance)

    # After a turn.

    def after(self, happened: Happening[Orchard]) -> Passage | None:
        reveal = Reveal.of(self.game, happened.events)
        if reveal is not None:
            return Passage(title("happened"), self._after_turn(reveal, happened))
        if any(event.what == "lays" for event in happened.events):
            return Passage(title("laid"), ending.laid(self.narrator, happened))
        return None

    def points(self, happened: Happening[Orchard]) -> Passage:
        return Passage(title("points"), ending.scored(self.narrator, happened))

    def farewell(self, view: View[Orchard]) -> Passage:
        return Passage(title("next"), ending.farewell())

    def _after_turn(self, reveal: Reveal, happened: Happening[Orchard]) -> Iterator[Remark]:
        yield from self._outshone(reveal)
        yield from self._tied(reveal)
        yield from self._taken(reveal)
        yield from self._instead(reveal, happened.before)
        yield from self._drawn(happened)

    def _whose(self, seat: Seat, card: Card) -> str:
        return whose(self.narrator, seat, self.card(card))

    def _outshone(self, reveal: Reveal) -> Iterator[Remark]:
        seats = sorted(reveal.outshone(), key=lambda seat: seat != ME)
        if seats and (seats[0] == ME or self.first("outshone")):
            card = reveal.played[seats[0]]
            yield say("outshone", whose=self._whose(seats[0], card), distance=reveal.distance(card))

    def _tied(self, reveal: Reveal) -> Iterator[Remark]:
        for seats in reveal.ties():
            cards = [self._whose(seat, reveal.played[seat]) for seat in seats]
            yield say(
                "tied", cards=", ".join(cards), distance=reveal.distance(reveal.played[seats[0]])
            )

    def _taken(self, reveal: Reveal) -> Iterator[Remark]:
        if reveal.winner is None:
            return
        if reveal.winner == ME and self.first("takes"):
            yield say("takes", count=len(reveal.taken))
        elif reveal.winner == ME and reveal.void and self.first("takes_void"):
            yield say("takes_void")
        yield from self._rotten_taken(reveal, reveal.winner)

    def _rotten_taken(self, reveal: Reveal, winner: Seat) -> Iterator[Remark]:
        for card in reveal.taken:
            if card.worth == 0 and winner == ME:
                yield say("rotten_mine", card=self.card(card))
            elif card.worth == 0 and card == reveal.played[ME]:
                name = self.narrator.name(winner)
                yield say("rotten_gone", card=self.card(card), name=name)

    def _instead(self, reveal: Reveal, before: View[Orchard]) -> Iterator[Remark]:
        """Say whether a learner who lost, but wanted to win, could have won."""
        if reveal.winner == ME or reveal.played[ME].worth == 0:
            return
        better = reveal.would_have_won(self.game, ME, before.known.values())
        if better:
            yield say("better", cards=", ".join(map(self.card, better)))
        else:
            yield say("none_better")

    def _drawn(self, happened: Happening[Orchard]) -> Iterator[Remark]:
        held, state = happened.before.hand, happened.after.state
        new = [face for slot, face in happened.after.known.items() if slot not in held]
        if new and self.first("draws"):
            yield say("draws", card=self.narrator.cards(new))
        elif new:
            yield say("draws.again", card=self.narrator.cards(new))
        elif state.winner == ME and state.need.what != "card":
            yield say("no_last_draw")
        elif state.winner == ME and self.first("no_draw"):
            yield say("no_draw")
        elif state.winner == ME:
            count = len(happened.after.hand)
            yield say("left", cards=plural("{count} card", "{count} cards", count))
