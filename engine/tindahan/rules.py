"""Tindahan, in the order in which a game runs.

After the set-up, tricks are played until a hand is empty. The leader plays a card or moves the
donkey, which marks trump. Then the others in turn play a card or send a vendor to the stall of the
fruit that was led. At the end of a round, stalls, tricks and remaining cards are counted. The game
ends when every player has begun a round.

Seat i + 1 sits left of seat i, and play goes to the left (T17). Slots of a round: hands, seat by
seat. All players have seen the cards of won tricks (T19), so the state only counts the tricks.
Nothing breaks a tie of totals (T18).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.content import Content, Option
from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Choice, Move, Tell, move
from engine.needs import Choose, Deal, Face, Seat, Shuffle, Slot, ask
from engine.record import Claim, State, replace
from engine.tindahan import scoring
from engine.tindahan.cards import (
    BANANA,
    FRUITS,
    LAST,
    NUMBERS,
    deck,
    in_order,
    read_fruits,
    ways_out,
)
from engine.tricks import around, force, play, playable, suit, unable

LED_STALL, SPEND_CARD = "led-stall", "spend-card"
BANANAS, STAYS = "bananas", "stays"

VENDORS = 9  # of each player, every round anew (T9)


@dataclass(frozen=True, kw_only=True)
class Market(State):
    public = (
        *("fruits", "donkey", "donkey_first", "first_player", "begun"),
        *("leader", "turn", "trick", "tricks", "placed"),
    )

    fruits: tuple[str, ...] = ()  # in play this round, a stall each
    donkey: str = BANANA  # the stall on which it stands: trump
    donkey_first: str = BANANA  # where it stood when the round began
    first_player: Seat = 0  # of the round
    begun: tuple[Seat, ...] = ()  # who was first player of the finished rounds
    leader: Seat = 0  # of the trick
    turn: int = 0  # how many have had their turn in the trick
    trick: tuple[tuple[Seat, Face], ...] = ()  # in the order played; vendors and the donkey are not
    tricks: tuple[int, ...] = ()  # won this round, by seat
    placed: tuple[tuple[int, ...], ...] = ()  # vendors by seat, and there by stall

    @property
    def led(self) -> str | None:
        """Return the fruit of the first card: the second player's, if the donkey was moved (T4)."""
        return suit(self.trick[0][1]) if self.trick else None

    @property
    def donkey_moved(self) -> bool:
        """Return True if the leader moved the donkey and no card has been led since."""
        return self.turn > 0 and not self.trick

    def vendors_left(self, seat: Seat) -> int:
        return VENDORS - sum(self.placed[seat])

    @property
    def winning(self) -> Seat:
        """Return the seat whose card wins so far: the highest trump, or else of the fruit led."""
        assert self.led is not None
        led, trump = self.led, self.donkey  # T5: where the donkey stands now
        return max(self.trick, key=lambda played: force(played[1], led, trump))[0]


VENDOR = Move("vendor")


def _options(fruits: Sequence[str]) -> tuple[Option, ...]:
    return (
        Option("vendors", (LED_STALL, SPEND_CARD), LED_STALL),  # T1
        Option("donkey", (BANANAS, STAYS), BANANAS),  # T8
        Option("out", ways_out(fruits), LAST),  # T16
    )


class Tindahan(Game[Market]):
    name = "tindahan"
    version = 1
    seats = range(3, 6)
    state_type = Market
    vectors = "fc2bfd151f8d92948d55dc9bf4e065a565d9078c33dd6b6fd893fd3616b2f433"
    options = _options(FRUITS)

    @classmethod
    def options_for(cls, content: Content) -> tuple[Option, ...]:
        return _options(read_fruits(content))

    def __init__(self, content: Content, options: Mapping[str, str] | None = None) -> None:
        super().__init__(content, options)
        self.fruits = in_order(read_fruits(content), self.chosen["out"])
        self.spends_card = self.chosen["vendors"] == SPEND_CARD

    def stalls(self, players: int) -> tuple[str, ...]:
        """Return one fruit for each player, in the order of the content."""
        used = self.fruits[:players]
        return tuple([fruit for fruit in self.content.tables["fruits"] if fruit in used])

    def rounds(self, state: Market) -> int:
        """Return the number of rounds in the whole game: every seated player begins one."""
        to_begin = [seat for seat in state.seated if seat not in state.begun]
        return max(state.round, len(state.begun) + len(to_begin))

    # Set-up.

    def start(self, seats: int) -> Market:
        self.check_seats(seats)
        everyone = tuple(range(seats))
        need = Shuffle("deck", (deck(self.stalls(seats)),))
        return self._set_up(Market(need=need, seated=everyone, hands=((),) * seats))

    def ahead(self, state: Market) -> tuple[tuple[Face, ...], ...]:
        return state.piles if state.round < self.rounds(state) else ()

    def again(self, state: Market, tell: Tell) -> Market:
        tell("again", None, state.round)
        return self._set_up(state)

    def _set_up(self, state: Market) -> Market:
        seats = len(state.hands)
        fruits = self.stalls(len(state.seated))
        donkey = state.donkey_first if state.donkey_first in fruits else BANANA
        # A round whose first player has left passes to the next seat.
        first_player = around(state.seated, state.first_player)[0]
        return replace(
            self.clear(state),
            need=Shuffle("deck", (deck(fruits),)),
            fruits=fruits,
            donkey=donkey,
            donkey_first=donkey,
            first_player=first_player,
            leader=first_player,
            turn=0,
            trick=(),
            tricks=(0,) * seats,
            placed=((0,) * len(fruits),) * seats,
        )

    def after_deck(self, state: Market, piles: Sequence[range], tell: Tell) -> Market:
        tell("round", None, state.round, self.rounds(state))
        tell("stalls", None, state.donkey, *state.fruits)
        slots = iter(piles[0])
        cards = [(next(slots), seat) for seat in state.seated for _ in NUMBERS]
        return replace(state, need=Deal("hands", tuple(cards)))

    def after_hands(self, state: Market, _faces: tuple[Face, ...], _tell: Tell) -> Market:
        return self._ask(state)

    # A trick.

    def _ask(self, state: Market) -> Market:
        seat = around(state.seated, state.leader)[state.turn]
        return replace(state, need=ask("turn", seat))

    def after_turn(self, state: Market, choices: list[Choice], tell: Tell) -> Market:
        [(seat, move, faces)] = choices
        turn = state.turn + 1
        match move.verb:
            case "play":
                tell("plays", seat, *faces)
                state = replace(state, turn=turn, trick=(*state.trick, (seat, faces[0])))
            case "donkey":
                tell("donkey", seat, state.donkey, *move.words)
                state = replace(state, turn=turn, donkey=move.words[0])
            case _:
                placed = self._placed(state, seat, faces, tell)
                state = replace(state, turn=turn, placed=placed)
        if state.turn < len(state.seated):
            return self._ask(state)
        return self._take(state, tell)

    def _placed(
        self, state: Market, seat: Seat, faces: Sequence[Face], tell: Tell
    ) -> tuple[tuple[int, ...], ...]:
        """Place a vendor: on the stall of the fruit led, or of the fruit of the card spent (T1)."""
        fruit = suit(faces[0]) if faces else state.led
        assert fruit is not None
        tell("vendor", seat, fruit, *faces)
        mine = list(state.placed[seat])
        mine[state.fruits.index(fruit)] += 1
        return (*state.placed[:seat], tuple(mine), *state.placed[seat + 1 :])

    def _take(self, state: Market, tell: Tell) -> Market:
        winner = state.winning
        face = dict(state.trick)[winner]
        tell("takes", winner, face, state.led, state.donkey, len(state.trick))
        tricks = [won + (seat == winner) for seat, won in enumerate(state.tricks)]
        state = replace(state, tricks=tuple(tricks), leader=winner, turn=0, trick=())
        if all(state.hands[seat] for seat in state.seated):  # T7: looked at once a trick is won
            return self._ask(state)
        return self._score(state, tell)

    # The end of a round.

    def _score(self, state: Market, tell: Tell) -> Market:
        sheets = self.sheets(state)
        row = [0] * len(state.hands)
        for (seat, sheet), points in zip(
            sheets.items(), scoring.totals(list(sheets.values())), strict=True
        ):
            row[seat] = points
            stalls = [
                number
                for pair in zip(state.placed[seat], sheet.stalls, strict=True)
                for number in pair
            ]
            count = (sheet.net, sheet.tricks, sheet.left)
            tell("scores", seat, points, *count, state.donkey, *stalls)
        begun = (*state.begun, state.first_player)
        state = replace(state, scores=(*state.scores, tuple(row)), begun=begun)
        if all(seat in begun for seat in state.seated):
            return self.finish(state)
        stays = self.chosen["donkey"] == STAYS  # T8
        return self._set_up(
            replace(
                state,
                round=state.round + 1,
                first_player=state.first_player + 1,  # T15: the next to the left
                donkey_first=state.donkey if stays else BANANA,
            )
        )

    def sheets(self, state: Market) -> dict[Seat, scoring.Sheet]:
        """Count every seat as if the round ended now."""
        stalls = [
            scoring.stall(
                {seat: state.placed[seat][at] for seat in state.seated},
                trump=fruit == state.donkey,
            )
            for at, fruit in enumerate(state.fruits)
        ]
        return {
            seat: scoring.Sheet(
                stalls=tuple([points.get(seat, 0) for points in stalls]),
                tricks=state.tricks[seat],
                left=len(state.hands[seat]),
                placed=sum(state.placed[seat]),
            )
            for seat in state.seated
        }

    # What a seat may do.

    def moves(self, state: Market, seat: Seat, known: Mapping[Slot, Face]) -> list[Move]:
        if not isinstance(state.need, Choose) or seat not in state.need.seats:
            return []
        hand = state.hands[seat]
        plays = [play(slot) for slot in playable(hand, known, state.led)]
        if state.turn == 0:
            return [*(self._donkeys(state)), *plays]
        if state.donkey_moved or not state.vendors_left(seat):  # T4, T2
            return plays
        if self.spends_card:
            return [*plays, *(move("vendor", (slot,)) for slot in sorted(hand))]
        return [*plays, VENDOR]

    def _donkeys(self, state: Market) -> list[Move]:
        others = sorted(fruit for fruit in state.fruits if fruit != state.donkey)  # T3
        return [move("donkey", (), (fruit,)) for fruit in others]

    def suit(self, face: Face) -> str:
        return suit(face)

    def claimed_most(self, _seats: int) -> int:
        return len(NUMBERS) - 1

    def claims(
        self, state: Market, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        match move.verb:
            case "play":
                return self._check_play(state, seat, move, faces)
            case "vendor":
                self._check_vendor(state, seat, move)
            case "donkey":
                self._check_donkey(state, move)
            case _:
                raise IllegalMove("card", f"a turn is {self._turns(state)}, not {move}")
        return ()

    def _turns(self, state: Market) -> str:
        if state.turn == 0:
            return "play #n or donkey FRUIT"
        if state.donkey_moved:
            return "play #n"
        return "play #n or vendor #n" if self.spends_card else "play #n or vendor"

    def _check_play(
        self, state: Market, seat: Seat, move: Move, faces: Sequence[Face]
    ) -> tuple[Claim, ...]:
        if len(move.cards) != 1 or move.words:
            raise IllegalMove("card", "a card is played alone: play #n")
        # T6: who plays a card follows, if able; whether that is so only the hand knows.
        [card], [face] = move.cards, faces
        return unable(state.hands[seat], card, face, state.led, state.piles[0])

    def _check_vendor(self, state: Market, seat: Seat, move: Move) -> None:
        if state.turn == 0:
            raise IllegalMove("lead", "the leader plays a card or moves the donkey")
        if state.donkey_moved:
            raise IllegalMove("must-play", "after a move of the donkey the next plays a card")
        if not state.vendors_left(seat):
            raise IllegalMove("vendors", f"all {VENDORS} vendors of seat {seat} are placed")
        if move.words or len(move.cards) != self.spends_card:
            form = "vendor #n" if self.spends_card else "vendor"
            raise IllegalMove("vendor", f"a vendor is sent with: {form}")

    def _check_donkey(self, state: Market, move: Move) -> None:
        if state.turn:
            raise IllegalMove("donkey", "only the leader of a trick moves the donkey")
        others = self._donkeys(state)
        if move not in others:
            raise IllegalMove("donkey", f"{move} is not one of: {', '.join(map(str, others))}")
