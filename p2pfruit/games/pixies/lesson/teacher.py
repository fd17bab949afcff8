"""The teacher of Pixies.

A rule is explained when the learner first needs it: when a second card of a number lies open, or a
third one, or a special one. The teacher explains one rule at a time, so that it is read. It
suggests a move only if the cards on the table give a reason for it.
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
from p2pfruit.games.pixies.lesson.text import say, title
from p2pfruit.games.pixies.narrator import PixiesNarrator
from p2pfruit.games.remarks import arranged

# What is suggested, as long as it lies open.
SUGGESTED: tuple[Face, ...] = (
    *("blue-2-plus4", "yellow-5-minus2"),
    "green-5-minus1",
    *("blue-4-star", "multicolour-3-plain"),
)

# The rules that an open card can call for; explained in this order.
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
        yield Passage(title("welcome"), self._welcome(view.state))
        yield Passage(title("table"), self._table())
        yield Passage(title("counts"), self._counts(view.state))

    def _welcome(self, state: Meadow) -> Iterator[Remark]:
        yield say("welcome", name=self._bruno)
        yield say(
            "joined",
            turns=state.turn - 1,
            mine=_filled(state.areas[ME]),
            name=self._bruno,
            theirs=_filled(state.areas[BRUNO]),
        )
        yield arranged()

    def _table(self) -> Iterator[Remark]:
        yield say("places")
        yield say("symbols")

    def _counts(self, state: Meadow) -> Iterator[Remark]:
        for up, _down in filter(is_validated, state.areas[ME]):
            assert up is not None
            yield say("validated", card=self.narrator.card(up))
        yield say("aim")

    # Before a decision.

    def before(self, view: View[Meadow]) -> Iterator[Passage]:
        match view.state.need.what:
            case "take":
                yield from self._taking(view)
            case "keep":
                yield Passage(title("keep"), [self._choose(view.state), *self._proposal(view)])
            case _lay:
                yield Passage(title("face_down"), [self._lay(view.state), *self._proposal(view)])

    def _taking(self, view: View[Meadow]) -> Iterator[Passage]:
        state = view.state
        if self.first("draft"):
            yield Passage(title("draft"), self._draft(state))
            yield Passage(title("empty_place"), [say("number"), *self._proposal(view)])
            return
        begun, rule = self._begun(state), self._rule(state)
        heading = title("begins") if begun else title("choice")
        remarks = [*begun, self._stand(state)]
        if rule:
            if begun:
                yield Passage(heading, remarks)
            heading, remarks = rule[0], [rule[1]]
        yield Passage(heading, [*remarks, *self._proposal(view)])

    def _draft(self, state: Meadow) -> Iterator[Remark]:
        yield say("draft", count=len(state.row), name=self._bruno)
        yield say("begins", name=self._bruno)

    def _begun(self, state: Meadow) -> list[Remark]:
        """Explain why this player began the turn of four cards, the first time for each."""
        match len(state.order):
            case 4 if self.first("you_begin"):
                return [say("you_begin", count=len(state.row))]
            case 3 if self.first("they_begin"):
                taken = [face for seat, face in state.drafted if seat == BRUNO][-1]
                card = self.narrator.card(taken)
                return [say("they_begin", name=self._bruno, card=card, count=len(state.row))]
        return []

    def _stand(self, state: Meadow) -> Remark:
        mine, theirs = [self._sheet(state.areas[seat]).points for seat in (ME, BRUNO)]
        return say("stand", mine=mine, name=self._bruno, theirs=theirs)

    # The rules, each when it is first needed.

    def _rule(self, state: Meadow) -> tuple[str, Remark] | None:
        """Return the first rule that an open card calls for and that was not explained yet."""
        area = state.areas[ME]
        called = {rule: face for face in state.row for rule in self._called_for(area, face)}
        for about in RULES:
            if about in called and self.first(about):
                return self._explained(about, called[about])
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

    def _explained(self, about: str, face: Face) -> tuple[str, Remark]:
        card, number = self.narrator.card(face), self.game.cards[face].number
        match about:
            case "second":
                return title("second"), say("second", number=number)
            case "third":
                return title("third"), say("third", number=number)
            case "covers":
                return title("covers"), say("covers", number=number, card=card)
            case "special":
                return title("special"), say("special", card=card)
        return title("multicolour"), say("multicolour", card=card)

    def _choose(self, state: Meadow) -> Remark:
        old, new = self._pair(state)
        number = self.game.cards[new].number
        return say(
            "choose", number=number, old=self.narrator.card(old), new=self.narrator.card(new)
        )

    def _pair(self, state: Meadow) -> tuple[Face, Face]:
        """Return the card that lies there, and the one that comes."""
        assert state.taken is not None
        up, _down = state.areas[ME][self.game.cards[state.taken].number - 1]
        assert up is not None
        return up, state.taken

    def _lay(self, state: Meadow) -> Remark:
        assert state.taken is not None
        number = self.game.cards[state.taken].number
        return say("lay", number=number, card=self.narrator.card(state.taken))

    # What is suggested.

    def suggested(self, view: View[Meadow]) -> Move | None:
        return next((move for move in self._wishes(view) if self._reason(view, move)), None)

    def _wishes(self, view: View[Meadow]) -> list[Move]:
        """List the moves to suggest if there is a reason, the best first."""
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
        if move is not None and (reason := self._reason(view, move)):
            yield reason

    def _reason(self, view: View[Meadow], move: Move) -> Remark | None:
        """Suggest this move with the reason for it, or return None if there is no reason."""
        state, [word] = view.state, move.words
        match move.verb:
            case "take":
                return self._reason_to_take(state, word)
            case "keep":
                return self._reason_to_keep(state, word)
        return self._reason_to_lay(state, int(word))

    def _reason_to_take(self, state: Meadow, face: Face) -> Remark | None:
        area, number = state.areas[ME], self.game.cards[face].number
        match case_of(area, number):
            case Case.UP:
                return self._reason_to_put_up(area, face)
            case Case.KEEP:
                return say("try.second", card=self.narrator.card(face), number=number)
        awaited = [place for place in empty_places(area) if self._may_come(state, place)]
        if not awaited:
            return None
        return say("try.third", card=self.narrator.card(face), number=awaited[-1])

    def _reason_to_put_up(self, area: Area, face: Face) -> Remark | None:
        card = self.game.cards[face]
        before, after = self._sheet(area), self._sheet(put_up(area, card.number, face))
        if len(after.zone) <= len(before.zone):
            return None
        name, zone = self.narrator.card(face), len(after.zone)
        if card.star:
            spirals = dict(after.stars)[card.colour]
            return say("try.special", card=name, spirals=spirals, zone=zone)
        return say("try.zone", card=name, zone=zone)

    def _reason_to_keep(self, state: Meadow, face: Face) -> Remark | None:
        [other] = [one for one in self._pair(state) if one != face]
        best, less = self._with(state, face), self._with(state, other)
        if best <= less:
            return None
        return say("try.keep", card=self.narrator.card(face), best=best, less=less)

    def _with(self, state: Meadow, kept: Face) -> int:
        """Return my points if this card of the two stays up."""
        number = self.game.cards[kept].number
        return self._sheet(put_both(state.areas[ME], number, kept, kept)).points

    def _reason_to_lay(self, state: Meadow, place: int) -> Remark | None:
        return say("try.place", number=place) if self._may_come(state, place) else None

    def _may_come(self, state: Meadow, number: int) -> bool:
        """Return True if the number lies open and I take one more card of this turn after this."""
        lies = any(self.game.cards[face].number == number for face in state.row)
        return lies and state.order.count(ME) > 1 and not placed.is_ending(state)

    # What came of it.

    def after(self, happened: Happening[Meadow]) -> Passage | None:
        remarks = [*self._placed(happened), *placed.ended(self.narrator, happened)]
        return Passage(title("happened"), remarks) if remarks else None

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
        """Yield the remarks on what became of my card."""
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
        return Passage(title("points"), placed.scored(self.narrator, happened.after))

    def farewell(self, view: View[Meadow]) -> Passage:
        return Passage(title("next"), placed.farewell())


def _filled(area: Area) -> int:
    return len(area) - len(empty_places(area))
