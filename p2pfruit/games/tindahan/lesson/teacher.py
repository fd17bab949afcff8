"""The teacher of Tindahan.

A rule is explained when the learner first needs it: when leading, when following, without the fruit
led, after a move of the donkey. So the learner hears it whatever was played before. The teacher
suggests a turn only if the cards on the table give a reason for it.
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
from p2pfruit.games.tindahan.lesson.text import say, title
from p2pfruit.games.tindahan.lesson.trick import Trick
from p2pfruit.games.tindahan.narrator import TindahanNarrator
from p2pfruit.language import plural

# What is suggested, by the number of tricks taken; in the last one the learner is on their own.
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
        yield Passage(title("welcome"), self._welcome(view))
        yield Passage(title("table"), self._table(view))

    def _welcome(self, view: View[Market]) -> Iterator[Remark]:
        others = [self.narrator.name(seat) for seat in view.state.seated if seat != ME]
        yield say("welcome", names=", ".join(others))
        yield say("joined", over=sum(view.state.tricks), left=_left(view.state))
        yield arranged()

    def _table(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        stalls = ", ".join(map(self.narrator.fruit, state.fruits))
        yield say("stalls", fruits=stalls)
        yield say("trump", fruit=self.narrator.fruit(state.donkey))
        yield say("aim")

    # Before a turn.

    def before(self, view: View[Market]) -> Iterator[Passage]:
        heading, remarks = self._situation(view)
        if _left(view.state) == 1:
            heading, remarks = title("last_trick"), [*remarks, *self._last(view)]
        yield Passage(heading, [*remarks, *self._proposal(view)])

    def _situation(self, view: View[Market]) -> tuple[str, list[Remark]]:
        """Return the title of the learner's situation, and the rule that it calls for."""
        state = view.state
        if state.turn == 0:
            if self.first("lead"):
                return title("leading"), [say("lead")]
            if self.first("donkey"):
                return title("donkey"), [say("donkey")]
            return title("leading"), [say("again")]
        if state.led is None:
            return title("moved"), [self._must_play(view)]
        return self._following(view, state.led)

    def _must_play(self, view: View[Market]) -> Remark:
        state = view.state
        return say(
            "must_play",
            name=self.narrator.name(state.leader),
            fruit=self.narrator.fruit(state.donkey),
        )

    def _following(self, view: View[Market], led: str) -> tuple[str, list[Remark]]:
        held = [face for face in view.known.values() if suit(face) == led]
        if held and self.first("follow"):
            return title("following"), [self._follow(led, held)]
        if not held and self.first("void"):
            return title("void"), [say("void", fruit=self.narrator.fruit(led))]
        rule = [self._vendor(view)] if self.first("vendor") else []
        return title("vendor"), [*rule, self._stall(view, led)]

    def _follow(self, led: str, held: list[Face]) -> Remark:
        return say("follow", fruit=self.narrator.fruit(led), cards=self.narrator.cards(held))

    def _vendor(self, view: View[Market]) -> Remark:
        left = view.state.vendors_left(ME)
        return say("vendor", vendors=plural("{count} vendor", "{count} vendors", left))

    def _stall(self, view: View[Market], led: str) -> Remark:
        mine, most = _vendors(view.state, led)
        return say("stall", fruit=self.narrator.fruit(led), mine=mine, most=most)

    def _last(self, view: View[Market]) -> Iterator[Remark]:
        yield say("last_trick", points=self.narrator.projections(view.state)[ME])
        yield say("free")

    # What is suggested.

    def suggested(self, view: View[Market]) -> Move | None:
        turn = SUGGESTED.get(sum(view.state.tricks))
        if turn is None:
            return None
        move = playing(view, turn) if isinstance(turn, str) else turn
        return move if move in view.moves() and self._reason(view, move) else None

    def _proposal(self, view: View[Market]) -> Iterator[Remark]:
        move = self.suggested(view)
        if move is not None and (reason := self._reason(view, move)):
            yield reason

    def _reason(self, view: View[Market], move: Move) -> Remark | None:
        """Suggest this move with the reason for it, or return None if there is no reason."""
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

    def _reason_to_lead(self, view: View[Market], face: Face) -> Remark | None:
        card = self.narrator.card(face)
        if number(face) == NUMBERS[-1] and suit(face) != view.state.donkey:
            return say("try.highest", card=card)
        return say("try.low", card=card) if number(face) <= LOW else None

    def _reason_to_follow(self, view: View[Market], face: Face) -> Remark | None:
        state, card = view.state, self.narrator.card(face)
        if replace(state, trick=(*state.trick, (ME, face))).winning != ME:
            return None
        if state.turn == len(state.seated) - 1:
            return say("try.last", card=card)
        return say("try.beats", card=card)

    def _reason_to_send(self, view: View[Market], stall: str) -> Remark | None:
        mine, most = _vendors(view.state, stall)
        return say("try.vendor") if mine + 1 > most else None

    def _reason_to_move(self, view: View[Market], stall: str) -> Remark | None:
        held = [face for face in view.known.values() if suit(face) == stall]
        if not held:
            return None
        fruit, cards = self.narrator.fruit(stall), self.narrator.cards(held)
        return say("try.donkey", fruit=fruit, cards=cards)

    # After a trick.

    def after(self, happened: Happening[Market]) -> Passage | None:
        trick = Trick.of(happened)
        if trick is None:
            return None
        return Passage(title("happened"), self._after_trick(trick, happened.after))

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
            card = self.narrator.card(trick.played[trick.winner])
            yield say("trumped", fruit=self.narrator.fruit(trick.led), card=card)

    def _stray(self, seat: Seat, trick: Trick) -> Iterator[Remark]:
        led = self.narrator.fruit(trick.led)
        if seat == ME:
            yield say("my_void", fruit=led)
        elif self.first("their_void"):
            card = self.narrator.card(trick.played[seat])
            yield their_void(self.narrator.name(seat), card, led)

    def _moved(self, seat: Seat, trick: Trick) -> Iterator[Remark]:
        fruit = self.narrator.fruit(trick.trump)
        if seat == ME and self.first("donkey_mine"):
            name = self.narrator.name(next(iter(trick.played)))
            yield say("donkey_mine", fruit=fruit, name=name)

    def _sent(self, seat: Seat, trick: Trick, view: View[Market]) -> Iterator[Remark]:
        fruit = self.narrator.fruit(trick.led)
        if seat != ME:
            if self.first("vendor_theirs"):
                yield say("vendor_theirs", name=self.narrator.name(seat), fruit=fruit)
            return
        yield say("vendor_mine", fruit=fruit, points=_worth(view.state, trick.led))

    def _taken(self, winner: Seat, state: Market) -> Iterator[Remark]:
        if isinstance(state.need, Done):
            empty = [self.narrator.name(seat) for seat in state.seated if not state.hands[seat]]
            yield say("ended", names=", ".join(empty))
        elif winner == ME:
            yield say("takes")
        else:
            yield say("leads", name=self.narrator.name(winner))

    # The end.

    def points(self, happened: Happening[Market]) -> Passage:
        return Passage(title("points"), self._scored(happened.after))

    def _scored(self, view: View[Market]) -> Iterator[Remark]:
        state = view.state
        sheet = self.game.sheets(state)[ME]
        yield say(
            "score",
            points=sheet.net,
            tricks=scoring.TRICK * sheet.tricks,
            stalls=sum(sheet.stalls),
            left=scoring.LEFT * sheet.left,
        )
        firsts = [fruit for fruit in state.fruits if _leads(state, fruit)]
        if firsts:
            fruits = ", ".join(map(self.narrator.fruit, firsts))
            yield say("majority", fruits=fruits)
        else:
            yield say("no_majority")
        yield place(self.narrator, view)

    def farewell(self, view: View[Market]) -> Passage:
        return Passage(title("next"), self._farewell())

    def _farewell(self) -> Iterator[Remark]:
        yield say("rounds")
        yield say("blank")


def _left(state: Market) -> int:
    """Return how many tricks are left at most, including this one."""
    played = dict(state.trick)
    return min(len(state.hands[seat]) + (seat in played) for seat in state.seated)


def _vendors(state: Market, stall: str) -> tuple[int, int]:
    """Return the number of my vendors there, and the most of another player."""
    at = state.fruits.index(stall)
    return state.placed[ME][at], max(state.placed[s][at] for s in state.seated if s != ME)


def _leads(state: Market, stall: str) -> bool:
    mine, most = _vendors(state, stall)
    return mine > most


def _worth(state: Market, stall: str) -> int:
    at = state.fruits.index(stall)
    vendors = {seat: state.placed[seat][at] for seat in state.seated}
    return scoring.stall(vendors, trump=stall == state.donkey).get(ME, 0)
