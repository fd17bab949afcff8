"""Fruitoplay in lines: what is shown, and what is understood of what was typed."""

from random import Random

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.fruitoplay.rules import Orchard
from engine.moves import Event, Move
from engine.needs import FINISHED, Choose, Done
from engine.record import replace
from engine.views import View
from p2pfruit import language
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from p2pfruit.games.narrator import Misread
from p2pfruit.text.folding import NO_BREAK
from tests.p2pfruit.games.lines import table_lines

NAMES = ("Ada", "Bruno")


@pytest.fixture
def narrator() -> FruitoplayNarrator:
    return FruitoplayNarrator(registry.build("fruitoplay"), NAMES, 0)


@pytest.fixture
def view(narrator: FruitoplayNarrator) -> View[Orchard]:
    """Seat 0 before its first card, holding figs 5 and 11, a strawberry and an apple."""
    dealer = Dealer(narrator.game, narrator.game.start(2), Random(1))
    hand = dealer.state.hands[0]
    faces = ("fig-5", "strawberry-3", "apple-8", "fig-11", "banana-20", "banana-1", "apple-1")
    return View(narrator.game, dealer.state, 0, dict(zip(hand, faces, strict=True)))


def asked(view: View[Orchard], what: str) -> View[Orchard]:
    return view._replace(state=replace(view.state, need=Choose(what, (0,), secret=True)))


def move_for(view: View[Orchard], face: str) -> Move:
    [slot] = [slot for slot, known in view.known.items() if known == face]
    return Move("play", (slot,))


@pytest.mark.parametrize(
    "typed", ["fig 11", "fig11", "FIG 11", "  f 11 ", "fi 011", "fig 11 rotten", "5", "[5]", "005"]
)
def test_a_card_by_name_or_number(
    typed: str, narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    assert narrator.read(view, typed) == move_for(view, "fig-11")


def test_the_canonical_text_of_a_move(narrator: FruitoplayNarrator, view: View[Orchard]) -> None:
    move = move_for(view, "banana-1")
    assert narrator.read(view, str(move)) == move


def test_french_names_and_their_beginnings(
    narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    language.use("fr")
    assert narrator.read(view, "figue 11") == move_for(view, "fig-11")
    assert narrator.read(view, "fr 3") == move_for(view, "strawberry-3")
    assert narrator.read(view, "strawberry 3") == move_for(view, "strawberry-3")
    with pytest.raises(Misread, match="'f' peut être : fraise, figue"):
        narrator.read(view, "f 3")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("fig 12", "fig 12 is not in your hand (rule: hand)"),
        ("plum 3", "plum 3 is not in your hand (rule: hand)"),
        ("Ω 3", "ω 3 is not in your hand (rule: hand)"),
        ("play #999", "that card is not in your hand (rule: hand)"),
        ("play", "a turn is one card of your hand (rule: card)"),
        ("draw", "a turn is one card of your hand (rule: card)"),
        ("collect fig", "a turn is one card of your hand (rule: card)"),
        ("fig 11 banana", "a turn is one card of your hand (rule: card)"),
        ("fig 11, fig 5", "not understood: 'fig 11, fig 5'"),
        ("fig 111", "a turn is one card of your hand (rule: card)"),
        ("8", "not understood: '8'"),
        ("0000019", "not understood: '0000019'"),
        ("٣", "not understood: '٣'"),
        ("0", "not understood: '0'"),
    ],
)
def test_what_cannot_be_played_says_what_can(
    typed: str, why: str, narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    with pytest.raises(Misread) as misread:
        narrator.read(view, typed)
    legal = str(misread.value).replace(NO_BREAK, " ")
    assert legal.startswith(f"{why}; you can answer:  [1] banana 1  [2] banana 20  [3] straw")


def test_a_collective_fruit_by_its_beginning(
    narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    view = asked(view, "collective")
    assert narrator.read(view, "straw") == Move("collect", (), ("strawberry",))
    assert narrator.read(view, "1") == Move("collect", (), ("banana",))
    assert "+0 for everyone" in narrator.question(view)  # round 1 has none: the worth is round - 1
    with pytest.raises(Misread):
        narrator.read(view, "plum")
    with pytest.raises(Misread):
        narrator.read(view, "")


def test_victims_are_named_by_worth_and_fruit(
    narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    won = (("fig-11", "fig-3", "fig-5", "apple-1", "apple-2"), ())
    view = asked(view, "rotten")._replace(
        state=replace(view.state, won=won, need=Choose("rotten", (0,), secret=True))
    )
    labels = [label for label, _ in narrator.choices(view)]
    assert labels == ["single fig", "double fig"]
    assert narrator.read(view, "Double Fig") == Move("cancel", (), ("fig-2",))


def test_a_reveal_says_who_what_how_far_and_why(narrator: FruitoplayNarrator) -> None:
    three = FruitoplayNarrator(narrator.game, ("Ada", "Bruno", "Chloe"), 2)
    three.tell([Event("target", None, (3, "fig-8"))])
    lines = three.tell(
        [
            Event("plays", 0, ("fig-5",)),
            Event("plays", 1, ("fig-11",)),
            Event("plays", 2, ("apple-1",)),
            Event("void", 0, ("fig-5",)),
            Event("void", 1, ("fig-11",)),
            Event("wins", 2, ("closest", 7, "fig-5", "fig-11", "apple-1", "fig-8")),
        ]
    )
    assert lines == [
        "",
        "turn 3 of 7, target FIG 8 X2",
        "  Ada    fig 5                  3 away  void: tied",
        "  Bruno  fig 11 rotten          3 away  void: tied",
        "  you    apple 1                7 away, other fruit",
        "  -> you take 4 cards (no valid fig: the closest of the others, 7 away)",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Event("collective", 1, ("fig", 1)), "chosen by Bruno: fig +1 for everyone"),
        (Event("collective", None, ("fig", 2)), "drawn by lot: fig +2 for everyone"),
        (Event("sits_out", 0), "  you: no card left, sits out"),
        (Event("nobody_wins", None, ("fig-1", "fig-2")), "nobody wins"),
        (Event("passes", 1), "  Bruno: no last draw"),
        (Event("empty", 1), "  Bruno: the pile has no card left to draw"),
        (Event("pile_empty"), "the pile is empty"),
        (Event("lays", 1, ()), "  Bruno  nothing"),
        (Event("scores", 0, (0, 0, 0, 0, 0)), "   0"),
        (Event("again", None, (2,)), "round 2 begins again"),
        (Event("left", 1), "Bruno left"),
        (Event("abandoned"), "too few are left"),
    ],
)
def test_single_events(event: Event, line: str, narrator: FruitoplayNarrator) -> None:
    assert line in "\n".join(narrator.tell([event]))


def test_the_table_as_a_spectator_sees_it(
    narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    asked = table_lines(narrator, view)
    assert asked[4:] == [
        "         banana  strawberry  fig  apple  hand  points  if now",
        "  you         0           0    0      0     7       0       6",
        "  Bruno       0           0    0      0     7       0       -",
        "",
        "if the round ended now: 6 points (3 x 2)",
    ]
    watched = table_lines(narrator, view._replace(seat=None, known={}))
    assert watched[:4] == asked[:4]
    assert watched[4:] == [
        "         banana  strawberry  fig  apple  hand  points",
        "  you         0           0    0      0     7       0",
        "  Bruno       0           0    0      0     7       0",
    ]


def test_the_table_before_the_first_turn_and_with_a_collective_fruit(
    narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    state = replace(view.state, turn=0, round=2, collective="fig", scores=((3, 4),))
    lines = table_lines(narrator, asked(view._replace(state=state), "collective"))
    assert "collective fig +1" in lines[1]
    assert "0 +1" in lines[5]
    assert lines[2].startswith("river: ")
    assert any(line.startswith("your hand: banana 1, banana 20") for line in lines)


def test_each_question_shows_the_table_of_its_moment(
    narrator: FruitoplayNarrator, view: View[Orchard]
) -> None:
    def shown(what: str) -> str:
        return "\n".join(table_lines(narrator, asked(view, what)))

    assert "turn 1 of 7" in shown("card")
    assert "river: target " in shown("card")
    assert "your hand" not in shown("card")  # the question lists it
    assert "before the first turn" in shown("collective")
    assert "after the last turn" in shown("last_draw")
    assert "target " not in shown("last_draw") + shown("rotten")
    assert "your hand" in shown("last_draw")
    assert "at best: 6 points (3 x 2)" in shown("rotten")


def test_a_ranking_says_when_the_last_round_decided(narrator: FruitoplayNarrator) -> None:
    state = narrator.game.start(2)
    last = replace(state, scores=((5, 3), (1, 3)), need=Done(FINISHED, (2, 1)))
    assert narrator.ranking(last)[-1] == "equal totals: the last round decides"
    shared = replace(state, scores=((5, 5), (1, 1)), need=Done(FINISHED, (1, 1)))
    assert narrator.ranking(shared)[-1].startswith("  1= ")


def test_rotten_columns_are_marked(narrator: FruitoplayNarrator, view: View[Orchard]) -> None:
    state = replace(view.state, won=(("fig-11", "fig-5"), ()))
    lines = table_lines(narrator, view._replace(state=state))
    [row] = [line for line in lines if "you  " in line]
    assert "1 rotten" in row
