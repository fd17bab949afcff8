"""Fruitoplay as it looks: scenes, choices, reveals and reckonings, without any screen."""

from collections.abc import Iterator
from random import Random

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.fruitoplay.rules import Fruitoplay, Orchard
from engine.moves import Event, Move
from engine.needs import ABANDONED, FINISHED, Choose, Deal, Done
from engine.record import replace
from engine.views import View
from p2pfruit import language
from p2pfruit.games.fruitoplay.presenter import FruitoplayPresenter
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Mood, Reckoning, Tile

NAMES = ("Ada", "Bruno", "Chloe", "Dmitri", "Emil", "Fleur")
HAND = ("fig-5", "strawberry-3", "apple-8", "fig-11", "banana-20", "banana-1", "apple-1")


def presenter(players: int = 2, me: int | None = 0) -> FruitoplayPresenter:
    made = presenter_for(registry.build("fruitoplay"), NAMES[:players], me)
    assert isinstance(made, FruitoplayPresenter)
    return made


@pytest.fixture
def view() -> View[Orchard]:
    """Seat 0 before its first card of a game of two."""
    game = registry.build("fruitoplay")
    assert isinstance(game, Fruitoplay)
    state = Dealer(game, game.start(2), Random(1)).state
    return View(game, state, 0, dict(zip(state.hands[0], HAND, strict=True)))


def with_state(view: View[Orchard], **changes: object) -> View[Orchard]:
    return view._replace(state=replace(view.state, **changes))  # type: ignore[arg-type]


def asked(view: View[Orchard], what: str, **changes: object) -> View[Orchard]:
    return with_state(view, need=Choose(what, (0,), secret=True), **changes)


def short(tile: Tile) -> str:
    assert tile.suit is not None
    return f"{tile.suit.shape}{tile.suit.letters}{tile.text}{tile.mark}"


@pytest.mark.parametrize(("code", "letters"), [("en", "BaStFiAp"), ("fr", "BaFrFiPo")])
def test_suits_differ_in_letters_shape_and_colour(code: str, letters: str) -> None:
    language.use(code)
    suits = [presenter().suit(fruit) for fruit in ("banana", "strawberry", "fig", "apple")]
    assert "".join(suit.letters for suit in suits) == letters
    assert len({suit.letters for suit in suits}) == 4
    assert len({suit.shape for suit in suits}) == 4
    assert len({suit.colour for suit in suits}) == 4


def test_a_tile_says_what_is_on_the_card() -> None:
    tile = presenter().tile
    assert [short(tile(face)) for face in ("apple-12", "apple-8", "fig-11")] == [
        "●Ap12",
        "●Ap8×2",
        "◆Fi11☠",
    ]
    assert tile("fig-11").name == "fig 11 rotten"


def test_the_river_begins_with_the_target(view: View[Orchard]) -> None:
    river = view.state.river
    [strip] = presenter().scene(with_state(view, turn=3)).strips
    assert strip.label == "river"
    assert [tile.mood for tile in strip.tiles] == [Mood.TARGET] + [Mood.PLAIN] * 4
    assert [tile.name for tile in strip.tiles] == [
        presenter().tile(face).name for face in reversed(river[:5])
    ]


def test_the_river_is_whole_before_the_first_turn_and_gone_after_the_last(
    view: View[Orchard],
) -> None:
    [strip] = presenter().scene(asked(view, "collective", turn=0)).strips
    assert len(strip.tiles) == 7
    assert all(tile.mood is Mood.PLAIN for tile in strip.tiles)
    assert presenter().scene(asked(view, "last_draw", turn=7)).strips == ()
    between = with_state(view, turn=1, need=Deal("draw", ()))
    assert len(presenter().scene(between).strips[0].tiles) == 6


def test_the_title_says_where_we_are(view: View[Orchard]) -> None:
    scene = presenter().scene(with_state(view, turn=4, round=2, collective="fig", scores=((1, 2),)))
    assert scene.title == ("round 2 of 3", "turn 4 of 7", "pile 59", "collective fig +1")
    over = with_state(view, need=Done(FINISHED, (1, 2)))
    assert presenter().scene(over).title == ("final ranking",)
    stopped = with_state(view, need=Done(ABANDONED, (1, 2)))
    assert presenter().scene(stopped).title == ("the game was abandoned",)


def test_columns_are_counted_with_rotten_and_collective_beside_them(view: View[Orchard]) -> None:
    state = replace(
        view.state, round=3, collective="fig", won=(("fig-11", "fig-5", "apple-8"), ()), turn=2
    )
    scene = presenter().scene(view._replace(state=state))
    mine, other = scene.players
    assert [heading.text for heading in scene.headings] == ["banana", "strawberry", "fig", "apple"]
    assert [cell.text + cell.sign for cell in mine.cells] == ["0", "0", "1☠+2", "2"]
    assert mine.cells[2].name == "fig 1 rotten +2"
    assert [cell.text + cell.sign for cell in other.cells] == ["0", "0", "0+2", "0"]


def test_my_hand_is_sorted_and_the_others_is_closed(view: View[Orchard]) -> None:
    mine, other = presenter().scene(view).players
    assert " ".join(map(short, mine.hand)) == "◗Ba1 ◗Ba20 ▲St3×2 ◆Fi5 ◆Fi11☠ ●Ap1 ●Ap8×2"
    assert (mine.me, mine.name, other.me, other.name) == (True, "you", False, "Bruno")
    assert [tile.text for tile in other.hand] == [""] * 7


def test_a_projection_is_what_a_known_hand_would_bring(view: View[Orchard]) -> None:
    scene = presenter().scene(view)
    mine, other = scene.players
    # Bananas 2, strawberry 2, apples 3; the rotten fig takes the other fig with it.
    assert mine.projection == 6
    assert other.projection is None
    assert scene.notes == ("if the round ended now: 6 points (3 × 2)",)
    assert presenter().scene(with_state(view, need=Done(FINISHED, (1, 1)))).notes == ()


def test_a_replay_shows_the_hands_that_are_open(view: View[Orchard]) -> None:
    watched = view._replace(seat=None, known={})
    shown = dict(zip(view.state.hands[1], HAND, strict=True))
    closed, opened = presenter(me=None).scene(watched, shown).players
    assert (closed.name, closed.me, closed.projection) == ("Ada", False, None)
    assert (opened.projection, len(opened.hand), opened.hand[0].name) == (6, 7, "banana 1")
    assert presenter(me=None).scene(watched, shown).notes == ()


def test_whoever_has_no_card_is_said_to_sit_out(view: View[Orchard]) -> None:
    scene = presenter().scene(asked(view, "card", turn=7))
    assert scene.notes[0] == "Bruno: no card left, sits out"


def test_who_left_stays_in_the_table_as_gone(view: View[Orchard]) -> None:
    _mine, other = presenter().scene(with_state(view, seated=(0,))).players
    assert other.gone


def test_cards_are_offered_in_the_order_of_the_hand_with_their_distance(
    view: View[Orchard],
) -> None:
    river = (*view.state.river[:-1], "fig-8")
    options = presenter().options(with_state(view, river=river))
    mine = presenter().scene(view).players[0]
    assert tuple(option.tile for option in options) == mine.hand
    assert [(option.label, option.hint) for option in options][2:4] == [
        ("strawberry 3 x2", "5 away, other fruit"),
        ("fig 5", "3 away"),
    ]
    [slot] = options[3].move.cards
    assert view.known[slot] == "fig-5"


def test_words_are_offered_with_what_they_mean(view: View[Orchard]) -> None:
    collective = presenter().options(asked(view, "collective", turn=0))
    assert [(option.label, option.tile, option.hint) for option in collective][1:3] == [
        ("strawberry", None, "you hold 1 card of it"),
        ("fig", None, "you hold 2 cards of it"),
    ]
    draw, keep = presenter().options(asked(view, "last_draw", turn=7))
    assert (draw.label, draw.hint) == ("draw", "it joins your columns, whatever it is")
    assert (keep.label, keep.hint) == ("pass", "6 points")


def test_a_victim_is_offered_with_the_points_it_leaves(view: View[Orchard]) -> None:
    won = (("fig-11", "fig-3", "fig-5", "apple-1", "banana-11", "banana-1"), ())
    hands = ((), view.state.hands[1])
    options = presenter().options(asked(view, "rotten", won=won, hands=hands)._replace(known={}))
    assert [(option.label, option.hint) for option in options] == [
        ("single fig", "2 points"),
        ("double fig", "1 point"),
    ]
    assert [option.move for option in options] == [
        Move("cancel", (), ("fig-1",)),
        Move("cancel", (), ("fig-2",)),
    ]


REVEAL = [
    Event("plays", 0, ("fig-5",)),
    Event("plays", 1, ("fig-11",)),
    Event("plays", 2, ("apple-1",)),
    Event("void", 0, ("fig-5",)),
    Event("void", 1, ("fig-11",)),
    Event("wins", 2, ("closest", 7, "fig-5", "fig-11", "apple-1", "fig-8")),
]


def test_a_reveal_names_the_turn_its_target_opened() -> None:
    three = presenter(3, me=2)
    assert three.moment([Event("target", None, (3, "fig-8"))]) is None
    moment = three.moment([*REVEAL, Event("draws", 0), Event("target", None, (4, "fig-1"))])
    assert moment is not None
    assert moment.title == "turn 3 of 7"
    assert moment.target == three.tile("fig-8", Mood.TARGET)
    assert [(played.name, played.tile.mood, played.why) for played in moment.played] == [
        ("Ada", Mood.VOID, "3 away"),
        ("Bruno", Mood.VOID, "3 away"),
        ("you", Mood.WINS, "7 away, other fruit"),
    ]
    assert moment.winner == 2
    assert moment.verdict == "you take 4 cards (no valid fig: the closest of the others, 7 away)"


def test_a_reveal_that_nobody_wins() -> None:
    moment = presenter(3).moment([*REVEAL[:5], Event("nobody_wins", None, ("fig-5", "fig-8"))])
    assert moment is not None
    assert moment.title == "the cards are turned up"  # no target was heard of
    assert moment.winner is None
    assert moment.verdict == "nobody wins: these cards are out of the round"


def test_the_closest_of_the_fruit_is_named() -> None:
    won = Event("wins", 0, ("same_fruit", 3, "fig-5", "apple-1", "fig-8"))
    moment = presenter(3, me=None).moment([REVEAL[0], REVEAL[2], won])
    assert moment is not None
    assert moment.verdict == "Ada takes 3 cards (the closest fig, 3 away)"


ROUND = [
    [Event("round", None, (2,)), Event("collective", 1, ("fig", 1))],
    [Event("wins", 0, ("closest", 7, "apple-11", "fig-8"))],
    [Event("lays", 0, ("fig-11", "banana-1")), Event("lays", 1, ())],
]
END = [
    Event("cancels", 0, ("fig", 2)),
    Event("scores", 0, (1, 1, 0, 1, 0)),
    Event("scores", 1, (1, 0, 0, 1, 0)),
]


def score_lines(batches: list[list[Event]]) -> Reckoning | None:
    game = presenter()
    state = replace(game.game.start(2), round=3, scores=((4, 5), (1, 1)))
    found = None
    for events in batches:
        assert found is None
        found = game.reckoning(events, state)
    return found


def test_a_reckoning_tells_step_by_step() -> None:
    reckoning = score_lines([*ROUND, END])
    assert reckoning is not None
    assert reckoning.title == "the points of round 2"
    mine, other = reckoning.accounts
    assert (mine.name, mine.points, mine.total) == ("you", 1, 5)
    assert mine.steps == (
        "hand laid down: banana 1, fig 11 rotten",
        "collective fig +1",
        "rotten fig: cancelled with two fruits",
        "rotten apple: alone, it takes nothing with it",
        "columns: banana 1, fig 1 (none of: strawberry, apple)",
        "largest 1 × smallest 1 = 1",
    )
    assert (other.name, other.points, other.total) == ("Bruno", 1, 6)
    assert other.steps == (
        "hand laid down: nothing",
        "collective fig +1",
        "columns: fig 1 (none of: banana, strawberry, apple)",
        "a single column is both: 1 × 1 = 1",
    )


def test_a_reckoning_is_the_same_however_events_are_batched() -> None:
    apart = score_lines([[event] for batch in ROUND for event in batch] + [END])
    after = [Event("round", None, (3,)), Event("collective", None, ("apple", 2))]
    assert apart == score_lines([[event for batch in ROUND for event in batch] + END + after])


def test_a_round_that_begins_again_forgets_what_was_before() -> None:
    again = [Event("left", 1), Event("again", None, (2,)), Event("round", None, (2,))]
    reckoning = score_lines([*ROUND, again, [Event("scores", 0, (0, 0, 0, 0, 0))]])
    assert reckoning is not None
    [mine] = reckoning.accounts
    assert mine.steps == (
        "columns: nothing (none of: banana, strawberry, fig, apple)",
        "no column counts: 0 points",
    )


def played(players: int, seed: int) -> Iterator[tuple[Dealer[Orchard], list[Event]]]:
    """A game of random moves, before each choice."""
    game = registry.build("fruitoplay")
    rng = Random(seed)
    dealer = Dealer(game, game.start(players), rng)
    while True:
        yield dealer, dealer.take_events()
        if isinstance(dealer.state.need, Done):
            return
        if seed % 2 and len(dealer.state.scores) == 1 and len(dealer.state.seated) == players > 2:
            dealer.retire([1])
            continue
        for seat in dealer.waiting:
            dealer.decide(seat, rng.choice(dealer.view(seat).moves()))


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("seed", [0, 1])
def test_whole_games(players: int, seed: int) -> None:
    """Points agree with the rules, everybody is told of, and I see what a spectator sees."""
    mine, watching = presenter(players), presenter(players, me=None)
    reckonings, reveals = [], 0
    for dealer, events in played(players, seed):
        state = dealer.state
        moment = mine.moment(events)
        seen = watching.moment(events)
        assert (moment is None) == (seen is None)
        if moment is not None:
            reveals += 1
            wins = [one.seat for one in moment.played if one.tile.mood is Mood.WINS]
            assert wins == ([] if moment.winner is None else [moment.winner])
            assert moment.title.startswith("turn ")
        if reckoning := mine.reckoning(events, state):
            reckonings.append(reckoning)
            assert {one.seat: one.total for one in reckoning.accounts} == {
                seat: state.total(seat) for seat in state.seated
            }
        for seat in dealer.asked:
            view = dealer.view(seat)
            options = mine.options(view)
            assert {option.move for option in options} == set(view.moves())
            assert all(option.hint for option in options)
        scene, watched = mine.scene(dealer.view(0)), watching.scene(dealer.view(None))
        assert scene.title == watched.title
        assert [row.cells for row in scene.players] == [row.cells for row in watched.players]
        assert all(len(row.hand) == len(state.hands[row.seat]) for row in watched.players)
    assert len(reckonings) == 3
    assert reveals >= 21
