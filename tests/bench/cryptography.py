"""What the cards' encryption and its proofs cost, beside the bare arithmetic that they stand on.

Bare is nothing but the library's multiplications, as many as the equations ask for, in the leanest
way Python can call them. Decoding, hashing and drawing secrets are ours. What is compared runs in
turns, so that a machine that slows down slows both.
"""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from btclib_libsecp256k1 import ffi, lib
from btclib_libsecp256k1.context import ctx

from protocol.crypto import group
from protocol.crypto.proofs import equality, off_suit, shuffle
from protocol.crypto.proofs.shuffle import Card, Deck
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Context, Transcript

CARDS = 80
CLAIMED = 10
FEW, MANY = 8, 40

SOURCE = SecretSource(b"bench" + bytes(27))
SECRET = SOURCE.scalar("key", b"")
KEY = group.base(SECRET)
G = group.base(1)

Work = Callable[[], object]


def measure(runs: int) -> dict[str, Any]:
    runs = max(runs, 15)  # fewer say nothing: these take milliseconds, and the machine has moods
    return {
        "shuffle_prove": over_bare(runs, _shuffling(), bare(6 * CARDS, 4 * CARDS)),
        "verify": over_bare(runs, _verifying(), bare(8 * CARDS, CARDS)),
        "share": _share(runs),
        "claim10": _claim(runs),
    }


def _transcript() -> Transcript:
    return Transcript("bench", Context(bytes(32), bytes(32), 0))


def _in_turns(runs: int, *works: Work) -> list[list[float]]:
    """The milliseconds of each in each run, after one round that warms the caches."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(runs + 1):
        for work, spent in zip(works, times, strict=True):
            start = process_time()
            work()
            spent.append(1000 * (process_time() - start))
    return [spent[1:] for spent in times]


def over_bare(runs: int, ours: Work, bare: Work) -> dict[str, float]:
    """The ratio is the median of the runs' own: each compares what ran within the same moment."""
    spent, bare_spent = _in_turns(3 * runs, ours, bare)
    ratios = [one / other for one, other in zip(spent, bare_spent, strict=True)]
    return {
        "ms": round(median(spent), 2),
        "bare_ms": round(median(bare_spent), 2),
        "ratio": round(median(ratios), 3),
    }


def bare(variable: int, fixed: int) -> Work:
    context, new, copy = ctx, ffi.new, ffi.memmove
    multiply, create = lib.secp256k1_ec_pubkey_tweak_mul, lib.secp256k1_ec_pubkey_create
    scalars = [group.encode_scalar(scalar) for scalar in SOURCE.scalars("bare", b"", variable)]
    points = [group.base(scalar)._struct for scalar in SOURCE.scalars("points", b"", variable)]
    kind = ffi.typeof("secp256k1_pubkey *")

    def work() -> None:
        for point, scalar in zip(points, scalars, strict=True):
            struct = new(kind)
            copy(struct, point, 64)
            multiply(context, struct, scalar)
        for scalar in scalars[:fixed]:
            create(context, new(kind), scalar)

    return work


def _faces(count: int) -> list[group.Point]:
    return [group.hash_to_point("face", index.to_bytes(4, "big")) for index in range(count)]


def _deck() -> Deck:
    return Deck.of(Card(G, group.total((face, KEY))) for face in _faces(CARDS))


def _shuffling() -> Work:
    deck = _deck()
    return lambda: shuffle.shuffle(_transcript(), SOURCE, KEY, deck)


def _verifying() -> Work:
    """The deck is what an earlier step has decoded; the shuffled one comes as bytes."""
    deck = _deck()
    shuffled, proof = shuffle.shuffle(_transcript(), SOURCE, KEY, deck)
    data = shuffled.data

    def work() -> None:
        if not shuffle.verify(_transcript(), KEY, deck, Deck.decode(data), proof):
            raise AssertionError

    return work


def _share(runs: int) -> dict[str, float]:
    """Beyond the shares themselves, by the slope between a small batch and a large one."""
    few_prove, few_verify = _sharing(FEW)
    many_prove, many_verify = _sharing(MANY)
    works = (few_prove, many_prove, few_verify, many_verify, bare(MANY, 0))
    few_p, many_p, few_v, many_v, plain = map(median, _in_turns(4 * runs, *works))
    one = plain / MANY
    prove, verify = (
        (many - few) / (MANY - FEW) for few, many in ((few_p, many_p), (few_v, many_v))
    )
    return {
        "multiplications": round(max(prove, verify) / one, 2),
        "prove_multiplications": round(prove / one, 2),
        "verify_multiplications": round(verify / one, 2),
        f"prove{MANY}_ms": round(many_p, 2),
        f"verify{MANY}_ms": round(many_v, 2),
    }


def _sharing(count: int) -> tuple[Work, Work]:
    bases = [group.times(face, SECRET) for face in _faces(count)]
    images = [group.times(base, SECRET) for base in bases]
    group.encode_points((*bases, *images))  # they were decoded, or sent
    proof = equality.prove(_transcript(), SOURCE, SECRET, KEY, bases, images)
    return (
        lambda: equality.prove(_transcript(), SOURCE, SECRET, KEY, bases, images),
        lambda: equality.verify(_transcript(), KEY, bases, images, proof),
    )


def _claim(runs: int) -> dict[str, float]:
    true = [off_suit.Witness(1 + at, 1) for at in range(CLAIMED)]
    cards = []
    for base, (apart, rank) in zip(_faces(CLAIMED), true, strict=True):
        bases = (off_suit.suit_base(), off_suit.rank_base(), base)
        cards.append(off_suit.Card(base, group.combine(bases, (apart, rank, SECRET))))
    proof = off_suit.prove(_transcript(), SOURCE, SECRET, cards, true)
    proving, verifying = _in_turns(
        runs,
        lambda: off_suit.prove(_transcript(), SOURCE, SECRET, cards, true),
        lambda: off_suit.verify(_transcript(), cards, proof),
    )
    return {"prove_ms": round(median(proving), 1), "verify_ms": round(median(verifying), 1)}
