"""Proofs that a key's logarithm is known."""

from protocol.crypto import group
from protocol.crypto.proofs import knowledge
from protocol.crypto.secrets import SecretSource
from tests.vectors import cases
from tests.vectors.cases import GOOD, PLACE, PROOF, SEED, Case


def make() -> list[Case]:
    good = [_good(f"the secret {name}", secret) for name, secret in SECRETS.items()]
    rogue = group.encode_scalars((5, 5 * cases.SECRET % group.ORDER))
    identity = {"name": "meets the identity", "proof": rogue.hex(), "expect": PROOF}
    return [*good, *cases.spoilt(good[0], scalar_at=32), cases.public(good[0]) | identity]


SECRETS = {"1, 2, 3 …": cases.SECRET, "one": 1, "minus one": group.ORDER - 1}


def _good(name: str, secret: int) -> Case:
    key = group.base(secret)
    return {
        "name": name,
        "place": PLACE,
        "seed": SEED.hex(),
        "secret": group.encode_scalar(secret).hex(),
        "key": group.encode_point(key).hex(),
        "proof": knowledge.prove(cases.transcript(PLACE), SecretSource(SEED), secret, key).hex(),
        "expect": GOOD,
    }


def check(case: Case) -> str:
    key, proof = cases.point(case["key"]), bytes.fromhex(case["proof"])
    return cases.outcome(lambda: knowledge.verify(cases.transcript(case["place"]), key, proof))
