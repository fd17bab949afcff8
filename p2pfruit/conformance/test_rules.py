"""What peers sign of a state, and the rules vectors that the game declares."""

from typing import Any

from engine import record
from engine.codec import encode
from engine.game import Game
from engine.record import digest
from p2pfruit.conformance.checks import walk
from p2pfruit.conformance.playing import Table, moments
from p2pfruit.conformance.rules import fingerprint, vectors


def test_a_digest_is_of_numbers_texts_and_lists(table: Table) -> None:
    for state, _, _ in moments(table):
        for _, value in walk(record.plain(state)):
            assert value is None or type(value) in (int, str, tuple), (
                f"{value!r}: the public values of a state are whole numbers, texts, None"
                " and tuples of these"
            )


def test_a_digest_tells_the_state(table: Table) -> None:
    """Whatever the public values leave out follows from them and from the common fields."""
    seen: dict[bytes, bytes] = {}
    for state, _, _ in moments(table):
        assert seen.setdefault(digest(state), encode(state)) == encode(state), (
            f"two states have one digest: name more of the fields in {type(state).__name__}.public"
        )


def test_the_game_declares_its_rules_vectors(plain: Game[Any]) -> None:
    found = fingerprint(vectors(plain.name))
    assert plain.vectors == found, (
        f'{type(plain).__name__} declares vectors = "{plain.vectors}", but its rules'
        f' vectors have "{found}"; hint: if you meant to change the rules, raise the version, and'
        " write this hash into the class; python -m p2pfruit.conformance.rules prints the vectors"
    )
