"""Whoever has no logarithm of the key has no proof, and nobody else's serves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.proofs import knowledge
from protocol.crypto.secrets import SecretSource
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
    flips,
    holds,
    scalars,
    transcript,
)

PROOF = knowledge.prove(transcript(), SOURCE, SECRET, KEY)


@given(scalars)
def test_honest_proofs_hold(secret: int) -> None:
    key = group.base(secret)
    proof = knowledge.prove(transcript(), SOURCE, secret, key)
    assert len(proof) == 64
    assert knowledge.verify(transcript(), key, proof)


def test_the_smallest_and_the_largest_secret() -> None:
    for secret in (1, group.ORDER - 1):
        key = group.base(secret)
        proof = knowledge.prove(transcript(), SOURCE, secret, key)
        assert knowledge.verify(transcript(), key, proof)


def test_a_flipped_bit_fails() -> None:
    for changed in flips(PROOF):
        assert not holds(knowledge.verify, transcript(), KEY, changed)


@pytest.mark.parametrize("context", ELSEWHERE)
def test_it_is_bound_to_its_place(context: Context) -> None:
    assert not knowledge.verify(transcript(context), KEY, PROOF)


def test_it_is_bound_to_what_was_absorbed_before() -> None:
    later = transcript()
    later.absorb("seat", b"2")
    assert not knowledge.verify(later, KEY, PROOF)
    assert not knowledge.verify(transcript(name="another"), KEY, PROOF)


def test_it_is_bound_to_its_key() -> None:
    assert not knowledge.verify(transcript(), OTHER_KEY, PROOF)
    assert not knowledge.verify(transcript(), group.negate(KEY), PROOF)


def test_a_false_witness_fails() -> None:
    proof = knowledge.prove(transcript(), SOURCE, OTHER_SECRET, KEY)
    assert not knowledge.verify(transcript(), KEY, proof)


def test_a_key_that_cancels_another_cannot_be_proved() -> None:
    rogue = group.difference(OTHER_KEY, KEY)
    for secret in (OTHER_SECRET, OTHER_SECRET - SECRET + 1, 1):
        proof = knowledge.prove(transcript(), SOURCE, secret % group.ORDER, rogue)
        assert not knowledge.verify(transcript(), rogue, proof)


def test_meeting_the_identity_is_false() -> None:
    forged = group.encode_scalars((5, 5 * SECRET % group.ORDER))
    assert not knowledge.verify(transcript(), KEY, forged)


@pytest.mark.parametrize("length", [0, 1, 32, 63, 65, 96])
def test_other_lengths_are_refused(length: int) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        knowledge.verify(transcript(), KEY, (PROOF * 2)[:length])
    assert caught.value.code == "length"


@pytest.mark.parametrize("value", [0, group.ORDER, 2**256 - 1])
def test_other_scalars_are_refused(value: int) -> None:
    for proof in (value.to_bytes(32, "big") + PROOF[32:], PROOF[:32] + value.to_bytes(32, "big")):
        with pytest.raises(RemoteProtocolError) as caught:
            knowledge.verify(transcript(), KEY, proof)
        assert caught.value.code == "scalar"


def test_the_same_statement_has_the_same_proof() -> None:
    assert knowledge.prove(transcript(), SOURCE, SECRET, KEY) == PROOF


def test_no_nonce_meets_two_challenges() -> None:
    proofs = [PROOF, knowledge.prove(transcript(), SecretSource(bytes(32)), SECRET, KEY)]
    proofs += [knowledge.prove(transcript(context), SOURCE, SECRET, KEY) for context in ELSEWHERE]
    commitments = set()
    for proof in proofs:
        challenge, response = group.decode_scalars(proof, 2)
        commitments.add(group.combine((G, KEY), (response, -challenge)))
    assert len(commitments) == len(proofs)


@given(st.binary(max_size=130))
def test_garbage_is_refused_or_false(data: bytes) -> None:
    assert not holds(knowledge.verify, transcript(), KEY, data)


@given(st.lists(scalars, min_size=2, max_size=2).map(group.encode_scalars))
def test_garbage_of_the_right_form_is_false(forged: bytes) -> None:
    assert not knowledge.verify(transcript(), KEY, forged)
