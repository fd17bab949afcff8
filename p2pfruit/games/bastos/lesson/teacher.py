"""What the teacher of Bastos says before and after each trick.

A rule is told when the learner first stands where it holds: following, without the fruit led,
leading, moving a price. So it is heard whatever was played before.

The last trick of a round is told together with the points: by then the cards of the next round are
dealt already, and its table would not fit what is said.
"""

from collections.abc import Iterator

from engine.bastos import Bastos
from engine.bastos.rules import TRUMP, Market
from engine.moves import Event, Move
from engine.needs import Face, Seat
from engine.tricks import suit
from engine.views import View
from p2pfruit.games.bastos.lesson.proposals import Adviser
from p2pfruit.games.bastos.lesson.trick import Trick
from p2pfruit.games.bastos.narrator import BastosNarrator, pairs, signed
from p2pfruit.games.course import ME, Happening, Passage, Remark, Teacher
from p2pfruit.games.remarks import arranged, their_void
from p2pfruit.language import text as _


class BastosTeacher(Teacher[Market]):
    narrator: BastosNarrator
    game: Bastos

    # The beginning.

    def opening(self, view: View[Market]) -> Iterator[Passage]:
        yield Passage(_("welcome"), self._welcome(view))
        yield Passage(_("the table"), self._table(view))
        yield Passage(_("the Bastos"), self._bastos(view))

    def _welcome(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        yield Remark(
            "welcome",
            _(
                "You sit with {names}. Bastos is played in **tricks**: everybody plays a card, and "
                "whoever wins takes all of them. What they are worth is settled only at the end."
            ).format(names=", ".join(self.narrator.name(seat) for seat in _others(state))),
        )
        yield Remark(
            "joined",
            _(
                "{over} tricks of a first round are over: they were played for you. {left} are "
                "left."
            ).format(over=state.turn - 1, left=self._left(state)),
        )
        yield arranged()

    def _table(self, view: View[Market]) -> Iterator[Remark]:
        prices = self.narrator.prices(self._prices(view.state))
        yield Remark(
            "prices",
            _(
                "Every fruit has a price, from -2 to +3; now they are: {prices}. They move during "
                "the round. At its end each card that you won counts the price of its fruit: win "
                "the dear ones, leave the cheap ones to others."
            ).format(prices=prices),
        )
        yield Remark(
            "tricks",
            _(
                "A trick goes round to the right. Who has the fruit that was led must follow with "
                "it. The highest card of the fruit led wins, unless somebody plays **trump**; "
                "there is none yet."
            ),
        )

    def _bastos(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        mine = state.bastos[ME]
        yield Remark(
            "bastos",
            _(
                "Before the first trick everybody laid a card aside, in secret and all at once: "
                "their Bastos. Each raised the price of its fruit by 1."
            ),
        )
        yield Remark(
            "my_weakness",
            _(
                "Yours, chosen for you this time, is {card}. So **you cannot win a trick with "
                "{fruit}** in this round."
            ).format(card=self.narrator.card(mine), fruit=self.narrator.fruit(suit(mine))),
        )
        theirs = [
            f"{self.narrator.name(seat)} {self.narrator.fruit(suit(state.bastos[seat]))}"
            for seat in _others(state)
        ]
        text = _("The others have a weak spot, too: {theirs}.")
        yield Remark("weaknesses", text.format(theirs=", ".join(theirs)))

    def _prices(self, state: Market) -> list[tuple[str, int]]:
        return [(fruit, self.game.price(state, fruit)) for fruit in self.game.in_play(state)]

    def _left(self, state: Market) -> int:
        """How many tricks are left, this one included."""
        return self.game.tricks(state) - state.turn + 1

    # Before a decision.

    def before(self, view: View[Market]) -> Iterator[Passage]:
        state = view.state
        match state.need.what:
            case "bastos":
                yield Passage(_("your Bastos"), self._secret())
                yield Passage(_("your Bastos"), self._proposal(view))
            case "price":
                yield Passage(_("a price"), [self._move(view), *self._proposal(view)])
            case _card:
                yield from self._before_card(view)

    def _before_card(self, view: View[Market]) -> Iterator[Passage]:
        state, title = view.state, _("leading")
        if self._left(state) == 1:
            title, remarks = _("the last trick"), [self._last_trick()]
        elif state.led is None:
            remarks = [*self._lead(view)]
        elif any(suit(face) == state.led for face in view.known.values()):
            title, remarks = _("the fruit led"), [self._follow(view, state.led)]
        else:
            title, remarks = _("without the fruit led"), [*self._void(state, state.led)]
        choice = [*self._may_declare(view)]
        if choice and self.first("declare"):
            yield Passage(title, [*remarks, self._declare(state)])
            title, remarks = _("trump or not"), []
        yield Passage(title, [*remarks, *choice, *self._proposal(view)])

    def _lead(self, view: View[Market]) -> Iterator[Remark]:
        yield Remark("lead", _("You lead: play any card. Whoever has its fruit must follow."))
        own = suit(view.state.bastos[ME])
        mine = [face for face in view.known.values() if suit(face) == own]
        if mine and self.first("own_lead"):
            yield Remark(
                "own_lead",
                _(
                    "With the fruit of your Bastos ({cards}) you cannot win. But whoever plays "
                    "their own as the strongest card so far, as always when leading, may move one "
                    "price by 1."
                ).format(cards=self.narrator.cards(mine)),
            )
        elif not mine:
            text = _("No advice this time: think of the prices, and of who cannot win with what.")
            yield Remark("free", text)

    def _follow(self, view: View[Market], led: str) -> Remark:
        held = [face for face in view.known.values() if suit(face) == led]
        return Remark(
            "follow",
            _("{name} led {fruit}, and you have it: you must follow ({cards}).").format(
                name=self.narrator.name(view.state.leader),
                fruit=self.narrator.fruit(led),
                cards=self.narrator.cards(held),
            ),
        )

    def _void(self, state: Market, led: str) -> Iterator[Remark]:
        text = _("{name} led {fruit}, and you have none: play what you like.")
        name, fruit = self.narrator.name(state.leader), self.narrator.fruit(led)
        yield Remark("void", text.format(name=name, fruit=fruit))
        if self.first("proof"):
            yield Remark(
                "proof",
                _(
                    "At a table with others your program then **proves** that you have none, and "
                    "shows no card."
                ),
            )

    def _declare(self, state: Market) -> Remark:
        return Remark(
            "declare",
            _(
                "There is no trump yet. Who cannot follow may declare the card played **trump**: "
                "until the round ends its fruit beats all others, and its price falls by 2 at "
                "once. A fruit that is anybody's Bastos cannot be trump; these can: {fruits}."
            ).format(fruits=self._free_fruits(state)),
        )

    def _free_fruits(self, state: Market) -> str:
        """Those that are nobody's Bastos."""
        weak = list(map(suit, state.bastos))
        free = [fruit for fruit in self.game.in_play(state) if fruit not in weak]
        return ", ".join(map(self.narrator.fruit, free))

    def _may_declare(self, view: View[Market]) -> Iterator[Remark]:
        faces = [view.known[move.cards[0]] for move in view.moves() if move.words == TRUMP]
        if faces:
            text = _("You may declare trump with: {cards}. Or play any card and declare nothing.")
            yield Remark("may_declare", text.format(cards=self.narrator.cards(faces)))

    def _last_trick(self) -> Remark:
        text = _("This is your last card. After this trick, what everybody won is counted.")
        return Remark("last_trick", text)

    def _move(self, view: View[Market]) -> Remark:
        return Remark(
            "move",
            _(
                "Your {card} is the strongest card so far, and the fruit of your Bastos. It cannot "
                "win, but you may move **one price** by 1, up or down."
            ).format(card=self.narrator.card(view.state.trick[-1])),
        )

    def _secret(self) -> Iterator[Remark]:
        yield Remark(
            "secret",
            _(
                "A new round: new cards, and all prices are 0 again. Now the Bastos is **your** "
                "choice. Everybody seals theirs before any is opened, so nobody can wait and see."
            ),
        )
        yield Remark(
            "cost",
            _(
                "The card you lay aside counts for nobody, and all you hold of its fruit cannot "
                "win. In return its price goes up by 1, and leading with it moves prices."
            ),
        )

    # What is proposed.

    def suggested(self, view: View[Market]) -> Move | None:
        found = Adviser(self.narrator, view).proposal()
        return found[0] if found else None

    def _proposal(self, view: View[Market]) -> Iterator[Remark]:
        found = Adviser(self.narrator, view).proposal()
        if found:
            yield Remark("try", found[1])

    # After a decision.

    def after(self, happened: Happening[Market]) -> Passage | None:
        whats = [event.what for event in happened.events]
        if "prices" in whats:
            return Passage(_("what happened"), self._revealed(happened.after.state))
        if "final_prices" in whats:
            return None
        trick = Trick.of(self.game, happened)
        if trick is not None:
            return Passage(_("what happened"), self._after_trick(trick, happened.after.state))
        moved = [*self._moved(happened)]
        return Passage(_("a price moves"), moved) if moved else None

    def _moved(self, happened: Happening[Market]) -> Iterator[Remark]:
        """A price was moved by somebody else."""
        for event in happened.events:
            if event.what == "price" and event.seat != ME and self.first("their_price"):
                yield self._their_price(event, happened.before.state.trick[-1])

    def _their_price(self, event: Event, face: Face) -> Remark:
        fruit, _step, price = event.data
        assert event.seat is not None
        return Remark(
            "their_price",
            _(
                "{name} played {card}: the strongest card so far, but of the fruit of {name}'s "
                "Bastos, so it cannot win. In return {name} could move one price by 1: {fruit} is "
                "at {price} now."
            ).format(
                name=self.narrator.name(event.seat),
                card=self.narrator.card(face),
                fruit=self.narrator.fruit(str(fruit)),
                price=signed(int(str(price))),
            ),
        )

    def _after_trick(self, trick: Trick, state: Market) -> Iterator[Remark]:
        yield from self._passed(trick)
        if trick.declared:
            yield self._declared(trick, state)
        if trick.winner is not None and trick.why == "trump" and self.first("trumped"):
            text = _("A trump beats every {fruit}, however high: {card}.")
            card = self.narrator.card(trick.played[trick.winner])
            yield Remark("trumped", text.format(fruit=self.narrator.fruit(trick.led), card=card))
        for seat in trick.strays():
            yield from self._stray(seat, trick)
        yield self._taken(trick, state)

    def _passed(self, trick: Trick) -> Iterator[Remark]:
        if trick.passed and trick.winner is not None and self.first("passed"):
            cards = [self._whose(seat, trick.played[seat]) for seat in trick.passed]
            text = _("Higher, but passed over: {cards}. Nobody wins with their own Bastos fruit.")
            yield Remark("passed", text.format(cards=", ".join(cards)))

    def _whose(self, seat: Seat, face: Face) -> str:
        if seat == ME:
            return _("your {card}").format(card=self.narrator.card(face))
        return _("{name}'s {card}").format(
            name=self.narrator.name(seat), card=self.narrator.card(face)
        )

    def _declared(self, trick: Trick, state: Market) -> Remark:
        return Remark(
            "declared",
            _("Trump until the round ends: {fruit}. Its price fell to {price}.").format(
                fruit=self.narrator.fruit(trick.trump),
                price=signed(self.game.price(state, trick.trump)),
            ),
        )

    def _stray(self, seat: Seat, trick: Trick) -> Iterator[Remark]:
        led = self.narrator.fruit(trick.led)
        if seat == ME and self.first("my_void"):
            text = _(
                "At a table with others they have a proof now that you hold no {fruit}, and know "
                "nothing else of your hand."
            )
            yield Remark("my_void", text.format(fruit=led))
        elif seat != ME and self.first("their_void"):
            card = self.narrator.card(trick.played[seat])
            yield their_void(self.narrator.name(seat), card, led)

    def _taken(self, trick: Trick, state: Market) -> Remark:
        points = signed(sum(self.game.price(state, suit(face)) for face in trick.faces))
        if trick.winner is None:
            self.first("nobody")
            text = _(
                "The fruit led, {fruit}, was played only by who cannot win with it, and no trump "
                "lies there: **nobody wins**. The cards are out of the round, and who led leads "
                "again."
            )
            return Remark("nobody", text.format(fruit=self.narrator.fruit(trick.led)))
        if trick.winner == ME:
            text = _(
                "The trick is yours, worth {points} at the prices of now, and you lead the next."
            )
            return Remark("takes", text.format(points=points))
        text = _("{name} takes the trick, worth {points} at the prices of now, and leads the next.")
        name = self.narrator.name(trick.winner)
        return Remark("leads", text.format(name=name, points=points))

    def _revealed(self, state: Market) -> Iterator[Remark]:
        yield Remark(
            "weak_now",
            _(
                "Every Bastos raised the price of its fruit by 1. With {fruit} you cannot win in "
                "this round."
            ).format(fruit=self.narrator.fruit(suit(state.bastos[ME]))),
        )
        text = _("Nobody's Bastos, so these may become trump: {fruits}.")
        yield Remark("trumps_now", text.format(fruits=self._free_fruits(state)))

    # The end.

    def points(self, happened: Happening[Market]) -> Passage:
        return Passage(_("your points"), self._scored(happened))

    def _scored(self, happened: Happening[Market]) -> Iterator[Remark]:
        trick = Trick.of(self.game, happened)
        assert trick is not None
        yield self._last(trick)
        scores = {event.seat: event for event in happened.events if event.what == "scores"}
        points, *counts = [int(str(count)) for count in scores[ME].data]
        text = _("You score {points}: each card that you won counts the last price of its fruit.")
        yield Remark("score", text.format(points=points))
        [prices] = [pairs(event) for event in happened.events if event.what == "final_prices"]
        below = [
            self.narrator.fruit(fruit)
            for (fruit, price), count in zip(prices, counts, strict=True)
            if count and price < 0
        ]
        if below:
            text = _(
                "A price below zero costs points. You have won cards at such a price: {fruits}."
            )
            yield Remark("below", text.format(fruits=", ".join(below)))

    def _last(self, trick: Trick) -> Remark:
        turns = [
            f"{self.narrator.name(seat)} {self.narrator.card(face)}"
            for seat, face in trick.played.items()
        ]
        end = _("nobody wins it")
        if trick.winner is not None:
            end = self.narrator.takes(trick.winner, trick.why, trick.faces)
        text = _("The last trick: {turns}; {end}.")
        return Remark("last", text.format(turns=", ".join(turns), end=end))

    def farewell(self, view: View[Market]) -> Passage:
        return Passage(_("what comes next"), self._farewell())

    def _farewell(self) -> Iterator[Remark]:
        if self.first("nobody"):
            yield Remark(
                "unseen",
                _(
                    "Not seen yet: if whoever played the fruit led cannot win with it, and no "
                    "trump lies there, **nobody wins**. The cards are out, and who led leads again."
                ),
            )
        yield Remark(
            "rounds",
            _(
                "The second round would go on like the first, and here the lesson ends. Everybody "
                "begins two rounds: 6 in all with three players, 8 with four. Most points win."
            ),
        )


def _others(state: Market) -> list[Seat]:
    return [seat for seat in state.seated if seat != ME]
