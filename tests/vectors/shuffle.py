"""Shuffles of a few cards, with their proofs. The order and every scalar follow from the seed."""

from protocol.crypto import group
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.shuffle import Card, Deck, Witness
from protocol.crypto.secrets import SecretSource
from tests.vectors import cases
from tests.vectors.cases import FORM, GOOD, KEY, PLACE, PROOF, SEED, Case

COUNT = 3


def make() -> list[Case]:
    good = [_good(count) for count in (1, 2, COUNT)]
    last = cases.public(good[-1])
    data = bytes.fromhex(last["shuffled"])
    return [
        *good,
        *cases.spoilt(good[-1], scalar_at=66 * COUNT),
        *_cheats(),
        last | {"name": "the deck unshuffled", "shuffled": last["deck"], "expect": PROOF},
        last | {"name": "a card fewer", "shuffled": data[:-66].hex(), "expect": FORM},
        last | {"name": "half a card", "shuffled": data[:-33].hex(), "expect": FORM},
        last | {"name": "a point of no curve", "shuffled": _no_point(data), "expect": FORM},
        last | {"name": "no cards", "shuffled": "", "expect": FORM},
        last
        | {
            "name": "a proof's point of no curve",
            "proof": _no_point(last["proof"]),
            "expect": FORM,
        },
    ]


def _no_point(data: bytes | str) -> str:
    raw = bytes.fromhex(data) if isinstance(data, str) else data
    return (b"\x02" + bytes(31) + b"\x05" + raw[33:]).hex()


def _deck(count: int) -> Deck:
    faces = (group.hash_to_point("face", bytes([index])) for index in range(count))
    return Deck.of(Card(group.base(1), group.total((face, KEY))) for face in faces)


def _good(count: int) -> Case:
    deck = _deck(count)
    shuffled, proof = shuffle.shuffle(cases.transcript(PLACE), SecretSource(SEED), KEY, deck)
    return _case(f"{count} cards", deck, shuffled, proof) | {"seed": SEED.hex()}


def _case(name: str, deck: Deck, shuffled: Deck, proof: bytes, expect: str = GOOD) -> Case:
    return {
        "name": name,
        "place": PLACE,
        "key": group.encode_point(KEY).hex(),
        "deck": deck.data.hex(),
        "shuffled": shuffled.data.hex(),
        "proof": proof.hex(),
        "expect": expect,
    }


def _cheats() -> list[Case]:
    """Proved with all care, and false."""
    deck, source = _deck(COUNT), SecretSource(SEED)
    scalars = source.scalars("cheat", b"", COUNT)
    doubled = Witness([0, 1, 0], scalars)
    honest = Witness([2, 0, 1], scalars)
    replaced = Deck.of([*deck.cards[:-1], _deck(COUNT + 1).cards[-1]])
    attempts = {
        "a doubled card": (shuffle.apply(KEY, deck, doubled), doubled),
        "a doubled card, argued as a shuffle": (shuffle.apply(KEY, deck, doubled), honest),
        "a replaced card": (shuffle.apply(KEY, replaced, honest), honest),
    }
    return [
        _case(
            name,
            deck,
            shuffled,
            shuffle.prove(cases.transcript(PLACE), source, KEY, deck, shuffled, witness),
            PROOF,
        )
        for name, (shuffled, witness) in attempts.items()
    ]


def check(case: Case) -> str:
    key, proof = cases.point(case["key"]), bytes.fromhex(case["proof"])

    def verify() -> bool:
        deck = Deck.decode(bytes.fromhex(case["deck"]))
        shuffled = Deck.decode(bytes.fromhex(case["shuffled"]))
        return shuffle.verify(cases.transcript(case["place"]), key, deck, shuffled, proof)

    return cases.outcome(verify)
