"""What is drawn depends on the seed, the label and the whole statement, and on nothing else."""

import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import permutations

import pytest
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.group import ORDER
from protocol.crypto.secrets import SecretSource

SEED = bytes(range(32))
SOURCE = SecretSource(SEED)

DRAWS: list[Callable[[SecretSource, str, bytes], object]] = [
    lambda source, label, statement: source.scalars(label, statement, 3),
    lambda source, label, statement: source.scalar(label, statement),
    lambda source, label, statement: source.nonce(label, statement),
    lambda source, label, statement: source.permutation(label, statement, 80),
]


@pytest.mark.parametrize("draw", DRAWS)
def test_the_same_is_drawn_again(draw: Callable[[SecretSource, str, bytes], object]) -> None:
    assert draw(SecretSource(SEED), "label", b"statement") == draw(
        SecretSource(SEED), "label", b"statement"
    )


@pytest.mark.parametrize("draw", DRAWS)
def test_another_seed_label_or_statement_draws_another(
    draw: Callable[[SecretSource, str, bytes], object],
) -> None:
    drawn = [
        draw(SOURCE, "label", b"statement"),
        draw(SecretSource(bytes(32)), "label", b"statement"),
        draw(SOURCE, "labels", b"tatement"),
        draw(SOURCE, "label", b"statemen"),
        draw(SOURCE, "label", b"statement\0"),
    ]
    assert all(drawn.count(value) == 1 for value in drawn)


@given(st.binary(max_size=40), st.integers(0, 400))
def test_scalars_are_in_range_and_all_different(statement: bytes, count: int) -> None:
    drawn = SOURCE.scalars("label", statement, count)
    assert len(set(drawn)) == count
    assert all(0 < scalar < ORDER for scalar in drawn)


def test_the_kinds_share_no_bytes() -> None:
    kinds = ("scalars", "nonce", "permutation")
    assert len({SOURCE._bytes(kind, "label", b"", 32) for kind in kinds}) == len(kinds)
    assert SOURCE.nonce("label", b"") == SOURCE._bytes("nonce", "label", b"", 32)


def test_drawing_more_begins_alike() -> None:
    assert SOURCE.scalars("label", b"", 400)[:3] == SOURCE.scalars("label", b"", 3)


@given(st.binary(max_size=8), st.integers(0, 300))
def test_permutations_are_permutations(statement: bytes, count: int) -> None:
    assert sorted(SOURCE.permutation("label", statement, count)) == list(range(count))


def test_a_long_permutation_takes_a_second_block() -> None:
    assert sorted(SOURCE.permutation("label", b"", 1000)) == list(range(1000))


def chi_square(observed: Counter[object], cells: int) -> float:
    expected = observed.total() / cells
    missing = cells - len(observed)
    return sum((n - expected) ** 2 / expected for n in observed.values()) + missing * expected


def test_every_permutation_is_as_likely() -> None:
    drawn: Counter[object] = Counter(
        tuple(SecretSource(i.to_bytes(32, "big")).permutation("label", b"", 4)) for i in range(4800)
    )
    assert set(drawn) == set(permutations(range(4)))
    assert chi_square(drawn, 24) < 49.7  # 23 degrees of freedom: exceeded once in a thousand


def test_every_place_gets_every_card() -> None:
    drawn: Counter[object] = Counter()
    for i in range(600):
        drawn.update(enumerate(SOURCE.permutation("label", i.to_bytes(4, "big"), 11)))
    assert chi_square(drawn, 121) < 149.4  # 100 degrees of freedom: once in a thousand


def test_nothing_is_shown() -> None:
    assert repr(SOURCE) == str(SOURCE) == "SecretSource(…)"
    assert not hasattr(SOURCE, "__dict__")


def test_a_seed_is_32_bytes() -> None:
    with pytest.raises(ValueError, match="a seed is 32 bytes"):
        SecretSource(bytes(31))


def test_it_is_as_described() -> None:
    parts = (b"scalars", b"label", b"statement")
    info = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    key = HKDF(algorithm=SHA512(), length=64, salt=None, info=info).derive(SEED)
    stream = hashlib.shake_256(key).digest(96)
    expected = [1 + int.from_bytes(stream[at : at + 48], "big") % (ORDER - 1) for at in (0, 48)]
    assert SOURCE.scalars("label", b"statement", 2) == expected
