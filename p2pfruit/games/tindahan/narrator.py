"""Tindahan in words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.errors import IllegalMove
from engine.moves import Event, Move
from engine.needs import Done, Face, Seat
from engine.tindahan import scoring
from engine.tindahan.rules import Market, Tindahan
from engine.tricks import suit
from engine.views import View
from p2pfruit.games.narrator import sheet
from p2pfruit.games.stalls import StallNarrator
from p2pfruit.games.tindahan.words import card, fruit
from p2pfruit.language import text as _

# A card by name: mango 7, mango7, m 7; a fruit's name may have several words.
_CARD = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)*)\s*0*([1-9]\d?)")


class Count(NamedTuple):
    """How one seat scored in a round."""

    points: int
    net: int  # before it gets as many as the best
    tricks: int
    left: int
    trump: str
    stalls: tuple[str, ...]
    vendors: tuple[int, ...]
    worth: tuple[int, ...]  # points, in the order of stalls

    @property
    def blank(self) -> bool:
        return not self.tricks and not sum(self.vendors)


class TindahanNarrator(StallNarrator):
    game: Tindahan
    _begun = False  # whether something of the running trick has been told

    # Words.

    def vendor(self, stall: str) -> str:
        return _("vendor on {fruit}").format(fruit=fruit(stall))

    def donkey(self, stall: str) -> str:
        return _("donkey to {fruit}").format(fruit=fruit(stall))

    def takes(self, seat: Seat, face: Face, led: str, trump: str, count: int) -> str:
        """Return who wins a trick, and why."""
        told = _("you take the trick") if seat == self.me else _("{name} takes the trick")
        if count == 1:
            why = _("the only card")
        elif suit(face) == trump:
            why = _("highest trump: {card}").format(card=card(face))
        else:
            why = _("highest {fruit}, no trump: {card}").format(fruit=fruit(led), card=card(face))
        return f"{told.format(name=self.name(seat))} ({why})"

    def count(self, event: Event) -> Count:
        points, net, tricks, left = [int(str(number)) for number in event.data[:4]]
        numbers = [int(str(number)) for number in event.data[5:]]
        stalls = self.game.stalls(len(numbers) // 2)
        return Count(
            points,
            net,
            tricks,
            left,
            str(event.data[4]),
            stalls,
            tuple(numbers[::2]),
            tuple(numbers[1::2]),
        )

    # What happened.

    def _tell_round(self, event: Event, events: Sequence[Event]) -> list[str]:
        self._begun = False
        number, rounds = event.data
        title = _("round {round} of {rounds}").format(round=number, rounds=rounds)
        return ["", f"=== {title} ==="]

    def _tell_stalls(self, event: Event, events: Sequence[Event]) -> list[str]:
        donkey, *stalls = [fruit(str(name)) for name in event.data]
        return [
            _("stalls: {fruits}").format(fruits=", ".join(stalls)),
            _("the donkey stands on {fruit}: trump").format(fruit=donkey),
        ]

    def _tell_plays(self, event: Event, events: Sequence[Event]) -> list[str]:
        return self._turn(event, card(str(event.data[0])))

    def _tell_vendor(self, event: Event, events: Sequence[Event]) -> list[str]:
        stall, *spent = map(str, event.data)
        told = self.vendor(stall)
        return self._turn(event, f"{told}, {self._spent(spent[0])}" if spent else told)

    def _spent(self, face: Face) -> str:
        return _("{card} is spent").format(card=card(face))

    def _tell_donkey(self, event: Event, events: Sequence[Event]) -> list[str]:
        stall = str(event.data[1])
        trump = _("now trump; the next must play a card")
        return self._turn(event, f"{self.donkey(stall)}: {trump}")

    def _turn(self, event: Event, told: str) -> list[str]:
        """Tell a turn in one line, with a blank one before a trick."""
        title = [] if self._begun else [""]
        self._begun = True
        return [*title, self._line(event, told)]

    def _tell_takes(self, event: Event, events: Sequence[Event]) -> list[str]:
        self._begun = False
        face, led, trump, count = event.data
        assert event.seat is not None
        told = self.takes(event.seat, str(face), str(led), str(trump), int(str(count)))
        return [f"  -> {told}"]

    def _tell_scores(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell the whole sheet with the first of them: points of stalls and tricks, cards left."""
        told = [other for other in events if other.what == "scores"]
        if told[0] is not event:
            return []
        counts = [(self._who(other), self.count(other)) for other in told]
        stalls = counts[0][1].stalls
        titles = [*map(fruit, stalls), _("tricks"), _("cards"), _("points")]
        rows = [(name, self._counted(count)) for name, count in counts]
        blank = [name for name, count in counts if count.blank]
        return [
            "",
            _("points, and in brackets how many vendors or tricks"),
            *sheet(titles, rows),
            *map(self._blank, blank),
        ]

    def _counted(self, count: Count) -> list[str]:
        stalls = zip(count.worth, count.vendors, strict=True)
        return [
            *(f"{worth} ({vendors})" if vendors else "-" for worth, vendors in stalls),
            f"{scoring.TRICK * count.tricks} ({count.tricks})",
            str(-scoring.LEFT * count.left),
            str(count.points),
        ]

    def _blank(self, name: str) -> str:
        told = _("{name}: no vendor and no trick, as many points as the best")
        return "  " + told.format(name=name)

    # The question.

    def place(self, state: Market) -> list[str]:
        told = _("round {round} of {rounds}").format(
            round=state.round, rounds=self.game.rounds(state)
        )
        if not any(state.hands):
            return [told]
        return [
            told,
            _("trick {trick}").format(trick=sum(state.tricks) + 1),
            _("trump {fruit}").format(fruit=fruit(state.donkey)),
        ]

    def projections(self, state: Market) -> dict[Seat, int]:
        """Return what each seat would score if the round ended now; nothing before the first
        trick."""
        sheets = self.game.sheets(state)
        if not any(state.tricks) or isinstance(state.need, Done):
            return {}
        return dict(zip(sheets, scoring.totals(list(sheets.values())), strict=True))

    def question(self, view: View[Market]) -> str:
        state = view.state
        if state.turn == 0:
            return _("you lead: which card, or where does the donkey go?")
        if state.led is None:
            return _("the donkey was moved: which card do you lead?")
        verbs = {move.verb for move in view.moves()}
        told = (
            _("{fruit} is led: which card, or a vendor?")
            if "vendor" in verbs
            else _("{fruit} is led: which card do you play?")
        )
        return told.format(fruit=fruit(state.led))

    def choices(self, view: View[Market]) -> list[tuple[str, Move]]:
        """Return cards in the order of a hand, then vendors, then the donkey by stall."""
        verbs = ("play", "vendor", "donkey")

        def rank(move: Move) -> tuple[int, ...]:
            if move.cards:
                return verbs.index(move.verb), *self.rank(view.known[move.cards[0]])
            stall = self.fruits.index(move.words[0]) if move.words else 0
            return verbs.index(move.verb), stall

        return [(self._label(view, move), move) for move in sorted(view.moves(), key=rank)]

    def _label(self, view: View[Market], move: Move) -> str:
        faces = [view.known[slot] for slot in move.cards]
        match move.verb:
            case "play":
                return card(faces[0])
            case "donkey":
                return self.donkey(move.words[0])
        if faces:
            return _("vendor with {card}").format(card=card(faces[0]))
        assert view.state.led is not None
        return self.vendor(view.state.led)

    def read(self, view: View[Market], typed: str) -> Move:
        """Read "mango 7", "m7", "vendor", "vendor mango 7", "donkey mango", too."""
        words = " ".join(typed.split()).lower()
        for label, move in self.choices(view):
            if words == label.lower():
                return move
        verb, _blank, rest = words.partition(" ")
        if self._means(verb, "vendor") and (not rest or self.game.spends_card):
            return self._read_vendor(view, rest)
        if self._means(verb, "donkey") and len(stalls := self._fruits(rest)) == 1:
            return self._allowed(view, Move("donkey", (), tuple(stalls)))
        if match := _CARD.fullmatch(words):
            return self._read_card(view, "play", match[1], int(match[2]))
        return super().read(view, typed)

    def _means(self, typed: str, verb: str) -> bool:
        spoken = {"vendor": _("vendor"), "donkey": _("donkey")}[verb]
        return len(typed) > 0 and (spoken.startswith(typed) or verb.startswith(typed))

    def _read_vendor(self, view: View[Market], rest: str) -> Move:
        match = _CARD.fullmatch(rest)
        if match is None:
            return self._allowed(view, Move("vendor"))
        return self._read_card(view, "vendor", match[1], int(match[2]))

    def _why(self, view: View[Market], typed: str) -> str:
        """Return the rule that was broken. Only the player who holds the hand can see that it has
        to follow."""
        held = {f"play #{slot}" for slot in view.hand}
        if typed in held and typed not in map(str, view.moves()) and view.state.led:
            told = _("you hold {fruit}, which was led (rule: follow)")
            return told.format(fruit=fruit(view.state.led))
        return super()._why(view, typed)

    def breach(self, error: IllegalMove) -> str:
        rules = {
            "card": _("a turn is one card of your hand (rule: card)"),
            "hand": _("that card is not in your hand (rule: hand)"),
            "lead": _("the leader plays a card or moves the donkey (rule: lead)"),
            "must-play": _("the donkey was moved, so you play a card (rule: must-play)"),
            "vendors": _("all your vendors are placed (rule: vendors)"),
            "vendor": self._vendor_form(),
            "donkey": _("the leader moves the donkey, to another stall (rule: donkey)"),
        }
        return rules.get(error.rule, str(error))

    def _vendor_form(self) -> str:
        if self.game.spends_card:
            return _("a vendor is sent with a card of your hand (rule: vendor)")
        return _("a vendor takes no card: it goes to the stall of the fruit led (rule: vendor)")


NARRATOR = TindahanNarrator
