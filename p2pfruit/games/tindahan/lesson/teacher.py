"""What the teacher of Tindahan says before and after each trick.

A rule is told when the learner first stands where it holds: leading, following, without the fruit
led, after a move of the donkey. So it is heard whatever was played before. A turn is proposed only
where there is a reason for it that holds as the cards lie.
"""

from collections.abc import Iterator

from engine.moves import Move
from engine.needs import Done, Face, Seat
from engine.record import replace
from engine.tindahan import Tindahan, scoring
from engine.tindahan.cards import NUMBERS
from engine.tindahan.rules import VENDOR, Market
from engine.tricks import number, suit
from engine.views import View
from p2pfruit.games.course import ME, Happening, Passage, Remark, Teacher, playing
from p2pfruit.games.remarks import arranged, place, their_void
from p2pfruit.games.tindahan.lesson.trick import Trick
from p2pfruit.games.tindahan.narrator import TindahanNarrator
from p2pfruit.language import plural
from p2pfruit.language import text as _

# What is proposed, by the number of tricks that were taken; the last one is free.
SUGGESTED: dict[int, Face | Move] = {
    3: "pineapple-10",
    4: Move("donkey", (), ("mango",)),
    5: "banana-5",
    6: VENDOR,
    7: "banana-2",
    8: "pineapple-2",
}

LOW = 3  # a card that will hardly win a trick


class TindahanTeacher(Teacher[Market]):
    narrator: TindahanNarrator
    game: Tindahan

    # The beginning.

    def opening(self, view: View[Market]) -> Iterator[Passage]:
        yield Passage(_("welcome"), self._welcome(view))
        yield Passage(_("the table"), self._table(view))

    def _welcome(self, view: View[Market]) -> Iterator[Remark]:
        others = [self.narrator.name(seat) for seat in view.state.seated if seat != ME]
        yield Remark(
            "welcome",
            _(
                "You sit with {names} at a fruit market. It is played in **tricks**: everybody has "
                "a turn, and the strongest card takes the trick."
            ).format(names=", ".join(others)),
        )
        yield Remark(
            "joined",
            _(
                "{over} tricks of a first round are over: they were played for you. {left} are "
                "left, and you lead."
            ).format(over=sum(view.state.tricks), left=_left(view.state)),
        )
        yield arranged()

    def _table(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        stalls = ", ".join(map(self.narrator.fruit, state.fruits))
        yield Remark(
            "stalls",
            _(
                "Each fruit has a stall: {fruits}. The table shows how many **vendors** everybody "
                "has on it, and how many tricks they won."
            ).format(fruits=stalls),
        )
        yield Remark(
            "trump",
            _("The **donkey** stands on {fruit}: that fruit is trump and beats the others.").format(
                fruit=self.narrator.fruit(state.donkey)
            ),
        )
        yield Remark(
            "aim",
            _(
                "At the end of the round a trick brings 2 points. On each stall the most vendors "
                "bring 5 and the second most 2; on the trump stall 6 and 3. Each card left in your "
                "hand costs 1."
            ),
        )

    # Before a turn.

    def before(self, view: View[Market]) -> Iterator[Passage]:
        title, remarks = self._situation(view)
        if _left(view.state) == 1:
            title, remarks = _("the last trick"), [*remarks, *self._last(view)]
        yield Passage(title, [*remarks, *self._proposal(view)])

    def _situation(self, view: View[Market]) -> tuple[str, list[Remark]]:
        """Where the learner stands, and the rule that it calls for."""
        state = view.state
        if state.turn == 0:
            if self.first("lead"):
                return _("leading"), [self._lead()]
            if self.first("donkey"):
                return _("the donkey"), [self._donkey()]
            return _("leading"), [Remark("again", _("You lead again: a card, or the donkey."))]
        if state.led is None:
            return _("the donkey was moved"), [self._must_play(view)]
        return self._following(view, state.led)

    def _lead(self) -> Remark:
        return Remark(
            "lead",
            _(
                "You lead: play any card. Its fruit is the **fruit led**: whoever has it, and "
                "plays a card, must play that fruit. The highest trump takes the trick; without a "
                "trump, the highest card of the fruit led."
            ),
        )

    def _donkey(self) -> Remark:
        return Remark(
            "donkey",
            _(
                "Whoever leads may move the **donkey** instead. Its new stall is trump at once. "
                "The next player must play a card and leads with it; who moved the donkey has no "
                "part in the trick."
            ),
        )

    def _must_play(self, view: View[Market]) -> Remark:
        state = view.state
        return Remark(
            "must_play",
            _(
                "{name} moved the donkey: {fruit} is trump now. You **must** play a card, any "
                "card, and it is the lead. {name} has no part in this trick."
            ).format(
                name=self.narrator.name(state.leader),
                fruit=self.narrator.fruit(state.donkey),
            ),
        )

    def _following(self, view: View[Market], led: str) -> tuple[str, list[Remark]]:
        held = [face for face in view.known.values() if suit(face) == led]
        if held and self.first("follow"):
            return _("following"), [self._follow(led, held)]
        if not held and self.first("void"):
            return _("unable to follow"), [self._void(led)]
        rule = [self._vendor(view)] if self.first("vendor") else []
        return _("a card or a vendor"), [*rule, self._stall(view, led)]

    def _follow(self, led: str, held: list[Face]) -> Remark:
        return Remark(
            "follow",
            _(
                "The fruit led is {fruit}, and you have it: if you play a card it must be of that "
                "fruit ({cards})."
            ).format(fruit=self.narrator.fruit(led), cards=self.narrator.cards(held)),
        )

    def _void(self, led: str) -> Remark:
        return Remark(
            "void",
            _(
                "The fruit led is {fruit}, and you have none: play what you like; a trump may take "
                "the trick. At a table with others your program then **proves** that you have "
                "none, and shows no card."
            ).format(fruit=self.narrator.fruit(led)),
        )

    def _vendor(self, view: View[Market]) -> Remark:
        left = plural(
            "You have {count} vendor left.",
            "You have {count} vendors left.",
            view.state.vendors_left(ME),
        )
        rule = _(
            "Instead of playing a card, whoever does not lead may send a **vendor** to the stall "
            "of the fruit led. No card leaves the hand."
        )
        return Remark("vendor", f"{rule} {left}")

    def _stall(self, view: View[Market], led: str) -> Remark:
        mine, most = _vendors(view.state, led)
        text = _("On {fruit} you have {mine} now, of the others nobody more than {most}.")
        return Remark("stall", text.format(fruit=self.narrator.fruit(led), mine=mine, most=most))

    def _last(self, view: View[Market]) -> Iterator[Remark]:
        yield Remark(
            "last_trick",
            _(
                "The round ends when a hand is empty after a trick: this is the last one. If it "
                "ended now you would score {points}."
            ).format(points=self.narrator.projections(view.state)[ME]),
        )
        yield Remark(
            "free",
            _("No advice this time: a trick brings 2, and a card less in your hand is 1 more."),
        )

    # What is proposed.

    def suggested(self, view: View[Market]) -> Move | None:
        turn = SUGGESTED.get(sum(view.state.tricks))
        if turn is None:
            return None
        move = playing(view, turn) if isinstance(turn, str) else turn
        return move if move in view.moves() and self._reason(view, move) else None

    def _proposal(self, view: View[Market]) -> Iterator[Remark]:
        move = self.suggested(view)
        if move is not None:
            yield Remark("try", self._reason(view, move))

    def _reason(self, view: View[Market], move: Move) -> str:
        """Why one might do it; nothing where there is no reason."""
        state = view.state
        match move.verb:
            case "vendor":
                assert state.led is not None
                return self._reason_to_send(view, state.led)
            case "donkey":
                return self._reason_to_move(view, move.words[0])
        face = view.known[move.cards[0]]
        reason = self._reason_to_lead if state.led is None else self._reason_to_follow
        return reason(view, face)

    def _reason_to_lead(self, view: View[Market], face: Face) -> str:
        card = self.narrator.card(face)
        if number(face) == NUMBERS[-1] and suit(face) != view.state.donkey:
            return _("Try {card}: only a trump can beat it.").format(card=card)
        if number(face) <= LOW:
            text = _("Try {card}: so low that it would hardly take a trick anyway.")
            return text.format(card=card)
        return ""

    def _reason_to_follow(self, view: View[Market], face: Face) -> str:
        state, card = view.state, self.narrator.card(face)
        if replace(state, trick=(*state.trick, (ME, face))).winning != ME:
            return ""
        if state.turn == len(state.seated) - 1:
            return _("Try {card}: you are the last, and it takes the trick.").format(card=card)
        return _("Try {card}: it beats what lies there so far.").format(card=card)

    def _reason_to_send(self, view: View[Market], stall: str) -> str:
        mine, most = _vendors(view.state, stall)
        return _("Try a vendor: with one more you have the most.") if mine + 1 > most else ""

    def _reason_to_move(self, view: View[Market], stall: str) -> str:
        held = [face for face in view.known.values() if suit(face) == stall]
        if not held:
            return ""
        text = _("Try to move it to {fruit}: then these cards of yours are trump: {cards}.")
        return text.format(fruit=self.narrator.fruit(stall), cards=self.narrator.cards(held))

    # After a trick.

    def after(self, happened: Happening[Market]) -> Passage | None:
        trick = Trick.of(happened)
        if trick is None:
            return None
        return Passage(_("what happened"), self._after_trick(trick, happened.after))

    def _after_trick(self, trick: Trick, view: View[Market]) -> Iterator[Remark]:
        yield from self._trumped(trick)
        for seat in trick.strays():
            if view.state.hands[seat]:  # the last card of a hand leaves nothing to prove
                yield from self._stray(seat, trick)
        if trick.donkey is not None:
            yield from self._moved(trick.donkey, trick)
        for seat in trick.vendors:
            yield from self._sent(seat, trick, view)
        yield from self._taken(trick.winner, view.state)

    def _trumped(self, trick: Trick) -> Iterator[Remark]:
        if trick.trumped and self.first("trumped"):
            text = _("A trump beats every {fruit}, however high: {card}.")
            card = self.narrator.card(trick.played[trick.winner])
            yield Remark("trumped", text.format(fruit=self.narrator.fruit(trick.led), card=card))

    def _stray(self, seat: Seat, trick: Trick) -> Iterator[Remark]:
        led = self.narrator.fruit(trick.led)
        if seat == ME:
            text = _(
                "You did not follow. At a table with others they have a proof now that you hold no "
                "{fruit}, and know nothing else of your hand."
            )
            yield Remark("my_void", text.format(fruit=led))
        elif self.first("their_void"):
            card = self.narrator.card(trick.played[seat])
            yield their_void(self.narrator.name(seat), card, led)

    def _moved(self, seat: Seat, trick: Trick) -> Iterator[Remark]:
        fruit = self.narrator.fruit(trick.trump)
        if seat == ME and self.first("donkey_mine"):
            name = self.narrator.name(next(iter(trick.played)))
            text = _("You moved the donkey to {fruit} and kept your cards; {name} had to lead.")
            yield Remark("donkey_mine", text.format(fruit=fruit, name=name))

    def _sent(self, seat: Seat, trick: Trick, view: View[Market]) -> Iterator[Remark]:
        fruit = self.narrator.fruit(trick.led)
        if seat != ME:
            if self.first("vendor_theirs"):
                text = _("{name} sent a vendor to {fruit} and kept every card.")
                yield Remark(
                    "vendor_theirs", text.format(name=self.narrator.name(seat), fruit=fruit)
                )
            return
        text = _("Your vendor stands on {fruit}. Points of that stall for you, as it is: {points}.")
        yield Remark("vendor_mine", text.format(fruit=fruit, points=_worth(view.state, trick.led)))

    def _taken(self, winner: Seat, state: Market) -> Iterator[Remark]:
        if isinstance(state.need, Done):
            empty = [self.narrator.name(seat) for seat in state.seated if not state.hands[seat]]
            text = _("No card left: {names}. So the round is over.")
            yield Remark("ended", text.format(names=", ".join(empty)))
        elif winner == ME:
            yield Remark("takes", _("The trick is yours: 2 points, and you lead the next one."))
        else:
            text = _("2 points for {name}, who leads the next trick.")
            yield Remark("leads", text.format(name=self.narrator.name(winner)))

    # The end.

    def points(self, happened: Happening[Market]) -> Passage:
        return Passage(_("your points"), self._scored(happened.after))

    def _scored(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        sheet = self.game.sheets(state)[ME]
        yield Remark(
            "score",
            _(
                "You score {points}: tricks {tricks}, stalls {stalls}, less {left} for cards left."
            ).format(
                points=sheet.net,
                tricks=scoring.TRICK * sheet.tricks,
                stalls=sum(sheet.stalls),
                left=scoring.LEFT * sheet.left,
            ),
        )
        firsts = [fruit for fruit in state.fruits if _leads(state, fruit)]
        if firsts:
            fruits = ", ".join(map(self.narrator.fruit, firsts))
            text = _("The most vendors are yours on: {fruits}.")
            yield Remark("majority", text.format(fruits=fruits))
        else:
            text = _("On no stall do you have more vendors than everybody else.")
            yield Remark("no_majority", text)
        yield place(self.narrator, view)

    def farewell(self, view: View[Market]) -> Passage:
        return Passage(_("what comes next"), self._farewell())

    def _farewell(self) -> Iterator[Remark]:
        yield Remark(
            "rounds",
            _(
                "That was one round. A game has as many as players; each begins with all vendors "
                "back with their players, and the donkey on the bananas."
            ),
        )
        yield Remark(
            "blank",
            _(
                "A daring plan: whoever has neither a vendor nor a trick in a whole round scores "
                "as many points as the best of the others."
            ),
        )


def _left(state: Market) -> int:
    """How many tricks are left at most, this one included."""
    played = dict(state.trick)
    return min(len(state.hands[seat]) + (seat in played) for seat in state.seated)


def _vendors(state: Market, stall: str) -> tuple[int, int]:
    """Mine there, and the most of one of the others."""
    at = state.fruits.index(stall)
    return state.placed[ME][at], max(state.placed[s][at] for s in state.seated if s != ME)


def _leads(state: Market, stall: str) -> bool:
    mine, most = _vendors(state, stall)
    return mine > most


def _worth(state: Market, stall: str) -> int:
    at = state.fruits.index(stall)
    vendors = {seat: state.placed[seat][at] for seat in state.seated}
    return scoring.stall(vendors, trump=stall == state.donkey).get(ME, 0)
