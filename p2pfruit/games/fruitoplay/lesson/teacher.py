"""What the teacher says before and after each turn.

Before a turn a rule is told, and for the first five a card is proposed. After it, what happened is
explained: everything said is read from the cards that lay there, so it holds whatever was played.
What needs to be said once is said the first time it happens.

Each remark carries what it is about, in a word that does not change with the language.
"""

from collections.abc import Iterator

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS, Card
from engine.fruitoplay.rules import Orchard
from engine.moves import Move
from engine.needs import Face, Seat
from engine.views import View
from p2pfruit.games.course import ME, Happening, Passage, Remark, Teacher, playing
from p2pfruit.games.fruitoplay.lesson import points as lesson_points
from p2pfruit.games.fruitoplay.lesson.reveal import Reveal
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from p2pfruit.games.remarks import arranged
from p2pfruit.language import plural
from p2pfruit.language import text as _

# The card of the hand that is proposed, turn by turn; the last turns are free.
SUGGESTED: tuple[Face, ...] = ("apple-13", "strawberry-13", "banana-5", "banana-11", "apple-2")


class FruitoplayTeacher(Teacher[Orchard]):
    narrator: FruitoplayNarrator
    game: Fruitoplay

    def card(self, card: Card) -> str:
        return self.narrator.card(card.face)

    # The beginning.

    def opening(self, view: View[Orchard]) -> Iterator[Passage]:
        yield Passage(_("welcome"), self._welcome())
        yield Passage(_("the table"), self._table(view))

    def _welcome(self) -> Iterator[Remark]:
        others = [self.narrator.name(seat) for seat in range(1, len(self.narrator.names))]
        yield Remark(
            "welcome",
            _(
                "You sit with {names}. There are seven turns, and each is about one card: the "
                "target. Whoever wins the turn takes the cards."
            ).format(names=", ".join(others)),
        )
        yield arranged()

    def _table(self, view: View[Orchard]) -> Iterator[Remark]:
        yield Remark(
            "river",
            _(
                "The river is the row of targets: {card} first, then the others as they stand "
                "there."
            ).format(card=self.narrator.card(view.state.target)),
        )
        yield Remark(
            "cards",
            _(
                "Four fruits are numbered from 1 to 20. A card counts as one fruit, a double one "
                "(x2) as two, a rotten one as none."
            ),
        )
        yield Remark(
            "aim",
            _(
                "What you win lies in columns, one a fruit. At the end your **largest column "
                "times your smallest** is your points."
            ),
        )

    # Before a turn.

    def before(self, view: View[Orchard]) -> Iterator[Passage]:
        match view.state.need.what:
            case "card":
                yield Passage(self._title(view), self._before_turn(view))
            case "last_draw":
                yield Passage(_("one last card"), lesson_points.last_draw(self.narrator, view))
            case _rotten:
                yield Passage(_("rotten fruit"), lesson_points.rotten(self.narrator, view))

    def _title(self, view: View[Orchard]) -> str:
        titles = (
            _("choosing"),
            _("ties"),
            _("other fruits"),
            _("rotten fruit"),
            _("hands"),
            _("columns"),
            _("the last turn"),
        )
        return titles[view.state.turn - 1]

    def _before_turn(self, view: View[Orchard]) -> Iterator[Remark]:
        rules = (
            self._choosing,
            self._ties,
            self._others,
            self._rotten,
            self._hands,
            self._columns,
            self._last,
        )
        yield from rules[view.state.turn - 1](view)
        yield from self._proposal(view)

    def _choosing(self, view: View[Orchard]) -> Iterator[Remark]:
        target = self.game.cards[view.state.target]
        yield Remark(
            "rule",
            _(
                "The target is {card}. Everybody plays one card, and all are turned up at once. "
                "The number **closest to the target among its own fruit** wins."
            ).format(card=self.card(target)),
        )

    def _ties(self, view: View[Orchard]) -> Iterator[Remark]:
        yield Remark(
            "rule",
            _(
                "Cards that are **equally far** from the target make each other void, and the "
                "next best wins. So the best card is often the one that nobody expects."
            ),
        )

    def _others(self, view: View[Orchard]) -> Iterator[Remark]:
        target = self.game.cards[view.state.target]
        fruit = self.narrator.fruit(target.fruit)
        if all(self.game.cards[face].fruit != target.fruit for face in view.known.values()):
            yield Remark("none_of_it", _("You hold no {fruit}.").format(fruit=fruit))
        yield Remark(
            "rule",
            _(
                "Where no valid {fruit} is played, the closest number **among the other fruits** "
                "wins."
            ).format(fruit=fruit),
        )

    def _rotten(self, view: View[Orchard]) -> Iterator[Remark]:
        yield Remark(
            "rule",
            _(
                "A **rotten** card is worth nothing, and at the end it takes another card of its "
                "column with it. But whoever wins a turn takes every card of it, rotten or not."
            ),
        )
        for card in self._held_rotten(view):
            yield Remark(
                "hold_rotten",
                _("You hold one: {card}. Get rid of it where you expect to lose.").format(
                    card=self.card(card)
                ),
            )

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
        mine = plural("You hold {count} card", "You hold {count} cards", len(view.hand))
        yield Remark(
            "hands", _("{you}; the others: {others}.").format(you=mine, others=", ".join(others))
        )
        yield Remark(
            "rule",
            _(
                "Whoever wins draws nothing, everybody else takes a card. So **a hand shrinks by "
                "winning**, and there is less and less to choose from."
            ),
        )

    def _columns(self, view: View[Orchard]) -> Iterator[Remark]:
        totals = self._laid_now(view)
        listed = ", ".join(
            f"{self.narrator.fruit(fruit)} {total}"
            for fruit, total in zip(FRUITS, totals, strict=True)
        )
        yield Remark(
            "columns",
            _(
                "With your hand laid down now you would have: {columns}. That makes {product}."
            ).format(columns=listed, product=lesson_points.product(totals)),
        )
        empty = [fruit for fruit, total in zip(FRUITS, totals, strict=True) if not total]
        if empty:
            yield Remark(
                "empty",
                _(
                    "A column of nothing does not count; a lone {fruit} would, as your smallest."
                ).format(fruit=self.narrator.fruit(empty[0])),
            )
        yield Remark(
            "free",
            _("No advice this time. Ask what your smallest column needs, and what would spoil it."),
        )

    def _laid_now(self, view: View[Orchard]) -> tuple[int, ...]:
        return self.narrator.best(view.state, ME, list(view.known.values()))

    def _last(self, view: View[Orchard]) -> Iterator[Remark]:
        yield Remark(
            "rule",
            _(
                "The last target. After it everybody lays down their hand: **what you keep goes "
                "into your columns, too**."
            ),
        )

    def suggested(self, view: View[Orchard]) -> Move | None:
        """The card that is proposed, while it is in the hand."""
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
            text = _("Try {card} now: the others may have a better one.")
        elif card.fruit == target.fruit:
            text = _("Try {card}: it is {distance} away.")
        else:
            text = _("Try {card}: another fruit, but only {distance} away.")
        yield Remark("try", text.format(card=self.card(card), distance=distance))

    # After a turn.

    def after(self, happened: Happening[Orchard]) -> Passage | None:
        reveal = Reveal.of(self.game, happened.events)
        if reveal is not None:
            return Passage(_("what happened"), self._after_turn(reveal, happened))
        if any(event.what == "lays" for event in happened.events):
            return Passage(_("hands are laid down"), lesson_points.laid(self.narrator, happened))
        return None

    def points(self, happened: Happening[Orchard]) -> Passage:
        return Passage(_("your points"), lesson_points.scored(self.narrator, happened))

    def farewell(self, view: View[Orchard]) -> Passage:
        return Passage(_("what comes next"), lesson_points.farewell())

    def _after_turn(self, reveal: Reveal, happened: Happening[Orchard]) -> Iterator[Remark]:
        yield from self._outshone(reveal)
        yield from self._tied(reveal)
        yield from self._taken(reveal)
        yield from self._instead(reveal, happened.before)
        yield from self._drawn(happened)

    def whose(self, seat: Seat, card: Card) -> str:
        if seat == ME:
            return _("your {card}").format(card=self.card(card))
        return _("{name}'s {card}").format(name=self.narrator.name(seat), card=self.card(card))

    def _outshone(self, reveal: Reveal) -> Iterator[Remark]:
        seats = sorted(reveal.outshone(), key=lambda seat: seat != ME)
        if seats and (seats[0] == ME or self.first("outshone")):
            card = reveal.played[seats[0]]
            yield Remark(
                "outshone",
                _(
                    "Closer, but of another fruit: {whose}, {distance} away. The target's own "
                    "fruit goes first."
                ).format(whose=self.whose(seats[0], card), distance=reveal.distance(card)),
            )

    def _tied(self, reveal: Reveal) -> Iterator[Remark]:
        for seats in reveal.ties():
            cards = [self.whose(seat, reveal.played[seat]) for seat in seats]
            yield Remark(
                "tied",
                _("A tie, {distance} away: {cards}. They are void.").format(
                    cards=", ".join(cards), distance=reveal.distance(reveal.played[seats[0]])
                ),
            )

    def _taken(self, reveal: Reveal) -> Iterator[Remark]:
        if reveal.winner is None:
            return
        if reveal.winner == ME and self.first("takes"):
            yield Remark(
                "takes",
                _("You take all {count} cards, the target too, and sort them by fruit.").format(
                    count=len(reveal.taken)
                ),
            )
        elif reveal.winner == ME and reveal.void and self.first("takes_void"):
            yield Remark("takes_void", _("You take the void cards, too."))
        yield from self._rotten_taken(reveal, reveal.winner)

    def _rotten_taken(self, reveal: Reveal, winner: Seat) -> Iterator[Remark]:
        for card in reveal.taken:
            if card.worth == 0 and winner == ME:
                text = _("With them comes {card}: a rotten card in your columns.")
                yield Remark("rotten_mine", text.format(card=self.card(card)))
            elif card.worth == 0 and card == reveal.played[ME]:
                text = _("Good riddance: your {card} is a worry of {name} now.")
                name = self.narrator.name(winner)
                yield Remark("rotten_gone", text.format(card=self.card(card), name=name))

    def _instead(self, reveal: Reveal, before: View[Orchard]) -> Iterator[Remark]:
        """For somebody who did not win, and wanted to."""
        if reveal.winner == ME or reveal.played[ME].worth == 0:
            return
        better = reveal.would_have_won(self.game, ME, before.known.values())
        if better:
            text = _("Could you have won? Yes: {cards}.")
            yield Remark("better", text.format(cards=", ".join(map(self.card, better))))
        else:
            yield Remark("none_better", _("Could you have won? No, with none of your cards."))

    def _drawn(self, happened: Happening[Orchard]) -> Iterator[Remark]:
        held, state = happened.before.hand, happened.after.state
        new = [face for slot, face in happened.after.known.items() if slot not in held]
        if new and self.first("draws"):
            text = _("You did not win, so you draw a card: {card}.")
            yield Remark("draws", text.format(card=self.narrator.cards(new)))
        elif new:
            yield Remark("draws", _("You draw {card}.").format(card=self.narrator.cards(new)))
        elif state.winner == ME and state.need.what != "card":
            yield Remark("no_last_draw", _("You won the last turn, so you draw no more."))
        elif state.winner == ME and self.first("no_draw"):
            text = _("You won, so you draw nothing; each of the others took a card.")
            yield Remark("no_draw", text)
        elif state.winner == ME:
            left = plural(
                "You draw nothing: {count} card is left in your hand.",
                "You draw nothing: {count} cards are left in your hand.",
                len(happened.after.hand),
            )
            yield Remark("left", left)
