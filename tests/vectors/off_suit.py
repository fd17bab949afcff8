"""Proofs that each card is of another suit than a given one."""

from protocol.crypto import group
from protocol.crypto.group import ORDER
from protocol.crypto.proofs import off_suit
from protocol.crypto.proofs.off_suit import Card, Witness
from protocol.crypto.secrets import SecretSource
from tests.vectors import cases
from tests.vectors.cases import GOOD, PLACE, PROOF, SECRET, SEED, Case

WITNESSES = [Witness(ORDER - 3, 7), Witness(5, 1), Witness(1, ORDER - 1)]


def make() -> list[Case]:
    good = [_case(f"{count} cards", WITNESSES[:count]) for count in (1, 2, 3)]
    last = cases.public(good[-1])
    first, second, third = last["cards"]
    return [
        *good,
        *cases.spoilt(good[-1], scalar_at=32),
        cases.public(_case("a card of that suit", [Witness(0, 7)], PROOF)),
        cases.public(_case("one card of that suit", [WITNESSES[0], Witness(0, 7)], PROOF)),
        last | {"name": "another order", "cards": [second, first, third], "expect": PROOF},
        last | {"name": "no card", "cards": [], "proof": last["proof"][:64], "expect": PROOF},
    ]


def _card(at: int, true: Witness) -> Card:
    a = group.base(2 + at)
    suits = [group.times(off_suit.suit_base(), true.apart)] if true.apart else []
    rank = group.times(off_suit.rank_base(), true.rank)
    return Card(a, group.total((*suits, rank, group.times(a, SECRET))))


def _case(name: str, witnesses: list[Witness], expect: str = GOOD) -> Case:
    """A card of that very suit is proved as if it were another."""
    cards = [_card(at, true) for at, true in enumerate(witnesses)]
    said = [true._replace(apart=true.apart or 1) for true in witnesses]
    proof = off_suit.prove(cases.transcript(PLACE), SecretSource(SEED), SECRET, cards, said)
    return {
        "name": name,
        "place": PLACE,
        "seed": SEED.hex(),
        "secret": group.encode_scalar(SECRET).hex(),
        "cards": [cases.hexes(list(card)) for card in cards],
        "true": [group.encode_scalars(true).hex() for true in witnesses],
        "proof": proof.hex(),
        "expect": expect,
    }


def check(case: Case) -> str:
    cards = [Card(*cases.points(card)) for card in case["cards"]]
    proof = bytes.fromhex(case["proof"])
    return cases.outcome(lambda: off_suit.verify(cases.transcript(case["place"]), cards, proof))
