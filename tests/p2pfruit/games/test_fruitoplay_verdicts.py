"""What is said of a trick or of points is true: held against the rules written a second time."""

import re
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.dealer import Dealer
from engine.fruitoplay.rules import Fruitoplay, Orchard
from engine.moves import Choice, Event, Move
from engine.needs import Done, Face, Seat
from engine.record import replace
from engine.views import View
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Moment, Mood
from p2pfruit.ui.lines.scene import scene_lines
from tests.engine.fruitoplay.oracle import away, fruit, scorings, trick_winner, worths

NAMES = ("Ada", "Bruno", "Chloe", "Dmitri", "Eve", "Fay")
TIES = pytest.mark.parametrize("ties", ["contending", "all"])
GAMES = {ties: registry.build("fruitoplay", {"ties": ties}) for ties in ("contending", "all")}
FACES = tuple(worths())


def reveal(ties: str, target: Face, played: Sequence[Face]) -> list[Event]:
    """What the rules tell of these cards."""
    game = GAMES[ties]
    assert isinstance(game, Fruitoplay)
    dealer: Dealer[Orchard] = Dealer(game, game.start(len(played)), Random(1))
    state = replace(dealer.state, river=(*dealer.state.river[:-1], target))
    events: list[Event] = []
    choices = [Choice(seat, Move("play", (seat,)), (face,)) for seat, face in enumerate(played)]
    game.after_card(state, choices, lambda what, seat=None, *data: events.append(
        Event(what, seat, data)
    ))  # fmt: skip
    return events


def tied(target: Face, group: Sequence[Face]) -> set[Face]:
    distances = [away(face, target) for face in group]
    return {face for face in group if distances.count(away(face, target)) > 1}


def void_cards(ties: str, target: Face, played: Sequence[Face]) -> set[Face]:
    """Those that lost by a tie, as one would say it at a table."""
    if ties == "all":
        return tied(target, played)
    same = [face for face in played if fruit(face) == fruit(target)]
    void = tied(target, same)
    if set(same) <= void:
        void |= tied(target, [face for face in played if face not in same])
    return void


TRICKS = st.lists(st.sampled_from(FACES), min_size=3, max_size=7, unique=True)
# Few numbers around one: most of these tie.
CROWDED = st.lists(
    st.sampled_from([face for face in FACES if 9 <= int(face.split("-")[1]) <= 13]),
    min_size=3,
    max_size=7,
    unique=True,
)
SAID = re.compile(
    r"(?P<name>\w+) takes (?P<count>\d) cards \((?P<none>no valid (?P<fruit>\w+): )?"
    r"the closest (?P<rest>.*), (?P<distance>\d+) away\)"
)


@TIES
@given(cards=TRICKS | CROWDED)
def test_every_verdict_is_true(ties: str, cards: list[Face]) -> None:
    target, *played = cards
    presenter = presenter_for(GAMES[ties], NAMES[: len(played)])
    moment = presenter.moment(reveal(ties, target, played))
    assert moment is not None
    assert moment.target is not None
    assert moment.target.name == presenter.tile(target).name
    winner = trick_winner(target, played, ties)
    assert moment.winner == winner
    void = void_cards(ties, target, played)
    check_cards(moment, target, played, void)
    told = presenter.narrator.tell(reveal(ties, target, played))
    if winner is None:
        assert void == set(played)
        assert moment.verdict == "nobody wins: these cards are out of the round"
        assert told[-1] == f"  -> {moment.verdict}"
        return
    assert f"  -> {moment.verdict}" in told
    check_verdict(moment.verdict, target, played, void, winner)


def check_cards(moment: Moment, target: Face, played: Sequence[Face], void: set[Face]) -> None:
    for seat, (one, face) in enumerate(zip(moment.played, played, strict=True)):
        assert (one.seat, one.name) == (seat, NAMES[seat])
        assert one.why.startswith(f"{away(face, target)} away")
        assert ("other fruit" in one.why) == (fruit(face) != fruit(target))
        assert (one.tile.mood is Mood.VOID) == (face in void)
        assert (one.tile.mood is Mood.WINS) == (seat == moment.winner)


def check_verdict(
    verdict: str, target: Face, played: Sequence[Face], void: set[Face], winner: Seat
) -> None:
    said = SAID.fullmatch(verdict)
    assert said is not None, verdict
    won = played[winner]
    assert said["name"] == NAMES[winner]
    assert int(said["count"]) == len(played) + 1
    assert int(said["distance"]) == away(won, target)
    same = [face for face in played if fruit(face) == fruit(target)]
    others = [face for face in played if face not in same]
    assert bool(said["none"]) == (fruit(won) != fruit(target)) == (set(same) <= void)
    assert said["fruit"] in (None, fruit(target))
    rivals = others if said["none"] else same
    closer = [face for face in rivals if away(face, target) < away(won, target)]
    assert set(closer) <= void
    plain = "of the others" if said["none"] else fruit(target)
    qualified = "valid other" if said["none"] else f"valid {fruit(target)}"
    assert said["rest"] == (qualified if closer else plain)


def test_a_closer_card_that_tied_is_not_called_further_away() -> None:
    for played, says in [
        (["fig-7", "fig-9", "fig-5"], "the closest valid fig, 3 away"),
        (["fig-7", "apple-9", "apple-7", "banana-1"], "the closest fig, 1 away"),
        (["apple-9", "apple-7", "banana-1"], "no valid fig: the closest valid other, 7 away"),
    ]:
        presenter = presenter_for(GAMES["contending"], NAMES[: len(played)])
        moment = presenter.moment(reveal("contending", "fig-8", played))
        assert moment is not None
        assert says in moment.verdict


# Points.


def games(ties: str, players: int, seed: int) -> list[tuple[Orchard, list[Event]]]:
    """The states and events of a game of random moves."""
    rng = Random(seed)
    dealer: Dealer[Orchard] = Dealer(GAMES[ties], GAMES[ties].start(players), rng)
    seen = [(dealer.state, dealer.take_events())]
    while not isinstance(dealer.state.need, Done):
        for seat in dealer.waiting:
            dealer.decide(seat, rng.choice(dealer.view(seat).moves()))
        seen.append((dealer.state, dealer.take_events()))
    return seen


@TIES
@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_step_of_a_reckoning_is_true(ties: str, players: int) -> None:
    presenter = presenter_for(GAMES[ties], NAMES[:players])
    found = 0
    held: dict[Seat, list[Face]] = {}
    collective: tuple[str, int] | None = None
    for state, events in games(ties, players, seed=players):
        for event in events:
            if event.what == "collective":
                collective = str(event.data[0]), found
            elif event.seat is not None and event.what in ("wins", "lays"):
                cards = event.data[2:] if event.what == "wins" else event.data
                held.setdefault(event.seat, []).extend(map(str, cards))
        reckoning = presenter.reckoning(events, state)
        if reckoning is None:
            continue
        found += 1
        assert [one.points for one in reckoning.accounts] == list(state.scores[found - 1])
        for account in reckoning.accounts:
            mine = held.get(account.seat, [])
            check_steps(account.steps, account.points)
            check_rotten(account.steps, mine)
            assert account.points in {scoring.points for scoring in scorings(mine, collective)}
            assert account.total == sum(row[account.seat] for row in state.scores[:found])
        held, collective = {}, None
    assert found == 3


def check_rotten(steps: Sequence[str], cards: Sequence[Face]) -> None:
    """Each rotten card is told of, and nothing else is."""
    rotten = sorted(fruit(face) for face in cards if worths()[face] == 0)
    told = [step.split()[1].rstrip(":") for step in steps if step.startswith("rotten ")]
    assert sorted(told) == rotten


def check_steps(steps: Sequence[str], points: int) -> None:
    """Columns that count, and the product that comes of them."""
    [counted] = [step for step in steps if step.startswith("columns: ")]
    listed = counted.removeprefix("columns: ").split(" (none of")[0]
    totals = [int(number) for number in re.findall(r"\d+", listed)]
    assert all(totals)
    assert points == (max(totals) * min(totals) if totals else 0)
    if len(totals) == 1:
        assert steps[-1] == f"a single column is both: {totals[0]} × {totals[0]} = {points}"
    elif totals:
        assert steps[-1] == f"largest {max(totals)} × smallest {min(totals)} = {points}"


@pytest.mark.parametrize("players", [2, 4])
def test_who_comes_back_later_is_told_the_same(players: int) -> None:
    """All of a game at once, or in pieces that the state has long passed."""
    told = games("contending", players, seed=5)
    last = told[-1][0]
    apart = presenter_for(GAMES["contending"], NAMES[:players])
    late = presenter_for(GAMES["contending"], NAMES[:players])
    in_time = [apart.reckoning(events, state) for state, events in told]
    assert [late.reckoning(events, last) for _state, events in told] == in_time
    at_once = presenter_for(GAMES["contending"], NAMES[:players])
    everything = [event for _state, events in told for event in events]
    assert at_once.reckoning(everything, last) == in_time[-1]


# Where in the game we are.


def test_the_pile_is_told_of_once_it_is_there() -> None:
    game = GAMES["contending"]
    presenter = presenter_for(game, NAMES[:4])
    told = games("contending", 4, seed=3)
    for state, _events in told[:-1]:
        title = presenter.scene(View(game, state, None, {})).title
        assert f"pile {state.made - state.pile}" in title
    over = told[-1][0]
    later = game.again(replace(over, round=2, scores=over.scores[:1]), lambda *_event: None)
    for state in (game.start(4), later):
        view: View[Orchard] = View(game, state, None, {})
        place = f"round {state.round} of 3"
        assert presenter.scene(view).title == (place,)
        assert scene_lines(presenter.scene(view))[1] == f"--- {place} ---"
