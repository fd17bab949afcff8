"""Bastos in lines: what is shown, and what is understood of what was typed."""

from dataclasses import replace

import pytest

from engine.bastos.rules import Market
from engine.moves import Event, Move
from engine.needs import FINISHED, Done
from engine.views import View
from p2pfruit import language
from p2pfruit.games.about import about
from p2pfruit.games.bastos.narrator import BastosNarrator
from p2pfruit.games.narrator import Misread
from p2pfruit.text.folding import NO_BREAK
from tests.engine.bastos.rigging import EVEN, FOUR, SPLIT, Table
from tests.p2pfruit.games.lines import table_lines

NAMES = ("Ada", "Bruno", "Chloe", "Dmitri")


def narrator(table: Table, me: int | None = 0) -> BastosNarrator:
    return BastosNarrator(table.game, NAMES[: len(table.state.hands)], me)


def leading() -> Table:
    table = Table(EVEN)
    table.bastos("b1 m4 p7")
    return table


def void() -> Table:
    """Seat 2 has no banana, and pineapples can become trump."""
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.play("b2")
    return table


def pricing() -> Table:
    table = leading()
    table.play("b2")
    return table


def asked(table: Table) -> tuple[BastosNarrator, View[Market]]:
    seat = table.asked[0]
    return narrator(table, seat), table.dealer.view(seat)


def played(table: Table, short: str, *words: str) -> Move:
    return Move("play", (table.slot(table.asked[0], short),), words)


# What is typed.


@pytest.mark.parametrize("typed", ["mango 2", "mango2", "MANGO 2", " m 2 ", "ma 02", "4", "[4]"])
def test_a_card_by_name_or_number(typed: str) -> None:
    table = leading()
    told, view = asked(table)
    assert told.read(view, typed) == played(table, "m2")


@pytest.mark.parametrize("typed", ["p7 trump", "pineapple 7 t", "pi 7 trump"])
def test_a_card_declared_trump(typed: str) -> None:
    table = void()
    told, view = asked(table)
    assert told.read(view, typed) == played(table, "p7", "trump")
    assert told.read(view, "p7") == played(table, "p7")


def test_a_bastos_by_its_name() -> None:
    table = Table(EVEN)
    told, view = asked(table)
    assert told.question(view) == "which card do you lay aside as your Bastos?"
    assert told.read(view, "durian 1") == Move("bastos", (table.slot(0, "d1"),))


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("mango up", "raise mango"),
        ("m +", "raise mango"),
        ("mango -", "lower mango"),
        ("durian down", "lower durian"),
        ("no price", "keep"),
        ("1", "keep"),
        ("banana up to +2", "raise banana"),
        ("lower banana", "lower banana"),
    ],
)
def test_a_price(typed: str, move: str) -> None:
    told, view = asked(pricing())
    assert str(told.read(view, typed)) == move


def test_french_names() -> None:
    language.use("fr")
    table = leading()
    told, view = asked(table)
    assert told.read(view, "banane 2") == played(table, "b2")
    assert told.read(view, "banana 2") == played(table, "b2")


@pytest.mark.parametrize(
    ("make", "typed", "why"),
    [
        (leading, "mango 9", "mango 9 is not in your hand (rule: hand)"),
        (leading, "pear 1", "pear 1 is not in your hand (rule: hand)"),
        (leading, "m2 trump", "trump is declared once a round, by who cannot follow, with a"),
        (leading, "play", "a turn is one card of your hand (rule: card)"),
        (leading, "raise mango", "a turn is one card of your hand (rule: card)"),
        (leading, "play #999", "that card is not in your hand (rule: hand)"),
        (void, "d2 trump", "trump is declared once a round, by who cannot follow, with a"),
        (pricing, "raise lanzones", "one price moves by one, within -2 and +3, or none (rule"),
        (pricing, "pear up", "one price moves by one, within -2 and +3, or none (rule"),
    ],
)
def test_what_cannot_be_done_says_what_can(make: object, typed: str, why: str) -> None:
    assert callable(make)
    told, view = asked(make())
    with pytest.raises(Misread) as misread:
        told.read(view, typed)
    said = str(misread.value).replace(NO_BREAK, " ")
    assert said.startswith(why)
    assert "; you can answer:" in said


def test_who_can_follow_is_told_so() -> None:
    table = leading()
    table.play("m2")
    told, view = asked(table)
    with pytest.raises(Misread, match="you hold mango, which was led \\(rule: follow\\)"):
        told.read(view, "b9")


def test_the_beginning_of_two_names_is_not_enough() -> None:
    table = Table(EVEN)
    fruits = ["banana", "mango", "pineapple", "durian", "mangosteen"]
    table.game.content = replace(table.game.content, tables={"fruits": fruits})
    told, view = asked(table)
    with pytest.raises(Misread, match="'m' can be: mango, mangosteen"):
        told.read(view, "m 2")


# What is asked and shown.


def test_choices_are_in_the_order_of_the_hand_with_trump_after_them() -> None:
    told, view = asked(void())
    labels = [label for label, _ in told.choices(view)]
    assert labels[:3] == ["pineapple 7", "pineapple 8", "pineapple 9"]
    assert labels[-3:] == ["pineapple 7 as trump", "pineapple 8 as trump", "pineapple 9 as trump"]
    assert told.question(view) == "banana is led, you have none: which card do you play?"


def test_prices_are_offered_with_what_they_become() -> None:
    told, view = asked(pricing())
    labels = [label for label, _ in told.choices(view)]
    assert labels[:3] == ["no price", "banana up to +2", "banana down to 0"]
    assert told.question(view) == "your Bastos fruit leads the trick: which price do you move?"


def test_questions_of_a_trick() -> None:
    table = leading()
    told, view = asked(table)
    assert told.question(view) == "you lead: which card do you play?"
    table.play("m2")
    told, view = asked(table)
    assert told.question(view) == "mango is led: which card do you play?"


def test_the_table_shows_prices_the_trick_and_how_many_cards_were_won() -> None:
    """B19: not which ones."""
    table = Table(FOUR)
    table.bastos("b1 b7 m6 l1")
    table.trick("b2 l9 d1 b9")
    table.play("b3")
    table.say("keep")
    told, view = asked(table)
    assert table_lines(told, view) == [
        "",
        "--- round 1 of 8, trick 2 of 10, no trump yet, left over pineapple 9 ---",
        "prices: banana +2, mango +1, pineapple 0, durian 0, lanzones +1",
        "this trick: Ada banana 3",
        "",
        "             Bastos     plays  cards won  hand  points",
        "  Ada      banana 1  banana 3          0     8       0",
        "  Bruno    banana 7         -          0     9       0",
        "  Chloe     mango 6         -          0     9       0",
        "  you    lanzones 1         -          0     9       0",
    ]


def test_the_hand_is_shown_where_the_question_does_not_list_it() -> None:
    table = leading()
    table.play("m2")
    told, view = asked(table)
    lines = table_lines(told, view)
    assert lines[-1].startswith("your hand: banana 7, banana 8, banana 9, mango 7, ")
    assert "this trick: Ada mango 2 (wins so far)" in lines
    spectator = table.dealer.view(None)
    assert not [line for line in table_lines(told, spectator) if "your hand" in line]


# What happened.


def test_a_round_is_told() -> None:
    table = Table(EVEN)
    told = narrator(table)
    lines = told.tell(table.dealer.take_events())
    assert lines == ["", "=== round 1 of 6 ===", "you begin", "lanzones stays in the box"]
    assert told.tell(table.bastos("b1 m4 p7")) == [
        "",
        "every Bastos is turned up",
        "  you    banana 1",
        "  Bruno  mango 4",
        "  Chloe  pineapple 7",
        "prices: banana +1, mango +1, pineapple +1, durian 0",
    ]
    assert told.tell(table.play("b3")) == ["", "trick 1", "  you    banana 3"]
    assert told.tell(table.say("lower durian")) == ["  you lower durian to -1"]
    assert told.tell(table.play("b7")) == ["  Chloe  banana 7"]
    assert told.tell(table.play("b4")) == [
        "  Bruno  banana 4",
        "  -> Chloe takes the trick (the highest banana)",
    ]


def test_trump_and_passed_over_cards_are_told() -> None:
    table = void()
    told = narrator(table, None)
    told.tell(table.dealer.take_events())
    assert told.tell(table.play("p8", "trump"))[-1] == (
        "  Chloe  trump: pineapple, its price falls to -2"
    )
    assert told.tell(table.play("p1"))[-1] == "  -> Chloe takes the trick (the highest trump)"
    passed = Table(EVEN)
    passed.bastos("d1 d4 b7")
    assert told.tell(passed.trick("b3 b9 b4"))[-3:] == [
        "  Bruno  banana 4",
        "  Chloe  cannot win with banana 9",
        "  -> Bruno takes the trick (the highest banana that can win)",
    ]
    assert told.tell([Event("keeps", 1), Event("price", 1, ("mango", 1, 2))]) == [
        "  Bruno  no price",
        "  Bruno raises mango to +2",
    ]
    assert told.tell([Event("nobody_wins", None, ("mango-1",))]) == [
        "  -> nobody can win: the cards count for no one, and the same player leads again"
    ]


def test_the_points_are_a_sheet() -> None:
    table = Table(EVEN)
    events = [
        Event("final_prices", None, ("banana", 3, "mango", -1)),
        Event("scores", 0, (5, 2, 1)),
        Event("scores", 1, (-4, 0, 4)),
    ]
    assert narrator(table).tell(events) == [
        "",
        "cards won, at their prices",
        "         banana +3  mango -1  points",
        "  you            2         1       5",
        "  Bruno          0         4      -4",
    ]


def test_leaving_is_told() -> None:
    told = narrator(Table(EVEN))
    events = [Event("left", 2), Event("again", None, (3,)), Event("abandoned")]
    assert told.tell(events) == [
        "",
        "Chloe left",
        "round 3 begins again without them",
        "too few are left to go on",
    ]


def test_the_ranking() -> None:
    table = Table(EVEN)
    state = replace(table.state, scores=((1, 7, -2), (3, 2, 1)), need=Done(FINISHED, (2, 1, 3)))
    assert narrator(table).ranking(state) == [
        "final ranking",
        "  1  Bruno    9   7 + 2",
        "  2  you      4   1 + 3",
        "  3  Chloe   -1   -2 + 1",
    ]


def test_what_is_said_before_it_is_played() -> None:
    words = about("bastos")
    assert "prices that move" in words.summary()
    for option in Table(EVEN).game.options:
        told = {words.option(option.name, value) for value in option.values}
        assert len(told) == len(option.values)
    assert words.option("removed", "orange") == "with three players orange goes back to the box"
    assert words.called("orange") == "orange", "a fruit of another box"
    assert "2009" in words.content_note()
    for code in ("en", "fr"):
        language.use(code)
        assert len(words.short().splitlines()) <= 20
        for line in (words.short() + words.rules()).splitlines():
            assert len(line) <= 78
