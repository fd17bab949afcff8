"""Pixies in words."""

import re
from collections.abc import Sequence

from engine.errors import IllegalMove
from engine.moves import Event, Move
from engine.needs import Face, Seat
from engine.pixies.areas import Case, Place, case_of
from engine.pixies.cards import KINDS, Card
from engine.pixies.rules import Meadow, Pixies
from engine.pixies.scoring import Sheet
from engine.views import View
from p2pfruit.games.narrator import Narrator, sheet
from p2pfruit.language import plural
from p2pfruit.language import text as _

# A card by name, perhaps with its symbols: blue 4, blue4, b 4 +1, b4 special, red 8 -5.
_CARD = re.compile(r"([^\W\d_]+)\s*([1-9])(?:\s*(\S+))?")
_PLACE = re.compile(r"(?:[^\W\d_]+\s*)?([1-9])")


class PixiesNarrator(Narrator):
    game: Pixies

    # Words.

    def colour(self, colour: str) -> str:
        return {
            "blue": _("blue"),
            "green": _("green"),
            "yellow": _("yellow"),
            "red": _("red"),
            "multicolour": _("multicolour"),
        }[colour]

    def symbols(self, card: Card) -> str:
        """Return what is printed on a card beside colour and number; nothing on most."""
        if card.star:
            return _("special")
        return f"{card.symbols:+}" if card.symbols else ""

    def card(self, face: Face) -> str:
        card = self.game.cards[face]
        return f"{self.colour(card.colour)} {card.number} {self.symbols(card)}".rstrip()

    def cards(self, faces: Sequence[Face]) -> str:
        return ", ".join(map(self.card, self.ordered(faces))) or _("nothing")

    def ordered(self, faces: Sequence[Face]) -> list[Face]:
        """Return cards by number and colour."""
        return sorted(faces, key=list(self.game.cards).index)

    # What happened.

    def _tell_other(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell nothing: a taken card is told with the place where it went."""
        return []

    def _tell_round(self, event: Event, events: Sequence[Event]) -> list[str]:
        title = _("round {round} of {rounds}").format(round=event.data[0], rounds=self.game.rounds)
        return ["", f"=== {title} ==="]

    def _tell_row(self, event: Event, events: Sequence[Event]) -> list[str]:
        turn, *faces = event.data
        told = _("turn {turn} ({name} first): {cards}")
        cards = self.cards([str(face) for face in faces])
        return ["", told.format(turn=turn, name=self._who(event), cards=cards)]

    def _tell_puts_up(self, event: Event, events: Sequence[Event]) -> list[str]:
        face, number, how = event.data
        told = (
            _("{name}: {card}, over a card face down: validated")
            if how == "over"
            else _("{name}: {card}, face up on place {number}")
        )
        return ["  " + told.format(name=self._who(event), card=self.card(str(face)), number=number)]

    def _tell_keeps(self, event: Event, events: Sequence[Event]) -> list[str]:
        kept, other, _number = [str(one) for one in event.data]
        told = _("{name}: {kept} stays face up, validated by {other}")
        names = {"kept": self.card(kept), "other": self.card(other)}
        return ["  " + told.format(name=self._who(event), **names)]

    def _tell_lays(self, event: Event, events: Sequence[Event]) -> list[str]:
        face, number = event.data
        told = _("{name}: {card}, face down on place {number}")
        return ["  " + told.format(name=self._who(event), card=self.card(str(face)), number=number)]

    def _tell_full(self, event: Event, events: Sequence[Event]) -> list[str]:
        return ["  " + _("{name}: all nine places are filled").format(name=self._who(event))]

    def _tell_pile_short(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("the pile has too few cards for another turn: the round ends")]

    def _tell_scores(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell the whole sheet with the first of them."""
        if not self._first(event, events):
            return []
        titles = [_("validated"), _("spirals"), _("crosses"), _("zone"), _("points")]
        scores = [other for other in events if other.what == "scores"]
        return ["", *sheet(titles, [(self._who(other), _scored(other)) for other in scores])]

    # The table.

    def place(self, state: Meadow) -> list[str]:
        return [
            _("round {round} of {rounds}").format(round=state.round, rounds=self.game.rounds),
            _("turn {turn}").format(turn=state.turn),
            plural(
                "{count} card in the pile", "{count} cards in the pile", state.made - state.pile
            ),
            _("zone x {worth}").format(worth=state.round + 1),
        ]

    def endings(self, state: Meadow) -> list[str]:
        """Return what ends the round now."""
        if not state.order:
            return []
        full = [seat for seat in state.seated if None not in map(_lies, state.areas[seat])]
        lines = [
            _("{name}: all nine places are filled").format(name=self.name(seat)) for seat in full
        ]
        if state.made - state.pile < self.game.turned_up(len(state.seated)):
            lines.append(_("this is the last turn: the pile has too few cards for another"))
        return lines

    # How a round was scored.

    def validated(self, sheet: Sheet) -> str:
        if not sheet.validated:
            return _("no validated card: 0")
        numbers = " + ".join(map(str, sheet.validated))
        whole = f"{numbers} = {sum(sheet.validated)}" if len(sheet.validated) > 1 else numbers
        return _("validated cards: {numbers}").format(numbers=whole)

    def counted(self, sheet: Sheet) -> str:
        """Return how the symbols were counted."""
        parts = [_("spirals {count}").format(count=sheet.printed)]
        parts += [
            _("special {colour} +{count}").format(colour=self.colour(colour), count=count)
            for colour, count in sheet.stars
        ]
        parts.append(_("crosses -{count}").format(count=sheet.crosses))
        total = sheet.spirals - sheet.crosses
        return ", ".join(parts) + f" = {total:+}"

    def zone(self, sheet: Sheet) -> str:
        if sheet.colour is None:
            return _("no two cards of a colour touch: 0")
        told = _("largest zone: {count} {colour} x {worth} = {points}")
        count = len(sheet.zone)
        return told.format(
            count=count,
            colour=self.colour(sheet.colour),
            worth=sheet.worth,
            points=count * sheet.worth,
        )

    # The question.

    def question(self, view: View[Meadow]) -> str:
        state = view.state
        if state.taken is None:
            return _("which card do you take?")
        if state.need.what == "keep":
            return _("which of the two stays face up?")
        return _("{card}: on which empty place does it lie face down?").format(
            card=self.card(state.taken)
        )

    def choices(self, view: View[Meadow]) -> list[tuple[str, Move]]:
        moves = view.moves()
        if view.state.need.what == "lay":
            return [(self.place_name(move.words[0]), move) for move in moves]
        order = list(self.game.cards)
        moves.sort(key=lambda move: order.index(move.words[0]))
        return [(self.card(move.words[0]), move) for move in moves]

    def place_name(self, number: str | int) -> str:
        return _("place {number}").format(number=number)

    def becomes(self, state: Meadow, seat: Seat, face: Face) -> str:
        """Return what becomes of a card if it is taken."""
        number = self.game.cards[face].number
        area = state.areas[seat]
        match case_of(area, number):
            case Case.UP if area[number - 1][1] is None:
                return _("face up on place {number}").format(number=number)
            case Case.UP:
                return _("validated at once")
            case Case.KEEP:
                return _("one of the two stays up")
        return _("face down, elsewhere")

    def read(self, view: View[Meadow], typed: str) -> Move:
        """Read cards by name and places by number, too: blue 4, b4 +1, place 7, 7."""
        text = " ".join(typed.split()).lower()
        if view.state.need.what == "lay":
            return self._read_place(view, text)
        card = _CARD.fullmatch(text)
        if card and (kinds := self._colours(card[1])):
            return self._read_card(view, kinds, int(card[2]), card[3] or "")
        return super().read(view, typed)

    def _read_place(self, view: View[Meadow], text: str) -> Move:
        """Read a number as that of the place, not of the choice."""
        place = _PLACE.fullmatch(text.strip("[]"))
        for move in view.moves():
            if place and move.words[0] == place[1]:
                return move
        if place:
            why = _("place {number} is not empty (rule: lay)").format(number=place[1])
            raise self.refusal(view, why)
        return super().read(view, text)

    def menu(self, view: View[Meadow]) -> str:
        if view.state.need.what != "lay":
            return super().menu(view)
        return "  " + "  ".join(f"[{move.words[0]}]" for move in view.moves())

    def _colours(self, beginning: str) -> list[str]:
        """Return the colours whose name begins with what was typed, in this language or in
        English."""
        spoken = [kind for kind in KINDS if self.colour(kind).startswith(beginning)]
        return spoken or [kind for kind in KINDS if kind.startswith(beginning)]

    def _read_card(self, view: View[Meadow], kinds: list[str], number: int, rest: str) -> Move:
        cards = [(self.game.cards[move.words[0]], move) for move in view.moves()]
        fitting = [
            move
            for card, move in cards
            if card.colour in kinds and card.number == number and self._shows(card, rest)
        ]
        if len(fitting) == 1:
            return fitting[0]
        name = f"{self.colour(kinds[0])} {number} {rest}".rstrip()
        if fitting:
            names = ", ".join(self.card(move.words[0]) for move in fitting)
            raise self.refusal(
                view, _("{typed} can be: {names}").format(typed=repr(name), names=names)
            )
        raise self.refusal(
            view,
            _("{card} is not among these (rule: {rule})").format(
                card=name, rule=view.state.need.what
            ),
        )

    def _shows(self, card: Card, symbols: str) -> bool:
        """Return True if what was typed behind the number is printed on the card."""
        printed = self.symbols(card) or "0"
        return symbols in ("", printed, "special" if card.star else printed)

    def breach(self, error: IllegalMove) -> str:
        rules = {
            "take": _("you take one of the cards that are turned up (rule: take)"),
            "keep": _("one of the two cards stays face up (rule: keep)"),
            "lay": _("a card face down lies on an empty place (rule: lay)"),
            "hand": _("nobody holds cards in this game (rule: hand)"),
        }
        return rules.get(error.rule, str(error))


def _scored(event: Event) -> list[str]:
    points, validated, spirals, crosses, zone, worth, _area = event.data
    return [str(validated), f"+{spirals}", f"-{crosses}", f"{zone} x {worth}", str(points)]


def _lies(place: Place) -> Face | None:
    """Return a card of a place, if there is one."""
    return place[0] or place[1]


NARRATOR = PixiesNarrator
