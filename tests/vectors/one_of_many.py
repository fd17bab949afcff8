"""Proofs that for each card one of its targets is the key's multiple of its base."""

from protocol.crypto import group
from protocol.crypto.proofs import one_of_many
from protocol.crypto.proofs.one_of_many import Card
from protocol.crypto.secrets import SecretSource
from tests.vectors import cases
from tests.vectors.cases import GOOD, KEY, PLACE, PROOF, SECRET, SEED, Case

SHAPES = [[(1, 0)], [(3, 2)], [(2, 0), (3, 1), (1, 0)]]  # targets and the true one, card by card


def make() -> list[Case]:
    good = [
        _case(
            f"{len(shape)} cards",
            [_card(at, count, true) for at, (count, true) in enumerate(shape)],
            [true for _, true in shape],
        )
        for shape in SHAPES
    ]
    last = cases.public(good[-1])
    first, *others = last["cards"]
    turned = {"base": first["base"], "targets": first["targets"][::-1]}
    return [
        *good,
        *cases.spoilt(good[-1], scalar_at=16),
        cases.public(_case("no target is true", [_card(0, 3, None)], [1], PROOF)),
        cases.public(
            _case("one card is false", [_card(0, 3, 1), _card(1, 2, None)], [1, 0], PROOF)
        ),
        last | {"name": "targets in another order", "cards": [turned, *others], "expect": PROOF},
        last | {"name": "nothing to prove", "cards": [], "proof": "", "expect": PROOF},
    ]


def _card(at: int, count: int, true: int | None) -> Card:
    base = group.hash_to_point("vector base", bytes([at]))
    targets = [group.hash_to_point("vector target", bytes([at, index])) for index in range(count)]
    if true is not None:
        targets[true] = group.times(base, SECRET)
    return base, targets


def _case(name: str, cards: list[Card], true: list[int], expect: str = GOOD) -> Case:
    proof = one_of_many.prove(cases.transcript(PLACE), SecretSource(SEED), SECRET, KEY, cards, true)
    return {
        "name": name,
        "place": PLACE,
        "seed": SEED.hex(),
        "secret": group.encode_scalar(SECRET).hex(),
        "key": group.encode_point(KEY).hex(),
        "cards": [
            {"base": group.encode_point(base).hex(), "targets": cases.hexes(list(targets))}
            for base, targets in cards
        ],
        "true": true,
        "proof": proof.hex(),
        "expect": expect,
    }


def check(case: Case) -> str:
    key, proof = cases.point(case["key"]), bytes.fromhex(case["proof"])
    cards = [(cases.point(card["base"]), cases.points(card["targets"])) for card in case["cards"]]
    return cases.outcome(
        lambda: one_of_many.verify(cases.transcript(case["place"]), key, cards, proof)
    )
