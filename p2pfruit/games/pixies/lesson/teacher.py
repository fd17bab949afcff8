"""What the teacher of Pixies says before a decision.

A rule is told when the learner first stands where it holds: a second card of a number lies open, a
third one, a special one. One of them at a time, so that it is read. A card is proposed only where
there is a reason for it that holds as the cards lie.
"""

from collections.abc import Iterator

from engine.moves import Event, Move
from engine.needs import Face
from engine.pixies import Pixies
from engine.pixies.areas import Area, Case, case_of, empty_places, is_validated, put_both, put_up
from engine.pixies.cards import MULTICOLOUR
from engine.pixies.rules import Meadow
from engine.pixies.scoring import Sheet
from engine.views import View
from p2pfruit.games.course import ME, Happening, Passage, Remark, Teacher
from p2pfruit.games.pixies.lesson import placed
from p2pfruit.games.pixies.lesson.placed import BRUNO
from p2pfruit.games.pixies.narrator import PixiesNarrator
from p2pfruit.games.remarks import arranged
from p2pfruit.language import text as _

# What is proposed, as long as it lies open.
SUGGESTED: tuple[Face, ...] = (
    *("blue-2-plus4", "yellow-5-minus2"),
    "green-5-minus1",
    *("blue-4-star", "multicolour-3-plain"),
)

# What an open card can call for; told in this order.
RULES = ("second", "third", "covers", "special", "multicolour")


class PixiesTeacher(Teacher[Meadow]):
    narrator: PixiesNarrator
    game: Pixies

    @property
    def _bruno(self) -> str:
        return self.narrator.name(BRUNO)

    def _sheet(self, area: Area) -> Sheet:
        return placed.sheet_of(self.game, area)

    # The beginning.

    def opening(self, view: View[Meadow]) -> Iterator[Passage]:
        yield Passage(_("welcome"), self._welcome(view.state))
        yield Passage(_("the table"), self._table())
        yield Passage(_("what counts"), self._counts(view.state))

    def _welcome(self, state: Meadow) -> Iterator[Remark]:
        yield Remark(
            "welcome",
            _(
                "You sit with {name}. From the cards that lie open you each take one in turn and "
                "lay it in your own area: nine places, one for each number from 1 to 9."
            ).format(name=self._bruno),
        )
        yield Remark(
            "joined",
            _(
                "{turns} turns of a first round were played for you. Places filled: you {mine}, "
                "{name} {theirs}."
            ).format(
                turns=state.turn - 1,
                mine=_filled(state.areas[ME]),
                name=self._bruno,
                theirs=_filled(state.areas[BRUNO]),
            ),
        )
        yield arranged()

    def _table(self) -> Iterator[Remark]:
        yield Remark(
            "places",
            _(
                "Your area comes first: the places 1 to 3, then 4 to 6, then 7 to 9. One that is "
                "empty shows its number only."
            ),
        )
        yield Remark(
            "symbols",
            _(
                "A card has a number and a colour. Many have **spirals** (+), which bring 1 point "
                "each, or **crosses** (-), which cost 1 each."
            ),
        )

    def _counts(self, state: Meadow) -> Iterator[Remark]:
        for up, _down in filter(is_validated, state.areas[ME]):
            assert up is not None
            text = _(
                "Your {card} is **validated**: it lies face up on a card that lies face down. Only "
                "validated cards bring their number; the table marks them."
            )
            yield Remark("validated", text.format(card=self.narrator.card(up)))
        yield Remark(
            "aim",
            _(
                "So you want validated cards, spirals, and a large **zone**: cards of one colour "
                "that touch. All is counted when the round ends."
            ),
        )

    # Before a decision.

    def before(self, view: View[Meadow]) -> Iterator[Passage]:
        match view.state.need.what:
            case "take":
                yield from self._taking(view)
            case "keep":
                yield Passage(
                    _("which one stays up"), [self._choose(view.state), *self._proposal(view)]
                )
            case _lay:
                yield Passage(_("face down"), [self._lay(view.state), *self._proposal(view)])

    def _taking(self, view: View[Meadow]) -> Iterator[Passage]:
        state = view.state
        if self.first("draft"):
            yield Passage(_("the draft"), self._draft(state))
            yield Passage(_("an empty place"), [_number(), *self._proposal(view)])
            return
        begun, rule = self._begun(state), self._rule(state)
        title = _("who begins") if begun else _("your choice")
        remarks = [*begun, self._stand(state)]
        if rule:
            if begun:
                yield Passage(title, remarks)
            title, remarks = rule[0], [rule[1]]
        yield Passage(title, [*remarks, *self._proposal(view)])

    def _draft(self, state: Meadow) -> Iterator[Remark]:
        yield Remark(
            "draft",
            _(
                "A turn: {count} cards are turned up. You take one and place it, then {name}, then "
                "you again; {name} gets the one that is left."
            ).format(count=len(state.row), name=self._bruno),
        )
        yield Remark(
            "begins",
            _(
                "**Whoever takes the last card begins the next turn.** So {name} will choose first "
                "then, and the last card will be yours."
            ).format(name=self._bruno),
        )

    def _begun(self, state: Meadow) -> list[Remark]:
        """Who began this turn of four cards and why, the first time each."""
        match len(state.order):
            case 4 if self.first("you_begin"):
                text = _(
                    "The last card of the turn before came to you, so now **you** begin and choose "
                    "from all {count}."
                )
                return [Remark("you_begin", text.format(count=len(state.row)))]
            case 3 if self.first("they_begin"):
                text = _(
                    "The last card of the turn before went to {name}, so {name} began this one and "
                    "took {card}. You choose from {count}; what is left at the end is yours, too."
                )
                taken = [face for seat, face in state.drafted if seat == BRUNO][-1]
                card = self.narrator.card(taken)
                told = text.format(name=self._bruno, card=card, count=len(state.row))
                return [Remark("they_begin", told)]
        return []

    def _stand(self, state: Meadow) -> Remark:
        text = _("If the round ended now: you {mine} points, {name} {theirs}.")
        mine, theirs = [self._sheet(state.areas[seat]).points for seat in (ME, BRUNO)]
        return Remark("stand", text.format(mine=mine, name=self._bruno, theirs=theirs))

    # The rules, each where it first holds.

    def _rule(self, state: Meadow) -> tuple[str, Remark] | None:
        """The first that an open card calls for and that was not told yet."""
        area = state.areas[ME]
        called = {rule: face for face in state.row for rule in self._called_for(area, face)}
        for about in RULES:
            if about in called and self.first(about):
                return self._told_of(about, called[about])
        return None

    def _called_for(self, area: Area, face: Face) -> Iterator[str]:
        card = self.game.cards[face]
        match case_of(area, card.number):
            case Case.UP if area[card.number - 1][1] is not None:
                yield "covers"
            case Case.KEEP:
                yield "second"
            case Case.DOWN:
                yield "third"
                return  # colour and symbols do not count face down
        if card.star:
            yield "special"
        if card.colour == MULTICOLOUR:
            yield "multicolour"

    def _told_of(self, about: str, face: Face) -> tuple[str, Remark]:
        match about:
            case "second":
                title = _("a second card of a number")
                text = _(
                    "You have one {number} face up, and another lies open. Whoever takes a second "
                    "one chooses which of the two **stays face up**; the other goes beneath it, "
                    "face down. So the upper one is validated."
                )
            case "third":
                title = _("a third card of a number")
                text = _(
                    "Your {number} is validated: two cards lie there, and no more can. Another "
                    "{number} goes **face down on an empty place** of your choice, whatever that "
                    "place's number. Its own colour and symbols count no more."
                )
            case "covers":
                title = _("on a card face down")
                text = _(
                    "On your place {number} a card lies face down, and {card} lies open. If you "
                    "take it, it comes on top, face up, and is **validated at once**."
                )
            case "special":
                title = _("special cards")
                text = _(
                    "A **special** card lies open: {card}. It brings as many spirals as you have "
                    "cards of its colour face up, itself included, wherever they lie."
                )
            case _multicolour:
                title = _("multicolour cards")
                text = _(
                    "A **multicolour** card lies open: {card}. It is of all four colours: it "
                    "belongs to any zone that it touches, and special cards count it, too."
                )
        number = self.game.cards[face].number
        return title, Remark(about, text.format(card=self.narrator.card(face), number=number))

    def _choose(self, state: Meadow) -> Remark:
        old, new = self._pair(state)
        text = _(
            "On place {number} lies {old}, and {new} comes. One stays up, validated by the other, "
            "which goes beneath it: colour and symbols of that one count no more."
        )
        number = self.game.cards[new].number
        names = {"old": self.narrator.card(old), "new": self.narrator.card(new)}
        return Remark("choose", text.format(number=number, **names))

    def _pair(self, state: Meadow) -> tuple[Face, Face]:
        """The card that lies there, and the one that comes."""
        assert state.taken is not None
        up, _down = state.areas[ME][self.game.cards[state.taken].number - 1]
        assert up is not None
        return up, state.taken

    def _lay(self, state: Meadow) -> Remark:
        assert state.taken is not None
        text = _(
            "Your {number} is validated, so {card} goes face down on an empty place. A card with "
            "the number **of that place** that comes later covers it and is validated at once."
        )
        number = self.game.cards[state.taken].number
        return Remark("lay", text.format(number=number, card=self.narrator.card(state.taken)))

    # What is proposed.

    def suggested(self, view: View[Meadow]) -> Move | None:
        return next((move for move in self._wishes(view) if self._reason(view, move)), None)

    def _wishes(self, view: View[Meadow]) -> list[Move]:
        """What might be proposed, the best first."""
        moves = view.moves()
        match view.state.need.what:
            case "take":
                wished = [move for move in moves if move.words[0] in SUGGESTED]
                return sorted(wished, key=lambda move: SUGGESTED.index(move.words[0]))
            case "lay":
                return sorted(moves, key=lambda move: -int(move.words[0]))
        return moves

    def _proposal(self, view: View[Meadow]) -> Iterator[Remark]:
        move = self.suggested(view)
        if move is not None:
            yield Remark("try", self._reason(view, move))

    def _reason(self, view: View[Meadow], move: Move) -> str:
        """Why one might do it; nothing where there is no reason."""
        state, [word] = view.state, move.words
        match move.verb:
            case "take":
                return self._reason_to_take(state, word)
            case "keep":
                return self._reason_to_keep(state, word)
        return self._reason_to_lay(state, int(word))

    def _reason_to_take(self, state: Meadow, face: Face) -> str:
        area, number = state.areas[ME], self.game.cards[face].number
        match case_of(area, number):
            case Case.UP:
                return self._reason_to_put_up(area, face)
            case Case.KEEP:
                text = _("Try {card}: then your {number} is validated and brings {number}.")
                return text.format(card=self.narrator.card(face), number=number)
        awaited = [place for place in empty_places(area) if self._may_come(state, place)]
        if not awaited:
            return ""
        text = _("Try {card}: on place {number} it would wait for the {number} that lies open.")
        return text.format(card=self.narrator.card(face), number=awaited[-1])

    def _reason_to_put_up(self, area: Area, face: Face) -> str:
        card = self.game.cards[face]
        before, after = self._sheet(area), self._sheet(put_up(area, card.number, face))
        if len(after.zone) <= len(before.zone):
            return ""
        name, zone = self.narrator.card(face), len(after.zone)
        if card.star:
            text = _(
                "Try {card}: it brings {spirals} spirals now and makes a zone of {zone} cards."
            )
            return text.format(card=name, spirals=dict(after.stars)[card.colour], zone=zone)
        text = _("Try {card}: it makes a zone of {zone} cards, your largest.")
        return text.format(card=name, zone=zone)

    def _reason_to_keep(self, state: Meadow, face: Face) -> str:
        [other] = [one for one in self._pair(state) if one != face]
        best, less = self._with(state, face), self._with(state, other)
        if best <= less:
            return ""
        text = _("Try {card}: {best} points if the round ended then; with the other up, {less}.")
        return text.format(card=self.narrator.card(face), best=best, less=less)

    def _with(self, state: Meadow, kept: Face) -> int:
        """My points if this card of the two stays up."""
        number = self.game.cards[kept].number
        return self._sheet(put_both(state.areas[ME], number, kept, kept)).points

    def _reason_to_lay(self, state: Meadow, place: int) -> str:
        if not self._may_come(state, place):
            return ""
        text = _("Try place {number}: a card with that number still lies open.")
        return text.format(number=place)

    def _may_come(self, state: Meadow, number: int) -> bool:
        """Whether it lies open, and I take another card of this turn after this one."""
        lies = any(self.game.cards[face].number == number for face in state.row)
        return lies and state.order.count(ME) > 1 and not placed.is_ending(state)

    # What came of it.

    def after(self, happened: Happening[Meadow]) -> Passage | None:
        remarks = [*self._placed(happened), *placed.ended(self.narrator, happened)]
        return Passage(_("what happened"), remarks) if remarks else None

    def _placed(self, happened: Happening[Meadow]) -> Iterator[Remark]:
        for event in happened.events:
            if event.seat == ME:
                yield from self._of(event, happened)
        before = self._sheet(happened.before.state.areas[ME])
        after = self._sheet(happened.after.state.areas[ME])
        yield from placed.special(self.narrator, before, after)
        if len(after.zone) > len(before.zone):
            yield placed.zone(self.narrator, after, whole=self.first("zone"))

    def _of(self, event: Event, happened: Happening[Meadow]) -> Iterator[Remark]:
        """What became of my card."""
        match event.what:
            case "puts_up":
                yield from placed.left_for_me(self.narrator, event, happened.before)
                if event.data[2] == "over":
                    yield placed.covers(self.narrator, event)
                else:
                    yield placed.lies(self.narrator, event, whole=self.first("up"))
            case "keeps":
                yield placed.kept(self.narrator, event)
            case "lays":
                yield placed.laid(self.narrator, event, happened.after.state)

    def points(self, happened: Happening[Meadow]) -> Passage:
        return Passage(_("your points"), placed.scored(self.narrator, happened.after))

    def farewell(self, view: View[Meadow]) -> Passage:
        return Passage(_("what comes next"), placed.farewell())


def _number() -> Remark:
    return Remark(
        "number",
        _(
            "The number of a card is its place in your area. Where no card lies face up, it comes "
            "there, **face up**."
        ),
    )


def _filled(area: Area) -> int:
    return len(area) - len(empty_places(area))
