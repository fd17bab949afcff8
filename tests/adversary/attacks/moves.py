"""Attacks with open choices: moves that are none, and what comes with them."""

from engine.errors import IllegalMove
from engine.moves import Move
from engine.needs import Slot
from protocol.feed.entries import MOVE
from protocol.table.party import Party
from protocol.table.position import plain
from tests.adversary.attacks.listing import attack, come_to, says
from tests.adversary.courses import CLAIM, HELD, PILE, TURNED, WORDS
from tests.adversary.forging import false_claims, foreign, of_another, turn_body
from tests.adversary.hall import Body, Hall, forge, owed, said

NO_CARD: Slot = 999_999


@attack(27, MOVE, code="illegal")
def makes_up_a_verb(hall: Hall) -> Party:
    return says(hall, hall.before(MOVE), MOVE, (plain(Move("cheat")), b"", b"", ()))


@attack(27, MOVE, HELD, code="illegal")
def moves_with_the_card_of_another(hall: Hall) -> Party:
    cheat = come_to(hall, lambda party: owed(party) == MOVE and bool(foreign(party)))
    move = Move(cheat.view().moves()[0].verb, foreign(cheat)[:1])
    return says(hall, cheat, MOVE, turn_body(cheat, move))


@attack(27, MOVE, PILE, code="illegal")
def moves_with_a_card_of_the_pile(hall: Hall) -> Party:
    cheat = come_to(hall, lambda party: owed(party) == MOVE and bool(in_no_hand(party)))
    move = Move(cheat.view().moves()[0].verb, in_no_hand(cheat)[:1])
    return says(hall, cheat, MOVE, turn_body(cheat, move))


def in_no_hand(party: Party) -> tuple[Slot, ...]:
    """Closed cards that nobody holds."""
    state = party.table.play.state
    held = {slot for hand in state.hands for slot in hand}
    closed = [slot for slot, face in enumerate(state.faces, state.first) if face is None]
    return tuple([slot for slot in closed if slot not in held])


@attack(27, MOVE, code="illegal")
def moves_with_no_such_card(hall: Hall) -> Party:
    cheat = hall.before(MOVE)
    move = cheat.view().moves()[0]
    impossible = (move.verb, (NO_CARD,), move.words)
    return says(hall, cheat, MOVE, (impossible, b"", b"", ()))


@attack(27, MOVE, WORDS, code="illegal")
def moves_with_other_words(hall: Hall) -> Party:
    cheat = come_to(
        hall,
        lambda party: owed(party) == MOVE and any(move.words for move in party.view().moves()),
    )
    move = next(move for move in cheat.view().moves() if move.words)
    other = Move(move.verb, move.cards, (*move.words[:-1], "nowhere"))
    return says(hall, cheat, MOVE, turn_body(cheat, other))


def refused(party: Party, move: Move) -> bool:
    try:
        party._claims(move)
    except IllegalMove:
        return True
    return False


@attack(27, MOVE, code="illegal")
def repeats_a_move(hall: Hall) -> Party:
    """One that was played before, by anybody, and is no longer possible."""

    def again(party: Party) -> Move | None:
        earlier = [Move(*body[0]) for body in said(hall, MOVE)]
        return next((move for move in earlier if refused(party, move)), None)

    cheat = come_to(hall, lambda party: owed(party) == MOVE and again(party) is not None)
    move = again(cheat)
    assert move is not None
    body: Body = (plain(move), b"", b"", ())
    return says(hall, cheat, MOVE, body)


@attack(27, MOVE, code="not-owed")
def moves_out_of_turn(hall: Hall) -> Party:
    """What another, who alone is asked, could play."""
    mover = come_to(
        hall, lambda party: owed(party) == MOVE and party.table.play.owing == (party.me,)
    )
    cheat = hall.others(mover)[0]
    move = mover.view().moves()[0]
    return says(hall, cheat, MOVE, turn_body(cheat, move))


@attack(15, MOVE, code="twice")
def moves_twice(hall: Hall) -> Party:
    cheat = hall.before(MOVE)
    step = cheat.table.play.step
    [first, *_] = cheat.decide(cheat.view().moves()[0])
    hall.tell(cheat, first)
    [entry] = [entry for entry in cheat.table.read[cheat.me] if entry.data == first]
    place = {"seq": entry.seq + 1, "prev": entry.id, "step": step}
    hall.tell(cheat, forge(cheat, MOVE, entry.body, **place))  # type: ignore[arg-type]
    return cheat


@attack(28, MOVE, code="claim")
def claims_what_nobody_asked_for(hall: Hall) -> Party:
    cheat = hall.before(MOVE)
    *body, proofs = cheat._turn(cheat.view().moves()[0])
    return says(hall, cheat, MOVE, (*body, (*proofs, bytes(48))))


def turning(party: Party) -> bool:
    if owed(party) != MOVE:
        return False
    view = party.view()
    return len(view.hand) > 1 and any(move.cards for move in view.moves())


@attack(16, MOVE, TURNED, code="proof")
def turns_up_another_card_than_it_names(hall: Hall) -> Party:
    cheat = come_to(hall, turning)
    move = next(move for move in cheat.view().moves() if move.cards)
    return says(hall, cheat, MOVE, (plain(move), *of_another(cheat, move), ()))


@attack(16, MOVE, TURNED, code="length")
def names_a_card_and_turns_nothing_up(hall: Hall) -> Party:
    cheat = come_to(hall, turning)
    move = next(move for move in cheat.view().moves() if move.cards)
    return says(hall, cheat, MOVE, (plain(move), b"", b"", ()))


def revokes(party: Party) -> list[Move]:
    """Moves that claim what is not true of the hand."""
    if not turning(party):
        return []
    view = party.view()
    legal = view.moves()
    verbs = {move.verb for move in legal if move.cards}
    single = [Move(verb, (slot,)) for verb in sorted(verbs) for slot in view.hand]
    return [move for move in single if move not in legal and not refused(party, move)]


@attack(28, MOVE, CLAIM, code="proof")
def claims_what_is_false(hall: Hall) -> Party:
    cheat = come_to(hall, lambda party: bool(revokes(party)))
    move = revokes(cheat)[0]
    return says(hall, cheat, MOVE, turn_body(cheat, move, false_claims(cheat, move)))


@attack(28, MOVE, CLAIM, code="claim")
def leaves_a_claim_out(hall: Hall) -> Party:
    cheat = come_to(hall, lambda party: bool(revokes(party)))
    return says(hall, cheat, MOVE, turn_body(cheat, revokes(cheat)[0]))
