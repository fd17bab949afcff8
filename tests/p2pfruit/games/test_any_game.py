"""A game without words of its own is told in the engine's, and can be played in line mode."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.moves import Event, Move
from engine.needs import ABANDONED, FINISHED, Done
from engine.record import replace
from p2pfruit.cli.commands.games import _describe
from p2pfruit.games.about import about
from p2pfruit.games.narrator import Misread, Narrator, narrator_for
from p2pfruit.games.presenter import presenter_for
from p2pfruit.text.folding import NO_BREAK, fold
from p2pfruit.ui.lines.player import LinePlayer, Quit
from tests.games import registered
from tests.p2pfruit.games.lines import table_lines

NAMES = ("Ada", "Bruno", "Chloe")


@pytest.fixture(autouse=True)
def games() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def dealer() -> Dealer[Any]:
    return Dealer(registry.build("brambles"), registry.build("brambles").start(3), Random(1))


def test_the_plain_teller_is_found(dealer: Dealer[Any]) -> None:
    narrator = narrator_for(dealer.game, NAMES, 1)
    assert type(narrator) is Narrator
    assert narrator.tell([Event("plays", 1, ("a", 2)), Event("over")]) == ["plays you a 2", "over"]
    [seat] = dealer.asked
    view = dealer.view(seat)
    assert table_lines(narrator_for(dealer.game, NAMES, seat), view) == [
        "",
        "--- round 1 ---",
        "",
        "         hand  points",
        "  you       4       0",
        "  Bruno     4       0",
        "  Chloe     4       0",
        "",
        "your hand: blackberry-5, blueberry-2, raspberry-1, raspberry-5",
    ]
    assert narrator.question(view) == view.state.need.what
    assert narrator.drawn(view, ["x"]) == "you drew x"


def test_moves_are_read_by_number_or_text(dealer: Dealer[Any]) -> None:
    [seat] = dealer.asked
    view = dealer.view(seat)
    narrator = narrator_for(dealer.game, NAMES, seat)
    moves = view.moves()
    assert narrator.read(view, "1") == moves[0]
    assert narrator.read(view, f"  {moves[-1]} ".upper()) == moves[-1]
    for typed in ("0", "999", "", "dance", "play #x", "9" * 5000):
        with pytest.raises(Misread, match=r"; you can answer:  \[1\]"):
            narrator.read(view, typed)


def test_a_ranking_with_shared_places(dealer: Dealer[Any]) -> None:
    state = replace(dealer.state, scores=((1, 5, 5), (2, 3, 3)), need=Done(FINISHED, (3, 1, 1)))
    narrator = Narrator(dealer.game, NAMES)
    assert narrator.ranking(state) == [
        "final ranking",
        "  1= Bruno    8   5 + 3",
        "  1= Chloe    8   5 + 3",
        "  3  Ada      3   1 + 2",
    ]
    state = replace(state, need=Done(ABANDONED, (1, 2, 2)))
    assert narrator.ranking(state)[0] == "the game was abandoned"


def test_a_game_without_a_page_says_so() -> None:
    assert about("brambles").rules() == "brambles comes without a rules page\n"
    assert "brambles" in _describe("brambles")[0]


class Typist:
    """Types these lines, then closes the line."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.seen: list[str] = []

    def ask(self, _prompt: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def test_a_line_player_asks_until_the_answer_is_legal(
    dealer: Dealer[Any],
) -> None:
    typist = Typist("dance", "?", "table", "rules", "", "2")
    [seat] = dealer.asked
    view = dealer.view(seat)
    presenter = presenter_for(dealer.game, NAMES, seat)
    player = LinePlayer(presenter, lambda: "THE RULES", typist.seen.extend, typist.ask)
    assert player(view) == view.moves()[1]
    assert typist.lines == []
    shown = "\n".join(typist.seen)
    for words in ("(rule: card); you can answer:", "leave the game", "THE RULES", "[1]"):
        assert words in shown


@pytest.mark.parametrize("lines", [("quit",), ("Q",), ()])
def test_a_line_player_can_leave(
    lines: tuple[str, ...],
    dealer: Dealer[Any],
) -> None:
    typist = Typist(*lines)
    [seat] = dealer.asked
    presenter = presenter_for(dealer.game, NAMES, seat)
    player = LinePlayer(presenter, str, typist.seen.extend, typist.ask)
    with pytest.raises(Quit):
        player(dealer.view(seat))


def test_a_single_answer_is_given_for_the_player() -> None:
    game = registry.build("fruitoplay")
    dealer = Dealer(game, game.start(2), Random(1))
    hand = dealer.state.hands[0][:1]
    lonely = replace(dealer.state, hands=(hand, dealer.state.hands[1]))
    view = dealer.view(0)._replace(state=lonely, known={hand[0]: "fig-5"})
    typist = Typist()
    player = LinePlayer(presenter_for(game, NAMES[:2], 0), str, typist.seen.extend, typist.ask)
    assert player(view) == Move("play", hand)
    assert typist.seen[-1] == "the only answer left is given for you: fig 5"


def test_the_only_card_of_a_hand_is_news_too() -> None:
    game = registry.build("fruitoplay")
    dealer = Dealer(game, game.start(2), Random(1))
    typist = Typist()
    player = LinePlayer(presenter_for(game, NAMES[:2], 0), str, typist.seen.extend, typist.ask)
    for slot, face in ((0, "fig-5"), (50, "apple-1")):
        state = replace(dealer.state, hands=((slot,), ()))
        player(dealer.view(0)._replace(state=state, known={slot: face}))
    assert [line for line in typist.seen if "drew" in line] == ["you drew apple 1"]


def test_a_drawn_card_is_news_but_a_new_hand_is_not() -> None:
    game = registry.build("fruitoplay")
    dealer = Dealer(game, game.start(2), Random(3))
    typist = Typist(*["1"] * 100)
    player = LinePlayer(presenter_for(game, NAMES[:2], 0), str, typist.seen.extend, typist.ask)
    other = Random(1)
    hands: list[tuple[int, set[int]]] = []
    while asked := dealer.asked:
        if 0 in asked:
            hands.append((dealer.state.round, set(dealer.state.hands[0])))
        dealer.answer(
            [
                player(dealer.view(0)) if seat == 0 else other.choice(dealer.view(seat).moves())
                for seat in asked
            ]
        )
    drawn = sum(was == now and not new <= old for (was, old), (now, new) in pairwise(hands))
    assert sum(line.startswith("you drew ") for line in typist.seen) == drawn > 0


def test_folding_keeps_short_lines_and_breaks_long_ones() -> None:
    assert fold("", 10) == ""
    assert fold("  short", 10) == "  short"
    assert fold("one two three", 9) == "one two\n    three"
    assert fold(f"one two more{NO_BREAK}b", 10) == "one two\n    more b"
