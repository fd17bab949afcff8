from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import limits
from engine.errors import BadMoveText
from engine.moves import Move, move

VERBS = st.text("abcxyz", min_size=1, max_size=limits.WORD_LENGTH_MOST)
CARDS = st.lists(st.integers(0, limits.SLOT_MOST), max_size=limits.MOVE_CARDS_MOST, unique=True)
WORDS = st.lists(
    st.from_regex(r"[a-z0-9][a-z0-9-]{0,31}", fullmatch=True), max_size=limits.MOVE_WORDS_MOST
)


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Move("pass"), "pass"),
        (Move("play", (31,)), "play #31"),
        (Move("play", (0, limits.SLOT_MOST)), "play #0 #1000000"),
        (Move("collect", (), ("fig",)), "collect fig"),
        (Move("cancel", (), ("apple-1", "fig-2")), "cancel apple-1 fig-2"),
        (Move("swap", (4, 2), ("7", "a-", "a-b-c")), "swap #4 #2 7 a- a-b-c"),
    ],
)
def test_text(move: Move, text: str) -> None:
    assert str(move) == text
    assert Move.parse(text) == move


@pytest.mark.no_cover
@given(st.builds(Move, VERBS, CARDS.map(tuple), WORDS.map(tuple)))
def test_round_trip(move: Move) -> None:
    assert Move.parse(str(move)) == move


@given(st.text() | st.text("ap#019 -\n", max_size=12))
def test_any_text_is_the_text_of_its_move_or_refused(text: str) -> None:
    try:
        move = Move.parse(text)
    except BadMoveText:
        return
    assert str(move) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is not a verb: small letters, at most 32"),
        (" ", "'' is not a verb: small letters, at most 32"),
        (" play", "'' is not a verb: small letters, at most 32"),
        ("Play", "'Play' is not a verb: small letters, at most 32"),
        ("play\n", r"'play\n' is not a verb: small letters, at most 32"),
        ("pl4y", "'pl4y' is not a verb: small letters, at most 32"),
        ("plây", "'plây' is not a verb: small letters, at most 32"),
        ("#3", "'#3' is not a verb: small letters, at most 32"),
        ("a" * 33, f"'{'a' * 33}' is not a verb: small letters, at most 32"),
        ("play #1 #1", "a move names each card once"),
        ("play #1000001", "1000001 is not a card: write # and its number"),
        (
            "play " + " ".join(f"#{slot}" for slot in range(17)),
            "a move turns up at most 16 cards",
        ),
        ("play" + " fig" * 17, "a move has at most 16 words"),
    ],
)
def test_refused_text(text: str, why: str) -> None:
    with pytest.raises(BadMoveText) as refusal:
        Move.parse(text)
    assert str(refusal.value) == why


@pytest.mark.parametrize(
    "word",
    ["", "#", "#01", "#-1", "#1a", "#10000000", "#٣", "Fig", "-fig", "fig!", "f\x1b[31m", "a" * 33],
)
def test_refused_word(word: str) -> None:
    with pytest.raises(BadMoveText) as refusal:
        Move.parse(f"play #3 {word}")
    assert str(refusal.value) == (
        f"{word!r} is not a word of a move: small letters, digits and dashes, at most 32"
    )


def test_cards_come_before_words() -> None:
    with pytest.raises(BadMoveText, match="'#3' is not a word"):
        Move.parse("play fig #3")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (("play", [1], ()), "at most 16 cards"),
        (("play", (True,), ()), "True is not a card"),
        (("play", (-1,), ()), "-1 is not a card"),
        (("play", ("1",), ()), "'1' is not a card"),
        (("play", (), ["fig"]), "at most 16 words"),
        (("play", (), (1,)), "1 is not a word"),
        ((None, (), ()), "None is not a verb"),
    ],
)
def test_fields_of_another_type_are_refused(fields: tuple[Any, Any, Any], why: str) -> None:
    with pytest.raises(BadMoveText, match=why):
        Move(*fields)


def test_moves_are_sorted_by_verb_cards_words() -> None:
    texts = ["draw", "pass", "play", "play #2", "play #10", "play #10 a", "play #10 b"]
    assert [str(move) for move in sorted(map(Move.parse, reversed(texts)))] == texts


def test_a_move_that_is_listed_again_is_the_same_object() -> None:
    assert move("again", (7,), ("a",)) == Move("again", (7,), ("a",))
    assert move("again", (7,), ("a",)) is move("again", (7,), ("a",))
