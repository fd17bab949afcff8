"""Images are all the key's multiples of their bases, or the proof fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import equality
from protocol.crypto.transcript import Context
from protocol.errors import RemoteProtocolError
from tests.protocol.crypto.samples import (
    ELSEWHERE,
    KEY,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    SOURCE,
    G,
    faces,
    flips,
    holds,
    points,
    scalars,
    transcript,
)

BASES = faces(5)
IMAGES = [group.times(base, SECRET) for base in BASES]
PROOF = equality.prove(transcript(), SOURCE, SECRET, KEY, BASES, IMAGES)


def attempt(
    images: list[Point], bases: list[Point] = BASES, key: Point = KEY, secret: int = SECRET
) -> bool:
    """Whether a cheat who follows the rules of proving gets this through."""
    proof = equality.prove(transcript(), SOURCE, secret, key, bases, images)
    return equality.verify(transcript(), key, bases, images, proof)


@given(scalars, st.lists(points, min_size=1, max_size=4))
def test_honest_proofs_hold(secret: int, bases: list[Point]) -> None:
    assert attempt([group.times(base, secret) for base in bases], bases, group.base(secret), secret)


def test_one_base_is_enough_and_may_stand_twice() -> None:
    assert attempt(IMAGES[:1], BASES[:1])
    assert attempt(IMAGES[:1] * 3, BASES[:1] * 3)
    assert attempt([KEY], [G])


def test_the_size_does_not_grow() -> None:
    assert len(PROOF) == 64


def test_a_flipped_bit_fails() -> None:
    for changed in flips(PROOF):
        assert not holds(equality.verify, transcript(), KEY, BASES, IMAGES, changed)


@pytest.mark.parametrize("context", ELSEWHERE)
def test_it_is_bound_to_its_place(context: Context) -> None:
    assert not equality.verify(transcript(context), KEY, BASES, IMAGES, PROOF)


def test_it_is_bound_to_its_key() -> None:
    assert not equality.verify(transcript(), OTHER_KEY, BASES, IMAGES, PROOF)


@pytest.mark.parametrize("at", range(5))
def test_it_is_bound_to_every_base_and_image(at: int) -> None:
    other = faces(1, first=99)
    bases = [*BASES[:at], *other, *BASES[at + 1 :]]
    images = [*IMAGES[:at], *other, *IMAGES[at + 1 :]]
    assert not equality.verify(transcript(), KEY, bases, IMAGES, PROOF)
    assert not equality.verify(transcript(), KEY, BASES, images, PROOF)
    assert not equality.verify(
        transcript(), KEY, BASES[:at] + BASES[at + 1 :], IMAGES[:at] + IMAGES[at + 1 :], PROOF
    )


def test_it_is_bound_to_the_order() -> None:
    assert not equality.verify(transcript(), KEY, BASES[::-1], IMAGES[::-1], PROOF)


@pytest.mark.parametrize("at", range(5))
def test_a_wrong_image_fails(at: int) -> None:
    wrong = group.times(BASES[at], OTHER_SECRET)
    assert not attempt([*IMAGES[:at], wrong, *IMAGES[at + 1 :]])


def test_images_of_another_key_fail() -> None:
    images = [group.times(base, OTHER_SECRET) for base in BASES]
    assert not attempt(images)
    assert not attempt(images, secret=OTHER_SECRET)
    assert attempt(images, key=OTHER_KEY, secret=OTHER_SECRET)


def test_errors_that_cancel_without_weights_fail() -> None:
    images = [group.total((IMAGES[0], G)), group.difference(IMAGES[1], G), *IMAGES[2:]]
    assert group.total(images) == group.total(IMAGES)
    assert not attempt(images)


def test_images_that_change_places_fail() -> None:
    assert not attempt([IMAGES[1], IMAGES[0], *IMAGES[2:]])


def test_another_s_proof_does_not_serve() -> None:
    images = [group.times(base, OTHER_SECRET) for base in BASES]
    proof = equality.prove(transcript(), SOURCE, OTHER_SECRET, OTHER_KEY, BASES, images)
    assert equality.verify(transcript(), OTHER_KEY, BASES, images, proof)
    assert not equality.verify(transcript(), KEY, BASES, IMAGES, proof)


def test_meeting_the_identity_is_false() -> None:
    forged = group.encode_scalars((5, 5 * SECRET % group.ORDER))
    assert not equality.verify(transcript(), KEY, BASES, IMAGES, forged)


def test_empty_and_uneven_statements() -> None:
    for bases, images in (([], []), (BASES, IMAGES[1:]), (BASES[1:], IMAGES), ([], IMAGES)):
        assert not equality.verify(transcript(), KEY, bases, images, PROOF)
        with pytest.raises(ValueError, match="each base has one image"):
            equality.prove(transcript(), SOURCE, SECRET, KEY, bases, images)


@pytest.mark.parametrize("length", [0, 32, 63, 65, 96])
def test_other_lengths_are_refused(length: int) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        equality.verify(transcript(), KEY, BASES, IMAGES, (PROOF * 2)[:length])
    assert caught.value.code == "length"


def test_the_same_statement_has_the_same_proof() -> None:
    assert equality.prove(transcript(), SOURCE, SECRET, KEY, BASES, IMAGES) == PROOF


def test_no_nonce_meets_two_challenges() -> None:
    proofs = [PROOF]
    for at in range(5):
        bases, images = BASES[:at] + BASES[at + 1 :], IMAGES[:at] + IMAGES[at + 1 :]
        proofs.append(equality.prove(transcript(), SOURCE, SECRET, KEY, bases, images))
    commitments = set()
    for proof in proofs:
        challenge, response = group.decode_scalars(proof, 2)
        commitments.add(group.combine((G, KEY), (response, -challenge)))
    assert len(commitments) == len(proofs)


def multiplied(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The scalars that reach the multiplication whose time depends on them, either sign."""
    seen: set[int] = set()
    multiply = group._multiply

    def spy(point: Point, scalar: int) -> object:
        seen.update((scalar % group.ORDER, -scalar % group.ORDER))
        return multiply(point, scalar)

    monkeypatch.setattr(group, "_multiply", spy)
    return seen


def test_neither_the_key_nor_the_nonce_is_multiplied_in_the_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = multiplied(monkeypatch)
    blinds = SOURCE.scalars("share", b"", len(BASES))
    images = [
        group.times_secret(base, SECRET, blind) for base, blind in zip(BASES, blinds, strict=True)
    ]
    proof = equality.prove(transcript(), SOURCE, SECRET, KEY, BASES, images)
    challenge, response = group.decode_scalars(proof, 2)
    nonce = (response - challenge * SECRET) % group.ORDER
    assert len(seen) == 2 * (2 * len(BASES) + len(BASES) + 2)
    assert not seen & {SECRET, nonce}


def test_the_spy_would_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = multiplied(monkeypatch)
    group.times(G, SECRET)
    assert SECRET in seen


@given(st.binary(max_size=130))
def test_garbage_is_refused_or_false(data: bytes) -> None:
    assert not holds(equality.verify, transcript(), KEY, BASES, IMAGES, data)


@given(st.lists(scalars, min_size=2, max_size=2).map(group.encode_scalars))
def test_garbage_of_the_right_form_is_false(forged: bytes) -> None:
    assert not equality.verify(transcript(), KEY, BASES, IMAGES, forged)
