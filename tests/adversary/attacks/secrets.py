"""Attacks with secret choices: commitments that are copied, or opened to something else."""

from collections.abc import Callable

from engine.moves import Move
from protocol.feed.entries import COMMIT, READY, REVEAL
from protocol.table.party import Party
from protocol.table.position import plain
from tests.adversary.attacks.listing import attack, keeps_to, says
from tests.adversary.courses import HAND, REVEALED
from tests.adversary.forging import NONCE, foreign, of_another, reveal_body
from tests.adversary.hall import Hall, due, owed, said


def last_to_reveal(hall: Hall) -> Party:
    """Somebody who knows already what the others chose."""
    first = hall.before(REVEAL)
    return hall.before(REVEAL, nth=len(first.table.play.commits))


def commit(hall: Hall, cheat: Party, move: Move) -> None:
    keeps_to(hall, cheat, COMMIT, (cheat.table.play.commitment(cheat.me, move, NONCE),))


def come_to_reveal(hall: Hall, cheat: Party) -> None:
    """The cheat's own program would not reveal what it did not commit to, so it only listens."""
    hall.passive.add(cheat.me)
    hall.run(lambda party: party is cheat and owed(cheat) in (READY, REVEAL))
    if owed(cheat) == READY:
        keeps_to(hall, cheat, READY, due(cheat)[1])
        hall.before(REVEAL, player=cheat.me)
    hall.passive.remove(cheat.me)


def commits_to(hall: Hall, any_move: Callable[[Party], Move]) -> Party:
    """The first who chooses commits to any move at all, and reveals it."""
    cheat = hall.before(COMMIT)
    move = any_move(cheat)
    commit(hall, cheat, move)
    come_to_reveal(hall, cheat)
    return says(hall, cheat, REVEAL, reveal_body(cheat, move))


@attack(16, COMMIT, REVEAL, code="commitment")
def reveals_another_choice(hall: Hall) -> Party:
    """The true nonce, and a choice that is as legal, now that the others' are known."""
    cheat = last_to_reveal(hall)
    chosen, nonce, *_ = due(cheat)[1]
    other = next(move for move in cheat.view().moves() if plain(move) != chosen)
    return says(hall, cheat, REVEAL, reveal_body(cheat, other, nonce))


@attack(16, COMMIT, REVEAL, code="commitment")
def reveals_with_another_nonce(hall: Hall) -> Party:
    cheat = last_to_reveal(hall)
    chosen, _, *rest = due(cheat)[1]
    return says(hall, cheat, REVEAL, (chosen, NONCE, *rest))


@attack(16, COMMIT, REVEAL, REVEALED, code="proof")
def reveals_the_card_and_shares_another(hall: Hall) -> Party:
    cheat = last_to_reveal(hall)
    chosen, nonce, _, _, claims = due(cheat)[1]
    shares = of_another(cheat, Move(*chosen))
    return says(hall, cheat, REVEAL, (chosen, nonce, *shares, claims))


@attack(16, COMMIT, REVEAL, REVEALED, code="length")
def reveals_the_card_and_shares_nothing(hall: Hall) -> Party:
    cheat = last_to_reveal(hall)
    chosen, nonce, _, _, claims = due(cheat)[1]
    return says(hall, cheat, REVEAL, (chosen, nonce, b"", b"", claims))


@attack(26, COMMIT, REVEAL, code="commitment")
def copies_a_commitment(hall: Hall) -> Party:
    """It can be opened by nobody but the one who made it."""
    cheat = hall.before(COMMIT, nth=2)
    victim, _ = hall.said[-1]
    keeps_to(hall, cheat, COMMIT, said(hall, COMMIT, by=victim)[-1][:1])
    hall.passive.add(cheat.me)
    hall.run()
    if cheat.table.play.phase == "readying":
        keeps_to(hall, cheat, READY, (cheat.table.play.all_commits(),))
        hall.run()
    return says(hall, cheat, REVEAL, said(hall, REVEAL, by=victim)[-1])


@attack(26, READY, code="ready")
def is_ready_for_other_commitments(hall: Hall) -> Party:
    return says(hall, hall.before(READY, nth=2), READY, (bytes(32),))


@attack(26, COMMIT, code="form")
def commits_to_a_short_hash(hall: Hall) -> Party:
    return says(hall, hall.before(COMMIT), COMMIT, (bytes(31),))


@attack(27, COMMIT, REVEAL, code="illegal")
def commits_to_a_made_up_verb(hall: Hall) -> Party:
    return commits_to(hall, lambda _: Move("cheat"))


@attack(27, COMMIT, REVEAL, HAND, code="illegal")
def commits_to_the_card_of_another(hall: Hall) -> Party:
    return commits_to(hall, lambda cheat: Move(cheat.view().moves()[0].verb, foreign(cheat)[:1]))
