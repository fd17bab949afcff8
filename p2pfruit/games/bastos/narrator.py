"""Bastos in words."""

import re
from collections.abc import Iterable, Sequence

from engine.bastos.rules import TRUMP, Bastos, Market
from engine.errors import IllegalMove
from engine.moves import Event, Move
from engine.needs import Face, Seat
from engine.tricks import suit
from engine.views import View
from p2pfruit.games.narrator import sheet
from p2pfruit.games.stalls import StallNarrator
from p2pfruit.games.tindahan.words import card, fruit  # the same box
from p2pfruit.language import text as _

# A card by name, perhaps declared: mango 7, mango7, m 7 trump; a name may have several words.
_CARD = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)*)\s*0*([1-9]\d?)(?:\s+([^\W\d_]+))?")

# A price by the fruit and which way: mango up, m +, mango -.
_PRICE = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)*?)\s*([+-]|\s[^\W\d_]+)")


class BastosNarrator(StallNarrator):
    game: Bastos
    _trick = ""  # the line that opens the next trick

    # Words.

    def prices(self, pairs: Iterable[tuple[str, int]]) -> str:
        return ", ".join(f"{fruit(name)} {signed(price)}" for name, price in pairs)

    def price_moved(self, seat: Seat, name: str, step: int, price: int) -> str:
        if seat == self.me:
            told = (
                _("you raise {fruit} to {price}") if step > 0 else _("you lower {fruit} to {price}")
            )
        else:
            told = (
                _("{name} raises {fruit} to {price}")
                if step > 0
                else _("{name} lowers {fruit} to {price}")
            )
        return told.format(name=self.name(seat), fruit=fruit(name), price=signed(price))

    def declared(self, name: str, price: int) -> str:
        told = _("trump: {fruit}, its price falls to {price}")
        return told.format(fruit=fruit(name), price=signed(price))

    def takes(self, seat: Seat, why: str, faces: Sequence[Face]) -> str:
        """Return who wins a trick, and why."""
        told = _("you take the trick") if seat == self.me else _("{name} takes the trick")
        reason = {
            "trump": _("the highest trump"),
            "led": _("the highest {fruit}"),
            "able": _("the highest {fruit} that can win"),
        }[why].format(fruit=fruit(suit(faces[0])))
        return f"{told.format(name=self.name(seat))} ({reason})"

    def nobody(self) -> str:
        return _("nobody can win: the cards count for no one, and the same player leads again")

    # What happened.

    def _tell_round(self, event: Event, events: Sequence[Event]) -> list[str]:
        title = _("round {round} of {rounds}").format(round=event.data[0], rounds=event.data[1])
        return ["", f"=== {title} ===", self._begins(event)]

    def _begins(self, event: Event) -> str:
        told = _("you begin") if event.seat == self.me else _("{name} begins")
        return told.format(name=self._who(event))

    def _tell_removed(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("{fruit} stays in the box").format(fruit=fruit(str(event.data[0])))]

    def _tell_over(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("one card is left over: {card}").format(card=card(str(event.data[0])))]

    def _tell_bastos(self, event: Event, events: Sequence[Event]) -> list[str]:
        title = ["", _("every Bastos is turned up")] if self._first(event, events) else []
        return [*title, self._line(event, card(str(event.data[0])))]

    def _tell_prices(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("prices: {prices}").format(prices=self.prices(pairs(event)))]

    def _tell_trick(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Keep the line for the first card: a person may see the table and the question before."""
        self._trick = _("trick {trick}").format(trick=event.data[0])
        return []

    def _tell_plays(self, event: Event, events: Sequence[Event]) -> list[str]:
        title = ["", self._trick] if self._trick else []
        self._trick = ""
        return [*title, self._line(event, card(str(event.data[0])))]

    def _tell_trump(self, event: Event, events: Sequence[Event]) -> list[str]:
        name, price = event.data
        return [self._line(event, self.declared(str(name), int(str(price))))]

    def _tell_price(self, event: Event, events: Sequence[Event]) -> list[str]:
        name, step, price = event.data
        assert event.seat is not None
        return ["  " + self.price_moved(event.seat, str(name), int(str(step)), int(str(price)))]

    def _tell_keeps(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [self._line(event, _("no price"))]

    def _tell_passed_over(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [
            self._line(event, _("cannot win with {card}").format(card=card(str(event.data[0]))))
        ]

    def _tell_wins(self, event: Event, events: Sequence[Event]) -> list[str]:
        why, *faces = map(str, event.data)
        assert event.seat is not None
        return [f"  -> {self.takes(event.seat, why, faces)}"]

    def _tell_nobody_wins(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [f"  -> {self.nobody()}"]

    def _tell_scores(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell nothing: the sheet comes with the prices."""
        return []

    def _tell_final_prices(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell the whole sheet: the price of each fruit, then how many of it each player won."""
        prices = pairs(event)
        titles = [f"{fruit(name)} {signed(price)}" for name, price in prices]
        scores = [other for other in events if other.what == "scores"]
        rows = [
            (self._who(other), [*map(str, other.data[1:]), str(other.data[0])]) for other in scores
        ]
        return ["", _("cards won, at their prices"), *sheet([*titles, _("points")], rows)]

    # The question.

    def place(self, state: Market) -> list[str]:
        told = [
            _("round {round} of {rounds}").format(round=state.round, rounds=self.game.rounds(state))
        ]
        if state.turn:
            turn = _("trick {trick} of {tricks}")
            told.append(turn.format(trick=state.turn, tricks=self.game.tricks(state)))
            trump = _("trump {fruit}").format(fruit=fruit(state.trump)) if state.trump else ""
            told.append(trump or _("no trump yet"))
        if state.over:
            told.append(_("left over {card}").format(card=card(state.over)))
        return told

    def question(self, view: View[Market]) -> str:
        state = view.state
        if state.need.what == "bastos":
            return _("which card do you lay aside as your Bastos?")
        if state.need.what == "price":
            return _("your Bastos fruit leads the trick: which price do you move?")
        if state.led is None:
            return _("you lead: which card do you play?")
        void = all(suit(view.known[slot]) != state.led for slot in view.hand)
        told = (
            _("{fruit} is led, you have none: which card do you play?")
            if void
            else _("{fruit} is led: which card do you play?")
        )
        return told.format(fruit=fruit(state.led))

    def choices(self, view: View[Market]) -> list[tuple[str, Move]]:
        """Return cards in the order of a hand, then declared as trump; prices in the order of the
        table."""
        verbs = ("keep", "raise", "lower")

        def rank(move: Move) -> tuple[int, ...]:
            if move.cards:
                return len(move.words), *self.rank(view.known[move.cards[0]])
            return self.game.column[move.words[0]] if move.words else -1, verbs.index(move.verb)

        return [(self._label(view, move), move) for move in sorted(view.moves(), key=rank)]

    def _label(self, view: View[Market], move: Move) -> str:
        if move.cards:
            told = card(view.known[move.cards[0]])
            return _("{card} as trump").format(card=told) if move.words == TRUMP else told
        if not move.words:
            return _("no price")
        step = 1 if move.verb == "raise" else -1
        price = signed(self.game.price(view.state, move.words[0]) + step)
        told = _("{fruit} up to {price}") if step > 0 else _("{fruit} down to {price}")
        return told.format(fruit=fruit(move.words[0]), price=price)

    def read(self, view: View[Market], typed: str) -> Move:
        """Read "mango 7", "m7 trump", and for prices "mango up", "m +", "mango -", too."""
        said = " ".join(typed.split()).lower()
        if view.state.need.what == "price":
            match = _PRICE.fullmatch(said)
            verb = _way(match[2].strip()) if match else None
            if match and verb and len(names := self._fruits(match[1])) == 1:
                return self._allowed(view, Move(verb, (), tuple(names)))
        elif (match := _CARD.fullmatch(said)) and self._means_trump(match[3] or "trump"):
            verb = "bastos" if view.state.need.what == "bastos" else "play"
            words = TRUMP if match[3] else ()
            return self._read_card(view, verb, match[1], int(match[2]), words)
        return super().read(view, typed)

    def _means_trump(self, typed: str) -> bool:
        return _("trump").startswith(typed) or "trump".startswith(typed)

    def _why(self, view: View[Market], typed: str) -> str:
        """Return the rule that was broken. Only the player who holds the hand can see that it has
        to follow."""
        led = view.state.led
        playing = {f"play #{slot}{word}" for slot in view.hand for word in ("", " trump")}
        held = [suit(view.known[slot]) for slot in view.hand]
        if led in held and typed in playing and typed not in map(str, view.moves()):
            told = _("you hold {fruit}, which was led (rule: follow)")
            return told.format(fruit=fruit(str(led)))
        return super()._why(view, typed)

    def breach(self, error: IllegalMove) -> str:
        rules = {
            "bastos": _("your Bastos is one card of your hand (rule: bastos)"),
            "card": _("a turn is one card of your hand (rule: card)"),
            "hand": _("that card is not in your hand (rule: hand)"),
            "price": _("one price moves by one, within -2 and +3, or none (rule: price)"),
            "trump": _(
                "trump is declared once a round, by who cannot follow, "
                "with a fruit that is nobody's Bastos (rule: trump)"
            ),
        }
        return rules.get(error.rule, str(error))


def pairs(event: Event) -> list[tuple[str, int]]:
    """Return fruits and their prices, as an event tells them."""
    return [
        (str(name), int(str(price)))
        for name, price in zip(event.data[::2], event.data[1::2], strict=True)
    ]


def signed(price: int) -> str:
    return f"{price:+d}" if price else "0"


def _way(typed: str) -> str | None:
    """Return the verb that a word means: raise, lower, or neither."""
    for verb, signs in (("raise", ("+", "up", _("up"))), ("lower", ("-", "down", _("down")))):
        if typed in signs:
            return verb
    return None


NARRATOR = BastosNarrator
