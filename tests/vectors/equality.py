"""Proofs that images are the key's multiples of their bases."""

from protocol.crypto import group
from protocol.crypto.proofs import equality
from protocol.crypto.secrets import SecretSource
from tests.vectors import cases
from tests.vectors.cases import GOOD, KEY, PLACE, PROOF, SECRET, SEED, Case


def make() -> list[Case]:
    good = [_case(f"{count} bases", _bases(count), _images(count)) for count in (1, 2, 5)]
    last = cases.public(good[-1])
    first, second, *rest = _images(5)
    crossed = cases.public(_case("images crossed", _bases(5), [second, first, *rest], PROOF))
    shifted = [group.total((first, KEY)), group.difference(second, KEY), *rest]
    return [
        *good,
        *cases.spoilt(good[-1], scalar_at=0),
        crossed,
        cases.public(_case("errors that cancel", _bases(5), shifted, PROOF)),
        last | {"name": "one base fewer", "bases": last["bases"][:-1], "expect": PROOF},
        last | {"name": "nothing to prove", "bases": [], "images": [], "expect": PROOF},
        last | {"name": "another order", "bases": last["bases"][::-1], "expect": PROOF},
    ]


def _bases(count: int) -> list[group.Point]:
    return [group.hash_to_point("vector", bytes([index])) for index in range(count)]


def _images(count: int) -> list[group.Point]:
    return [group.times(base, SECRET) for base in _bases(count)]


def _case(
    name: str, bases: list[group.Point], images: list[group.Point], expect: str = GOOD
) -> Case:
    proof = equality.prove(cases.transcript(PLACE), SecretSource(SEED), SECRET, KEY, bases, images)
    return {
        "name": name,
        "place": PLACE,
        "seed": SEED.hex(),
        "secret": group.encode_scalar(SECRET).hex(),
        "key": group.encode_point(KEY).hex(),
        "bases": cases.hexes(bases),
        "images": cases.hexes(images),
        "proof": proof.hex(),
        "expect": expect,
    }


def check(case: Case) -> str:
    key, proof = cases.point(case["key"]), bytes.fromhex(case["proof"])
    bases, images = cases.points(case["bases"]), cases.points(case["images"])
    return cases.outcome(
        lambda: equality.verify(cases.transcript(case["place"]), key, bases, images, proof)
    )
